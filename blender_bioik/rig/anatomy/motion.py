"""How bones move in the clip that an armature plays, read from its F-curves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import NDArray

from ..blender.fcurves import assigned_container
from ..clip.curve_only import plain_reason
from ..clip.sampling import plain_clip
from ..clip.skeleton import read_skeleton
from ..errors import RigError

Floats = NDArray[np.float64]

# Frames that are looked at: a few in each step of a walk of some strides.
_FRAMES = 32


@dataclass(frozen=True, eq=False)
class Motion:
    """What moves points of the rest pose, in armature space, to where they are in the world.

    Attributes:
        carry: By frame and bone; (f, n, 4, 4).
    """

    carry: Floats

    def path(self, bone: int, point: Floats) -> Floats:
        """Where a point of the rest pose goes with a bone; (f, 3)."""
        return np.asarray(self.carry[:, bone, :3, :3] @ point + self.carry[:, bone, :3, 3])

    def upward(self, bone: int) -> Floats:
        """What is up for a bone in the rest pose, as it is on average in the clip; (3,)."""
        turns = self.carry[:, bone, :3, :3]
        up = turns[:, 2, :] / np.linalg.norm(turns[:, 2, :], axis=-1, keepdims=True)
        return np.asarray(up.mean(axis=0))

    def only(self, bones: Sequence[int]) -> Motion:
        """The motion of some bones."""
        return Motion(self.carry[:, list(bones)])


def read_motion(armature_object: bpy.types.Object, names: Sequence[str]) -> Motion | None:
    """The motion of bones, by their names; None if nothing moves or keys do not say how."""
    action = _played(armature_object)
    if action is None or plain_reason(armature_object) is not None:
        return None
    try:
        skeleton = read_skeleton(armature_object)
    except RigError:
        return None
    first, last = action.frame_range
    frames = np.linspace(first, last, _FRAMES) if last > first else np.array([first])
    clip = plain_clip(skeleton, armature_object, frames)
    with np.errstate(all="ignore"):
        carry = clip.world[:, None] @ clip.pose @ skeleton.inverse_rest
    if not np.isfinite(carry).all() or (carry[..., 2, :3] == 0.0).all(axis=-1).any():
        return None
    return Motion(carry[:, [skeleton.index[name] for name in names]])


def _played(armature_object: bpy.types.Object) -> bpy.types.Action | None:
    """The action of an armature, if it moves bones."""
    data = armature_object.animation_data
    container = assigned_container(armature_object) if data is not None else None
    if container is None or not any(c.data_path.startswith("pose.") for c in container.fcurves):
        return None
    return data.action
