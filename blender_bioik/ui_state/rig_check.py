"""Whether the last check of a rig still applies."""

from __future__ import annotations

from typing import Any

import bpy


def is_checked(context: bpy.types.Context, armature: bpy.types.Object) -> bool:
    """Whether the results of a check belong to an armature and its current constraints."""
    check: Any = context.window_manager.bioik_rig_check
    if check.armature != armature.name_full:
        return False
    from ..rig.goals.unsupported import constraints_mark

    return bool(check.mark == constraints_mark(armature))
