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
"""What a preset is for: a set-up of goals, foot placement, or the solver."""

USES = ("NEW", "SELECTED", "ON_SELECTED")
"""What a target is: a new empty, the selected object, or a new empty that hangs on that."""


@dataclass(frozen=True)
class PresetTarget:
    """Something that goals follow.

    Attributes:
        name: What a new empty is called.
        use: One of `USES`; without a selected object all of them are a new empty.
    """

    name: str
    use: str = "NEW"


@dataclass(frozen=True)
class PresetGoal:
    """A goal that waits for a rig.

    Attributes:
        type: The kind of goal.
        slot: The part of the body it is about, "" if none or if `bone` says it.
        bone: Name of a bone that is no part of a body.
        other_slot: The other part of the body, for goals about two.
        other_bone: Name of another bone that is no part of a body.
        chain_top: Parts of the body up to which bones may move; the first one the rig has counts.
        target: Key of its target in the preset, "" if none.
        stays: Whether it keeps its bone at its present place in the world, instead of a target.
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
    """Settings with a name.

    Attributes:
        name: What the user reads.
        kind: One of `KINDS`.
        description: A sentence about what it is for.
        goals: Goals to add, of a set-up of goals.
        targets: What they follow, by key.
        feet: Settings of foot placement by name.
        needs_floor: Whether a flat floor is made where no ground is chosen.
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
