"""The bones of an armature as arrays, and Blender's forward kinematics over many frames at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import NamedTuple

import bpy
import numpy as np
from numpy.typing import NDArray

from ..errors import RigError
from ..transforms import Floats, cross_product, matrix_from_channels

# Blender leaves two axes as they are when the cosine between them is below this, or is one.
SHEAR_COSINE = 1e-4
PARALLEL_COSINE = 1.0 - 2.0**-23
# Axes that span less than this part of their box are taken to lie in a plane.
FLAT = 1e-12


@dataclass(frozen=True, eq=False)
class Skeleton:
    """Bones, every parent before its children.

    Attributes:
        names: Names of the n bones.
        parent: Index of each bone's parent, -1 for a root; (n,).
        rest: Rest matrices in armature space, `Bone.matrix_local`; (n, 4, 4).
        length: Rest lengths in the armature's units; (n,).
        connected: Whether the head sticks to the parent's tail, so that locations do nothing; (n,).
        inherit_rotation: Whether the parent's rotation is followed; (n,).
        local_location: Whether locations are along the bone's own axes; (n,).
        inherit_scale: Blender's name of how the parent's scale is followed.
        rotation_mode: Blender's name of each pose bone's rotation mode.
    """

    names: tuple[str, ...]
    parent: NDArray[np.intp]
    rest: Floats
    length: Floats
    connected: NDArray[np.bool_]
    inherit_rotation: NDArray[np.bool_]
    local_location: NDArray[np.bool_]
    inherit_scale: tuple[str, ...]
    rotation_mode: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.names)

    def equals(self, other: Skeleton) -> bool:
        """Whether the other one has the same bones, number for number."""
        return all(
            np.array_equal(getattr(self, field.name), getattr(other, field.name))
            for field in fields(self)
        )

    @cached_property
    def inverse_rest(self) -> Floats:
        """Inverse rest matrices; (n, 4, 4)."""
        return np.asarray(np.linalg.inv(self.rest), float)

    @cached_property
    def index(self) -> dict[str, int]:
        """Index of each bone by its name."""
        return {name: i for i, name in enumerate(self.names)}

    @cached_property
    def offset(self) -> Floats:
        """Rest matrices relative to the parent's, those of roots as they are; (n, 4, 4)."""
        offset = self.rest.copy()
        child = self.parent >= 0
        offset[child] = self.inverse_rest[self.parent[child]] @ self.rest[child]
        return offset

    @cached_property
    def height(self) -> float:
        """Longest side of the box around the rest pose's heads and tails, in armature space."""
        if not len(self):
            return 0.0
        heads = self.rest[:, :3, 3]
        tails = heads + self.rest[:, :3, 1] * self.length[:, None]
        return float(np.ptp(np.concatenate([heads, tails]), axis=0).max())

    @cached_property
    def groups(self) -> list[NDArray[np.intp]]:
        """Bones that inherit from their parents in the same way."""
        return _groups(self, np.arange(len(self)))

    @cached_property
    def generations(self) -> list[list[NDArray[np.intp]]]:
        """Groups of bones with as many ancestors: first the roots, then their children, and so on.

        The bones of a group inherit from their parents in the same way.
        """
        depth = np.zeros(len(self), int)
        for i, parent in enumerate(self.parent):
            depth[i] = depth[parent] + 1 if parent >= 0 else 0
        last = depth.max(initial=-1)
        return [_groups(self, np.flatnonzero(depth == d)) for d in range(last + 1)]


def read_skeleton(armature_object: bpy.types.Object) -> Skeleton:
    """Read the bones of an armature object.

    Raises:
        RigError: The object is no armature, has no pose yet, or is in edit mode, where bones are
            stale.
    """
    if armature_object.type != "ARMATURE":
        raise RigError(f'"{armature_object.name}" is not an armature: choose an armature object.')
    if armature_object.mode == "EDIT":
        raise RigError(f'"{armature_object.name}" is in Edit Mode: exit Edit Mode first.')
    listed = list(armature_object.data.bones)
    if listed and armature_object.pose is None:
        raise RigError(f'"{armature_object.name}" has no pose yet: add it to a scene first.')
    order = _parents_first(listed)
    bones = [listed[i] for i in order]
    index = {bone.name: i for i, bone in enumerate(bones)}
    rest = np.empty(16 * len(listed), np.float32)
    armature_object.data.bones.foreach_get("matrix_local", rest)
    return Skeleton(
        names=tuple(index),
        parent=np.array([index[b.parent.name] if b.parent else -1 for b in bones], np.intp),
        rest=rest.reshape(-1, 4, 4).swapaxes(-1, -2)[order].astype(float),
        length=np.array([b.length for b in bones], float),
        connected=np.array([b.use_connect and b.parent is not None for b in bones], bool),
        inherit_rotation=np.array([b.use_inherit_rotation for b in bones], bool),
        local_location=np.array([b.use_local_location for b in bones], bool),
        inherit_scale=tuple(b.inherit_scale for b in bones),
        rotation_mode=tuple(armature_object.pose.bones[b.name].rotation_mode for b in bones),
    )


def pose_matrices(skeleton: Skeleton, basis: Floats) -> Floats:
    """Matrices of posed bones in armature space, as Blender computes them without constraints.

    Args:
        skeleton: The bones.
        basis: Matrices of the bones' own location, rotation and scale channels; (..., n, 4, 4). The
            location of a connected bone is ignored, as Blender does.

    Returns:
        Pose matrices, of the shape of `basis`.
    """
    basis = np.asarray(basis, float)
    pose = np.zeros_like(basis)
    pose[..., 3, 3] = 1.0
    for groups in skeleton.generations:
        for group in groups:
            frame = _parent_frame(skeleton, group, pose)
            own = basis[..., group, :3, :3]
            location = np.where(skeleton.connected[group][:, None], 0.0, _locations(basis, group))
            pose[..., group, :3, :3] = frame.turn @ own * frame.stretch[..., None, :]
            pose[..., :3, 3][..., group, :] = frame.head + np.einsum(
                "...ij,...j->...i", frame.axes, location
            )
    return pose


def basis_matrices(skeleton: Skeleton, pose: Floats) -> Floats:
    """Inverse of `pose_matrices`: the channels' matrices that give these poses; (..., n, 4, 4).

    The location of a connected bone is given too, where the pose tears it from its parent.
    """
    pose = np.asarray(pose, float)
    basis = np.zeros_like(pose)
    basis[..., 3, 3] = 1.0
    for group in skeleton.groups:
        frame = _parent_frame(skeleton, group, pose)
        unstretched = (
            pose[..., group, :3, :3]
            / np.where(frame.stretch == 0.0, 1.0, frame.stretch)[..., None, :]
        )
        unturn = _inverse(frame.turn)
        unaxes = unturn if frame.axes is frame.turn else _inverse(frame.axes)
        basis[..., group, :3, :3] = unturn @ unstretched
        basis[..., :3, 3][..., group, :] = np.einsum(
            "...ij,...j->...i", unaxes, _locations(pose, group) - frame.head
        )
    return basis


def inverse_matrix(matrix: Floats) -> Floats:
    """Inverse of a matrix (4, 4) of a bone; numpy's own takes ten times as long."""
    axes = _inverse(matrix[None, :3, :3])[0]
    inverse = np.eye(4)
    inverse[:3, :3], inverse[:3, 3] = axes, -axes @ matrix[:3, 3]
    return inverse


def bone_channels_at(skeleton: Skeleton, bone: int, pose: Floats, matrix: Floats) -> Floats:
    """Matrix of the channels that give a bone a matrix (4, 4) where its parent has a pose.

    Args:
        skeleton: The bones.
        bone: Index of the bone.
        pose: Pose matrices of all bones in one frame; (n, 4, 4).
        matrix: The bone's wanted pose matrix.
    """
    frame = _parent_frame(skeleton, np.array([bone], np.intp), pose)
    stretch = np.where(frame.stretch[0] == 0.0, 1.0, frame.stretch[0])
    basis = np.eye(4)
    basis[:3, :3] = _inverse(frame.turn)[0] @ (matrix[:3, :3] / stretch[None, :])
    basis[:3, 3] = _inverse(frame.axes)[0] @ (matrix[:3, 3] - frame.head[0])
    return basis


def bone_matrix_at(skeleton: Skeleton, bone: int, pose: Floats, channels: Floats) -> Floats:
    """Inverse of `bone_channels_at`: the pose matrix (4, 4) that channels give a bone."""
    frame = _parent_frame(skeleton, np.array([bone], np.intp), pose)
    location = np.zeros(3) if skeleton.connected[bone] else channels[:3, 3]
    matrix = np.eye(4)
    matrix[:3, :3] = frame.turn[0] @ channels[:3, :3] * frame.stretch[0][None, :]
    matrix[:3, 3] = frame.head[0] + frame.axes[0] @ location
    return matrix


def replaced_pose(
    skeleton: Skeleton, pose: Floats, bones: Sequence[int], channels: Iterable[Floats]
) -> Floats:
    """Poses with changed channels of some bones; their children follow.

    Args:
        skeleton: The bones.
        pose: Pose matrices of all bones; (f, n, 4, 4).
        bones: Indices of some of them.
        channels: Locations, rotations and scales of these; (f, bones, 3 or 4).
    """
    basis = basis_matrices(skeleton, pose)
    basis[:, bones] = matrix_from_channels(*channels)
    return pose_matrices(skeleton, basis)


def location_axes(skeleton: Skeleton, bone: int, pose: Floats) -> Floats:
    """Axes (..., 3, 3) in armature space that a bone's location channels count along, with scale.

    Args:
        skeleton: The bones.
        bone: Index of the bone.
        pose: Pose matrices of all bones; (..., n, 4, 4).
    """
    return _parent_frame(skeleton, np.array([bone], np.intp), pose).axes[..., 0, :, :]


class _ParentFrame(NamedTuple):
    """Inherited frames of bones: pose = turn @ basis * stretch, head = head + axes @ location."""

    turn: Floats
    axes: Floats
    head: Floats
    stretch: Floats


def _parents_first(bones: list[bpy.types.Bone]) -> list[int]:
    """Indices of bones, those with fewer ancestors first."""
    depth: dict[str, int] = {}
    for bone in bones:  # Blender lists every bone after its parent, but branch by branch
        depth[bone.name] = depth[bone.parent.name] + 1 if bone.parent else 0
    depths = list(depth.values())
    return sorted(range(len(bones)), key=depths.__getitem__)


def _groups(skeleton: Skeleton, bones: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    """Bones that inherit from their parents in the same way."""
    groups: dict[tuple[bool, bool, bool, str], list[int]] = {}
    for i in bones:
        key = (
            bool(skeleton.parent[i] < 0),
            bool(skeleton.inherit_rotation[i]),
            bool(skeleton.local_location[i]),
            skeleton.inherit_scale[i],
        )
        groups.setdefault(key, []).append(int(i))
    return [np.array(group, np.intp) for group in groups.values()]


def _parent_frame(skeleton: Skeleton, group: NDArray[np.intp], pose: Floats) -> _ParentFrame:
    """The frames that a group of bones hangs in, given at least its parents' poses."""
    first = group[0]
    offset = skeleton.offset[group]
    shape = pose.shape[:-3]
    unit_stretch = np.ones((*shape, len(group), 3))
    if skeleton.parent[first] < 0:
        turn = np.broadcast_to(offset[:, :3, :3], (*shape, len(group), 3, 3))
        axes = turn if skeleton.local_location[first] else np.broadcast_to(np.eye(3), turn.shape)
        head = np.broadcast_to(offset[:, :3, 3], unit_stretch.shape)
        return _ParentFrame(turn, axes, head, unit_stretch)
    parent = skeleton.parent[group]
    posed = pose[..., parent, :3, :3]
    head = _locations(pose, parent) + np.einsum("...ij,...j->...i", posed, offset[:, :3, 3])
    whole = posed @ offset[:, :3, :3]
    axes = whole if skeleton.local_location[first] else posed
    mode = skeleton.inherit_scale[first]
    if skeleton.inherit_rotation[first]:
        if mode == "FULL":
            return _ParentFrame(whole, axes, head, unit_stretch)
        followed, stretch = _following_parent(posed, mode)
    else:
        followed, stretch = _following_rest(skeleton.rest[parent, :3, :3], posed, mode)
    turn = followed @ offset[:, :3, :3]
    if mode == "FIX_SHEAR":
        turn = _unsheared(turn)
    return _ParentFrame(turn, axes, head, unit_stretch if stretch is None else stretch)


def _following_parent(posed: Floats, mode: str) -> tuple[Floats, Floats | None]:
    """The parent's axes for a bone that follows its rotation, and the stretch of an aligned one."""
    if mode == "FIX_SHEAR":
        return posed, None
    if mode == "NONE_LEGACY":
        return _normalized(posed), None
    straight = _unsheared(posed)
    if mode == "ALIGNED":
        return _normalized(straight), _size(straight)
    if mode == "AVERAGE":
        return _normalized(straight) * _average_scale(posed), None
    return _normalized(straight), None


def _following_rest(rest: Floats, posed: Floats, mode: str) -> tuple[Floats, Floats | None]:
    """The parent's rest axes with its scale, for a bone that does not follow its rotation."""
    if mode == "FULL":
        return rest * _size(posed)[..., None, :], None
    if mode == "FIX_SHEAR":
        return rest * _unsheared_size(posed)[..., None, :], None
    if mode == "AVERAGE":
        return rest * _average_scale(posed), None
    still = np.broadcast_to(rest, posed.shape)
    return still, _unsheared_size(posed) if mode == "ALIGNED" else None


def _unsheared(matrix: Floats) -> Floats:
    """Matrices (..., 3, 3) with right angles between their axes and the same volume.

    The y axis is kept; x and z move into the plane across it, then rotate there by equal angles.
    """
    x, y, z = (matrix[..., :, i] for i in range(3))
    square = np.sum(y * y, axis=-1, keepdims=True)
    along = y / np.where(square == 0.0, 1.0, square)
    x = x - along * np.sum(x * y, axis=-1, keepdims=True)
    z = z - along * np.sum(z * y, axis=-1, keepdims=True)
    x_length, z_length = (np.linalg.norm(v, axis=-1, keepdims=True) for v in (x, z))
    x_unit, z_unit = (v / np.where(n == 0.0, 1.0, n) for v, n in ((x, x_length), (z, z_length)))
    cosine = np.sum(x_unit * z_unit, axis=-1, keepdims=True)
    sheared = (np.abs(cosine) > SHEAR_COSINE) & (np.abs(cosine) < PARALLEL_COSINE)
    # The two bisectors of the angle between the axes are at right angles to each other.
    middle = (x_unit + z_unit) / np.sqrt(np.where(sheared, 2.0 + 2.0 * cosine, 1.0))
    across = (x_unit - z_unit) / np.sqrt(np.where(sheared, 2.0 - 2.0 * cosine, 1.0))
    shrink = np.where(sheared, (1.0 - np.minimum(cosine * cosine, 1.0)) ** 0.25, 1.0)
    x = np.where(sheared, (middle + across) * (np.sqrt(0.5) * shrink * x_length), x)
    z = np.where(sheared, (middle - across) * (np.sqrt(0.5) * shrink * z_length), z)
    return np.stack([x, y, z], axis=-1)


def _locations(matrix: Floats, bones: NDArray[np.intp]) -> Floats:
    """Last columns of some bones' matrices; (..., bones, 3)."""
    return matrix[..., :3, 3][..., bones, :]


def _size(matrix: Floats) -> Floats:
    """Lengths of the axes; (..., 3)."""
    return np.linalg.norm(matrix, axis=-2)


def _normalized(matrix: Floats) -> Floats:
    size = _size(matrix)
    return matrix / np.where(size == 0.0, 1.0, size)[..., None, :]


def _unsheared_size(matrix: Floats) -> Floats:
    """Lengths of the axes, scaled to make a box of the matrix's volume; (..., 3)."""
    size = _size(matrix)
    box = np.prod(size, axis=-1, keepdims=True)
    volume = np.abs(np.linalg.det(matrix))[..., None]
    return size * np.where(box == 0.0, 1.0, np.cbrt(volume / np.where(box == 0.0, 1.0, box)))


def _average_scale(matrix: Floats) -> Floats:
    """Cube root of the volume; (..., 1, 1)."""
    return np.cbrt(np.abs(np.linalg.det(matrix)))[..., None, None]


def _inverse(matrix: Floats) -> Floats:
    """Inverses; of a matrix that flattens space (a bone scaled to zero), the pseudo-inverse.

    By cross products: numpy's own takes ten times as long for many small matrices.
    """
    x, y, z = (matrix[..., :, i] for i in range(3))
    rows = np.stack([cross_product(y, z), cross_product(z, x), cross_product(x, y)], axis=-2)
    volume = np.sum(x * rows[..., 0, :], axis=-1)
    flat = np.abs(volume) <= FLAT * np.prod(_size(matrix), axis=-1)
    inverse = rows / np.where(flat, 1.0, volume)[..., None, None]
    if flat.any():
        inverse[flat] = np.linalg.pinv(matrix[flat])
    return inverse
