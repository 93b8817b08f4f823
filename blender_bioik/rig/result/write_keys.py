"""Writing solved channels as keyframes: a whole result, or parts of the existing one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import bpy

from ..clip.sampling import Clip
from ..errors import RigError
from ..goals.constraints import mute
from ..keys import outputs
from ..keys.few_keys import Held
from ..keys.keys import (
    NO_CONTROLS,
    BoneTracks,
    ChannelKeys,
    ControlKeys,
    bone_channels,
    faded,
    layer_channels,
)
from ..source.options import BakeOptions
from ..source.source import Source
from ..transforms import Floats
from .part_of_result import write_part
from .side_effects import mute_notes, side_effects
from .thinned import thinned

NOTHING_WRITTEN = "Nothing had to change, so no keyframes were written."


class WrittenKeys(NamedTuple):
    """What was written.

    Attributes:
        bones: Number of bones with new keyframes.
        name: Name of the action or NLA strip that holds them; empty if none were written.
        action: The action that holds them.
        replaced: The action that was active before.
        notes: Notes about it.
    """

    bones: int
    name: str
    action: bpy.types.Action | None
    replaced: bpy.types.Action | None
    notes: tuple[str, ...]


def write_keys(
    source: Source,
    tracks: BoneTracks,
    options: BakeOptions,
    *,
    existing: Clip | None = None,
    weights: Floats | None = None,
    controls: ControlKeys = NO_CONTROLS,
    held: Sequence[Held] = (),
) -> WrittenKeys:
    """Write channels of all bones as keys; only bones that change get some.

    Args:
        source: The source that they replace.
        tracks: The channels, over its rows.
        options: Where the keys go.
        existing: The existing result over the same rows, to write into; None for a new one.
        weights: Weight of the new result in each row of the existing one, (f,): rows of weight zero
            keep their keyframes exactly.
        controls: What is written with the channels of controls.
        held: What is held on the ground.

    Raises:
        RigError: They cannot be written; nothing has been changed.
    """
    _refuse_removed(source)
    armature = source.armature
    before = armature.animation_data.action if armature.animation_data else None
    if existing is not None:
        assert weights is not None
        channels, action = write_part(source, tracks, existing, weights, controls, options, held)
        bones = len({keys.group for keys in channels})
        written: bpy.types.Action | bpy.types.NlaStrip = action
        notes: tuple[str, ...] = ()
    else:
        make = layer_channels if options.output == "LAYER" else bone_channels
        channels = make(armature, source.skeleton, source.clip, tracks, unlocked=controls.unlocked)
        channels, few = thinned(source, source.clip, channels, options, held)
        if not channels:
            return WrittenKeys(0, "", None, before, (NOTHING_WRITTEN,))
        bones = len({keys.group for keys in channels})
        outputs.check_output(armature, options.output, channels)
        notes = side_effects(source, options, channels) + mute_notes(source, options) + few
        written = _write(source, options, [*channels, *controls.switches])
    if options.mute_constraints:
        mute(armature, source.setup.released)
    action = written.action if isinstance(written, bpy.types.NlaStrip) else written
    return WrittenKeys(bones, written.name, action, before, notes)


def faded_tracks(source: Source, tracks: BoneTracks, options: BakeOptions) -> BoneTracks:
    """Solved channels, blended in and out as set in the options."""
    if not options.blend_in and not options.blend_out:
        return tracks
    return faded(source.keyed_clip, tracks, options.blend_in, options.blend_out)


def _refuse_removed(source: Source) -> None:
    try:
        _ = source.armature.name, source.scene.name
    except ReferenceError:
        raise RigError("The armature was removed in the meantime: bake again.") from None


def _write(
    source: Source, options: BakeOptions, channels: Sequence[ChannelKeys]
) -> bpy.types.Action | bpy.types.NlaStrip:
    """Write the channels; returns what now holds them."""
    armature, frames = source.armature, source.frames
    if options.output == "LAYER":
        return outputs.write_layer(source.scene, armature, frames, channels)
    if options.output == "IN_PLACE":
        return outputs.write_in_place(armature, frames, channels)
    return outputs.write_new_action(armature, frames, channels)
