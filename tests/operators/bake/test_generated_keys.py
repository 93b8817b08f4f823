"""The operator `bioik.delete_generated_keys`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import pytest

from blender_bioik.rig.blender import fcurves

from ...builders.bakes import tweaked_strip
from ...builders.libraries import link_own_action
from ...builders.rigs import humanoid, key_randomly
from ...builders.snapshots import data_of, differences, file_data


def baked(output: str = "NEW_ACTION") -> bpy.types.Object:
    """A person keyed at a few frames, without keys of the left arm, and a bake of that arm."""
    rig = humanoid()
    key_randomly(rig, [1, 15, 40], scaled=False)
    container = fcurves.assigned_container(rig)
    assert container is not None
    for curve in list(container.fcurves):
        if "arm.L" in curve.data_path:
            container.fcurves.remove(curve)
    goal = rig.bioik.goals.add()
    goal.type, goal.bone, goal.head_tail, goal.point = (
        "POSITION",
        "forearm.L",
        1.0,
        (0.4, -0.3, 1.5),
    )
    bpy.ops.bioik.bake(frame_start=10, frame_end=20, output=output)
    return rig


def keys(rig: bpy.types.Object) -> dict[tuple[str, int], list[tuple[float, str]]]:
    """Frames and types of the active action's keys, by channel."""
    container = fcurves.assigned_container(rig)
    assert container is not None
    return {
        (curve.data_path, curve.array_index): [(k.co.x, k.type) for k in curve.keyframe_points]
        for curve in container.fcurves
    }


def test_only_generated_keys_in_the_range_go_and_the_sources_come_back() -> None:
    rig = baked()
    before, source = keys(rig), rig.bioik.baked.source
    slot = fcurves.matching_slot(source, fcurves.assigned_slot(rig))
    of_source = fcurves.curves_by_channel(fcurves.container_of(source, slot))

    assert bpy.ops.bioik.delete_generated_keys(frame_start=12, frame_end=18) == {"FINISHED"}

    wanted = {
        channel: [(f, kind) for f, kind in row if kind != "GENERATED" or not 12 <= f <= 18]
        for channel, row in before.items()
    }
    for channel, row in wanted.items():
        if channel in of_source and (15.0, "KEYFRAME") not in row:
            row.append((15.0, "KEYFRAME"))
            row.sort()
    assert keys(rig) == wanted
    assert keys(rig) != before


def test_f_curves_left_without_keys_go_too() -> None:
    rig = baked()
    assert any("arm.L" in path for path, _ in keys(rig))

    bpy.ops.bioik.delete_generated_keys(range="ACTION")

    assert not any("arm.L" in path for path, _ in keys(rig))
    assert {kind for row in keys(rig).values() for _, kind in row} == {"KEYFRAME"}
    assert all(keys(rig).values())


def test_other_actions_stay() -> None:
    rig = baked()
    source = next(a for a in bpy.data.actions if a != rig.animation_data.action)
    before = data_of(source)
    bpy.ops.bioik.delete_generated_keys(frame_start=12, frame_end=18)
    assert differences(before, data_of(source)) == []


def test_the_scenes_frames() -> None:
    rig = baked()
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 15
    bpy.ops.bioik.delete_generated_keys(range="SCENE")
    frames = {f for row in keys(rig).values() for f, kind in row if kind == "GENERATED"}
    assert frames == set(range(16, 21))


def test_without_generated_keys_it_is_cancelled_and_nothing_changes() -> None:
    baked()
    before = file_data()
    assert bpy.ops.bioik.delete_generated_keys(frame_start=30, frame_end=50) == {"CANCELLED"}
    assert differences(before, file_data()) == []


def test_one_undo_brings_them_back() -> None:
    baked()
    before = file_data()
    bpy.ops.ed.undo_push(message="Before")
    bpy.ops.bioik.delete_generated_keys("EXEC_DEFAULT", True, range="ACTION")
    bpy.ops.ed.undo()
    assert differences(before, file_data()) == []


def no_action(rig: bpy.types.Object, _folder: Path) -> None:
    rig.animation_data_clear()


def linked_action(rig: bpy.types.Object, folder: Path) -> None:
    link_own_action(rig, folder / "library.blend")


def tweak_mode(rig: bpy.types.Object, _folder: Path) -> None:
    tweaked_strip(rig)


@pytest.mark.parametrize("spoil", [no_action, linked_action, tweak_mode])
def test_it_cannot_be_called(spoil: Any, tmp_path: Path) -> None:
    rig = baked()
    assert bpy.ops.bioik.delete_generated_keys.poll()
    spoil(rig, tmp_path)
    assert not bpy.ops.bioik.delete_generated_keys.poll()
