"""What is kept in .blend files."""

from .contact import BioIKContact
from .feet import BioIKFeet, BioIKGround
from .goal import BioIKGoal
from .rig import BioIKRig
from .slot import BioIKSlot
from .solver import BioIKSolver

CLASSES = (BioIKGoal, BioIKSolver, BioIKGround, BioIKContact, BioIKFeet, BioIKSlot, BioIKRig)

__all__ = [
    "CLASSES",
    "BioIKContact",
    "BioIKFeet",
    "BioIKGoal",
    "BioIKGround",
    "BioIKRig",
    "BioIKSlot",
    "BioIKSolver",
]
