"""Naming families as data: which bone names fill which slot.

`{s}` is the side. Case and separators are ignored, and so is a prefix that the rig's
bones share, so "mixamorig:" or "Bip01 " appear nowhere. Names of a slot are tried in order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Role = Literal["skeleton", "deform", "controls"]
Names = Mapping[str, tuple[str, ...]]

LEFT_RIGHT = (("Left", "Right"),)
L_R = (("L", "R"),)


@dataclass(frozen=True, eq=False)
class Family:
    """The bone names of a tool or file format.

    Attributes:
        name: The mapping's `family`.
        sides: Pairs (left, right) to replace `{s}`.
        slots: Names per slot without side, in order of preference; `spine` and `neck` list bones.
        role: Whether animators key these bones (controls), only the mesh follows them (deform),
            or they do both (skeleton).
        loose: Slots whose bone has another parent than anatomy suggests.
        marks: Names that fill no slot but tell this family from others with the same names.
        prefixes: Shared prefixes, without separators, that tell this family from others.
        advice: Sentences for the user, each with a bone that must exist for it to be true.
    """

    name: str
    sides: tuple[tuple[str, str], ...]
    slots: Names
    role: Role = "skeleton"
    loose: frozenset[str] = frozenset()
    marks: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()
    advice: tuple[tuple[str, str], ...] = ()


def numbered(pattern: str, first: int, last: int) -> tuple[str, ...]:
    """`numbered("spine_{:02}", 1, 3)` is spine_01, spine_02, spine_03."""
    return tuple(pattern.format(i) for i in range(first, last + 1))


# Mixamo, Ready Player Me and most BVH files descend from the same HumanIK names.
_HUMAN_IK: Names = {
    "pelvis": ("Hips", "Hip"),
    "spine": ("LowerBack", "Spine", *numbered("Spine{}", 1, 5)),
    "neck": ("Neck", *numbered("Neck{}", 1, 3)),
    "head": ("Head",),
    "thigh": ("{s}UpLeg",),
    "shin": ("{s}Leg",),
    "foot": ("{s}Foot",),
    "toe": ("{s}ToeBase", "{s}Toe"),
    "shoulder": ("{s}Shoulder",),
    "upper_arm": ("{s}Arm",),
    "forearm": ("{s}ForeArm",),
    "hand": ("{s}Hand",),
}

MIXAMO = Family(
    "mixamo",
    LEFT_RIGHT,
    _HUMAN_IK,
    marks=("{s}Toe_End", "HeadTop_End", "{s}HandThumb4"),
    prefixes=("mixamorig",),
)
READY_PLAYER_ME = Family(
    "ready_player_me",
    LEFT_RIGHT,
    _HUMAN_IK,
    marks=("HeadTop_End", "LeftEye", "RightEye"),
)
CMU_BVH = Family(
    "cmu_bvh",
    LEFT_RIGHT,
    {**_HUMAN_IK, "spine": ("LowerBack", "Spine", "Spine1"), "neck": ("Neck", "Neck1")},
    marks=("LHipJoint", "RHipJoint", "LThumb", "{s}FingerBase"),
)
BVH = Family("bvh", LEFT_RIGHT, _HUMAN_IK)

# Names after the joint at the bone's head instead of the bone.
BVH_JOINTS = Family(
    "bvh_joints",
    (*LEFT_RIGHT, *L_R),
    {
        "pelvis": ("Hips", "Hip", "Pelvis", "CenterHip", "SpineBase", "Root"),
        "spine": (
            *("ToSpine", "Torso", "Spine", *numbered("Spine{}", 1, 5)),
            *numbered("Chest{}", 2, 4),
            *("Chest", "Abdomen", "SpineNaval", "SpineChest", "SpineMid", "SpineShoulder"),
        ),
        "neck": ("Neck", *numbered("Neck{}", 1, 3)),
        "head": ("Head",),
        "thigh": ("{s}Hip", "Hip{s}"),
        "shin": ("{s}Knee", "Knee{s}"),
        "foot": ("{s}Ankle", "Ankle{s}", "{s}Foot", "Foot{s}"),
        "toe": ("{s}Toe", "{s}Foot", "{s}ToeBase", "Foot{s}", "Toe{s}", "Toes{s}"),
        "shoulder": ("{s}Collar", "Collar{s}", "Clavicle{s}", "{s}Clavicle", "Scapula{s}"),
        "upper_arm": ("{s}Shoulder", "Shoulder{s}"),
        "forearm": ("{s}Elbow", "Elbow{s}"),
        "hand": ("{s}Wrist", "Wrist{s}", "{s}Hand", "Hand{s}"),
    },
)
ADVANCED_SKELETON = Family(
    "advanced_skeleton",
    L_R,
    {
        "pelvis": ("Root_M",),
        "spine": ("Spine_M", *numbered("Spine{}_M", 1, 5), "Chest_M"),
        "neck": ("Neck_M", *numbered("Neck{}_M", 1, 3)),
        "head": ("Head_M",),
        "thigh": ("Hip_{s}",),
        "shin": ("Knee_{s}",),
        "foot": ("Ankle_{s}",),
        "toe": ("Toes_{s}",),
        "shoulder": ("Scapula_{s}",),
        "upper_arm": ("Shoulder_{s}",),
        "forearm": ("Elbow_{s}",),
        "hand": ("Wrist_{s}",),
    },
)
SMPL = Family(
    "smpl",
    (*L_R, *LEFT_RIGHT),
    {
        "pelvis": ("Pelvis",),
        "spine": ("Spine1", "Spine2", "Spine3"),
        "neck": ("Neck",),
        "head": ("Head",),
        "thigh": ("{s}_Hip",),
        "shin": ("{s}_Knee",),
        "foot": ("{s}_Ankle",),
        "toe": ("{s}_Foot",),
        "shoulder": ("{s}_Collar",),
        "upper_arm": ("{s}_Shoulder",),
        "forearm": ("{s}_Elbow",),
        "hand": ("{s}_Wrist",),
    },
    marks=("Pelvis", "{s}_Hand", "{s}_Collar", "Spine3"),
)

# The later names are those of the animals: front legs are their arms.
_RIGIFY_LIMBS: Names = {
    "thigh": ("thigh",),
    "shin": ("shin", "lower_leg"),
    "foot": ("foot", "hind_foot"),
    "toe": ("toe", "r_toe"),
    "shoulder": ("shoulder",),
    "upper_arm": ("upper_arm", "front_thigh"),
    "forearm": ("forearm", "front_shin"),
    "hand": ("hand", "forefoot", "front_foot"),
}
_RIGIFY_BODY: Names = {
    # Only the human's names: the numbers of the animals' spines mean something else.
    **{slot: (f"{names[0]}.{{s}}",) for slot, names in _RIGIFY_LIMBS.items()},
    "pelvis": ("spine",),
    "spine": numbered("spine.{:03}", 1, 3),
    "neck": numbered("spine.{:03}", 4, 5),
    "head": ("spine.006",),
}


def _prefixed(names: Names, prefix: str) -> Names:
    return {slot: tuple(prefix + name for name in each) for slot, each in names.items()}


RIGIFY_METARIG = Family("rigify_metarig", L_R, _RIGIFY_BODY, marks=("pelvis.{s}", "heel.02.{s}"))
RIGIFY_DEFORM = Family(
    "rigify_deform",
    L_R,
    _prefixed(_RIGIFY_BODY, "DEF-"),
    role="deform",
    # The parent of a limb's deform bones is an ORG- bone, not the previous deform bone.
    loose=frozenset({"pelvis", "shoulder", "spine"}),
    advice=(("ORG-spine", "DEF- bones follow the controls: keyframes on them have no effect."),),
)
RIGIFY_FK = Family(
    "rigify_fk",
    L_R,
    {
        # torso carries spine and legs and is what animators move; `hips` and `spine_fk` below it
        # only tilt the hips, and lie on no path from torso to the head.
        "pelvis": ("torso",),
        "spine": ("spine_fk", *numbered("spine_fk.{:03}", 1, 12)),
        "neck": ("neck", *numbered("neck.{:03}", 1, 9)),
        "head": ("head",),
        **{
            slot: tuple(f"{name}_fk.{{s}}" for name in names)
            for slot, names in _RIGIFY_LIMBS.items()
        },
        "shoulder": ("shoulder.{s}",),
    },
    role="controls",
    loose=frozenset({"shoulder"}),
    advice=tuple(
        (
            bone,
            f"The {limb} FK controls move the mesh only while the custom property IK_FK of "
            f'"{bone}" is 1: set it before baking goals.',
        )
        for limb, part in (
            ("leg", "thigh"),
            ("arm", "upper_arm"),
            ("front leg", "front_thigh"),
        )
        for bone in (f"{part}_parent.L", f"{part}_parent.R")
    ),
)

# MakeHuman's game engine rig has the same names.
UNREAL = Family(
    "unreal",
    (("l", "r"),),
    {
        "pelvis": ("pelvis",),
        "spine": numbered("spine_{:02}", 1, 9),
        "neck": numbered("neck_{:02}", 1, 3),
        "head": ("head",),
        "thigh": ("thigh_{s}",),
        "shin": ("calf_{s}",),
        "foot": ("foot_{s}",),
        "toe": ("ball_{s}",),
        "shoulder": ("clavicle_{s}",),
        "upper_arm": ("upperarm_{s}",),
        "forearm": ("lowerarm_{s}",),
        "hand": ("hand_{s}",),
    },
    marks=("ball_{s}", "ik_foot_root", "thigh_twist_01_{s}", "upperarm_twist_01_{s}"),
)
VROID = Family(
    "vroid",
    L_R,
    {
        "pelvis": ("J_Bip_C_Hips",),
        "spine": ("J_Bip_C_Spine", "J_Bip_C_Chest", "J_Bip_C_UpperChest"),
        "neck": ("J_Bip_C_Neck",),
        "head": ("J_Bip_C_Head",),
        "thigh": ("J_Bip_{s}_UpperLeg",),
        "shin": ("J_Bip_{s}_LowerLeg",),
        "foot": ("J_Bip_{s}_Foot",),
        "toe": ("J_Bip_{s}_ToeBase",),
        "shoulder": ("J_Bip_{s}_Shoulder",),
        "upper_arm": ("J_Bip_{s}_UpperArm",),
        "forearm": ("J_Bip_{s}_LowerArm",),
        "hand": ("J_Bip_{s}_Hand",),
    },
)
VRM = Family(
    "vrm",
    LEFT_RIGHT,
    {
        "pelvis": ("hips",),
        "spine": ("spine", "chest", "upperChest"),
        "neck": ("neck",),
        "head": ("head",),
        "thigh": ("{s}UpperLeg",),
        "shin": ("{s}LowerLeg",),
        "foot": ("{s}Foot",),
        "toe": ("{s}Toes", "{s}Toe"),
        "shoulder": ("{s}Shoulder",),
        "upper_arm": ("{s}UpperArm",),
        "forearm": ("{s}LowerArm",),
        "hand": ("{s}Hand",),
    },
)
MAKEHUMAN = Family(
    "makehuman",
    L_R,
    {
        "pelvis": ("root",),
        "spine": ("spine05", "spine04", "spine03", "spine02", "spine01"),
        "neck": ("neck01", "neck02", "neck03"),
        "head": ("head",),
        "thigh": ("upperleg01.{s}",),
        "shin": ("lowerleg01.{s}",),
        "foot": ("foot.{s}",),
        "shoulder": ("clavicle.{s}",),
        "upper_arm": ("upperarm01.{s}",),
        "forearm": ("lowerarm01.{s}",),
        "hand": ("wrist.{s}",),
    },
    marks=("toe1-1.{s}", "shoulder01.{s}", "pelvis.{s}"),
)
_ARP_LIMBS: Names = {
    "thigh": ("thigh",),
    "shin": ("leg",),
    "foot": ("foot",),
    "toe": ("toes",),
    "shoulder": ("shoulder",),
    "upper_arm": ("arm",),
    "forearm": ("forearm",),
    "hand": ("hand",),
}
AUTO_RIG_PRO_FK = Family(
    "auto_rig_pro_fk",
    (("l", "r"),),
    {
        "pelvis": ("c_root_master.x", "c_root.x"),
        "spine": numbered("c_spine_{:02}.x", 1, 9),
        "neck": ("c_neck.x", "c_neck_01.x"),
        "head": ("c_head.x",),
        "thigh": ("c_thigh_fk.{s}",),
        "shin": ("c_leg_fk.{s}",),
        "foot": ("c_foot_fk.{s}",),
        "toe": ("c_toes_fk.{s}",),
        "shoulder": ("c_shoulder.{s}",),
        "upper_arm": ("c_arm_fk.{s}",),
        "forearm": ("c_forearm_fk.{s}",),
        "hand": ("c_hand_fk.{s}",),
    },
    role="controls",
    loose=frozenset({"shoulder"}),
    advice=tuple(
        (
            bone,
            f"The {limb} FK controls move the mesh only while the custom property ik_fk_switch of "
            f'"{bone}" is 1: set it before baking goals.',
        )
        for limb, part in (("leg", "foot"), ("arm", "hand"))
        for bone in (f"c_{part}_ik.l", f"c_{part}_ik.r")
    ),
)
AUTO_RIG_PRO = Family(
    "auto_rig_pro",
    (("l", "r"),),
    {
        "pelvis": ("root.x",),
        "spine": numbered("spine_{:02}.x", 1, 9),
        "neck": ("neck.x",),
        "head": ("head.x",),
        # Where a rig has twist bones, the twist bone of the thigh starts at the hip.
        "thigh": ("thigh_twist.{s}", "thigh_stretch.{s}"),
        "shin": ("leg_stretch.{s}",),
        "foot": ("foot.{s}",),
        "toe": ("toes_01.{s}",),
        "shoulder": ("shoulder.{s}",),
        "upper_arm": ("arm_twist.{s}", "arm_stretch.{s}"),
        "forearm": ("forearm_stretch.{s}",),
        "hand": ("hand.{s}",),
    },
    role="deform",
)
AUTO_RIG_PRO_REFERENCE = Family(
    "auto_rig_pro_reference",
    (("l", "r"),),
    {
        **{slot: (f"{names[0]}_ref.{{s}}",) for slot, names in _ARP_LIMBS.items()},
        "pelvis": ("root_ref.x",),
        "spine": numbered("spine_{:02}_ref.x", 1, 9),
        "neck": ("neck_ref.x",),
        "head": ("head_ref.x",),
    },
    role="deform",
)

DAZ_GENESIS_8 = Family(
    "daz_genesis_8",
    (("l", "r"),),
    {
        "pelvis": ("hip", "pelvis"),
        "spine": ("abdomenLower", "abdomenUpper", "chestLower", "chestUpper"),
        "neck": ("neckLower", "neckUpper"),
        "head": ("head",),
        "thigh": ("{s}ThighBend",),
        "shin": ("{s}Shin",),
        "foot": ("{s}Foot",),
        "toe": ("{s}Toe",),
        "shoulder": ("{s}Collar",),
        "upper_arm": ("{s}ShldrBend",),
        "forearm": ("{s}ForearmBend",),
        "hand": ("{s}Hand",),
    },
)
DAZ_GENESIS_9 = Family(
    "daz_genesis_9",
    (("l", "r"),),
    {
        "pelvis": ("hip", "pelvis"),
        "spine": numbered("spine{}", 1, 4),
        "neck": ("neck1", "neck2"),
        "head": ("head",),
        "thigh": ("{s}_thigh",),
        "shin": ("{s}_shin",),
        "foot": ("{s}_foot",),
        "toe": ("{s}_toes",),
        "shoulder": ("{s}_shoulder",),
        "upper_arm": ("{s}_upperarm",),
        "forearm": ("{s}_forearm",),
        "hand": ("{s}_hand",),
    },
    marks=("{s}_metatarsal", "{s}_thightwist1"),
)
DAZ_POSER = Family(
    "daz_poser",
    (("l", "r"),),
    {
        "pelvis": ("hip", "pelvis"),
        "spine": ("abdomen", "abdomen2", "chest"),
        "neck": ("neck",),
        "head": ("head",),
        "thigh": ("{s}Thigh",),
        "shin": ("{s}Shin",),
        "foot": ("{s}Foot",),
        "toe": ("{s}Toe",),
        "shoulder": ("{s}Collar",),
        "upper_arm": ("{s}Shldr",),
        "forearm": ("{s}ForeArm",),
        "hand": ("{s}Hand",),
    },
)

BANDAI_NAMCO = Family(
    "bandai_namco",
    L_R,
    {
        "pelvis": ("Hips",),
        "spine": ("Spine", "Chest", "UpperChest"),
        "neck": ("Neck",),
        "head": ("Head",),
        "thigh": ("UpperLeg_{s}",),
        "shin": ("LowerLeg_{s}",),
        "foot": ("Foot_{s}",),
        "toe": ("Toes_{s}",),
        "shoulder": ("Shoulder_{s}",),
        "upper_arm": ("UpperArm_{s}",),
        "forearm": ("LowerArm_{s}",),
        "hand": ("Hand_{s}",),
    },
    marks=("joint_Root",),
)
QUATERNIUS = Family(
    "quaternius",
    L_R,
    {
        **BANDAI_NAMCO.slots,
        # Body carries legs and hips, so it comes first; the hips then begin the spine.
        "pelvis": ("Body", "Hips"),
        "spine": ("Hips", "Abdomen", "Spine", "Chest", "Torso"),
    },
    marks=("Body", "Abdomen", "Torso", "PoleTarget.{s}"),
)

BIPED_3DS_MAX = Family(
    "3ds_max_biped",
    L_R,
    {
        "pelvis": ("Pelvis", "COM"),
        "spine": ("Spine", *numbered("Spine{}", 1, 5)),
        "neck": ("Neck", "Neck1"),
        "head": ("Head", "Head1"),
        "thigh": ("{s} Thigh",),
        "shin": ("{s} Calf",),
        "foot": ("{s} Foot",),
        "toe": ("{s} Toe0",),
        "shoulder": ("{s} Clavicle",),
        "upper_arm": ("{s} UpperArm",),
        "forearm": ("{s} Forearm",),
        "hand": ("{s} Hand",),
    },
    prefixes=("bip01", "bip001", "valvebipedbip01"),
)
CHARACTER_CREATOR = Family(
    "character_creator",
    L_R,
    {
        "pelvis": ("Hip", "Pelvis"),
        "spine": ("Waist", "Spine01", "Spine02"),
        "neck": ("NeckTwist01", "NeckTwist02"),
        "head": ("Head",),
        "thigh": ("{s}_Thigh",),
        "shin": ("{s}_Calf",),
        "foot": ("{s}_Foot",),
        "toe": ("{s}_ToeBase",),
        "shoulder": ("{s}_Clavicle",),
        "upper_arm": ("{s}_Upperarm",),
        "forearm": ("{s}_Forearm",),
        "hand": ("{s}_Hand",),
    },
    prefixes=("ccbase", "rlbone"),
)
SECOND_LIFE = Family(
    "second_life",
    LEFT_RIGHT,
    {
        "pelvis": ("mPelvis",),
        "spine": ("mTorso", "mChest"),
        "neck": ("mNeck",),
        "head": ("mHead",),
        "thigh": ("mHip{s}",),
        "shin": ("mKnee{s}",),
        "foot": ("mAnkle{s}",),
        "toe": ("mFoot{s}",),
        "shoulder": ("mCollar{s}",),
        "upper_arm": ("mShoulder{s}",),
        "forearm": ("mElbow{s}",),
        "hand": ("mWrist{s}",),
    },
)
MMD = Family(
    "mmd",
    (("左", "右"), ("L", "R")),
    {
        "pelvis": ("センター", "下半身", "腰"),
        "spine": ("上半身", "上半身2", "上半身3"),
        "neck": ("首",),
        "head": ("頭",),
        "thigh": ("{s}足", "足.{s}"),
        "shin": ("{s}ひざ", "ひざ.{s}"),
        "foot": ("{s}足首", "足首.{s}"),
        "toe": ("{s}つま先", "つま先.{s}"),
        "shoulder": ("{s}肩", "肩.{s}"),
        "upper_arm": ("{s}腕", "腕.{s}"),
        "forearm": ("{s}ひじ", "ひじ.{s}"),
        "hand": ("{s}手首", "手首.{s}"),
    },
)


def _both_ends(*words: str) -> tuple[str, ...]:
    return tuple(pattern for word in words for pattern in (f"{word}.{{s}}", f"{{s}}.{word}"))


# Names that people give by hand. Last, so that a tool's own table names the family.
HAND_MADE = Family(
    "hand_made",
    (*L_R, *LEFT_RIGHT),
    {
        "pelvis": (
            *("pelvis", "hips", "hip", "lowertorso", "waist", "ctrl_hips", "body"),
            *("cog", "root"),
        ),
        "spine": (
            *("abdomen", "ab", "belly", "stomach", "lowerback", "waist", "torso", "uppertorso"),
            *("back", "spine", *numbered("spine{}", 0, 9), *numbered("spine{:02}", 1, 9)),
            *numbered("spine{:03}", 1, 9),
            *(
                "l5",
                "l3",
                "t12",
                "t8",
                "lowerspine",
                "midspine",
                "upperspine",
                "spinelower",
                "spinemid",
                "spineupper",
            ),
            *("lowerchest", "chest", *numbered("chest{}", 1, 4), "upperchest", "ribcage"),
        ),
        "neck": ("neck", *numbered("neck{}", 0, 5), *numbered("neck{:02}", 1, 5)),
        "head": ("head", "skull"),
        "thigh": _both_ends(
            "thigh", "upperleg", "upleg", "legupper", "femur", "leg1", "leg01", "hip", "leg"
        ),
        "shin": _both_ends(
            "shin",
            "calf",
            "lowerleg",
            "lowleg",
            "loleg",
            "leglower",
            "tibia",
            "knee",
            "leg2",
            "leg02",
            "leg",
        ),
        "foot": _both_ends("foot", "ankle", "foot01", "leg3"),
        "toe": _both_ends("toe", "toes", "toebase", "ball", "toe0", "toe1", "foot02", "foot"),
        "shoulder": _both_ends("shoulder", "clavicle", "collar", "collarbone", "scapula", "clav"),
        "upper_arm": _both_ends(
            "upperarm", "uparm", "uarm", "bicep", "humerus", "armupper", "arm1", "shoulder", "arm"
        ),
        "forearm": _both_ends(
            "forearm", "lowerarm", "lowarm", "loarm", "farm", "elbow", "armlower", "arm2", "ulna"
        ),
        "hand": _both_ends("hand", "wrist", "arm3"),
    },
)

FAMILIES = (
    *(RIGIFY_FK, AUTO_RIG_PRO_FK),
    *(BVH, READY_PLAYER_ME, MIXAMO, CMU_BVH),
    *(RIGIFY_METARIG, RIGIFY_DEFORM),
    *(UNREAL, VROID, VRM, MAKEHUMAN),
    *(AUTO_RIG_PRO, AUTO_RIG_PRO_REFERENCE),
    *(DAZ_GENESIS_8, DAZ_GENESIS_9, DAZ_POSER),
    *(BANDAI_NAMCO, QUATERNIUS),
    *(BIPED_3DS_MAX, CHARACTER_CREATOR, SECOND_LIFE, SMPL, ADVANCED_SKELETON, MMD),
    *(BVH_JOINTS, HAND_MADE),
)
"""All families; among equals the earlier one gives its name to the mapping."""
