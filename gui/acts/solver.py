"""Change settings of the solver, and reset them."""

from __future__ import annotations

from ..hand import Pause
from ..session import Session
from .feet.character import rig

TYPED = 3.0


def reset_settings(session: Session) -> Pause:
    """Type one, switch another, press the button, and undo that."""
    before = _settings()
    yield from session.type_into(r"bioik\.solver\.smoothness$", f"{TYPED:g}")
    session.check("a setting is typed", rig().solver.smoothness == TYPED)
    yield from session.press(r"bioik\.solver\.move_root$")
    changed = _settings()
    session.check("two settings have changed", sum(map(_differs, before, changed)) == 2)
    yield from session.picture("settings of the solver")
    yield from session.press(r"bioik\.reset_solver")
    session.check("all settings are reset", _settings() == before)
    yield from session.picture("settings are reset")
    yield from session.undo()
    session.check("undo brings the settings back", _settings() == changed)
    yield from session.press(r"bioik\.reset_solver")


def _settings() -> list[object]:
    solver = rig().solver
    return [getattr(solver, setting.identifier) for setting in solver.bl_rna.properties]


def _differs(one: object, other: object) -> bool:
    return one != other
