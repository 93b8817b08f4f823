"""The last bake of an armature: its record, playing its source, and parts of its result."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import partial

import bpy

from ..clip.sampling import Clip, sampling
from ..errors import RigError
from ..joints.joints import source_tracks
from ..keys.keys import NO_CONTROLS, BoneTracks, ControlKeys, blended, fade_weights
from ..keys.played_source import source_played
from ..reading import Reading
from ..record.bake_record import BakeInputs, rebake_problem, stored_inputs
from ..record.changed_rows import Window, written_rows
from ..result.part_of_result import blended_into
from ..result.write_keys import WrittenKeys, write_keys
from ..source.options import BakeOptions
from ..source.read_source import Played
from ..source.source import Source, clip_rows
from ..source_shown import source_shown
from ..transforms import Floats

NOTHING_CHANGED = "Nothing has changed since the last bake."


def known_inputs(armature_object: bpy.types.Object) -> BakeInputs:
    """The inputs of the last bake.

    Raises:
        RigError: It cannot be updated in part.
    """
    problem = rebake_problem(armature_object)
    if problem:
        raise RigError(f"{problem}.")
    inputs = stored_inputs(armature_object)
    assert inputs is not None
    return inputs


def reading_options(before: BakeInputs) -> BakeOptions:
    """Options for reading the source of a bake again; writing goes into its existing result."""
    return replace(before.options, output="NEW_ACTION", blend_in=0, blend_out=0)


def again_played(
    scene: bpy.types.Scene, armature_object: bpy.types.Object, before: BakeInputs
) -> Played:
    """Makes an armature play the source of its bake."""
    in_place = before.output == "IN_PLACE"
    return partial(
        source_played, scene, armature_object, before.held, before.muted, in_place=in_place
    )


def read_existing(
    scene: bpy.types.Scene, armature_object: bpy.types.Object, frames: Floats
) -> Reading[Clip]:
    """The existing result."""
    with source_shown():
        existing, _ = yield from sampling(scene, armature_object, frames)
    return existing


def clip_of_posed(source: Source, existing: Clip, posed: Collection[str]) -> Clip:
    """An existing result with channels that give the poses of bones that controls pose."""
    location, rotation, scale = source_tracks(source.skeleton, existing, posed)
    return replace(existing, location=location, rotation=rotation, scale=scale)


def faded_again(source: Source, tracks: BoneTracks, before: BakeInputs) -> BoneTracks:
    """Solved channels, blended in and out as those of the last bake; over any of its rows."""
    fades = fade_weights(before.frames, before.blend_in, before.blend_out)
    first = int((before.frames == source.frames[0]).argmax())
    return blended(source.keyed_clip, tracks, fades[first : first + len(source.frames)])


def blended_again(
    source: Source, result: BoneTracks, before: BakeInputs, existing: Clip, weights: Floats
) -> BoneTracks:
    """The existing result blended with a new one, for bones that are or were solved.

    Args:
        source: What was read.
        result: Channels of all bones in the new result.
        before: The inputs of the existing result.
        existing: That result, over the same rows.
        weights: Weight of the new one in each row; (f,).
    """
    index = source.skeleton.index
    solved = {*source.moved, *(index[bone] for bone in before.moving if bone in index)}
    return blended_into(existing, result, weights, solved)


def write_again(
    source: Source,
    tracks: BoneTracks,
    existing: Clip,
    weights: Floats,
    options: BakeOptions,
    controls: ControlKeys = NO_CONTROLS,
) -> WrittenKeys:
    """Write the rows where the new result has weight, and one row on each side.

    Raises:
        RigError: They cannot be written; nothing has been changed.
    """
    rows = written_rows(weights)
    return write_keys(
        source.rows(rows),
        BoneTracks(*(track[rows] for track in tracks)),
        options,
        existing=clip_rows(existing, rows),
        weights=weights[rows],
        controls=controls.rows(rows),
    )


def rebaked_note(before: BakeInputs, window: Window) -> str:
    """A note about the frames that had changed."""
    first, last = before.frames[window.first], before.frames[window.last]
    return f"Frames {first:g} to {last:g} had changed and were re-baked."
