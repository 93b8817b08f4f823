"""Characters of the zoo whose legs hang apart, as files have them whose IK was baked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import bpy

from demo.skeleton import Bone
from zoo.body import ORIGIN, Body

ROOT = "root"


def apart(body: Body, joints: Sequence[int], parent: str = ROOT) -> Body:
    """The same body with joints of its legs, 0 for the hip to 3 for the toe, on another parent.

    The parent is a root on the floor that stays where it is, or "" for none at all.
    """
    root = Bone(ROOT, "", (0.0, 0.0, 0.0), (0.0, -0.3, 0.0), (0.0, 0.0, 1.0))
    legs = [(*leg.bones, leg.toe) for leg in body.legs]
    moved = {str(leg[joint]): parent for leg in legs for joint in joints}
    return replace(
        body,
        extra=(*body.extra, (root, ORIGIN)),
        parents={**body.parents, **moved, body.root: ROOT},
    )


def assign_legs(rig: bpy.types.Object) -> None:
    """Tell the tool which bones are legs and trunk of a biped, as its user would."""
    parts = [f"{part}.{side}" for side in "LR" for part in ("thigh", "shin", "foot", "toe")]
    trunk = (("pelvis", "hips"), ("spine", "spine"), ("spine", "chest"))
    for name, bone in (*trunk, *((part, part) for part in parts)):
        slot = rig.bioik.slots.add()
        slot.name, slot.bone = name, bone
