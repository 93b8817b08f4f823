"""A source whose noise is smoothed before anything is solved on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from ..clip.skeleton import replaced_pose
from ..transforms import Floats
from .source import Source


def smoothed_source(source: Source, bones: Sequence[str], seconds: float) -> Source:
    """A source with smoothed channels of some bones.

    Args:
        source: What was read.
        bones: The bones; those that hang on them follow.
        seconds: Time over which a channel is averaged: the standard deviation of a Gaussian.
    """
    if seconds <= 0.0:
        return source
    from scipy.ndimage import gaussian_filter1d  # not needed without smoothing

    clip, moved = source.keyed_clip, [source.skeleton.index[bone] for bone in bones]
    location, rotation = clip.location.copy(), clip.rotation.copy()
    even = partial(gaussian_filter1d, sigma=seconds * source.rate, axis=0, mode="nearest")
    location[:, moved] = even(location[:, moved])
    turns = even(_continuous(rotation[:, moved]))
    rotation[:, moved] = turns / np.linalg.norm(turns, axis=-1, keepdims=True)
    each = (channels[:, moved] for channels in (location, rotation, clip.scale))
    pose = replaced_pose(source.skeleton, clip.pose, moved, each)
    return source.posed(replace(clip, location=location, rotation=rotation, pose=pose))


def _continuous(rotation: Floats) -> Floats:
    """The same rotations (f, n, 4), each with the sign of the one before."""
    turns = np.sign((rotation[1:] * rotation[:-1]).sum(axis=-1))
    signs = np.cumprod(np.where(turns < 0.0, -1.0, 1.0), axis=0)
    return np.concatenate([rotation[:1], rotation[1:] * signs[..., None]])
