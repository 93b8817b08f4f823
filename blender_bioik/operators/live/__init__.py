"""Operators of single frames: live solving and browsing of solutions.

Only the registration imports them. They import `rig.live` and `ui_state`.
"""

from .live import BIOIK_OT_key_live_pose, BIOIK_OT_toggle_live
from .solutions import (
    BIOIK_OT_browse_solutions,
    BIOIK_OT_end_solutions,
    BIOIK_OT_step_solution,
)

CLASSES = (
    BIOIK_OT_toggle_live,
    BIOIK_OT_key_live_pose,
    BIOIK_OT_browse_solutions,
    BIOIK_OT_step_solution,
    BIOIK_OT_end_solutions,
)

__all__ = ["CLASSES"]
