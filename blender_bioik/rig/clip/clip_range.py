"""The frame range of an armature's animation, where it is unambiguous."""

from __future__ import annotations

import bpy

from ..blender.fcurves import (
    acts,
    assigned_container,
    curves_by_channel,
    has_acting_modifiers,
)
from ..blender.scene_state import TRANSFORM_PROPERTIES
from ..errors import RigError


def clip_range(
    scene: bpy.types.Scene, armature_object: bpy.types.Object
) -> tuple[float, float] | None:
    """First and last frame of the keys that move an armature.

    None where there may be motion before or after them (curves that repeat or lead on, NLA strips,
    drivers, constraints to other objects, parents that move), or where all keys are in one frame: a
    pose, which is meant for any frame.
    """
    data = armature_object.animation_data
    if data is None or data.action is None or moves_otherwise(scene, armature_object):
        return None
    if data.action.use_frame_range and data.action.use_cyclic:
        return None
    curves = [
        curve
        for (path, _), curve in curves_by_channel(assigned_container(armature_object)).items()
        if acts(curve) and path.rpartition(".")[2] in TRANSFORM_PROPERTIES
    ]
    if not curves or any(map(_goes_on, curves)):
        return None
    ranges = [tuple(curve.range()) for curve in curves]
    first, last = min(first for first, _ in ranges), max(last for _, last in ranges)
    return (first, last) if first < last else None


def refuse_frames_beyond_clip(
    scene: bpy.types.Scene, armature_object: bpy.types.Object, start: int, end: int
) -> None:
    """Refuse a frame range without any of the armature's animation.

    Raises:
        RigError: Names the frames of the clip.
    """
    known = clip_range(scene, armature_object)
    if known is not None and (end < known[0] or start > known[1]):
        raise RigError(
            f'"{armature_object.name}" is animated on frames {known[0]:g} to {known[1]:g}, not on '
            f"{start} to {end}: choose frames inside its clip."
        )


def beyond_clip_notes(
    scene: bpy.types.Scene, armature_object: bpy.types.Object, start: int, end: int
) -> list[str]:
    """A note if a frame range extends beyond the armature's animation."""
    known = clip_range(scene, armature_object)
    if known is None or (start >= known[0] and end <= known[1]):
        return []
    return [
        f"The clip covers frames {known[0]:g} to {known[1]:g}: outside of it, its first or last "
        "pose is held."
    ]


def _goes_on(curve: bpy.types.FCurve) -> bool:
    """Whether a curve may change before its first key or after its last."""
    leads_on = curve.extrapolation == "LINEAR" and len(curve.keyframe_points) > 1
    return leads_on or has_acting_modifiers(curve)


def moves_otherwise(scene: bpy.types.Scene, object_: bpy.types.Object) -> bool:
    """Whether an object may be moved by more than the keyframes of its own action."""
    if scene.render.frame_map_old != scene.render.frame_map_new:
        return True
    if object_.type == "ARMATURE" and _is_played(object_.data):
        return True
    if _follows(object_, object_.constraints):
        return True
    if _has_drivers_or_strips(object_) or object_.rigid_body is not None:
        return True
    parent = object_.parent
    while parent is not None:
        if _is_played(parent) or _follows(parent, parent.constraints) or parent.rigid_body:
            return True
        parent = parent.parent
    bones = object_.pose.bones if object_.pose else ()
    return any(_follows(object_, bone.constraints) for bone in bones)


def _has_drivers_or_strips(owner: bpy.types.ID) -> bool:
    data = owner.animation_data
    if data is None:
        return False
    strips = any(not track.mute and len(track.strips) for track in data.nla_tracks)
    return strips or len(data.drivers) > 0 or data.use_tweak_mode


def _is_played(owner: bpy.types.ID) -> bool:
    """Whether anything animates some data at all."""
    data = owner.animation_data
    return data is not None and (data.action is not None or _has_drivers_or_strips(owner))


def _follows(owner: bpy.types.Object, constraints: bpy.types.bpy_prop_collection) -> bool:
    """Whether constraints make something follow other objects than its owner."""
    for constraint in constraints:
        targets = [getattr(constraint, "target", None), getattr(constraint, "pole_target", None)]
        targets += [each.target for each in getattr(constraint, "targets", ())]
        if not constraint.mute and any(target not in (None, owner) for target in targets):
            return True
    return False
