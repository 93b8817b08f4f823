"""The scene is restored after a block that changes it."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
import pytest

from blender_bioik.rig.blender.scene_state import SELECT_ON_POSE_BONE, preserved_frame

from ...builders.rigs import (
    humanoid,
    key_randomly,
    pose_randomly,
    use_all_rotation_modes,
)


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


def upset_everything(rig: bpy.types.Object) -> None:
    """Change all that evaluating other frames could."""
    bpy.context.scene.frame_set(33)
    pose_randomly(rig, 5)
    rig.location.x += 3.0


@pytest.mark.parametrize("mode", ["OBJECT", "POSE", "EDIT"])
@pytest.mark.parametrize("fails", [True, False])
def test_the_frame_and_the_pose_are_restored(mode: str, fails: bool) -> None:
    rig = humanoid()
    use_all_rotation_modes(rig)
    key_randomly(rig, [1, 20, 40])
    bpy.context.scene.frame_set(7, subframe=0.25)
    rig.pose.bones["hips"].location.z += 0.5  # Not keyed: only the property holds it.
    select_bones(rig, {"hips", "shin.L"})
    bpy.ops.object.mode_set(mode=mode)
    before = seen(rig)

    def work() -> None:
        with preserved_frame(bpy.context.scene, [rig]):
            upset_everything(rig)
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
