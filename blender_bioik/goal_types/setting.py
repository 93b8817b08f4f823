"""A setting of a goal that only some types have.

Blender's property, the field of preset files and the mirrored value all follow from this one
declaration.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Value = bool | int | float | str | tuple[float, float, float]
Quantity = Literal["", "LENGTH", "ANGLE", "FACTOR", "DIRECTION"]
Axes = Literal["", "BONE", "TARGET"]


@dataclass(frozen=True)
class GoalSetting:
    """One setting; the type of its default decides what it is.

    Attributes:
        name: Name of the property, as in Python: `armature.bioik.goals[0].<name>`.
        label: Name in the interface.
        description: Tooltip, without a full stop.
        default: True or False, a whole number, a number, three numbers, or one of `items`.
            Lengths are in metres, angles in radians.
        lowest: Least value, None for no limit.
        highest: Largest value, None for no limit.
        soft_lowest: Where sliders begin, None for the limit.
        soft_highest: Where sliders end, None for the limit.
        quantity: What the numbers measure. Preset files have angles in degrees. A direction is
            three numbers that are not all zero.
        items: The words to choose from, each with its label and its tooltip.
        axes: Whose axes three numbers are along: the goal's bone's, or the target's (the world's
            without a target). They are mirrored with these.
        decides_joints: Whether the goal's points on bones, or its joints, depend on it. Live
            solving reads the armature again when it changes.
        own_word: Whether Blender has the label too, with another meaning to translate.
    """

    name: str
    label: str
    description: str
    default: Value
    lowest: float | None = None
    highest: float | None = None
    soft_lowest: float | None = None
    soft_highest: float | None = None
    quantity: Quantity = ""
    items: tuple[tuple[str, str, str], ...] = ()
    axes: Axes = ""
    decides_joints: bool = False
    own_word: bool = False
