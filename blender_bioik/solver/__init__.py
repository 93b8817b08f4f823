"""The solver: inverse kinematics with many goals on any tree of joints, without Blender."""

from .clips.clip import solve_clip
from .clips.tracks import Clip, Track
from .errors import SolverError
from .find_poses import find_poses
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
from .kinematics.forward import Poses, Rest, forward_kinematics, tip_jacobian
from .kinematics.incremental import IncrementalKinematics
from .kinematics.joints import Joint, Tip
from .kinematics.tree import KinematicTree
from .poses.probe import Probe, probe
from .poses.settings import Settings
from .poses.solution import ClipSolution, Solution, Stop
from .poses.solve import solve_pose

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
