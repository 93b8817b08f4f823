"""Read a preset: from a file that may be broken, newer or hostile to one that is safe to use.

Nothing in a file is executed or used as a path. All names are compared with lists of our own, all
values have a type and limits, and files that are larger or deeper than a preset can be are not
even parsed.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from .errors import NewerPresetError, PresetError
from .fields import FEET, SOLVER, Choice, Field, Flag, Text, checked_fields, shown
from .goal_fields import goal_fields
from .preset import FORMAT, KINDS, USES, VERSION, Preset, PresetGoal, PresetTarget

LARGEST_FILE = 256 * 1024
DEEPEST = 8
MOST_GOALS = 200
MOST_TARGETS = 200
MOST_CHAIN_TOPS = 8
# Blender's own limit for names of presets; names of bones are as long.
LONGEST_NAME = 63
LONGEST_DESCRIPTION = 500

_BONE = Text(LONGEST_NAME)
# A text without an end goes up to that of the file: looking for the end from every quote in it
# would take minutes.
_STRINGS = re.compile(r'"(?:[^"\\]|\\.)*(?:"|\\?\Z)', re.DOTALL)
_PATH_CHARACTERS = set('/\\:*?"<>|')
_COMMON = {"format", "version", "kind", "name", "description"}
_SECTIONS = {
    "GOALS": {"targets", "goals", "solver"},
    "FEET": {"feet", "needs_floor"},
    "SOLVER": {"solver"},
}


def preset_from_file(path: Path) -> Preset:
    """The preset in a file.

    Raises:
        PresetError: The file cannot be read or used; gives its name and the reason.
    """
    named = printable(path)
    try:
        if not path.is_file():
            raise PresetError(f'There is no preset file "{named}": choose another one.')
        with path.open("rb") as opened:
            data = opened.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        if isinstance(error, PresetError):
            raise
        reason = getattr(error, "strerror", None) or str(error)
        raise PresetError(
            f'The preset file "{named}" cannot be read ({reason}): check its permissions.'
        ) from error
    try:
        if len(data) > LARGEST_FILE:
            raise PresetError(f"it is larger than {LARGEST_FILE // 1024} kB")
        return preset_from_text(_decoded(data))
    except NewerPresetError as error:
        raise PresetError(f'The preset file "{named}" cannot be used: {error}.') from error
    except PresetError as error:
        raise PresetError(
            f'The preset file "{named}" cannot be used: {error}. Fix the file, or choose another '
            "one."
        ) from error


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise PresetError("it is not text") from error


def printable(path: Path) -> str:
    """A path as it can be shown: the bytes of a file's name may be no text."""
    return str(path).encode("utf-8", "replace").decode("utf-8")


def preset_from_text(text: str) -> Preset:
    """The preset that a JSON text describes.

    Raises:
        PresetError: It is invalid; gives place and reason, without a full stop.
    """
    content = _parsed(text)
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise PresetError("it is not a Bio-IK preset")
    _check_version(content.get("version"))
    kind = Choice(KINDS).checked(content.get("kind"), "kind")
    for name in content:
        if name not in _COMMON | _SECTIONS[kind]:
            raise PresetError(
                f"it contains {shown(name)}, which is not valid in presets for {kind}"
            )
    targets = _targets(content.get("targets", {}))
    goals = _goals(content.get("goals"), targets) if kind == "GOALS" else ()
    if kind != "GOALS" and not isinstance(content.get(kind.lower()), dict):
        raise PresetError(f'it has no "{kind.lower()}" settings')
    return Preset(
        name=checked_name(content.get("name")),
        kind=kind,
        description=Text(LONGEST_DESCRIPTION).checked(
            content.get("description", ""), "description"
        ),
        goals=goals,
        targets=targets,
        feet=checked_fields(content.get("feet", {}), FEET, "feet"),
        needs_floor=Flag().checked(content.get("needs_floor", False), "needs_floor"),
        solver=checked_solver(content.get("solver", {})),
    )


def checked_name(name: Any) -> str:
    """The name of a preset, if it is valid.

    Raises:
        PresetError: It is invalid; gives the reason, without a full stop.
    """
    name = Text(LONGEST_NAME).checked(name, "name")
    if not name or name != name.strip() or name[0] == "." or name[-1] == ".":
        raise PresetError("the name must not be empty, or start or end with a space or a period")
    if _PATH_CHARACTERS & set(name):
        raise PresetError('the name must not contain any of the characters / \\ : * ? " < > |')
    return name


def checked_solver(values: Any) -> dict[str, Any]:
    """Settings of the solver, checked.

    Raises:
        PresetError: It is invalid; gives the reason, without a full stop.
    """
    solver = checked_fields(values, SOLVER, "solver")
    if solver.get("elites", 0) >= solver.get("population", float("inf")):
        raise PresetError("solver.elites must be less than solver.population")
    return solver


def _check_version(version: Any) -> None:
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise PresetError(f"its version {shown(version)} is not a valid preset version")
    if version > VERSION:
        raise NewerPresetError(
            f"it was made by a newer Bio-IK (its version is {shown(version)}, this one reads up "
            f"to {VERSION}): update the extension"
        )


def _parsed(text: str) -> Any:
    """The JSON, where it is no deeper than a preset, names nothing twice and has only numbers."""
    depth = 0
    for character in _STRINGS.sub("", text):
        depth += (character in "[{") - (character in "]}")
        if depth > DEEPEST:
            raise PresetError("it is nested too deeply for a preset")
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise PresetError(f"line {error.lineno} is not valid JSON") from error
    except RecursionError as error:
        raise PresetError("it is nested too deeply for a preset") from error
    except ValueError as error:
        if isinstance(error, PresetError):
            raise
        raise PresetError("it contains a number that is too long") from error


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise PresetError("it contains a duplicate name")
    return found


def _no_constant(word: str) -> Any:
    raise PresetError(f"it contains {word} where a number is required")


def _targets(values: Any) -> dict[str, PresetTarget]:
    if not isinstance(values, dict) or len(values) > MOST_TARGETS:
        raise PresetError(f"targets must be an object with at most {MOST_TARGETS} entries")
    found = {}
    for key, value in values.items():
        Text(LONGEST_NAME).checked(key, "the key of a target")
        where = f"targets.{key}"
        fields = checked_fields(value, {"name": Text(), "use": Choice(USES)}, where)
        if not key or not fields.get("name"):
            raise PresetError(f"{where} has no name")
        found[key] = PresetTarget(**fields)
    return found


def _goals(values: Any, targets: dict[str, PresetTarget]) -> tuple[PresetGoal, ...]:
    if not isinstance(values, list) or not 1 <= len(values) <= MOST_GOALS:
        raise PresetError(f"goals must be a list of 1 to {MOST_GOALS} goals")
    return tuple(_goal(value, f"goals[{i}]", targets) for i, value in enumerate(values))


def _goal(content: Any, where: str, targets: dict[str, PresetTarget]) -> PresetGoal:
    from .slots import SlotName

    places: dict[str, Field] = {
        "slot": SlotName(),
        "bone": _BONE,
        "other_slot": SlotName(),
        "other_bone": _BONE,
        "target": Text(LONGEST_NAME),
        "stays": Flag(),
    }
    if not isinstance(content, dict) or "type" not in content:
        raise PresetError(f"{where} must be an object with a type")
    rest = dict(content)
    tops = rest.pop("chain_top", [])
    if not isinstance(tops, list) or len(tops) > MOST_CHAIN_TOPS:
        raise PresetError(f"{where}.chain_top must be a list of at most {MOST_CHAIN_TOPS} slots")
    known = goal_fields()
    known["type"].checked(rest["type"], f"{where}.type")  # settings depend on it
    values = checked_fields(rest, {**known, **places}, where)
    own = {name: values.pop(name) for name in places if name in values}
    for one, other in (("slot", "bone"), ("other_slot", "other_bone"), ("target", "stays")):
        if own.get(one) and own.get(other):
            raise PresetError(f"{where} has both a {one} and a {other}")
    if own.get("target") and own["target"] not in targets:
        raise PresetError(
            f"{where}.target is {shown(own['target'])}, which is not listed in targets"
        )
    return PresetGoal(
        type=values.pop("type"),
        chain_top=tuple(SlotName().checked(top, f"{where}.chain_top") for top in tops),
        values=values,
        **own,
    )
