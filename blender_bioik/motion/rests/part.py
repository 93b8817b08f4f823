"""A part of the body over the frames of a clip: its surface, and which of it is lowest."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.spatial.transform import Rotation

from ..body.hull import Hull, rotation_matrices
from ..contacts.contacts import Mask
from ..feet import Floats, Ints

# The limb that bears nothing.
TAIL = "tail"
# A part is looked at in two halves along its length.
HALVES = 2


class Piece(NamedTuple):
    """What a bone of a part carries.

    Attributes:
        hull: Its surface in the frame of the bone, metres.
        place: Where the bone is in the source; (f, 3).
        turn: How it is turned, quaternions; (f, 4).
    """

    hull: Hull
    place: Floats
    turn: Floats


class Lowest(NamedTuple):
    """The lowest point of each half of a part.

    Attributes:
        local: In the frame of the part's bone; (f, 2, 3).
        world: In the source; (f, 2, 3).
    """

    local: Floats
    world: Floats


@dataclass(frozen=True, eq=False)
class Part:
    """A part of the body in the source.

    Attributes:
        name: "hand.L".
        bone: The bone that carries it.
        place: Where that begins; (f, 3).
        turn: How it is turned, quaternions; (f, 4).
        pieces: What it and the bones on it carry.
        free: In which rows it may rest: not while its own foot stands, or high above the floor;
            (f,).
        limb: The name of its leg or arm; None of trunk and head, and of what begins at the trunk.
        following: The bone of the next part of the limb, a forearm's hand; None for its last one.
        is_foot: Whether it is a foot, which may also stand on its sole.
        is_bare: Whether it has no mesh, so that its surface is a guess.
        holds: Whether it may rest on things above the floor.
        grip: Its point that has to reach these, in its bone's frame: the wrist of a hand; (3,).
    """

    name: str
    bone: str
    place: Floats
    turn: Floats
    pieces: tuple[Piece, ...]
    free: Mask
    limb: str | None = None
    following: str | None = None
    is_foot: bool = False
    is_bare: bool = False
    holds: bool = False
    grip: Floats = field(default_factory=lambda: np.zeros(3))

    @property
    def bears(self) -> bool:
        """Whether it bears the body where it rests."""
        return self.limb != TAIL

    @cached_property
    def lowest(self) -> Lowest:
        """The lowest point of each half, row by row."""
        points, inward = self._points, self._rotation
        local = np.einsum("fji,fkj->fki", inward, points - self.place[:, None])
        along = local @ self._axis(local)
        middle = 0.5 * (along.min() + along.max())
        if middle < 0.0:  # the first half is at the bone's own joint
            along, middle = -along, -middle
        rows = np.arange(len(points))[:, None]
        heights = np.stack(
            [
                np.where((along < middle) == (half == 0), points[..., 2], np.inf)
                for half in range(HALVES)
            ],
            axis=1,
        )
        heights = np.where(np.isfinite(heights).any(axis=2)[..., None], heights, 0.0)
        which = heights.argmin(axis=2)
        return Lowest(local[rows, which], points[rows, which])

    @property
    def heights(self) -> Floats:
        """Height of its lowest point; (f,)."""
        return np.asarray(self.lowest.world[..., 2].min(axis=1))

    @cached_property
    def joints(self) -> Floats:
        """Where its bones begin, and its grip, in the frame of its own bone; (n, 3)."""
        ways = [piece.place - self.place for piece in self.pieces]
        local = [np.einsum("fji,fj->fi", self._rotation, way) for way in ways]
        grip = [self.grip] if self.grip.any() else []
        return np.stack([np.zeros(3), *(np.median(each, axis=0) for each in local), *grip])

    def path(self, local: Floats) -> Floats:
        """Path (f, 3) of a point (3,) that its bone carries."""
        return np.asarray(self.place + self._rotation @ local)

    def surface(self, row: int) -> Floats:
        """Points of its surface in a row; (n, 3)."""
        found = []
        for piece in self.pieces:
            rings = piece.hull.rings
            both = np.concatenate([rings, 0.5 * (rings[1:] + rings[:-1])]).reshape(-1, 3)
            turn = rotation_matrices(piece.turn[row : row + 1])[0]
            found.append(piece.place[row] + both @ turn.T)
        return np.concatenate(found)

    def rows(self, rows: slice | Ints) -> Part:
        """The same over some of the rows."""
        pieces = (Piece(piece.hull, piece.place[rows], piece.turn[rows]) for piece in self.pieces)
        return replace(
            self,
            place=self.place[rows],
            turn=self.turn[rows],
            pieces=tuple(pieces),
            free=self.free[rows],
        )

    @cached_property
    def _rotation(self) -> Floats:
        return rotation_matrices(self.turn)

    @cached_property
    def _points(self) -> Floats:
        """The lowest point of each ring of its pieces; (f, k, 3)."""
        found = []
        for piece in self.pieces:
            turn = rotation_matrices(piece.turn)
            local = piece.hull.lowest_of_rings(turn)
            found.append(piece.place[:, None] + np.einsum("fij,fkj->fki", turn, local))
        return np.concatenate(found, axis=1)

    def _axis(self, local: Floats) -> Floats:
        """The direction in which the part is longest, in its bone's frame; (3,)."""
        centre = local.reshape(-1, 3) - local.reshape(-1, 3).mean(axis=0)
        _, vectors = np.linalg.eigh(centre.T @ centre)
        return np.asarray(vectors[:, -1])


def turned_by(slope: Floats) -> Floats:
    """Shortest turns (n, 4), w first, from level ground to slopes (n, 2)."""
    normal = np.concatenate([-slope, np.ones((len(slope), 1))], axis=-1)
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    axis = np.cross([0.0, 0.0, 1.0], normal)
    size = np.linalg.norm(axis, axis=-1, keepdims=True)
    angle = np.arctan2(size, normal[:, 2:])
    turn = Rotation.from_rotvec(axis / np.maximum(size, 1e-12) * angle)
    return np.asarray(turn.as_quat()[:, [3, 0, 1, 2]])
