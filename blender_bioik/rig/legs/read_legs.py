"""The legs of an armature, with the choices of its user."""

from __future__ import annotations

import bpy

from ..clip.skeleton import read_skeleton
from ..mapping.chosen import rig_mapping
from .leg_joints import LegSetup, leg_setup
from .soles import read_soles
from .upper_body import body_options


def read_legs(armature_object: bpy.types.Object) -> LegSetup:
    """The legs of an armature.

    Raises:
        RigError: It has none, or they cannot be placed.
    """
    skeleton = read_skeleton(armature_object)
    mapping = rig_mapping(armature_object)
    soles = read_soles(armature_object, skeleton, mapping)
    wanted = body_options(armature_object.bioik.feet)
    return leg_setup(armature_object, skeleton, soles, mapping, wanted)
