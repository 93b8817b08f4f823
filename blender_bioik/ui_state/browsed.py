"""The solutions being browsed, if any."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.app.translations import pgettext_iface as iface_

if TYPE_CHECKING:
    from ..rig.live.solutions import Solutions


class Browsed:
    """The solutions being browsed, if any.

    Shared by the panel, its buttons and the running operator.
    same.
    """

    solutions: Solutions | None = None


def browsed_solutions() -> Solutions | None:
    """The solutions being browsed, None if there are none."""
    return Browsed.solutions


def solution_text(solutions: Solutions) -> str:
    """The solution that is shown, and its largest error."""
    shown = solutions.shown or 0
    text = iface_("Solution {} of {}").format(shown + 1, len(solutions.poses))
    missed = solutions.poses[shown].missed
    if not missed:
        return f"{text}: {iface_('all goals reached')}"
    name, error = max(missed, key=lambda one: one[1].value)
    unit = iface_("degrees") if error.unit == "degrees" else error.unit
    return f"{text}: {name} {error.value:.3g} {unit}"
