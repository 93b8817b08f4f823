"""A goal type from another add-on: the one of docs/add_goal_type.md, as it is there.

Tests of: goal_types.goal_type, goal_types.registry, goal_types.setting,
properties.goal_types.added, properties.goal_types.settings.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import addon_utils
import bpy
import numpy as np
import pytest

import blender_bioik
from blender_bioik.goal_types import GoalSetting, add_goal_type, remove_goal_type
from blender_bioik.goal_types.places import RADIUS
from blender_bioik.overlay.elements import goal_elements
from blender_bioik.panels.goals import BIOIK_PT_goals, BIOIK_UL_goals
from blender_bioik.presets import PresetError, preset_from_text
from blender_bioik.rig.bake.bake import BakeOptions, bake
from blender_bioik.rig.errors import RigError
from blender_bioik.rig.goals.goal_copies import copied_goal
from blender_bioik.rig.goals.mirrored_goal import mirror_goal
from blender_bioik.rig.goals.tracks import plan_goals
from blender_bioik.rig.presets.apply_preset import apply_preset
from blender_bioik.rig.presets.make_preset import make_preset
from blender_bioik.rig.report.goal_errors import error_of
from blender_bioik.rig.trace.goal_places import goal_places

from ...builders.layouts import drawn, drawn_item
from ...builders.rigs import humanoid, key_randomly

DOCUMENT = Path(__file__).parents[3] / "docs" / "add_goal_type.md"
FRAMES = range(1, 12, 2)
DROP = 0.5
WORDS = (("A", "A", ""), ("B", "B", ""))


@pytest.fixture(scope="module")
def add_on(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The add-on of the document, in a package of its own."""
    folder = tmp_path_factory.mktemp("add_on")
    package = folder / "studio_level"
    package.mkdir()
    text = DOCUMENT.read_text(encoding="utf-8")
    for name, source in re.findall(r"```python\n# (\S+)\n(.*?)```", text, flags=re.DOTALL):
        (package / name).write_text(source, encoding="utf-8")
    sys.path.insert(0, str(folder))
    yield importlib.import_module("studio_level")
    sys.path.remove(str(folder))


@pytest.fixture
def enabled(add_on: Any, empty_file: None) -> Iterator[Any]:
    add_on.register()
    yield add_on
    if add_on.LEVEL.identifier in type_items():
        add_on.unregister()


@pytest.fixture
def rig(enabled: Any) -> bpy.types.Object:
    """A person that moves, with a goal of the type: the left hand is below the head."""
    person = humanoid()
    key_randomly(person, [1, 11], scaled=False)
    person.location, person.rotation_euler = (0.5, -0.3, 0.2), (0.1, -0.2, 0.6)
    bpy.context.view_layer.objects.active = person
    goal = person.bioik.goals.add()
    goal.type, goal.name, goal.bone = "STUDIO_LEVEL", "Hand below head", "forearm.L"
    goal.head_tail, goal.other_bone, goal.level_drop = 1.0, "head", DROP
    return person


def type_items() -> list[str]:
    """What can be chosen as the type of a goal."""
    items = blender_bioik.properties.BioIKGoal.bl_rna.properties["type"].enum_items
    return [item.identifier for item in items]


def drops(rig: bpy.types.Object) -> np.ndarray:
    """How far Blender shows the hand below the head, in each frame."""
    found = []
    for frame in FRAMES:
        bpy.context.scene.frame_set(frame)
        bones = rig.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones
        ends = bones["head"].head, bones["forearm.L"].tail
        head, hand = (rig.matrix_world @ end for end in ends)
        found.append(head.z - hand.z)
    return np.array(found)


def bake_it(rig: bpy.types.Object) -> Any:
    return bake(bpy.context.scene, rig, BakeOptions(FRAMES[0], FRAMES[-1], FRAMES.step))


@pytest.mark.parametrize("influence", [1.0, 0.5])
def test_it_is_baked_as_far_as_its_influence_and_reported(
    rig: bpy.types.Object, influence: float
) -> None:
    before = drops(rig)
    rig.bioik.goals[0].influence = influence
    report = bake_it(rig)
    assert np.abs(before - DROP).min() > 0.05
    np.testing.assert_allclose(drops(rig), before + influence * (DROP - before), atol=2e-4)
    (goal,) = report.goals
    assert (goal.name, goal.unit, goal.reached) == ("Hand below head", "mm", len(FRAMES))
    assert goal.mean_before is not None
    assert goal.mean < 0.1 < goal.mean_before
    error = error_of(rig, "Hand below head")
    assert error is not None
    assert error.reached


def test_missed_goals_are_reported(rig: bpy.types.Object) -> None:
    rig.bioik.goals[0].level_drop = 9.0
    (goal,) = bake_it(rig).missed
    assert goal.name == "Hand below head"
    assert goal.worst > 1000.0


def test_its_problem_is_refused(rig: bpy.types.Object) -> None:
    rig.bioik.goals[0].other_bone = ""
    with pytest.raises(RigError, match='The goal "Hand below head" has no other bone: choose one'):
        bake_it(rig)


def test_it_is_in_the_menu_and_shows_its_properties(rig: bpy.types.Object) -> None:
    assert type_items()[-1] == "STUDIO_LEVEL"
    shown = drawn(BIOIK_PT_goals)
    own = ["bone", "head_tail", "offset", "other_bone", "level_drop"]
    assert shown.properties() == ["type", *own, "weight", "influence"]
    item = drawn_item(BIOIK_UL_goals, rig.bioik, rig.bioik.goals[0])
    assert item.named("prop")[0]["icon"] == "ALIGN_MIDDLE"
    property_ = rig.bioik.goals[0].bl_rna.properties["level_drop"]
    assert (property_.name, property_.unit, property_.soft_max) == ("Drop", "LENGTH", 1.0)
    assert property_.is_overridable


def test_it_is_added_by_the_button(rig: bpy.types.Object) -> None:
    rig.data.bones.active = rig.data.bones["forearm.R"]
    assert bpy.ops.bioik.add_goal(type="STUDIO_LEVEL") == {"FINISHED"}
    added = rig.bioik.goals[1]
    assert (added.type, added.bone, added.name) == ("STUDIO_LEVEL", "forearm.R", "forearm.R Level")


def test_it_is_drawn(rig: bpy.types.Object) -> None:
    bpy.context.view_layer.update()
    (place,) = goal_places(rig, 1)
    hand = rig.matrix_world @ rig.pose.bones["forearm.L"].tail
    head = rig.matrix_world @ rig.pose.bones["head"].head
    assert place.start is not None
    np.testing.assert_allclose(place.start, hand, atol=1e-5)
    np.testing.assert_allclose(place.end, (hand.x, hand.y, head.z - DROP), atol=1e-5)
    drawn_lines = goal_elements([place], 1.0).points.reshape(-1, 2, 3)
    wanted = np.array([place.start, place.end])
    assert any(np.allclose(line, wanted, atol=1e-5) for line in drawn_lines)


def test_a_preset_keeps_it(rig: bpy.types.Object) -> None:
    preset = make_preset(rig, "GOALS", "Mine")
    assert '"level_drop": 0.5' in preset.to_json()
    rig.bioik.goals.clear()
    apply_preset(bpy.context, rig, preset_from_text(preset.to_json()))
    (goal,) = rig.bioik.goals
    assert (goal.type, goal.bone, goal.other_bone) == ("STUDIO_LEVEL", "forearm.L", "head")
    assert goal.level_drop == pytest.approx(DROP)


def test_a_preset_with_it_needs_its_add_on(rig: bpy.types.Object, enabled: Any) -> None:
    text = make_preset(rig, "GOALS", "Mine").to_json()
    enabled.unregister()
    with pytest.raises(PresetError, match=r"type must be one of .*not 'STUDIO_LEVEL'"):
        preset_from_text(text)


def test_it_is_mirrored(rig: bpy.types.Object) -> None:
    mirror_goal(bpy.context, rig, 0)
    other = rig.bioik.goals[1]
    assert (other.type, other.bone, other.other_bone) == ("STUDIO_LEVEL", "forearm.R", "head")
    assert other.level_drop == pytest.approx(DROP)


def test_a_copy_for_another_thread_has_its_settings(rig: bpy.types.Object) -> None:
    (planned,) = plan_goals(rig.bioik.goals, np.ones(1), np.zeros((0, 1, 4, 4)), [np.ones(1)])
    assert copied_goal(planned).goal.level_drop == pytest.approx(DROP)


def test_it_may_be_added_before_the_extension_is_enabled(add_on: Any) -> None:
    blender_bioik.unregister()
    try:
        add_on.register()
    finally:
        blender_bioik.register()
    goal = humanoid().bioik.goals.add()
    goal.type, goal.level_drop = "STUDIO_LEVEL", 0.5
    add_on.unregister()
    assert "STUDIO_LEVEL" not in type_items()
    assert not hasattr(goal, "level_drop")


def test_blender_enables_and_disables_its_add_on(add_on: Any) -> None:
    # Meanwhile it shows add-ons no data.
    assert addon_utils.enable(add_on.__name__) is not None
    assert type_items()[-1] == "STUDIO_LEVEL"
    addon_utils.disable(add_on.__name__)
    assert "STUDIO_LEVEL" not in type_items()


def assert_unknown(rig: bpy.types.Object) -> None:
    """Whether the rig's goal waits for its add-on, and nothing is broken by that."""
    (goal,) = rig.bioik.goals
    bpy.context.view_layer.objects.active = rig
    assert not goal.kind.known
    shown = drawn(BIOIK_PT_goals)
    assert shown.properties() == ["type", "weight", "influence"]
    assert " ".join(shown.labels()) == "Enable the add-on that provides this type of goal"
    assert drawn_item(BIOIK_UL_goals, rig.bioik, goal).named("prop")[0]["icon"] == "QUESTION"
    assert goal_places(rig, 1) == []
    sentence = (
        'The goal "Hand below head" is of an unknown type: enable the add-on that provides the '
        "type, or disable or remove the goal."
    )
    with pytest.raises(RigError) as caught:
        bake_it(rig)
    assert str(caught.value) == sentence


def test_a_goal_outlives_its_add_on(rig: bpy.types.Object, enabled: Any) -> None:
    enabled.unregister()
    assert_unknown(rig)
    enabled.register()
    assert (rig.bioik.goals[0].type, rig.bioik.goals[0].kind) == ("STUDIO_LEVEL", enabled.LEVEL)
    assert [name for name in type_items() if name.startswith("UNKNOWN")] == []
    assert bake_it(rig).goals[0].reached == len(FRAMES)


def test_a_file_opens_without_the_add_on_and_loses_nothing(
    rig: bpy.types.Object,
    enabled: Any,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    path = str(tmp_path / "level.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    enabled.unregister()

    bpy.ops.wm.open_mainfile(filepath=path)
    (opened,) = (object_ for object_ in bpy.data.objects if object_.type == "ARMATURE")
    assert_unknown(opened)
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    assert "matches no enum" not in "".join(capfd.readouterr())

    enabled.register()
    (opened,) = (object_ for object_ in bpy.data.objects if object_.type == "ARMATURE")
    goal = opened.bioik.goals[0]
    assert goal.type == "STUDIO_LEVEL"
    assert goal.level_drop == pytest.approx(DROP)


def test_an_appended_goal_without_its_add_on_is_unknown_too(
    rig: bpy.types.Object, enabled: Any, tmp_path: Path
) -> None:
    path, name = str(tmp_path / "level.blend"), rig.name
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    enabled.unregister()

    bpy.ops.wm.append(filename=name, directory=f"{path}/Object/")
    bpy.context.scene.frame_set(1)

    assert_unknown(bpy.data.objects[name])


def test_other_goals_are_baked_beside_an_unknown_one_that_is_disabled(
    rig: bpy.types.Object, enabled: Any
) -> None:
    enabled.unregister()
    rig.bioik.goals[0].enabled = False
    goal = rig.bioik.goals.add()
    goal.type, goal.name, goal.bone, goal.point = "LOOK_AT", "Look", "head", (0.0, -3.0, 1.0)
    assert [one.name for one in bake_it(rig).goals] == ["Look"]


def test_its_number_is_the_same_everywhere(add_on: Any) -> None:
    # .blend files keep it: another number would make the goals of all older files unknown.
    assert add_on.LEVEL.stored_number == 1_992_386_761


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"identifier": "studio level"}, "needs an identifier of capital"),
        ({"identifier": "UNKNOWN_7"}, "needs an identifier of capital"),
        ({"identifier": "POSITION"}, "is already registered"),
        ({"identifier": "OTHER", "number": 3}, "has the same number as LOCKED_LOOK_AT"),
        ({"identifier": "OTHER", "label": ""}, "needs a label"),
        ({"identifier": "OTHER", "properties": ("stiffness",)}, "uses 'stiffness'"),
        (
            {"identifier": "OTHER", "properties": (replace(RADIUS, name="weight"),)},
            "cannot have a setting named 'weight'",
        ),
        (
            {"identifier": "OTHER", "properties": (replace(RADIUS, default=0.5),)},
            "declares 'radius' differently from another type",
        ),
    ],
)
def test_invalid_goal_types_are_refused(add_on: Any, changes: dict[str, Any], said: str) -> None:
    before = type_items()
    with pytest.raises(ValueError, match=said):
        add_goal_type(replace(add_on.LEVEL, **changes))
    assert type_items() == before


@pytest.mark.parametrize(
    ("setting", "kind"),
    [
        (GoalSetting("own_flag", "Flag", "Some flag", True), "BOOLEAN"),
        (GoalSetting("own_count", "Count", "Some number", 3, lowest=1, highest=5), "INT"),
        (GoalSetting("own_axis", "Axis", "Some axis", (0.0, 0.0, 1.0), axes="BONE"), "FLOAT"),
        (GoalSetting("own_turn", "Turn", "Some angle", 0.5, quantity="ANGLE"), "FLOAT"),
        (
            GoalSetting(
                "own_word", "Word", "Some word", "B", items=(("A", "A", ""), ("B", "B", ""))
            ),
            "ENUM",
        ),
    ],
)
def test_settings_of_every_sort_go_into_presets_and_back(
    add_on: Any, setting: GoalSetting, kind: str
) -> None:
    other = {False: True, True: False, 3: 5, (0.0, 0.0, 1.0): (0.5, 0.25, 1.0), 0.5: 1.25, "B": "A"}
    wanted = other[setting.default]
    rig = humanoid()
    add_goal_type(replace(add_on.LEVEL, properties=("bone", setting)))
    try:
        goal = rig.bioik.goals.add()
        goal.type, goal.name, goal.bone = "STUDIO_LEVEL", "Own", "head"
        assert goal.bl_rna.properties[setting.name].type == kind
        assert as_plain(getattr(goal, setting.name)) == setting.default
        setattr(goal, setting.name, wanted)
        preset = preset_from_text(make_preset(rig, "GOALS", "Mine").to_json())
        rig.bioik.goals.clear()
        apply_preset(bpy.context, rig, preset)
        assert as_plain(getattr(rig.bioik.goals[0], setting.name)) == pytest.approx(wanted)
    finally:
        remove_goal_type("STUDIO_LEVEL")


def as_plain(value: Any) -> Any:
    return tuple(value) if hasattr(value, "__len__") and not isinstance(value, str) else value
