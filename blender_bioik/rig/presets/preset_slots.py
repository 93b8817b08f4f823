"""Parts of the body that presets speak of, as bones of an armature, and bones as such parts."""

from __future__ import annotations

import bpy
import numpy as np
from mathutils import Vector

from ...presets.fields import FORWARD, REST_AXES, UP
from ...presets.slots import CHEST, HAND, TIP
from ..mapping import Mapping
from ..mapping.chosen import rig_mapping
from ..mapping.read import read_bones
from ..mapping.structure import find_body

# Axes that differ by less than this are the same, as the sine of the angle between them.
SAME_AXIS = 1e-3


class Slots:
    """The parts of an armature's body.

    Raises:
        RigError: A part that the user has chosen does not exist.
    """

    def __init__(self, armature: bpy.types.Object) -> None:
        self._armature = armature
        mapping = rig_mapping(armature)
        self._bones = _bones_of(mapping)
        if (tip := _tip(armature)) is not None:
            self._bones[TIP] = tip
        hands = [bone for side in "LR" if (bone := self._bones.get(f"hand.{side}"))]
        if hands:
            self._bones[HAND] = hands[0]
        # Several words may mean one bone; the first is the plainest.
        self._slots: dict[str, str] = {}
        for slot, bone in self._bones.items():
            if slot not in (TIP, HAND):
                self._slots.setdefault(bone, slot)
        self._rest_axes: dict[str, Vector] = {}

    def bone(self, slot: str) -> str | None:
        """Name of the bone that is a part of the body, None if the rig has none."""
        return self._bones.get(slot)

    def choose_hand(self, slot: str) -> None:
        """Say which hand is meant where the side is not named: "hand.L" or "hand.R"."""
        self._bones[HAND] = self._bones[slot]

    def slot(self, bone: str) -> str | None:
        """The part of the body that a bone is, None if it is none."""
        return self._slots.get(bone)

    def top_slot(self, bone: str) -> str | None:
        """The part of the body that ends at a bone, seen from below."""
        return "spine" if bone == self._bones.get("spine") else self.slot(bone)

    def rest_axis(self, bone: str, word: str) -> Vector:
        """The axis of a bone that points forward or up, of the rig at rest; of length one."""
        if not self._rest_axes:
            body = find_body(read_bones(self._armature))
            self._rest_axes = {FORWARD: Vector(body.forward), UP: Vector(body.up)}
        rest = self._armature.data.bones[bone].matrix_local.to_3x3()
        return (rest.inverted() @ self._rest_axes[word]).normalized()

    def rest_word(self, bone: str, axis: Vector) -> str | None:
        """The rest direction of a bone's axis as a word, None if neither forward nor up."""
        for word in REST_AXES:
            known = self.rest_axis(bone, word)
            if known.dot(axis) > 0.0 and known.cross(axis).length < SAME_AXIS * axis.length:
                return word
        return None

    def chain_length(self, bone: str, tops: tuple[str, ...]) -> int | None:
        """Bones from one up to the first of some parts that is above it or itself, None if none."""
        above = chain_above(self._armature, bone)
        for top in tops:
            if (found := self.bone(top)) in above:
                return above.index(found) + 1
        return None


def chain_above(armature: bpy.types.Object, bone: str) -> list[str]:
    """Names of a bone and of all above it."""
    return [bone, *(above.name for above in armature.data.bones[bone].parent_recursive)]


def _bones_of(mapping: Mapping) -> dict[str, str]:
    bones = dict(mapping.slots)
    if mapping.spine:
        bones[CHEST], bones["spine"] = mapping.spine[-1], mapping.spine[0]
    if mapping.neck:
        bones["neck"] = mapping.neck[0]
    feet = {leg.name: leg.foot for leg in mapping.legs}
    toes = {f"{leg.name}.toe": leg.toe for leg in mapping.legs}
    return bones | {name: bone for name, bone in (feet | toes).items() if bone is not None}


def _tip(armature: bpy.types.Object) -> str | None:
    """The active bone or, if none is, the end of the longest chain."""
    bones = armature.data.bones
    if bones.active is not None:
        return str(bones.active.name)
    ends = [bone for bone in bones if not bone.children]
    lengths = [bone.length + sum(b.length for b in bone.parent_recursive) for bone in ends]
    return str(ends[int(np.argmax(lengths))].name) if ends else None
