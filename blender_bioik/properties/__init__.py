"""Property groups stored in .blend files."""

from .bake import BioIKBake
from .baked import BioIKBaked
from .contact import BioIKContact
from .feet import BioIKFeet, BioIKGround, BioIKLengths
from .goal import BioIKGoal
from .live import BioIKLive
from .overlay import BioIKOverlay
from .result import BioIKResult, BioIKSource
from .rig import BioIKRig
from .rig_check import BioIKRigCheck, BioIKUnsupported
from .scene import BioIKScene
from .slot import BioIKSlot
from .solver import BioIKSolver

CLASSES = (
    BioIKGoal,
    BioIKSolver,
    BioIKGround,
    BioIKContact,
    BioIKFeet,
    BioIKLengths,
    BioIKBake,
    BioIKBaked,
    BioIKResult,
    BioIKSource,
    BioIKSlot,
    BioIKLive,
    BioIKRig,
    BioIKScene,
    BioIKUnsupported,
    BioIKRigCheck,
    BioIKOverlay,
)

__all__ = [
    "CLASSES",
    "BioIKBake",
    "BioIKBaked",
    "BioIKContact",
    "BioIKFeet",
    "BioIKGoal",
    "BioIKGround",
    "BioIKLengths",
    "BioIKLive",
    "BioIKOverlay",
    "BioIKResult",
    "BioIKRig",
    "BioIKRigCheck",
    "BioIKScene",
    "BioIKSlot",
    "BioIKSolver",
    "BioIKSource",
    "BioIKUnsupported",
]
