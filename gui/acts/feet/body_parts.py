"""Assign the bone of a body part with its edit button, and revert to the detected one."""

from __future__ import annotations

import importlib

import bpy

from ...hand import Pause
from ...session import Session
from ..setup import MODULE
from .character import armature, rig

PART, TAKEN = "thigh.L", "shin.L"


def override_part(session: Session) -> Pause:
    """Press the pen, type a bone that another part has, and clear the choice."""
    bpy.context.view_layer.objects.active = armature()
    yield 0.3
    session.check("all parts are detected", _problem() == "")
    yield from session.press(rf'bioik\.choose_part\(slot="{PART}"\)')
    session.check("the pen begins with the bone detected", _chosen() == [(PART, PART)])
    yield from session.picture("a body part is chosen")
    yield from session.type_into(r"bioik\.slots\[.*\]\.bone$", TAKEN)
    session.check("another bone is typed", _chosen() == [(PART, TAKEN)])
    session.check("a bone for two parts is told", TAKEN in _problem())
    yield from session.picture("a bone for two body parts")
    yield from session.undo()
    session.check("undo takes back what was typed alone", _chosen() == [(PART, PART)])
    yield from session.press(r"bioik\.clear_part\(")
    session.check("the choice is cleared", not _chosen() and _problem() == "")
    yield from session.press(rf'bioik\.choose_part\(slot="{PART}"\)')
    yield from session.undo()
    session.check("undo takes the pen's choice back", not _chosen())
    yield from session.press(r'bioik\.choose_part\(slot="spine"\)')
    session.check("the spine has several bones", len(_chosen()) > 1)
    yield from session.picture("a part of several bones")
    yield from session.press(r"bioik\.clear_parts")
    session.check("everything is detected again", not _chosen() and _problem() == "")


def _chosen() -> list[tuple[str, str]]:
    return [(slot.name, slot.bone) for slot in rig().slots]


def _problem() -> str:
    """The panel's message instead of the rig type, if the assignment is invalid."""
    shown = importlib.import_module(f"{MODULE}.ui_state.shown_mapping")
    errors = importlib.import_module(f"{MODULE}.rig.errors")
    try:
        shown.shown_summary(armature())
    except errors.RigError as error:
        return str(error)
    return ""
