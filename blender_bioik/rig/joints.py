"""Bones as joints: an armature's clip becomes the solver's tree, and solved joints become channels.

The tree stands in world space, in metres. Where a bone is in each frame of the source comes in as
the rest transforms of its joints, so that the source is met exactly whatever the rig did to get
there: scale, constraints, drivers. What a joint then adds:

- A bone without limits turns about its own animated axes; zero is the animation.
- A bone with limits turns by its Euler angles, whose source values are the animation.
- A bone that may slide moves along the axes of its location channels.

A joint turns everything below it as one rigid body. That is what Blender does too, with two
exceptions, which `approximations` tells by name: a bone that hangs in one that is scaled unevenly
is sheared when it turns, and a bone that does not inherit rotation keeps its own when bones above
it turn. `JointModel.settled` makes up for both.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from ..solver import Clip as SolverClip
from ..solver import Joint, KinematicTree, Rest, Tip
from .bone_frames import (
    UNEVEN,
    bone_orientation,
    bones_above,
    is_uneven,
    orthonormal,
    rotated,
    turning_frames,
)
from .errors import RigError
from .joint_model import (
    AXIS_NUMBERS,
    AXIS_VECTORS,
    JointModel,
    MovingBone,
    Place,
    TipPlace,
    Vector,
    place_name,
    slide_name,
    turn_name,
    turning_axes,
    turns_about,
)
from .keys import BoneTracks
from .limits import FREE, BoneLimits
from .sampling import Clip
from .skeleton import Skeleton, basis_matrices, location_axes
from .transforms import (
    EULER_AXES,
    Floats,
    continuous_eulers,
    decompose,
    quaternion_from_matrix3,
    quaternion_inverse,
    quaternion_product,
)

__all__ = [
    "AXIS_NUMBERS",
    "JointModel",
    "TipPlace",
    "approximations",
    "build_joints",
    "place_name",
    "source_tracks",
]

# Points and axes of a tip may change by this part over frames before it counts as moving.
STILL = 1e-6


def source_tracks(skeleton: Skeleton, clip: Clip, visual: Collection[str]) -> BoneTracks:
    """Channels that give a clip's poses: its own or, for some bones, those of their matrices.

    Args:
        skeleton: The bones of the armature.
        clip: Its source animation.
        visual: Bones whose constraints change what their channels say.
    """
    if not visual:
        return BoneTracks(clip.location, clip.rotation, clip.scale)
    chosen = [skeleton.index[name] for name in visual]
    seen = decompose(basis_matrices(skeleton, clip.pose)[:, chosen])
    tracks = BoneTracks(clip.location.copy(), clip.rotation.copy(), clip.scale.copy())
    for channels, of_chosen in zip(tracks, seen, strict=True):
        channels[:, chosen] = of_chosen
    return tracks


def approximations(
    skeleton: Skeleton, clip: Clip, moving: Collection[str], attached: Collection[str] = ()
) -> list[str]:
    """Sentences about moving bones that joints do not move as Blender does.

    Args:
        skeleton: The bones of the armature.
        clip: Its source animation.
        moving: Bones that may turn.
        attached: Those that move with bones above them though they do not inherit rotation.
    """
    sentences = [
        f'"{skeleton.names[parent]}" is scaled unevenly, which shears "{skeleton.names[b]}" when '
        "it turns: solved in several passes, goals below may be missed by a little."
        for parent, b in _sheared_bones(skeleton, clip, moving)
    ]
    among = {skeleton.index[name] for name in moving}
    carried = among.union(*(bones_above(skeleton, b) for b in among))
    sentences += [
        f'"{name}" does not inherit rotation: goals on it and on bones below it do not turn the '
        "bones above it."
        for b, name in enumerate(skeleton.names)
        if b in carried
        and not skeleton.inherit_rotation[b]
        and name not in attached
        and not among.isdisjoint(bones_above(skeleton, b))
    ]
    return sentences


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
    turn_axes: Mapping[str, Sequence[Vector]] | None = None,
    turn_bounds: Mapping[str, float] | None = None,
    attached: Mapping[str, str] | None = None,
) -> JointModel:
    """Build the joints of some bones.

    Args:
        skeleton: The bones of the armature.
        clip: Its source animation.
        source: Channels that give the clip's poses without constraints.
        moving: Bones that may turn.
        tips: Points on bones that goals are about.
        limits: Limits of the moving bones.
        sliding: Those of the moving bones that may change their place, if they are not connected
            and inherit rotation.
        absolute: Those whose Euler angles goals are about.
        turn_axes: Unit vectors along the axes of a bone that it turns about, outwards, instead of
            its X, Y and Z: one for a hinge. Bones with limits keep their Euler angles.
        turn_bounds: How far from the animation a bone may turn about each axis, radians. Bones
            with limits keep to those.
        attached: Bones that move with another one (the second) as if it were their parent: feet of
            rigs in which these are apart from the legs.

    Raises:
        RigError: The armature object is scaled unevenly, sheared or mirrored, or every moving bone
            is locked.
    """
    sheared = bool(_sheared_bones(skeleton, clip, moving))
    builder = _Builder(skeleton, clip, source, limits, sheared, attached or {})
    for name in _carriers_first(skeleton, moving, attached or {}):
        axes = (turn_axes or {}).get(name, tuple(AXIS_VECTORS.values()))
        most = (turn_bounds or {}).get(name, np.inf)
        builder.add_bone(name, name in set(sliding), name in set(absolute), axes, most)
    for tip in tips:
        builder.add_tip(tip)
    model = builder.model()
    if moving and not model.bones:
        names = ", ".join(f'"{name}"' for name in moving[:3]) + (", ..." if len(moving) > 3 else "")
        raise RigError(
            f"Nothing can move, the rotation of {names} is locked: unlock some channels."
        )
    return model


def _sheared_bones(
    skeleton: Skeleton, clip: Clip, moving: Collection[str]
) -> list[tuple[int, int]]:
    """Moving bones that take over an uneven scale of their parents, each after its parent."""
    bones = sorted(skeleton.index[name] for name in moving)
    return [
        (int(skeleton.parent[b]), b)
        for b in bones
        if skeleton.parent[b] >= 0
        and skeleton.inherit_scale[b] not in ("NONE", "ALIGNED", "AVERAGE")
        and is_uneven(clip.pose[:, skeleton.parent[b], :3, :3]).any()
    ]


def _carriers_first(
    skeleton: Skeleton, moving: Collection[str], attached: Mapping[str, str]
) -> list[str]:
    """Moving bones, each after those that carry it."""
    ordered: dict[str, None] = {}

    def add(name: str) -> None:
        above = [skeleton.names[b] for b in reversed(bones_above(skeleton, skeleton.index[name]))]
        for carrier in (*above, *([attached[name]] if name in attached else ())):
            if carrier not in ordered:
                add(carrier)
        ordered[name] = None

    for name in sorted(set(moving), key=skeleton.index.__getitem__):
        add(name)
    return [name for name in ordered if name in set(moving)]


class _Builder:
    """Collects joints, their rest transforms in every frame and their source values."""

    def __init__(
        self,
        skeleton: Skeleton,
        clip: Clip,
        source: BoneTracks,
        limits: Mapping[str, BoneLimits],
        sheared: bool,
        attached: Mapping[str, str],
    ) -> None:
        _refuse_uneven(clip.world)
        self._skeleton, self._clip, self._source, self._limits = skeleton, clip, source, limits
        self._joints: list[Joint] = []
        self._rest_rotation: list[Floats] = []
        self._rest_position: list[Floats] = []
        self._values: list[Floats] = []
        self._tips: list[Tip] = []
        self._bones: list[MovingBone] = []
        # The last joint of each moving bone, and how it stands in the source, by bone index.
        self._carrier: dict[int, str] = {}
        self._turned: dict[int, Floats] = {}
        self._places: list[Place] = []
        self._sheared, self._floating = sheared, False
        self._attached_to = {skeleton.index[b]: skeleton.index[to] for b, to in attached.items()}
        self._attached: list[tuple[int, int]] = []
        self._eulers: dict[int, Floats] = {}
        self._location_scale: dict[int, Floats] = {}
        self._widened: list[str] = []

    def add_bone(
        self, name: str, slides: bool, absolute: bool, axes: Sequence[Vector], most: float
    ) -> None:
        b = self._skeleton.index[name]
        limits = self._limits.get(name, BoneLimits())
        matrix = self._matrix(b)
        turned = turning_frames(matrix[:, :3, :3], self._source.scale[:, b])
        first, carrier = len(self._joints), self._carrying_bone(b)
        frame = self._frame(b, carrier, matrix[:, :3, 3], turned)
        slide_joints: list[tuple[str, int]] = []
        if slides and not self._skeleton.connected[b] and not frame.floats:
            slide_joints = self._add_slides(b, limits, turned, frame)
        order = limits.order if absolute or limits.turn_limited else None
        if order is None:
            turn_joints = self._add_corrections(b, limits, frame, axes, most)
        else:
            # The frame so far has the animated orientation; absolute angles start before it.
            frame.turn_by(quaternion_inverse(self._source.rotation[:, b]))
            turn_joints = self._add_angles(b, limits, order, frame, axes)
        if not slide_joints and not turn_joints:
            return
        if frame.pending:  # what the bone carries stands in its own frame, locked axes and all
            zero = np.zeros(len(self._clip.frames))
            self._add_joint(
                frame, f"{name}, locked", "revolute", AXIS_VECTORS["Y"], zero, (0.0, 0.0), 0.0
            )
        self._carrier[b] = str(frame.joint)
        self._turned[b] = turned
        self._places.append(Place(b, first, len(self._joints) - 1, carrier))
        if b in self._attached_to:
            self._attached.append((b, len(self._joints) - 1))
        self._bones.append(
            MovingBone(
                b,
                tuple(turn_joints),
                tuple(slide_joints),
                order,
                limits.slide_limited,
                tuple(axes),
            )
        )

    def add_tip(self, tip: TipPlace) -> None:
        b = self._skeleton.index[tip.bone]
        matrix = self._matrix(b)
        point = np.asarray(matrix[:, :3, :3] @ np.array(tip.offset) + matrix[:, :3, 3])
        carrier = b if b in self._carrier else self._carrying_bone(b)
        frame = self._frame(b, carrier, point, bone_orientation(matrix))
        own_joint = tip.own_joint or self._sheared or b not in self._carrier
        if not own_joint and frame.is_still():
            self._tips.append(
                Tip(tip.name, frame.joint, tuple(frame.place[0]), tuple(frame.turn[0]))
            )
            return
        # What moves against its carrier from frame to frame gets a joint that cannot move.
        name, joint = place_name(tip.name), len(self._joints)
        zero = np.zeros(len(point))
        self._places.append(Place(b, joint, joint, carrier, tip.offset))
        self._add_joint(frame, name, "prismatic", AXIS_VECTORS["Y"], zero, (0.0, 0.0), 0.0)
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
            tuple(self._places) if self._sheared or self._floating else (),
            self._clip.world,
            self._clip.pose,
            tuple(self._attached),
        )

    def _matrix(self, b: int) -> Floats:
        """World matrices of a bone in the source; (f, 4, 4)."""
        return np.asarray(self._clip.world @ self._clip.pose[:, b])

    def _frame(self, b: int, carrier: int, place: Floats, turn: Floats) -> _Frame:
        """A frame that stands in the world, against the bone that carries it (-1 for none)."""
        if carrier < 0:
            return _Frame(None, place, turn, self._floats(b))
        back = quaternion_inverse(self._turned[carrier])
        origin = self._matrix(carrier)[:, :3, 3]
        return _Frame(
            self._carrier[carrier], rotated(back, place - origin), quaternion_product(back, turn)
        )

    def _carrying_bone(self, b: int) -> int:
        """The nearest moving bone above that turns this one, or -1."""
        if self._attached_to.get(b) in self._carrier:
            return self._attached_to[b]
        while self._skeleton.inherit_rotation[b]:
            b = int(self._skeleton.parent[b])
            if b < 0 or b in self._carrier:
                return b
        return -1

    def _floats(self, b: int) -> bool:
        """Whether moving bones carry this one along that do not turn it."""
        return any(above in self._carrier for above in bones_above(self._skeleton, b))

    def _add_slides(
        self, b: int, limits: BoneLimits, turned: Floats, frame: _Frame
    ) -> list[tuple[str, int]]:
        name = self._skeleton.names[b]
        axes = self._clip.world[:, :3, :3] @ location_axes(self._skeleton, b, self._clip.pose)
        scale = np.linalg.norm(axes, axis=-2)
        if not scale.all():
            return []  # hangs in a bone of no size: its location does nothing
        scale[:, 2] *= np.sign(np.linalg.det(axes))
        self._location_scale[b] = scale
        location = self._source.location[:, b] * scale
        along = quaternion_from_matrix3(orthonormal(axes))
        # From the bone's animated frame to that of its location channels, and back afterwards.
        there = quaternion_product(quaternion_inverse(turned), along)
        frame.turn_by(there)
        if limits.slide_limited:
            frame.place = frame.place - rotated(frame.turn, location)
        joints = []
        for k, axis in enumerate("XYZ"):
            if limits.slide_locked[k]:
                if limits.slide_limited:
                    frame.place = frame.place + rotated(
                        frame.turn, location[:, k, None] * np.eye(3)[k]
                    )
                continue
            values, bounds = np.zeros(len(location)), FREE
            if limits.slide_limited:
                values = location[:, k]
                ends = np.sort(np.outer(scale[:, k], limits.slide[k]), axis=-1)
                # Where the scale is animated, what all frames allow.
                bounds = self._widen(name, (ends[:, 0].max(), ends[:, 1].min()), values)
            joint = self._add_joint(
                frame, slide_name(name, axis), "prismatic", AXIS_VECTORS[axis], values, bounds, 0.0
            )
            joints.append((axis, joint))
        frame.turn_by(quaternion_inverse(there))
        return joints

    def _add_corrections(
        self, b: int, limits: BoneLimits, frame: _Frame, axes: Sequence[Vector], most: float
    ) -> list[tuple[str, int]]:
        name, bounds = self._skeleton.names[b], (-most, most)
        zero = np.zeros(len(self._clip.frames))
        joints = []
        for k, (label, axis) in enumerate(zip("XYZ", axes, strict=False)):
            joint = self._add_joint(
                frame, turn_name(name, label), "revolute", axis, zero, bounds, limits.stiffness[k]
            )
            joints.append((label, joint))
        return joints

    def _add_angles(
        self, b: int, limits: BoneLimits, order: str, frame: _Frame, axes: Sequence[Vector]
    ) -> list[tuple[str, int]]:
        name = self._skeleton.names[b]
        angles = self._source_angles(b, order, limits)
        self._eulers[b] = angles
        turning = turning_axes(angles, order, axes)
        joints = []
        for axis in reversed(order):  # Euler angles turn about the last axis of the order first
            k = AXIS_NUMBERS[axis]
            if limits.turn_locked[k] or axis not in turning:
                frame.turn_by(turns_about(AXIS_VECTORS[axis], angles[:, k]))
                continue
            bounds = self._widen(name, limits.turn[k], angles[:, k])
            joint = self._add_joint(
                frame,
                turn_name(name, axis),
                "revolute",
                AXIS_VECTORS[axis],
                angles[:, k],
                bounds,
                limits.stiffness[k],
            )
            joints.append((axis, joint))
        return joints

    def _source_angles(self, b: int, order: str, limits: BoneLimits) -> Floats:
        """The source's Euler angles: of the sets that are equal, the one that keeps to limits."""
        mode = self._skeleton.rotation_mode[b]
        start = self._clip.rotation_channels[0, b, :3] if mode == order else None
        one = continuous_eulers(self._source.rotation[:, b], order, start)
        other = one + np.pi
        middle = EULER_AXES[order][1]
        other[:, middle] = np.pi - one[:, middle]
        one, other = _into_ranges(one, limits.turn), _into_ranges(other, limits.turn)
        return other if _excess(other, limits) < _excess(one, limits) else one

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
        axis: Vector,
        values: Floats,
        bounds: tuple[float, float],
        stiffness: float,
    ) -> int:
        """Add a joint at the frame; the frame is then what the joint carries."""
        position, rotation = np.array(frame.place), np.array(frame.turn)
        self._floating = self._floating or frame.floats
        self._joints.append(
            Joint(
                name,
                frame.joint,
                kind,  # type: ignore[arg-type]
                axis,
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

    def __init__(
        self, joint: str | None, place: Floats, turn: Floats, floats: bool = False
    ) -> None:
        self.joint = joint
        self.place = place
        self.turn = turn
        self.floats = floats
        self.pending = True

    def is_still(self) -> bool:
        """Whether it stands the same in all frames."""
        size = float(np.abs(self.place).max(initial=0.0))
        return bool(
            np.ptp(self.place, axis=0).max() <= STILL * size
            and np.ptp(np.abs(self.turn), axis=0).max() <= STILL
        )

    def turn_by(self, turn: Floats) -> None:
        """Turn it further about its own axes."""
        self.turn = quaternion_product(self.turn, turn)
        self.pending = True

    def start_at(self, joint: str, frames: int) -> None:
        """Stand in the frame of a joint."""
        self.joint = joint
        self.place = np.zeros((frames, 3))
        self.turn = np.tile(_IDENTITY, (frames, 1))
        self.floats = False
        self.pending = False


_IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])


def _into_ranges(angles: Floats, ranges: Sequence[tuple[float, float]]) -> Floats:
    """Angles (f, 3) moved by whole turns to be nearest to the middle of their ranges."""
    moved = angles.copy()
    for k, (low, high) in enumerate(ranges):
        if np.isfinite([low, high]).all():
            turns = np.round((0.5 * (low + high) - angles[:, k]) / (2.0 * np.pi))
            moved[:, k] += 2.0 * np.pi * turns
    return moved


def _excess(angles: Floats, limits: BoneLimits) -> float:
    """By how much angles (f, 3) leave their ranges, over all frames."""
    low, high = np.array(limits.turn).T
    return float(np.maximum(np.maximum(low - angles, angles - high), 0.0).sum())


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
