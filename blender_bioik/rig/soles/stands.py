"""Where a clip stands: the frame in which most of a foot rests on the ground, by its mesh.

The rest pose tells the sole of most characters, but it may lie down, hang or point its toes. What
touches the ground in the clip is the sole in any case.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import maximum_filter1d, minimum_filter1d
from scipy.spatial import ConvexHull, QhullError

from ...motion.tuning import BODY
from ..clip.sampling import Clip
from ..clip.skeleton import Skeleton
from ..transforms import Floats
from .foot_mesh import Skin
from .tuning import SOLE_MESH


class Stand(NamedTuple):
    """A frame in which a foot stands.

    Attributes:
        row: The row of the clip.
        ground: Height of its lowest vertex in the world, metres.
        area: How much of it rests on the ground, square metres.
        tolerance: Height below which a vertex rests on the ground, metres.
    """

    row: int
    ground: float
    area: float
    tolerance: float


def flattest_stand(skin: Skin, skeleton: Skeleton, clip: Clip, rate: float) -> Stand:
    """The frame in which a foot is low and most of it rests on the ground.

    Low are frames in the lower half of the foot's way up and down nearby in time, so that stairs,
    slopes, clips without root motion and toes that dip into the floor do not matter.
    """
    skin = skin.some(_outermost(skin.rest))
    places = _in_world(clip, skin.posed(skeleton, clip.pose))
    lowest = places[..., 2].min(axis=1)
    tolerance = _tolerance(places[0])
    around = 2 * round(BODY.step_seconds * rate) + 1
    middle = 0.5 * (minimum_filter1d(lowest, around) + maximum_filter1d(lowest, around))
    low = np.flatnonzero(lowest <= middle + tolerance)
    areas = [resting_area(places[row], tolerance) for row in low]
    best = int(np.argmax(areas))
    return Stand(int(low[best]), float(lowest[low[best]]), areas[best], tolerance)


def resting_area(places: Floats, tolerance: float | None = None) -> float:
    """Area of the part of some places (n, 3) that rests on level ground: a box in plan view."""
    tolerance = _tolerance(places) if tolerance is None else tolerance
    resting = places[places[:, 2] <= places[:, 2].min() + tolerance, :2]
    _, axes = np.linalg.eigh(np.cov(resting.T)) if len(resting) > 1 else (None, np.eye(2))
    return float(np.prod(np.ptp(resting @ axes, axis=0)))


def _tolerance(places: Floats) -> float:
    """How far above the ground vertices of a foot may be that rests on it."""
    return SOLE_MESH.sole_height * float(np.ptp(places, axis=0).max())


def _outermost(places: Floats) -> NDArray[np.intp]:
    """Indices of places (n, 3) on their convex hull: others never touch the ground."""
    try:
        return np.asarray(ConvexHull(places).vertices, np.intp)
    except (QhullError, ValueError):  # all in a plane, or too few
        return np.arange(len(places))


def _in_world(clip: Clip, places: Floats) -> Floats:
    turned = np.einsum("fij,fnj->fni", clip.world[:, :3, :3], places)
    return np.asarray(turned + clip.world[:, None, :3, 3])
