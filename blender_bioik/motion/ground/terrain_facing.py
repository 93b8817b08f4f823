"""Which way the triangles of a surface face, if normals of the whole surface may be flipped."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..feet import Floats, Ints

if TYPE_CHECKING:
    from .terrain import Surface

# The normals of a closed surface cancel out but for this share of its area.
CLOSED = 1e-3


def corners_at(surface: Surface, triangles: Ints, row: Ints) -> Floats:
    """World places of the corners of some triangles (k,) of a surface in rows (k,); (k, 3, 3)."""
    corners = surface.triangles[triangles]
    if surface.vertices.ndim == 3:
        return np.asarray(surface.vertices[row[:, None], corners], float)
    places = np.asarray(surface.vertices[corners], float)
    if surface.matrices is None:
        return places
    turn, at = surface.matrices[row, :3, :3], surface.matrices[row, :3, 3]
    return np.asarray(np.einsum("kij,kcj->kci", turn, places) + at[:, None])


def outward(surface: Surface) -> float:
    """1 if the normals of a surface point up or out of it, -1 if they are flipped.

    A closed surface has an inside; a sheet has its upper side up.
    """
    row = _first_row(surface)
    if row is None or not len(surface.triangles):
        return 1.0
    every = np.arange(len(surface.triangles))
    corners = corners_at(surface, every, np.full(len(every), row))
    corners = corners - corners.reshape(-1, 3).mean(axis=0)
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    area = float(np.linalg.norm(normals, axis=1).sum())
    total = normals.sum(axis=0)
    if np.linalg.norm(total) > CLOSED * area:
        return -1.0 if total[2] < 0.0 else 1.0
    volume = float(np.einsum("ki,ki->k", corners[:, 0], normals).sum())
    return -1.0 if volume < 0.0 else 1.0


def _first_row(surface: Surface) -> int | None:
    """The first row in which a surface is there."""
    if not surface.moves:
        return 0
    given = surface.vertices if surface.matrices is None else surface.matrices
    there = np.flatnonzero(np.isfinite(given).all(axis=(1, 2)))
    return int(there[0]) if len(there) else None
