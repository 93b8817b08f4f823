"""Goals and settings in files: saved, copied, appended, linked and overridden.

Tests of: bake, baked, contact, feet, live, overlay, rig, rig_check, scene, slot, solver.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import pytest

from ..builders.files import new_file
from ..builders.libraries import link_object, load, put_in_collection, save_as_library
from ..builders.rigs import humanoid

SKIPPED = {"rna_type", "bl_system_properties_get", "active"}


def filled_rig(name: str = "Rig") -> bpy.types.Object:
    """An armature whose goals have, in every property, a value that is not the default."""
    rig = humanoid(name)
    target = bpy.data.objects.new("Target", None)
    bpy.context.scene.collection.objects.link(target)
    for number in range(3):
        goal = rig.bioik.goals.add()
        fill(goal, number, target)
    fill(rig.bioik.solver, 0, target)
    rig.bioik.solver.population, rig.bioik.solver.elites = 40, 7
    rig.bioik.active_goal = 2
    return rig


def fill(group: Any, number: int, target: bpy.types.Object) -> None:
    """Give every property of a group a value of its own."""
    for prop in group.bl_rna.properties:
        name = prop.identifier
        if name in SKIPPED:
            continue
        value: Any
        if prop.type == "POINTER":
            value = target
        elif prop.type == "STRING":
            value = f"{name} {number}"
        elif prop.type == "BOOLEAN":
            value = not prop.default
        elif prop.type == "ENUM":
            items = [item.identifier for item in prop.enum_items]
            value = items[(items.index(prop.default) + 1 + number) % len(items)]
        elif prop.type == "FLOAT" and prop.is_array:
            value = [0.25 + number + i for i in range(prop.array_length)]
        elif prop.type == "FLOAT":
            value = 0.0625 * (number + 1) if prop.hard_max <= 1.0 else 0.5 + number / 4
        else:
            value = 3 + number
        setattr(group, name, value)


def values(group: Any) -> dict[str, Any]:
    """A group's properties as plain values; objects by their names."""
    found: dict[str, Any] = {}
    for prop in group.bl_rna.properties:
        if prop.identifier in SKIPPED:
            continue
        value = getattr(group, prop.identifier)
        if prop.type == "COLLECTION":
            value = [values(item) for item in value]
        elif isinstance(value, bpy.types.ID):
            value = value.name
        elif prop.type == "POINTER" and value is not None:
            value = values(value)
        elif prop.type == "FLOAT" and prop.is_array:
            value = tuple(value)
        found[prop.identifier] = value
    return found


def only_rig() -> bpy.types.Object:
    (rig,) = (object_ for object_ in bpy.data.objects if object_.type == "ARMATURE")
    return rig


def test_the_filling_leaves_no_default() -> None:
    goal = filled_rig().bioik.goals[0]
    for prop in goal.bl_rna.properties:
        if prop.identifier not in SKIPPED:
            assert goal.is_property_set(prop.identifier), prop.identifier
            if prop.type not in ("POINTER", "STRING"):
                is_array = getattr(prop, "is_array", False)
                now = getattr(goal, prop.identifier)
                default = tuple(prop.default_array) if is_array else prop.default
                assert (tuple(now) if is_array else now) != default, prop.identifier


def test_saved_and_loaded(tmp_path: Path) -> None:
    before = values(filled_rig().bioik)
    path = str(tmp_path / "saved.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    new_file()

    bpy.ops.wm.open_mainfile(filepath=path)

    assert values(only_rig().bioik) == before
    assert only_rig().bioik.goals[0].target == bpy.data.objects["Target"]


def test_a_copy_has_settings_of_its_own() -> None:
    rig = filled_rig()
    before = values(rig.bioik)

    copy = rig.copy()

    assert values(copy.bioik) == before
    copy.bioik.goals[1].weight = 9.0
    copy.bioik.goals.remove(0)
    copy.bioik.solver.seed = 99
    assert values(rig.bioik) == before
    rig.bioik.goals.clear()
    assert len(copy.bioik.goals) == 2


def test_a_target_is_kept_while_it_is_in_use() -> None:
    rig = filled_rig()
    users = bpy.data.objects["Target"].users
    rig.bioik.goals.clear()
    assert bpy.data.objects["Target"].users == users - 3


def saved_library(folder: Path) -> Path:
    """A file with a filled rig in a collection, and nothing of it in the open file any more."""
    rig = filled_rig()
    return in_library(folder, rig, bpy.data.objects["Target"])


def in_library(folder: Path, *objects: bpy.types.Object) -> Path:
    """Save objects in a collection, and leave the file for an empty one."""
    put_in_collection(*objects)
    return save_as_library(folder / "library.blend")


def test_appended_into_another_file(tmp_path: Path) -> None:
    path = saved_library(tmp_path)
    rig = load(path, "objects", "Rig", link=False)

    filled = values(rig.bioik)
    new_file()
    assert filled == values(filled_rig().bioik)


def test_appended_goals_bring_their_target(tmp_path: Path) -> None:
    path = saved_library(tmp_path)
    target = load(path, "objects", "Rig", link=False).bioik.goals[0].target
    assert (target.name, target.library) == ("Target", None)


def overridden(path: Path) -> bpy.types.Object:
    """The library's character as an editable override in the open file."""
    scene, layer = bpy.context.scene, bpy.context.view_layer
    linked = load(path, "collections", "Character")
    scene.collection.children.link(linked)
    character = linked.override_hierarchy_create(scene, layer, do_fully_editable=True)
    return next(object_ for object_ in character.objects if object_.type == "ARMATURE")


def overridden_rig() -> bpy.types.Object:
    return next(o for o in bpy.data.objects if o.override_library and o.type == "ARMATURE")


def test_linked_goals_can_be_read(tmp_path: Path) -> None:
    path = saved_library(tmp_path)
    goals = load(path, "objects", "Rig").bioik.goals
    assert len(goals) == 3
    assert goals[1].bone == "bone 1"


def test_edits_on_an_override_are_saved_with_it(tmp_path: Path) -> None:
    rig = overridden(saved_library(tmp_path))
    before = values(rig.bioik)
    assert len(before["goals"]) == 3
    goal = rig.bioik.goals[1]
    goal.weight, goal.enabled, goal.bone, goal.point = 2.5, True, "head", (1.0, 2.0, 3.0)
    goal.name = "renamed"  # which would make Blender forget the rest
    assert goal.name == "name 1"
    rig.bioik.solver.seed = 123
    rig.bioik.solver.strategy = "LOCAL"
    wanted = values(rig.bioik)
    path = str(tmp_path / "shot.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)

    bpy.ops.wm.open_mainfile(filepath=path)

    assert values(overridden_rig().bioik) == wanted


@pytest.mark.parametrize("names", [("added",), ("", "", ""), ("same", "same", "name 1")])
def test_goals_added_to_an_override_are_saved_with_it(
    tmp_path: Path, names: tuple[str, ...]
) -> None:
    rig = overridden(saved_library(tmp_path))
    for number, name in enumerate(names):
        goal = rig.bioik.goals.add()
        goal.name, goal.type, goal.bone, goal.weight = name, "LOOK_AT", "head", 4.0 + number
        goal.target = next(o for o in bpy.data.objects if o.type == "EMPTY" and not o.library)
    rig.bioik.goals[0].weight = 0.75
    path = str(tmp_path / "shot.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    wanted = values(rig.bioik)  # after saving, which gives names
    assert len(wanted["goals"]) == 3 + len(names)

    bpy.ops.wm.open_mainfile(filepath=path)

    assert values(overridden_rig().bioik) == wanted


def test_unnamed_goals_of_a_library_can_be_edited_on_an_override(tmp_path: Path) -> None:
    rig = humanoid()
    for weight in (1.0, 2.0, 3.0):
        goal = rig.bioik.goals.add()
        goal.bone, goal.weight = "head", weight
    rig = overridden(in_library(tmp_path, rig))
    assert [goal.name for goal in rig.bioik.goals] == [
        *("head Position", "head Position.001", "head Position.002")
    ]
    rig.bioik.goals[1].weight = 7.0
    rig.bioik.goals.add().weight = 8.0
    rig.bioik.goals.add().weight = 9.0
    path = str(tmp_path / "shot.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)

    bpy.ops.wm.open_mainfile(filepath=path)

    assert [goal.weight for goal in overridden_rig().bioik.goals] == [1.0, 7.0, 3.0, 8.0, 9.0]


def test_a_bake_on_an_override_is_saved_with_it(tmp_path: Path) -> None:
    rig = overridden(saved_library(tmp_path))
    for goal in rig.bioik.goals:
        goal.enabled = False
    goal = rig.bioik.goals.add()
    goal.name, goal.bone, goal.head_tail, goal.point = "hand", "forearm.L", 1.0, (0.4, -0.3, 1.5)
    rig.bioik.solver.elites, rig.bioik.solver.population = 6, 12
    rig.bioik.solver.scope = "CHAINS"
    rig.pose.bones["forearm.L"].constraints.new("COPY_SCALE").target = goal.target
    rig.pose.bones["hips"].keyframe_insert("location", frame=1)
    bpy.context.view_layer.objects.active = rig
    assert bpy.ops.bioik.bake(frame_start=1, frame_end=3) == {"FINISHED"}
    path = str(tmp_path / "shot.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)

    bpy.ops.wm.open_mainfile(filepath=path)

    rig = overridden_rig()
    bpy.context.scene.frame_set(2)
    hand = rig.matrix_world @ rig.pose.bones["forearm.L"].tail
    assert list(hand) == pytest.approx([0.4, -0.3, 1.5], abs=2e-4)


def test_a_linked_rig_cannot_be_baked(tmp_path: Path) -> None:
    link_object(saved_library(tmp_path), "Rig")
    assert not bpy.ops.bioik.bake.poll()


def test_a_constraint_muted_on_an_override_stays_muted(tmp_path: Path) -> None:
    rig = filled_rig()
    target = bpy.data.objects["Target"]
    rig.pose.bones["shin.L"].constraints.new("IK").target = target
    library = in_library(tmp_path, rig, target)
    overridden(library).pose.bones["shin.L"].constraints["IK"].mute = True
    path = str(tmp_path / "shot.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)

    bpy.ops.wm.open_mainfile(filepath=path)

    assert overridden_rig().pose.bones["shin.L"].constraints["IK"].mute
