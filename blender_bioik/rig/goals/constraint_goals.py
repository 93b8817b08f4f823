"""Constraints of the rig read as goals, and a list of unsupported ones.

A constraint that becomes a goal still acts while the source is sampled, so the source is where
Blender has the bones, and the goal keeps them there when other goals move the body. Afterwards the
constraint is muted. The goal's target is where the animation has it: a target that goals move
cannot be followed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import bpy
import numpy as np

from ...goal_types import GoalType, goal_type
from ...properties.goal import BioIKGoal
from ..clip.curve_only import bone_path
from ..joints.limits import Unsupported
from ..keys.keys import driven_channels
from ..keys.outputs import animated_channels
from ..transforms import Floats
from .constraint_kinds import (
    Properties,
    UnsupportedError,
    bones_below_common_parent,
    ik_chain,
    read_constraint,
)
from .constraints import posed_bones

Part = Literal["place", "turn"]

# An influence that keeps the source: full weight, but no change.
HOLD = 1e-9

# Constraints whose limits the joint model respects, or lists as unsupported.
_LIMITS = ("LIMIT_ROTATION", "LIMIT_LOCATION")
# Which parts of a bone's pose constraints determine; those not listed here may determine both.
_DECIDES: dict[str, tuple[Part, ...]] = {
    "COPY_LOCATION": ("place",),
    "LIMIT_DISTANCE": ("place",),
    "FLOOR": ("place",),
    "COPY_ROTATION": ("turn",),
    "TRACK_TO": ("turn",),
    "DAMPED_TRACK": ("turn",),
    "LOCKED_TRACK": ("turn",),
    "COPY_SCALE": (),
    "LIMIT_SCALE": (),
    "MAINTAIN_VOLUME": (),
}
_ZEROS: dict[str, Any] = {
    "StringProperty": "",
    "BoolProperty": False,
    "IntProperty": 0,
    "FloatProperty": 0.0,
    "FloatVectorProperty": (0.0, 0.0, 0.0),
    "PointerProperty": None,
}


def _goal_defaults() -> Properties:
    """Every property of an armature's goal with its default."""
    defaults: Properties = {}
    for name, deferred in BioIKGoal.__annotations__.items():
        keywords, made_by = deferred.keywords, deferred.function.__name__
        if "default" in keywords:
            defaults[name] = keywords["default"]
        elif made_by == "EnumProperty":
            defaults[name] = keywords["items"][0][0]
        else:
            defaults[name] = _ZEROS[made_by]
    return defaults


GOAL_DEFAULTS: Mapping[str, Any] = _goal_defaults()


def property_names(goal: Any) -> list[str]:
    """Names of all properties of a goal, with those that only an added type has."""
    added = (setting.name for setting in goal.kind.settings)
    return [*GOAL_DEFAULTS, *(name for name in added if name not in GOAL_DEFAULTS)]


class PlainGoal:
    """A goal outside Blender's data, with all properties of an armature's goal.

    Attributes:
        properties: Those that are not the defaults, by name.
    """

    properties: Mapping[str, Any]

    def __getattr__(self, name: str) -> Any:
        """A property of the goal."""
        if name in GOAL_DEFAULTS:
            return self.properties.get(name, GOAL_DEFAULTS[name])
        for setting in self.kind.settings if name != "properties" else ():
            if setting.name == name:
                return self.properties.get(name, setting.default)
        raise AttributeError(name)

    @property
    def kind(self) -> GoalType:
        """The declaration of its type."""
        return goal_type(self.type)

    @property
    def is_soft(self) -> bool:
        """Whether it never counts as missed."""
        return bool(self.is_preference) or self.kind.soft


@dataclass(frozen=True)
class ConstraintGoal(PlainGoal):
    """A goal read from a constraint.

    Attributes:
        owner: The bone with the constraint.
        constraint: The constraint's name.
        in_stack: Whether it is evaluated with the owner's other constraints, and not after them.
        properties: Its properties that are not the defaults.
    """

    owner: str
    constraint: str
    in_stack: bool
    properties: Mapping[str, Any]
    chain: ClassVar[str] = "LENGTH"

    def __post_init__(self) -> None:
        """Refuse properties that goals do not have."""
        unknown = set(self.properties) - set(GOAL_DEFAULTS)
        if unknown:
            raise TypeError(f"Goals have no {', '.join(sorted(unknown))}.")

    def path_from_id(self, name: str) -> str:
        """Data path of the constraint's property of the same name, as of its influence."""
        return f"{_path(self.owner, self.constraint)}.{name}"


def constraint_goals(
    armature_object: bpy.types.Object,
    bones: Collection[str] | None = None,
    moving: Iterable[str] = (),
) -> tuple[list[ConstraintGoal], list[Unsupported]]:
    """Read the constraints of an armature's bones as goals.

    Muted constraints and those without influence do not count, nor do limits of rotation and
    location. Each of the others is a goal or is listed, or both where goals are only a part of it.

    Args:
        armature_object: The armature.
        bones: Bones whose constraints are read; all if None.
        moving: Bones that goals of the armature itself move.
    """
    reader = _StackReader(armature_object)
    for bone in armature_object.pose.bones:
        if bones is None or bone.name in bones:
            reader.read(bone)
    goals, carried = _without_carried_targets(armature_object, reader.goals, set(moving))
    return goals, reader.unsupported + carried


def followed_influence(goals: Sequence[Any], influence: Sequence[Floats]) -> list[Floats]:
    """Influences (f,) of goals, from those of goals and constraints.

    Where a constraint has partial influence, the source already is where it leads, so its goal
    holds the source. Where a later constraint overrides it, it has no goal. Goals that were not
    read from constraints are unchanged.
    """
    followed = []
    for number, (goal, values) in enumerate(zip(goals, influence, strict=True)):
        result = values
        if isinstance(goal, ConstraintGoal):
            for later, later_values in zip(
                goals[number + 1 :], influence[number + 1 :], strict=True
            ):
                if _replaces(later, goal):
                    result = np.where(later_values > 0.0, 0.0, result)
            result = np.where((result > 0.0) & (result < 1.0), HOLD, result)
        followed.append(result)
    return followed


def constrained_bones(armature_object: bpy.types.Object, goals: Iterable[Any]) -> list[str]:
    """Bones that the constraints among the goals pose, which keys must do once they are muted."""
    posed: dict[str, None] = {}
    for goal in goals:
        if isinstance(goal, ConstraintGoal):
            owner = armature_object.pose.bones[goal.owner]
            posed |= dict.fromkeys(sorted(posed_bones(owner, owner.constraints[goal.constraint])))
    return list(posed)


def animated_influences(
    armature_object: bpy.types.Object, goals: Iterable[ConstraintGoal]
) -> list[Unsupported]:
    """Constraints whose influence changes over time, which a copy of their goal would not do."""
    animated = _animated_paths(armature_object)
    found = [
        Unsupported(goal.owner, goal.constraint, _influence_reason())
        for goal in goals
        if goal.path_from_id("influence") in animated
    ]
    return list(dict.fromkeys(found))


class _StackReader:
    """Reads the constraints of one bone after the other."""

    def __init__(self, armature_object: bpy.types.Object) -> None:
        self.goals: list[ConstraintGoal] = []
        self.unsupported: list[Unsupported] = []
        self._animated = _animated_paths(armature_object)
        # By bone, the part that an IK constraint determines after the bone's own constraints.
        self._in_ik: dict[str, dict[Part, str]] = {}
        for bone in armature_object.pose.bones:
            for constraint in bone.constraints:
                if constraint.type == "IK" and constraint.target and self._acts(bone, constraint):
                    self._note_ik(bone, constraint)

    def read(self, bone: bpy.types.PoseBone) -> None:
        """Read all constraints of a bone, the last one first: it is evaluated last."""
        goals: list[ConstraintGoal] = []
        unsupported: list[Unsupported] = []
        changed = dict(self._in_ik.get(bone.name, {}))
        for constraint in reversed(bone.constraints):
            if constraint.type in _LIMITS or not self._acts(bone, constraint):
                continue
            in_stack = constraint.type != "IK"
            try:
                found, reasons = self._goals(bone, constraint, changed if in_stack else {})
            except UnsupportedError as error:
                found, reasons = [], [str(error)]
                if in_stack:
                    parts = _DECIDES.get(constraint.type, ("place", "turn"))
                    changed |= dict.fromkeys(parts, _mover(constraint))
            goals = found + goals
            unsupported = [
                Unsupported(bone.name, constraint.name, r) for r in reasons
            ] + unsupported
        self.goals += goals
        self.unsupported += unsupported

    def _goals(
        self,
        bone: bpy.types.PoseBone,
        constraint: bpy.types.Constraint,
        changed: Mapping[Part, str],
    ) -> tuple[list[ConstraintGoal], list[str]]:
        self._refuse_animated(bone, constraint)
        reading = read_constraint(bone, constraint)
        goals, reasons = [], list(reading.reasons)
        for properties in reading.goals:
            kind = goal_type(properties["type"])
            by = changed.get(kind.decides) if kind.decides else None
            if by is not None:
                reasons.append(_no_effect_reason(kind.label, by))
                continue
            in_stack = constraint.type != "IK"
            label = f"{bone.name}, {constraint.name}: {kind.label}"
            named = {"name": label, "influence": constraint.influence, "chain_length": 0}
            named |= properties
            goals.append(ConstraintGoal(bone.name, constraint.name, in_stack, named))
        return goals, reasons

    def _acts(self, bone: bpy.types.PoseBone, constraint: bpy.types.Constraint) -> bool:
        """Whether a constraint does something in this frame or may do so in another one."""
        path = _path(bone.name, constraint.name)
        if constraint.mute and not self._animated & {f"{path}.mute", f"{path}.enabled"}:
            return False
        return constraint.influence > 0.0 or f"{path}.influence" in self._animated

    def _refuse_animated(self, bone: bpy.types.PoseBone, constraint: bpy.types.Constraint) -> None:
        path = _path(bone.name, constraint.name) + "."
        for animated in sorted(self._animated):
            if animated.startswith(path) and animated != f"{path}influence":
                name = animated.removeprefix(path)
                raise UnsupportedError(f'its "{name}" is animated, and only influence may be')

    def _note_ik(self, owner: bpy.types.PoseBone, constraint: bpy.types.Constraint) -> None:
        by = _mover(constraint, owner)
        chain = ik_chain(owner, constraint)
        for bone in chain:
            parts = self._in_ik.setdefault(bone.name, {})
            parts["turn"] = by
            if bone != chain[-1]:
                parts["place"] = by


def _mover(constraint: bpy.types.Constraint, owner: bpy.types.PoseBone | None = None) -> str:
    """The constraint that moves a bone, as part of a reason."""
    if owner is None:
        return f'the constraint "{constraint.name}"'
    return f'the constraint "{constraint.name}" of bone "{owner.name}"'


def _no_effect_reason(kind: str, mover: str) -> str:
    return f"its {kind} goal would have no effect because {mover} moves the bone afterwards"


def _influence_reason() -> str:
    return "its influence is animated, but its goal has the influence of this frame"


def _carried_reason(target: str) -> str:
    return f'its target "{target}" is itself moved by goals'


def _replaces(later: Any, goal: ConstraintGoal) -> bool:
    """Whether a later constraint of the same stack overrides a goal's constraint."""
    return (
        isinstance(later, ConstraintGoal)
        and later.in_stack
        and goal.in_stack
        and later.owner == goal.owner
        and later.constraint != goal.constraint
        and later.kind.replaces
        and later.kind.decides == goal.kind.decides
    )


def _without_carried_targets(
    armature_object: bpy.types.Object, goals: Sequence[ConstraintGoal], moving: set[str]
) -> tuple[list[ConstraintGoal], list[Unsupported]]:
    """Goals whose targets stay as sampled, and a list of the others.

    Moving bone and target together is no obstacle to a goal: the bone then stays where the
    animation has the target.
    """
    bones = armature_object.pose.bones
    moved = moving | {name for goal in goals for name in _chain(bones[goal.bone], goal)}
    kept, unsupported = [], []
    for goal in goals:
        carrying: set[str] = set()
        if goal.target == armature_object and goal.subtarget:
            target = bones[goal.subtarget]
            carrying = {bone.name for bone in bones_below_common_parent(target, bones[goal.bone])}
        if carrying & moved:
            reason = _carried_reason(goal.subtarget)
            unsupported.append(Unsupported(goal.owner, goal.constraint, reason))
        else:
            kept.append(goal)
    return kept, list(dict.fromkeys(unsupported))


def _chain(bone: bpy.types.PoseBone, goal: ConstraintGoal) -> list[str]:
    """Bones that a goal may move."""
    chain = [bone.name, *(parent.name for parent in bone.parent_recursive)]
    return chain[: goal.chain_length] if goal.chain_length else chain


def _animated_paths(armature_object: bpy.types.Object) -> set[str]:
    channels = animated_channels(armature_object) | driven_channels(armature_object)
    return {path for path, _ in channels}


def _path(bone: str, constraint: str) -> str:
    return f'{bone_path(bone)}.constraints["{bpy.utils.escape_identifier(constraint)}"]'
