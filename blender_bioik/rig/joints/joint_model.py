"""The joint model of a clip for the solver, and channels of bones from joint values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ...solver import Clip as SolverClip
from ...solver import KinematicTree, Rest, forward_kinematics
from ..clip.bone_frames import bone_orientation, bones_above, rotated, turning_frames
from ..clip.skeleton import Skeleton, basis_matrices, replaced_pose
from ..keys.keys import BoneTracks
from ..transforms import (
    Floats,
    decompose,
    quaternion_from_axis_angle,
    quaternion_from_euler,
    quaternion_inverse,
    quaternion_product,
)

AXIS_VECTORS = {"X": (1.0, 0.0, 0.0), "Y": (0.0, 1.0, 0.0), "Z": (0.0, 0.0, 1.0)}
AXIS_NUMBERS = {"X": 0, "Y": 1, "Z": 2}
Vector = tuple[float, float, float]
# Rest transforms that change less than this part of the rig's height, or radians, have settled.
SETTLED = 1e-5
# Axes whose directions have at least this cosine in every frame are the same.
SAME_AXIS = 0.95


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
        turns: Axis and joint of each rotational joint, from the parent outwards. The axes of
            corrections may be any of the bone's own; `axes` holds them.
        slides: Axis and joint of each sliding joint.
        order: Euler order if the joints are absolute angles, None if they are corrections.
        absolute_slides: Whether sliding joints are the location itself and not a correction of it.
    """

    index: int
    turns: tuple[tuple[str, int], ...]
    slides: tuple[tuple[str, int], ...]
    order: str | None
    absolute_slides: bool
    axes: tuple[Vector, ...] = tuple(AXIS_VECTORS.values())


class Place(NamedTuple):
    """A bone or a tip in the tree.

    Attributes:
        bone: Index of the bone.
        first: The joint at which it begins.
        last: The joint that carries what is on it.
        carrier: Index of the moving bone that carries it, -1 for none.
        offset: Where it is along the bone's axes, of a tip; None for the bone itself.
    """

    bone: int
    first: int
    last: int
    carrier: int
    offset: tuple[float, float, float] | None = None


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
        location_scale: Metres for one unit of location, (f, 3), of bones that slide, by index;
            negative along an axis that the parent's scale mirrors.
        widened: Names of bones whose limits the source itself exceeds; theirs are widened.
        places: Where bones and tips are in the tree, if Blender moves some of them in another way
            than the tree does; see `settled`.
        world: World matrices of the armature object; (f, 4, 4).
        pose: Pose matrices of the source; (f, n, 4, 4).
        attached: Bones that another bone carries in the tree than in Blender, parents first, each
            with its last joint: their place and rotation follow from where the tree puts them.
    """

    skeleton: Skeleton
    tree: KinematicTree
    clip: SolverClip
    bones: tuple[MovingBone, ...]
    source: BoneTracks
    eulers: Mapping[int, Floats]
    location_scale: Mapping[int, Floats]
    widened: tuple[str, ...]
    places: tuple[Place, ...]
    world: Floats
    pose: Floats
    attached: tuple[tuple[int, int], ...] = ()

    def world_pose(self, bone: int) -> Floats:
        """World matrices of a bone in the source; (f, 4, 4)."""
        return np.asarray(self.world @ self.pose[:, bone])

    def tracks(self, values: Floats) -> BoneTracks:
        """Channels of all bones for solved joint values (f, joints)."""
        location, rotation = self.source.location.copy(), self.source.rotation.copy()
        for group in self._turning_alike:
            bones = [bone.index for bone in group]
            joints = np.array([[joint for _, joint in bone.turns] for bone in group], int)
            if group[0].order is not None:
                angles = np.stack([self.eulers[b] for b in bones], axis=1)
                for k, (axis, _) in enumerate(group[0].turns):
                    angles[:, :, AXIS_NUMBERS[axis]] = values[:, joints[:, k]]
                rotation[:, bones] = quaternion_from_euler(angles, group[0].order)
                continue
            axes = np.array([bone.axes[: joints.shape[1]] for bone in group], float)
            for k in range(joints.shape[1]):
                turn = turns_about(axes[:, k], values[:, joints[:, k]])
                rotation[:, bones] = quaternion_product(rotation[:, bones], turn)
        for bone in self.bones:
            b = bone.index
            for axis, joint in bone.slides:
                k = AXIS_NUMBERS[axis]
                moved = values[:, joint] / self.location_scale[b][:, k]
                location[:, b, k] = moved if bone.absolute_slides else location[:, b, k] + moved
        tracks = BoneTracks(location, rotation, self.source.scale)
        if self.attached:
            self._put_attached(tracks, values)
        return tracks

    @cached_property
    def _turning_alike(self) -> list[list[MovingBone]]:
        """The bones, together with those that turn about as many axes, or the same angles."""
        groups: dict[tuple[str | None, object], list[MovingBone]] = {}
        for bone in self.bones:
            angles = tuple(axis for axis, _ in bone.turns)
            alike = (bone.order, angles if bone.order is not None else len(angles))
            groups.setdefault(alike, []).append(bone)
        return list(groups.values())

    def _put_attached(self, tracks: BoneTracks, values: Floats) -> None:
        """Write the channels of attached bones from where the tree puts them."""
        solved = forward_kinematics(self.tree, values, self.clip.rest)
        source = forward_kinematics(self.tree, self.clip.values, self.clip.rest)
        inverse = np.linalg.inv(self.world)
        for bones, joints in self._attached_together:
            turn = quaternion_product(
                solved.joint_quaternions[:, joints],
                quaternion_inverse(source.joint_quaternions[:, joints]),
            )
            placed = self.world[:, None] @ self.pose[:, bones]
            for k in range(3):
                placed[..., :3, k] = rotated(turn, placed[..., :3, k])
            placed[..., :3, 3] = solved.joint_positions[:, joints]
            pose = self._pose(tracks)
            pose[:, bones] = inverse[:, None] @ placed
            place, rotation, _ = decompose(basis_matrices(self.skeleton, pose)[:, bones])
            tracks.location[:, bones], tracks.rotation[:, bones] = place, rotation

    @cached_property
    def _attached_together(self) -> list[tuple[list[int], list[int]]]:
        """Attached bones that do not carry each other in Blender, and their joints, in order."""
        waiting, found = dict(self.attached), []
        while waiting:
            above = {b: bones_above(self.skeleton, b) for b in waiting}
            ready = [b for b in waiting if waiting.keys().isdisjoint(above[b])]
            found.append((ready, [waiting.pop(b) for b in ready]))
        return found

    def _pose(self, tracks: BoneTracks) -> Floats:
        """Blender's pose matrices for channels of the moving bones; (f, n, 4, 4)."""
        moving = [bone.index for bone in self.bones]
        return replaced_pose(self.skeleton, self.pose, moving, (t[:, moving] for t in tracks))

    def settled(self, values: Floats) -> SolverClip:
        """The clip with rest transforms that match Blender's pose for these joint values.

        It is `clip` itself where the tree moves all bones as Blender does. Elsewhere solving is
        repeated, from the values found so far, until the rest transforms change no more
        (`has_settled`).

        Args:
            values: Joint values; (f, joints).
        """
        if not self.places:
            return self.clip
        seen, posed = self._tree_frames(values), self._blender_frames(values)
        assert self.clip.rest is not None
        rotation, position = (part.copy() for part in self.clip.rest)
        carriers = {place.bone: place for place in self.places if place.offset is None}
        for place in self.places:
            carrier = carriers.get(place.carrier)
            is_ = _against(seen, place, carrier)
            wanted = _against(posed, place, carrier)
            turn = rotation[:, place.first]
            # The part that the bone's own joints add to its rest transform is kept.
            added_turn = quaternion_product(quaternion_inverse(turn), is_.turn)
            added = rotated(quaternion_inverse(turn), is_.point - position[:, place.first])
            turn = quaternion_product(wanted.turn, quaternion_inverse(added_turn))
            rotation[:, place.first] = turn
            position[:, place.first] = wanted.point - rotated(turn, added)
        return SolverClip(values, Rest(rotation, position))

    def has_settled(self, before: SolverClip, after: SolverClip) -> bool:
        """Whether rest transforms are as good as the same."""
        if before is after:
            return True
        assert before.rest is not None
        assert after.rest is not None
        height = self.skeleton.height * float(np.linalg.norm(self.world[:, :3, 0], axis=-1).max())
        moved = np.abs(after.rest.position - before.rest.position).max(initial=0.0)
        turned = np.abs(after.rest.rotation) - np.abs(before.rest.rotation)
        return bool(moved <= SETTLED * height and np.abs(turned).max(initial=0.0) <= SETTLED)

    def _tree_frames(self, values: Floats) -> dict[Place, _Frames]:
        """Places by the tree."""
        poses = forward_kinematics(self.tree, values, self.clip.rest)
        return {
            place: _Frames(
                poses.joint_positions[:, place.last], poses.joint_quaternions[:, place.last]
            )
            for place in self.places
        }

    def _blender_frames(self, values: Floats) -> dict[Place, _Frames]:
        """Places by Blender's forward kinematics."""
        tracks = self.tracks(values)
        matrices = self.world[:, None] @ self._pose(tracks)
        frames = {}
        for place in self.places:
            matrix = matrices[:, place.bone]
            point, axes = matrix[:, :3, 3], matrix[:, :3, :3]
            if place.offset is None:
                turn = turning_frames(axes[:, None], tracks.scale[:, [place.bone]])[:, 0]
            else:
                point, turn = point + axes @ np.array(place.offset), bone_orientation(matrix)
            frames[place] = _Frames(point, turn)
        return frames

    def joint_name(self, bone: str, axis: str) -> str | None:
        """Name of the joint that turns a bone about one of its Euler axes, if there is one."""
        name = turn_name(bone, axis)
        return name if name in self.tree.names else None


class _Frames(NamedTuple):
    """Points (f, 3) with orientations (f, 4)."""

    point: Floats
    turn: Floats


def _against(frames: Mapping[Place, _Frames], place: Place, carrier: Place | None) -> _Frames:
    """A place as seen from the bone that carries it."""
    point, turn = frames[place]
    if carrier is None:
        return _Frames(point, turn)
    back = quaternion_inverse(frames[carrier].turn)
    return _Frames(rotated(back, point - frames[carrier].point), quaternion_product(back, turn))


def turn_name(bone: str, axis: str) -> str:
    """Name of a rotational joint."""
    return f"{bone}, turn {axis}"


def slide_name(bone: str, axis: str) -> str:
    """Name of a sliding joint."""
    return f"{bone}, slide {axis}"


def place_name(tip: str) -> str:
    """Name of the joint that only places a tip."""
    return f"{tip}, place"


def turns_about(axis: ArrayLike, angles: Floats) -> Floats:
    """Quaternions (..., 4) of turns by angles (...) about unit vectors, one (3,) or many."""
    vectors = np.broadcast_to(axis, (*angles.shape, 3))
    return quaternion_from_axis_angle(np.concatenate([angles[..., None], vectors], axis=-1))


def turning_axes(angles: Floats, order: str, axes: Sequence[Vector]) -> str:
    """Which of a bone's Euler angles (f, 3) turn it about some of its own axes.

    All of them if it has no fewer axes, or if one of these is not the axis of any angle.
    """
    if len(axes) >= len(order):
        return order
    own = {}
    inner = np.broadcast_to([1.0, 0.0, 0.0, 0.0], (len(angles), 4))
    for axis in order:  # the first one turns inside of the others
        vectors = np.broadcast_to(AXIS_VECTORS[axis], (len(angles), 3))
        own[axis] = rotated(quaternion_inverse(inner), vectors)
        turn = turns_about(AXIS_VECTORS[axis], angles[:, AXIS_NUMBERS[axis]])
        inner = quaternion_product(turn, inner)
    turning = ""
    for wanted in axes:
        along = {axis: float(np.abs(way @ np.array(wanted)).min()) for axis, way in own.items()}
        nearest = max(along, key=lambda axis: along[axis])
        if along[nearest] < SAME_AXIS:
            return order
        turning += nearest
    return turning
