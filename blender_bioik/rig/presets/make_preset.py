"""Make a preset from an armature's settings, with body parts in place of its bones."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import bpy
from mathutils import Vector

from ...presets import (
    Preset,
    PresetError,
    PresetGoal,
    PresetTarget,
    preset_from_text,
)
from ...presets.fields import FEET, SOLVER, Field, Number, is_angle
from ...presets.goal_fields import goal_fields
from ..errors import RigError
from .apply_preset import bone_axes
from .preset_slots import Slots, chain_above

# Settings of the solver that determine the moving bones; a goal setup depends on them.
WHAT_MOVES = ("move_root", "use_limits")
ALWAYS = ("name", "enabled", "weight", "influence", "is_preference", "use_frame_range")
FRAMES = ("frame_start", "frame_end", "blend_in", "blend_out")
# Properties of a target's placement, which does not apply to another rig.
AT_TARGET = ("point", "rotation")
# Blender's numbers have no more digits than this.
DIGITS = 7


def make_preset(armature: bpy.types.Object, kind: str, name: str) -> Preset:
    """A preset of an armature's goals, its settings for feet, or those for the solver.

    Raises:
        RigError: There is nothing to keep, or something of it cannot be kept.
    """
    rig = armature.bioik
    if kind == "GOALS":
        goals, targets = _goals(armature)
        solver = _fields(rig.solver, WHAT_MOVES, SOLVER)
        preset = Preset(name, kind, goals=goals, targets=targets, solver=solver)
    elif kind == "FEET":
        preset = Preset(name, kind, feet=_fields(rig.feet, FEET, FEET))
    else:
        preset = Preset(name, kind, solver=_fields(rig.solver, SOLVER, SOLVER))
    try:
        return preset_from_text(preset.to_json())  # a saved preset must be readable
    except (PresetError, ValueError) as error:
        raise RigError(f'"{name}" cannot be saved: {error}.') from error


def _goals(
    armature: bpy.types.Object,
) -> tuple[tuple[PresetGoal, ...], dict[str, PresetTarget]]:
    goals = armature.bioik.goals
    if not goals:
        raise RigError(f'"{armature.name}" has no goals to save: add one first.')
    slots = Slots(armature)
    followed = list(dict.fromkeys(goal.target for goal in goals if _target(goal) is not None))
    keys = {target: str(number + 1) for number, target in enumerate(followed)}
    use = "SELECTED" if len(followed) == 1 else "NEW"
    targets = {keys[target]: PresetTarget(target.name, use) for target in followed}
    return tuple(_goal(armature, slots, goal, keys) for goal in goals), targets


def _target(goal: Any) -> bpy.types.Object | None:
    """The target of a goal, if its type uses one and no other bone replaces it."""
    uses_bone = "other_bone" in goal.kind.uses and goal.other_bone
    return goal.target if "target" in goal.kind.uses and not uses_bone else None


def _goal(
    armature: bpy.types.Object, slots: Slots, goal: Any, keys: Mapping[bpy.types.Object, str]
) -> PresetGoal:
    uses, target, fields = goal.kind.uses, _target(goal), goal_fields()
    names = [*ALWAYS, "tolerance_angle" if goal.kind.angle else "tolerance"]
    names += [name for name in uses if name in fields]
    names += FRAMES if goal.use_frame_range else ()
    if target is not None:
        names = [name for name in names if name not in AT_TARGET]
    bone = goal.bone if "bone" in uses and goal.bone in armature.data.bones else ""
    top = _chain_top(armature, slots, bone, goal.chain_length)
    if goal.chain == "LENGTH" and not top:
        names.append("chain_length")
    values = _fields(goal, names, fields)
    for name in [name for name in bone_axes(fields) if bone and name in values]:
        values[name] = slots.rest_word(bone, Vector(getattr(goal, name))) or values[name]
    return PresetGoal(
        goal.type,
        *_place(slots, bone),
        *_place(slots, goal.other_bone if "other_bone" in uses else ""),
        chain_top=top,
        target=keys[target] if target is not None else "",
        values=values,
    )


def _place(slots: Slots, bone: str) -> tuple[str, str]:
    """The part of the body that a bone is or, if it is none, its name."""
    slot = slots.slot(bone)
    return (slot, "") if slot else ("", bone)


def _chain_top(armature: bpy.types.Object, slots: Slots, bone: str, length: int) -> tuple[str, ...]:
    """The part of the body up to which a goal's bones move, if that is one."""
    above = chain_above(armature, bone) if bone else []
    slot = slots.top_slot(above[length - 1]) if 0 < length <= len(above) else None
    return (slot,) if slot else ()


def _fields(owner: Any, names: Iterable[str], fields: Mapping[str, Field]) -> dict[str, Any]:
    """Values of properties as they are in files."""
    return {name: _value(owner, name, fields[name]) for name in names}


def _value(owner: Any, name: str, known: Field) -> Any:
    if isinstance(known, Number) and known.by_size and not owner.is_property_set(name):
        return None
    value = getattr(owner, name)
    if isinstance(value, float):
        return _rounded(value, known)
    if isinstance(value, bool | int | str):
        return value
    return [_rounded(number, known) for number in value]


def _rounded(number: float, known: Field) -> float:
    return float(f"{math.degrees(number) if is_angle(known) else number:.{DIGITS}g}")
