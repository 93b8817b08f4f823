"""Operators of foot placement: placing, grounds, contacts, body parts.

Only the registration imports them. They import `rig`, `ui_state` and `operators.bake`.
"""

from .body_parts import (
    BIOIK_OT_add_part_bone,
    BIOIK_OT_choose_part,
    BIOIK_OT_clear_part,
    BIOIK_OT_clear_parts,
    BIOIK_OT_use_guess,
)
from .contacts import (
    BIOIK_OT_add_contact,
    BIOIK_OT_find_contacts,
    BIOIK_OT_move_contact,
    BIOIK_OT_remove_contact,
    BIOIK_OT_split_contact,
)
from .grounds import (
    BIOIK_OT_add_ground,
    BIOIK_OT_own_ground,
    BIOIK_OT_remove_ground,
    BIOIK_OT_share_ground,
)
from .lengths import BIOIK_OT_fit_length
from .levels import BIOIK_OT_choose_levels
from .place_feet import BIOIK_OT_place_feet, BIOIK_OT_remove_quality

CLASSES = (
    BIOIK_OT_choose_part,
    BIOIK_OT_add_part_bone,
    BIOIK_OT_clear_part,
    BIOIK_OT_clear_parts,
    BIOIK_OT_use_guess,
    BIOIK_OT_find_contacts,
    BIOIK_OT_add_contact,
    BIOIK_OT_remove_contact,
    BIOIK_OT_split_contact,
    BIOIK_OT_move_contact,
    BIOIK_OT_place_feet,
    BIOIK_OT_choose_levels,
    BIOIK_OT_fit_length,
    BIOIK_OT_add_ground,
    BIOIK_OT_remove_ground,
    BIOIK_OT_share_ground,
    BIOIK_OT_own_ground,
    BIOIK_OT_remove_quality,
)

__all__ = ["CLASSES"]
