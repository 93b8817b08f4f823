"""A clip without a skin, played by the character of another file with the same skeleton.

Files without a skin have no rest pose: importers take the pose of the first frame for it. So what
the skeletons share is checked and carried over without it: the axes of bones, and in these the
places where their children begin.
"""

from __future__ import annotations

import math

import bpy
import numpy as np
from mathutils import Matrix

from ..errors import RigError
from ..transforms import Floats
from . import fcurves

# Joints that are further apart, as a share of the skeleton's size, are of another skeleton.
SAME_PLACE = 0.01
CHANNELS = {"location": 3, "rotation_quaternion": 4, "scale": 3}


def give_clip(
    clip: bpy.types.Object, character: bpy.types.Object, actions: set[bpy.types.Action]
) -> None:
    """Let a character play the clip of another armature, which is deleted with all below it.

    Args:
        clip: The armature with the clip.
        character: The armature of the character.
        actions: Actions of the character's own file; they are deleted.

    Raises:
        RigError: Their skeletons differ, or nothing is animated.
    """
    shared = _shared_bones(clip, character)
    data = clip.animation_data
    if data is None or data.action is None:
        raise RigError(f'"{clip.name}" contains no animation: choose a file with a clip.')
    played, name = data.action, data.action.name
    first, last = played.frame_range
    frames = np.arange(math.floor(first), math.ceil(last) + 1.0)
    poses = _poses(clip, character, shared, frames)
    character.matrix_world = clip.matrix_world.copy()
    for thing in (*clip.children_recursive, clip):
        bpy.data.objects.remove(thing)
    for action in (*actions, played):
        bpy.data.actions.remove(action)
    _write(character, name, frames, poses)


def _shared_bones(clip: bpy.types.Object, character: bpy.types.Object) -> list[str]:
    """Bones that both have, parents first; refuses a clip of another skeleton."""
    own, size = character.data.bones, _size(character.data)
    shared = []
    for bone in clip.data.bones:
        other = own.get(bone.name)
        if other is None:
            if bone.children:
                raise RigError(
                    f'The character has no bone "{bone.name}", which the clip has: choose a '
                    "character with the same skeleton."
                )
            continue  # an end, which importers add to some files only
        shared.append(bone.name)
        if bone.parent is None or other.parent is None:
            continue
        apart = _in_parent(bone).translation - _in_parent(other).translation
        if bone.parent.name != other.parent.name or apart.length > SAME_PLACE * size:
            raise RigError(
                f'The bone "{bone.name}" begins elsewhere on "{bone.parent.name}" in the clip than '
                "in the character: choose a character with the same skeleton."
            )
    return shared


def _poses(
    clip: bpy.types.Object, character: bpy.types.Object, bones: list[str], frames: Floats
) -> dict[str, list[Matrix]]:
    """Poses of bones in some frames, against the rest pose of the character."""
    scene = bpy.context.scene
    to_own = {
        name: _in_parent(character.data.bones[name]).inverted() @ _in_parent(clip.data.bones[name])
        for name in bones
    }
    found: dict[str, list[Matrix]] = {name: [] for name in bones}
    for frame in frames:
        scene.frame_set(int(frame))
        for name in bones:
            found[name].append(to_own[name] @ clip.pose.bones[name].matrix_basis)
    return found


def _write(
    character: bpy.types.Object, name: str, frames: Floats, poses: dict[str, list[Matrix]]
) -> None:
    """Write poses as keyframes of a new action of a character."""
    action = fcurves.new_action(name, character)
    fcurves.assign_action(character, action, fcurves.ensure_slot(action, character))
    container = fcurves.assigned_container(character)
    assert container is not None
    for bone, matrices in poses.items():
        posed = character.pose.bones[bone]
        posed.rotation_mode = "QUATERNION"
        parts = [matrix.decompose() for matrix in matrices]
        turns = np.array([part[1] for part in parts])
        flips = np.cumprod(np.where((turns[1:] * turns[:-1]).sum(axis=1) < 0.0, -1.0, 1.0))
        turns[1:] *= flips[:, None]
        values = {
            "location": np.array([part[0] for part in parts]),
            "rotation_quaternion": turns,
            "scale": np.array([part[2] for part in parts]),
        }
        for channel, count in CHANNELS.items():
            path = posed.path_from_id(channel)
            for index in range(count):
                curve = fcurves.ensure_curve(container, path, index, bone)
                keys = values[channel][:, index]
                fcurves.write_keys(curve, frames, keys, key_type="KEYFRAME")


def _in_parent(bone: bpy.types.Bone) -> Matrix:
    """The rest pose of a bone in its parent's axes."""
    if bone.parent is None:
        return bone.matrix_local.copy()
    return bone.parent.matrix_local.inverted() @ bone.matrix_local


def _size(armature: bpy.types.Armature) -> float:
    """The largest extent of an armature's joints, in its units."""
    heads = np.array([bone.head_local for bone in armature.bones])
    return float(np.ptp(heads, axis=0).max())
