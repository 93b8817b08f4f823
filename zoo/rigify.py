"""A person with Rigify's human rig, its legs driven by IK as it comes, or by FK.

The motion is keyed on the controls an animator uses: torso, and foot and toe controls or the FK
chain; with hands, also on hand controls or the FK chain of the arms. What the limbs then do is what
Rigify makes of it. Needs the add-on, which Blender brings.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence

import bpy
import numpy as np
from mathutils import Matrix

from demo.skeleton import Bone, Vector

from .blender import Built, add_skin
from .body import BACK, FORWARD, Body, Limb, Part
from .clips import CLIPS
from .keys import FIRST_FRAME
from .posing import Motion, Touch
from .truth import Truth, true_leg

# What drives legs and arms; arms without it keep the rest pose.
KINDS = {
    "rigify_ik": ("ik", ""),
    "rigify_fk": ("fk", ""),
    "rigify_ik_hands_ik": ("ik", "ik"),
    "rigify_ik_hands_fk": ("ik", "fk"),
    "rigify_fk_hands_ik": ("fk", "ik"),
    "rigify_fk_hands_fk": ("fk", "fk"),
}
HEIGHT = 1.98
THICK, PALM = 0.04, 0.023  # radii of arms, and of hands that rest on things
HEEL = 0.06  # y of the heel of the human metarig
SPINE = ("spine", "spine.001", "spine.002", "spine.003")
NECK = ("spine.004", "spine.005")
# Controls by level, each with the bone whose motion carries it.
CONTROLS: dict[str, tuple[dict[str, str], ...]] = {
    "ik": ({"torso": "spine"}, {"foot_ik": "foot"}, {"toe_ik": "toe"}),
    "fk": ({"torso": "spine"}, {"thigh_fk": "thigh"}, {"shin_fk": "shin"}, {"foot_fk": "foot"},
           {"toe_fk": "toe"}),
}  # fmt: skip
ARM_CONTROLS: dict[str, tuple[dict[str, str], ...]] = {
    "": (),
    "ik": ({"hand_ik": "hand"},),
    "fk": ({"upper_arm_fk": "upper_arm"}, {"forearm_fk": "forearm"}, {"hand_fk": "hand"}),
}


def build(name: str, clip: str | None = None) -> Built:
    """Generate the rig in the current scene; with a clip, it is assigned."""
    return build_on(generated(), name, CLIPS[clip] if clip else None)


def build_on(
    rig: bpy.types.Object, name: str, clip: Callable[[Body], Motion] | None = None
) -> Built:
    """Make the person of a rig that has been generated, with any clip."""
    rig.name = name
    legs, arms = KINDS[name]
    body = _body(rig, arms=bool(arms))
    meshes = add_skin(rig, body, bpy.context.scene.collection)
    for side in "LR":
        rig.pose.bones[f"thigh_parent.{side}"]["IK_FK"] = float(legs == "fk")
        # Hands driven by IK would stay where the clip begins.
        rig.pose.bones[f"upper_arm_parent.{side}"]["IK_FK"] = float(arms != "ik")
    motion = clip(body) if clip else None
    last = FIRST_FRAME
    if motion is not None:
        bpy.context.scene.render.fps, bpy.context.scene.render.fps_base = motion.fps, 1.0
        last = _animate(rig, body, motion, (*CONTROLS[legs], *ARM_CONTROLS[arms]))
        bpy.context.scene.frame_start, bpy.context.scene.frame_end = FIRST_FRAME, last
    return Built(rig, tuple(meshes), _truth(body, meshes, motion), body, motion, FIRST_FRAME, last)


def generated() -> bpy.types.Object:
    """The rig that Rigify makes of its human metarig, alone in the scene."""
    bpy.ops.preferences.addon_enable(module="rigify")
    importlib.import_module("rigify").register_rig_parameters()
    bpy.ops.object.armature_human_metarig_add()
    metarig = bpy.context.object
    bpy.ops.pose.rigify_generate()
    rig = next(o for o in bpy.data.objects if o.type == "ARMATURE" and o is not metarig)
    bpy.data.objects.remove(metarig)
    return rig


def _body(rig: bpy.types.Object, *, arms: bool) -> Body:
    """Its deforming bones as a body: names of roles are those of the metarig."""
    roles = [*SPINE, *NECK, "spine.006"]
    chains = {role: before for before, role in zip(["", *roles], roles, strict=False)}
    for side in "LR":
        leg = [f"{part}.{side}" for part in ("thigh", "shin", "foot", "toe")]
        arm = [f"{part}.{side}" for part in ("shoulder", "upper_arm", "forearm", "hand")]
        chains |= dict(zip(leg, ["spine", *leg], strict=False))
        chains |= dict(zip(arm, ["spine.003", *arm], strict=False))
    bones = [_bone(rig, role, parent) for role, parent in chains.items()]
    limbs = [_limb(rig, side) for side in "LR"]
    for side in "LR" if arms else "":
        joints = (f"upper_arm.{side}", f"forearm.{side}", f"hand.{side}")
        limbs.append(Limb(f"arm.{side}", joints, bend=BACK))
    names = {role: f"DEF-{role}" for role in chains}
    parts = tuple(_skin(bones, PALM if arms else THICK))
    return Body(
        tuple(bones),
        tuple(limbs),
        parts,
        HEIGHT,
        root="spine",
        spine=SPINE[1:],
        neck=NECK,
        names=names,
    )


def _bone(rig: bpy.types.Object, role: str, parent: str) -> Bone:
    bone = rig.data.bones[f"ORG-{role}"]
    return Bone(role, parent, tuple(bone.head_local), tuple(bone.tail_local))


def _limb(rig: bpy.types.Object, side: str) -> Limb:
    toe = rig.data.bones[f"ORG-toe.{side}"]
    x, ball, tip = toe.head_local.x, toe.head_local.y, toe.tail_local.y
    sole = (x, HEEL, 0.0), (x, ball, 0.0), (x, tip, 0.0)
    bones = f"thigh.{side}", f"shin.{side}", f"foot.{side}"
    return Limb(f"leg.{side}", bones, f"toe.{side}", FORWARD, sole)


def _skin(bones: list[Bone], hand: float) -> list[Part]:
    made = []
    for bone in bones:
        part, _, _ = bone.name.partition(".")
        head, tail = bone.head, bone.tail
        x = head[0]
        if part == "foot":
            heel: Vector = (x, HEEL, 0.03)
            made.append(Part(bone.name, heel, (x, tail[1], 0.05), box=(0.045, 0.0, 0.03)))
        elif part == "toe":
            made.append(Part(bone.name, (x, head[1], 0.03), (x, tail[1], 0.03),
                             box=(0.045, 0.0, 0.03)))  # fmt: skip
        else:
            radius = {
                "spine": 0.1,
                "thigh": 0.075,
                "shin": 0.055,
                "hand": hand,
                "forearm": hand,
            }.get(part, THICK)
            made.append(Part(bone.name, head, tail, radius))
    return made


def _animate(
    rig: bpy.types.Object, body: Body, motion: Motion, controls: Sequence[Mapping[str, str]]
) -> int:
    """Key the controls, level by level; returns the last frame."""
    count = len(motion.heads[body.root])
    levels = [
        [(control, role)] if control == "torso" else
        [(f"{control}.{side}", f"{role}.{side}") for side in "LR"]
        for level in controls
        for control, role in level.items()
    ]  # fmt: skip
    for row in range(count):
        for level in levels:
            for control, role in level:
                _pose(rig, control, _moved(rig, body, motion, control, role, row))
            bpy.context.view_layer.update()
        for control, _ in (pair for level in levels for pair in level):
            bone = rig.pose.bones[control]
            rotation = (
                "rotation_quaternion" if bone.rotation_mode == "QUATERNION" else ("rotation_euler")
            )
            for channel in ("location", rotation):
                bone.keyframe_insert(channel, frame=FIRST_FRAME + row)
    return FIRST_FRAME + count - 1


def _moved(
    rig: bpy.types.Object, body: Body, motion: Motion, control: str, role: str, row: int
) -> Matrix:
    """A control's pose matrix when it is carried along by a bone."""
    carry = np.eye(4)
    carry[:3, :3] = motion.turns[role][row]
    carry[:3, 3] = motion.heads[role][row] - carry[:3, :3] @ body.head(role)
    return Matrix(carry.tolist()) @ rig.data.bones[control].matrix_local


def _pose(rig: bpy.types.Object, control: str, pose: Matrix) -> None:
    bone = rig.pose.bones[control]
    if bone.rotation_mode not in ("QUATERNION", "AXIS_ANGLE"):
        before = bone.rotation_euler.copy()
        bone.matrix = pose
        bone.rotation_euler.make_compatible(before)
    else:
        bone.matrix = pose


def _truth(body: Body, meshes: list[bpy.types.Object], motion: Motion | None) -> Truth:
    touches = motion.touches if motion else ()
    slots = {"pelvis": "DEF-spine", "head": "DEF-spine.006"}
    for side in "LR":
        for part in ("shoulder", "upper_arm", "forearm", "hand", "thigh", "shin", "foot", "toe"):
            slots[f"{part}.{side}"] = f"DEF-{part}.{side}"
    return Truth(
        slots,
        tuple(body.named(role) for role in body.spine),
        tuple(body.named(role) for role in body.neck),
        tuple(true_leg(body, leg, meshes) for leg in body.legs),
        HEIGHT,
        (0.0, 0.0, 1.0),
        (0.0, -1.0, 0.0),
        tuple(Touch(body.named(touch.bone), touch.first, touch.stop) for touch in touches),
    )
