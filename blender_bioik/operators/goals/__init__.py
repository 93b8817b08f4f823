"""Operators that edit the list of goals.

Only the registration imports them. They import `rig.goals`, `ui_state` and the modules at the top
of `operators`.
"""

from .goal_copies import BIOIK_OT_duplicate_goal, BIOIK_OT_mirror_goal
from .goals import (
    BIOIK_OT_add_goal,
    BIOIK_OT_move_goal,
    BIOIK_OT_remove_goal,
)
from .goals_from_constraints import BIOIK_OT_goals_from_constraints

CLASSES = (
    BIOIK_OT_add_goal,
    BIOIK_OT_remove_goal,
    BIOIK_OT_move_goal,
    BIOIK_OT_duplicate_goal,
    BIOIK_OT_mirror_goal,
    BIOIK_OT_goals_from_constraints,
)

__all__ = ["CLASSES"]
