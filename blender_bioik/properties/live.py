"""What live solving keeps on an armature, so that undo brings it back with the pose."""

import bpy
from bpy.props import IntProperty, StringProperty

from .goal import OVERRIDE


class BioIKLive(bpy.types.PropertyGroup):
    """The pose that the armature has without live solving, while it is solved live."""

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
