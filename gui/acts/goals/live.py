"""Drag a target while the pose follows it live."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
from mathutils import Vector

from ...hand import Pause, Place
from ...session import Session
from ...view import middle_of, place_of
from ..feet.character import animation, armature, pose, rig
from .goals import BONE

# How far the target is dragged in the window, pixels.
DRAG = (-30, 60)


def drag_live(session: Session) -> Pause:
    """Enable Live, grab the target, and check that the hand follows."""
    hand = session.hand
    source, start = animation(), _target().location.copy()
    yield from hand.move(middle_of("VIEW_3D"))
    yield from hand.key("TAB", ctrl=True)
    yield 0.5
    yield from hand.click(_target_place())
    session.check("a click picks the target", _target().select_get())
    yield from session.press(r"bioik\.toggle_live")
    yield from hand.move(_target_place())
    yield from hand.key("G")
    yield from hand.glide(hand.place.moved(*DRAG))
    yield 0.3
    session.check("the target is dragged", _moved(start) > 0.1)
    session.check("the hand follows while it is dragged", _distance() < 2e-3)
    yield from session.picture("dragging live")
    yield from hand.click(hand.place)
    session.check("the hand has followed", _distance() < 2e-3)
    session.check("no key has changed", animation().keys == source.keys)
    yield from session.undo()
    session.check("undo puts the target back", _moved(start) < 1e-3)
    session.check("undo puts the hand back", _distance() < 2e-3)
    yield from session.redo()
    session.check("redo puts target and hand there again", _moved(start) > 0.1 > 50 * _distance())
    yield from session.undo()
    session.check("a second undo puts both back", _moved(start) < 1e-3 and _distance() < 2e-3)
    yield from session.press(r"bioik\.toggle_live")
    session.check("off restores the pose", _change(source.pose, pose()) < 1e-5)
    session.check("nothing has changed", animation().keys == source.keys)
    yield from session.picture("live is off")


def _target() -> bpy.types.Object:
    return rig().goals[0].target


def _target_place() -> Place:
    """The end of its vertical arrow, next to the hand."""
    return place_of(_target().matrix_world @ Vector((0.0, 0.0, _target().empty_display_size)))


def _moved(start: Vector) -> float:
    return float((_target().location - start).length)


def _change(before: tuple[Any, ...], after: tuple[Any, ...]) -> float:
    """The largest difference between two poses."""
    return float(np.abs(np.array(before) - np.array(after)).max())


def _distance() -> float:
    head = armature().matrix_world @ armature().pose.bones[BONE].head
    return float((_target().matrix_world.translation - head).length)
