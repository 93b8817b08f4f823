"""How far each goal was missed the last time it was solved, for lists and the overlay to show.

Kept in memory, not in the .blend file: writing a property while Blender evaluates the scene would
have it evaluated again, and a live solve writes at every move of a target.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import bpy
from bpy.app.handlers import persistent

if TYPE_CHECKING:
    from .report import GoalReport


@dataclass(frozen=True)
class GoalError:
    """Error of a goal after the last solve.

    Attributes:
        value: The error in `unit`: of the frame a live solve is about, the worst of a bake.
        unit: "mm" or "degrees".
        reached: Whether it is within the goal's tolerance; always for preferences.
    """

    value: float
    unit: str
    reached: bool


_errors: dict[int, dict[str, GoalError]] = {}


def keep_errors(armature: bpy.types.Object, errors: Iterable[tuple[str, GoalError]]) -> None:
    """Remember errors by the names of an armature's goals; those of other goals are forgotten."""
    _errors[armature.session_uid] = dict(errors)


def keep_worst(armature: bpy.types.Object, reports: Iterable[GoalReport]) -> None:
    """Store the errors of a bake's goals at their worst frames, if they act in any."""
    keep_errors(
        armature,
        (
            (goal.name, GoalError(goal.worst, goal.unit, goal.preference or _is_reached(goal)))
            for goal in reports
            if goal.frames
        ),
    )


def error_of(armature: bpy.types.Object, goal: str) -> GoalError | None:
    """The error of a goal, None if it has not been solved since the file was opened."""
    return _errors.get(armature.session_uid, {}).get(goal)


def forget_errors(armature: bpy.types.Object | None = None) -> None:
    """Forget those of an armature, or all: in another file the same number is another object."""
    if armature is None:
        _errors.clear()
    else:
        _errors.pop(armature.session_uid, None)


def register() -> None:
    """Have all of them forgotten when another file is opened."""
    bpy.app.handlers.load_post.append(_another_file)


def unregister() -> None:
    """Leave that."""
    bpy.app.handlers.load_post.remove(_another_file)
    forget_errors()


@persistent
def _another_file(*_: Any) -> None:
    forget_errors()


def _is_reached(goal: GoalReport) -> bool:
    return goal.reached == goal.frames
