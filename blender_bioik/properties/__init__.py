"""What is kept in .blend files."""

from .goal import BioIKGoal
from .rig import BioIKRig
from .solver import BioIKSolver

CLASSES = (BioIKGoal, BioIKSolver, BioIKRig)

__all__ = ["CLASSES", "BioIKGoal", "BioIKRig", "BioIKSolver"]
