"""Having an armature play the source of its last bake for a while, instead of the result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext

import bpy

from ..blender import fcurves
from ..blender.fcurves import Channel
from ..blender.scene_state import preserved_frame, set_property
from ..clip.sampling import evaluated_depsgraph
from .keys import NLA_DEFAULTS

Held = Mapping[str, Sequence[float]]
NOTHING_HELD: Held = {}


def played_layers(armature_object: bpy.types.Object) -> list[bpy.types.NlaStrip]:
    """The strips that play the result of the last bake, if that is a layer."""
    result, data = armature_object.bioik.baked.result, armature_object.animation_data
    if result is None or data is None or data.action == result:
        return []
    return [
        strip
        for track in data.nla_tracks
        for strip in track.strips
        if strip.action == result and not (strip.mute or track.mute)
    ]


@contextmanager
def action_played(
    scene: bpy.types.Scene,
    armature_object: bpy.types.Object,
    action: bpy.types.Action | None,
    held: Held = NOTHING_HELD,
) -> Iterator[None]:
    """Temporarily use another action, or none.

    Properties of bones that it has no keys for have the values `held` by their data paths, or are
    at rest, where they most likely were.
    """
    own, slot = armature_object.animation_data.action, fcurves.assigned_slot(armature_object)
    with preserved_frame(scene, [armature_object]):
        try:
            baked = fcurves.curves_by_channel(fcurves.assigned_container(armature_object))
            same = fcurves.matching_slot(action, slot) if action is not None else None
            fcurves.assign_action(armature_object, action, same)
            kept = fcurves.curves_by_channel(fcurves.assigned_container(armature_object))
            _hold(armature_object, baked.keys() - kept.keys(), held)
            yield
        finally:
            fcurves.assign_action(armature_object, own, slot)
            # Evaluated immediately: later it would discard unkeyed changes of the pose.
            evaluated_depsgraph(scene)


@contextmanager
def strips_muted(
    scene: bpy.types.Scene,
    armature_object: bpy.types.Object,
    strips: Sequence[bpy.types.NlaStrip],
) -> Iterator[None]:
    """Temporarily mute strips."""
    with preserved_frame(scene, [armature_object]):
        try:
            for strip in strips:
                strip.mute = True
            yield
        finally:
            for strip in strips:
                strip.mute = False
            evaluated_depsgraph(scene)


@contextmanager
def source_played(
    scene: bpy.types.Scene,
    armature_object: bpy.types.Object,
    held: Held = NOTHING_HELD,
    unmuted: Sequence[tuple[str, str]] = (),
    *,
    in_place: bool = False,
) -> Iterator[None]:
    """Temporarily play the source of the last bake.

    Args:
        scene: The scene.
        armature_object: The armature.
        held: Values of properties that the source has no keys for, by their data paths.
        unmuted: Constraints that act on the source, each with its bone.
        in_place: Whether the result is its own source.
    """
    baked, data = armature_object.bioik.baked, armature_object.animation_data
    layers = played_layers(armature_object)
    playing: AbstractContextManager[None] = nullcontext()
    if layers:
        playing = strips_muted(scene, armature_object, layers)
    elif data.action == baked.result and not in_place:
        playing = action_played(scene, armature_object, baked.source, held)
    with playing, _constraints_acting(scene, armature_object, unmuted):
        yield


@contextmanager
def _constraints_acting(
    scene: bpy.types.Scene,
    armature_object: bpy.types.Object,
    constraints: Sequence[tuple[str, str]],
) -> Iterator[None]:
    """Temporarily unmute constraints."""
    bones = armature_object.pose.bones
    found = [bones[bone].constraints.get(name) for bone, name in constraints if bone in bones]
    muted = [constraint for constraint in found if constraint is not None and constraint.mute]
    try:
        for constraint in muted:
            constraint.mute = False
        yield
    finally:
        for constraint in muted:
            constraint.mute = True
        if muted:
            evaluated_depsgraph(scene)


def _hold(armature_object: bpy.types.Object, channels: Iterable[Channel], held: Held) -> None:
    """Give channels of bones that no action moves their values, or those they have at rest."""
    for path, index in channels:
        value = held.get(path, NLA_DEFAULTS.get(path.rpartition(".")[2]))
        if value is None or not path.startswith("pose."):
            continue
        if len(value) == 1:
            set_property(armature_object, path, type(armature_object.path_resolve(path))(value[0]))
        else:
            armature_object.path_resolve(path)[index] = value[index]
