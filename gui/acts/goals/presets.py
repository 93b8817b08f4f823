"""Save the goals as a preset, and load it again."""

from __future__ import annotations

from collections.abc import Generator

import bpy

from ...crop import Box
from ...hand import Pause, Place
from ...session import Session
from ...view import find_button
from ..feet.character import rig
from .goals import BONE

NAME = "Left hand"
# From the button that removes goals to that of their presets in the panel's header, pixels.
TO_PRESETS = (-19, 50)


def save_and_load(session: Session) -> Pause:
    """Save the goals under a name, remove them, and load them again."""
    hand = session.hand
    popover = yield from _open(session)
    yield from session.picture("presets")
    yield from hand.click(_name_field(popover))
    yield from hand.key("A", ctrl=True)
    yield from hand.type(NAME)
    yield from hand.key("RET")
    yield 0.3
    session.check("a name is typed", bpy.context.window_manager.preset_name == NAME)
    yield from hand.click(_save_button(popover))
    yield from session.picture("a preset is saved")
    yield from session.hand.key("ESC")
    yield from session.press(r"bioik\.remove_goal")
    session.check("the goal is removed", not len(rig().goals))
    popover = yield from _open(session)
    yield from session.picture("with the saved preset")
    yield from hand.click(_own_preset(popover))
    yield 0.5
    yield from session.picture("a preset is loaded")
    goals = [(goal.type, goal.bone) for goal in rig().goals]
    session.check("the preset brings the goal back", goals == [("POSITION", BONE)])


def _open(session: Session) -> Generator[float, None, Box]:
    place = yield from find_button(session.hand, r"bioik\.remove_goal")
    box = yield from session.open_menu(place.moved(*TO_PRESETS))
    return box


def _name_field(popover: Box) -> Place:
    """In the row above the lowest one."""
    return Place(popover.left + 40, popover.below + 48)


def _save_button(popover: Box) -> Place:
    return Place(popover.right - 20, popover.below + 48)


def _own_preset(popover: Box) -> Place:
    """The last of the list, above a separator."""
    return Place(popover.left + 40, popover.below + 86)
