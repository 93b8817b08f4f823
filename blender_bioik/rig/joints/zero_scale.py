"""Bones that are scaled to nothing, in which nothing can be turned or put anywhere."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from ..clip.sampling import Clip
from ..clip.skeleton import Skeleton
from ..errors import RigError
from .moving_bones import chain


def refuse_sizeless_bones(skeleton: Skeleton, clip: Clip, bones: Collection[str]) -> None:
    """Refuse bones that are scaled to nothing in some frame.

    Raises:
        RigError: Names the first of them, parents first, and the frame.
    """
    for b in sorted(skeleton.index[name] for name in bones):
        sizeless = ~clip.pose[:, b, :3, :3].any(axis=(-2, -1))
        if sizeless.any():
            raise RigError(
                f'The bone "{skeleton.names[b]}" has zero scale at frame '
                f"{clip.frames[np.argmax(sizeless)]:g}: set its scale."
            )


def refuse_sizeless_carriers(skeleton: Skeleton, clip: Clip, moving: Collection[str]) -> None:
    """Refuse moving bones that have zero scale because of their parents.

    A bone with zero scale of its own, which hides it, can still be rotated.

    Raises:
        RigError: Names the bone that carries them, and the frame.
    """
    bones = np.array([skeleton.index[name] for name in moving], int)
    sized_itself = (np.abs(clip.scale[:, bones]) > 0.0).any(axis=-1)
    sizeless = (sized_itself & ~clip.pose[:, bones, :3, :3].any(axis=(-2, -1))).any(axis=0)
    if sizeless.any():
        refuse_sizeless_bones(skeleton, clip, chain(skeleton, list(moving)[int(sizeless.argmax())]))
