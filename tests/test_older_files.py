"""Files saved by an older version open without losses and can be worked on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

bpy = pytest.importorskip("bpy", reason="bpy is not importable", exc_type=ImportError)

import blender_bioik  # noqa: E402
from blender_bioik import panels  # noqa: E402

from .builders.layouts import drawn, is_shown  # noqa: E402
from .data.make_saved_by_0_1_0 import (  # noqa: E402
    ARM,
    ARM_LAST,
    BAKE,
    BODY_PARTS,
    FEET,
    FILE,
    FIRST,
    HILLS,
    INFLUENCE,
    LAST,
    OVERLAY,
    REACH,
    SOLVED,
    SOLVER,
    UNSOLVED,
    WALKER,
    choose,
)

CONTACTS = [
    ("leg.L", "HEEL", 3, 12, False),
    ("leg.L", "HEEL", 28, 31, False),
    ("leg.L", "BALL", 3, 16, False),
    ("leg.L", "BALL", 28, 31, True),
    ("leg.L", "TIP", 3, 16, False),
    ("leg.L", "TIP", 29, 31, False),
    ("leg.R", "HEEL", 15, 25, False),
    ("leg.R", "BALL", 3, 3, False),
    ("leg.R", "BALL", 15, 29, False),
    ("leg.R", "TIP", 1, 3, False),
    ("leg.R", "TIP", 17, 29, False),
]
# Settings that are drawn as something else than a property with a button of its own.
NOT_DRAWN = {"active_ground", "plot", "markers"}


@pytest.fixture(autouse=True)
def opened() -> Iterator[None]:
    """The file, with the extension registered; an empty one afterwards."""
    blender_bioik.register()
    bpy.ops.wm.open_mainfile(filepath=str(FILE))
    yield
    bpy.ops.wm.read_factory_settings(use_empty=True)
    blender_bioik.unregister()


def rig_of(name: str = WALKER) -> Any:
    """The settings on an armature, which is chosen."""
    armature = bpy.data.objects[name]
    choose(armature)
    return armature.bioik


def assert_has(group: Any, values: dict[str, Any]) -> None:
    """Whether a group has these values; objects are given by their names."""
    for name, value in values.items():
        found = getattr(group, name)
        if isinstance(found, bpy.types.ID):
            found = found.name
        elif isinstance(value, tuple):
            found = tuple(found)
        assert found == (value if isinstance(value, str) else pytest.approx(value)), name


def keys_of(action: Any) -> dict[tuple[str, int], dict[float, float]]:
    """Values by frame of each F-curve."""
    if hasattr(action, "layers"):  # from Blender 4.4 on
        bags = [
            bag for layer in action.layers for strip in layer.strips for bag in strip.channelbags
        ]
        curves = [curve for bag in bags for curve in bag.fcurves]
    else:
        curves = list(action.fcurves)
    return {
        (curve.data_path, curve.array_index): {
            point.co.x: point.co.y for point in curve.keyframe_points
        }
        for curve in curves
    }


def changed_frames(before: dict[Any, Any], after: dict[Any, Any]) -> list[float]:
    """Frames in which a bone has another key."""
    return sorted(
        {
            frame
            for channel, keys in after.items()
            for frame, value in keys.items()
            if channel[0].startswith("pose.bones") and before[channel].get(frame) != value
        }
    )


def report_of(rig: Any) -> Any:
    return json.loads(rig.bake.report)


def test_settings_are_those_saved() -> None:
    rig = rig_of()
    assert_has(rig.solver, SOLVER)
    assert_has(rig.bake, BAKE)
    assert_has(rig.feet, FEET)
    assert_has(bpy.context.workspace.bioik_overlay, OVERLAY)


def test_the_armature_stays_picked() -> None:
    assert bpy.context.scene.bioik.armature == bpy.data.objects[WALKER]


def test_goals_are_those_saved() -> None:
    goals = rig_of().goals
    assert [goal.name for goal in goals] == [*SOLVED, *UNSOLVED]
    for enabled, saved in ((True, SOLVED), (False, UNSOLVED)):
        for name, values in saved.items():
            assert_has(goals[name], values | {"enabled": enabled})
    assert rig_of().active_goal == 1


def test_every_type_of_goal_was_saved() -> None:
    types = {goal.type for goal in rig_of().goals}
    known = rig_of().goals[0].bl_rna.properties["type"].enum_items.keys()
    assert types <= set(known)
    assert len(types) == 19


def test_an_animated_influence_plays() -> None:
    goal = rig_of().goals["Hold it"]
    for frame, influence in INFLUENCE.items():
        bpy.context.scene.frame_set(frame)
        assert goal.influence == pytest.approx(influence)


def test_contacts_grounds_and_body_parts_are_those_saved() -> None:
    rig = rig_of()
    contacts = [
        (contact.foot, contact.point, contact.frame_start, contact.frame_end, contact.slides)
        for contact in rig.feet.contacts
    ]
    assert contacts == CONTACTS
    assert [each.object.name for each in rig.feet.grounds] == [HILLS]
    assert [(part.name, part.bone) for part in rig.slots] == list(BODY_PARTS)


def test_the_report_and_its_subject_are_those_saved() -> None:
    walker, arm = rig_of(), rig_of(ARM)
    assert report_of(walker)["frames"] == 16
    assert [goal["name"] for goal in report_of(walker)["goals"]] == list(SOLVED)
    assert report_of(arm)["goals"][0]["reached"] == ARM_LAST
    for rig, source, last in ((walker, "Walk", LAST), (arm, "ArmAction", ARM_LAST)):
        assert rig.baked.source == bpy.data.actions[source]
        assert rig.baked.result == rig.id_data.animation_data.action
        assert (rig.baked.frame_start, rig.baked.frame_end, rig.baked.run) == (FIRST, last, 1)


@pytest.mark.parametrize("name", [WALKER, ARM])
def test_every_panel_can_be_drawn(name: str) -> None:
    rig_of(name)
    shown: set[str] = set()
    for cls in panels.CLASSES:
        if issubclass(cls, bpy.types.Panel) and is_shown(cls):
            shown.update(drawn(cls).properties())
    assert shown >= SOLVER.keys() - {"seed", "population", "elites"}
    assert shown >= BAKE.keys() - {"frame_start", "frame_end"}
    assert shown >= OVERLAY.keys()
    if name == WALKER:
        assert shown >= FEET.keys() - NOT_DRAWN


@pytest.mark.parametrize("name", [WALKER, ARM])
def test_nothing_has_changed_by_opening(name: str) -> None:
    rig = rig_of(name)
    before = keys_of(rig.baked.result)
    with pytest.raises(RuntimeError, match="changed"):
        bpy.ops.bioik.rebake()
    assert keys_of(rig.baked.result) == before


def edit_contact(rig: Any) -> None:
    rig.feet.contacts[8].slides = True


def end_goal(rig: Any) -> None:
    rig.goals["Hold it"].frame_end = 20


@pytest.mark.parametrize("edit", [edit_contact, end_goal])
def test_feet_are_placed_again(edit: Any) -> None:
    rig = rig_of()
    source, before = keys_of(rig.baked.source), keys_of(rig.baked.result)
    edit(rig)
    assert bpy.ops.bioik.rebake() == {"FINISHED"}
    assert changed_frames(before, keys_of(rig.baked.result))
    assert keys_of(rig.baked.source) == source
    with pytest.raises(RuntimeError, match="changed"):
        bpy.ops.bioik.rebake()


def test_goals_are_baked_again_where_their_target_moved() -> None:
    rig = rig_of(ARM)
    before = keys_of(rig.baked.result)
    target = bpy.data.objects[REACH]
    for frame in (21, 22):
        bpy.context.scene.frame_set(frame)
        target.location.z += 0.1
        target.keyframe_insert("location", frame=frame)
    assert bpy.ops.bioik.rebake() == {"FINISHED"}
    changed = changed_frames(before, keys_of(rig.baked.result))
    assert 21.0 in changed
    assert changed[0] > 6.0
    assert all(goal["reached"] == goal["frames"] for goal in report_of(rig)["goals"])


def test_goals_can_be_baked() -> None:
    rig = rig_of(ARM)
    bpy.data.objects[REACH].delta_location.z = 0.1
    assert bpy.ops.bioik.bake() == {"FINISHED"}
    report = report_of(rig)
    assert report["frames"] == ARM_LAST - FIRST + 1  # the clip's own, also in older files
    assert report["goals"][0]["reached"] == report["frames"]
    assert rig.baked.run == 2


def test_feet_can_be_placed() -> None:
    rig = rig_of()
    rig.id_data.animation_data.action = rig.baked.source
    rig.bake.step, rig.bake.blend_out = 1, 0
    assert bpy.ops.bioik.place_feet() == {"FINISHED"}
    report = report_of(rig)
    assert report["frames"] == LAST - FIRST + 1
    assert all(foot["after"]["penetration_worst_mm"] < 5.0 for foot in report["feet"])
    assert rig.baked.run == 2


@pytest.mark.parametrize(("name", "button"), [(WALKER, "place_feet"), (ARM, "bake")])
def test_a_result_is_replaced_and_its_source_is_given_back(name: str, button: str) -> None:
    rig = rig_of(name)
    source, kept = rig.baked.source, keys_of(rig.baked.source)
    names = sorted(action.name for action in bpy.data.actions)
    assert getattr(bpy.ops.bioik, button)() == {"FINISHED"}
    assert sorted(action.name for action in bpy.data.actions) == names
    assert rig.baked.source == source
    assert keys_of(source) == kept
    assert bpy.ops.bioik.remove_result() == {"FINISHED"}
    assert rig.id_data.animation_data.action == source
    assert keys_of(source) == kept
