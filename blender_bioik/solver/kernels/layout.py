"""Laying a problem out in the arena that `arena.py` declares."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .arena import (
    ELITES,
    FLOAT_LENGTH,
    GOAL_COUNT,
    HEADER,
    INT_LENGTH,
    JOINT_COUNT,
    POPULATION,
    SLOT_COUNT,
    TIP_COUNT,
    WIDTH,
    evolution_floats,
    evolution_ints,
    fixed_floats,
    fixed_ints,
    scratch_floats,
)
from .compiled import Floats, Ints
from .declaration import Counts, Tables


class Arena(NamedTuple):
    """A problem laid out: its counts, integers, fixed floats, and the length of the float array."""

    counts: Counts
    ints: Ints
    fixed: Floats
    length: int

    def arrays(self) -> tuple[Ints, Floats]:
        """`I` and `F` for one solve; only the fixed tables are filled in."""
        floats = np.empty(self.length)
        floats[: len(self.fixed)] = self.fixed
        return self.ints.copy(), floats

    def with_population(self, population: int, elites: int) -> Arena:
        """The same with room for an evolution at the end."""
        counts = self.counts._replace(population=population, elites=elites)
        header = self.ints.copy()
        header[POPULATION], header[ELITES] = population, elites
        end = header[INT_LENGTH] = _place(header, evolution_ints, counts, len(header))
        length = header[FLOAT_LENGTH] = _place(header, evolution_floats, counts, self.length)
        room = np.zeros(end - len(self.ints), np.int64)
        return Arena(counts, np.concatenate([header, room]), self.fixed, length)


def lay_out(counts: Counts, tables: Mapping[int, NDArray[Any]]) -> Arena:
    """Lay a problem out, with room for all scratch tables.

    `tables` are the fixed ones by their header words; those that are left out are zero.
    """
    header = np.zeros(HEADER, np.int64)
    header[JOINT_COUNT], header[TIP_COUNT] = counts.joints, counts.tips
    header[GOAL_COUNT], header[SLOT_COUNT] = counts.goals, counts.slots
    header[WIDTH] = counts.width
    header[INT_LENGTH] = _place(header, fixed_ints, counts, HEADER)
    end = _place(header, fixed_floats, counts, 0)
    end = header[FLOAT_LENGTH] = _place(header, scratch_floats, counts, end)
    ints = _numbers(fixed_ints, counts, tables, np.int64)
    floats = _numbers(fixed_floats, counts, tables, np.float64)
    return Arena(counts, np.concatenate([header, *ints]), np.concatenate(floats), end)


def _place(header: Ints, tables: Tables, counts: Counts, start: int) -> int:
    """Enter the starts of consecutive tables; returns the end of the last one."""
    for word, size in tables.sizes.items():
        header[word] = start
        start += size(counts)
    return start


def _numbers(
    tables: Tables, counts: Counts, given: Mapping[int, NDArray[Any]], kind: type
) -> list[NDArray[Any]]:
    """The numbers of each table, in one row."""
    rows = []
    for word, size in tables.sizes.items():
        numbers = given.get(word)
        if numbers is None:
            numbers = np.zeros(size(counts), kind)
        elif numbers.size != size(counts):
            raise ValueError(
                f"The arena's table {word} has {size(counts)} numbers, not {numbers.size}."
            )
        rows.append(numbers.ravel())
    return rows
