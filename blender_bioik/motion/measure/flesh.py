"""The outermost points of what each bone carries, and where they are in posed frames.

They stand for the whole body where it is asked what rests, slides and floats: far fewer than the
vertices of a mesh, and each moves with one bone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product

import numpy as np

from ..feet import Floats, Ints
from .skin import Skin

# The sides, edges and corners of a cube: what is outermost that way counts.
WAYS = np.array([way for way in product((-1, 0, 1), repeat=3) if any(way)], float)


@dataclass(frozen=True, eq=False)
class Flesh:
    """Points on bones.

    Attributes:
        bone: The bone of each point, ascending; (p,).
        places: Their places along the axes of their bones, in the armature's units; (p, 3).
    """

    bone: Ints
    places: Floats

    def __len__(self) -> int:
        return len(self.bone)

    def posed(self, pose: Floats, chosen: Ints | None = None) -> Floats:
        """Where points are; (f, p, 3).

        Args:
            pose: World matrices of the bones; (f, b, 4, 4).
            chosen: Indices of the points; None for all.
        """
        bone, places = self.bone, self.places
        if chosen is not None:
            bone, places = bone[chosen], places[chosen]
        found = np.empty((len(pose), len(bone), 3))
        for number in np.unique(bone):
            own = bone == number
            found[:, own] = places[own] @ pose[:, number, :3, :3].swapaxes(1, 2)
            found[:, own] += pose[:, None, number, :3, 3]
        return found

    def of(self, bones: Iterable[int]) -> Ints:
        """Indices of the points of some bones."""
        return np.flatnonzero(np.isin(self.bone, list(bones)))


def outer_flesh(skin: Skin, rest: Floats) -> Flesh:
    """The outermost points of a skin.

    Args:
        skin: The skin.
        rest: Matrices of the bones in the rest pose, in the armature's space; (b, 4, 4).
    """
    owner = skin.owner()
    bones, places = [], []
    for bone in np.unique(owner[owner < len(rest)]):
        own = np.flatnonzero(owner == bone)
        inverse = np.linalg.inv(rest[bone])
        local = skin.places[own] @ inverse[:3, :3].T + inverse[:3, 3]
        outermost = np.unique((local @ WAYS.T).argmax(axis=0))
        bones.append(np.full(len(outermost), bone))
        places.append(local[outermost])
    if not bones:
        return Flesh(np.zeros(0, int), np.zeros((0, 3)))
    return Flesh(np.concatenate(bones), np.concatenate(places))
