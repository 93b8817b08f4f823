"""Where goals and what they want are in the present frame, for the overlay to draw.

Reads what Blender has evaluated already, and needs nothing of the solver: it is asked at every
redraw.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import bpy
from mathutils import Matrix, Vector

from ..report.goal_errors import GoalError, error_of

if TYPE_CHECKING:
    from ...properties.goal import BioIKGoal


class GoalPlace(NamedTuple):
    """A goal in world space, metres.

    Attributes:
        start: The point of the bone that the goal is about, None if it is about no point.
        end: Where that point is wanted, or what it aims at.
        error: What the last solve left of the goal, None if it was not solved yet.
        tolerance: Up to what error it counts as reached, in the error's unit.
    """

    start: Vector | None
    end: Vector
    error: GoalError | None
    tolerance: float


def goal_places(armature_object: bpy.types.Object, frame: float) -> list[GoalPlace]:
    """Places of an armature's goals that are solved at a frame and can be shown."""
    found = []
    for goal in armature_object.bioik.goals:
        if goal.type not in _ENDS or not _acts(goal, frame):
            continue
        bone = armature_object.pose.bones.get(goal.bone)
        if bone is None and goal.type not in BONELESS:
            continue
        target = target_matrix(goal)
        if target is None:
            continue
        ends = _ENDS[goal.type](goal, bone, armature_object.matrix_world, target)
        if ends is not None:
            found.append(GoalPlace(*ends, error_of(armature_object, goal.name), _tolerance(goal)))
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


Ends = tuple[Vector | None, Vector]


def _tip(goal: BioIKGoal, bone: bpy.types.PoseBone, world: Matrix) -> Vector:
    """The point on the bone that the goal is about."""
    local = Vector(goal.offset)
    local.y += goal.head_tail * bone.bone.length
    return world @ (bone.matrix @ local)


def _to_point(goal: BioIKGoal, bone: bpy.types.PoseBone, world: Matrix, target: Matrix) -> Ends:
    return _tip(goal, bone, world), target @ Vector(goal.point)


def _to_other(goal: BioIKGoal, bone: bpy.types.PoseBone, world: Matrix, target: Matrix) -> Ends:
    other = goal.id_data.pose.bones.get(goal.other_bone)
    if other is None:
        return _to_point(goal, bone, world, target)
    return _tip(goal, bone, world), world @ other.head


def _bend(goal: BioIKGoal, bone: bpy.types.PoseBone, world: Matrix, target: Matrix) -> Ends:
    return world @ bone.head, target @ Vector(goal.point)


def _along(goal: BioIKGoal, bone: bpy.types.PoseBone, world: Matrix, target: Matrix) -> Ends:
    """A direction, as long as the bone."""
    head, tail = world @ bone.head, world @ bone.tail
    return head, head + _direction(goal, target) * (tail - head).length


def _to_plane(goal: BioIKGoal, bone: bpy.types.PoseBone, world: Matrix, target: Matrix) -> Ends:
    start, normal = _tip(goal, bone, world), _direction(goal, target)
    return start, start - normal * (start - target @ Vector(goal.point)).dot(normal)


def _to_line(goal: BioIKGoal, bone: bpy.types.PoseBone, world: Matrix, target: Matrix) -> Ends:
    start, through = _tip(goal, bone, world), target @ Vector(goal.point)
    along = _direction(goal, target)
    return start, through + along * (start - through).dot(along)


def _to_touch(goal: BioIKGoal, bone: bpy.types.PoseBone, world: Matrix, target: Matrix) -> Ends:
    """The lower end of the bone, and the plane below it."""
    normal, through = _direction(goal, target), target @ Vector(goal.point)
    start = min((world @ bone.head, world @ bone.tail), key=lambda end: end.dot(normal))
    return start, start - normal * ((start - through).dot(normal) - goal.radius)


def _at_target(goal: BioIKGoal, _bone: object, _world: Matrix, target: Matrix) -> Ends | None:
    return None if goal.target is None else (None, target @ Vector(goal.point))


def _direction(goal: BioIKGoal, target: Matrix) -> Vector:
    return (target.to_3x3() @ Vector(goal.direction)).normalized()


# Kinds that are about no bone, or about no point of it.
BONELESS = ("BALANCE",)
# Kinds of goals that have a place, and where that is; the others are about angles of joints.
_ENDS: dict[str, Callable[..., Ends | None]] = {
    "POSITION": _to_point,
    "ORIENTATION": _at_target,
    "LOOK_AT": _to_point,
    "LOCKED_LOOK_AT": _to_point,
    "DIRECTION": _along,
    "CONE": _along,
    "PLANE": _to_plane,
    "LINE": _to_line,
    "TOUCH": _to_touch,
    "ABOVE": _to_plane,
    "DISTANCE": _to_other,
    "MAX_DISTANCE": _to_other,
    "POLE": _bend,
    "BALANCE": _at_target,
}
