"""What becomes of all that rests in a source: how far it floats over the ground, and slides.

World space, metres, Z up. Rows are frames.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..feet import Floats, Ints
from ..ground.terrain import Terrain
from .flesh import Flesh
from .rests import FOOT_LOW, ON_FLOOR, Rest, Rests

# A part that is this much higher than later in its rest has not landed yet, metres for a person.
LANDED = 0.005
# Points that move by less from their mean place hold the part in the source, metres for a person.
HELD = 0.001


@dataclass(frozen=True, eq=False)
class RestChange:
    """A rest of the source in the result.

    Attributes:
        rest: The rest.
        floats: Height of its lowest point over the ground in each of its rows, more than over the
            source's floor; metres. Zero where there is no ground, and above the source's floor.
        slides: Largest way from its mean place, in plan view, amid the
            points that hold it in the source; metres.
        slid: The same in the source.
        row: The row in which it is furthest.
    """

    rest: Rest
    floats: Floats
    slides: float
    slid: float
    row: int


def rest_changes(
    flesh: Flesh,
    rests: Rests,
    before: Floats,
    after: Floats,
    terrain: Terrain,
    tops: Floats,
    scale: float,
) -> tuple[RestChange, ...]:
    """What becomes of each rest.

    Args:
        flesh: The flesh.
        rests: What rests in the source.
        before: World matrices of the source's bones; (f, b, 4, 4).
        after: The same of the result.
        terrain: The ground.
        tops: Height up to which ground counts; (f,).
        scale: Size of the character; 1 for a person.
    """
    return tuple(
        _change(flesh, rest, rests.floor, before, after, terrain, tops, scale)
        for rest in rests.rests
    )


def _change(
    flesh: Flesh,
    rest: Rest,
    floor: float,
    before: Floats,
    after: Floats,
    terrain: Terrain,
    tops: Floats,
    scale: float,
) -> RestChange:
    rows = np.arange(rest.first, rest.stop)
    own = flesh.of(rest.bones)
    then, now = (flesh.posed(pose[rows], own) for pose in (before, after))
    floats = np.zeros(len(rows))
    middle = slice(rest.middle.start - rest.first, rest.middle.stop - rest.first)
    over = then[..., 2].min(axis=1) - floor
    if rest.height < ON_FLOOR * scale:
        gap = _gaps(now, terrain, rows, tops[rows])
        floats = np.where(np.isfinite(gap), gap - over.clip(0.0), 0.0)
        # It may land later than it is still, and leave the ground earlier than in the source.
        floats[over > over[middle].max() + LANDED * scale] = 0.0
        floats[middle.stop :] = 0.0
    ways, old = _ways(now[middle]), _ways(then[middle])
    low = then[middle, :, 2].mean(axis=0)
    near = np.flatnonzero(low < low.min() + FOOT_LOW * scale)
    moved = old[:, near].max(axis=0)
    order = near[np.argsort(ways[:, near].max(axis=0))]
    held = order[np.isin(order, near[moved < HELD * scale])]
    # A part that rolls does not slide as long as one of its points stays.
    chosen = held[len(held) // 2] if len(held) else order[0]
    return RestChange(
        rest,
        floats,
        float(ways[:, chosen].max()),
        float(moved.min()),
        rest.middle.start + int(ways[:, chosen].argmax()),
    )


def _gaps(places: Floats, terrain: Terrain, rows: Ints, tops: Floats) -> Floats:
    """Least height of points (f, p, 3) over the ground; infinite without ground; (f,)."""
    shape = places.shape[:2]
    at = np.broadcast_to(rows[:, None], shape).ravel()
    ceiling = np.broadcast_to(tops[:, None], shape).ravel()
    flat = places.reshape(-1, 3)
    ground = terrain.below(flat, at, np.maximum(ceiling, flat[:, 2])).height
    gap = np.where(np.isnan(ground), np.inf, flat[:, 2] - ground)
    return np.asarray(gap.reshape(shape).min(axis=1))


def _ways(places: Floats) -> Floats:
    """How far points are from their mean places in plan view; (f, p)."""
    return np.asarray(np.linalg.norm(places[..., :2] - places[..., :2].mean(axis=0), axis=-1))
