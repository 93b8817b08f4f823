"""Goals as they were read: plain data, which any thread may look at and which nobody removes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ..properties.goal_kinds import KIND_OF, GoalKind
from .constraint_goals import GOAL_DEFAULTS
from .goal_tracks import PlannedGoal


@dataclass(frozen=True, eq=False)
class GoalCopy:
    """A copy of a goal; it has all properties that a goal of an armature has."""

    properties: Mapping[str, Any]

    def __getattr__(self, name: str) -> Any:
        """A property of the goal."""
        if name in GOAL_DEFAULTS:
            return self.properties[name]
        raise AttributeError(name)

    @property
    def kind(self) -> GoalKind:
        """What kind of goal this is."""
        return KIND_OF[self.type]

    @property
    def is_soft(self) -> bool:
        """Whether it never counts as missed."""
        return bool(self.is_preference) or self.kind.soft


def copied_goal(planned: PlannedGoal) -> PlannedGoal:
    """A planned goal that has nothing of Blender in it but, unused, its target."""
    goal: Any = GoalCopy({name: _plain(getattr(planned.goal, name)) for name in GOAL_DEFAULTS})
    return replace(planned, goal=goal)


def _plain(value: Any) -> Any:
    """A value as it is now; of a vector its numbers."""
    return tuple(value) if hasattr(value, "__len__") and not isinstance(value, str) else value
