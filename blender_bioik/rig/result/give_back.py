"""Removing a result, so that the armature is again as it was before; or keeping it for good."""

from __future__ import annotations

import bpy

from ..blender import fcurves
from ..errors import RigError
from ..goals.constraints import mute_named
from ..keys.outputs import refuse_changes
from ..keys.played_source import LayerStrips, hold, put_keys_back
from ..keys.results import (
    HELD,
    Result,
    forget_source,
    is_played,
    own_strips,
    played_result,
    refuse_unknown_source,
    source_slot,
    unmark,
)
from ..report.metric_curves import remove_metrics

NO_RESULT = "The armature plays no result of a bake or a foot placement."


def give_source_back(scene: bpy.types.Scene, armature_object: bpy.types.Object) -> str:
    """Remove the result that an armature plays, and have it play the source as before.

    Action, slot, NLA, muted constraints, values of properties without keyframes and the report's
    curves and markers are as they were. An action that something else plays too is not deleted.

    Returns:
        The name of the action that held the result.

    Raises:
        RigError: There is none, or its source is not known; nothing has been changed.
    """
    refuse_unknown_source(armature_object)
    result = played_result(armature_object)
    if result is None:
        raise RigError(NO_RESULT)
    refuse_changes(armature_object)
    name, key = result.action.name, result.action.bioik.key
    remove_metrics(scene, armature_object)
    if result.output == "LAYER":
        _take_layer_away(armature_object, result)
    elif result.output == "IN_PLACE":
        _restore_in_place(armature_object, result)
    else:
        _play_source(armature_object, result)
    mute_named(armature_object, result.kept.muted, False)
    hold(armature_object, result.kept.held)
    _forget(armature_object)
    forget_source(armature_object, key)
    remove_unplayed(result.source if result.output == "IN_PLACE" else result.action)
    return name


def use_result_as_source(armature_object: bpy.types.Object) -> list[str]:
    """Make the results that an armature plays its source from now on; the names of the actions.

    Raises:
        RigError: There is none.
    """
    data = armature_object.animation_data
    strips = [strip.action for _, strip in own_strips(data)] if data is not None else []
    played = [data.action, *strips] if data is not None else []
    marked = [action for action in played if action is not None and action.bioik.output]
    older = played_result(armature_object)
    if older is None and not marked:
        raise RigError(NO_RESULT)
    names = [action.name for action in marked if action.bioik.output != HELD]
    for action in marked:
        forget_source(armature_object, action.bioik.key)
        if action.library is None:
            unmark(action)
    _forget(armature_object, report=False)
    return names or [older.action.name if older is not None else ""]


def remove_unplayed(action: bpy.types.Action | None) -> None:
    """Delete an action of ours that no object plays."""
    if action is not None and action.library is None and not is_played(action):
        bpy.data.actions.remove(action)


def _play_source(armature_object: bpy.types.Object, result: Result) -> None:
    source = result.source
    _assign(armature_object, source, source_slot(armature_object, result))
    if source is not None and source.library is None and not result.kept.fake_user:
        source.use_fake_user = False


def _restore_in_place(armature_object: bpy.types.Object, result: Result) -> None:
    put_keys_back(armature_object, result)
    if fcurves.LAYERED_ACTIONS and result.kept.slot == "":
        result.action.slots.remove(fcurves.assigned_slot(armature_object))
    unmark(result.action)


def _take_layer_away(armature_object: bpy.types.Object, result: Result) -> None:
    """Remove the strips of a layer; what was pushed down becomes the active action again."""
    data = armature_object.animation_data
    layer = LayerStrips.of(armature_object, result)
    slot = source_slot(armature_object, result)
    held = layer.held[1].action if layer.held is not None else None
    for track, strip in layer.all:
        if len(track.strips) > 1:
            track.strips.remove(strip)
        else:
            data.nla_tracks.remove(track)
    if layer.source is not None:
        _assign(armature_object, result.source, slot)
    data.use_nla = result.kept.use_nla
    remove_unplayed(held)


def _assign(
    armature_object: bpy.types.Object,
    action: bpy.types.Action | None,
    slot: bpy.types.ActionSlot | None,
) -> None:
    """Make an action and a slot active, or none of its slots."""
    fcurves.assign_action(armature_object, action, slot)
    if fcurves.LAYERED_ACTIONS and action is not None and slot is None:
        armature_object.animation_data.action_slot = None


def _forget(armature_object: bpy.types.Object, *, report: bool = True) -> None:
    """Clear what is stored about the last bake."""
    baked = armature_object.bioik.baked
    baked.source = baked.result = None
    baked.inputs = ""
    baked.frame_start = baked.frame_end = 0
    if report:
        armature_object.bioik.bake.report = ""
