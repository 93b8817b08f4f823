"""The armatures that are solved live."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ..source_shown import SHOWN_POSES

if TYPE_CHECKING:
    from .live import LiveSession

# By the session numbers of armature objects, which survive undo and renaming.
SESSIONS: dict[int, LiveSession] = {}
SHOWN_POSES.append(SESSIONS.values)


def live_session(armature: bpy.types.Object | None) -> LiveSession | None:
    """The live solving of an armature, None if it is not solved live."""
    return SESSIONS.get(armature.session_uid) if armature is not None else None
