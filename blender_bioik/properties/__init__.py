"""What is kept in .blend files."""

from .contact import BioIKContact
from .feet import BioIKFeet, BioIKGround
from .goal import BioIKGoal
from .rig import BioIKRig
from .rig_check import BioIKLeftOut, BioIKRigCheck
from .scene import BioIKScene
from .slot import BioIKSlot
from .solver import BioIKSolver

CLASSES = (
    BioIKGoal,
    BioIKSolver,
    BioIKGround,
    BioIKContact,
    BioIKFeet,
    BioIKSlot,
    BioIKRig,
    BioIKScene,
    BioIKLeftOut,
    BioIKRigCheck,
)

__all__ = [
    "CLASSES",
    "BioIKContact",
    "BioIKFeet",
    "BioIKGoal",
    "BioIKGround",
    "BioIKLeftOut",
    "BioIKRig",
    "BioIKRigCheck",
    "BioIKScene",
    "BioIKSlot",
    "BioIKSolver",
]
