"""Operators that write keys over a range: bake, re-bake, removal of generated keys and results.

The operators of feet share their options. They import `rig.bake`, `ui_state` and the modules at
the top of `operators`.
"""

from .bake import BIOIK_OT_bake
from .compare import BIOIK_OT_compare
from .generated_keys import BIOIK_OT_delete_generated_keys
from .rebake import BIOIK_OT_rebake
from .results import BIOIK_OT_remove_result, BIOIK_OT_use_result_as_source

CLASSES = (
    BIOIK_OT_bake,
    BIOIK_OT_rebake,
    BIOIK_OT_compare,
    BIOIK_OT_delete_generated_keys,
    BIOIK_OT_remove_result,
    BIOIK_OT_use_result_as_source,
)

__all__ = ["CLASSES"]
