"""Delete the keys that a bake has written."""

from __future__ import annotations

from ..hand import Pause
from ..session import Session
from .feet.character import animation, armature, curves


def delete_generated(session: Session) -> Pause:
    """Press the button in the action that feet were placed in, and undo it."""
    placed = animation()
    session.check("there are generated keys", _generated() > 1000)
    yield from session.press(r"bioik\.delete_generated_keys")
    session.check("no generated key is left", _generated() == 0)
    session.check("the source plays again", animation().action != placed.action)
    yield from session.picture("generated keys deleted")
    yield from session.undo()
    session.check("undo brings them back", animation().keys == placed.keys)


def _generated() -> int:
    return sum(
        key.type == "GENERATED"
        for curve in curves(armature().animation_data.action)
        for key in curve.keyframe_points
    )
