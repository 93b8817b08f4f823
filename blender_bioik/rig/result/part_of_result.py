"""Parts of a result: new channels over some of its rows, with all other keyframes unchanged."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import bpy

from ..blender import fcurves
from ..clip.sampling import Clip
from ..clip.skeleton import Skeleton
from ..errors import RigError
from ..keys import outputs
from ..keys.few_keys import Held
from ..keys.keys import (
    NLA_DEFAULTS,
    BoneTracks,
    ChannelKeys,
    ControlKeys,
    Thresholds,
    bone_channels,
    layer_channels,
)
from ..keys.keys import blended as blended_tracks
from ..keys.played_source import played_layers
from ..source.options import BakeOptions
from ..source.source import Source
from ..transforms import Floats
from .thinned import thinned

# With these every channel is taken, also those that do not change.
ALL_CHANNELS = Thresholds(-1.0, -1.0, -1.0)


def blended_into(
    existing: Clip, tracks: BoneTracks, weights: Floats, bones: Collection[int]
) -> BoneTracks:
    """The existing result blended with a new one, for some bones.

    The other bones may have been animated in the result, and stay.

    Args:
        existing: The existing result.
        tracks: Channels of all bones of the new one.
        weights: Weight of the new one in each row, 0 to 1; (f,).
        bones: Indices of the bones that take it.
    """
    taken = sorted(bones)
    blended = blended_tracks(existing, tracks, weights)
    kept = BoneTracks(existing.location.copy(), existing.rotation.copy(), existing.scale.copy())
    for of_all, new in zip(kept, blended, strict=True):
        of_all[:, taken] = new[:, taken]
    return kept


def write_part(
    source: Source,
    tracks: BoneTracks,
    existing: Clip,
    weights: Floats,
    controls: ControlKeys,
    options: BakeOptions,
    held: Sequence[Held] = (),
) -> tuple[list[ChannelKeys], bpy.types.Action]:
    """Write channels into the result that the armature plays.

    Args:
        source: The inputs of the existing result.
        tracks: The new result, over the source's rows.
        existing: The existing result.
        weights: Weight of the new result in each row; (f,).
        controls: What is written with the channels of controls; switches that have keyframes in the
            result keep them.
        options: The options of the bake that made the result.
        held: What is held on the ground.

    Returns:
        What was written, and the action that holds it.

    Raises:
        RigError: It cannot be written; nothing has been changed.
    """
    armature, skeleton, frames = source.armature, source.skeleton, source.frames
    stays = weights == 0.0
    channels = bone_channels(armature, skeleton, existing, tracks, unlocked=controls.unlocked)
    layers = played_layers(armature)
    if not layers:
        channels = [_keep_rows(skeleton, existing, keys, stays) for keys in channels]
        channels, _ = thinned(source, existing, channels, options, held)
        missing = _without_keys(fcurves.assigned_container(armature), controls.switches)
        return channels, outputs.write_in_place(armature, frames, [*channels, *missing])
    container = fcurves.strip_container(layers[-1])
    assert container is not None
    wanted = {(keys.data_path, keys.index) for keys in channels}
    below = layer_channels(armature, skeleton, source.clip, tracks, ALL_CHANNELS, controls.unlocked)
    channels = [keys for keys in below if (keys.data_path, keys.index) in wanted]
    _refuse_unheld(armature, channels)
    channels = _keep_layer(container, frames, channels, stays)
    channels, _ = thinned(source, source.clip, channels, options, held)
    missing = _without_keys(container, controls.switches)
    outputs.write_channels(container, frames, [*channels, *missing])
    return channels, layers[-1].action


def _without_keys(
    container: bpy.types.ID | None, switches: Sequence[ChannelKeys]
) -> list[ChannelKeys]:
    """Those of the switches that have no F-curve yet."""
    there = fcurves.curves_by_channel(container)
    return [keys for keys in switches if (keys.data_path, keys.index) not in there]


def _refuse_unheld(armature_object: bpy.types.Object, channels: Sequence[ChannelKeys]) -> None:
    """Refuse new channels of a layer that are neither animated below it nor at rest."""
    animated = outputs.animated_channels(armature_object)
    for keys in channels:
        at_rest = NLA_DEFAULTS[keys.data_path.rpartition(".")[2]][keys.index]
        value = armature_object.path_resolve(keys.data_path)[keys.index]
        if (keys.data_path, keys.index) not in animated and value != at_rest:
            raise RigError(
                f'The bone "{keys.group}" has no keyframes below the layer to add to: bake '
                "everything."
            )


def _keep_rows(skeleton: Skeleton, existing: Clip, keys: ChannelKeys, stays: Floats) -> ChannelKeys:
    """Keyframes with exactly the existing values in rows that stay."""
    name = keys.data_path.rpartition(".")[2]
    channels = {"location": existing.location, "scale": existing.scale}
    values = channels.get(name, existing.rotation_channels)
    there = values[:, skeleton.index[keys.group], keys.index]
    kept = keys.values.copy()
    kept[stays] = there[stays]
    return replace(keys, values=kept)


def _keep_layer(
    container: bpy.types.ID, frames: Floats, channels: Sequence[ChannelKeys], stays: Floats
) -> list[ChannelKeys]:
    """The same for the keyframes of a layer, which has none where it changes nothing."""
    paths = {keys.data_path for keys in channels}
    there = fcurves.sample_curves(container, frames, paths.__contains__)
    result = []
    for keys in channels:
        at_rest = NLA_DEFAULTS[keys.data_path.rpartition(".")[2]][keys.index]
        values = keys.values.copy()
        old = there.get((keys.data_path, keys.index))
        values[stays] = at_rest if old is None else old[stays]
        result.append(replace(keys, values=values))
    return result
