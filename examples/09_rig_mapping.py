"""See which bones are taken for which parts of the body, and correct that.

Foot placement and presets need to know legs, spine and arms. They are found by the names of bones,
or, where names say nothing, by the shape of the skeleton.
Run it with Blender's Python module: `python examples/09_rig_mapping.py [FOLDER]`.
"""

from __future__ import annotations

import bpy
import scene

from blender_bioik.rig.mapping.chosen import rig_mapping


def rename_as_mixamo(armature: bpy.types.Object) -> None:
    """Give the bones the names that Mixamo has for them."""
    names = {"hips": "Hips", "spine": "Spine", "chest": "Spine1", "upper_chest": "Spine2"}
    for side, word in (("L", "Left"), ("R", "Right")):
        parts = {"thigh": "UpLeg", "shin": "Leg", "foot": "Foot", "toe": "ToeBase"}
        parts |= {"shoulder": "Shoulder", "upper_arm": "Arm", "forearm": "ForeArm", "hand": "Hand"}
        names |= {f"{part}.{side}": word + theirs for part, theirs in parts.items()}
    for bone in armature.data.bones:
        bone.name = f"mixamorig:{names.get(bone.name, bone.name.title())}"


def number(armature: bpy.types.Object) -> None:
    """Give the bones names that say nothing."""
    for index, bone in enumerate(armature.data.bones):
        bone.name = f"Joint {index:02}"


def choose(armature: bpy.types.Object) -> None:
    """Correct the mapping: this spine has two bones, and the feet have no toes."""
    for slot, bone in (("spine", "Joint 01"), ("spine", "Joint 02"), ("toe.L", ""), ("toe.R", "")):
        chosen = armature.bioik.slots.add()
        chosen.name, chosen.bone = slot, bone


with scene.extension():
    armature = scene.add_walker()
    for title, change in (
        ("Names of Mixamo", rename_as_mixamo),
        ("Names that say nothing", number),
        ("With choices of our own", choose),
    ):
        change(armature)
        mapping = rig_mapping(armature)
        print(f"{title}: {mapping.family}, {mapping.confidence:.0%} sure")
        for part in mapping.parts:
            if not part.slot.endswith(".R"):
                print(f"  {part.slot:12} {', '.join(part.bones) or '-'}")
    scene.save("mapping.blend")
