"""Solving the pose of a single frame: the goals as they are now, on the pose as it is animated.

Nothing here evaluates the scene or moves the playhead, so handlers may use it while Blender is at
work. The armature may show another pose meanwhile: what is animated is given by its channels.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import bpy
import numpy as np
from numpy.typing import NDArray

from ...solver import ClipSolution, Goal, KinematicTree, Settings, Track
from ...solver.errors import SolverError
from ..bake.bake import frames_per_second, solver_settings
from ..blender.pose_channels import COLUMNS, Channels
from ..clip.curve_only import (
    bone_path,
    refuse_animated_rotation_modes,
    rotation_property,
    rotation_size,
)
from ..clip.sampling import Clip
from ..clip.skeleton import Skeleton, basis_matrices, pose_matrices, read_skeleton
from ..errors import RigError
from ..goals.solve_setup import (
    SolveSetup,
    read_setup,
    refuse_numbers_that_are_none,
    setup_model,
    staying,
)
from ..goals.tracks import (
    PlannedGoal,
    enabled_goals,
    plan_goals,
    solver_tracks,
    targets_of,
)
from ..joints.joints import JointModel
from ..joints.non_rigid import solve_settled
from ..keys.keys import channel_locks, driven_channels
from ..report.goal_errors import GoalError
from ..report.report import goal_report
from ..transforms import (
    Floats,
    channels_from_quaternion,
    matrix_from_channels,
    quaternion_from_channels,
)

# Evaluations of a quick solve: few enough that a hand which drags a target does not notice.
QUICK_EVALUATIONS = 500
Structure = tuple[tuple[Any, ...], ...]
SOLVER_STRUCTURE = (
    *("scope", "move_root", "use_limits", "read_constraints"),
    *("strategy", "population", "elites", "evaluations", "seed"),
)
GOAL_STRUCTURE = ("type", "bone", "other_bone", "subtarget", "head_tail", "chain_length")


class Posed(NamedTuple):
    """An armature as Blender has evaluated it, bones in the order of `Pose.bones`.

    Attributes:
        world: World matrix of the object; (4, 4).
        pose: Bone matrices in armature space, after constraints; (n, 4, 4).
    """

    world: Floats
    pose: Floats


class FrameGoals(NamedTuple):
    """The goals of a frame: as they were planned, and as the solver gets them."""

    planned: list[PlannedGoal]
    tracks: list[Goal | Track]


@dataclass(frozen=True, eq=False)
class FrameRig:
    """What of an armature stays the same from frame to frame.

    Attributes:
        skeleton: Its bones.
        setup: Its goals, and what may move for them.
        rows: Row in `Pose.bones` of each bone of the skeleton; (n,).
        moving: Whether a bone of the skeleton may move, or a bone above it; (n,).
        writable: Channels that a solved pose may change, rows as in `Pose.bones`; (n, 17).
        settings: How it is solved with all effort.
        quick: How it is solved while somebody drags a target.
        structure: What it was made for; see `structure_of`.
    """

    skeleton: Skeleton
    setup: SolveSetup
    rows: NDArray[np.intp]
    moving: NDArray[np.bool_]
    writable: NDArray[np.bool_]
    settings: Settings
    quick: Settings
    structure: Structure


@dataclass(frozen=True, eq=False)
class FrameModel:
    """The joints of an armature at the pose of one frame."""

    rig: FrameRig
    clip: Clip
    joints: JointModel
    source: Channels

    def goals(self, armature: bpy.types.Object, depsgraph: bpy.types.Depsgraph) -> FrameGoals:
        """The goals as they are now, with their targets where the evaluated scene has them.

        Raises:
            RigError: A target is not evaluated, or has values that are not numbers.
        """
        goals = enabled_goals(armature.bioik.goals)
        targets = [_target_matrix(depsgraph, *target) for target in targets_of(goals)]
        planned = plan_goals(
            goals,
            self.clip.frames,
            np.array(targets, float).reshape(-1, 1, 4, 4),
            [np.array([goal.influence], float) for goal in goals],
        )
        refuse_numbers_that_are_none(self.rig.skeleton, self.clip, planned)
        tracks = solver_tracks(self.joints, self.clip, planned)
        return FrameGoals(
            planned, [*tracks, *staying(armature.bioik.solver.displacement, self.joints)]
        )

    def solve(self, goals: FrameGoals, before: Floats | None = None) -> ClipSolution:
        """Solve the frame quickly, on from the joint values `before` if there are any.

        Raises:
            RigError: The solver cannot work with the goals.
        """
        try:
            return solve_settled(self.joints, goals.tracks, self.rig.quick, before=before)
        except SolverError as error:
            raise RigError(str(error)) from error

    def channels(self, values: Floats) -> Channels:
        """Channels of all pose bones for joint values (joints,); (n, 17)."""
        skeleton, source = self.rig.skeleton, self.source
        tracks = self.joints.tracks(values[None])
        solved = source.copy()
        bones = np.array([bone.index for bone in self.joints.bones], np.intp)
        rows = self.rig.rows[bones]
        solved[rows, COLUMNS["location"]] = tracks.location[0, bones]
        modes = np.array(skeleton.rotation_mode)[bones]
        for mode in set(modes.tolist()):
            of_mode = bones[modes == mode]
            columns = COLUMNS[rotation_property(mode)]
            near = source[self.rig.rows[of_mode], columns].astype(float)
            turns = channels_from_quaternion(tracks.rotation[:, of_mode], mode, near)
            solved[self.rig.rows[of_mode], columns] = turns[0]
        if not np.isfinite(solved).all():
            raise RigError(
                "The pose got values that are not numbers, so it is left as it was: "
                "look for huge values in the goals and in the animation."
            )
        return np.where(self.rig.writable, solved, source)


def read_frame_rig(
    scene: bpy.types.Scene, armature: bpy.types.Object, before: Skeleton | None = None
) -> FrameRig:
    """Read what is solved, and on which bones.

    Args:
        scene: The scene.
        armature: The armature.
        before: Bones read before, to save work where they are the same.

    Raises:
        RigError: Something stands in the way; one sentence that says what to do.
    """
    skeleton = read_skeleton(armature)
    if before is not None and before.equals(skeleton):
        skeleton = before  # with all that was worked out of it
    setup = read_setup(armature, skeleton)
    refuse_animated_rotation_modes(armature)
    _refuse_constraints(setup)
    names = {bone.name: row for row, bone in enumerate(armature.pose.bones)}
    settings = solver_settings(armature.bioik.solver, frames_per_second(scene))
    settings = replace(settings, smoothness=0.0, threads=1)
    moves = np.zeros(len(skeleton), bool)
    for b, (name, parent) in enumerate(zip(skeleton.names, skeleton.parent, strict=True)):
        moves[b] = name in setup.moving or (parent >= 0 and moves[parent])
    return FrameRig(
        skeleton,
        setup,
        np.array([names[name] for name in skeleton.names], np.intp),
        moves,
        _writable(armature, setup),
        settings,
        _quick(settings),
        structure_of(armature),
    )


def structure_of(armature: bpy.types.Object) -> Structure:
    """What of goals and settings decides about joints: a model is good while it is the same."""
    rig = armature.bioik
    return (
        tuple(getattr(rig.solver, name) for name in SOLVER_STRUCTURE),
        tuple(
            (
                *(getattr(goal, name) for name in GOAL_STRUCTURE),
                *goal.kind.joint_values(goal),
                *goal.offset,
                goal.target.name if goal.target else "",
            )
            for goal in enabled_goals(rig.goals)
        ),
    )


def posed_armature(armature: bpy.types.Object, depsgraph: bpy.types.Depsgraph) -> Posed:
    """The armature as it is evaluated.

    Raises:
        RigError: It is not part of the evaluated scene.
    """
    evaluated = _evaluated(depsgraph, armature)
    count = len(armature.pose.bones)
    matrices = np.empty(16 * count, np.float32)
    evaluated.pose.bones.foreach_get("matrix", matrices)
    pose = matrices.reshape(count, 4, 4).swapaxes(-1, -2).astype(float)
    return Posed(np.array(evaluated.matrix_world, float), pose)


def frame_model(
    armature: bpy.types.Object,
    rig: FrameRig,
    frame: float,
    source: Channels,
    posed: Posed,
    showed: tuple[Channels, Posed],
    like: KinematicTree | None = None,
) -> FrameModel:
    """Build the joints of a frame.

    Args:
        armature: The armature.
        rig: What was read of it.
        frame: The frame.
        source: Channels of the animated pose.
        posed: The armature as it is evaluated now, in whatever pose: bones that nothing moves are
            where it has them.
        showed: Channels that the armature once showed, with how these were evaluated: what limits
            make of a bone that still has these channels.
        like: The joints of another frame, to save work where they are the same.

    Raises:
        RigError: The rig cannot be solved; says why.
    """
    clip = _clip(rig, frame, source, posed, showed)
    # Goals as they are now: adding one moves all of them in memory.
    setup = replace(rig.setup, goals=tuple(enabled_goals(armature.bioik.goals)))
    joints = setup_model(setup, rig.skeleton, clip, setup.limited, like=like)
    return FrameModel(rig, clip, joints, source)


def frame_errors(
    goals: FrameGoals, errors: Floats, reached: NDArray[np.bool_]
) -> list[tuple[str, GoalError]]:
    """What a solution left of the goals that act, by their names.

    Args:
        goals: The goals of the frame.
        errors: The solution's errors, metres or degrees; (goals,).
        reached: Whether these are within tolerance; (goals,).
    """
    found = []
    for number, plan in enumerate(goals.planned):
        one = slice(number, number + 1)
        report = goal_report(plan, np.zeros(1), errors[one], reached[one])
        if report.frames:
            within = report.preference or report.reached == report.frames
            found.append((report.name, GoalError(report.worst, report.unit, within)))
    return found


def _clip(
    rig: FrameRig, frame: float, source: Channels, posed: Posed, showed: tuple[Channels, Posed]
) -> Clip:
    skeleton, rows = rig.skeleton, rig.rows
    channels = source[rows].astype(float)
    turns = np.zeros((len(skeleton), 4))
    rotation = np.empty((len(skeleton), 4))
    modes = np.array(skeleton.rotation_mode)
    for mode in set(skeleton.rotation_mode):
        bones = np.flatnonzero(modes == mode)
        values = channels[bones, COLUMNS[rotation_property(mode)]]
        turns[bones, : rotation_size(mode)] = values
        rotation[bones] = quaternion_from_channels(values, mode)
    location, scale = channels[:, COLUMNS["location"]], channels[:, COLUMNS["scale"]]
    basis = matrix_from_channels(location, rotation, scale)[None]
    if not rig.moving.all():
        # What no joint moves is where Blender has it, whatever brought it there.
        still = basis_matrices(skeleton, posed.pose[None, rows])
        basis[:, ~rig.moving] = still[:, ~rig.moving]
    limited = [skeleton.index[name] for name in sorted(rig.setup.limited)]
    if limited:
        then, evaluated = showed
        held = basis_matrices(skeleton, evaluated.pose[None, rows])
        same = [b for b in limited if np.array_equal(then[rows[b]], source[rows[b]])]
        basis[:, same] = held[:, same]
    return Clip(
        np.array([frame], float),
        location[None],
        rotation[None],
        scale[None],
        turns[None],
        posed.world[None],
        pose_matrices(skeleton, basis),
    )


def _refuse_constraints(setup: SolveSetup) -> None:
    """Refuse constraints that would act on top of the solved pose; a bake mutes them."""
    if setup.released.constraints:
        bone, name = setup.released.constraints[0]
        raise RigError(
            f'The constraint "{name}" of bone "{bone}" moves bones that the goals move too: '
            "mute it to solve poses, or bake, which mutes it."
        )


def _writable(armature: bpy.types.Object, setup: SolveSetup) -> NDArray[np.bool_]:
    """Channels of moving bones that are neither locked nor driven; (n, 17)."""
    driven = driven_channels(armature)
    writable = np.zeros((len(armature.pose.bones), COLUMNS["scale"].stop), bool)
    moving = set(setup.moving)
    for row, bone in enumerate(armature.pose.bones):
        if bone.name not in moving:
            continue
        for name in ("location", rotation_property(bone.rotation_mode)):
            path = f"{bone_path(bone.name)}.{name}"
            free = [
                not locked and (path, index) not in driven
                for index, locked in enumerate(channel_locks(bone, name))
            ]
            writable[row, COLUMNS[name]] = free
    return writable


def _quick(settings: Settings) -> Settings:
    quick = replace(settings, evaluations=min(settings.evaluations, QUICK_EVALUATIONS))
    return quick if settings.strategy == "local" else replace(quick, strategy="memetic")


def _target_matrix(
    depsgraph: bpy.types.Depsgraph, target: bpy.types.Object, bone: str | None
) -> Floats:
    evaluated = _evaluated(depsgraph, target)
    matrix = np.array(evaluated.matrix_world, float)
    if bone is None:
        return matrix
    if evaluated.pose is None or bone not in evaluated.pose.bones:
        raise RigError(f'The target "{target.name}" has no bone "{bone}": choose one of its bones.')
    return np.asarray(matrix @ np.array(evaluated.pose.bones[bone].matrix, float))


def _evaluated(depsgraph: bpy.types.Depsgraph, object_: bpy.types.Object) -> bpy.types.Object:
    evaluated = object_.evaluated_get(depsgraph)
    if not evaluated.is_evaluated:
        raise RigError(
            f'"{object_.name}" is not evaluated in this scene: '
            "enable it in viewports, and its collection in the view layer."
        )
    return evaluated
