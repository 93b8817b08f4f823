"""Positions of goals and their targets in the current frame, for the overlay.

Reads Blender's evaluated data only, without the solver, because it runs at every redraw.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import bpy
from mathutils import Matrix, Vector

from ..report.goal_errors import GoalError, error_of

if TYPE_CHECKING:
    from ...properties.goal import BioIKGoal


class GoalPlace(NamedTuple):
    """A goal in world space, metres.

    Attributes:
        start: The point of the bone that the goal controls, None if it controls no point.
        end: Where that point should be, or what it aims at.
        error: Error of the last solve, None if it was not solved yet.
        tolerance: Error up to which it counts as reached, in the error's unit.
    """

    start: Vector | None
    end: Vector
    error: GoalError | None
    tolerance: float


def goal_places(armature_object: bpy.types.Object, frame: float) -> list[GoalPlace]:
    """Places of an armature's goals that are solved at a frame and can be shown."""
    found = []
    for goal in armature_object.bioik.goals:
        kind = goal.kind
        if kind.ends is None or not _acts(goal, frame):
            continue
        bone = armature_object.pose.bones.get(goal.bone)
        if bone is None and "bone" in kind.uses:
            continue
        target = target_matrix(goal)
        if target is None:
            continue
        ends = kind.ends(_Posed(goal, bone, armature_object.matrix_world, target))
        if ends is not None:
            start, end = ends
            error = error_of(armature_object, goal.name)
            found.append(GoalPlace(start, end, error, _tolerance(goal)))
    return found


def target_matrix(goal: BioIKGoal) -> Matrix | None:
    """World matrix of a goal's target, None if its bone is missing; without a target the world."""
    if goal.target is None:
        return Matrix()
    matrix = goal.target.matrix_world
    if goal.subtarget:
        bones = goal.target.pose.bones if goal.target.pose else {}
        bone = bones.get(goal.subtarget)
        if bone is None:
            return None
        matrix = matrix @ bone.matrix
    if "use_target_rotation" in goal.kind.uses and not goal.use_target_rotation:
        return Matrix.Translation(matrix.translation)
    return matrix


def _acts(goal: BioIKGoal, frame: float) -> bool:
    """Whether a goal is solved at a frame."""
    if not goal.enabled or goal.weight <= 0.0 or goal.influence <= 0.0:
        return False
    first, last = goal.frame_start - goal.blend_in, goal.frame_end + goal.blend_out
    return not goal.use_frame_range or first <= frame <= last


def _tolerance(goal: BioIKGoal) -> float:
    """In millimetres or degrees."""
    return goal.tolerance_angle * 57.29578 if goal.kind.angle else goal.tolerance * 1000.0


class _Posed:
    """See `goal_types.views.GoalInPose`."""

    def __init__(
        self, goal: BioIKGoal, bone: bpy.types.PoseBone | None, world: Matrix, target: Matrix
    ) -> None:
        # Types without a bone do not use this.
        self._bone: Any = bone
        self.goal, self._world, self._target = goal, world, target
        self.follows = goal.target is not None

    @property
    def head(self) -> Vector:
        """Head of its bone."""
        return self._world @ self._bone.head

    @property
    def tail(self) -> Vector:
        """Tail of its bone."""
        return self._world @ self._bone.tail

    def point(self) -> Vector:
        """Its own point on the bone."""
        local = Vector(self.goal.offset)
        local.y += self.goal.head_tail * self._bone.bone.length
        return self._world @ (self._bone.matrix @ local)

    def target_point(self) -> Vector:
        """Where its `point` is, by its target."""
        return self._target @ Vector(self.goal.point)

    def direction(self) -> Vector:
        """Its `direction`, by its target, of length one."""
        return (self._target.to_3x3() @ Vector(self.goal.direction)).normalized()

    def bone_head(self, bone: str) -> Vector | None:
        """Head of another bone of the armature, None if there is no such bone."""
        other = self.goal.id_data.pose.bones.get(bone)
        return None if other is None else self._world @ other.head
