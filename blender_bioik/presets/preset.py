"""A preset in memory, and as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

FORMAT = "blender_bioik preset"
# Raised when older versions of the extension would misunderstand newer files.
VERSION = 1

KINDS = ("GOALS", "FEET", "SOLVER")
"""Kind of a preset: goal setup, foot placement, or solver."""

USES = ("NEW", "SELECTED", "ON_SELECTED", "ON_EACH", "ON_SURFACE")
"""Kind of a target: a new empty, the selected object, a new empty parented to it or, if as many are
selected as there are such targets, to the nearest one, or a new empty on its surface for a palm."""


@dataclass(frozen=True)
class PresetTarget:
    """A target of goals.

    Attributes:
        name: Name of a new empty.
        use: One of `USES`. Without a selected object a new empty; only a surface is required.
    """

    name: str
    use: str = "NEW"


@dataclass(frozen=True)
class PresetGoal:
    """A goal to be applied to a rig.

    Attributes:
        type: The kind of goal.
        slot: Its body part, "" if there is none or if `bone` is set.
        bone: Name of a bone that is not a body part.
        other_slot: The other body part, for goals with two.
        other_bone: Name of another bone that is not a body part.
        chain_top: Body parts up to which bones may move; the first one that the rig has counts.
        target: Key of its target in the preset, "" if none.
        stays: Whether it keeps its bone in place in world space, instead of following a target.
        values: Properties of the goal by name, as in the file.
    """

    type: str
    slot: str = ""
    bone: str = ""
    other_slot: str = ""
    other_bone: str = ""
    chain_top: tuple[str, ...] = ()
    target: str = ""
    stays: bool = False
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Preset:
    """A named set of settings.

    Attributes:
        name: Name in menus.
        kind: One of `KINDS`.
        description: Tooltip.
        goals: Goals to add, of a goal setup.
        targets: Their targets, by key.
        feet: Settings of foot placement by name.
        needs_floor: Whether a flat floor is added if there is no ground.
        solver: Settings of the solver by name.
    """

    name: str
    kind: str
    description: str = ""
    goals: tuple[PresetGoal, ...] = ()
    targets: Mapping[str, PresetTarget] = field(default_factory=dict)
    feet: Mapping[str, Any] = field(default_factory=dict)
    needs_floor: bool = False
    solver: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> str:
        """The text of its file."""
        content: dict[str, Any] = {
            "format": FORMAT,
            "version": VERSION,
            "kind": self.kind,
            "name": self.name,
            "description": self.description,
        }
        if self.kind == "GOALS":
            content["targets"] = {
                key: {"name": target.name, "use": target.use}
                for key, target in self.targets.items()
            }
            content["goals"] = [_goal_json(goal) for goal in self.goals]
        if self.kind == "FEET":
            content["feet"] = dict(self.feet)
            if self.needs_floor:
                content["needs_floor"] = True
        if self.kind == "SOLVER" or self.solver:
            content["solver"] = dict(self.solver)
        return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _goal_json(goal: PresetGoal) -> dict[str, Any]:
    places = {
        "slot": goal.slot,
        "bone": goal.bone,
        "other_slot": goal.other_slot,
        "other_bone": goal.other_bone,
        "chain_top": list(goal.chain_top),
        "target": goal.target,
        "stays": goal.stays,
    }
    return {
        "type": goal.type,
        **{name: value for name, value in places.items() if value},
        **goal.values,
    }
