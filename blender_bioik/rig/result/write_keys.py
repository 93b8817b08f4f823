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
from ..keys.played_source import own_source_played
from ..keys.results import refuse_unknown_source
from ..source.options import BakeOptions
from ..source.source import Source
from ..transforms import Floats
from .new_result import add_to_result, given_back, write_result
from .part_of_result import write_part
from .side_effects import mute_notes, side_effects
from .thinned import thinned

NOTHING_WRITTEN = "Nothing had to change, so no keyframes were written."
NOTHING_LEFT = "Nothing has to change any more, so the earlier result was removed."


class WrittenKeys(NamedTuple):
    """What was written.

    Attributes:
        bones: Number of bones with new keyframes.
        name: Name of the action or NLA strip that holds them; empty if none were written.
        action: The action that holds them.
        notes: Notes about it.
    """

    bones: int
    name: str
    action: bpy.types.Action | None
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
    feet: bool = False,
) -> WrittenKeys:
    """Write channels of all bones as keys; only bones that change get some.

    A whole result takes the place of the one that the armature plays, which is removed first.

    Args:
        source: The source that they replace.
        tracks: The channels, over its rows.
        options: Where the keys go.
        existing: The existing result over the same rows, to write into; None for a new one.
        weights: Weight of the new result in each row of the existing one, (f,): rows of weight zero
            keep their keyframes exactly.
        controls: What is written with the channels of controls.
        held: What is held on the ground.
        feet: Whether feet were placed.

    Raises:
        RigError: They cannot be written; nothing has been changed.
    """
    _refuse_removed(source)
    armature = source.armature
    if existing is not None:
        assert weights is not None
        channels, action = write_part(source, tracks, existing, weights, controls, options, held)
        muted = source.setup.released.constraints if options.mute_constraints else ()
        add_to_result(armature, channels, muted)
        if options.mute_constraints:
            mute(armature, source.setup.released)
        return WrittenKeys(_bones(channels), action.name, action, ())
    refuse_unknown_source(armature)
    with own_source_played(source.scene, armature):
        make = layer_channels if options.output == "LAYER" else bone_channels
        channels = make(armature, source.skeleton, source.clip, tracks, unlocked=controls.unlocked)
        channels, few = thinned(source, source.clip, channels, options, held)
        if channels:
            outputs.check_output(armature, options.output, channels)
            notes = side_effects(source, options, channels) + mute_notes(source, options) + few
    # From here on nothing fails.
    replaced = given_back(source.scene, armature)
    if not channels:
        note = NOTHING_LEFT if replaced else NOTHING_WRITTEN
        return WrittenKeys(0, "", None, (note,))
    written = write_result(source, options, [*channels, *controls.switches], replaced, feet=feet)
    action = written.action if isinstance(written, bpy.types.NlaStrip) else written
    return WrittenKeys(_bones(channels), written.name, action, notes)


def _bones(channels: Sequence[ChannelKeys]) -> int:
    return len({keys.group for keys in channels})


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
