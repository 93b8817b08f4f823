"""What the user can do: thin operators over `rig`."""

from .bake import BIOIK_OT_bake
from .generated_keys import BIOIK_OT_delete_generated_keys
from .goals_from_constraints import BIOIK_OT_goals_from_constraints

CLASSES = (BIOIK_OT_bake, BIOIK_OT_delete_generated_keys, BIOIK_OT_goals_from_constraints)

__all__ = [
    "CLASSES",
    "BIOIK_OT_bake",
    "BIOIK_OT_delete_generated_keys",
    "BIOIK_OT_goals_from_constraints",
]
