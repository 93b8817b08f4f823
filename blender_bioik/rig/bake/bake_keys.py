"""Writing the keys of a solved bake, and telling what else that changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import bpy

from ..clip.sampling import Clip
from ..errors import RigError
from ..goals.constraints import mute
from ..keys import outputs
from ..keys.keys import (
    BoneTracks,
    ChannelKeys,
    bone_channels,
    faded,
    layer_channels,
)
from ..trace.read_trace import baked_trace, note_bake
from ..trace.trace import keep_trace

if TYPE_CHECKING:
    from .bake import BakeOptions, BakePlan

# Bones that a note names before it only counts them.
FEW_NAMES = 4


class WrittenKeys(NamedTuple):
    """What was written.

    Attributes:
        bones: How many bones have new keys.
        name: Name of the action or NLA strip that holds them; empty if none were written.
        action: The action that holds them.
        notes: Sentences about it.
    """

    bones: int
    name: str
    action: bpy.types.Action | None
    notes: tuple[str, ...]


def write_keys(plan: BakePlan, tracks: BoneTracks) -> WrittenKeys:
    """Write solved channels as keys; where no bone had to change, nothing is written.

    Raises:
        RigError: The result cannot be written; nothing has been changed.
    """
    _refuse_removed(plan)
    options, armature = plan.options, plan.armature
    result = result_tracks(plan, tracks)
    make = layer_channels if options.output == "LAYER" else bone_channels
    channels = make(armature, plan.skeleton, plan.clip, result)
    if not channels:
        nothing = "Nothing had to change, so no keys were written."
        return WrittenKeys(0, "", None, (*plan.notes, nothing))
    check_output(armature, options, channels)
    notes = plan.notes + _side_effects(plan, channels)
    source = armature.animation_data.action if armature.animation_data else None
    written = _write(plan, channels)
    notes += _mute_notes(plan)
    if options.mute_constraints:
        mute(armature, plan.released)
    action = written.action if isinstance(written, bpy.types.NlaStrip) else written
    note_bake(plan, source, action)
    keep_trace(armature, baked_trace(plan, result))
    return WrittenKeys(len({keys.group for keys in channels}), written.name, action, notes)


def result_tracks(plan: BakePlan, tracks: BoneTracks) -> BoneTracks:
    """The channels that are written for those that were solved: blended in and out."""
    options = plan.options
    if not options.blend_in and not options.blend_out:
        return tracks
    return faded(channel_source(plan), tracks, options.blend_in, options.blend_out)


def channel_source(plan: BakePlan) -> Clip:
    """The clip with the channels that give its poses without the released constraints."""
    source = plan.model.source
    clip = plan.clip
    return Clip(
        clip.frames,
        source.location,
        source.rotation,
        source.scale,
        clip.rotation_channels,
        clip.world,
        clip.pose,
    )


def check_output(
    armature_object: bpy.types.Object, options: BakeOptions, channels: Sequence[ChannelKeys] = ()
) -> None:
    """Refuse what could not be written.

    Raises:
        RigError: What stands in the way, and what to do.
    """
    if options.output == "LAYER":
        outputs.check_layer(armature_object)
    elif options.output == "IN_PLACE":
        outputs.check_in_place(armature_object, channels)
    else:
        outputs.check_new_action(armature_object, channels)


def _refuse_removed(plan: BakePlan) -> None:
    try:
        _ = plan.armature.name, plan.scene.name
    except ReferenceError:
        raise RigError("The armature was removed meanwhile: bake again.") from None


def _write(
    plan: BakePlan, channels: Sequence[ChannelKeys]
) -> bpy.types.Action | bpy.types.NlaStrip:
    """Write the channels; returns what now holds them."""
    armature, frames = plan.armature, plan.clip.frames
    if plan.options.output == "LAYER":
        return outputs.write_layer(plan.scene, armature, frames, channels)
    if plan.options.output == "IN_PLACE":
        return outputs.write_in_place(armature, frames, channels)
    return outputs.write_new_action(armature, frames, channels)


def _side_effects(plan: BakePlan, channels: Sequence[ChannelKeys]) -> tuple[str, ...]:
    """What writing into an action changes beside the armature's pose in the frames."""
    if plan.options.output == "LAYER":
        return ()
    notes: tuple[str, ...] = ()
    bones = outputs.bones_running_on(plan.armature, plan.clip.frames, channels)
    if bones:
        notes += (
            f"F-curves of {', '.join(bones)} repeat or lead on beyond their keys, so frames "
            "outside of the range change too: bake to a layer to keep these.",
        )
    abrupt = outputs.bones_changed_outside(plan.scene, plan.armature, plan.clip.frames, channels)
    if abrupt := [bone for bone in abrupt if bone not in bones]:
        notes += (
            f"Frames next to the range change too, up to the next keys of {_listed(abrupt)}: "
            "blend in and out, or bake to a layer, to keep these.",
        )
    others = outputs.other_users(plan.armature) if plan.options.output == "IN_PLACE" else []
    if others:
        names = ", ".join(f'"{name}"' for name in others)
        notes += (f"The action moves {names} too: bake to a new action to keep theirs.",)
    return notes


def _listed(names: Sequence[str]) -> str:
    """A few names, and how many more there are."""
    more = len(names) - FEW_NAMES
    return ", ".join(names[:FEW_NAMES]) + (f" and {more} more" if more > 0 else "")


def _mute_notes(plan: BakePlan) -> tuple[str, ...]:
    names = [f'"{name}" of {bone}' for bone, name in plan.released.constraints]
    if not names:
        return ()
    if plan.options.mute_constraints:
        return (f"Muted, because they would act on top of the keys: {', '.join(names)}.",)
    return (f"These act on top of the keys and may change the result: {', '.join(names)}.",)
