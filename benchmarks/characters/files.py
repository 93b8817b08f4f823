"""Characters and recordings of the shared data folder as subjects, with their bones by hand.

Nothing of them is in the repository; scenes of files that are not there are left out.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Sequence
from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import NDArray

from benchmarks.characters.subject import Leg, Subject
from benchmarks.characters.surfaces import owner_of_vertices, vertices
from benchmarks.feet.clips import CMU_FPS, CMU_SCALE, SHARED
from blender_bioik.rig.blender import fcurves

Floats = NDArray[np.float64]

FLOOR_SHARE = 5.0  # percentile of the lowest vertex of the feet over the frames: the floor
STANDS = 0.01  # of the height: feet whose lowest vertices are as near stand on one floor
# Recorded people are about as tall as this over their hips.
HIPS_SHARE = 0.55


@dataclass(frozen=True)
class Known:
    """What a person who looks at a file knows about it.

    Attributes:
        file: Within the shared data folder.
        pelvis: The bone that carries the body.
        legs: By name: hip, knee, ankle and, after a colon, all bones of the foot.
        height: Metres, as imported.
        things: Beginnings of names of meshes that are no part of the body: what is held or hangs.
    """

    file: str
    pelvis: str
    legs: dict[str, str]
    height: float
    things: tuple[str, ...] = ()


FILES: dict[str, Known] = {
    "mage": Known(
        "characters/KayKit_Mage.glb", "hips",
        {f"leg.{s.upper()}": f"upperleg.{s} lowerleg.{s} foot.{s} toes.{s}" for s in "lr"}, 1.5,
        things=("1H_Wand", "2H_Staff", "Spellbook", "Mage_Cape"),
    ),
    "cesium": Known(
        "characters/CesiumMan.glb", "Skeleton_torso_joint_1",
        {f"leg.{s}": f"leg_joint_{s}_1 leg_joint_{s}_2 leg_joint_{s}_3 leg_joint_{s}_5"
         for s in "LR"}, 1.5,
    ),
    "quaternius": Known(
        "characters/Quaternius_Character.glb", "Body",
        {f"leg.{s}": f"UpperLeg.{s} LowerLeg.{s} Foot.{s}" for s in "LR"}, 3.4,
    ),
    "cow": Known(
        "characters/Quaternius_Cow.glb", "Body",
        {f"front.{s}": f"FrontUpperLeg.{s} FrontLowerLeg.{s} IKFrontLeg.{s} FF.{s}" for s in "LR"}
        | {f"hind.{s}": f"BackUpperLeg.{s} BackLowerLeg.{s} IKBackLeg.{s} FFB.{s}" for s in "LR"},
        4.1,
    ),
    "husky": Known(
        "characters/Quaternius_Husky.glb", "Body",
        {f"front.{s}": f"FrontUpperLeg.{s} FrontLowerLeg.{s} IKFrontLeg.{s} FF.{s}" for s in "LR"}
        | {f"hind.{s}": f"BackUpperLeg.{s} BackLowerLeg.{s} IKBackLeg.{s} FFB.{s}" for s in "LR"},
        3.0,
    ),
    "raptor": Known(
        "characters/Quaternius_Velociraptor.glb", "Body",
        {f"leg.{s}": f"BackUpLeg.{s} BackLowLeg.{s} BackFoot.{s}" for s in "LR"}, 5.0,
    ),
    "robot": Known(
        "characters/RobotExpressive.glb", "Body",
        {f"leg.{s}": f"UpperLeg.{s} LowerLeg.{s} Foot.{s}" for s in "LR"}, 4.3,
    ),
}  # fmt: skip
RECORDED = ("133_01", "77_16", "13_33", "13_36", "83_27", "03_01")


def available(name: str) -> bool:
    """Whether a character or a recording is here."""
    file = FILES[name].file if name in FILES else f"mocap/{name}.bvh"
    return (SHARED / file).exists()


def character(name: str, clip: str) -> Subject:
    """A character of a file, playing one of its actions."""
    known = FILES[name]
    with contextlib.redirect_stdout(io.StringIO()):
        bpy.ops.import_scene.gltf(filepath=str(SHARED / known.file))
    armature = next(thing for thing in bpy.data.objects if thing.type == "ARMATURE")
    for track in list(armature.animation_data.nla_tracks):
        armature.animation_data.nla_tracks.remove(track)
    chosen = next(a for a in bpy.data.actions if a.name.split("|")[-1].endswith(clip))
    fcurves.assign_action(armature, chosen, fcurves.ensure_slot(chosen, armature))
    bpy.context.scene.render.fps = 24
    first, last = (round(frame) for frame in chosen.frame_range)
    meshes = tuple(
        thing
        for thing in bpy.data.objects
        if thing.type == "MESH"
        and _bound(thing, armature)
        and not thing.name.startswith(known.things)
    )
    legs = tuple(_leg(armature, leg, names.split()) for leg, names in known.legs.items())
    feet = {bone for leg in legs for bone in leg.foot}
    floor = _floor(armature, meshes, feet, first, last, known.height)
    upper = _upper(armature, known.pelvis, legs) if len(legs) == 2 else ()
    return Subject(
        armature, meshes, first, last, known.pelvis, legs, _links(armature, legs), upper,
        known.height, floor, in_place=True,
    )  # fmt: skip


def recording(name: str) -> Subject:
    """A recorded person, bare bones, without the T-pose that the file begins with."""
    with contextlib.redirect_stdout(io.StringIO()):
        bpy.ops.import_anim.bvh(
            filepath=str(SHARED / "mocap" / f"{name}.bvh"), global_scale=CMU_SCALE, frame_start=0
        )
    armature = bpy.context.object
    bpy.context.scene.render.fps, bpy.context.scene.render.fps_base = CMU_FPS, 1.0
    last = 0
    for curve in fcurves.curves_by_channel(fcurves.assigned_container(armature)).values():
        keys = fcurves.read_keys(curve)["co"].reshape(-1, 2)[1:, 1]
        last = len(keys)
        fcurves.write_keys(curve, np.arange(1, last + 1), keys, key_type="KEYFRAME")
    legs = tuple(
        _leg(armature, f"leg.{side[0]}", [f"{side}UpLeg", f"{side}Leg", f"{side}Foot",
                                          f"{side}ToeBase"])
        for side in ("Left", "Right")
    )  # fmt: skip
    rest = armature.data.bones["Hips"].head_local, armature.data.bones["LeftToeBase"].head_local
    height = float((rest[0] - rest[1]).length) / HIPS_SHARE
    floor = _lowest_joints(armature, legs, last)
    return Subject(armature, (), 1, last, "Hips", legs, _links(armature, legs), (), height, floor)


def _leg(armature: bpy.types.Object, name: str, bones: Sequence[str]) -> Leg:
    ankle, *toe = bones[2:]
    foot = {ankle, *toe}
    for bone in list(foot):
        foot |= {child.name for child in armature.data.bones[bone].children_recursive}
    return Leg(name, (bones[0], bones[1], ankle), toe[0] if toe else None, tuple(sorted(foot)))


def _bound(thing: bpy.types.Object, armature: bpy.types.Object) -> bool:
    on_bone = thing.parent == armature and thing.parent_type == "BONE"
    return on_bone or any(m.type == "ARMATURE" for m in thing.modifiers)


def _links(armature: bpy.types.Object, legs: Sequence[Leg]) -> tuple[tuple[str, str], ...]:
    """Bones that hang on their parents, and loose feet on their shins."""
    bones = armature.data.bones
    of_legs = {bone for leg in legs for bone in (*leg.bones, leg.toe) if bone}
    loose = {
        leg.bones[2]: leg.bones[1]
        for leg in legs
        if bones[leg.bones[1]] not in bones[leg.bones[2]].parent_recursive
    }
    hanging = [
        (bone.parent.name, bone.name)
        for bone in bones
        if bone.parent
        and bone.name not in loose
        and not of_legs.isdisjoint((bone.name, bone.parent.name))
    ]
    return (*hanging, *((shin, foot) for foot, shin in loose.items()))


def _upper(armature: bpy.types.Object, pelvis: str, legs: Sequence[Leg]) -> tuple[str, ...]:
    """Bones that hang on the pelvis and are no part of a leg."""
    bones = armature.data.bones
    below = {bone.name for leg in legs for bone in bones[leg.bones[0]].children_recursive}
    below |= {bone for leg in legs for bone in (*leg.bones, *leg.foot)}
    return tuple(
        bone.name for bone in bones[pelvis].children_recursive
        if bone.name not in below and not _leads_to(bone, below)
    )  # fmt: skip


def _leads_to(bone: bpy.types.Bone, names: set[str]) -> bool:
    return any(child.name in names for child in bone.children_recursive)


def _floor(
    armature: bpy.types.Object, meshes: Sequence[bpy.types.Object], feet: set[str], first: int,
    last: int, height: float,
) -> float:  # fmt: skip
    """Where the lowest vertex of the feet is most of the time, in the half in which it is lower.

    Feet of hand-made clips dip into the floor when they roll, and in jumps without root motion.
    """
    owned = [
        np.array([bone in feet for bone in owner_of_vertices(thing, armature)], bool)
        for thing in meshes
    ]
    lowest = []
    for frame in range(first, last + 1):
        bpy.context.scene.frame_set(frame)
        depsgraph = bpy.context.evaluated_depsgraph_get()
        heights = [
            vertices(thing.evaluated_get(depsgraph))[own, 2].min()
            for thing, own in zip(meshes, owned, strict=True)
            if own.any()
        ]
        lowest.append(min(heights))
    places = np.sort(lowest)[: len(lowest) // 2 + 1]
    ends = np.searchsorted(places, places + STANDS * height, side="right")
    densest = int(np.argmax(ends - np.arange(len(places))))
    return float(np.median(places[densest : ends[densest]]))


def _lowest_joints(armature: bpy.types.Object, legs: Sequence[Leg], last: int) -> float:
    lowest = []
    for frame in range(1, last + 1, 5):
        bpy.context.scene.frame_set(frame)
        points = [armature.matrix_world @ armature.pose.bones[bone].tail for leg in legs
                  for bone in leg.foot]  # fmt: skip
        lowest.append(min(point.z for point in points))
    return float(np.percentile(lowest, FLOOR_SHARE))
