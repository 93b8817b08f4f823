"""Goals about all joints at once, which all others outweigh."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .goal_type import GoalType
from .setting import GoalSetting

if TYPE_CHECKING:
    from ..solver import Track
    from .views import GoalInClip

REFERENCE = GoalSetting(
    name="reference",
    label="Reference",
    description="Pose to stay close to",
    default="SOURCE",
    items=(
        ("SOURCE", "Animation", "Animated pose of the same frame"),
        ("PREVIOUS", "Previous Frame", "Solved pose of the previous frame"),
    ),
)


def _displacement(m: GoalInClip) -> Track:
    from ..solver import Displacement

    reference = "source" if m.goal.reference == "SOURCE" else "previous"
    return m.track(Displacement(reference), weight=m.weight * m.influence)


def _centre_joints(m: GoalInClip) -> Track:
    from ..solver import CentreJoints

    return m.track(CentreJoints(), weight=m.weight * m.influence)


def _avoid_limits(m: GoalInClip) -> Track:
    from ..solver import AvoidLimits

    return m.track(AvoidLimits(), weight=m.weight * m.influence)


TYPES = (
    GoalType(
        identifier="DISPLACEMENT",
        number=16,
        label="Keep Animation",
        description="Stay close to the animated pose, or to that of the previous frame",
        icon="CON_TRANSLIKE",
        properties=(REFERENCE,),
        angle=True,
        soft=True,
        weight=0.01,
        track=_displacement,
    ),
    GoalType(
        identifier="CENTRE_JOINTS",
        number=17,
        label="Center Joints",
        description="Prefer the middle of the joints' limits",
        icon="ALIGN_CENTER",
        angle=True,
        soft=True,
        weight=0.01,
        track=_centre_joints,
    ),
    GoalType(
        identifier="AVOID_LIMITS",
        number=18,
        label="Avoid Limits",
        description="Keep joints away from their limits where possible",
        icon="CON_ROTLIMIT",
        angle=True,
        soft=True,
        weight=0.01,
        track=_avoid_limits,
    ),
)
