"""Which bones the goals of an armature may move."""

from __future__ import annotations

from collections.abc import Sequence

import bpy
from mathutils import Vector

from ..blender.scene_state import selected_bones
from ..clip.curve_only import bone_path
from ..clip.skeleton import Skeleton
from ..errors import RigError
from ..keys.keys import driven_channels
from .reach import Reach, is_by_part


def moving_bones(
    armature_object: bpy.types.Object,
    skeleton: Skeleton,
    goals: Sequence[bpy.types.PropertyGroup],
    *,
    all_bones: bool = False,
    more: Sequence[str] = (),
    reach: Reach | None = None,
) -> tuple[list[str], list[str]]:
    """Bones that the goals may move, and notes about those that they may not.

    Args:
        armature_object: The armature, whose settings say whether only selected bones move.
        skeleton: Its bones.
        goals: Its enabled goals.
        all_bones: Whether all bones may move where no goal names a bone.
        more: Additional bones that move, selected or not.
        reach: See `goal_chains`.

    Raises:
        RigError: No bone may move.
    """
    wanted = goal_chains(skeleton, goals, reach)
    if not wanted and all_bones:
        wanted = list(skeleton.names)
    if wanted and armature_object.bioik.solver.scope == "SELECTED":
        chosen = selected_bones(armature_object)
        wanted = [bone for bone in wanted if bone in chosen]
        if not wanted and not more:
            raise RigError(
                "None of the bones in the goals' chains is selected: select some in Pose Mode, or "
                "set Bones to Move to Goal Chains in Solver."
            )
    wanted = list(dict.fromkeys([*more, *wanted]))
    driven = {path for path, _ in driven_channels(armature_object)}
    notes, moving = [], []
    for bone in wanted:
        if any(path.startswith(f"{bone_path(bone)}.rotation") for path in driven):
            notes.append(f"{bone} does not move: its rotation is driven.")
        else:
            moving.append(bone)
    if not moving:
        raise RigError(
            f'No bone of "{armature_object.name}" can move: add a goal for a bone without drivers.'
        )
    return moving, notes


def refuse_moved_targets(
    armature_object: bpy.types.Object,
    skeleton: Skeleton,
    goals: Sequence[bpy.types.PropertyGroup],
    moving: Sequence[str],
) -> None:
    """Refuse goals that follow a moving bone of the armature itself, or its children.

    Targets are read from the animation, so such a goal would be met at its target's old place.

    Raises:
        RigError: Names the goal and the bone.
    """
    for goal in goals:
        bone = followed_bone(armature_object, goal)
        if bone in skeleton.index and not set(moving).isdisjoint(chain(skeleton, bone)):
            raise RigError(
                f'The goal "{goal.name or goal.kind.label}" follows the bone "{bone}", which this '
                "bake moves: shorten the chains that move it, or bake the goal afterwards."
            )


def goal_chains(
    skeleton: Skeleton, goals: Sequence[bpy.types.PropertyGroup], reach: Reach | None = None
) -> list[str]:
    """Bones of the chains of all goals; a goal about the whole body has all of them.

    Args:
        skeleton: The armature's bones.
        goals: The goals.
        reach: The chains of goals that say nothing about them; None if these go up to the root.
    """
    bones: dict[str, None] = {}
    for goal in goals:
        for name in ("bone", "other_bone"):
            bone = getattr(goal, name) if name in goal.kind.uses else ""
            if bone:
                bones |= dict.fromkeys(goal_chain(skeleton, goal, bone, reach))
    if any(goal.kind.all_bones for goal in goals):
        bones |= dict.fromkeys(skeleton.names)
    return list(bones)


def goal_chain(
    skeleton: Skeleton, goal: bpy.types.PropertyGroup, bone: str, reach: Reach | None
) -> list[str]:
    """The bones that move for a goal on one of its bones; see `goal_chains`."""
    if reach is None or not is_by_part(goal):
        return chain(skeleton, bone, goal.chain_length)
    return [bone] if goal.kind.channels else reach.limb(bone)


def chain(skeleton: Skeleton, bone: str, length: int = 0) -> list[str]:
    """A bone and those above it, as many as a chain is long; 0 for all."""
    members: list[str] = []
    b = skeleton.index[bone]
    while b >= 0 and (length == 0 or len(members) < length):
        members.append(skeleton.names[b])
        b = int(skeleton.parent[b])
    return members


def hinge_axes(
    skeleton: Skeleton, goals: Sequence[bpy.types.PropertyGroup]
) -> dict[str, tuple[tuple[float, float, float], ...]]:
    """Axes of bones that turn about one only: those that a goal with a hinge has to itself."""
    axes: dict[str, tuple[tuple[float, float, float], ...]] = {}
    for goal in goals:
        if goal.kind.hinge and goal.chain_length == 1:
            others = [other for other in goals if other is not goal]
            if goal.bone not in goal_chains(skeleton, others):
                x, y, z = Vector(getattr(goal, goal.kind.hinge)).normalized()
                axes[goal.bone] = ((x, y, z),)
    return axes


def topmost(skeleton: Skeleton, bones: Sequence[str]) -> list[str]:
    """Those of the bones that have none of the others above them."""
    among = set(bones)
    return [bone for bone in bones if not among & set(chain(skeleton, bone)[1:])]


def carried(skeleton: Skeleton, moving: Sequence[str], bones: Sequence[str]) -> list[str]:
    """Those of some bones that move with the moving ones, these included."""
    among = set(moving)
    return [bone for bone in bones if among & set(chain(skeleton, bone))]


def followed_bone(armature_object: bpy.types.Object, goal: bpy.types.PropertyGroup) -> str:
    """The armature's own bone that a goal's target is or depends on; empty if none."""
    target = goal.target if "target" in goal.kind.uses else None
    bone = goal.subtarget
    while target is not None and target != armature_object:
        bone = target.parent_bone if target.parent_type == "BONE" else ""
        target = target.parent
    return str(bone) if target is not None else ""
