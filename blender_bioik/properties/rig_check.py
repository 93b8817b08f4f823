"""What a check of a rig has found: `WindowManager.bioik_rig_check`, for the session."""

import bpy
from bpy.props import CollectionProperty, IntProperty, PointerProperty, StringProperty


class BioIKLeftOut(bpy.types.PropertyGroup):
    """A constraint that the solver leaves out. Its name is the bone's."""

    constraint: StringProperty(name="Constraint", description="Name of the constraint")
    reason: StringProperty(name="Reason", description="Why it is left out")


class BioIKRigCheck(bpy.types.PropertyGroup):
    """What was found, and on which rig."""

    left_out: CollectionProperty(
        name="Left Out", description="Constraints that the solver leaves out", type=BioIKLeftOut
    )
    active: IntProperty(name="Active", description="The constraint whose reason is shown")
    armature: StringProperty(name="Armature", description="The armature that was checked")
    mark: StringProperty(name="Mark", description="What its constraints were known by")


def register() -> None:
    """Give the window manager its property: what it has is not undone, and is no part of files."""
    bpy.types.WindowManager.bioik_rig_check = PointerProperty(
        name="Rig Check", description="What a check of a rig has found", type=BioIKRigCheck
    )


def unregister() -> None:
    """Take it away."""
    del bpy.types.WindowManager.bioik_rig_check
