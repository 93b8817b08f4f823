"""Goals: one small class each, with its residual, derivative and the paper's loss."""

from .aim import Cone, Direction, LookAt
from .balance import Balance
from .base import Goal
from .coupling import JointFunction
from .custom import CustomGoal, Pose
from .ground import Above
from .joints import AvoidLimits, CentreJoints, Displacement, JointValue
from .locked_aim import LockedLookAt
from .pole import Pole
from .pose import Orientation, Position
from .spacing import Distance, MaxDistance
from .surface import Line, Plane, Touch

__all__ = [
    "Above",
    "AvoidLimits",
    "Balance",
    "CentreJoints",
    "Cone",
    "CustomGoal",
    "Direction",
    "Displacement",
    "Distance",
    "Goal",
    "JointFunction",
    "JointValue",
    "Line",
    "LockedLookAt",
    "LookAt",
    "MaxDistance",
    "Orientation",
    "Plane",
    "Pole",
    "Pose",
    "Position",
    "Touch",
]
