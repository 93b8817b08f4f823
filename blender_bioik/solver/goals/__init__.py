"""Goals: one small class each, with its residual, derivative and the paper's loss beside it."""

from .aim import Cone, Direction, LookAt
from .balance import Balance
from .base import Goal
from .coupling import JointFunction
from .custom import CustomGoal, Pose
from .joints import AvoidLimits, CentreJoints, Displacement, JointValue
from .pole import Pole
from .pose import Orientation, Position
from .spacing import Distance, MaxDistance
from .surface import Line, Plane, Touch

__all__ = [
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
    "LookAt",
    "MaxDistance",
    "Orientation",
    "Plane",
    "Pole",
    "Pose",
    "Position",
    "Touch",
]
