"""Bones assigned to body parts by the user, where detection is wrong."""

import bpy
from bpy.props import StringProperty

from .goal import OVERRIDE
from .search_undo import typed_step


class BioIKSlot(bpy.types.PropertyGroup):
    """A bone assigned to a body part.

    Its name is the slot: "pelvis", "thigh.L", "spine", or a leg such as "front.L" or "front.L.toe".
    Parts of several bones have several entries of that name, in order.
    """

    bone: StringProperty(
        name="Bone",
        description="Bone of this body part; empty if the rig has none",
        update=typed_step("bone"),
        override=OVERRIDE,
    )
