"""The command line's `--map`: bones of body parts, stored on the armature."""

from __future__ import annotations

from collections.abc import Sequence

import bpy

from ..rig.errors import RigError
from ..rig.mapping.chosen import rig_mapping
from ..rig.mapping.mapping import Mapping


def map_parts(armature: bpy.types.Object, words: Sequence[str]) -> None:
    """Assign bones to body parts; each word is SLOT=BONE, with commas between several bones.

    Raises:
        RigError: A word, a part or a bone is unknown; the parts are listed with their bones.
    """
    slots = armature.bioik.slots
    for word in words:
        slot, equals, names = (text.strip() for text in word.partition("="))
        if not equals:
            raise RigError(f'--map must be SLOT=BONE, not "{word}".')
        for number in reversed(range(len(slots))):
            if slots[number].name == slot:
                slots.remove(number)
        for bone in names.split(","):
            added = slots.add()
            added.name, added.bone = slot, bone.strip()
        try:
            rig_mapping(armature)
        except RigError as error:
            for number in reversed(range(len(slots))):
                if slots[number].name == slot:
                    slots.remove(number)
            raise RigError(f"--map {word}: {error} Body parts: {_listed(armature)}") from error


def _listed(armature: bpy.types.Object) -> str:
    """All body parts with their bones."""
    mapping: Mapping = rig_mapping(armature)
    return "; ".join(f"{part.slot}={','.join(part.bones)}" for part in mapping.parts)
