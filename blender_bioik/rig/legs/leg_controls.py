"""Legs whose bones are controls: whether it is these that move the character's own legs.

Rigs with controls have two sets of them for each leg. While IK moves it, the FK controls, of which
the leg consists for the solver, stay behind, and keys on them have no effect.
"""

from __future__ import annotations

from collections.abc import Sequence

import bpy
import numpy as np

from ..clip.curve_only import bone_path
from ..clip.sampling import Clip
from ..clip.skeleton import Skeleton
from ..controls.posed_by import Rigging, read_rigging
from ..errors import RigError
from ..joints.moving_bones import chain
from ..keys.outputs import animated_channels
from ..soles.soles import Sole
from ..soles.tuning import SOLE_MESH

# Custom properties of bones that are 1 while FK controls move a limb: Rigify's, Auto-Rig Pro's.
SWITCHES = ("IK_FK", "ik_fk_switch")


def refuse_idle_controls(
    armature_object: bpy.types.Object, skeleton: Skeleton, clip: Clip, soles: Sequence[Sole]
) -> None:
    """Refuse legs that are moved by other controls than those that would get keyframes.

    Args:
        armature_object: The armature.
        skeleton: Its bones.
        clip: Their animation.
        soles: The feet.

    Raises:
        RigError: Names the leg, its bone and what to do.
    """
    rigging = read_rigging(armature_object)
    for sole in soles:
        if armature_object.data.bones[sole.foot].use_deform or _is_led(rigging, sole):
            continue
        name = f'The leg "{sole.name}" of "{armature_object.name}"'
        if switch := _switch_to_ik(armature_object, skeleton, sole):
            raise RigError(
                f'{name} is moved by IK, not by "{sole.foot}": snap its FK controls to the IK '
                f"motion (in Rigify: FK->IK over the action), then set {switch} to 1."
            )
        frame = _frame_left_behind(armature_object, skeleton, clip, sole)
        if frame is not None:
            raise RigError(
                f'{name} does not follow "{sole.foot}" at frame {frame:g} because other controls '
                "move it: switch to this control, or assign the bones that move it in Body Parts."
            )


def _is_led(rigging: Rigging, sole: Sole) -> bool:
    """Whether a leg's bones are those that controls move, not controls themselves."""
    return any(rigging.moves_by_ik(bone) or rigging.copied(bone) for bone in sole.bones)


def _switch_to_ik(armature_object: bpy.types.Object, skeleton: Skeleton, sole: Sole) -> str:
    """The property that says that IK always moves a leg; empty if there is no switch."""
    data = armature_object.animation_data
    driven = {driver.data_path for driver in data.drivers} if data else set()
    animated = driven | {path for path, _ in animated_channels(armature_object)}
    for bone in _at_joints(skeleton, sole, (sole.bones[0], sole.foot)):
        pose_bone = armature_object.pose.bones[skeleton.names[bone]]
        for switch in SWITCHES:
            value = pose_bone.get(switch)
            path = f'{bone_path(pose_bone.name)}["{switch}"]'
            if isinstance(value, (int, float)) and value < 1.0 and path not in animated:
                return f'"{switch}" of bone "{pose_bone.name}"'
    return ""


def _frame_left_behind(
    armature_object: bpy.types.Object, skeleton: Skeleton, clip: Clip, sole: Sole
) -> float | None:
    """The first frame in which bones that deform the foot are not where its control is."""
    bones, foot = armature_object.data.bones, skeleton.index[sole.foot]
    led = [
        bone
        for bone in _at_joints(skeleton, sole, (sole.foot,))
        if bones[skeleton.names[bone]].use_deform
        and sole.foot not in chain(skeleton, skeleton.names[bone])
    ]
    if not led:
        return None
    places = clip.pose[..., :3, 3]
    apart = np.linalg.norm(places[:, led] - places[:, [foot]], axis=-1).min(axis=1)
    off = np.flatnonzero(apart > SOLE_MESH.same_place * _length(skeleton, sole))
    return float(clip.frames[off[0]]) if len(off) else None


def _at_joints(skeleton: Skeleton, sole: Sole, joints: Sequence[str]) -> list[int]:
    """Bones that begin where some of a leg's bones do, in the rest pose."""
    heads = skeleton.rest[:, :3, 3]
    at = heads[[skeleton.index[joint] for joint in joints]]
    apart = np.linalg.norm(heads[:, None] - at, axis=-1).min(axis=1)
    return [
        int(bone) for bone in np.flatnonzero(apart < SOLE_MESH.same_place * _length(skeleton, sole))
    ]


def _length(skeleton: Skeleton, sole: Sole) -> float:
    heads = skeleton.rest[[skeleton.index[bone] for bone in sole.bones], :3, 3]
    return float(np.linalg.norm(np.diff(heads, axis=0), axis=1).sum())
