"""The story of `make test-gui`: an animator's work with the panel, checked."""

from __future__ import annotations

from .acts import esc, german, setup
from .acts.feet import feet
from .acts.goals import goals, live, presets
from .hand import Pause
from .session import Session

# Each continues from the state left by the previous one.
ACTS = (
    setup.enable,
    setup.pick,
    setup.wait_for_solver,
    feet.place_feet,
    feet.undo_placing,
    goals.add_goal,
    live.drag_live,
    goals.cancel_bake,
    goals.bake,
    presets.save_and_load,
    german.in_german,
    esc.cancel_everywhere,
)


def story(session: Session) -> Pause:
    """All acts in their order."""
    for act in ACTS:
        yield from act(session)
