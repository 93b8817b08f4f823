"""Goals of one problem, addressed by handles.

Code that changes goals while a clip is being solved keeps the handle that `GoalList.add` returned
and asks the open clip for the weight, a field or the error of that handle. Positions
are not counted, so goals can be added anywhere in the list.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..goals.base import Field, Goal
from .tracks import Track, goal_of


@dataclass(frozen=True, eq=False)
class GoalHandle:
    """One goal of a list, or several of them that were added together.

    Attributes:
        index: Its place along an axis of goals: a number, or a slice for several goals.
        fields: The fields that all of them have, by name.
    """

    index: int | slice
    fields: dict[str, Field]


class GoalList:
    """Goals in the order in which they are added."""

    def __init__(self) -> None:
        """Start without goals."""
        self._goals: list[Goal | Track] = []

    @property
    def goals(self) -> tuple[Goal | Track, ...]:
        """All goals, in order."""
        return tuple(self._goals)

    def add(self, goal: Goal | Track) -> GoalHandle:
        """Add a goal."""
        self._goals.append(goal)
        return GoalHandle(len(self._goals) - 1, goal_of(goal).fields)

    def add_all(self, goals: Iterable[Goal | Track]) -> GoalHandle:
        """Add several goals under one handle."""
        first = len(self._goals)
        self._goals += goals
        added = self._goals[first:]
        return GoalHandle(slice(first, len(self._goals)), _common_fields(added))


def _common_fields(goals: list[Goal | Track]) -> dict[str, Field]:
    """The fields that goals have in the same columns."""
    first, *others = [goal_of(goal).fields for goal in goals] or [{}]
    return {
        name: field
        for name, field in first.items()
        if all(other.get(name) == field for other in others)
    }
