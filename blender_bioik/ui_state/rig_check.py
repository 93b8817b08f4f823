"""Whether the last check of a rig still applies."""

from __future__ import annotations

from typing import Any

import bpy


def is_checked(context: bpy.types.Context, armature: bpy.types.Object) -> bool:
    """Whether what a check has found is about an armature, and about its constraints of now."""
    check: Any = context.window_manager.bioik_rig_check
    if check.armature != armature.name_full:
        return False
    from ..rig.goals.unsupported import constraints_mark

    return bool(check.mark == constraints_mark(armature))
