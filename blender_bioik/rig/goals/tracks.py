"""The armature's goals as tracks of the solver: where each goal's target is in every frame.

A goal's influence is how far its target is from where the animation has the bone, so that half an
influence is half way. What is a preference by nature, such as staying near the animation, counts
by its influence instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...properties.goal_names import goal_label
from ...solver import (
    Above,
    AvoidLimits,
    Balance,
    CentreJoints,
    Cone,
    Direction,
    Displacement,
    Distance,
    Goal,
    JointFunction,
    JointValue,
    Line,
    LockedLookAt,
    LookAt,
    MaxDistance,
    Orientation,
    Plane,
    Pole,
    Position,
    Touch,
    Track,
)
from ..clip.bone_frames import bone_orientation, rotated
from ..clip.sampling import Clip, Target
from ..clip.skeleton import Skeleton
from ..errors import RigError
from ..joints.joint_model import AXIS_NUMBERS, JointModel, TipPlace, place_name
from ..joints.masses import segment_masses, standing_bones
from ..transforms import (
    Floats,
    blended_quaternion,
    quaternion_from_euler,
    quaternion_product,
)

if TYPE_CHECKING:
    from ...properties.goal import BioIKGoal

# Kinds of goals about angles of bones, which must then be what is solved for.
ANGLE_GOALS = ("JOINT_VALUE", "JOINT_FUNCTION")
# Directions shorter than this have no direction.
SHORT = 1e-12
# Keeping away begins to push at least this far from the least distance, metres.
NARROWEST_MARGIN = 2e-3


@dataclass(frozen=True, eq=False)
class PlannedGoal:
    """A goal with what was read for it.

    Attributes:
        goal: The goal on the armature.
        label: Its name for reports.
        influence: How far it is followed in each frame, 0 to 1; (f,).
        target: World matrix of its target in each frame; (f, 4, 4).
    """

    goal: BioIKGoal
    label: str
    influence: Floats
    target: Floats


def enabled_goals(goals: Iterable[BioIKGoal]) -> list[BioIKGoal]:
    """Goals that are switched on and count for something."""
    return [goal for goal in goals if goal.enabled and goal.weight > 0.0]


def check_goals(skeleton: Skeleton, goals: Sequence[BioIKGoal]) -> None:
    """Refuse goals that cannot be solved.

    Raises:
        RigError: Names the goal and what to do.
    """
    for goal in goals:
        uses, label = goal.kind.uses, goal_label(goal)
        if "bone" in uses and goal.bone not in skeleton.index:
            missing = f'the bone "{goal.bone}", which is not there' if goal.bone else "no bone"
            raise RigError(f'The goal "{label}" has {missing}: choose a bone of the armature.')
        if "other_bone" in uses and goal.other_bone and goal.other_bone not in skeleton.index:
            raise RigError(
                f'The goal "{label}" refers to the other bone "{goal.other_bone}", which does not '
                "exist: choose a bone of the armature."
            )
        if goal.type == "JOINT_FUNCTION" and not goal.other_bone:
            raise RigError(f'The goal "{label}" has no other bone: choose the bone to follow.')
        if goal.type == "POLE" and skeleton.parent[skeleton.index[goal.bone]] < 0:
            raise RigError(
                f'The bone "{goal.bone}" of the goal "{label}" has no parent to bend against: '
                "choose the lower bone of the limb."
            )
        for name in ("axis", "lock_axis", "direction"):
            if name in uses and np.linalg.norm(getattr(goal, name)) < SHORT:
                raise RigError(f'The {name} of the goal "{label}" is a zero vector: set it.')
        if "lock_axis" in uses and np.linalg.norm(np.cross(goal.axis, goal.lock_axis)) < SHORT:
            raise RigError(
                f'The axis and the lock axis of the goal "{label}" are parallel: choose another '
                "lock axis."
            )
        if goal.use_frame_range and goal.frame_end < goal.frame_start:
            raise RigError(
                f'The goal "{label}" ends at frame {goal.frame_end}, before it starts at frame '
                f"{goal.frame_start}: choose a later end frame."
            )
        if goal.type == "BALANCE" and goal.target is None and not standing_bones(skeleton):
            raise RigError(
                f'The goal "{label}" has no target, and no feet were detected to balance over: '
                "choose a target."
            )


def targets_of(goals: Sequence[BioIKGoal]) -> list[Target]:
    """What must be sampled for goals, in their order, without those that have no target."""
    return [(goal.target, goal.subtarget or None) for goal in goals if _has_target(goal)]


def plan_goals(
    goals: Sequence[BioIKGoal], frames: Floats, targets: Floats, influence: Sequence[Floats]
) -> list[PlannedGoal]:
    """Join goals with their sampled targets (k, f, 4, 4) and animated influences (f,)."""
    matrices = iter(targets)
    return [
        PlannedGoal(
            goal,
            goal_label(goal),
            values * range_weights(goal, frames),
            _target_frames(goal, next(matrices)) if _has_target(goal) else _world_frames(frames),
        )
        for goal, values in zip(goals, influence, strict=True)
    ]


def _target_frames(goal: BioIKGoal, matrices: Floats) -> Floats:
    """What a goal follows of its target's world matrices (f, 4, 4)."""
    if goal.use_target_rotation or "use_target_rotation" not in goal.kind.uses:
        return matrices
    placed = np.tile(np.eye(4), (len(matrices), 1, 1))
    placed[:, :3, 3] = matrices[:, :3, 3]
    return placed


def _world_frames(frames: Floats) -> Floats:
    return np.tile(np.eye(4), (len(frames), 1, 1))


def range_weights(goal: BioIKGoal, frames: Floats) -> Floats:
    """One inside a goal's frames, falling to zero over its blend frames on either side; (f,)."""
    if not goal.use_frame_range:
        return np.ones(len(frames))
    before = (frames - (goal.frame_start - goal.blend_in)) / max(goal.blend_in, 1e-9)
    after = ((goal.frame_end + goal.blend_out) - frames) / max(goal.blend_out, 1e-9)
    ramp = np.clip(np.minimum(before, after), 0.0, 1.0)
    inside = (frames >= goal.frame_start) & (frames <= goal.frame_end)
    ramp[inside] = 1.0
    return ramp * ramp * (3.0 - 2.0 * ramp)


def tip_places(skeleton: Skeleton, goals: Sequence[BioIKGoal]) -> list[TipPlace]:
    """The points on bones that goals are about."""
    places = []
    for number, goal in enumerate(goals):
        bone = skeleton.index.get(goal.bone, -1)
        length = float(skeleton.length[bone]) if bone >= 0 else 0.0
        if goal.type == "POLE":
            parent = skeleton.names[skeleton.parent[bone]]
            places += [
                TipPlace(_tip(number, "root"), parent),
                TipPlace(_tip(number, "middle"), goal.bone),
                TipPlace(_tip(number, "end"), goal.bone, (0.0, length, 0.0)),
            ]
        elif goal.type == "BALANCE":
            for name, share in segment_masses(skeleton).items():
                middle = (0.0, 0.5 * float(skeleton.length[skeleton.index[name]]), 0.0)
                if share > 0.0:
                    places.append(TipPlace(_tip(number, name), name, middle, own_joint=True))
        elif "bone" in goal.kind.uses and goal.type not in ANGLE_GOALS:
            x, y, z = goal.offset if "offset" in goal.kind.uses else (0.0, 0.0, 0.0)
            along = goal.head_tail * length if "head_tail" in goal.kind.uses else 0.0
            places.append(TipPlace(_tip(number), goal.bone, (x, y + along, z)))
        if goal.type in ("DISTANCE", "MAX_DISTANCE") and goal.other_bone:
            places.append(TipPlace(_tip(number, "other"), goal.other_bone))
    return places


def solver_tracks(
    model: JointModel, clip: Clip, planned: Sequence[PlannedGoal]
) -> list[Goal | Track]:
    """One track for each goal, in their order."""
    return [
        _MAKERS[plan.goal.type](_Maker(model, clip, plan, number))
        for number, plan in enumerate(planned)
    ]


class _Maker:
    """What the makers of tracks need to know of one goal."""

    def __init__(self, model: JointModel, clip: Clip, plan: PlannedGoal, number: int) -> None:
        self.model, self.clip, self.plan, self.goal = model, clip, plan, plan.goal
        self.number = number
        self.tip = _tip(number)
        self.influence = plan.influence
        tolerance = self.goal.tolerance_angle if self.goal.kind.angle else self.goal.tolerance
        self.tolerance: float | None = None if self.goal.is_soft else float(tolerance)
        # A goal that is not followed at all takes no part; one that is counts in full.
        self.weight = np.where(plan.influence > 0.0, float(self.goal.weight), 0.0)

    def track(self, goal: Goal, **fields: Any) -> Track:
        return Track(goal, {**fields, "weight": fields.get("weight", self.weight)})

    def matrix(self) -> Floats:
        """World matrices of the goal's bone in the source; (f, 4, 4)."""
        return self.clip.world @ self.clip.pose[:, self.model.skeleton.index[self.goal.bone]]

    def source_point(self) -> Floats:
        """Where the source has the goal's tip; (f, 3)."""
        skeleton, goal = self.model.skeleton, self.goal
        along = goal.head_tail * float(skeleton.length[skeleton.index[goal.bone]])
        x, y, z = goal.offset
        local = np.array([x, y + along, z]) if "offset" in goal.kind.uses else np.zeros(3)
        matrix = self.matrix()
        return np.asarray(matrix[:, :3, :3] @ local + matrix[:, :3, 3])

    def target_point(self) -> Floats:
        """The goal's point in the world; (f, 3)."""
        target = self.plan.target
        return np.asarray(target[:, :3, :3] @ np.array(self.goal.point) + target[:, :3, 3])

    def blended_point(self) -> Floats:
        """As far towards the target as the influence says."""
        source = self.source_point()
        return source + self.influence[:, None] * (self.target_point() - source)

    def direction(self) -> Floats:
        """The goal's direction in the world, of length one; (f, 3)."""
        turned = self.plan.target[:, :3, :3] @ np.array(self.goal.direction)
        return turned / np.maximum(np.linalg.norm(turned, axis=-1, keepdims=True), SHORT)

    def source_axis(self) -> Floats:
        """The aimed axis in the source, of length one; (f, 3)."""
        axis = np.array(self.goal.axis) / np.linalg.norm(self.goal.axis)
        return rotated(bone_orientation(self.matrix()), np.tile(axis, (len(self.influence), 1)))

    def other_point(self) -> Floats:
        """Where the source has the other end of a distance; (f, 3)."""
        if not self.goal.other_bone:
            return self.target_point()
        return self.bone_points(self.goal.other_bone, 0.0)

    def bone_points(self, bone: str, along: float) -> Floats:
        """Where the source has a point of a bone, from its head (0) to its tail (1); (f, 3)."""
        b = self.model.skeleton.index[bone]
        local = [0.0, along * float(self.model.skeleton.length[b]), 0.0, 1.0]
        return np.asarray((self.clip.world @ self.clip.pose[:, b] @ local)[:, :3])

    def part_way(self, source: Floats, wanted: Floats | float) -> Floats:
        """Numbers (f,) as far from the source's to the wanted ones as the influence says."""
        return source + self.influence * (wanted - source)

    def aimed(self, wanted: Floats) -> Floats:
        """Directions from the source's axis towards the wanted ones by the influence."""
        return _turned_towards(self.source_axis(), wanted, self.influence)


def _position(m: _Maker) -> Track:
    goal = Position(m.tip, (0.0, 0.0, 0.0), tolerance=m.tolerance)
    return m.track(goal, point=m.blended_point())


def _orientation(m: _Maker) -> Track:
    wanted = quaternion_product(
        bone_orientation(m.plan.target),
        quaternion_from_euler(np.array(m.goal.rotation), "XYZ"),
    )
    source = bone_orientation(m.matrix())
    goal = Orientation(m.tip, (1.0, 0.0, 0.0, 0.0), tolerance=m.tolerance)
    turned = blended_quaternion(source, wanted, m.influence)
    return m.track(goal, quaternion_wxyz=turned)


def _look_at(m: _Maker) -> Track:
    eye, target = m.source_point(), m.target_point()
    line = target - eye
    distance = np.linalg.norm(line, axis=-1, keepdims=True)
    wanted = line / np.maximum(distance, SHORT)
    point = target
    if (m.influence < 1.0).any():
        point = np.where(m.influence[:, None] >= 1.0, target, eye + distance * m.aimed(wanted))
    goal = LookAt(m.tip, (0.0, 0.0, 0.0), axis=tuple(m.goal.axis), tolerance=m.tolerance)
    return m.track(goal, point=point)


def _locked_look_at(m: _Maker) -> Track:
    axis, lock = tuple(m.goal.axis), tuple(m.goal.lock_axis)
    eye, target = m.source_point(), m.target_point()
    turn = bone_orientation(m.matrix())
    along = rotated(turn, np.tile(_unit(np.array([lock])), (len(eye), 1)))
    aimed = _unit(_across(rotated(turn, np.tile(axis, (len(eye), 1))), along))
    aside, height = _across(target - eye, along), np.sum((target - eye) * along, axis=-1)
    reach = np.linalg.norm(aside, axis=-1, keepdims=True)
    part = reach * _turned_towards(aimed, _unit(aside), m.influence) + height[:, None] * along
    goal = LockedLookAt(m.tip, (0.0, 0.0, 0.0), axis, lock, tolerance=m.tolerance)
    return m.track(goal, point=np.where(m.influence[:, None] >= 1.0, target, eye + part))


def _direction(m: _Maker) -> Track:
    goal = Direction(m.tip, (0.0, 0.0, 1.0), axis=tuple(m.goal.axis), tolerance=m.tolerance)
    return m.track(goal, direction=m.aimed(m.direction()))


def _cone(m: _Maker) -> Track:
    goal = Cone(
        m.tip,
        (0.0, 0.0, 1.0),
        float(m.goal.angle),
        axis=tuple(m.goal.axis),
        tolerance=m.tolerance,
    )
    direction, narrow = m.direction(), float(m.goal.angle)
    cosine = np.clip(np.sum(m.source_axis() * direction, axis=-1), -1.0, 1.0)
    angle = m.part_way(np.maximum(np.arccos(cosine), narrow), narrow)
    return m.track(goal, direction=direction, angle=angle)


def _plane(m: _Maker) -> Track:
    goal = Plane(m.tip, (0.0, 0.0, 0.0), tolerance=m.tolerance)
    return m.track(goal, point=m.blended_point(), normal=m.direction())


def _line(m: _Maker) -> Track:
    source, through, along = m.source_point(), m.target_point(), m.direction()
    off = source - through
    foot = through + along * np.sum(off * along, axis=-1, keepdims=True)
    goal = Line(m.tip, (0.0, 0.0, 0.0), (0.0, 0.0, 1.0), tolerance=m.tolerance)
    return m.track(goal, point=source + m.influence[:, None] * (foot - source), direction=along)


def _touch(m: _Maker) -> Track:
    skeleton = m.model.skeleton
    length = float(skeleton.length[skeleton.index[m.goal.bone]])
    size = float(np.linalg.norm(m.matrix()[:, :3, 1], axis=-1).mean())
    ends = np.array([[0.0, 0.0, 0.0], [0.0, length * size, 0.0]])
    normal = m.direction()
    # A thick bone touches a plane that lies its radius higher.
    point = m.target_point() + m.goal.radius * normal
    matrix = m.matrix()
    world = np.stack([matrix[:, :3, 3], (matrix @ [0.0, length, 0.0, 1.0])[:, :3]], axis=1)
    height = np.min(np.sum((world - point[:, None]) * normal[:, None], axis=-1), axis=1)
    point = point + ((1.0 - m.influence) * height)[:, None] * normal
    goal = Touch(m.tip, ends, (0.0, 0.0, 0.0), tolerance=m.tolerance)
    return m.track(goal, point=point, normal=normal)


def _above(m: _Maker) -> Track:
    normal, point = m.direction(), m.target_point()
    height = np.sum((m.source_point() - point) * normal, axis=-1)
    # What the source is below the plane goes away by the influence.
    point = point + ((1.0 - m.influence) * np.minimum(height, 0.0))[:, None] * normal
    goal = Above(m.tip, (0.0, 0.0, 0.0), tolerance=m.tolerance)
    # It counts in metres; other goals of places count in parts of their chain's length.
    tree = m.model.tree
    length = max(tree.chain_length(tree.tip_index(m.tip)), NARROWEST_MARGIN)
    return m.track(goal, point=point, normal=normal, weight=m.weight * (np.pi / length) ** 2)


def _other_end(m: _Maker) -> tuple[str | tuple[float, float, float], dict[str, Floats]]:
    if m.goal.other_bone:
        return _tip(m.number, "other"), {}
    return (0.0, 0.0, 0.0), {"point": m.target_point()}


def _distance(m: _Maker) -> Track:
    other, fields = _other_end(m)
    goal = Distance(m.tip, other, tolerance=m.tolerance)
    apart, wanted = np.linalg.norm(m.source_point() - m.other_point(), axis=-1), m.goal.distance
    minimum = m.part_way(np.minimum(apart, wanted), float(wanted))
    margin = np.maximum(m.influence * float(m.goal.activation), NARROWEST_MARGIN)
    return m.track(goal, minimum=minimum, activation=margin, **fields)


def _max_distance(m: _Maker) -> Track:
    other, fields = _other_end(m)
    goal = MaxDistance(m.tip, other, tolerance=m.tolerance)
    apart, wanted = np.linalg.norm(m.source_point() - m.other_point(), axis=-1), m.goal.distance
    maximum = m.part_way(np.maximum(apart, wanted), float(wanted))
    return m.track(goal, maximum=maximum, **fields)


def _pole(m: _Maker) -> Track:
    root, middle, end = (_tip(m.number, part) for part in ("root", "middle", "end"))
    goal = Pole(root, middle, end, (0.0, 0.0, 0.0), tolerance=m.tolerance)
    skeleton = m.model.skeleton
    parent = skeleton.names[skeleton.parent[skeleton.index[m.goal.bone]]]
    hip, knee, ankle = (
        m.bone_points(parent, 0.0),
        m.bone_points(m.goal.bone, 0.0),
        m.bone_points(m.goal.bone, 1.0),
    )
    along = _unit(ankle - hip)
    bend, wanted = _across(knee - hip, along), _across(m.target_point() - hip, along)
    reach = np.linalg.norm(wanted, axis=-1, keepdims=True)
    part = hip + reach * _turned_towards(_unit(bend), _unit(wanted), m.influence)
    return m.track(goal, point=np.where(m.influence[:, None] >= 1.0, m.target_point(), part))


def _balance(m: _Maker) -> Track:
    shares = {bone: s for bone, s in segment_masses(m.model.skeleton).items() if s > 0.0}
    masses = {place_name(_tip(m.number, bone)): share for bone, share in shares.items()}
    centre = sum(share * m.bone_points(bone, 0.5) for bone, share in shares.items())
    centre = np.asarray(centre) / sum(shares.values())
    goal = Balance(masses, tolerance=m.tolerance)
    return m.track(goal, point=centre + m.influence[:, None] * (_support(m) - centre))


def _support(m: _Maker) -> Floats:
    """What to balance over: the target, or the middle of the feet as animated; (f, 3)."""
    if m.goal.target is not None:
        return m.target_point()
    feet = [m.bone_points(bone, 0.5) for bone in standing_bones(m.model.skeleton)]
    return np.asarray(np.mean(feet, axis=0) + np.array(m.goal.point))


def _joint(m: _Maker, bone: str, axis: str) -> str:
    name = m.model.joint_name(bone, axis)
    if name is None:
        raise RigError(
            f'The goal "{m.plan.label}" needs the {axis} rotation of "{bone}", which is locked or '
            "not among the bones that may move: unlock it, or choose another bone."
        )
    return name


def _joint_value(m: _Maker) -> Track:
    bone, axis = m.goal.bone, m.goal.joint_axis
    goal = JointValue(_joint(m, bone, axis), 0.0, tolerance=m.tolerance)
    source, wanted = _source_angle(m, bone, axis), float(m.goal.angle_value)
    return m.track(goal, value=m.part_way(source, wanted + _turns_to(source, wanted)))


def _source_angle(m: _Maker, bone: str, axis: str) -> Floats:
    """A rotation channel in the source; (f,)."""
    return m.model.eulers[m.model.skeleton.index[bone]][:, AXIS_NUMBERS[axis]]


def _turns_to(source: Floats, wanted: Floats | float) -> Floats:
    """Whole turns that bring angles nearest to the source's; (f,)."""
    return np.asarray(2.0 * np.pi * np.round((source - wanted) / (2.0 * np.pi)))


def _joint_function(m: _Maker) -> Track:
    joint = _joint(m, m.goal.bone, m.goal.joint_axis)
    other = _joint(m, m.goal.other_bone, m.goal.other_axis)
    goal = JointFunction(joint, {other: float(m.goal.ratio)}, tolerance=m.tolerance)
    source = _source_angle(m, m.goal.bone, m.goal.joint_axis)
    followed = m.goal.ratio * _source_angle(m, m.goal.other_bone, m.goal.other_axis)
    # What the source is off the coupling goes away by the influence.
    off, wanted = source - followed, float(m.goal.angle_value)
    return m.track(goal, offset=m.part_way(off, wanted + _turns_to(off, wanted)))


def _displacement(m: _Maker) -> Track:
    reference = "source" if m.goal.reference == "SOURCE" else "previous"
    return m.track(Displacement(reference), weight=m.weight * m.influence)


def _centre_joints(m: _Maker) -> Track:
    return m.track(CentreJoints(), weight=m.weight * m.influence)


def _avoid_limits(m: _Maker) -> Track:
    return m.track(AvoidLimits(), weight=m.weight * m.influence)


_MAKERS: dict[str, Callable[[_Maker], Track]] = {
    "POSITION": _position,
    "ORIENTATION": _orientation,
    "LOOK_AT": _look_at,
    "LOCKED_LOOK_AT": _locked_look_at,
    "DIRECTION": _direction,
    "CONE": _cone,
    "PLANE": _plane,
    "LINE": _line,
    "TOUCH": _touch,
    "ABOVE": _above,
    "DISTANCE": _distance,
    "MAX_DISTANCE": _max_distance,
    "POLE": _pole,
    "BALANCE": _balance,
    "JOINT_VALUE": _joint_value,
    "JOINT_FUNCTION": _joint_function,
    "DISPLACEMENT": _displacement,
    "CENTRE_JOINTS": _centre_joints,
    "AVOID_LIMITS": _avoid_limits,
}


def _tip(number: int, part: str = "") -> str:
    return f"goal {number} {part}".strip()


def _has_target(goal: BioIKGoal) -> bool:
    return "target" in goal.kind.uses and goal.target is not None


def _unit(vectors: Floats) -> Floats:
    """Vectors (f, 3) of length one, or of none."""
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), SHORT)


def _across(vectors: Floats, axes: Floats) -> Floats:
    """The parts of vectors (f, 3) across axes of length one."""
    return vectors - axes * np.sum(vectors * axes, axis=-1, keepdims=True)


def _turned_towards(start: Floats, end: Floats, factor: Floats) -> Floats:
    """Directions part of the way from one to another along the arc between them; (f, 3)."""
    cosine = np.clip(np.sum(start * end, axis=-1), -1.0, 1.0)
    angle = np.arccos(cosine)
    sine = np.sin(angle)
    near = sine < 1e-6  # along a straight line the arc and its chord are the same
    safe = np.where(near, 1.0, sine)
    a = np.where(near, 1.0 - factor, np.sin((1.0 - factor) * angle) / safe)
    b = np.where(near, factor, np.sin(factor * angle) / safe)
    blend = a[:, None] * start + b[:, None] * end
    length = np.linalg.norm(blend, axis=-1, keepdims=True)
    return np.where(length < SHORT, end, blend / np.maximum(length, SHORT))
