"""Apply a preset to an armature: goals on its bones, settings of foot placement and solver.

Everything is checked before anything is changed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import bpy
from bpy.app.translations import pgettext_rpt
from mathutils import Matrix, Vector

from ...goal_types import goal_type
from ...presets import Preset, PresetGoal, PresetTarget
from ...presets.fields import FEET, REST_AXES, SOLVER, Axis, Field, is_angle
from ...presets.goal_fields import goal_fields
from ...presets.slots import HAND
from ...properties.goal_names import name_goals
from ..blender.library_items import is_from_library
from ..errors import RigError
from ..goals.goal_targets import bone_rotation, new_target, target_place
from .grips import Grip, Hands, nearest_each
from .preset_slots import Slots

# How far ahead of a bone that looks its new target is, in sizes of the armature.
AHEAD = 1.5

Mode = Literal["ADD", "REPLACE"]


@dataclass(frozen=True)
class ApplyOptions:
    """Options for applying a preset.

    Attributes:
        mode: Whether goals are added to the existing ones, or replace them.
        add_targets: Whether empties are added as targets.
        selected: The object to use as target or as parent of targets, if the preset uses one.
        things: The objects whose surfaces hands go to, if it uses some; `selected` if empty.
        targets: Target objects by the targets' names, with precedence.
        frames: First and last frame of the clip, None for the scene's range.
    """

    mode: Mode = "ADD"
    add_targets: bool = True
    selected: bpy.types.Object | None = None
    things: Sequence[bpy.types.Object] = ()
    targets: Mapping[str, bpy.types.Object] = field(default_factory=dict)
    frames: tuple[int, int] | None = None


@dataclass(frozen=True)
class Applied:
    """Result of applying a preset.

    Attributes:
        goals: Goals that were added.
        kept: Goals of the preset that are already present.
        made: Names of targets that were added.
        skipped: A sentence about goals without bones in the rig, "" if there are none.
        notes: Other sentences for the user.
    """

    goals: int = 0
    kept: int = 0
    made: tuple[str, ...] = ()
    skipped: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Fitted:
    """A goal of a preset with the bones of an armature."""

    goal: PresetGoal
    bone: str
    other_bone: str


def apply_preset(
    context: bpy.types.Context,
    armature: bpy.types.Object,
    preset: Preset,
    options: ApplyOptions | None = None,
) -> Applied:
    """Apply a preset to an armature; all other settings are unchanged.

    Raises:
        RigError: No goal of the preset fits the armature, or its parts cannot be read.
    """
    options = options or ApplyOptions()
    slots, rig = Slots(armature) if preset.goals else None, armature.bioik
    context.view_layer.update()  # bones have to be where they are seen
    fitted, skipped = _fitted(slots, armature, preset) if slots else ([], "")
    if preset.goals and not fitted:
        raise RigError(f'"{preset.name}" cannot be applied: {skipped}')
    grips = _grips(context, armature, preset, options, slots) if slots else {}
    if slots and grips:  # now it is known which hand is meant
        fitted, skipped = _fitted(slots, armature, preset)
    notes = []
    if preset.needs_floor:
        notes.append(_floor_note(context, armature, options.frames))
    set_fields(rig.feet, preset.feet, FEET)
    set_fields(rig.solver, preset.solver, SOLVER)
    if slots is None:
        return Applied(notes=tuple(notes))
    adding = _Adding(context, armature, preset, options, slots, grips)
    if options.mode == "REPLACE":
        notes += adding.clear_goals()
    added = [one for one in fitted if adding.present(one) is None]
    adding.match(fitted)
    for one in fitted:
        adding.add(one)
    name_goals(armature)
    if added:
        rig.active_goal = len(rig.goals) - len(added)
    kept = len(fitted) - len(added)
    return Applied(len(added), kept, tuple(adding.made), skipped, tuple(notes))


def set_fields(owner: Any, values: Mapping[str, Any], fields: Mapping[str, Field]) -> None:
    """Give properties the values of a preset, in Blender's units."""
    for name, value in values.items():
        if value is None:
            owner.property_unset(name)
        else:
            setattr(owner, name, _in_radians(value) if is_angle(fields[name]) else value)


def bone_axes(fields: Mapping[str, Field]) -> list[str]:
    """Axes of a goal's bone, which presets may give as where the rig faces at rest."""
    return [name for name, known in fields.items() if isinstance(known, Axis) and known.at_rest]


def _in_radians(value: Any) -> Any:
    return tuple(map(math.radians, value)) if isinstance(value, tuple) else math.radians(value)


def _fitted(slots: Slots, armature: bpy.types.Object, preset: Preset) -> tuple[list[_Fitted], str]:
    """Goals that the armature has bones for, and a sentence about the others."""
    fitted: list[_Fitted] = []
    lacking: list[str] = []
    names: list[str] = []
    for number, goal in enumerate(preset.goals):
        missing = [
            place
            for slot, bone in ((goal.slot, goal.bone), (goal.other_slot, goal.other_bone))
            if (place := slot or bone) and _bone(slots, armature, slot, bone) is None
        ]
        if missing:
            lacking += missing
            names.append(str(goal.values.get("name") or f"goal {number + 1}"))
        else:
            bone = _bone(slots, armature, goal.slot, goal.bone) or ""
            other = _bone(slots, armature, goal.other_slot, goal.other_bone) or ""
            fitted.append(_Fitted(goal, bone, other))
    if not lacking:
        return fitted, ""
    parts = ", ".join(dict.fromkeys(lacking))
    return fitted, (
        f'"{armature.name}" has no {parts}, so these were skipped: {", ".join(names)}. Assign '
        "missing bones in Body Parts."
    )


def _bone(slots: Slots, armature: bpy.types.Object, slot: str, bone: str) -> str | None:
    if slot:
        return slots.bone(slot)
    return bone if bone in armature.data.bones else None


def _grips(
    context: bpy.types.Context,
    armature: bpy.types.Object,
    preset: Preset,
    options: ApplyOptions,
    slots: Slots,
) -> dict[str, Grip]:
    """Where hands go on surfaces, by the keys of the preset's targets."""
    selected = list(options.things or filter(None, [options.selected]))
    things = {
        key: [options.targets[target.name]] if target.name in options.targets else selected
        for key, target in preset.targets.items()
        if target.use == "ON_SURFACE"
    }
    if not things:
        return {}
    if not all(things.values()):
        raise RigError(
            f'"{preset.name}" needs an object for hands to go to: select it together with '
            f'"{armature.name}", then apply the preset.'
        )
    hands = Hands(context, armature, slots)
    near = hands.nearest([thing for some in things.values() for thing in some])
    if near is not None:
        slots.choose_hand(near)
    of_key = {goal.target: goal.slot for goal in preset.goals if goal.target in things}
    of_key = {key: (near or "") if slot == HAND else slot for key, slot in of_key.items()}
    found = hands.grips({slot: things[key] for key, slot in of_key.items()})
    return {key: found[slot] for key, slot in of_key.items() if slot in found}


def _floor_note(
    context: bpy.types.Context, armature: bpy.types.Object, frames: tuple[int, int] | None
) -> str:
    """Give the armature a flat floor, if it has no ground; returns a sentence about it."""
    # With feet comes scipy, which goals do without.
    from ..legs.flat_floor import add_flat_floor
    from ..legs.ground import chosen_grounds

    if chosen_grounds(armature):
        return pgettext_rpt("The existing ground is kept.")
    floor = add_flat_floor(context, armature, frames)
    return pgettext_rpt('Added "{}" as ground at the clip\'s floor.').format(floor.name)


class _Adding:
    """The goals of one preset being added to an armature."""

    def __init__(
        self,
        context: bpy.types.Context,
        armature: bpy.types.Object,
        preset: Preset,
        options: ApplyOptions,
        slots: Slots,
        grips: Mapping[str, Grip],
    ) -> None:
        self.context, self.armature, self.preset = context, armature, preset
        self.options, self.slots, self.grips = options, slots, grips
        self.rig = armature.bioik
        self.made: list[str] = []
        self._followed: dict[str, bpy.types.Object] = {}
        self._each: dict[str, bpy.types.Object] = {}
        # Targets of replaced goals: (target, subtarget, point, rotation).
        self._before: dict[tuple[str, str], tuple[Any, ...]] = {}

    def clear_goals(self) -> list[str]:
        """Remove all goals but remember their targets; returns notes about goals that are kept."""
        goals, stays = self.rig.goals, []
        for number in reversed(range(len(goals))):
            goal = goals[number]
            if goal.target is not None:
                aim = goal.target, goal.subtarget, tuple(goal.point), tuple(goal.rotation)
                self._before[goal.type, goal.bone] = aim
            if is_from_library(goal, "bioik.goals"):
                goal.enabled = False
                stays.append(goal.name)
            else:
                goals.remove(number)
        self.rig.active_goal = 0
        if not stays:
            return []
        text = pgettext_rpt("Disabled because they come from the library: {}.")
        return [text.format(", ".join(reversed(stays)))]

    def match(self, fitted: Sequence[_Fitted]) -> None:
        """Find the selected object for each target that has one of its own."""
        places: dict[str, Vector] = {}
        for one in fitted:
            key, bone = one.goal.target, self.armature.pose.bones.get(one.bone)
            if bone is not None and key and self.preset.targets[key].use == "ON_EACH":
                places.setdefault(key, self.armature.matrix_world @ bone.head)
        self._each = nearest_each(places, self.options.things)

    def present(self, fitted: _Fitted) -> Any | None:
        """The enabled goal of that kind that the armature has for that bone, if there is one."""
        return next(
            (
                goal
                for goal in self.rig.goals
                if goal.enabled and (goal.type, goal.bone) == (fitted.goal.type, fitted.bone)
                if "bone" in goal.kind.uses
            ),
            None,
        )

    def add(self, fitted: _Fitted) -> None:
        """Add a goal at the end of the list; one that is there follows what is selected now."""
        wanted, goal = fitted.goal, self.present(fitted)
        if goal is not None:
            if wanted.target and self._is_selected(wanted.target):
                self._follow(goal, wanted.target)
            return
        goal = self.rig.goals.add()
        goal.type, goal.weight = wanted.type, goal_type(wanted.type).weight
        goal.bone, goal.other_bone = fitted.bone, fitted.other_bone
        values, fields = dict(wanted.values), goal_fields()
        for name in [name for name in bone_axes(fields) if values.get(name) in REST_AXES]:
            word = values.pop(name)
            if fitted.bone:
                setattr(goal, name, self.slots.rest_axis(fitted.bone, word))
        set_fields(goal, values, fields)
        length = self.slots.chain_length(fitted.bone, wanted.chain_top) if fitted.bone else None
        if length is not None:
            goal.chain_length = length
        if wanted.target:
            self._follow(goal, wanted.target)
        elif wanted.stays:
            self._stay(goal)

    def _follow(self, goal: Any, key: str) -> None:
        """Give a goal its target: a known one, the one it had, or one at its place."""
        target = self.preset.targets[key]
        if key in self.grips:
            self._hold(goal, key)
            return
        known = self.options.targets.get(target.name) or self._followed.get(key)
        before = self._before.get((goal.type, goal.bone))
        if known is None and before is not None and key not in self._each:
            goal.target, goal.subtarget, goal.point, goal.rotation = before
            if not goal.subtarget and not any((*goal.point, *goal.rotation)):
                self._followed[key] = goal.target
            return
        if known is None:
            known = self._target(goal, target, self._each.get(key))
        if known is None:
            self._stay(goal)
        else:
            goal.target = self._followed[key] = known

    def _is_selected(self, key: str) -> bool:
        """Whether a target is an object that is selected, or on one."""
        target = self.preset.targets[key]
        is_named = target.name in self.options.targets
        has_selected = target.use == "SELECTED" and self.options.selected is not None
        return key in self.grips or key in self._each or is_named or has_selected

    def _hold(self, goal: Any, key: str) -> None:
        """Have a hand's goal follow an object, with the palm on its surface."""
        grip = self.grips[key]
        if "offset" in goal.kind.uses:
            goal.head_tail, goal.offset = 0.0, grip.offset
        if not self.options.add_targets:
            place = grip.thing.matrix_world.inverted() @ grip.place
            goal.target, goal.point, goal.rotation = grip.thing, place.translation, place.to_euler()
            return
        if key not in self._followed:
            made = new_target(self.context, self.preset.targets[key].name, grip.place)
            made.parent = grip.thing
            made.matrix_parent_inverse = grip.thing.matrix_world.inverted()
            self._followed[key] = made
        goal.target = self._followed[key]

    def _target(
        self, goal: Any, target: PresetTarget, own: bpy.types.Object | None
    ) -> bpy.types.Object | None:
        """The selected object or a new empty, according to the preset; on its own object if any."""
        selected = self.options.selected
        if target.use == "SELECTED" and selected is not None:
            return selected
        if not self.options.add_targets:
            return None
        made = new_target(self.context, target.name, self._place(goal))
        carrier = selected if target.use == "ON_SELECTED" else own
        if carrier is not None:
            made.parent = carrier
            made.matrix_parent_inverse = carrier.matrix_world.inverted()
        self.made.append(target.name)
        return made

    def _stay(self, goal: Any) -> None:
        """Keep the goal's bone where it is, in the world."""
        place = self._place(goal)
        goal.point, goal.rotation = place.translation, place.to_euler("XYZ")

    def _place(self, goal: Any) -> Matrix:
        """Where a goal is met by the present pose, in the world."""
        bone = self.armature.pose.bones.get(goal.bone)
        if bone is None:
            return Matrix(self.armature.matrix_world)
        if goal.kind.target_at == "BEND":
            return target_place(self.armature, bone, goal.kind)
        world, along = self.armature.matrix_world @ bone.matrix, Vector((0.0, bone.length, 0.0))
        point = world @ (Vector(goal.offset) + goal.head_tail * along)
        rotation = bone_rotation(self.armature, bone)
        if goal.kind.target_at == "AHEAD":
            point += self._ahead() * (rotation.to_3x3() @ Vector(goal.axis)).normalized()
        return Matrix.Translation(point) @ rotation

    def _ahead(self) -> float:
        """How far away a new target to look at is, metres."""
        return AHEAD * max((*self.armature.dimensions, 1e-3))
