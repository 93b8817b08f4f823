"""Settings of presets: names and allowed values.

Angles are in degrees, lengths in metres, times in seconds. The names are those of Blender's
properties in `properties/`; nothing else in a file is ever used as a name.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from .errors import PresetError

# Limit of numbers without a specific one.
MOST = 1e6
MOST_WHOLE = 10**9
LONGEST_TEXT = 255


@dataclass(frozen=True)
class Flag:
    """True or false."""

    def checked(self, value: Any, where: str) -> bool:
        """The value, if it is one."""
        if not isinstance(value, bool):
            raise PresetError(f"{where} must be true or false, not {shown(value)}")
        return value


@dataclass(frozen=True)
class Whole:
    """A whole number."""

    lowest: int = -MOST_WHOLE
    highest: int = MOST_WHOLE

    def checked(self, value: Any, where: str) -> int:
        """The value, if it is one within the limits."""
        if isinstance(value, bool) or not isinstance(value, int):
            raise PresetError(f"{where} must be a whole number, not {shown(value)}")
        if not self.lowest <= value <= self.highest:
            raise PresetError(f"{where} must be from {self.lowest} to {self.highest}")
        return value


@dataclass(frozen=True)
class Number:
    """A number.

    Attributes:
        lowest: The least it may be.
        highest: The most it may be.
        angle: Whether it is an angle, degrees in the file and radians in Blender.
        by_size: Whether it can be left to the size of the character, which null in the file means.
    """

    lowest: float = -MOST
    highest: float = MOST
    angle: bool = False
    by_size: bool = False

    def checked(self, value: Any, where: str) -> float | None:
        """The value, if it is one within the limits."""
        if value is None and self.by_size:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise PresetError(f"{where} must be a number, not {shown(value)}")
        # Comparing with NaN is false too; whole numbers may be too large for a float.
        if not self.lowest <= value <= self.highest:
            raise PresetError(f"{where} must be from {self.lowest:g} to {self.highest:g}")
        return float(value)


@dataclass(frozen=True)
class Vector:
    """Three numbers; `angle` as for one number."""

    angle: bool = False

    def checked(self, value: Any, where: str) -> tuple[float, ...]:
        """The value, if it is one."""
        if not isinstance(value, list) or len(value) != 3:
            raise PresetError(f"{where} must be a list of three numbers")
        numbers = [Number().checked(number, f"{where}[{i}]") for i, number in enumerate(value)]
        return tuple(number or 0.0 for number in numbers)


@dataclass(frozen=True)
class Axis(Vector):
    """Three numbers that have a direction.

    Attributes:
        at_rest: Whether it may be "FORWARD" or "UP" instead: where the rig faces at rest, or
            away from the ground it stands on.
    """

    at_rest: bool = False

    def checked(self, value: Any, where: str) -> Any:
        """The value, if it is one."""
        if self.at_rest and value in REST_AXES:
            return value
        axis = super().checked(value, where)
        if math.hypot(*axis) < 1e-6:
            raise PresetError(f"{where} must not be a zero vector")
        return axis


@dataclass(frozen=True)
class Choice:
    """One of some words."""

    words: tuple[str, ...]

    def checked(self, value: Any, where: str) -> str:
        """The value, if it is one."""
        if not isinstance(value, str) or value not in self.words:
            raise PresetError(f"{where} must be one of {', '.join(self.words)}, not {shown(value)}")
        return value


@dataclass(frozen=True)
class Text:
    """A line of text that Blender can keep."""

    longest: int = LONGEST_TEXT

    def checked(self, value: Any, where: str) -> str:
        """The value, if it is one."""
        if not isinstance(value, str):
            raise PresetError(f"{where} must be text, not {shown(value)}")
        # Lone halves of surrogate pairs, control characters and line ends are not printable.
        if len(value.encode("utf-8", "replace")) > self.longest or not value.isprintable():
            raise PresetError(f"{where} must be one line of at most {self.longest} characters")
        return value


class Field(Protocol):
    """Something that knows good values from bad ones."""

    def checked(self, value: Any, where: str) -> Any:
        """The value, if it is valid.

        Raises:
            PresetError: It is not; gives place and reason, without a full stop.
        """


def is_angle(known: Field) -> bool:
    """Whether a field is in degrees in files and in radians in Blender."""
    return bool(getattr(known, "angle", False))


FORWARD, UP = REST_AXES = ("FORWARD", "UP")
FACTOR = Number(0.0, 1.0)
LENGTH = Number(0.0, MOST)

FEET: Mapping[str, Field] = {
    "floor": Choice(("FOUND", "HEIGHT")),
    "floor_height": Number(),
    "levels": Choice(("AUTO", "MATCH", "PUT", "KEEP")),
    "body_contacts": Flag(),
    "planting": Choice(("AUTO", "LOCKED", "FOLLOW")),
    "slope": FACTOR,
    "step_up": Number(0.0, MOST, by_size=True),
    "ease": LENGTH,
    "smooth": LENGTH,
    "swing": FACTOR,
    "pelvis_sideways": Number(0.001, MOST, by_size=True),
    "pelvis_tilt": Number(0.0, 45.0, angle=True),
    "lean": FACTOR,
    "spine_share": Flag(),
    "hands": Choice(("BODY", "WORLD")),
    "loop": Choice(("AUTO", "ON", "OFF")),
    "plot": Flag(),
    "markers": Flag(),
}

SOLVER: Mapping[str, Field] = {
    "scope": Choice(("CHAINS", "SELECTED")),
    "move_root": Flag(),
    "use_limits": Flag(),
    "read_constraints": Flag(),
    "strategy": Choice(("MEMETIC", "LOCAL", "EVOLUTION")),
    "population": Whole(2, 10_000),
    "elites": Whole(1, 10_000),
    "evaluations": Whole(1, MOST_WHOLE),
    "seed": Whole(0, MOST_WHOLE),
    "displacement": LENGTH,
    "smoothness": LENGTH,
}


def checked_fields(values: Any, known: Mapping[str, Field], where: str) -> dict[str, Any]:
    """An object of the file whose names are all known and whose values are all good."""
    if not isinstance(values, dict):
        raise PresetError(f"{where} must be an object of names and values, not {shown(values)}")
    for name in values:
        if name not in known:
            raise PresetError(f"{where} has the unknown setting {shown(name)}")
    return {name: known[name].checked(value, f"{where}.{name}") for name, value in values.items()}


def shown(value: Any) -> str:
    """A value of the file for an error: short, and safe to print."""
    if isinstance(value, dict | list):
        return "a list" if isinstance(value, list) else "an object"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int) and abs(value) > MOST_WHOLE:
        return "a huge number"  # to write it out may take forever
    text = ascii(value)
    return text if len(text) <= 40 else f"{text[:36]}..."
