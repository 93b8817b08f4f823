"""The frames of newly placed feet to write: those around changes, as far as footsteps differ."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..clip.sampling import Clip
from ..keys.keys import BoneTracks
from ..record.changed_rows import grown
from ..source.source import Source
from ..transforms import quaternion_angle

# Frames around the changed ones are written too where bones differ by more than this from the old
# result (share of the rig's height, radians), but for no longer than this, seconds.
FAR, TURNED, LONGEST = 1e-3, 0.005, 1.0


def taken_rows(
    source: Source, existing: Clip, result: BoneTracks, changed: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Changed rows, and those around them in which the new result differs; (f,).

    Args:
        source: What was read.
        existing: The existing result.
        result: Channels of all bones in the new one.
        changed: Which rows have changed; (f,).
    """
    moved = np.linalg.norm(result.location - existing.location, axis=-1)
    turned = quaternion_angle(result.rotation, existing.rotation)
    far = (moved > FAR * source.skeleton.height) | (turned > TURNED)
    different = far[:, source.moved].any(axis=1)
    rows = np.flatnonzero(changed)
    near = int(LONGEST * source.rate)
    different[: max(0, int(rows[0]) - near)] = False
    different[int(rows[-1]) + near + 1 :] = False
    return grown(changed, different)
