"""Place feet on the ground, and undo it."""

from __future__ import annotations

import bpy

from ...hand import Pause
from ...session import Session
from .character import SOURCE, animation, armature, foot_height, is_solving, rig

# How long to wait for a solve at most, seconds.
SOLVING_S = 300.0


def place_feet(session: Session) -> Pause:
    """Place them with the button, and look at the middle of the walk."""
    before, low = animation(), foot_height()
    yield from session.press(r"bioik\.place_feet")
    yield from session.until(is_solving, 30.0)
    yield from session.until(lambda: not is_solving(), SOLVING_S)
    action = armature().animation_data.action
    session.check("there is a new action", action.name not in before.actions)
    session.check("the source is kept", before.action in bpy.data.actions)
    session.check("the feet stand higher on a hill", foot_height() > low + 0.05)
    yield from session.picture("feet placed")


def undo_placing(session: Session) -> Pause:
    """Undo it in one step."""
    yield from session.undo()
    session.check("undo brings the source back", armature().animation_data.action.name == SOURCE)
    session.check("undo keeps the ground", len(rig().feet.grounds) == 1)
    yield from session.picture("placing undone")
