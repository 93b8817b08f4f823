"""What the user can do: thin operators over `rig`."""

from .bake import BIOIK_OT_bake
from .generated_keys import BIOIK_OT_delete_generated_keys

CLASSES = (BIOIK_OT_bake, BIOIK_OT_delete_generated_keys)

__all__ = ["CLASSES", "BIOIK_OT_bake", "BIOIK_OT_delete_generated_keys"]
