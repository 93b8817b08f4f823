"""Goals for the place of a point on a bone: at a point, on a plane, on a line, above the ground."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .goal_type import AT_TARGET, ON_BONE, Ends, GoalType
from .setting import GoalSetting

if TYPE_CHECKING:
    from ..solver import Track
    from .views import GoalInClip, GoalInPose

# Chains count as at least this long, metres.
SHORTEST_CHAIN = 2e-3

RADIUS = GoalSetting(
    name="radius",
    label="Radius",
    description="Thickness of the bone around its axis",
    default=0.0,
    lowest=0.0,
    soft_highest=0.5,
    quantity="LENGTH",
)


def _position(m: GoalInClip) -> Track:
    from ..solver import Position

    goal = Position(m.tip, (0.0, 0.0, 0.0), tolerance=m.tolerance)
    return m.track(goal, point=m.blended_point())


def _plane(m: GoalInClip) -> Track:
    from ..solver import Plane

    goal = Plane(m.tip, (0.0, 0.0, 0.0), tolerance=m.tolerance)
    return m.track(goal, point=m.blended_point(), normal=m.direction())


def _line(m: GoalInClip) -> Track:
    from ..solver import Line

    source, through, along = m.source_point(), m.target_point(), m.direction()
    off = source - through
    foot = through + along * np.sum(off * along, axis=-1, keepdims=True)
    goal = Line(m.tip, (0.0, 0.0, 0.0), (0.0, 0.0, 1.0), tolerance=m.tolerance)
    return m.track(goal, point=source + m.influence[:, None] * (foot - source), direction=along)


def _touch(m: GoalInClip) -> Track:
    from ..solver import Touch

    ends = np.array([[0.0, 0.0, 0.0], [0.0, m.world_length(m.goal.bone), 0.0]])
    normal = m.direction()
    # A thick bone touches a plane that lies its radius higher.
    point = m.target_point() + m.goal.radius * normal
    world = np.stack([m.bone_points(m.goal.bone, along) for along in (0.0, 1.0)], axis=1)
    height = np.min(np.sum((world - point[:, None]) * normal[:, None], axis=-1), axis=1)
    point = point + ((1.0 - m.influence) * height)[:, None] * normal
    goal = Touch(m.tip, ends, (0.0, 0.0, 0.0), tolerance=m.tolerance)
    return m.track(goal, point=point, normal=normal)


def _above(m: GoalInClip) -> Track:
    from ..solver import Above

    normal, point = m.direction(), m.target_point()
    height = np.sum((m.source_point() - point) * normal, axis=-1)
    # What the source is below the plane goes away by the influence.
    point = point + ((1.0 - m.influence) * np.minimum(height, 0.0))[:, None] * normal
    goal = Above(m.tip, (0.0, 0.0, 0.0), tolerance=m.tolerance)
    # It counts in metres; other goals of places count in parts of their chain's length.
    length = max(m.tree.chain_length(m.tree.tip_index(m.tip)), SHORTEST_CHAIN)
    return m.track(goal, point=point, normal=normal, weight=m.weight * (np.pi / length) ** 2)


def to_point(p: GoalInPose) -> Ends:
    """From the point on the bone to the target."""
    return p.point(), p.target_point()


def _to_plane(p: GoalInPose) -> Ends:
    start, normal = p.point(), p.direction()
    return start, start - normal * (start - p.target_point()).dot(normal)


def _to_line(p: GoalInPose) -> Ends:
    start, through, along = p.point(), p.target_point(), p.direction()
    return start, through + along * (start - through).dot(along)


def _to_touch(p: GoalInPose) -> Ends:
    """The lower end of the bone, and the plane below it."""
    normal, through = p.direction(), p.target_point()
    start = min((p.head, p.tail), key=lambda end: end.dot(normal))
    return start, start - normal * ((start - through).dot(normal) - p.goal.radius)


TYPES = (
    GoalType(
        identifier="POSITION",
        number=0,
        label="Position",
        description="Move a point of a bone to the target",
        icon="EMPTY_ARROWS",
        properties=(*ON_BONE, *AT_TARGET),
        track=_position,
        ends=to_point,
        new_target="OBJECT",
        decides="place",
        replaces=True,
    ),
    GoalType(
        identifier="PLANE",
        number=6,
        label="Plane",
        description="Keep a point of a bone on a plane through the target",
        icon="MESH_PLANE",
        properties=(*ON_BONE, *AT_TARGET, "direction"),
        track=_plane,
        ends=_to_plane,
        new_target="POINT",
    ),
    GoalType(
        identifier="LINE",
        number=7,
        label="Line",
        description="Keep a point of a bone on a line through the target",
        icon="IPO_LINEAR",
        properties=(*ON_BONE, *AT_TARGET, "direction"),
        track=_line,
        ends=_to_line,
        new_target="POINT",
    ),
    GoalType(
        identifier="TOUCH",
        number=8,
        label="Touch",
        description="Rest the lower end of a bone on a plane through the target",
        icon="SNAP_FACE",
        properties=("bone", RADIUS, *AT_TARGET, "direction"),
        track=_touch,
        ends=_to_touch,
        new_target="POINT",
    ),
    GoalType(
        identifier="ABOVE",
        number=9,
        label="Keep Above",
        description="Keep a point of a bone above a plane through the target",
        icon="CON_FLOOR",
        properties=(*ON_BONE, *AT_TARGET, "direction", "use_target_rotation"),
        track=_above,
        ends=_to_plane,
        new_target="POINT",
        decides="place",
    ),
)
