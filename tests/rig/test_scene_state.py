"""The scene after a block that changes all of it is the scene before."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
import pytest

from blender_bioik.rig import fcurves
from blender_bioik.rig.scene_state import SELECT_ON_POSE_BONE, preserved_scene

from .rigs import humanoid, key_randomly, pose_randomly, use_all_rotation_modes


def select_bones(rig: bpy.types.Object, names: set[str]) -> None:
    for bone in rig.pose.bones if SELECT_ON_POSE_BONE else rig.data.bones:
        bone.select = bone.name in names


def seen(rig: bpy.types.Object) -> dict[str, Any]:
    """What of the scene a user would notice."""
    scene, layer = bpy.context.scene, bpy.context.view_layer
    layer.update()
    active = layer.objects.active
    bones = rig.pose.bones if SELECT_ON_POSE_BONE else rig.data.bones
    return {
        "frame": (scene.frame_current, round(scene.frame_subframe, 6)),
        "active": active.name if active else None,
        "mode": active.mode if active else None,
        "selected": {o.name for o in layer.objects if o.select_get()},
        "bones": {bone.name for bone in bones if bone.select},
        "active bone": rig.data.bones.active.name if rig.data.bones.active else None,
        "modes": [bone.rotation_mode for bone in rig.pose.bones],
        "channels": [
            [tuple(getattr(bone, name)) for bone in rig.pose.bones]
            for name in ("location", "rotation_quaternion", "rotation_euler", "scale")
        ],
        "axis angles": [tuple(bone.rotation_axis_angle) for bone in rig.pose.bones],
        "object": (tuple(rig.location), tuple(rig.rotation_euler)),
        "tweak": bool(rig.animation_data and rig.animation_data.use_tweak_mode),
    }


def upset_everything(rig: bpy.types.Object, other: bpy.types.Object) -> None:
    bpy.context.scene.frame_set(33)
    if bpy.context.object and bpy.context.object.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="POSE")
    pose_randomly(rig, 5)
    select_bones(rig, {"head", "foot.L"})
    rig.data.bones.active = rig.data.bones["head"]
    bpy.ops.object.mode_set(mode="OBJECT")
    other.select_set(not other.select_get())
    rig.select_set(not rig.select_get())
    bpy.context.view_layer.objects.active = other
    rig.location.x += 3.0


@pytest.mark.parametrize("mode", ["OBJECT", "POSE", "EDIT"])
@pytest.mark.parametrize("fails", [True, False])
def test_scene_is_restored(mode: str, fails: bool) -> None:
    rig = humanoid()
    other = bpy.data.objects.new("Other", None)
    bpy.context.scene.collection.objects.link(other)
    use_all_rotation_modes(rig)
    key_randomly(rig, [1, 20, 40])
    bpy.context.scene.frame_set(7, subframe=0.25)
    rig.pose.bones["hips"].location.z += 0.5  # Not keyed: only the property holds it.
    select_bones(rig, {"hips", "shin.L"})
    rig.data.bones.active = rig.data.bones["hips"]
    bpy.ops.object.mode_set(mode=mode)
    before = seen(rig)

    def work() -> None:
        with preserved_scene(bpy.context, rig):
            upset_everything(rig, other)
            assert seen(rig) != before
            if fails:
                raise ZeroDivisionError

    if fails:
        with pytest.raises(ZeroDivisionError):
            work()
    else:
        work()

    assert seen(rig) == before
    matrices = [np.array(bone.matrix) for bone in rig.pose.bones]
    bpy.context.view_layer.update()
    np.testing.assert_array_equal(matrices, [np.array(bone.matrix) for bone in rig.pose.bones])


def test_nothing_active_and_no_armature() -> None:
    rig = humanoid()
    bpy.context.view_layer.objects.active = None
    rig.select_set(False)
    before = seen(rig)
    with preserved_scene(bpy.context):
        bpy.context.view_layer.objects.active = rig
        rig.select_set(True)
        bpy.ops.object.mode_set(mode="POSE")
        bpy.context.scene.frame_set(9)
    assert seen(rig) == before


def test_tweak_mode_is_entered_again() -> None:
    rig = humanoid()
    key_randomly(rig, [1, 20])
    data = rig.animation_data
    action, slot = data.action, fcurves.assigned_slot(rig)
    strip = fcurves.add_strip(data.nla_tracks.new(), "Strip", action, slot, 1, 20)
    data.action = None
    strip.select = True
    data.nla_tracks[0].select = True
    data.nla_tracks.active = data.nla_tracks[0]
    data.use_tweak_mode = True
    assert data.use_tweak_mode
    with preserved_scene(bpy.context, rig):
        data.use_tweak_mode = False
    assert data.use_tweak_mode
    assert data.action == action
