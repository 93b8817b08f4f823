"""Goals as read: plain copies, safe to use in any thread and independent of the list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from .constraint_goals import PlainGoal, property_names
from .tracks import PlannedGoal


@dataclass(frozen=True, eq=False)
class GoalCopy(PlainGoal):
    """A copy of a goal."""

    properties: Mapping[str, Any]


def copied_goal(planned: PlannedGoal) -> PlannedGoal:
    """A planned goal without Blender data except, unused, its target."""
    names = property_names(planned.goal)
    goal: Any = GoalCopy({name: _plain(getattr(planned.goal, name)) for name in names})
    return replace(planned, goal=goal)


def _plain(value: Any) -> Any:
    """A value as it is now; of a vector its numbers."""
    return tuple(value) if hasattr(value, "__len__") and not isinstance(value, str) else value
