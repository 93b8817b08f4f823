"""Results of a rig check: `WindowManager.bioik_rig_check`, for the session."""

import bpy
from bpy.props import CollectionProperty, IntProperty, PointerProperty, StringProperty


class BioIKUnsupported(bpy.types.PropertyGroup):
    """A constraint that the solver does not support. Its name is the bone's."""

    constraint: StringProperty(name="Constraint", description="Name of the constraint")
    reason: StringProperty(name="Reason", description="Why the constraint is not supported")


class BioIKRigCheck(bpy.types.PropertyGroup):
    """The unsupported constraints, and the rig they belong to."""

    unsupported: CollectionProperty(
        name="Unsupported",
        description="Constraints that the solver does not support",
        type=BioIKUnsupported,
    )
    active: IntProperty(
        name="Active", description="Active item in the list of unsupported constraints"
    )
    armature: StringProperty(name="Armature", description="Armature that was checked")
    mark: StringProperty(
        name="Digest", description="Digest of the armature's constraints, to detect changes"
    )


def register() -> None:
    """Add the property to the window manager, whose data is neither undone nor saved."""
    bpy.types.WindowManager.bioik_rig_check = PointerProperty(
        name="Rig Check", description="Results of the last rig check", type=BioIKRigCheck
    )


def unregister() -> None:
    """Remove the property."""
    del bpy.types.WindowManager.bioik_rig_check
