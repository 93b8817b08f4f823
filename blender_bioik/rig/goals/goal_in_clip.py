"""A goal over the frames of a clip, as goal types see it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...goal_types.vectors import SHORT, turned_towards
from ...solver import Goal, Track
from ..clip.bone_frames import bone_orientation, rotated
from ..clip.sampling import Clip
from ..errors import RigError
from ..joints.joint_model import AXIS_NUMBERS, JointModel, place_name
from ..transforms import (
    Floats,
    blended_quaternion,
    quaternion_from_euler,
    quaternion_product,
)
from .goal_bones import SkeletonOfGoal

if TYPE_CHECKING:
    from .tracks import PlannedGoal


def tip_name(number: int, part: str = "") -> str:
    """The solver's name of a point of the goal with that number."""
    return f"goal {number} {part}".strip()


class ClipOfGoal(SkeletonOfGoal):
    """See `goal_types.views.GoalInClip`."""

    def __init__(self, model: JointModel, clip: Clip, plan: PlannedGoal, number: int) -> None:
        """Of the goal with that number among those that are solved together."""
        super().__init__(model.skeleton, plan.goal)
        self.model, self.clip, self.plan, self.number = model, clip, plan, number
        self.label = plan.label
        self.tree = model.tree
        self.tip = tip_name(number)
        self.influence = plan.influence
        tolerance = self.goal.tolerance_angle if self.goal.kind.angle else self.goal.tolerance
        self.tolerance: float | None = None if self.goal.is_soft else float(tolerance)
        # A goal with zero influence is left out; any other has its full weight.
        self.weight = np.where(plan.influence > 0.0, float(self.goal.weight), 0.0)

    def tip_of(self, part: str) -> str:
        """The solver's name of one of its points."""
        return tip_name(self.number, part)

    def mass_joint(self, part: str) -> str:
        """The solver's name of a joint, which cannot move, at a point that has mass."""
        return place_name(self.tip_of(part))

    def track(self, goal: Goal, **fields: Any) -> Track:
        """The solver's goal with those of its fields that change over the frames."""
        return Track(goal, {**fields, "weight": fields.get("weight", self.weight)})

    def source_point(self) -> Floats:
        """Where the source has its own point; (f, 3)."""
        goal = self.goal
        along = goal.head_tail * self.length(goal.bone)
        x, y, z = goal.offset
        local = np.array([x, y + along, z]) if "offset" in goal.kind.uses else np.zeros(3)
        matrix = self._matrix(goal.bone)
        return np.asarray(matrix[:, :3, :3] @ local + matrix[:, :3, 3])

    def target_point(self) -> Floats:
        """Where its `point` is, by its target; (f, 3)."""
        target = self.plan.target
        return np.asarray(target[:, :3, :3] @ np.array(self.goal.point) + target[:, :3, 3])

    def blended_point(self) -> Floats:
        """The source's point blended to the target's by the influence; (f, 3)."""
        source = self.source_point()
        return source + self.influence[:, None] * (self.target_point() - source)

    def bone_points(self, bone: str, along: float) -> Floats:
        """Where the source has a point of a bone, from its head (0) to its tail (1); (f, 3)."""
        local = [0.0, along * self.length(bone), 0.0, 1.0]
        return np.asarray((self._matrix(bone) @ local)[:, :3])

    def world_length(self, bone: str) -> float:
        """Mean length of a bone in the source, as its armature and its parents scale it."""
        size = float(np.linalg.norm(self._matrix(bone)[:, :3, 1], axis=-1).mean())
        return self.length(bone) * size

    def bone_axis(self, axis: Iterable[float]) -> Floats:
        """Where the source turns an axis of the goal's bone to; (f, 3)."""
        turn = bone_orientation(self._matrix(self.goal.bone))
        return rotated(turn, np.tile(np.array(tuple(axis)), (len(self.influence), 1)))

    def source_axis(self) -> Floats:
        """Where the source turns its `axis` to, of length one; (f, 3)."""
        return self.bone_axis(np.array(self.goal.axis) / np.linalg.norm(self.goal.axis))

    def direction(self) -> Floats:
        """Its `direction`, by its target, of length one; (f, 3)."""
        turned = self.plan.target[:, :3, :3] @ np.array(self.goal.direction)
        return turned / np.maximum(np.linalg.norm(turned, axis=-1, keepdims=True), SHORT)

    def aimed(self, wanted: Floats) -> Floats:
        """The source's axis blended to wanted directions by the influence; (f, 3)."""
        return turned_towards(self.source_axis(), wanted, self.influence)

    def blended_rotation(self) -> Floats:
        """The bone's rotation blended to its target's by the influence, wxyz; (f, 4)."""
        wanted = quaternion_product(
            bone_orientation(self.plan.target),
            quaternion_from_euler(np.array(self.goal.rotation), "XYZ"),
        )
        source = bone_orientation(self._matrix(self.goal.bone))
        return blended_quaternion(source, wanted, self.influence)

    def part_way(self, source: Floats, wanted: Floats | float) -> Floats:
        """The source's numbers blended to wanted ones by the influence; (f,)."""
        return source + self.influence * (wanted - source)

    def channel(self, bone: str, axis: str) -> Floats:
        """A rotation channel of a bone in the source; (f,)."""
        return self.model.eulers[self.skeleton.index[bone]][:, AXIS_NUMBERS[axis]]

    def channel_joint(self, bone: str, axis: str) -> str:
        """The solver's name of the joint of a rotation channel.

        Raises:
            RigError: The channel is locked, or the bone does not move; names the goal.
        """
        name = self.model.joint_name(bone, axis)
        if name is None:
            raise RigError(
                f'The goal "{self.label}" needs the {axis} rotation of "{bone}", which is locked '
                "or not among the bones that may move: unlock it, or choose another bone."
            )
        return name

    def _matrix(self, bone: str) -> Floats:
        """World matrices of a bone in the source; (f, 4, 4)."""
        return self.clip.world_pose(self.skeleton.index[bone])
