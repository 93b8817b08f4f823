"""Bones as joints: an armature's clip becomes the solver's tree, and solved joints become channels.

The tree stands in world space, in metres. Where a bone is in each frame of the source comes in as
the rest transforms of its joints, so that the source is met exactly whatever the rig did to get
there: scale, constraints, drivers. What a joint then adds:

- A bone without limits turns about its own animated axes; zero is the animation.
- A bone with limits turns by its Euler angles, whose source values are the animation.
- A bone that may slide moves along the axes of its location channels.

A bone that does not inherit rotation stands on its own: goals below it do not move bones above it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..solver import Clip as SolverClip
from ..solver import Joint, KinematicTree, Rest, Tip
from .errors import RigError
from .keys import BoneTracks
from .limits import FREE, BoneLimits
from .sampling import Clip
from .skeleton import Skeleton, location_axes
from .transforms import (
    Floats,
    continuous_eulers,
    matrix3_from_quaternion,
    quaternion_from_axis_angle,
    quaternion_from_euler,
    quaternion_from_matrix3,
    quaternion_inverse,
    quaternion_product,
)

AXIS_VECTORS = {"X": (1.0, 0.0, 0.0), "Y": (0.0, 1.0, 0.0), "Z": (0.0, 0.0, 1.0)}
AXIS_NUMBERS = {"X": 0, "Y": 1, "Z": 2}
# Sides of the object's box may differ by this part before its scale counts as uneven.
UNEVEN = 1e-4


class TipPlace(NamedTuple):
    """A point fixed to a bone: its place along the bone's own axes, in the bone's units.

    With `own_joint` it gets a joint that cannot move, named by `place_name`, to put masses on.
    """

    name: str
    bone: str
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
    own_joint: bool = False


@dataclass(frozen=True)
class MovingBone:
    """A bone that the solver may move, and which of the tree's joints do it.

    Attributes:
        index: The bone in its skeleton.
        turns: Axis and joint of each rotational joint, from the parent outwards.
        slides: Axis and joint of each sliding joint.
        order: Euler order if the joints are absolute angles, None if they are corrections.
        absolute_slides: Whether sliding joints are the location itself and not a correction of it.
    """

    index: int
    turns: tuple[tuple[str, int], ...]
    slides: tuple[tuple[str, int], ...]
    order: str | None
    absolute_slides: bool


@dataclass(frozen=True, eq=False)
class JointModel:
    """The solver's view of a clip.

    Attributes:
        skeleton: The bones.
        tree: The joints.
        clip: Source values and rest transforms for `solve_clip`.
        bones: The bones that joints move, parents first.
        source: Channels that give the source pose without the constraints that are to be muted.
        eulers: Angles (f, 3) of the source for bones with absolute joints, by bone index.
        location_scale: Metres for one unit of location, (f, 3), of bones that slide, by index.
        widened: Names of bones whose limits the source itself exceeds; theirs are widened.
    """

    skeleton: Skeleton
    tree: KinematicTree
    clip: SolverClip
    bones: tuple[MovingBone, ...]
    source: BoneTracks
    eulers: Mapping[int, Floats]
    location_scale: Mapping[int, Floats]
    widened: tuple[str, ...]

    def tracks(self, values: Floats) -> BoneTracks:
        """Channels of all bones for solved joint values (f, joints)."""
        location, rotation = self.source.location.copy(), self.source.rotation.copy()
        for bone in self.bones:
            b = bone.index
            if bone.order is not None:
                angles = self.eulers[b].copy()
                for axis, joint in bone.turns:
                    angles[:, AXIS_NUMBERS[axis]] = values[:, joint]
                rotation[:, b] = quaternion_from_euler(angles, bone.order)
            else:
                for axis, joint in bone.turns:
                    turn = _axis_turns(axis, values[:, joint])
                    rotation[:, b] = quaternion_product(rotation[:, b], turn)
            for axis, joint in bone.slides:
                k = AXIS_NUMBERS[axis]
                moved = values[:, joint] / self.location_scale[b][:, k]
                location[:, b, k] = moved if bone.absolute_slides else location[:, b, k] + moved
        return BoneTracks(location, rotation, self.source.scale)

    def joint_name(self, bone: str, axis: str) -> str | None:
        """Name of the joint that turns a bone about one of its Euler axes, if there is one."""
        name = turn_name(bone, axis)
        return name if name in self.tree.names else None


def turn_name(bone: str, axis: str) -> str:
    """Name of a rotational joint."""
    return f"{bone}, turn {axis}"


def slide_name(bone: str, axis: str) -> str:
    """Name of a sliding joint."""
    return f"{bone}, slide {axis}"


def place_name(tip: str) -> str:
    """Name of the joint that only places a tip."""
    return f"{tip}, place"


def build_joints(
    skeleton: Skeleton,
    clip: Clip,
    source: BoneTracks,
    moving: Sequence[str],
    tips: Sequence[TipPlace],
    limits: Mapping[str, BoneLimits],
    *,
    sliding: Sequence[str] = (),
    absolute: Sequence[str] = (),
) -> JointModel:
    """Build the joints of some bones.

    Args:
        skeleton: The bones of the armature.
        clip: Its source animation.
        source: Channels that give the clip's poses without constraints.
        moving: Bones that may turn.
        tips: Points on bones that goals are about.
        limits: Limits of the moving bones.
        sliding: Those of the moving bones that may change their place.
        absolute: Those whose Euler angles goals are about.

    Raises:
        RigError: The armature object is scaled unevenly, sheared or mirrored.
    """
    builder = _Builder(skeleton, clip, source, limits)
    for name in sorted(set(moving), key=skeleton.index.__getitem__):
        builder.add_bone(name, name in set(sliding), name in set(absolute))
    for tip in tips:
        builder.add_tip(tip)
    return builder.model()


class _Builder:
    """Collects joints, their rest transforms in every frame and their source values."""

    def __init__(
        self,
        skeleton: Skeleton,
        clip: Clip,
        source: BoneTracks,
        limits: Mapping[str, BoneLimits],
    ) -> None:
        _refuse_uneven(clip.world)
        self._skeleton, self._clip, self._source, self._limits = skeleton, clip, source, limits
        # In a clip that is played backwards in scale a bone's axes are no rotation; the nearest is.
        matrices = clip.world[:, None] @ clip.pose
        self._position = matrices[..., :3, 3]
        self._rotation = quaternion_from_matrix3(_orthonormal(matrices[..., :3, :3]))
        self._size = np.linalg.norm(matrices[..., :3, :3], axis=-2)
        self._joints: list[Joint] = []
        self._rest_rotation: list[Floats] = []
        self._rest_position: list[Floats] = []
        self._values: list[Floats] = []
        self._tips: list[Tip] = []
        self._bones: list[MovingBone] = []
        # The last joint of each moving bone, by bone index.
        self._carrier: dict[int, str] = {}
        self._eulers: dict[int, Floats] = {}
        self._location_scale: dict[int, Floats] = {}
        self._widened: list[str] = []

    def add_bone(self, name: str, slides: bool, absolute: bool) -> None:
        b = self._skeleton.index[name]
        limits = self._limits.get(name, BoneLimits())
        carrier, place, turn = self._carried(b)
        frame = _Frame(carrier, place, turn)
        slide_joints: list[tuple[str, int]] = []
        if slides and not self._skeleton.connected[b]:
            slide_joints = self._add_slides(b, limits, frame)
        order = limits.order if absolute or limits.turn_limited else None
        if order is None:
            turn_joints = self._add_corrections(b, limits, frame)
        else:
            # The frame so far has the animated orientation; absolute angles start before it.
            frame.turn_by(quaternion_inverse(self._source.rotation[:, b]))
            turn_joints = self._add_angles(b, limits, order, frame)
        if not slide_joints and not turn_joints:
            return
        if frame.pending:  # what the bone carries stands in its own frame, locked axes and all
            zero = np.zeros(len(self._clip.frames))
            self._add_joint(frame, f"{name}, locked", "revolute", "Y", zero, (0.0, 0.0), 0.0)
        self._carrier[b] = str(frame.joint)
        self._bones.append(
            MovingBone(b, tuple(turn_joints), tuple(slide_joints), order, limits.slide_limited)
        )

    def add_tip(self, tip: TipPlace) -> None:
        b = self._skeleton.index[tip.bone]
        offset = np.array(tip.offset) * self._size[:, b]
        still = np.ptp(offset, axis=0).max(initial=0.0) <= 1e-9
        carrier, place, turn = self._carried(b, itself=True)
        if b in self._carrier and still and not tip.own_joint:
            self._tips.append(Tip(tip.name, carrier, tuple(offset[0])))
            return
        # What moves against its carrier from frame to frame gets a joint that cannot move.
        frame = _Frame(carrier, place, turn)
        frame.place = place + _rotated(turn, offset)
        name = place_name(tip.name)
        zero = np.zeros(len(offset))
        self._add_joint(frame, name, "prismatic", "Y", zero, (0.0, 0.0), 0.0)
        self._tips.append(Tip(tip.name, name))

    def model(self) -> JointModel:
        frames, count = len(self._clip.frames), len(self._joints)
        rotation = np.stack(self._rest_rotation, 1) if count else np.empty((frames, 0, 4))
        position = np.stack(self._rest_position, 1) if count else np.empty((frames, 0, 3))
        values = np.stack(self._values, 1) if count else np.empty((frames, 0))
        tree = KinematicTree(self._joints, self._tips)
        assert tree.names == tuple(joint.name for joint in self._joints)
        return JointModel(
            self._skeleton,
            tree,
            SolverClip(values, Rest(rotation, position)),
            tuple(self._bones),
            self._source,
            self._eulers,
            self._location_scale,
            tuple(self._widened),
        )

    def _carried(self, b: int, itself: bool = False) -> tuple[str | None, Floats, Floats]:
        """The joint that carries a bone, and the bone's animated place and turn against it."""
        bone = b
        if not (itself and b in self._carrier):
            bone = self._carrying_bone(b)
        if bone < 0:
            return None, self._position[:, b], self._rotation[:, b]
        back = quaternion_inverse(self._rotation[:, bone])
        return (
            self._carrier[bone],
            _rotated(back, self._position[:, b] - self._position[:, bone]),
            quaternion_product(back, self._rotation[:, b]),
        )

    def _carrying_bone(self, b: int) -> int:
        """The nearest moving bone above that turns this one, or -1."""
        while self._skeleton.inherit_rotation[b]:
            b = int(self._skeleton.parent[b])
            if b < 0 or b in self._carrier:
                return b
        return -1

    def _add_slides(self, b: int, limits: BoneLimits, frame: _Frame) -> list[tuple[str, int]]:
        name = self._skeleton.names[b]
        axes = self._clip.world[:, :3, :3] @ location_axes(self._skeleton, b, self._clip.pose)
        scale = np.linalg.norm(axes, axis=-2)
        self._location_scale[b] = scale
        location = self._source.location[:, b] * scale
        along = quaternion_from_matrix3(_orthonormal(axes))
        # From the bone's animated frame to that of its location channels, and back afterwards.
        there = quaternion_product(quaternion_inverse(self._rotation[:, b]), along)
        frame.turn_by(there)
        if limits.slide_limited:
            frame.place = frame.place - _rotated(frame.turn, location)
        joints = []
        for k, axis in enumerate("XYZ"):
            if limits.slide_locked[k]:
                if limits.slide_limited:
                    frame.place = frame.place + _rotated(
                        frame.turn, location[:, k, None] * np.eye(3)[k]
                    )
                continue
            values, bounds = np.zeros(len(location)), FREE
            if limits.slide_limited:
                values = location[:, k]
                low, high = limits.slide[k]
                factor = float(scale[:, k].mean())
                bounds = self._widen(name, (low * factor, high * factor), values)
            joint = self._add_joint(
                frame, slide_name(name, axis), "prismatic", axis, values, bounds, 0.0
            )
            joints.append((axis, joint))
        frame.turn_by(quaternion_inverse(there))
        return joints

    def _add_corrections(self, b: int, limits: BoneLimits, frame: _Frame) -> list[tuple[str, int]]:
        name = self._skeleton.names[b]
        zero = np.zeros(len(self._clip.frames))
        return [
            (
                axis,
                self._add_joint(
                    frame, turn_name(name, axis), "revolute", axis, zero, FREE, limits.stiffness[k]
                ),
            )
            for k, axis in enumerate("XYZ")
        ]

    def _add_angles(
        self, b: int, limits: BoneLimits, order: str, frame: _Frame
    ) -> list[tuple[str, int]]:
        name = self._skeleton.names[b]
        angles = self._source_angles(b, order)
        self._eulers[b] = angles
        joints = []
        for axis in reversed(order):  # Euler angles turn about the last axis of the order first
            k = AXIS_NUMBERS[axis]
            if limits.turn_locked[k]:
                frame.turn_by(_axis_turns(axis, angles[:, k]))
                continue
            bounds = self._widen(name, limits.turn[k], angles[:, k])
            joint = self._add_joint(
                frame,
                turn_name(name, axis),
                "revolute",
                axis,
                angles[:, k],
                bounds,
                limits.stiffness[k],
            )
            joints.append((axis, joint))
        return joints

    def _source_angles(self, b: int, order: str) -> Floats:
        mode = self._skeleton.rotation_mode[b]
        start = self._clip.rotation_channels[0, b, :3] if mode == order else None
        return continuous_eulers(self._source.rotation[:, b], order, start)

    def _widen(self, bone: str, bounds: tuple[float, float], values: Floats) -> tuple[float, float]:
        """Limits that the animation itself keeps to."""
        low, high = float(values.min(initial=np.inf)), float(values.max(initial=-np.inf))
        if low < bounds[0] - 1e-6 or high > bounds[1] + 1e-6:
            self._widened.append(bone)
        return min(bounds[0], low), max(bounds[1], high)

    def _add_joint(
        self,
        frame: _Frame,
        name: str,
        kind: str,
        axis: str,
        values: Floats,
        bounds: tuple[float, float],
        stiffness: float,
    ) -> int:
        """Add a joint at the frame; the frame is then what the joint carries."""
        position, rotation = np.array(frame.place), np.array(frame.turn)
        self._joints.append(
            Joint(
                name,
                frame.joint,
                kind,  # type: ignore[arg-type]
                AXIS_VECTORS[axis],
                tuple(position[0]),
                tuple(rotation[0]),
                bounds[0],
                bounds[1],
                stiffness,
            )
        )
        self._rest_position.append(position)
        self._rest_rotation.append(rotation)
        self._values.append(values)
        frame.start_at(name, len(values))
        return len(self._joints) - 1


class _Frame:
    """Where the next joint stands against the last one, in every frame of the clip."""

    def __init__(self, joint: str | None, place: Floats, turn: Floats) -> None:
        self.joint = joint
        self.place = place
        self.turn = turn
        self.pending = True

    def turn_by(self, turn: Floats) -> None:
        """Turn it further about its own axes."""
        self.turn = quaternion_product(self.turn, turn)
        self.pending = True

    def start_at(self, joint: str, frames: int) -> None:
        """Stand in the frame of a joint."""
        self.joint = joint
        self.place = np.zeros((frames, 3))
        self.turn = np.tile(_IDENTITY, (frames, 1))
        self.pending = False


_IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])


def _axis_turns(axis: str, angles: Floats) -> Floats:
    """Quaternions of turns about an axis."""
    vectors = np.broadcast_to(AXIS_VECTORS[axis], (len(angles), 3))
    return quaternion_from_axis_angle(np.concatenate([angles[:, None], vectors], axis=-1))


def _rotated(quaternion: Floats, vectors: Floats) -> Floats:
    return np.einsum("...ij,...j->...i", matrix3_from_quaternion(quaternion), vectors)


def _orthonormal(matrix: Floats) -> Floats:
    """The axes of matrices (..., 3, 3) made perpendicular and of length one; y keeps its place."""
    y = matrix[..., 1] / np.maximum(np.linalg.norm(matrix[..., 1], axis=-1, keepdims=True), 1e-30)
    x = matrix[..., 0] - y * np.sum(matrix[..., 0] * y, axis=-1, keepdims=True)
    x = x / np.maximum(np.linalg.norm(x, axis=-1, keepdims=True), 1e-30)
    return np.stack([x, y, np.cross(x, y)], axis=-1)


def _refuse_uneven(world: Floats) -> None:
    axes = world[:, :3, :3]
    size = np.linalg.norm(axes, axis=-2)
    if (np.linalg.det(axes) <= 0.0).any():
        raise RigError("The armature object is mirrored or scaled to nothing: apply its scale.")
    uneven = np.ptp(size, axis=-1) > UNEVEN * size.max(axis=-1)
    straight = np.abs(np.swapaxes(axes, -1, -2) @ axes - np.eye(3) * size[:, None] ** 2)
    if uneven.any() or (straight.max(axis=(-1, -2)) > UNEVEN * size.max(axis=-1) ** 2).any():
        raise RigError(
            "The armature object is scaled unevenly or sheared: apply its scale (Ctrl A), "
            "or scale it evenly."
        )
