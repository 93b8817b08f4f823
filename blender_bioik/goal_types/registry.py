"""The types of goals there are: those of the extension, and those that other add-ons add."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from .goal_type import COMMON, SHARED, GoalType

if TYPE_CHECKING:
    from ..solver import Track
    from .views import GoalBones, GoalInClip

UNKNOWN = "UNKNOWN_"
# Called after a type was added or removed.
LISTENERS: list[Callable[[], None]] = []

_types: dict[str, GoalType] = {}
_NAME = re.compile(r"[A-Z][A-Z0-9_]{0,62}")


def add_goal_type(kind: GoalType) -> None:
    """Add a type of goal, before or after the extension is enabled.

    Raises:
        ValueError: It cannot be added; says why.
    """
    problem = _objection(kind)
    if problem:
        raise ValueError(f"Goal type {kind.identifier!r} {problem}")
    _types[kind.identifier] = kind
    _tell()


def remove_goal_type(identifier: str) -> None:
    """Remove a type of goal; goals of it are kept, but cannot be solved without it.

    Raises:
        KeyError: There is none of that name.
    """
    del _types[identifier]
    _tell()


def goal_types() -> tuple[GoalType, ...]:
    """All types, in the order of menus."""
    return tuple(sorted(_types.values(), key=lambda kind: kind.stored_number))


def goal_type(identifier: str) -> GoalType:
    """The type of that name; where its add-on is missing, one that cannot be solved."""
    return _types.get(identifier) or _unknown(identifier)


def stand_in(number: int) -> GoalType:
    """The placeholder for a type of that number while its add-on is missing."""
    return _unknown(f"{UNKNOWN}{number}", number)


def _unknown(identifier: str, number: int | None = None) -> GoalType:
    return GoalType(
        identifier=identifier,
        label="Unknown Type",
        description="The add-on that provides this type of goal is not enabled",
        icon="QUESTION",
        track=_no_track,
        number=number,
        problem=_unknown_problem,
        known=False,
    )


def _unknown_problem(bones: GoalBones) -> str:
    return (
        f'The goal "{bones.label}" is of an unknown type: enable the add-on that provides the '
        "type, or disable or remove the goal."
    )


def _no_track(clip: GoalInClip) -> Track:
    raise ValueError(_unknown_problem(clip))


def _objection(kind: GoalType) -> str:
    """Why a type cannot be added, "" if it can."""
    if not _NAME.fullmatch(kind.identifier) or kind.identifier.startswith(UNKNOWN):
        return "needs an identifier of capital letters, digits and underscores"
    if kind.identifier in _types:
        return "is already registered: remove it first"
    for other in _types.values():
        if other.stored_number == kind.stored_number:
            return f"has the same number as {other.identifier}: choose another one"
    if not (kind.label and kind.description and kind.icon):
        return "needs a label, a description and an icon"
    strange = [name for name in kind.properties if isinstance(name, str) and name not in SHARED]
    if strange:
        return f"uses {strange[0]!r}, which goals do not have: declare it as a GoalSetting"
    known = {setting.name: setting for other in _types.values() for setting in other.settings}
    for setting in kind.settings:
        if not setting.name.isidentifier() or setting.name in (*SHARED, *COMMON):
            return f"cannot have a setting named {setting.name!r}: choose another name"
        if known.setdefault(setting.name, setting) != setting:
            return f"declares {setting.name!r} differently from another type: choose another name"
    return ""


def _tell() -> None:
    for listener in LISTENERS:
        listener()
