"""The Bio-IK tab of the 3D Viewport's sidebar. Drawing is read-only and evaluates nothing."""

from .bake import BIOIK_PT_bake, BIOIK_PT_bake_keys
from .contacts import BIOIK_PT_contacts, BIOIK_UL_contacts
from .feet import (
    BIOIK_PT_feet,
    BIOIK_PT_feet_advanced,
    BIOIK_PT_feet_body,
    BIOIK_UL_grounds,
)
from .goal_details import BIOIK_PT_goal_frames, BIOIK_PT_goal_reach
from .goals import BIOIK_MT_goals, BIOIK_PT_goals, BIOIK_UL_goals
from .live import BIOIK_PT_live
from .overlay import BIOIK_PT_overlay, BIOIK_PT_overlay_popover
from .presets import BIOIK_PT_feet_presets, BIOIK_PT_goal_presets, BIOIK_PT_solver_presets
from .report.characters import BIOIK_PT_baked_characters, BIOIK_PT_placed_characters
from .report.report import BIOIK_PT_report, BIOIK_PT_report_curves
from .report.verdict import BIOIK_PT_verdict
from .rig.body_parts import BIOIK_PT_body_parts
from .rig.rig import BIOIK_PT_rig, BIOIK_PT_unsupported, BIOIK_UL_unsupported
from .solutions import BIOIK_PT_solutions
from .solver import BIOIK_PT_solver, BIOIK_PT_solver_bones, BIOIK_PT_solver_search

# In the order of the sidebar; a panel comes before those inside it.
CLASSES = (
    BIOIK_UL_grounds,
    BIOIK_UL_contacts,
    BIOIK_UL_goals,
    BIOIK_MT_goals,
    BIOIK_UL_unsupported,
    BIOIK_PT_feet_presets,
    BIOIK_PT_goal_presets,
    BIOIK_PT_solver_presets,
    BIOIK_PT_rig,
    BIOIK_PT_body_parts,
    BIOIK_PT_unsupported,
    BIOIK_PT_feet,
    BIOIK_PT_verdict,
    BIOIK_PT_placed_characters,
    BIOIK_PT_contacts,
    BIOIK_PT_feet_body,
    BIOIK_PT_feet_advanced,
    BIOIK_PT_goals,
    BIOIK_PT_goal_reach,
    BIOIK_PT_goal_frames,
    BIOIK_PT_live,
    BIOIK_PT_solutions,
    BIOIK_PT_solver,
    BIOIK_PT_solver_bones,
    BIOIK_PT_solver_search,
    BIOIK_PT_bake,
    BIOIK_PT_baked_characters,
    BIOIK_PT_bake_keys,
    BIOIK_PT_report,
    BIOIK_PT_report_curves,
    BIOIK_PT_overlay,
    BIOIK_PT_overlay_popover,
)

__all__ = ["CLASSES"]
