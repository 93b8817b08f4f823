"""What is kept in .blend files."""

from .bake import BioIKBake
from .contact import BioIKContact
from .feet import BioIKFeet, BioIKGround
from .goal import BioIKGoal
from .live import BioIKLive
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
    BioIKBake,
    BioIKSlot,
    BioIKLive,
    BioIKRig,
    BioIKScene,
    BioIKLeftOut,
    BioIKRigCheck,
)

__all__ = [
    "CLASSES",
    "BioIKBake",
    "BioIKContact",
    "BioIKFeet",
    "BioIKGoal",
    "BioIKGround",
    "BioIKLeftOut",
    "BioIKLive",
    "BioIKRig",
    "BioIKRigCheck",
    "BioIKScene",
    "BioIKSlot",
    "BioIKSolver",
]
