"""A new result in place of the one before, with what is needed to give its source back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import bpy

from ..blender import fcurves
from ..goals.constraints import mute
from ..keys import outputs
from ..keys.keys import ChannelKeys
from ..keys.results import (
    Kept,
    earlier_result,
    mark_result,
    played_result,
    slot_identifier,
    source_slot,
)
from ..source.options import BakeOptions
from ..source.source import Source
from ..source_shown import source_shown
from .give_back import give_source_back

# Suffix of the action that keeps the keyframes of one that is changed in place.
BACKUP = "_source"
# Data paths of goals' influences begin with this.
OF_GOALS = "bioik.goals["


class Replaced(NamedTuple):
    """A result that was removed to make place for another one.

    Attributes:
        name: Name of its action.
        fake_user: Whether its action had a fake user.
        influences: Keys of goals' influences in it, which the animator may have made there.
    """

    name: str
    fake_user: bool
    influences: dict[fcurves.Channel, fcurves.Keys]


def given_back(scene: bpy.types.Scene, armature_object: bpy.types.Object) -> Replaced | None:
    """Give the source back, if a result plays; what it was."""
    result = played_result(armature_object)
    if result is None:
        return None
    influences = {}
    if result.output == "NEW_ACTION":
        curves = fcurves.curves_by_channel(fcurves.assigned_container(armature_object))
        influences = {
            channel: fcurves.read_keys(curve)
            for channel, curve in curves.items()
            if channel[0].startswith(OF_GOALS)
        }
    fake_user = result.output == "NEW_ACTION" and result.action.use_fake_user
    return Replaced(give_source_back(scene, armature_object), fake_user, influences)


def write_result(
    source: Source,
    options: BakeOptions,
    channels: Sequence[ChannelKeys],
    replaced: Replaced | None = None,
    *,
    feet: bool,
) -> bpy.types.Action | bpy.types.NlaStrip:
    """Write channels of a source that plays, mute constraints, and note what was there before.

    Args:
        source: What was read.
        options: Where the keys go.
        channels: The channels.
        replaced: The result whose place this one takes.
        feet: Whether feet were placed.

    Returns:
        What now holds the channels.
    """
    armature = source.armature
    data = armature.animation_data
    before = data.action if data is not None else None
    with source_shown():
        kept = _kept(source, options, channels)
    name = replaced.name if replaced is not None and replaced.name not in bpy.data.actions else ""
    if options.output == "IN_PLACE":
        assert before is not None
        backup = fcurves.copy_action(before, before.name + BACKUP)
        written = outputs.write_in_place(armature, source.frames, channels)
        before = backup
    elif options.output == "LAYER":
        strip = outputs.write_layer(source.scene, armature, source.frames, channels, name)
        written = strip.action
    else:
        name = name or _name_of_earlier(armature, before)
        written = outputs.write_new_action(armature, source.frames, channels, name)
        written.use_fake_user = replaced is not None and replaced.fake_user
        for channel, keys in replaced.influences.items() if replaced is not None else ():
            container = fcurves.assigned_container(armature)
            assert container is not None
            fcurves.set_keys(fcurves.ensure_curve(container, *channel), keys)
    if options.mute_constraints:
        mute(armature, source.setup.released)
    mark_result(armature, written, before, options.output, kept, feet=feet)
    return strip if options.output == "LAYER" else written


def add_to_result(
    armature_object: bpy.types.Object,
    channels: Sequence[ChannelKeys],
    muted: Sequence[tuple[str, str]],
) -> None:
    """Note what a part of a result has written and muted that was not so before.

    Args:
        armature_object: The armature; it plays the result.
        channels: The channels; the values of their properties have not been evaluated yet.
        muted: Constraints that were muted, each with its bone.
    """
    result = played_result(armature_object)
    if result is None or not result.action.bioik.output:
        return
    kept = result.kept
    new = {keys.data_path: None for keys in channels if keys.data_path not in kept.written}
    slot = source_slot(armature_object, result)
    source = fcurves.container_of(result.source, slot) if result.source is not None else None
    keyed = {path for path, _ in fcurves.curves_by_channel(source)}
    held = {path: _values(armature_object, path) for path in new if path not in keyed}
    result.action.bioik.kept = replace(
        kept,
        held={**kept.held, **held},
        muted=list(dict.fromkeys([*kept.muted, *muted])),
        written=[*kept.written, *new],
    ).to_text()


def held_now(
    armature_object: bpy.types.Object, channels: Sequence[ChannelKeys]
) -> dict[str, list[float]]:
    """Present values of properties that get keyframes and have none so far, by data path."""
    animated = outputs.animated_channels(armature_object)
    held = {}
    for path in dict.fromkeys(keys.data_path for keys in channels):
        values = _values(armature_object, path)
        if any((path, index) not in animated for index in range(len(values))):
            held[path] = values
    return held


def _values(armature_object: bpy.types.Object, path: str) -> list[float]:
    """The numbers of a property."""
    value = armature_object.path_resolve(path)
    return [float(number) for number in (value if hasattr(value, "__len__") else [value])]


def _kept(source: Source, options: BakeOptions, channels: Sequence[ChannelKeys]) -> Kept:
    armature = source.armature
    data = armature.animation_data
    action = data.action if data is not None else None
    return Kept(
        slot_identifier(armature),
        action.use_fake_user if action is not None else True,
        data.use_nla if data is not None else True,
        held_now(armature, channels),
        source.setup.released.constraints if options.mute_constraints else (),
        tuple(dict.fromkeys(keys.data_path for keys in channels)),
    )


def _name_of_earlier(armature: bpy.types.Object, source: bpy.types.Action | None) -> str:
    """The name of a result of the same source that nothing plays any more, which is deleted."""
    earlier = earlier_result(armature, source, outputs.plain_output_name(armature))
    if earlier is None:
        return ""
    name = earlier.name
    bpy.data.actions.remove(earlier)
    return name
