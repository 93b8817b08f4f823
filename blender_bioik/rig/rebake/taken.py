"""What of newly placed feet is taken: around changed frames, as far as another step follows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..clip.sampling import Clip
from ..keys.keys import BoneTracks
from ..record.changed_rows import grown
from ..source.source import Source
from ..transforms import quaternion_angle

# Beside the changed frames, those are taken too in which bones are this far from the old result:
# parts of the rig's height, and radians; but for no longer than this, seconds.
FAR, TURNED, LONGEST = 1e-3, 0.005, 1.0


def taken_rows(
    source: Source, existing: Clip, result: BoneTracks, changed: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Changed rows, and those beside them in which the new result is another one; (f,).

    Args:
        source: What was read.
        existing: The result as it is.
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
