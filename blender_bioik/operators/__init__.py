"""What the user can do: thin operators over `rig`."""

from .bake.bake import BIOIK_OT_bake
from .bake.generated_keys import BIOIK_OT_delete_generated_keys
from .bake.rebake import BIOIK_OT_rebake
from .check_rig import BIOIK_OT_check_rig
from .feet.body_parts import (
    BIOIK_OT_add_part_bone,
    BIOIK_OT_choose_part,
    BIOIK_OT_clear_part,
    BIOIK_OT_clear_parts,
)
from .feet.contacts import (
    BIOIK_OT_add_contact,
    BIOIK_OT_find_contacts,
    BIOIK_OT_move_contact,
    BIOIK_OT_remove_contact,
    BIOIK_OT_split_contact,
)
from .feet.place_feet import (
    BIOIK_OT_add_ground,
    BIOIK_OT_place_feet,
    BIOIK_OT_remove_ground,
    BIOIK_OT_remove_quality,
)
from .goals.goal_copies import BIOIK_OT_duplicate_goal, BIOIK_OT_mirror_goal
from .goals.goals import BIOIK_OT_add_goal, BIOIK_OT_move_goal, BIOIK_OT_remove_goal
from .goals.goals_from_constraints import BIOIK_OT_goals_from_constraints
from .live.live import BIOIK_OT_key_live_pose, BIOIK_OT_toggle_live
from .live.solutions import (
    BIOIK_OT_browse_solutions,
    BIOIK_OT_end_solutions,
    BIOIK_OT_step_solution,
)
from .overlay import BIOIK_OT_update_overlay
from .pick_armature import BIOIK_OT_pick_armature
from .presets import (
    BIOIK_OT_apply_preset,
    BIOIK_OT_export_preset,
    BIOIK_OT_import_preset,
    BIOIK_OT_remove_preset,
    BIOIK_OT_save_preset,
)
from .report import BIOIK_OT_copy_report, BIOIK_OT_go_to_frame
from .reset_solver import BIOIK_OT_reset_solver

CLASSES = (
    BIOIK_OT_pick_armature,
    BIOIK_OT_choose_part,
    BIOIK_OT_add_part_bone,
    BIOIK_OT_clear_part,
    BIOIK_OT_clear_parts,
    BIOIK_OT_check_rig,
    BIOIK_OT_bake,
    BIOIK_OT_rebake,
    BIOIK_OT_delete_generated_keys,
    BIOIK_OT_add_goal,
    BIOIK_OT_remove_goal,
    BIOIK_OT_move_goal,
    BIOIK_OT_duplicate_goal,
    BIOIK_OT_mirror_goal,
    BIOIK_OT_goals_from_constraints,
    BIOIK_OT_reset_solver,
    BIOIK_OT_find_contacts,
    BIOIK_OT_add_contact,
    BIOIK_OT_remove_contact,
    BIOIK_OT_split_contact,
    BIOIK_OT_move_contact,
    BIOIK_OT_place_feet,
    BIOIK_OT_add_ground,
    BIOIK_OT_remove_ground,
    BIOIK_OT_remove_quality,
    BIOIK_OT_go_to_frame,
    BIOIK_OT_copy_report,
    BIOIK_OT_toggle_live,
    BIOIK_OT_key_live_pose,
    BIOIK_OT_apply_preset,
    BIOIK_OT_save_preset,
    BIOIK_OT_remove_preset,
    BIOIK_OT_import_preset,
    BIOIK_OT_export_preset,
    BIOIK_OT_update_overlay,
    BIOIK_OT_browse_solutions,
    BIOIK_OT_step_solution,
    BIOIK_OT_end_solutions,
)

__all__ = [
    "CLASSES",
    "BIOIK_OT_add_contact",
    "BIOIK_OT_add_goal",
    "BIOIK_OT_add_ground",
    "BIOIK_OT_add_part_bone",
    "BIOIK_OT_apply_preset",
    "BIOIK_OT_bake",
    "BIOIK_OT_browse_solutions",
    "BIOIK_OT_check_rig",
    "BIOIK_OT_choose_part",
    "BIOIK_OT_clear_part",
    "BIOIK_OT_clear_parts",
    "BIOIK_OT_copy_report",
    "BIOIK_OT_delete_generated_keys",
    "BIOIK_OT_duplicate_goal",
    "BIOIK_OT_end_solutions",
    "BIOIK_OT_export_preset",
    "BIOIK_OT_find_contacts",
    "BIOIK_OT_go_to_frame",
    "BIOIK_OT_goals_from_constraints",
    "BIOIK_OT_import_preset",
    "BIOIK_OT_key_live_pose",
    "BIOIK_OT_mirror_goal",
    "BIOIK_OT_move_contact",
    "BIOIK_OT_move_goal",
    "BIOIK_OT_pick_armature",
    "BIOIK_OT_place_feet",
    "BIOIK_OT_rebake",
    "BIOIK_OT_remove_contact",
    "BIOIK_OT_remove_goal",
    "BIOIK_OT_remove_ground",
    "BIOIK_OT_remove_preset",
    "BIOIK_OT_remove_quality",
    "BIOIK_OT_reset_solver",
    "BIOIK_OT_save_preset",
    "BIOIK_OT_split_contact",
    "BIOIK_OT_step_solution",
    "BIOIK_OT_toggle_live",
    "BIOIK_OT_update_overlay",
]
