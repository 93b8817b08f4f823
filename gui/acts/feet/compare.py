"""Show the source instead of the result and back, keep the result for good, or remove it."""

from __future__ import annotations

import importlib
from typing import Any

from ...hand import Pause
from ...session import Session
from ..setup import MODULE
from .character import SOURCE, animation, armature, foot_height


def compare(session: Session) -> Pause:
    """Press the buttons below Place Feet; the result is there again at the end."""
    high, placed = foot_height(), animation()
    yield from session.press(r"bioik\.compare")
    session.check("the source is shown", armature().animation_data.action.name == SOURCE)
    session.check("its feet are lower on a hill", foot_height() < high - 0.05)
    session.check("the result is kept", _state().hidden == placed.action)
    yield from session.picture("the source of a result")
    yield from session.press(r"bioik\.compare")
    yield 0.5
    session.check("the result is shown again", animation() == placed)
    yield from session.press(r"bioik\.use_result_as_source")
    state = _state()
    session.check("the result is a source", (state.source, state.result) == (placed.action, ""))
    yield from session.picture("a result as the source")
    yield from session.undo()
    session.check("undo makes it a result again", _state().result == placed.action)
    yield from session.press(r"bioik\.remove_result")
    session.check("the source plays without the result", _state().source == SOURCE)
    session.check("the result is gone", not (_state().result or _state().hidden))
    yield from session.picture("a result is removed")
    yield from session.undo()
    session.check("undo brings the result back", animation().keys == placed.keys)


def _state() -> Any:
    """What the sidebar says about source and result."""
    return importlib.import_module(f"{MODULE}.ui_state.result_state").result_state(armature())
