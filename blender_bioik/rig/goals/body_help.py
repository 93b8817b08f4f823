"""The bones of the body that help limbs: those that nothing but keyframes poses.

A goal whose bones are not chosen moves the limb of its bone. Where that does not reach, shoulder,
spine and pelvis help, and the legs keep feet in place.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any

import bpy
import numpy as np

from ..clip.curve_only import bone_path
from ..clip.skeleton import Skeleton
from ..errors import RigError
from ..joints.limits import BoneLimits, read_limits
from ..joints.moving_bones import chain, followed_bone
from ..joints.reach import NO_HELP, Help, Reach, is_by_part
from ..keys.keys import driven_channels
from ..mapping.chosen import rig_mapping
from .constraints import acting_constraints

# How much dearer it is to move the body than a limb, as the stiffness of joints: a body that may
# be moved by its shoulder or spine keeps its hips.
SPINE, HIPS = 0.7, 0.9
# How far a body bends, for targets out of all reach: a back in all, each other bone above a limb,
# and hips, radians about each axis; and how far hips move, as a share of the length of the legs.
MOST_BACK, MOST_BONE, MOST_HIPS, MOST_WAY = 1.4, 0.5, 1.0, 0.35


def read_reach(
    armature_object: bpy.types.Object, skeleton: Skeleton, goals: Iterable[Any]
) -> Reach | None:
    """The chains of goals that say nothing about them; None if these go up to the root.

    They do where the user chose what moves: the root, or selected bones.
    """
    solver = armature_object.bioik.solver
    if solver.move_root or solver.scope == "SELECTED":
        return None
    if not any(is_by_part(goal) for goal in goals):
        return None
    try:
        return Reach(skeleton, rig_mapping(armature_object))
    except RigError:  # a body part that was chosen does not exist, which goals can do without
        return None


def read_help(
    armature_object: bpy.types.Object,
    skeleton: Skeleton,
    goals: Sequence[Any],
    moving: Collection[str],
    reach: Reach | None,
    posed: Collection[str],
) -> Help:
    """What of the body helps the goals.

    Args:
        armature_object: The armature.
        skeleton: Its bones.
        goals: Its enabled goals.
        moving: Bones that move anyway.
        reach: The chains of goals that say nothing about them.
        posed: Bones that controls pose.
    """
    if reach is None:
        return NO_HELP
    helped = [
        getattr(goal, name)
        for goal in goals
        for name in ("bone", "other_bone")
        if is_by_part(goal) and name in goal.kind.uses and not goal.kind.channels
    ]
    fixed = _fixed(armature_object, skeleton, goals) | set(posed)
    help_ = reach.help([bone for bone in helped if bone], moving, fixed)
    limits = read_limits(
        armature_object, help_.moving, armature_object.bioik.solver.use_limits
    ).bones
    stiff = {bone: _stiffened(limits[bone], bone in help_.sliding) for bone in help_.bones}
    return replace(help_, limits=limits | _bounded(armature_object, skeleton, help_, stiff, reach))


def _fixed(armature_object: bpy.types.Object, skeleton: Skeleton, goals: Sequence[Any]) -> set[str]:
    """Bones that constraints or drivers pose, or that carry targets of goals."""
    driven = {path.rpartition(".")[0] for path, _ in driven_channels(armature_object)}
    fixed = {bone for bone in skeleton.names if bone_path(bone) in driven}
    fixed |= acting_constraints(armature_object, skeleton.names, use_limits=False).bones
    for goal in goals:
        bone = followed_bone(armature_object, goal)
        if bone in skeleton.index:
            fixed |= set(chain(skeleton, bone))
    return fixed


def _bounded(
    armature_object: bpy.types.Object,
    skeleton: Skeleton,
    help_: Help,
    limits: dict[str, BoneLimits],
    reach: Reach,
) -> dict[str, BoneLimits]:
    """Limits of the body with how far it bends and moves, for a body with known legs."""
    if not help_.feet:
        return limits
    back = [bone for bone in help_.bones if reach.is_back(bone)]
    places = skeleton.rest[:, :3, 3]
    names = [skeleton.index[bone] for bone in help_.legs]
    inner = [b for b in names if skeleton.names[int(skeleton.parent[b])] in help_.legs]
    legs = sum(float(np.linalg.norm(places[b] - places[skeleton.parent[b]])) for b in inner)
    size = float(armature_object.matrix_world.median_scale) * legs / len(help_.feet)
    return {
        bone: replace(own, turn_most=MOST_HIPS, slide_most=MOST_WAY * size)
        if bone in help_.sliding
        else replace(own, turn_most=MOST_BACK / len(back) if bone in back else MOST_BONE)
        for bone, own in limits.items()
    }


def _stiffened(limits: BoneLimits, hips: bool) -> BoneLimits:
    """The limits of a bone of the body, which its own stiffness still makes stiffer."""
    soft = 1.0 - (HIPS if hips else SPINE)
    turns = tuple(1.0 - soft * (1.0 - own) for own in limits.stiffness)
    return replace(limits, stiffness=turns, slide_stiffness=HIPS if hips else 0.0)
