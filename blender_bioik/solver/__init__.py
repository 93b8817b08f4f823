"""The solver: inverse kinematics with many goals on any tree of joints, without Blender."""

from .clip import Clip, Track, solve_clip
from .errors import SolverError
from .forward import Poses, Rest, forward_kinematics, tip_jacobian
from .goals import (
    Above,
    AvoidLimits,
    Balance,
    CentreJoints,
    Cone,
    CustomGoal,
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
    Pose,
    Position,
    Touch,
)
from .incremental import IncrementalKinematics
from .poses import find_poses
from .probe import Probe, probe
from .settings import Settings
from .solution import ClipSolution, Solution, Stop
from .solve import solve_pose
from .tree import Joint, KinematicTree, Tip

__all__ = [
    "Above",
    "AvoidLimits",
    "Balance",
    "CentreJoints",
    "Clip",
    "ClipSolution",
    "Cone",
    "CustomGoal",
    "Direction",
    "Displacement",
    "Distance",
    "Goal",
    "IncrementalKinematics",
    "Joint",
    "JointFunction",
    "JointValue",
    "KinematicTree",
    "Line",
    "LockedLookAt",
    "LookAt",
    "MaxDistance",
    "Orientation",
    "Plane",
    "Pole",
    "Pose",
    "Poses",
    "Position",
    "Probe",
    "Rest",
    "Settings",
    "Solution",
    "SolverError",
    "Stop",
    "Tip",
    "Touch",
    "Track",
    "find_poses",
    "forward_kinematics",
    "probe",
    "solve_clip",
    "solve_pose",
    "tip_jacobian",
]
