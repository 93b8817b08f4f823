"""The pose that an armature shows: its evaluated bones, and the channels that are tried on it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import bpy
import numpy as np
from mathutils import Quaternion

from ..clip.curve_only import rotation_property
from ..clip.sampling import evaluated_depsgraph
from ..clip.skeleton import Skeleton, bone_channels_at, bone_matrix_at, inverse_matrix
from ..keys.keys import channel_locks
from ..transforms import Floats, decompose


class Channels(NamedTuple):
    """Channels of a bone: location (3,), unit quaternion (4,), scale (3,)."""

    location: Floats
    rotation: Floats
    scale: Floats


class ShownPose:
    """An armature at a frame: what Blender evaluates for channels that are tried.

    Matrices of bones are in armature space. Setting a bone moves its children along until the rig
    is evaluated again.

    Attributes:
        pose: Matrices of all bones; (n, 4, 4).
    """

    def __init__(
        self,
        scene: bpy.types.Scene,
        armature_object: bpy.types.Object,
        skeleton: Skeleton,
        unlocked: Iterable[str],
    ) -> None:
        """Begin.

        Args:
            scene: The scene of the frames.
            armature_object: The armature.
            skeleton: Its bones.
            unlocked: Bones whose locked channels are set too.
        """
        self._scene, self._rig, self._skeleton = scene, armature_object, skeleton
        names = [bone.name for bone in armature_object.pose.bones]
        self._order = np.array([names.index(name) for name in skeleton.names], np.intp)
        self._read = np.empty(16 * len(names), np.float32)
        self._unlocked = frozenset(unlocked)
        self._constrained = {
            bone.name for bone in armature_object.pose.bones if _is_constrained(bone)
        }
        self._below: dict[int, list[int]] = {}
        self.pose: Floats = np.empty((len(names), 4, 4))

    def go_to(self, frame: float) -> None:
        """Show a frame as it is animated."""
        whole = int(np.floor(frame))
        self._scene.frame_set(whole, subframe=float(frame - whole))
        self._take()

    def evaluate(self) -> None:
        """Evaluate the channels that were set."""
        # Only the pose: animation would overwrite channels.
        self._rig.update_tag(refresh={"DATA"})
        self._take()

    def matrix(self, bone: str) -> Floats:
        """Matrix of a bone; (4, 4)."""
        return np.asarray(self.pose[self._skeleton.index[bone]])

    def set_channels(self, bone: str, channels: Channels) -> None:
        """Give a bone these channels."""
        target = self._rig.pose.bones[bone]
        target.location, target.scale = channels.location, channels.scale
        rotation = _rotation(target, channels.rotation)
        setattr(target, rotation_property(target.rotation_mode), rotation)

    def put(
        self, bone: str, matrix: Floats, *, moves: bool, turns: bool, sizes: bool = False
    ) -> Channels:
        """Give a bone the channels that bring it to a matrix, as far as it may.

        Args:
            bone: Name of the bone.
            matrix: Where it has to be; (4, 4).
            moves: Whether its location changes.
            turns: Whether its rotation changes.
            sizes: Whether its scale changes.

        Returns:
            The channels.
        """
        b, target = self._skeleton.index[bone], self._rig.pose.bones[bone]
        wanted = matrix
        if bone in self._constrained:
            own = np.array(target.matrix_basis, float)
            unconstrained = bone_matrix_at(self._skeleton, b, self.pose, own)
            wanted = inverse_matrix(self.pose[b] @ inverse_matrix(unconstrained)) @ matrix
        channels = bone_channels_at(self._skeleton, b, self.pose, wanted)
        location, rotation, scale = decompose(channels)
        if moves:
            self._set(target, "location", location)
        if turns:
            name = rotation_property(target.rotation_mode)
            self._set(target, name, _rotation(target, rotation))
        if sizes:
            self._set(target, "scale", scale)
        self._carry(b, matrix)
        found = target.location, target.matrix_basis.to_quaternion(), target.scale
        return Channels(*(np.array(values, float) for values in found))

    def _set(self, bone: bpy.types.PoseBone, name: str, values: Iterable[float]) -> None:
        """Set the channels of a property, except for locked ones."""
        locks = channel_locks(bone, name)
        own = getattr(bone, name)
        for k, value in enumerate(values):
            if not locks[k] or bone.name in self._unlocked:
                own[k] = value

    def _carry(self, b: int, matrix: Floats) -> None:
        """Move a bone and those below it."""
        below = self._below.get(b)
        if below is None:
            below = self._below[b] = _below(self._skeleton, b)
        moved = matrix @ inverse_matrix(self.pose[b])
        self.pose[below] = moved @ self.pose[below]

    def _take(self) -> None:
        rig = self._rig.evaluated_get(evaluated_depsgraph(self._scene))
        rig.pose.bones.foreach_get("matrix", self._read)
        matrices = self._read.astype(float).reshape(-1, 4, 4).swapaxes(-1, -2)
        self.pose = np.ascontiguousarray(matrices[self._order])


def _is_constrained(bone: bpy.types.PoseBone) -> bool:
    """Whether constraints of a bone, other than IK, move it from its channels."""
    return any(not c.mute and c.type not in ("IK", "SPLINE_IK") for c in bone.constraints)


def _below(skeleton: Skeleton, b: int) -> list[int]:
    """A bone and all bones below it."""
    found = {b}
    for i in range(b + 1, len(skeleton)):
        if int(skeleton.parent[i]) in found:
            found.add(i)
    return sorted(found)


def _rotation(bone: bpy.types.PoseBone, quaternion: Floats) -> tuple[float, ...]:
    """Rotation channels of a bone in its own mode."""
    turn = Quaternion(quaternion)
    if bone.rotation_mode == "QUATERNION":
        return tuple(turn)
    if bone.rotation_mode == "AXIS_ANGLE":
        axis, angle = turn.to_axis_angle()
        return (angle, *axis)
    return tuple(turn.to_euler(bone.rotation_mode, bone.rotation_euler))
