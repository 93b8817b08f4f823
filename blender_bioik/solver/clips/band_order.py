"""The band of a clip's normal equations: which joints and frames couple, and their places.

Goals couple joints of one frame, and the acceleration of corrections couples each joint with itself
over three frames. So the equations separate into limbs, each with a narrow band.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..kernels.compiled import Floats, Ints


class Limb(NamedTuple):
    """Joints that goals tie together, and the entries of the Hessian among them.

    Attributes:
        joints: The joints, ascending.
        rows: Of each entry, its row among the joints.
        columns: Its column, which is never right of the diagonal.
        entries: Its place in a frame's Hessian as the arena stores it.
    """

    joints: Ints
    rows: Ints
    columns: Ints
    entries: Ints


class Order(NamedTuple):
    """The places of frames in the band, and which second differences couple.

    Attributes:
        frames: The frame at each place.
        held: Number of frames before these, which have no place.
        reach: The largest distance of two coupled places.
        couplings: Distances of places in the band, the earlier place of each, by how many frames
            they are apart, and the frame of each that comes before the other.
    """

    frames: Ints
    held: int
    reach: int
    couplings: list[tuple[int, Ints, int, Ints]]


def banded_product(band: Floats, vectors: Floats) -> Floats:
    """The symmetric matrix of a lower band times vectors (f, n) put one after the other."""
    x = vectors.ravel()
    product = band[0] * x
    for apart in range(1, min(len(band), len(x))):
        product[apart:] += band[apart, :-apart] * x[:-apart]
        product[:-apart] += band[apart, :-apart] * x[apart:]
    return np.asarray(product.reshape(vectors.shape))


def limbs(depth: Ints, ancestors: Ints) -> list[Limb]:
    """Joints by the root of their elimination tree: different trees share no equation."""
    n, width = ancestors.shape
    filled = np.arange(width)[None, :] <= depth[:, None]
    rows, slots = np.nonzero(filled)
    columns = ancestors[filled]
    limbs = []
    for root in np.unique(ancestors[:, 0]) if n else ():
        joints = np.flatnonzero(ancestors[:, 0] == root)
        number = np.full(n, -1, np.int64)
        number[joints] = np.arange(len(joints))
        here = number[rows] >= 0
        entries = rows[here] * width + slots[here]
        limbs.append(Limb(joints, number[rows[here]], number[columns[here]], entries))
    return limbs


def line_order(frames: int, held: int) -> Order:
    """Frames in their own order."""
    rows = np.arange(frames)
    couplings = [
        (later, rows[: frames - later], later, rows[: frames - later]) for later in range(3)
    ]
    return Order(rows, held, 2, couplings)


def loop_order(frames: int) -> Order:
    """Frames of a loop from both ends inwards, which keeps its two ends together in the band."""
    order = np.empty(frames, np.int64)
    order[0::2] = np.arange((frames + 1) // 2)
    order[1::2] = np.arange(frames - 1, (frames - 1) // 2, -1)
    place = np.empty(frames, np.int64)
    place[order] = np.arange(frames)
    couplings = [(0, np.arange(frames), 0, order)]
    for later in (1, 2):
        ends = np.sort(np.stack([place, np.roll(place, -later)]), axis=0)
        for apart in np.unique(ends[1] - ends[0]).tolist():
            first = np.flatnonzero(ends[1] - ends[0] == apart)
            couplings.append((apart, ends[0][first], later, first))
    return Order(order, 0, 4, couplings)


def line_diagonals(bend: Floats, frames: int, held: int) -> list[Floats]:
    """Diagonals (rows, n) of D^T W D, where D takes second differences and W weights them.

    Held frames come before and have no row of their own.
    """
    count = frames + held
    weight = np.broadcast_to(bend, (max(0, count - 2), bend.shape[-1]))
    diagonals = [np.zeros((max(0, count - later), bend.shape[-1])) for later in range(3)]
    taps = (1.0, -2.0, 1.0)
    for a in range(3):
        for b in range(a, 3):
            diagonals[b - a][a : a + len(weight)] += taps[a] * taps[b] * weight
    return [diagonal[held:] for diagonal in diagonals]


def loop_diagonals(bend: Floats, frames: int) -> list[Floats]:
    """The same for a loop, with a second difference for each of its frames."""
    here = np.broadcast_to(bend, (frames, bend.shape[-1]))
    after, before = np.roll(here, -1, axis=0), np.roll(here, 1, axis=0)
    return [before + 4.0 * here + after, -2.0 * (here + after), after]
