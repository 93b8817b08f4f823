"""Data of the extension on an armature object: `Object.bioik`."""

import bpy
from bpy.props import CollectionProperty, IntProperty, PointerProperty

from . import goal_names
from .bake import BioIKBake
from .baked import BioIKBaked
from .feet import BioIKFeet, BioIKLengths
from .goal import OVERRIDE, BioIKGoal
from .goal_types import added
from .live import BioIKLive
from .result import BioIKSource
from .slot import BioIKSlot
from .solver import BioIKSolver


class BioIKRig(bpy.types.PropertyGroup):
    """Goals and settings of an armature."""

    goals: CollectionProperty(
        name="Goals",
        description="What the armature's poses shall fulfil",
        type=BioIKGoal,
        override={"LIBRARY_OVERRIDABLE", "USE_INSERTION"},
    )
    active_goal: IntProperty(
        name="Active Goal", description="Active item in the list of goals", override=OVERRIDE
    )
    solver: PointerProperty(
        name="Solver",
        description="Settings for solving the goals",
        type=BioIKSolver,
        override=OVERRIDE,
    )
    slots: CollectionProperty(
        name="Body Parts",
        description="Bones assigned to body parts by hand, instead of the detected ones",
        type=BioIKSlot,
        override={"LIBRARY_OVERRIDABLE", "USE_INSERTION"},
    )
    feet: PointerProperty(
        name="Feet",
        description="Foot placement settings",
        type=BioIKFeet,
        override=OVERRIDE,
    )
    lengths: PointerProperty(
        name="Lengths",
        description="Lengths of foot placement as they are for the character",
        type=BioIKLengths,
        override=OVERRIDE,
    )
    bake: PointerProperty(
        name="Bake",
        description="Frame range and output of the bake",
        type=BioIKBake,
        override=OVERRIDE,
    )
    live: PointerProperty(
        name="Live",
        description="Pose without live solving, stored while Live is enabled",
        type=BioIKLive,
        override=OVERRIDE,
    )
    baked: PointerProperty(
        name="Last Bake",
        description="Source and result of the last bake",
        type=BioIKBaked,
        override=OVERRIDE,
    )
    sources: CollectionProperty(
        name="Sources",
        description="Actions that the armature's results were made from",
        type=BioIKSource,
        override={"LIBRARY_OVERRIDABLE", "USE_INSERTION"},
    )


def register() -> None:
    """Add the property to objects, and keep goals named."""
    bpy.types.Object.bioik = PointerProperty(
        name="Bio-IK",
        description="Inverse kinematics goals and settings",
        type=BioIKRig,
        override=OVERRIDE,
    )
    goal_names.register()
    added.register()


def unregister() -> None:
    """Remove the property; its data stays in saved files."""
    added.unregister()
    goal_names.unregister()
    del bpy.types.Object.bioik
