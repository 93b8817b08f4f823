"""Thin operators over `rig`."""

from . import bake, feet, goals, live
from .check_rig import BIOIK_OT_check_rig
from .copy_settings import BIOIK_OT_copy_settings
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
    *bake.CLASSES,
    *feet.CLASSES,
    *goals.CLASSES,
    *live.CLASSES,
    BIOIK_OT_pick_armature,
    BIOIK_OT_check_rig,
    BIOIK_OT_copy_settings,
    BIOIK_OT_reset_solver,
    BIOIK_OT_go_to_frame,
    BIOIK_OT_copy_report,
    BIOIK_OT_apply_preset,
    BIOIK_OT_save_preset,
    BIOIK_OT_remove_preset,
    BIOIK_OT_import_preset,
    BIOIK_OT_export_preset,
    BIOIK_OT_update_overlay,
)

__all__ = ["CLASSES"]
