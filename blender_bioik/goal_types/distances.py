"""Goals for how far a point on a bone is from the target, or from another bone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from .goal_type import AT_TARGET, ON_BONE, BonePoint, Ends, GoalType, own_point
from .places import to_point
from .setting import GoalSetting

if TYPE_CHECKING:
    from ..solver import Track
    from ..solver.kernels.compiled import Floats
    from .views import GoalBones, GoalInClip, GoalInPose

# Keeping away begins to push at least this far from the least distance, metres.
NARROWEST_MARGIN = 2e-3

DISTANCE = GoalSetting(
    name="distance",
    label="Distance",
    description="Distance between the two points; add the radii of parts that must not touch",
    default=0.2,
    lowest=0.0,
    soft_highest=2.0,
    quantity="LENGTH",
)
MARGIN = GoalSetting(
    name="activation",
    label="Margin",
    description="Distance beyond the minimum within which the goal begins to push gently",
    default=0.02,
    lowest=0.0,
    soft_highest=1.0,
    quantity="LENGTH",
)


def _points(bones: GoalBones) -> Iterable[BonePoint]:
    yield from own_point(bones)
    if bones.goal.other_bone:
        yield BonePoint("other", bones.goal.other_bone)


def _other_end(m: GoalInClip) -> tuple[str | tuple[float, float, float], dict[str, Floats]]:
    if m.goal.other_bone:
        return m.tip_of("other"), {}
    return (0.0, 0.0, 0.0), {"point": m.target_point()}


def _apart(m: GoalInClip) -> Floats:
    """How far the two ends are from each other in the source; (f,)."""
    other = m.goal.other_bone
    end = m.bone_points(other, 0.0) if other else m.target_point()
    return np.asarray(np.linalg.norm(m.source_point() - end, axis=-1))


def _distance(m: GoalInClip) -> Track:
    from ..solver import Distance

    other, fields = _other_end(m)
    goal = Distance(m.tip, other, tolerance=m.tolerance)
    apart, wanted = _apart(m), m.goal.distance
    minimum = m.part_way(np.minimum(apart, wanted), float(wanted))
    margin = np.maximum(m.influence * float(m.goal.activation), NARROWEST_MARGIN)
    return m.track(goal, minimum=minimum, activation=margin, **fields)


def _max_distance(m: GoalInClip) -> Track:
    from ..solver import MaxDistance

    other, fields = _other_end(m)
    goal = MaxDistance(m.tip, other, tolerance=m.tolerance)
    apart, wanted = _apart(m), m.goal.distance
    maximum = m.part_way(np.maximum(apart, wanted), float(wanted))
    return m.track(goal, maximum=maximum, **fields)


def _to_other(p: GoalInPose) -> Ends:
    other = p.bone_head(p.goal.other_bone)
    return to_point(p) if other is None else (p.point(), other)


TYPES = (
    GoalType(
        identifier="DISTANCE",
        number=10,
        label="Keep Away",
        description="Keep a point of a bone at least this far from the target, or from another "
        "bone",
        icon="DRIVER_DISTANCE",
        properties=(*ON_BONE, "other_bone", *AT_TARGET, DISTANCE, MARGIN),
        points=_points,
        track=_distance,
        ends=_to_other,
        decides="place",
    ),
    GoalType(
        identifier="MAX_DISTANCE",
        number=11,
        label="Keep Near",
        description="Keep a point of a bone at most this far from the target, or from another bone",
        icon="FIXED_SIZE",
        properties=(*ON_BONE, "other_bone", *AT_TARGET, DISTANCE),
        points=_points,
        track=_max_distance,
        ends=_to_other,
        decides="place",
    ),
)
