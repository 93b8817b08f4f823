"""The outermost points of what each bone carries, and where they are in posed frames.

They stand for the whole body where it is asked what rests, slides and floats: far fewer than the
vertices of a mesh, posed in the same way.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np

from ..feet import Floats, Ints
from .skin import Skin
from .skin_blend import blended

# The sides, edges and corners of a cube: what is outermost that way counts.
WAYS = np.array([way for way in product((-1, 0, 1), repeat=3) if any(way)], float)


@dataclass(frozen=True, eq=False)
class Flesh:
    """Points of a skin.

    Attributes:
        bone: The bone that each point belongs to, ascending; (p,).
        point: The point of each pair of a point and a bone that carries it, ascending; (w,).
        carrier: That bone; (w,).
        weight: Its weight; those of a point sum up to 1; (w,).
        places: The point's place along the axes of that bone, in the armature's units; (w, 3).
    """

    bone: Ints
    point: Ints
    carrier: Ints
    weight: Floats
    places: Floats

    def __len__(self) -> int:
        return len(self.bone)

    def posed(self, pose: Floats, chosen: Ints | None = None) -> Floats:
        """Where points are; (f, p, 3).

        Args:
            pose: World matrices of the bones; (f, b, 4, 4).
            chosen: Indices of the points, ascending; None for all.
        """
        chosen = np.arange(len(self)) if chosen is None else chosen
        return blended(
            pose,
            self._starts,
            self.carrier,
            self.weight,
            np.arange(len(self.places)),
            self.places,
            np.stack([chosen, chosen], axis=1),
        )

    @cached_property
    def _starts(self) -> Ints:
        """The first carrier of each point, and of the one after the last; (p + 1,)."""
        return np.searchsorted(self.point, np.arange(len(self) + 1))

    def of(self, bones: Iterable[int]) -> Ints:
        """Indices of the points of some bones."""
        return np.flatnonzero(np.isin(self.bone, list(bones)))


def outer_flesh(
    skin: Skin, rest: Floats, soles: Collection[int] = (), cube: float = np.inf
) -> Flesh:
    """The outermost points of a skin.

    Args:
        skin: The skin.
        rest: Matrices of the bones in the rest pose, in the armature's space; (b, 4, 4).
        soles: Bones of feet, whose soles may touch the ground anywhere: one point of each cube
            counts as well.
        cube: Size of these cubes, in the armature's units.
    """
    owner = skin.owner
    inverse = np.linalg.inv(rest)
    bones, vertices = [np.zeros(0, int)], [np.zeros(0, int)]
    for bone in np.unique(owner[owner < len(rest)]):
        own = np.flatnonzero(owner == bone)
        local = skin.places[own] @ inverse[bone, :3, :3].T + inverse[bone, :3, 3]
        outermost = np.unique((local @ WAYS.T).argmax(axis=0))
        if bone in soles:
            cubes = np.floor(local / cube).astype(int)
            each = np.unique(cubes, axis=0, return_index=True)[1]
            outermost = np.union1d(outermost, each)
        bones.append(np.full(len(outermost), bone))
        vertices.append(own[outermost])
    chosen = np.concatenate(vertices)
    number = np.full(len(skin), -1)
    number[chosen] = np.arange(len(chosen))
    # What moves with the armature alone has no bone.
    mine = np.flatnonzero((number[skin.vertex] >= 0) & (skin.bone < len(rest)))
    mine = mine[np.argsort(number[skin.vertex[mine]], kind="stable")]
    point, carrier, vertex = number[skin.vertex[mine]], skin.bone[mine], skin.vertex[mine]
    total = np.bincount(point, skin.weights[mine], len(chosen))
    turned = np.einsum("wij,wj->wi", inverse[carrier, :3, :3], skin.places[vertex])
    return Flesh(
        np.concatenate(bones),
        point,
        carrier,
        skin.weights[mine] / total[point],
        turned + inverse[carrier, :3, 3],
    )
