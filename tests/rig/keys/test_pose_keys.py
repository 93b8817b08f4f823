"""Keys of the shown pose: at the frame, of the requested channels, and no others."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from blender_bioik.rig.blender import fcurves
from blender_bioik.rig.blender.pose_channels import COLUMNS, read_channels
from blender_bioik.rig.errors import RigError
from blender_bioik.rig.keys.pose_keys import key_shown

from ...builders.rigs import humanoid

HEAD = 'pose.bones["head"]'


def channels(rig: bpy.types.Object, *bones: str, of: str = "location") -> np.ndarray:
    """Flags (n, 17) of one property of some bones."""
    found = np.zeros(read_channels(rig).shape, bool)
    for bone in bones:
        found[rig.pose.bones.find(bone), COLUMNS[of]] = True
    return found


def keyed(rig: bpy.types.Object) -> dict[tuple[str, int], list[float]]:
    """Frames of the keys by channel."""
    container = fcurves.assigned_container(rig)
    curves = fcurves.curves_by_channel(container)
    return {channel: fcurves.key_frames(curve).tolist() for channel, curve in curves.items()}


def test_keys_are_set_at_the_frame_and_of_that_property_alone() -> None:
    rig = humanoid()
    bpy.context.scene.frame_set(7)
    assert key_shown(bpy.context.scene, rig, channels(rig, "head", "hips")) == 2
    assert keyed(rig) == {
        (f'pose.bones["{bone}"].location', index): [7.0]
        for bone in ("head", "hips")
        for index in range(3)
    }


def test_locked_and_driven_channels_are_left_out() -> None:
    rig = humanoid()
    head = rig.pose.bones["head"]
    head.lock_location[0] = True
    head.driver_add("location", 2)
    assert key_shown(bpy.context.scene, rig, channels(rig, "head")) == 1
    assert list(keyed(rig)) == [(f"{HEAD}.location", 1)]


def test_a_locked_curve_is_refused_and_nothing_is_keyed() -> None:
    rig = humanoid()
    rig.pose.bones["head"].keyframe_insert("location", frame=1)
    container = fcurves.assigned_container(rig)
    assert container is not None
    container.fcurves[1].lock = True
    bpy.context.scene.frame_set(5)
    before = keyed(rig)
    with pytest.raises(RigError, match='An F-curve of "head" is locked'):
        key_shown(bpy.context.scene, rig, channels(rig, "hips", "head"))
    assert keyed(rig) == before
