"""Settings of goals in presets: those shared by all goals, and those declared by goal types."""

from __future__ import annotations

import math
from collections.abc import Mapping

from ..goal_types import GoalSetting, goal_types
from .fields import (
    FACTOR,
    LENGTH,
    MOST,
    MOST_WHOLE,
    Axis,
    Choice,
    Field,
    Flag,
    Number,
    Text,
    Vector,
    Whole,
)

_SHARED: Mapping[str, Field] = {
    "name": Text(),
    "enabled": Flag(),
    "head_tail": FACTOR,
    "offset": Vector(),
    "axis": Axis(at_rest=True),
    "point": Vector(),
    "rotation": Vector(angle=True),
    "direction": Axis(),
    "use_target_rotation": Flag(),
    "weight": LENGTH,
    "influence": FACTOR,
    "tolerance": Number(1e-7, MOST),
    "tolerance_angle": Number(1e-4, 180.0, angle=True),
    "is_preference": Flag(),
    "chain_length": Whole(0, 10_000),
    "use_frame_range": Flag(),
    "frame_start": Whole(-1_048_574, 1_048_574),
    "frame_end": Whole(-1_048_574, 1_048_574),
    "blend_in": Whole(0, 1_048_574),
    "blend_out": Whole(0, 1_048_574),
}


def goal_fields() -> dict[str, Field]:
    """Names that a goal of a preset may have, and the values of each, for the types there are."""
    kinds = goal_types()
    own = {setting.name: _field(setting) for kind in kinds for setting in kind.settings}
    return {"type": Choice(tuple(kind.identifier for kind in kinds)), **_SHARED, **own}


def _field(setting: GoalSetting) -> Field:
    """The field of a setting, with its limits in the unit of files."""
    is_angle = setting.quantity == "ANGLE"
    lowest, highest = setting.lowest, setting.highest
    if isinstance(setting.default, bool):
        return Flag()
    if isinstance(setting.default, str):
        return Choice(tuple(word for word, *_ in setting.items))
    if isinstance(setting.default, int):
        return Whole(
            -MOST_WHOLE if lowest is None else int(lowest),
            MOST_WHOLE if highest is None else int(highest),
        )
    if isinstance(setting.default, tuple):
        if setting.quantity == "DIRECTION":
            return Axis(at_rest=setting.axes == "BONE")
        return Vector(angle=is_angle)
    if is_angle:
        lowest, highest = (n if n is None else math.degrees(n) for n in (lowest, highest))
    return Number(
        -MOST if lowest is None else lowest,
        MOST if highest is None else highest,
        angle=is_angle,
    )
