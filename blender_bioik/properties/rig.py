"""Everything the extension keeps on an armature object: `Object.bioik`."""

import bpy
from bpy.props import CollectionProperty, IntProperty, PointerProperty

from . import goal_names
from .bake import BioIKBake
from .baked import BioIKBaked
from .feet import BioIKFeet
from .goal import OVERRIDE, BioIKGoal
from .goal_types import added
from .live import BioIKLive
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
        name="Active Goal", description="The goal whose details are shown", override=OVERRIDE
    )
    solver: PointerProperty(
        name="Solver",
        description="How the goals are solved",
        type=BioIKSolver,
        override=OVERRIDE,
    )
    slots: CollectionProperty(
        name="Body Parts",
        description="Bones that are chosen as parts of the body, instead of those detected",
        type=BioIKSlot,
        override={"LIBRARY_OVERRIDABLE", "USE_INSERTION"},
    )
    feet: PointerProperty(
        name="Feet",
        description="How feet are placed on the ground",
        type=BioIKFeet,
        override=OVERRIDE,
    )
    bake: PointerProperty(
        name="Bake",
        description="Which frames are baked, and where the keys go",
        type=BioIKBake,
        override=OVERRIDE,
    )
    live: PointerProperty(
        name="Live",
        description="The pose without live solving, while the armature is solved live",
        type=BioIKLive,
        override=OVERRIDE,
    )
    baked: PointerProperty(
        name="Last Bake",
        description="What the last bake came from and went to",
        type=BioIKBaked,
        override=OVERRIDE,
    )


def register() -> None:
    """Give objects their property, and goals their names."""
    bpy.types.Object.bioik = PointerProperty(
        name="Bio-IK",
        description="Goals and settings of inverse kinematics",
        type=BioIKRig,
        override=OVERRIDE,
    )
    goal_names.register()
    added.register()


def unregister() -> None:
    """Take it away; what files hold of it stays in them."""
    added.unregister()
    goal_names.unregister()
    del bpy.types.Object.bioik
