"""What a result was made from, stored on its action: `Action.bioik`.

The source itself is stored on the armature. Blender 5.0 does not clear references from actions to
actions that are deleted.
"""

import bpy
from bpy.props import BoolProperty, PointerProperty, StringProperty

from .goal import OVERRIDE


class BioIKSource(bpy.types.PropertyGroup):
    """The source of a result of an armature. Its name is the result's key."""

    action: PointerProperty(
        name="Action",
        description="Action that the result was made from",
        type=bpy.types.Action,
        override=OVERRIDE,
    )


class BioIKResult(bpy.types.PropertyGroup):
    """Where an action comes from that was baked. Without an output, it is no result.

    It is on the action, not on the armature: a character may have a result for each of its clips.
    """

    key: StringProperty(
        name="Key",
        description="Name under which armatures know the source",
        options={"HIDDEN"},
    )
    source_name: StringProperty(
        name="Source Name",
        description="Name of the source, known also after it was deleted",
        options={"HIDDEN"},
    )
    output: StringProperty(
        name="Output", description="Where the keyframes were written", options={"HIDDEN"}
    )
    feet: BoolProperty(
        name="Feet", description="Feet were placed, not only goals baked", options={"HIDDEN"}
    )
    kept: StringProperty(
        name="Kept",
        description="What else is needed to give the source back, as JSON",
        options={"HIDDEN"},
    )


def register() -> None:
    """Add the property to actions."""
    bpy.types.Action.bioik = PointerProperty(
        name="Bio-IK", description="What the action was baked from", type=BioIKResult
    )


def unregister() -> None:
    """Remove the property; its data stays in saved files."""
    del bpy.types.Action.bioik
