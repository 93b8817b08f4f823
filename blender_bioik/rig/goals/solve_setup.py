"""The setup to solve for an armature: its goals, the bones that may move, and their limits.

Bakes and live solving start from it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ..blender.scene_state import selected_bones
from ..clip.sampling import Clip
from ..clip.skeleton import Skeleton
from ..errors import RigError
from ..joints.limits import BoneLimits, RigLimits, read_limits
from ..joints.moving_bones import (
    carried,
    goal_chains,
    moving_bones,
    refuse_moved_targets,
    topmost,
)
from ..joints.reach import NO_HELP, Help, Reach
from ..transforms import Floats
from .body_help import read_help, read_reach
from .constraint_goals import constrained_bones, constraint_goals
from .constraints import Released, acting_constraints, limited_bones
from .tracks import PlannedGoal, check_goals, enabled_goals

# Upper bound of valid values, in metres or as a factor.
VAST = 1e12


@dataclass(frozen=True, eq=False)
class SolveSetup:
    """The frame-independent setup to solve.

    Attributes:
        goals: The enabled goals, with those read from constraints.
        moving: Bones that may move.
        limits: Their limits.
        released: Constraints that also pose these bones.
        limited: Moving bones that an active limit keeps away from their channels.
        sliding: Moving bones that may change their location.
        notes: Notes about skipped items.
        reach: The chains of goals that say nothing about them; None if these go up to the root.
        help: What of the body helps limbs that do not reach.
        above: Limits of the bones above the moving ones.
    """

    goals: tuple[Any, ...]
    moving: tuple[str, ...]
    limits: RigLimits
    released: Released
    limited: frozenset[str]
    sliding: tuple[str, ...]
    notes: tuple[str, ...]
    reach: Reach | None = None
    help: Help = NO_HELP
    above: Mapping[str, BoneLimits] = field(default_factory=dict)

    @property
    def may_move(self) -> tuple[str, ...]:
        """Bones that move, and those that help them."""
        return tuple(dict.fromkeys((*self.moving, *self.help.moving)))

    def helped(self) -> SolveSetup:
        """The setup in which the body helps."""
        limits = self.limits._replace(bones=self.limits.bones | self.help.limits)
        sliding = (*self.sliding, *self.help.sliding)
        return replace(self, moving=self.may_move, limits=limits, sliding=sliding)


def read_setup(
    armature_object: bpy.types.Object,
    skeleton: Skeleton,
    *,
    needs_goal: bool = True,
    all_bones: bool = False,
    more: Sequence[str] = (),
    posed: Collection[str] = (),
) -> SolveSetup:
    """Read the setup. Changes and evaluates nothing.

    Args:
        armature_object: The armature.
        skeleton: Its bones.
        needs_goal: Whether a goal is required.
        all_bones: Whether all bones may move where no goal names a bone.
        more: Additional bones that move.
        posed: Those that controls pose: their locks do not matter, and their constraints stay.

    Raises:
        RigError: It cannot be solved; gives the reason and what to do.
    """
    refuse_rest_position(armature_object)
    rig = armature_object.bioik
    goals = enabled_goals(rig.goals)
    check_goals(skeleton, goals)
    unread: list[str] = []
    if rig.solver.read_constraints:
        goals, unread = _with_constraints(armature_object, skeleton, goals, posed)
    if not goals and needs_goal:
        raise RigError(f'"{armature_object.name}" has no enabled goal: add or enable one first.')
    reach = read_reach(armature_object, skeleton, goals)
    moving, notes = moving_bones(
        armature_object, skeleton, goals, all_bones=all_bones, more=more, reach=reach
    )
    refuse_moved_targets(armature_object, skeleton, enabled_goals(rig.goals), moving)
    limits = read_limits(armature_object, moving, rig.solver.use_limits, posed)
    above = [bone for bone in goal_chains(skeleton, goals) if bone not in limits.bones]
    notes += unread
    notes += [missing.note for missing in limits.unsupported]
    keyed_alone = [*moving, *carried(skeleton, moving, goal_chains(skeleton, goals, reach))]
    keyed_alone += constrained_bones(armature_object, goals)
    limited = limited_bones(armature_object, moving) if rig.solver.use_limits else set()
    return SolveSetup(
        tuple(goals),
        tuple(moving),
        limits,
        acting_constraints(
            armature_object,
            [bone for bone in keyed_alone if bone not in posed],
            rig.solver.use_limits,
        ),
        frozenset(limited),
        tuple(topmost(skeleton, moving)) if rig.solver.move_root else (),
        tuple(notes),
        reach,
        read_help(armature_object, skeleton, goals, moving, reach, posed),
        read_limits(armature_object, above, rig.solver.use_limits, posed).bones,
    )


def refuse_rest_position(armature_object: bpy.types.Object) -> None:
    """Refuse an armature that does not show its poses.

    Raises:
        RigError: Names the armature.
    """
    if armature_object.data.pose_position == "REST":
        raise RigError(
            f'"{armature_object.name}" is in Rest Position: switch it to Pose Position first.'
        )


def refuse_numbers_that_are_none(
    skeleton: Skeleton, clip: Clip, planned: Sequence[PlannedGoal]
) -> None:
    """Refuse poses and targets that are not finite.

    Raises:
        RigError: Names the goal or the bone, and the frame.
    """
    for goal in planned:
        broken = ~_are_numbers(goal.target).all(axis=(1, 2))
        if broken.any():
            raise RigError(
                f'The target of the goal "{goal.label}" has invalid values (NaN/inf) at frame '
                f"{clip.frames[np.argmax(broken)]:g}: fix the animation."
            )
    broken = ~_are_numbers(clip.world).all(axis=(1, 2))
    if broken.any():
        raise RigError(
            "The armature object has invalid values (NaN/inf) at frame "
            f"{clip.frames[np.argmax(broken)]:g}: fix the animation."
        )
    broken = ~_are_numbers(clip.world[:, None] @ clip.pose).all(axis=(2, 3))
    if broken.any():
        frame, bone = np.unravel_index(np.argmax(broken), broken.shape)
        raise RigError(
            f'The bone "{skeleton.names[bone]}" has invalid values (NaN/inf) at frame '
            f"{clip.frames[frame]:g}: fix the animation."
        )


def _are_numbers(values: Floats) -> NDArray[np.bool_]:
    """Whether values are valid; infinite keyframes are evaluated as huge numbers."""
    return np.abs(values) < VAST


def _with_constraints(
    armature_object: bpy.types.Object,
    skeleton: Skeleton,
    goals: list[Any],
    posed: Collection[str],
) -> tuple[list[Any], list[str]]:
    """Goals, with those read from constraints, and notes about unsupported constraints.

    Bones that controls pose keep their constraints, so these are not read.
    """
    only_selected = armature_object.bioik.solver.scope == "SELECTED"
    bones = selected_bones(armature_object) if only_selected else None
    if posed:
        bones = (set(skeleton.names) if bones is None else bones) - set(posed)
    chains = goal_chains(skeleton, goals, read_reach(armature_object, skeleton, goals))
    read, unsupported = constraint_goals(armature_object, bones, chains)
    return goals + read, [missing.note for missing in unsupported]
