"""A character's skin as arrays: vertices carried by bones, and where they are in posed frames.

This is Blender's linear blend skinning, in bulk: each vertex moves with the weighted mean of its
bones' matrices.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..feet import Floats, Ints


@dataclass(frozen=True, eq=False)
class Skin:
    """Vertices and the bones that carry them.

    Attributes:
        places: Places of the vertices in the rest pose, in the armature's space; (n, 3).
        weights: Weights of all pairs of a vertex and a bone; those of a vertex sum up to 1; (w,).
        vertex: The vertex of each weight, ascending; (w,).
        bone: Its bone; (w,). As many as there are bones for what moves with the armature alone.
        edges: Ends of the edges; (e, 2).
        meshes: The mesh that each vertex belongs to; (n,).
    """

    places: Floats
    weights: Floats
    vertex: Ints
    bone: Ints
    edges: Ints
    meshes: Ints

    def __len__(self) -> int:
        return len(self.places)

    @cached_property
    def _starts(self) -> Ints:
        """The first weight of each vertex, and of the one after the last; (n + 1,)."""
        return np.searchsorted(self.vertex, np.arange(len(self) + 1))

    def points(self, chosen: NDArray[np.bool_]) -> Ints:
        """Points on some vertices (n,) and amid the edges between them, as pairs (p, 2).

        A vertex is the pair of itself with itself.
        """
        vertices = np.flatnonzero(chosen)
        between = self.edges[chosen[self.edges].all(axis=1)]
        return np.concatenate([np.stack([vertices, vertices], axis=1), between])

    @cached_property
    def owner(self) -> Ints:
        """The bone with the largest weight of each vertex; (n,)."""
        order = np.lexsort((self.weights, self.vertex))
        last = np.flatnonzero(np.diff(self.vertex[order], append=len(self)))
        return np.asarray(self.bone[order[last]])

    def posed(self, matrices: Floats, points: Ints) -> Floats:
        """Where points are; (f, p, 3).

        Args:
            matrices: The skin matrices in each frame; see `skin_matrices`.
            points: Pairs of vertices; (p, 2).
        """
        from .skin_blend import blended  # loads numba, which enabling the extension does not

        return blended(
            matrices, self._starts, self.bone, self.weights, self.vertex, self.places, points
        )


def skin_matrices(pose: Floats, inverse_rest: Floats, alone: Floats) -> Floats:
    """Matrices (f, b + 1, 4, 4) from the rest pose in the armature's space to the world.

    Args:
        pose: World matrices of the bones; (f, b, 4, 4).
        inverse_rest: Their inverse matrices in the rest pose, in the armature's space; (b, 4, 4).
        alone: World matrices of the armature, for what moves with it alone; (f, 4, 4).
    """
    return np.concatenate([pose @ inverse_rest, alone[:, None]], axis=1)
