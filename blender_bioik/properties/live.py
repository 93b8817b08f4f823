"""State of live solving stored on an armature, so that undo restores it with the pose."""

import bpy
from bpy.props import IntProperty, StringProperty

from .goal import OVERRIDE


class BioIKLive(bpy.types.PropertyGroup):
    """The pose without live solving, stored while the armature is solved live."""

    owner: IntProperty(
        name="Owner",
        description="Session identifier of the armature that is solved live; a copy has a "
        "different one",
        options={"HIDDEN"},
        override=OVERRIDE,
    )
    source: StringProperty(
        name="Source",
        description="Channels of the pose without live solving",
        options={"HIDDEN"},
        override=OVERRIDE,
    )
