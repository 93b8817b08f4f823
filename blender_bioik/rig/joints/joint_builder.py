"""Building a tree of joints bone by bone: rest transforms in every frame, and source values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...solver import Clip as SolverClip
from ...solver import Joint, KinematicTree, Rest, Tip
from ..clip.bone_frames import (
    UNEVEN,
    bone_orientation,
    bones_above,
    orthonormal,
    rotated,
    turning_frames,
)
from ..clip.sampling import Clip
from ..clip.skeleton import Skeleton, location_axes
from ..errors import RigError
from ..keys.keys import BoneTracks
from ..transforms import (
    EULER_AXES,
    Floats,
    continuous_eulers,
    quaternion_from_matrix3,
    quaternion_inverse,
    quaternion_product,
)
from .joint_frame import JointFrame
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
from .limits import BoneLimits


@dataclass(frozen=True)
class WantedBone:
    """A bone that may move, and how: `build_joints` and `MovingBone` have the words."""

    index: int
    limits: BoneLimits
    slides: bool
    order: str | None
    axes: tuple[Vector, ...]
    most: float


class JointBuilder:
    """Collects joints, their rest transforms in every frame and their source values."""

    def __init__(
        self,
        skeleton: Skeleton,
        clip: Clip,
        source: BoneTracks,
        sheared: bool,
        attached: Mapping[str, str],
    ) -> None:
        _refuse_uneven(clip.world)
        self._skeleton, self._clip, self._source = skeleton, clip, source
        self._joints: list[Joint] = []
        self._rest_rotation: list[Floats] = []
        self._rest_position: list[Floats] = []
        self._values: list[Floats] = []
        self._tips: list[Tip] = []
        self._bones: list[MovingBone] = []
        frames = len(clip.frames)
        # Which row of these each bone with joints has: heads (f, m, 3), orientations (f, m, 4).
        self._row: dict[int, int] = {}
        self._heads, self._turned = np.empty((frames, 0, 3)), np.empty((frames, 0, 4))
        # The last joint of each, by bone index.
        self._carrier: dict[int, str] = {}
        self._places: list[Place] = []
        self._sheared, self._floating = sheared, False
        self._attached_to = {skeleton.index[b]: skeleton.index[to] for b, to in attached.items()}
        self._attached: list[tuple[int, int]] = []
        self._eulers: dict[int, Floats] = {}
        self._location_scale: dict[int, Floats] = {}
        self._widened: list[str] = []
        # Of joints that start where the one before them ends, and at zero.
        self._here, self._zero = np.zeros((frames, 3)), np.zeros(frames)
        self._unturned = np.tile([1.0, 0.0, 0.0, 0.0], (frames, 1))

    def add_bones(self, wanted: Sequence[WantedBone]) -> None:
        """Add the joints of bones, each after those that carry it."""
        moving: list[WantedBone] = []
        carriers: list[int] = []
        for bone in wanted:
            carrier = self._carrying_bone(bone.index)
            if self._can_turn(bone) or self._can_slide(bone, carrier):
                self._row[bone.index] = len(moving)
                moving.append(bone)
                carriers.append(carrier)
        bones = [bone.index for bone in moving]
        matrix = self._matrices(bones)
        self._heads = matrix[..., :3, 3]
        self._turned = turning_frames(matrix[..., :3, :3], self._source.scale[:, bones])
        place, turn = self._against(carriers, self._heads, self._turned)
        for k, (bone, carrier) in enumerate(zip(moving, carriers, strict=True)):
            self._add_bone(bone, carrier, self._frame(bone.index, carrier, place[:, k], turn[:, k]))

    def _add_bone(self, bone: WantedBone, carrier: int, frame: JointFrame) -> None:
        b, first, limits = bone.index, len(self._joints), bone.limits
        slide_joints: list[tuple[str, int]] = []
        if bone.slides and not self._skeleton.connected[b] and not frame.floats:
            slide_joints = self._add_slides(b, limits, frame)
        if bone.order is None:
            turn_joints = self._add_corrections(bone, frame)
        else:
            # The frame so far has the animated orientation; absolute angles start before it.
            frame.turn_by(quaternion_inverse(self._source.rotation[:, b]))
            turn_joints = self._add_angles(bone, frame)
        if frame.pending:  # children of the bone are in its own frame, including locked axes
            name = f"{self._skeleton.names[b]}, locked"
            self._add_joint(frame, name, "revolute", AXIS_VECTORS["Y"], self._zero, (0.0, 0.0), 0.0)
        self._carrier[b] = str(frame.joint)
        self._places.append(Place(b, first, len(self._joints) - 1, carrier))
        if b in self._attached_to:
            self._attached.append((b, len(self._joints) - 1))
        self._bones.append(
            MovingBone(
                b,
                tuple(turn_joints),
                tuple(slide_joints),
                bone.order,
                limits.slide_limited,
                bone.axes,
            )
        )

    def add_tips(self, tips: Sequence[TipPlace]) -> None:
        """Add tips to the bones, which are all there."""
        bones = [self._skeleton.index[tip.bone] for tip in tips]
        carriers = [b if b in self._row else self._carrying_bone(b) for b in bones]
        matrix = self._matrices(bones)
        offsets = np.array([tip.offset for tip in tips], float).reshape(-1, 3, 1)
        points = (matrix[..., :3, :3] @ offsets)[..., 0] + matrix[..., :3, 3]
        place, turn = self._against(carriers, points, bone_orientation(matrix))
        for k, (tip, b, carrier) in enumerate(zip(tips, bones, carriers, strict=True)):
            self._add_tip(tip, b, carrier, self._frame(b, carrier, place[:, k], turn[:, k]))

    def _add_tip(self, tip: TipPlace, b: int, carrier: int, frame: JointFrame) -> None:
        own_joint = tip.own_joint or self._sheared or b not in self._row
        if not own_joint and frame.is_still():
            self._tips.append(
                Tip(
                    tip.name,
                    frame.joint,
                    tuple(frame.place[0].tolist()),
                    tuple(frame.turn[0].tolist()),
                )
            )
            return
        # Bones that move relative to their carrier over the frames get a fixed joint.
        name, joint = place_name(tip.name), len(self._joints)
        self._places.append(Place(b, joint, joint, carrier, tip.offset))
        self._add_joint(frame, name, "prismatic", AXIS_VECTORS["Y"], self._zero, (0.0, 0.0), 0.0)
        self._tips.append(Tip(tip.name, name))

    def model(self, like: KinematicTree | None) -> JointModel:
        """The finished model; see `build_joints`."""
        frames, count = len(self._clip.frames), len(self._joints)
        rotation = np.stack(self._rest_rotation, 1) if count else np.empty((frames, 0, 4))
        position = np.stack(self._rest_position, 1) if count else np.empty((frames, 0, 3))
        values = np.stack(self._values, 1) if count else np.empty((frames, 0))
        tree = KinematicTree(self._joints, self._tips, like)
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

    def _matrices(self, bones: Sequence[int]) -> Floats:
        """World matrices of bones in the source; (f, m, 4, 4)."""
        return self._clip.world_poses(bones)

    def _against(
        self, carriers: Sequence[int], place: Floats, turn: Floats
    ) -> tuple[Floats, Floats]:
        """Places (f, m, 3) and orientations (f, m, 4) as seen from carriers, -1 for the world."""
        place, turn = place.copy(), turn.copy()
        carried = [k for k, carrier in enumerate(carriers) if carrier >= 0]
        rows = [self._row[carriers[k]] for k in carried]
        back = quaternion_inverse(self._turned[:, rows])
        place[:, carried] = rotated(back, place[:, carried] - self._heads[:, rows])
        turn[:, carried] = quaternion_product(back, turn[:, carried])
        return place, turn

    def _frame(self, b: int, carrier: int, place: Floats, turn: Floats) -> JointFrame:
        """A frame on a bone, against the bone that carries it."""
        return JointFrame(self._carrier.get(carrier), place, turn, carrier < 0 and self._floats(b))

    def _can_turn(self, bone: WantedBone) -> bool:
        if bone.order is None:
            return True
        self._eulers[bone.index] = self._source_angles(bone.index, bone.order, bone.limits)
        return bool(self._free_angles(bone))

    def _free_angles(self, bone: WantedBone) -> list[str]:
        """Axes of a bone's Euler angles that may change."""
        turning = turning_axes(self._eulers[bone.index], str(bone.order), bone.axes)
        return [axis for axis in turning if not bone.limits.turn_locked[AXIS_NUMBERS[axis]]]

    def _can_slide(self, bone: WantedBone, carrier: int) -> bool:
        if not bone.slides or self._skeleton.connected[bone.index] or all(bone.limits.slide_locked):
            return False
        floats = carrier < 0 and self._floats(bone.index)
        return not floats and self._location_axes(bone.index) is not None

    def _location_axes(self, b: int) -> Floats | None:
        """Axes (f, 3, 3) in the world that a bone's location counts along, if they have a size."""
        axes = self._clip.world[:, :3, :3] @ location_axes(self._skeleton, b, self._clip.pose)
        return axes if np.linalg.norm(axes, axis=-2).all() else None

    def _carrying_bone(self, b: int) -> int:
        """The nearest moving bone above that turns this one, or -1."""
        if self._attached_to.get(b) in self._row:
            return self._attached_to[b]
        while self._skeleton.inherit_rotation[b]:
            b = int(self._skeleton.parent[b])
            if b < 0 or b in self._row:
                return b
        return -1

    def _floats(self, b: int) -> bool:
        """Whether moving bones carry this one along that do not turn it."""
        return any(above in self._row for above in bones_above(self._skeleton, b))

    def _add_slides(self, b: int, limits: BoneLimits, frame: JointFrame) -> list[tuple[str, int]]:
        name, axes = self._skeleton.names[b], self._location_axes(b)
        if axes is None:
            return []  # hangs in a bone of no size: its location does nothing
        scale = np.linalg.norm(axes, axis=-2)
        scale[:, 2] *= np.sign(np.linalg.det(axes))
        self._location_scale[b] = scale
        location = self._source.location[:, b] * scale
        along = quaternion_from_matrix3(orthonormal(axes))
        # From the bone's animated frame to that of its location channels, and back afterwards.
        there = quaternion_product(quaternion_inverse(self._turned[:, self._row[b]]), along)
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
            values, bounds = np.zeros(len(location)), (-limits.slide_most, limits.slide_most)
            if limits.slide_limited:
                values = location[:, k]
                ends = np.sort(np.outer(scale[:, k], limits.slide[k]), axis=-1)
                # If the scale is animated, the limits that hold in all frames.
                bounds = self._widen(name, (ends[:, 0].max(), ends[:, 1].min()), values)
            joint = self._add_joint(
                frame,
                slide_name(name, axis),
                "prismatic",
                AXIS_VECTORS[axis],
                values,
                bounds,
                limits.slide_stiffness,
            )
            joints.append((axis, joint))
        frame.turn_by(quaternion_inverse(there))
        return joints

    def _add_corrections(self, bone: WantedBone, frame: JointFrame) -> list[tuple[str, int]]:
        name, bounds = self._skeleton.names[bone.index], (-bone.most, bone.most)
        joints = []
        for k, (label, axis) in enumerate(zip("XYZ", bone.axes, strict=False)):
            joint = self._add_joint(
                frame,
                turn_name(name, label),
                "revolute",
                axis,
                self._zero,
                bounds,
                bone.limits.stiffness[k],
            )
            joints.append((label, joint))
        return joints

    def _add_angles(self, bone: WantedBone, frame: JointFrame) -> list[tuple[str, int]]:
        b, limits, name = bone.index, bone.limits, self._skeleton.names[bone.index]
        angles, free = self._eulers[b], self._free_angles(bone)
        joints = []
        for axis in reversed(str(bone.order)):  # angles turn about the last axis of the order first
            k = AXIS_NUMBERS[axis]
            if axis not in free:
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
        """The source's Euler angles: of the equivalent sets, the one within limits."""
        mode = self._skeleton.rotation_mode[b]
        start = self._clip.rotation_channels[0, b, :3] if mode == order else None
        one = continuous_eulers(self._source.rotation[:, b], order, start)
        other = one + np.pi
        middle = EULER_AXES[order][1]
        other[:, middle] = np.pi - one[:, middle]
        one, other = _into_ranges(one, limits.turn), _into_ranges(other, limits.turn)
        return other if _excess(other, limits) < _excess(one, limits) else one

    def _widen(self, bone: str, bounds: tuple[float, float], values: Floats) -> tuple[float, float]:
        """Limits that the animation itself respects."""
        low, high = float(values.min(initial=np.inf)), float(values.max(initial=-np.inf))
        if low < bounds[0] - 1e-6 or high > bounds[1] + 1e-6:
            self._widened.append(bone)
        return min(bounds[0], low), max(bounds[1], high)

    def _add_joint(
        self,
        frame: JointFrame,
        name: str,
        kind: str,
        axis: Vector,
        values: Floats,
        bounds: tuple[float, float],
        stiffness: float,
    ) -> int:
        """Add a joint at the frame; the frame is then carried by the joint."""
        self._floating = self._floating or frame.floats
        self._joints.append(
            Joint(
                name,
                frame.joint,
                kind,  # type: ignore[arg-type]
                axis,
                tuple(frame.place[0].tolist()),
                tuple(frame.turn[0].tolist()),
                bounds[0],
                bounds[1],
                stiffness,
            )
        )
        self._rest_position.append(frame.place)
        self._rest_rotation.append(frame.turn)
        self._values.append(values)
        frame.start_at(name, self._here, self._unturned)
        return len(self._joints) - 1


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
    if (size.max(axis=-1) == 0.0).any():
        raise RigError("The armature object has zero scale: set its scale.")
    if (np.linalg.det(axes) <= 0.0).any():
        raise RigError("The armature object is mirrored or flattened: apply its scale.")
    uneven = np.ptp(size, axis=-1) > UNEVEN * size.max(axis=-1)
    straight = np.abs(np.swapaxes(axes, -1, -2) @ axes - np.eye(3) * size[:, None] ** 2)
    if uneven.any() or (straight.max(axis=(-1, -2)) > UNEVEN * size.max(axis=-1) ** 2).any():
        raise RigError(
            "The armature object has non-uniform scale or shear: apply its scale (Ctrl A), or "
            "scale it uniformly."
        )
