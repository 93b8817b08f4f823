"""Plain animation, which can be read from F-curves without evaluating the scene.

Plain animation consists of keyframes on location, rotation and scale only: no constraints, drivers
or NLA. Otherwise functions return the reason as a phrase.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import bpy
import numpy as np

from ..blender.fcurves import (
    Channel,
    acts,
    assigned_container,
    curves_by_channel,
    sample_curves,
)
from ..blender.scene_state import TRANSFORM_PROPERTIES
from ..errors import RigError
from ..transforms import (
    Floats,
    matrix_from_channels,
    quaternion_from_channels,
    quaternion_product,
)
from .skeleton import Skeleton

ROTATION_PROPERTIES = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}
# Properties other than custom ones that may be animated without moving the bone or object.
HARMLESS_PREFIXES = ("[", "bbone_", "hide_", "color", "show_", "bioik.")


def rotation_property(rotation_mode: str) -> str:
    """Name of the property that holds the rotation in a rotation mode."""
    return ROTATION_PROPERTIES.get(rotation_mode, "rotation_euler")


def rotation_size(rotation_mode: str) -> int:
    """How many channels a rotation has in a rotation mode."""
    return TRANSFORM_PROPERTIES[rotation_property(rotation_mode)]


def bone_path(name: str) -> str:
    """Data path of a pose bone."""
    return f'pose.bones["{bpy.utils.escape_identifier(name)}"]'


def plain_reason(
    armature_object: bpy.types.Object, scene: bpy.types.Scene | None = None
) -> str | None:
    """Why an armature's clip cannot be read straight from F-curves; None if it can."""
    reason = object_plain_reason(armature_object, scene)
    if reason:
        return reason
    data = armature_object.data
    if data.pose_position == "REST":
        return f'armature "{data.name}" is in Rest Position'
    if data.animation_data and (data.animation_data.action or len(data.animation_data.drivers)):
        return f'armature data "{data.name}" is animated'
    for bone in _pose_bones(armature_object):
        if any(not constraint.mute for constraint in bone.constraints):
            return f'bone "{bone.name}" has a constraint'
    return None


def object_plain_reason(
    object_: bpy.types.Object, scene: bpy.types.Scene | None = None
) -> str | None:
    """Why an object's movement cannot be read straight from F-curves; None if it can."""
    if scene is not None and scene.render.frame_map_old != scene.render.frame_map_new:
        return "the scene's time is remapped"
    if any(not constraint.mute for constraint in object_.constraints):
        return f'object "{object_.name}" has a constraint'
    if object_.rigid_body is not None:
        return f'object "{object_.name}" is a rigid body'
    return _animation_reason(object_) or _curves_reason(object_) or _parent_reason(object_, scene)


def is_animated(object_: bpy.types.Object) -> bool:
    """Whether keyframes move a plain object, or one of its parents."""
    if any(acts(c) and path in TRANSFORM_PROPERTIES for (path, _), c in _curves(object_).items()):
        return True
    return object_.parent is not None and is_animated(object_.parent)


def plain_world(object_: bpy.types.Object, frames: Floats) -> Floats:
    """World matrices (frames, 4, 4) of a plain object, from its keys and those of its parents."""
    basis = _object_basis(object_, frames)
    if object_.parent is None:
        return basis
    parent = plain_world(object_.parent, frames)
    return parent @ np.array(object_.matrix_parent_inverse, float) @ basis


def plain_channels(
    skeleton: Skeleton,
    armature_object: bpy.types.Object,
    frames: Floats,
    curves: Mapping[Channel, Floats] | None = None,
) -> tuple[Floats, Floats, Floats]:
    """Location (f, n, 3), rotation (f, n, 4) and scale (f, n, 3) channels of all bones.

    Rotations are in each bone's own mode, of Euler angles the last number is zero. A channel
    without an F-curve that acts has the value its property has now. `curves` may give values over
    the frames instead of the action that the armature plays.
    """
    sampled = curves
    if sampled is None:
        sampled = sample_curves(assigned_container(armature_object), frames, _is_of_bone)
    shape = len(frames), len(skeleton)
    location, rotation, scale = np.empty((*shape, 3)), np.zeros((*shape, 4)), np.empty((*shape, 3))
    for i, (name, mode) in enumerate(zip(skeleton.names, skeleton.rotation_mode, strict=True)):
        bone, path = armature_object.pose.bones[name], bone_path(name) + "."
        location[:, i] = _property_values(bone, "location", sampled, len(frames), path)
        scale[:, i] = _property_values(bone, "scale", sampled, len(frames), path)
        rotation[:, i, : rotation_size(mode)] = _property_values(
            bone, rotation_property(mode), sampled, len(frames), path
        )
    return location, rotation, scale


def refuse_animated_rotation_modes(armature_object: bpy.types.Object) -> None:
    """Refuse an action that switches a bone's rotation mode.

    Raises:
        RigError: Names the bone.
    """
    container = assigned_container(armature_object)
    switches = {
        curve.data_path
        for curve in (container.fcurves if container is not None else ())
        if curve.data_path.endswith(".rotation_mode") and acts(curve)
    }
    for bone in _pose_bones(armature_object) if switches else ():
        if f"{bone_path(bone.name)}.rotation_mode" in switches:
            raise RigError(
                f'The rotation mode of bone "{bone.name}" is animated: delete its keyframes to '
                "keep a single rotation mode."
            )


def _pose_bones(object_: bpy.types.Object) -> Sequence[bpy.types.PoseBone]:
    return object_.pose.bones if object_.pose else ()


def _curves(object_: bpy.types.Object) -> dict[Channel, bpy.types.FCurve]:
    return curves_by_channel(assigned_container(object_))


def _animation_reason(object_: bpy.types.Object) -> str | None:
    data = object_.animation_data
    if data is None:
        return None
    if len(data.drivers):
        return f'object "{object_.name}" has drivers'
    if data.use_tweak_mode:
        return f'an NLA strip of object "{object_.name}" is being tweaked'
    if any(not track.mute and len(track.strips) for track in data.nla_tracks):
        return f'object "{object_.name}" is animated by NLA strips'
    if len(data.nla_tracks) and (
        data.action_influence != 1.0 or data.action_blend_type != "REPLACE"
    ):
        return f'the action of object "{object_.name}" is blended'
    return None


def _curves_reason(object_: bpy.types.Object) -> str | None:
    known = {bone_path(bone.name) for bone in _pose_bones(object_)}
    for (path, _), curve in _curves(object_).items():
        if not acts(curve):
            continue
        owner, name = _split(path)
        if owner.startswith("pose.bones") and owner not in known:
            continue  # A bone of another rig: nothing to animate here.
        if name not in TRANSFORM_PROPERTIES and not name.startswith(HARMLESS_PREFIXES):
            return f'"{path}" of object "{object_.name}" is animated'
    return None


def _is_of_bone(path: str) -> bool:
    return path.startswith("pose.bones")


def _split(path: str) -> tuple[str, str]:
    """Data path of the bone, or an empty string, and the animated property."""
    if not path.startswith('pose.bones["'):
        return "", path
    end = path.find('"]')
    while end > 0 and path[end - 1] == "\\":
        end = path.find('"]', end + 1)
    return path[: end + 2], path[end + 2 :].removeprefix(".")


def _parent_reason(object_: bpy.types.Object, scene: bpy.types.Scene | None) -> str | None:
    parent = object_.parent
    if parent is None:
        return None
    if object_.parent_type != "OBJECT":
        return f'object "{object_.name}" is parented to a part of "{parent.name}"'
    if parent.type == "CURVE" and parent.data.use_path:
        return f'object "{object_.name}" is parented to the path "{parent.name}"'
    return object_plain_reason(parent, scene)


def _object_basis(object_: bpy.types.Object, frames: Floats) -> Floats:
    sampled = sample_curves(assigned_container(object_), frames, TRANSFORM_PROPERTIES.__contains__)
    mode = object_.rotation_mode
    location = _property_values(object_, "location", sampled, len(frames))
    scale = _property_values(object_, "scale", sampled, len(frames))
    rotation = quaternion_from_channels(
        _property_values(object_, rotation_property(mode), sampled, len(frames)), mode
    )
    if mode == "QUATERNION":
        turn = quaternion_from_channels(np.array(object_.delta_rotation_quaternion), mode)
    elif mode == "AXIS_ANGLE":  # whose delta exists in Blender but is not accessible
        turn = np.array([1.0, 0.0, 0.0, 0.0])
    else:
        turn = quaternion_from_channels(np.array(object_.delta_rotation_euler), mode)
    return matrix_from_channels(
        location + np.array(object_.delta_location),
        quaternion_product(turn, rotation),
        scale * np.array(object_.delta_scale),
    )


def _property_values(
    owner: bpy.types.Object | bpy.types.PoseBone,
    name: str,
    sampled: Mapping[Channel, Floats],
    count: int,
    prefix: str = "",
) -> Floats:
    """A vector property over frames: sampled where it has F-curves, else as it is now."""
    values = np.tile(np.array(getattr(owner, name), float), (count, 1))
    for index in range(values.shape[1]):
        curve = sampled.get((prefix + name, index))
        if curve is not None:
            values[:, index] = curve
    return values
