"""What a check of a rig has found: `WindowManager.bioik_rig_check`, for the session."""

import bpy
from bpy.props import CollectionProperty, IntProperty, PointerProperty, StringProperty


class BioIKLeftOut(bpy.types.PropertyGroup):
    """A constraint that the solver leaves out. Its name is the bone's."""

    constraint: StringProperty(name="Constraint", description="Name of the constraint")
    reason: StringProperty(name="Reason", description="Why the constraint is not supported")


class BioIKRigCheck(bpy.types.PropertyGroup):
    """What was found, and on which rig."""

    left_out: CollectionProperty(
        name="Unsupported",
        description="Constraints that the solver does not support",
        type=BioIKLeftOut,
    )
    active: IntProperty(
        name="Active", description="Active item in the list of unsupported constraints"
    )
    armature: StringProperty(name="Armature", description="Armature that was checked")
    mark: StringProperty(
        name="Digest", description="Digest of the armature's constraints, to detect changes"
    )


def register() -> None:
    """Give the window manager its property: what it has is not undone, and is no part of files."""
    bpy.types.WindowManager.bioik_rig_check = PointerProperty(
        name="Rig Check", description="Results of the last rig check", type=BioIKRigCheck
    )


def unregister() -> None:
    """Take it away."""
    del bpy.types.WindowManager.bioik_rig_check
