"""Trees of boxes over triangles, to find what can be under a point.

A grid would be enough for even meshes; a tree also handles a dense rock on a plain of one large
face. It is complete and binary, split at medians, and stored in preorder: a walk needs no stack,
because the next box is found by skipping the contents of one.
"""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..feet import Floats, Ints

if TYPE_CHECKING:
    from .terrain import Surface

MOST_IN_A_LEAF = 4
# Of a box: lowest x, y, z, then highest.
BOX_SIZE = 6


class Tree(NamedTuple):
    """A tree over the triangles of a surface, as flat arrays for `highest_below`.

    Attributes:
        boxes: Boxes (rows, nodes, 6) with a margin, of a rigid body in its own space.
        skip: The node after all those below a node; (nodes,).
        leaf: First triangle and the one after the last of each node; empty except for leaves; (2
        nodes,)
        corners: Vertices of the triangles, in the leaves' order; (3 t,).
        numbers: Numbers of the triangles among those of the terrain; (t,).
        vertices: Places (rows, v, 3).
        matrices: First three rows of a rigid body's matrices (rows, 12), else empty.
        inverses: The same of the inverse matrices.
        box_stride: Distance in memory between the boxes of two rows; 0 if there is only one row.
        vertex_stride: The same of the vertices.
    """

    boxes: NDArray[np.float32]
    skip: Ints
    leaf: Ints
    corners: Ints
    numbers: Ints
    vertices: Floats
    matrices: Floats
    inverses: Floats
    box_stride: int
    vertex_stride: int


def within(surface: Surface, region: Floats | None) -> tuple[Surface, Ints]:
    """The part of a surface that is ever inside a region of (x, y), whose corners are (2, 2).

    Of a rigid body that is all or none, because it takes no memory per frame. Deforming surfaces
    are in world space.

    Returns:
        The part, and indices of its triangles among those of the whole.
    """
    rigid = surface.matrices is not None and surface.vertices.ndim == 2
    kept = np.arange(len(surface.triangles))
    if region is not None and len(kept):
        if rigid:
            hull = hull_places(surface)[..., :2]
            kept = kept[: len(kept) * _reaches(hull.min(axis=1), hull.max(axis=1), region).any()]
        else:
            kept = np.flatnonzero(_ever_inside(surface, region))
    triangles = surface.triangles[kept]
    if rigid:
        return replace(surface, triangles=triangles), kept
    used, corners = np.unique(triangles, return_inverse=True)
    vertices = np.empty((*surface.vertices.shape[:-2], len(used), 3))
    if vertices.ndim == 2:
        vertices[:] = surface.vertices[used]
    else:
        for row in range(len(vertices)):
            vertices[row] = _deformed(surface, row, used)
    return replace(
        surface, vertices=vertices, triangles=corners.reshape(-1, 3), matrices=None
    ), kept


def _ever_inside(surface: Surface, region: Floats) -> NDArray[np.bool_]:
    """Which triangles of static or deforming surfaces are in a region, in any row."""
    inside = np.zeros(len(surface.triangles), bool)
    everything = np.arange(surface.vertices.shape[-2])
    for row in range(surface.rows if surface.moves else 1):
        places = _deformed(surface, row, everything) if surface.moves else surface.vertices
        a, b, c = places[:, :2][surface.triangles.T]
        low, high = np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c)
        inside |= _reaches(low, high, region)
    return inside


def _deformed(surface: Surface, row: int, used: Ints) -> Floats:
    """World places of some vertices of a deforming surface."""
    places: Floats = surface.vertices[row, used].astype(float)
    if surface.matrices is not None:
        places = places @ surface.matrices[row, :3, :3].T + surface.matrices[row, :3, 3]
    return places


def hull_places(surface: Surface) -> Floats:
    """World places (f, 8, 3) of the corners of a rigid body's box."""
    assert surface.matrices is not None
    used = surface.vertices[np.unique(surface.triangles)]
    box = np.stack([used.min(axis=0), used.max(axis=0)])
    corners = np.stack(np.meshgrid(*box.T, indexing="ij"), axis=-1).reshape(8, 3)
    turned = np.einsum("fij,kj->fki", surface.matrices[:, :3, :3], corners)
    moved: Floats = turned + surface.matrices[:, None, :3, 3]
    return moved


def _reaches(low: Floats, high: Floats, region: Floats) -> NDArray[np.bool_]:
    """Which boxes (k, 2) overlap a region."""
    reaches: NDArray[np.bool_] = ((high >= region[0]) & (low <= region[1])).all(axis=-1)
    return reaches


def build_tree(surface: Surface, numbers: Ints, margin: float) -> Tree:
    """A tree over the triangles of a surface.

    Args:
        surface: The surface, in world space if it is not rigid.
        numbers: Numbers of its triangles; (t,).
        margin: Margin around a triangle that belongs to it, in metres.
    """
    corners = surface.triangles
    vertices = surface.vertices.reshape(-1, surface.vertices.shape[-2], 3)
    there = np.flatnonzero(np.isfinite(vertices).all(axis=(1, 2)))
    leaves = _leaves(vertices[there[0] if len(there) else 0][corners].mean(axis=1))
    depth = len(leaves).bit_length() - 1
    preorder, skip = _preorder(depth)

    matrices = inverses = np.empty((0, 12))
    if surface.matrices is not None:
        matrices = surface.matrices[:, :3].reshape(-1, 12)
        inverse = np.full_like(surface.matrices, np.nan)
        present = np.isfinite(surface.matrices).all(axis=(1, 2))
        inverse[present] = np.linalg.inv(surface.matrices[present])
        inverses = inverse[:, :3].reshape(-1, 12)
        margin = _margin_inside(inverse[present], vertices, margin)

    boxes = np.empty((len(vertices), len(skip), BOX_SIZE), np.float32)
    for row, places in zip(boxes, vertices, strict=True):
        row[preorder] = _boxes(places[corners], leaves, margin)

    # Leaves come in the same order in preorder. Those that are padded have fewer triangles.
    order = leaves[leaves < len(corners)]
    stop = np.cumsum((leaves < len(corners)).sum(axis=1))
    leaf = np.zeros((len(skip), 2), np.int64)
    leaf[preorder[-len(leaves) :]] = np.stack([np.r_[0, stop[:-1]], stop], axis=1)
    rows = len(vertices) > 1
    return Tree(
        boxes.reshape(-1),
        skip,
        leaf.reshape(-1),
        corners[order].reshape(-1),
        numbers[order],
        vertices.reshape(-1),
        np.ascontiguousarray(matrices).reshape(-1),
        np.ascontiguousarray(inverses).reshape(-1),
        len(skip) * BOX_SIZE if rows else 0,
        vertices.shape[1] * 3 if rows else 0,
    )


def _margin_inside(inverses: Floats, vertices: Floats, margin: float) -> float:
    """Upper bound of a world margin in a rigid body's local space, including rounding."""
    if not len(inverses):
        return margin
    shrink = float(np.linalg.norm(inverses[:, :3, :3], ord=2, axis=(1, 2)).max())
    extent = float(np.abs(vertices).max(initial=0.0))
    return margin * shrink + 2.5e-7 * extent


def _leaves(centres: Floats) -> Ints:
    """Triangles of each leaf (leaves, k), split at medians; padded with the number of triangles."""
    count = len(centres)
    leaves = 1
    while leaves * MOST_IN_A_LEAF < count:
        leaves *= 2
    size = -(-count // leaves)
    padded = np.concatenate([centres, np.full((leaves * size - count, 3), np.inf)])
    order: Ints = np.arange(len(padded))
    segments = 1
    while segments < leaves:
        order = order.reshape(segments, -1)
        places = padded[order]
        low = places.min(axis=1)
        high = np.where(np.isinf(places), -np.inf, places).max(axis=1)
        axis = np.where(np.isinf(low), 0.0, high - low).argmax(axis=1)
        along = np.take_along_axis(places, axis[:, None, None], axis=2)[:, :, 0]
        halves = np.argpartition(along, order.shape[1] // 2, axis=1)
        order = np.take_along_axis(order, halves, axis=1)
        segments *= 2
    order = np.sort(order.reshape(leaves, size), axis=1)
    return np.minimum(order, count)


def _boxes(corners: Floats, leaves: Ints, margin: float) -> Floats:
    """Boxes (nodes, 6) of all levels, from the root on; corners are (t, 3, 3)."""
    # Elementwise over slices: numpy is slow at reducing short axes.
    low = np.minimum(np.minimum(corners[:, 0], corners[:, 1]), corners[:, 2]) - margin
    high = np.maximum(np.maximum(corners[:, 0], corners[:, 1]), corners[:, 2]) + margin
    nothing = np.full((1, 3), np.inf)
    level = np.concatenate([np.concatenate([low, nothing]), np.concatenate([-high, nothing])], 1)
    # Upper bounds are negated until the end, so that only minima are needed.
    level = functools.reduce(np.minimum, (level[column] for column in leaves.T))
    levels = [level]
    while len(level) > 1:
        level = np.minimum(level[0::2], level[1::2])
        levels.append(level)
    boxes = np.concatenate(levels[::-1])
    np.negative(boxes[:, 3:], out=boxes[:, 3:])
    return boxes


def _preorder(depth: int) -> tuple[Ints, Ints]:
    """Places in preorder of nodes level by level, and which node follows after each's subtree."""
    places = [np.zeros(1, np.int64)]
    skip = np.empty(2 ** (depth + 1) - 1, np.int64)
    for level in range(depth + 1):
        below = 2 ** (depth - level) - 1  # nodes of each of the two subtrees
        skip[places[level]] = places[level] + 1 + 2 * below
        if level < depth:
            left = places[level] + 1
            places.append(np.stack([left, left + below], axis=1).reshape(-1))
    return np.concatenate(places), skip
