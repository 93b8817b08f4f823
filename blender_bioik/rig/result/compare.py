"""Comparing a result with its source: either plays, and the other is kept."""

from __future__ import annotations

import bpy

from ..blender import fcurves
from ..errors import RigError
from ..goals.constraints import mute_named
from ..keys.played_source import LayerStrips, hold
from ..keys.results import (
    Result,
    hidden_result,
    played_result,
    refuse_unknown_source,
    source_slot,
)
from .give_back import NO_RESULT


def show_other(armature_object: bpy.types.Object) -> bool:
    """Play the source instead of the result, or the result again; whether the result plays now.

    Raises:
        RigError: There is nothing to compare, or no source; nothing has been changed.
    """
    hidden = hidden_result(armature_object)
    if hidden is not None:
        _show_result(armature_object, hidden)
        return True
    refuse_unknown_source(armature_object)
    shown = played_result(armature_object)
    if shown is None or shown.output == "IN_PLACE":
        raise RigError(NO_RESULT)
    _show_source(armature_object, shown)
    return False


def _show_source(armature_object: bpy.types.Object, result: Result) -> None:
    if result.output == "LAYER":
        LayerStrips.of(armature_object, result).mute(True)
    else:
        armature_object.bioik.baked.result = result.action  # which keeps it in the file
        slot = source_slot(armature_object, result)
        fcurves.assign_action(armature_object, result.source, slot)
    mute_named(armature_object, result.kept.muted, False)
    hold(armature_object, result.kept.held)


def _show_result(armature_object: bpy.types.Object, result: Result) -> None:
    if result.output == "LAYER":
        LayerStrips.of(armature_object, result).mute(False)
    else:
        slot = fcurves.assigned_slot(armature_object)
        same = fcurves.matching_slot(result.action, slot)
        if same is None and fcurves.LAYERED_ACTIONS:
            same = next(iter(result.action.slots), None)
        fcurves.assign_action(armature_object, result.action, same)
    mute_named(armature_object, result.kept.muted, True)
