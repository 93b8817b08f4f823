"""Keys for a pose that is shown: those an animator would set by hand, and no generated ones."""

from __future__ import annotations

import bpy
import numpy as np
from numpy.typing import NDArray

from ..blender import fcurves
from ..blender.pose_channels import COLUMNS
from ..clip.curve_only import bone_path
from ..errors import RigError
from .keys import channel_locks, driven_channels


def key_shown(
    scene: bpy.types.Scene, armature: bpy.types.Object, channels: NDArray[np.bool_]
) -> int:
    """Key channels (n, 17) of the pose at the current frame; how many bones got keys.

    Locked and driven channels are left out.

    Raises:
        RigError: A key cannot be set; nothing has been changed.
    """
    driven = driven_channels(armature)
    wanted = [
        (bone, name, index)
        for row, bone in enumerate(armature.pose.bones)
        for name, columns in COLUMNS.items()
        if channels[row, columns].any()
        for index, locked in enumerate(channel_locks(bone, name))
        if not locked and (f"{bone_path(bone.name)}.{name}", index) not in driven
    ]
    _refuse_unkeyable(armature, [(bone.name, name, index) for bone, name, index in wanted])
    for bone, name, index in wanted:
        bone.keyframe_insert(name, index=index, frame=scene.frame_current_final, group=bone.name)
    return len({bone.name for bone, _, _ in wanted})


def _refuse_unkeyable(armature: bpy.types.Object, wanted: list[tuple[str, str, int]]) -> None:
    data = armature.animation_data
    if data is not None and data.action is not None and data.action.library is not None:
        raise RigError(
            f'The action "{data.action.name}" is linked from "{data.action.library.filepath}": '
            "make it local first."
        )
    curves = fcurves.curves_by_channel(fcurves.assigned_container(armature))
    for bone, name, index in wanted:
        curve = curves.get((f"{bone_path(bone)}.{name}", index))
        if curve is not None and (curve.lock or (curve.group is not None and curve.group.lock)):
            raise RigError(f'An F-curve of "{bone}" is locked: unlock it first.')
