"""Having an armature play the source of a result for a while, instead of the result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from typing import NamedTuple

import bpy

from ..blender import fcurves
from ..blender.fcurves import Channel
from ..blender.scene_state import preserved_frame, set_property
from ..clip.sampling import evaluated_depsgraph
from .keys import NLA_DEFAULTS
from .results import (
    HELD,
    Result,
    own_strips,
    played_result,
    refuse_unknown_source,
    source_slot,
    unmark,
)

Held = Mapping[str, Sequence[float]]
TrackAndStrip = tuple[bpy.types.NlaTrack, bpy.types.NlaStrip]
NOTHING_HELD: Held = {}
# Armatures that play their source for a while, by session_uid.
_playing: set[int] = set()


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
    chosen: bpy.types.ActionSlot | None = None,
) -> Iterator[None]:
    """Temporarily use another action, or none.

    Properties of bones that it has no keys for have the values `held` by their data paths, or are
    at rest, where they most likely were. The slot is `chosen`, or else that of the same identifier.
    """
    own, slot = armature_object.animation_data.action, fcurves.assigned_slot(armature_object)
    with preserved_frame(scene, [armature_object]):
        try:
            baked = fcurves.curves_by_channel(fcurves.assigned_container(armature_object))
            same = fcurves.matching_slot(action, slot) if action is not None else None
            fcurves.assign_action(armature_object, action, chosen or same)
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
def own_source_played(scene: bpy.types.Scene, armature_object: bpy.types.Object) -> Iterator[None]:
    """Temporarily play the source of the result that an armature plays, if it plays one.

    The armature is then as it was before the result was made, so that reading it gives the same
    numbers, bit for bit. Nested use has no effect.

    Raises:
        RigError: The source is not known.
    """
    uid = armature_object.session_uid
    if uid in _playing:
        yield
        return
    refuse_unknown_source(armature_object)
    result = played_result(armature_object)
    if result is None:
        yield
        return
    with ExitStack() as playing:
        _playing.add(uid)
        playing.callback(_playing.discard, uid)
        kept = result.kept
        if result.output == "LAYER":
            playing.enter_context(_layer_taken_away(scene, armature_object, result))
        elif result.output == "IN_PLACE":
            playing.enter_context(_put_back(scene, armature_object, result))
        else:
            slot = source_slot(armature_object, result)
            playing.enter_context(
                action_played(scene, armature_object, result.source, kept.held, slot)
            )
        playing.enter_context(_constraints_acting(scene, armature_object, kept.muted))
        yield


@contextmanager
def _layer_taken_away(
    scene: bpy.types.Scene, armature_object: bpy.types.Object, result: Result
) -> Iterator[None]:
    """Temporarily mute the tracks of a layer, and play what was pushed down as the action."""
    layer = LayerStrips.of(armature_object, result)
    data = armature_object.animation_data
    tracks = [track for track, _ in layer.all if not track.mute]
    with preserved_frame(scene, [armature_object]):
        try:
            for track in tracks:
                track.mute = True
            if layer.source is not None:
                slot = source_slot(armature_object, result)
                fcurves.assign_action(armature_object, result.source, slot)
            hold(armature_object, result.kept.held)
            yield
        finally:
            if layer.source is not None:
                data.action = None
            for track in tracks:
                track.mute = False
            evaluated_depsgraph(scene)


@contextmanager
def _put_back(
    scene: bpy.types.Scene, armature_object: bpy.types.Object, result: Result
) -> Iterator[None]:
    """Temporarily play a copy of an action changed in place, with the source's keyframes."""
    own, slot = result.action, fcurves.assigned_slot(armature_object)
    copy = fcurves.copy_action(own, own.name)
    unmark(copy)
    with preserved_frame(scene, [armature_object]):
        try:
            fcurves.assign_action(armature_object, copy, fcurves.matching_slot(copy, slot))
            put_keys_back(armature_object, result)
            hold(armature_object, result.kept.held)
            yield
        finally:
            fcurves.assign_action(armature_object, own, slot)
            evaluated_depsgraph(scene)
            bpy.data.actions.remove(copy)


def put_keys_back(armature_object: bpy.types.Object, result: Result) -> None:
    """Give the active action the keyframes that the source of a result has for what was written."""
    container = fcurves.assigned_container(armature_object)
    source = result.source
    assert container is not None
    assert source is not None
    slot = source_slot(armature_object, result)
    written = frozenset(result.kept.written)
    fcurves.restore_curves(container, fcurves.container_of(source, slot), written)


class LayerStrips(NamedTuple):
    """The strips of a layer, each with its track.

    Attributes:
        layer: The strip that combines with what is below it.
        held: The strip below it that holds values; None if there is none.
        source: The strip of the action that was pushed down; None if there was none, or if another
            action has taken its place.
    """

    layer: TrackAndStrip
    held: TrackAndStrip | None
    source: TrackAndStrip | None

    @classmethod
    def of(cls, armature_object: bpy.types.Object, result: Result) -> LayerStrips:
        """The strips of a layer that an armature plays."""
        data = armature_object.animation_data
        strips = list(own_strips(data))
        at = max(i for i, (_, strip) in enumerate(strips) if strip.action == result.action)
        below = at - 1
        held = source = None
        if below >= 0 and _is_held(strips[below][1]):
            held, below = strips[below], below - 1
        if (
            below >= 0
            and data.action is None
            and result.source is not None
            and strips[below][1].action == result.source
        ):
            source = strips[below]
        return cls(strips[at], held, source)

    def mute(self, muted: bool) -> None:
        """Mute layer and held values, or have them act."""
        for found in (self.layer, self.held):
            if found is not None:
                found[1].mute = muted

    @property
    def all(self) -> list[TrackAndStrip]:
        """All of them, from the top down."""
        return [found for found in self if found is not None]


def _is_held(strip: bpy.types.NlaStrip) -> bool:
    return strip.action is not None and strip.action.bioik.output == HELD


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


def hold(armature_object: bpy.types.Object, held: Held) -> None:
    """Give properties the values that they had; those that no longer exist are left out."""
    for path, value in held.items():
        try:
            now = armature_object.path_resolve(path)
        except ValueError:
            continue
        if hasattr(now, "__len__"):
            for index, number in enumerate(value):
                now[index] = number
        else:
            set_property(armature_object, path, type(now)(value[0]))


def _hold(armature_object: bpy.types.Object, channels: Iterable[Channel], held: Held) -> None:
    """Give channels that no action moves their values, or those that bones have at rest."""
    for path, index in channels:
        value = held.get(path)
        if value is None and path.startswith("pose."):
            value = NLA_DEFAULTS.get(path.rpartition(".")[2])
        if value is None:
            continue
        if len(value) == 1:
            hold(armature_object, {path: value})
        else:
            armature_object.path_resolve(path)[index] = value[index]
