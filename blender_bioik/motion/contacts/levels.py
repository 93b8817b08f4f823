"""Levels of the source's floor: steps, boxes and rungs, told apart from drift.

A recorded floor drifts and tilts by a few percent of the way walked. A level changes by more from
one stand to the next, in height and relative to the length of the step. The lowest level is the
floor that the clip was recorded on; all other stands are elevated above it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..feet import BALL, Contact, Floats, Foot
from ..tuning import BODY
from .contacts import Mask, Rows, runs
from .floor import stand_height
from .tuning import LEVELS


@dataclass(frozen=True, eq=False)
class Levels:
    """The stands of a clip, in order of time, and how high each is above the floor.

    Attributes:
        stands: Contacts of balls.
        places: Where they are in plan view; (n, 2).
        heights: Height of what is under each, metres; (n,).
        elevations: How high that is above the floor, metres, zero for stands on it; (n,).
    """

    stands: tuple[Contact, ...]
    places: Floats
    heights: Floats
    elevations: Floats

    @property
    def way(self) -> Floats:
        """Length of all steps up to each stand, metres; (n,)."""
        return np.concatenate([[0.0], np.cumsum(_steps(self.places))])[: len(self.stands)]

    @property
    def elevated(self) -> Mask:
        """Which stands are above the floor; (n,)."""
        return self.elevations > 0.0

    def sections(self) -> list[Rows]:
        """First and last but one index of each run of elevated stands."""
        return runs(self.elevated)

    def between_floor(self, values: Floats, known: Mask) -> Floats:
        """Values (n,) that some stands have, for all: between two of them by the way walked."""
        return np.interp(self.way, self.way[known], values[known])

    def floor(self, frames: int) -> Floats:
        """Height of the floor, drift included, in all rows; (f,)."""
        below = self.heights - self.elevations
        return _over_rows(self.stands, below, frames)

    def climb(self, frames: int) -> Floats:
        """How high the character is above the floor in all rows; (f,)."""
        return _over_rows(self.stands, self.elevations, frames)


def find_levels(feet: Sequence[Foot], contacts: Sequence[Contact], scale: float) -> Levels:
    """Find how high each stand of a clip is above the floor.

    Args:
        feet: The feet.
        contacts: Their contacts.
        scale: Size of the character relative to one of 1.6 m.
    """
    stands = in_order(contacts)
    places = np.array([_place(feet[stand.foot], stand) for stand in stands]).reshape(-1, 2)
    heights = np.array([stand_height(feet[stand.foot], stand) for stand in stands])
    found = Levels(tuple(stands), places, heights, np.zeros(len(stands)))
    changes = level_changes(places, heights, scale)
    if not changes.any():
        return found
    level = np.concatenate([[0.0], np.cumsum(changes)])
    low = level - level.min() < 0.5 * np.abs(changes[changes != 0.0]).min()
    above = np.maximum(0.0, heights - found.between_floor(heights, low))
    return Levels(found.stands, places, heights, np.where(low, 0.0, above))


def level_changes(places: Floats, heights: Floats, scale: float) -> Floats:
    """Changes of level from one stand to the next, metres, zero where the floor drifts; (n - 1,).

    Args:
        places: Places of the stands in plan view, in order of time; (n, 2).
        heights: Height of what is under each, metres; (n,).
        scale: Size of the character relative to one of 1.6 m.
    """
    changes = np.diff(heights)
    least = np.maximum(BODY.wall * scale, LEVELS.steep * _steps(places))
    return np.where(np.abs(changes) > least, changes, 0.0)


def in_order(contacts: Sequence[Contact]) -> list[Contact]:
    """Contacts of balls, in order of time."""
    balls = (contact for contact in contacts if contact.point == BALL)
    return sorted(balls, key=lambda contact: (contact.first + contact.stop, contact.foot))


def _place(foot: Foot, stand: Contact) -> Floats:
    """Where a stand is in plan view; (2,)."""
    return np.asarray(np.median(foot.points[stand.first : stand.stop, stand.point, :2], axis=0))


def _steps(places: Floats) -> Floats:
    """Distances from each place (n, 2) to the next, metres; (n - 1,)."""
    return np.asarray(np.linalg.norm(np.diff(places, axis=0), axis=-1))


def _over_rows(stands: Sequence[Contact], values: Floats, frames: int) -> Floats:
    """Values of stands (n,), constant in the middle of each and linear in between; (f,)."""
    if not stands:
        return np.zeros(frames)
    rows = np.array([0.5 * (stand.first + stand.stop - 1) for stand in stands])
    return np.interp(np.arange(frames), rows, values)
