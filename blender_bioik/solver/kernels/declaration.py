"""Declaration of the solver's memory: names are numbered in the order of their declaration."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Counts(NamedTuple):
    """Counts of a problem, which the sizes of tables depend on.

    Attributes:
        joints: Joints that take part.
        tips: Tips that take part.
        goals: Goals.
        slots: Sets of tip goals that joints move.
        rows: Rows of the Jacobian, of all goals over several segments or joints.
        width: Joints on the longest path of the elimination tree.
        goal_joints: Joints that goals list.
        goal_numbers: Fixed numbers that goals list.
        goal_scratch: Numbers that goals keep while they are evaluated.
        population: Individuals of the evolution.
        elites: The fittest of them, which survive a generation.
    """

    joints: int
    tips: int
    goals: int = 0
    slots: int = 0
    rows: int = 0
    width: int = 0
    goal_joints: int = 0
    goal_numbers: int = 0
    goal_scratch: int = 0
    population: int = 0
    elites: int = 0


Size = Callable[[Counts], int]


class Numbering:
    """Consecutive numbers from zero."""

    def __init__(self) -> None:
        """Nothing is numbered yet."""
        self.count = 0

    def one(self) -> int:
        """The next number."""
        return self.block(1)[0]

    def block(self, size: int) -> range:
        """The next numbers, for names that must follow each other."""
        self.count += size
        return range(self.count - size, self.count)


class Tables:
    """Tables of one kind of number, in the order in which they are declared.

    `sizes` has the size of each table by the header word for its start.
    """

    def __init__(self, words: Numbering) -> None:
        """Take header words from a numbering."""
        self._words = words
        self.sizes: dict[int, Size] = {}

    def table(self, size: Size) -> int:
        """Declare a table: its header word."""
        word = self._words.one()
        self.sizes[word] = size
        return word


def exactly(size: int) -> Size:
    """A size that does not depend on the problem."""
    return lambda _: size


def per_joint(size: int = 1) -> Size:
    """`size` numbers for each joint."""
    return lambda counts: size * counts.joints


def per_tip(size: int = 1) -> Size:
    """`size` numbers for each tip."""
    return lambda counts: size * counts.tips


def per_goal(size: int = 1) -> Size:
    """`size` numbers for each goal."""
    return lambda counts: size * counts.goals


def per_ancestor(counts: Counts) -> int:
    """A row for each joint, as long as the longest path of the elimination tree."""
    return counts.joints * counts.width
