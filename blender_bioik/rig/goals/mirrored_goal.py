"""A goal for the other side of the body: bones, targets and settings mirrored.

The body is mirrored at the plane X = 0 of its armature. Settings in a bone's own axes are mirrored
by the rest poses of the two bones, whatever their rolls; those of targets by where they are now.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import bpy
from mathutils import Euler, Matrix, Vector

from ...goal_types import goal_types
from ...properties.goal_names import goal_label
from ..errors import RigError
from ..mapping.chosen import rig_mapping
from .goal_order import copy_goal, copy_properties
from .goal_targets import new_target

MIRROR = Matrix.Diagonal((-1.0, 1.0, 1.0, 1.0))
AXES = "XYZ"


class Mirrored(NamedTuple):
    """A goal of the other side.

    Attributes:
        number: Its place in the list.
        is_new: Whether it was not there before.
        target: The object that was made for it to follow, if one was.
    """

    number: int
    is_new: bool
    target: bpy.types.Object | None


def mirror_goal(
    context: bpy.types.Context, armature_object: bpy.types.Object, number: int
) -> Mirrored:
    """Add a goal's counterpart on the other side, or update an existing one.

    The counterpart has the same name and type, but another bone. If it follows an object already,
    it keeps following that.

    Raises:
        RigError: The goal has no other side.
    """
    goals = armature_object.bioik.goals
    source = goals[number]
    bone = _opposite_bone(armature_object, source)
    name = _opposite_name(source, bone)
    place = next(
        (i for i, g in enumerate(goals) if (g.name, g.type, g.bone) == (name, source.type, bone)),
        None,
    )
    if place is None:
        goal = copy_goal(armature_object, number, but=("name",))
        goal.bone, goal.name = bone, name
        followed, place, is_new = None, number + 1, True
    else:
        goal, is_new = goals[place], False
        followed = (goal.target, goal.subtarget) if goal.target else None
        copy_properties(goals[number], goal, but=("name", "bone"))
    source = goals[number]
    if source.other_bone:
        other = source.other_bone
        goal.other_bone = opposite_bone(armature_object, other) or other
    made = _follow(context, armature_object, source, goal, followed)
    _mirror_settings(armature_object, source, goal)
    return Mirrored(place, is_new, made)


def opposite_bone(armature_object: bpy.types.Object, bone: str) -> str | None:
    """The bone on the other side, by its name or else by the parts of the body; None if none is."""
    bones = armature_object.data.bones
    flipped = bpy.utils.flip_name(bone)
    if flipped != bone and flipped in bones:
        return flipped
    try:
        mapping = rig_mapping(armature_object)
    except RigError:
        return None
    for slot, filled in mapping.slots.items():
        if filled == bone and (other := mapping.slots.get(bpy.utils.flip_name(slot))) != bone:
            return other
    legs = {leg.name: leg.bones for leg in mapping.legs}
    for name, chain in legs.items():
        opposite = legs.get(bpy.utils.flip_name(name), ())
        if bone in chain and len(chain) == len(opposite) and opposite != chain:
            return opposite[chain.index(bone)]
    return None


def _opposite_bone(armature_object: bpy.types.Object, goal: Any) -> str:
    label = goal_label(goal)
    if "bone" not in goal.kind.uses:
        raise RigError(
            f'The goal "{label}" affects the whole body: choose a goal of an arm or a leg.'
        )
    if goal.bone not in armature_object.data.bones:
        raise RigError(f'The goal "{label}" has no bone to mirror: choose one first.')
    other = opposite_bone(armature_object, goal.bone)
    if other is None:
        raise RigError(
            f'The bone "{goal.bone}" of the goal "{label}" has no opposite side: choose a goal of '
            "an arm or a leg."
        )
    return other


def _opposite_name(goal: Any, bone: str) -> str:
    label = goal_label(goal)
    renamed = label.replace(goal.bone, bone)
    return renamed if renamed != label else bpy.utils.flip_name(label)


def _follow(
    context: bpy.types.Context,
    armature_object: bpy.types.Object,
    source: Any,
    goal: Any,
    followed: tuple[bpy.types.Object, str] | None,
) -> bpy.types.Object | None:
    """Set the target of the other side on the goal; returns it if it is new."""
    target = source.target
    if "target" not in goal.kind.uses or target is None:
        return None
    if followed is not None:
        goal.target, goal.subtarget = followed
        return None
    if target.type == "ARMATURE" and source.subtarget in target.data.bones:
        goal.subtarget = opposite_bone(target, source.subtarget) or source.subtarget
        return None
    flipped = bpy.utils.flip_name(target.name)
    there = context.scene.objects.get(flipped)
    if there is not None and there != target:
        goal.target = there
        return None
    place = _world_mirror(armature_object) @ target.matrix_world @ MIRROR
    made = new_target(context, flipped if flipped != target.name else goal.name, place)
    if target.type == "EMPTY":
        made.empty_display_type = target.empty_display_type
        made.empty_display_size = target.empty_display_size
    goal.target = made
    return made


def _mirror_settings(armature_object: bpy.types.Object, source: Any, goal: Any) -> None:
    """Mirror the settings along the axes of bones and targets."""
    bones = armature_object.data.bones
    own = _between(bones[source.bone], bones[goal.bone]).to_3x3()
    aim = _between_targets(armature_object, source, goal)
    goal.offset, goal.axis = own @ source.offset, own @ source.axis
    goal.point, goal.direction = aim @ source.point, aim.to_3x3() @ source.direction
    turned = aim.to_3x3() @ Euler(source.rotation, "XYZ").to_matrix() @ own.inverted()
    goal.rotation = turned.to_euler("XYZ")
    # Those of other types too: the goal's type may be changed later.
    settings = {setting.name: setting for kind in goal_types() for setting in kind.settings}
    for name, setting in settings.items():
        if setting.axes:
            across = own if setting.axes == "BONE" else aim.to_3x3()
            setattr(goal, name, across @ Vector(getattr(source, name)))
    if goal.kind.mirror is not None:
        goal.kind.mirror(_OtherSide(source, goal, armature_object))


class _OtherSide(NamedTuple):
    """See `goal_types.views.MirroredGoal`."""

    source: Any
    goal: Any
    armature: bpy.types.Object

    def channel(self, bone: str, axis: str) -> tuple[str, float]:
        """The rotation channel that turns the other side alike, and its sign."""
        bones = self.armature.data.bones
        one, other = (bones.get(getattr(goal, bone)) for goal in (self.source, self.goal))
        if one is None or other is None:
            return axis, 1.0
        return _mirrored_channel(_between(one, other).to_3x3(), axis)


def _mirrored_channel(between: Matrix, axis: str) -> tuple[str, float]:
    """The rotation channel that turns the other bone alike, and its sign."""
    turn = -between.col[AXES.index(axis)]  # axes of rotations are not mirrored as arrows are
    number = max(range(3), key=lambda k: abs(turn[k]))
    return AXES[number], 1.0 if turn[number] > 0.0 else -1.0


def _between(bone: bpy.types.Bone, other: bpy.types.Bone) -> Matrix:
    """From the axes of a bone to those of another one, mirrored, both at rest."""
    return other.matrix_local.inverted() @ MIRROR @ bone.matrix_local


def _between_targets(armature_object: bpy.types.Object, source: Any, goal: Any) -> Matrix:
    """From the space of a goal's target to that of the other side's, mirrored."""
    world = _world_mirror(armature_object)
    if source.target is None:
        return world
    if "use_target_rotation" in source.kind.uses and not source.use_target_rotation:
        return world.to_3x3().to_4x4()
    if source.subtarget and goal.target == source.target:
        bones = source.target.data.bones
        return _between(bones[source.subtarget], bones[goal.subtarget])
    return MIRROR


def _world_mirror(armature_object: bpy.types.Object) -> Matrix:
    world = armature_object.matrix_world
    return world @ MIRROR @ world.inverted()
