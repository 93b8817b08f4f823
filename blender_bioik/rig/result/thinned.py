"""Channels with few keyframes, where the options ask for them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..clip.sampling import Clip
from ..keys.few_keys import Held, few_keys
from ..keys.keys import ChannelKeys
from ..source.options import BakeOptions
from ..source.source import Source


def thinned(
    source: Source,
    replaced: Clip,
    channels: list[ChannelKeys],
    options: BakeOptions,
    held: Sequence[Held] = (),
) -> tuple[list[ChannelKeys], tuple[str, ...]]:
    """Channels with few keyframes if the options ask for that, and a note about them.

    Args:
        source: What was read.
        replaced: The clip that the channels replace, or that a layer is over.
        channels: The channels, with a value for every frame.
        options: What to bake, and where to write it.
        held: What is held on the ground.
    """
    if options.few_keys is None or not channels or len(replaced.frames) < 2:
        return channels, ()
    layer = options.output == "LAYER"
    few = few_keys(source.skeleton, replaced, channels, options.few_keys, held, layer=layer)
    every = len(channels) * len(replaced.frames)
    note = (
        f"{few.keys} keyframes instead of {every}: the ends of limbs are off by at most "
        f"{1e3 * few.distance:.2g} mm and {np.degrees(few.angle):.2g} degrees."
    )
    return few.channels, (note,)
