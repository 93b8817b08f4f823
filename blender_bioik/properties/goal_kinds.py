"""The kinds of goals an animator can choose from, and which properties each of them uses."""

from dataclasses import dataclass


@dataclass(frozen=True)
class GoalKind:
    """One kind of goal.

    Attributes:
        identifier: Value of the goal's `type`.
        label: What the animator reads.
        description: Tooltip: what the goal does to the motion.
        icon: Blender's name of an icon.
        uses: Names of the properties that matter to it, in the order they are shown.
        angle: Whether its error and tolerance are an angle.
        soft: Whether it is a preference that never counts as missed.
        weight: Weight of a new goal; low where it is about all joints, which others must outweigh.
    """

    identifier: str
    label: str
    description: str
    icon: str
    uses: tuple[str, ...] = ()
    angle: bool = False
    soft: bool = False
    weight: float = 1.0


_ON_BONE = ("bone", "head_tail", "offset")
_AT_TARGET = ("target", "subtarget", "point")

GOAL_KINDS: tuple[GoalKind, ...] = (
    GoalKind(
        "POSITION",
        "Position",
        "Bring a point of a bone to the target",
        "EMPTY_ARROWS",
        (*_ON_BONE, *_AT_TARGET),
    ),
    GoalKind(
        "ORIENTATION",
        "Orientation",
        "Turn a bone as the target is turned",
        "ORIENTATION_GIMBAL",
        ("bone", "target", "subtarget", "rotation"),
        angle=True,
    ),
    GoalKind(
        "LOOK_AT",
        "Look At",
        "Point a bone's axis at the target",
        "HIDE_OFF",
        (*_ON_BONE, "axis", *_AT_TARGET),
        angle=True,
    ),
    GoalKind(
        "LOCKED_LOOK_AT",
        "Locked Look At",
        "Point a bone's axis at the target as far as a turn about another of its axes can",
        "CON_LOCKTRACK",
        (*_ON_BONE, "axis", "lock_axis", *_AT_TARGET),
        angle=True,
    ),
    GoalKind(
        "DIRECTION",
        "Direction",
        "Keep a bone's axis along a direction",
        "EMPTY_SINGLE_ARROW",
        ("bone", "axis", "target", "subtarget", "direction"),
        angle=True,
    ),
    GoalKind(
        "CONE",
        "Cone",
        "Keep a bone's axis within an angle of a direction",
        "CONE",
        ("bone", "axis", "target", "subtarget", "direction", "angle"),
        angle=True,
    ),
    GoalKind(
        "PLANE",
        "Plane",
        "Keep a point of a bone on a plane through the target",
        "MESH_PLANE",
        (*_ON_BONE, *_AT_TARGET, "direction"),
    ),
    GoalKind(
        "LINE",
        "Line",
        "Keep a point of a bone on a line through the target",
        "IPO_LINEAR",
        (*_ON_BONE, *_AT_TARGET, "direction"),
    ),
    GoalKind(
        "TOUCH",
        "Touch",
        "Let the lowest end of a bone touch a plane through the target",
        "SNAP_FACE",
        ("bone", "radius", *_AT_TARGET, "direction"),
    ),
    GoalKind(
        "ABOVE",
        "Keep Above",
        "Keep a point of a bone above a plane through the target",
        "CON_FLOOR",
        (*_ON_BONE, *_AT_TARGET, "direction", "use_target_rotation"),
    ),
    GoalKind(
        "DISTANCE",
        "Keep Away",
        "Keep a point of a bone at least this far from the target, or from another bone",
        "DRIVER_DISTANCE",
        (*_ON_BONE, "other_bone", *_AT_TARGET, "distance", "activation"),
    ),
    GoalKind(
        "MAX_DISTANCE",
        "Keep Near",
        "Keep a point of a bone at most this far from the target, or from another bone",
        "FIXED_SIZE",
        (*_ON_BONE, "other_bone", *_AT_TARGET, "distance"),
    ),
    GoalKind(
        "POLE",
        "Pole",
        "Bend the knee or elbow at a bone's head towards the target",
        "CON_KINEMATIC",
        ("bone", *_AT_TARGET),
        angle=True,
        soft=True,
    ),
    GoalKind(
        "BALANCE",
        "Balance",
        "Keep the centre of mass over the target, or over the middle of the feet",
        "CON_PIVOT",
        ("target", "subtarget", "point"),
    ),
    GoalKind(
        "JOINT_VALUE",
        "Joint Value",
        "Keep one rotation channel of a bone at an angle",
        "DRIVER_ROTATIONAL_DIFFERENCE",
        ("bone", "joint_axis", "angle_value"),
        angle=True,
    ),
    GoalKind(
        "JOINT_FUNCTION",
        "Joint Coupling",
        "Let one rotation channel of a bone follow another bone's",
        "LINKED",
        ("bone", "joint_axis", "other_bone", "other_axis", "ratio", "angle_value"),
        angle=True,
    ),
    GoalKind(
        "DISPLACEMENT",
        "Stay",
        "Stay near the animated pose, or near the previous frame's",
        "CON_TRANSLIKE",
        ("reference",),
        soft=True,
        weight=0.01,
    ),
    GoalKind(
        "CENTRE_JOINTS",
        "Centre Joints",
        "Prefer the middle of the joints' limits",
        "ALIGN_CENTER",
        soft=True,
        weight=0.01,
    ),
    GoalKind(
        "AVOID_LIMITS",
        "Avoid Limits",
        "Prefer to stay clear of the joints' limits",
        "CON_ROTLIMIT",
        soft=True,
        weight=0.01,
    ),
)

KIND_OF: dict[str, GoalKind] = {kind.identifier: kind for kind in GOAL_KINDS}
