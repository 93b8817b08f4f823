"""Whether anything animates an armature or an object, cheap enough for every redraw."""

from __future__ import annotations

import bpy

from ..blender.fcurves import LAYERED_ACTIONS, assigned_container, assigned_slot
from ..blender.scene_state import TRANSFORM_PROPERTIES
from ..errors import RigError
from .clip_range import moves_otherwise


def animation_problem(scene: bpy.types.Scene, armature_object: bpy.types.Object) -> str:
    """Why nothing animates an armature, and the way out; empty if something does."""
    problem = _action_problem(armature_object)
    # Asked last, because it looks at every bone.
    return "" if problem and moves_otherwise(scene, armature_object) else problem


def _action_problem(armature_object: bpy.types.Object) -> str:
    """Why the action of an armature animates nothing; empty if it animates something."""
    data, name = armature_object.animation_data, armature_object.name
    action = data.action if data is not None else None
    if action is None:
        return f'"{name}" has no animation: assign an action to it first.'
    if _is_without_slot(armature_object):
        return (
            f'The action "{action.name}" is assigned to "{name}" without a slot, so nothing is '
            "animated: choose a slot in the Action Editor."
        )
    container = assigned_container(armature_object)
    if container is None or not len(container.fcurves):
        return (
            f'The action "{action.name}" has no keyframes for "{name}": assign another action, or '
            "another slot of it."
        )
    if not any(_moves(armature_object, curve) for curve in container.fcurves):
        return (
            f'The action "{action.name}" has no keyframes for bones of "{name}": it was made for '
            "another armature. Assign another action, or another slot of it."
        )
    return ""


def refuse_no_animation(scene: bpy.types.Scene, armature_object: bpy.types.Object) -> None:
    """Refuse an armature that nothing animates.

    Raises:
        RigError: Says why, and the way out.
    """
    if problem := animation_problem(scene, armature_object):
        raise RigError(problem)


def goals_animation_problem(scene: bpy.types.Scene, armature_object: bpy.types.Object) -> str:
    """Why neither an armature nor its goals are animated, and the way out; empty if they are.

    A pose without keyframes may follow goals whose targets move, or whose influence has keyframes.
    """
    problem = animation_problem(scene, armature_object)
    if not problem or _is_without_slot(armature_object):
        return problem
    container = assigned_container(armature_object)
    influences = container.fcurves if container is not None else ()
    if any(curve.data_path.startswith("bioik.goals[") for curve in influences):
        return ""
    targets = (goal.target for goal in armature_object.bioik.goals if goal.enabled)
    moved = any(_is_moved(scene, target) for target in targets if target is not None)
    return "" if moved else problem


def _is_without_slot(armature_object: bpy.types.Object) -> bool:
    data = armature_object.animation_data
    if not LAYERED_ACTIONS or data is None or data.action is None:
        return False
    return assigned_slot(armature_object) is None


def _is_moved(scene: bpy.types.Scene, object_: bpy.types.Object) -> bool:
    """Whether anything may move an object: keyframes, drivers, constraints, parents, physics."""
    data = object_.animation_data
    return (data is not None and data.action is not None) or moves_otherwise(scene, object_)


def _moves(armature_object: bpy.types.Object, curve: bpy.types.FCurve) -> bool:
    """Whether a curve animates a bone that the armature has, or the object."""
    path = curve.data_path
    if not path.startswith('pose.bones["'):
        return path in TRANSFORM_PROPERTIES
    end = path.find('"]')
    while end > 0 and path[end - 1] == "\\":
        end = path.find('"]', end + 1)
    name = bpy.utils.unescape_identifier(path[len('pose.bones["') : end])
    return name in armature_object.pose.bones
