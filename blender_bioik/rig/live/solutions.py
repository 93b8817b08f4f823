"""Alternative poses for the goals of the current frame, shown on the armature one at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import bpy
import numpy as np

from ...solver import Displacement, Goal, Solution, Track, find_poses
from ...solver.errors import SolverError
from ..blender.pose_channels import Channels, changed_channels, read_channels, write_channels
from ..clip.sampling import evaluated_depsgraph
from ..errors import Cancelled, RigError
from ..joints.joint_model import JointModel
from ..keys.pose_keys import key_shown
from ..problem.goals_problem import GoalsProblem, Joints
from ..report.goal_errors import GoalError, forget_errors, keep_errors
from ..transforms import Floats
from .frame_model import FrameModel, frame_errors, frame_model
from .frame_rig import read_frame_rig
from .frame_source import Showed, posed_armature
from .sessions import live_session


class FoundPose(NamedTuple):
    """A pose that was found.

    Attributes:
        channels: Channels of all pose bones; (n, 17).
        values: Joint values.
        errors: Error of each goal, by name.
    """

    channels: Channels
    values: Floats
    errors: tuple[tuple[str, GoalError], ...]

    @property
    def missed(self) -> list[tuple[str, GoalError]]:
        """Names of missed goals."""
        return [(name, error) for name, error in self.errors if not error.reached]


class Solutions:
    """Alternative poses: first those that reach most goals, the nearest to the animation first.

    Attributes:
        armature: Name of the armature.
        poses: The poses.
        shown: Number of the one that the armature shows, None if it shows none of them.
    """

    def __init__(
        self,
        armature: bpy.types.Object,
        model: FrameModel,
        joints: Joints,
        poses: list[FoundPose],
    ) -> None:
        """Store the armature's present pose, to restore it."""
        self.armature, self.poses = armature.name, poses
        self.shown: int | None = None
        self._uid = armature.session_uid
        self._before = read_channels(armature)
        self._source, self._joints = model.channels, joints

    def show(self, number: int) -> None:
        """Show a pose; the numbers wrap around.

        Raises:
            RigError: The armature has changed, or was removed.
        """
        armature = self._find()
        self.shown = number % len(self.poses)
        write_channels(armature, self.poses[self.shown].channels)
        keep_errors(armature, self.poses[self.shown].errors)

    def restore(self) -> None:
        """Show the pose that the armature had before."""
        armature = self._find()
        self.shown = None
        write_channels(armature, self._before)
        forget_errors(armature)

    def keep(self, scene: bpy.types.Scene, *, key: bool) -> int:
        """Keep the shown pose, optionally with keyframes; returns the number of keyed bones.

        Raises:
            RigError: It cannot be keyed; the pose is kept on display.
        """
        assert self.shown is not None
        armature, pose = self._find(), self.poses[self.shown]
        session = live_session(armature)
        if session is not None:
            session.show_other(pose.channels, pose.values, self._joints)
        if not key:
            return 0
        bones = key_shown(scene, armature, changed_channels(self._source, pose.channels))
        if session is not None:
            session.take_keys(scene.frame_current_final)
        return bones

    def _find(self) -> bpy.types.Object:
        armature = bpy.data.objects.get(self.armature)
        if (
            armature is None
            or armature.session_uid != self._uid
            or len(armature.pose.bones) != len(self._before)
        ):
            raise RigError("The armature has changed in the meantime: browse solutions again.")
        return armature


class Found(NamedTuple):
    """The poses of a search.

    Attributes:
        problem: The problem that they solve.
        poses: The poses.
    """

    problem: GoalsProblem
    poses: list[Solution]


class Search(NamedTuple):
    """Everything read from Blender for a search.

    Attributes:
        model: The armature at the current frame.
        problem: The problem.
        wanted: Maximum number of poses.
    """

    model: FrameModel
    problem: GoalsProblem
    wanted: int


def find_solutions(scene: bpy.types.Scene, armature: bpy.types.Object, count: int) -> Solutions:
    """Find up to `count` different poses for the goals at the current frame. Changes nothing.

    Raises:
        RigError: The armature cannot be solved; says why.
    """
    search = read_search(scene, armature, count)
    return solutions_of(armature, search, searched(search))


def read_search(scene: bpy.types.Scene, armature: bpy.types.Object, count: int) -> Search:
    """Read the inputs of a pose search at the current frame. Changes nothing.

    Raises:
        RigError: The armature cannot be solved; says why.
    """
    depsgraph = evaluated_depsgraph(scene)
    session = live_session(armature)
    shown = read_channels(armature)
    posed = posed_armature(armature, depsgraph)
    source = shown if session is None else session.source_channels()
    rig = read_frame_rig(scene, armature)
    model = frame_model(scene, armature, rig, source, posed, Showed(shown, posed))
    return Search(model, model.problem(armature, depsgraph), count)


def searched(
    search: Search,
    progress: Callable[[int, int], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Found:
    """Search; does not access Blender, so it can run in a thread while the window stays responsive.

    Raises:
        RigError: The goals cannot be solved; says why.
        Cancelled: `cancelled` returned true.
    """
    problem, settings = (
        search.problem.needed(cancelled=cancelled).problem,
        search.model.rig.settings,
    )
    tree, seed = problem.model.tree, _start(problem)
    tracks = [_from_source(track, seed) for track in problem.tracks]
    try:
        found = find_poses(tree, tracks, seed, search.wanted, settings, progress, cancelled)
    except SolverError as error:
        raise RigError(str(error)) from error
    if cancelled is not None and cancelled():
        raise Cancelled
    return Found(problem, found)


def _start(problem: GoalsProblem) -> Floats:
    """The joint values (joints,) that poses are to be near to."""
    start = problem.model.clip.values if problem.start is None else problem.start
    return np.asarray(start)[0]


def solutions_of(armature: bpy.types.Object, search: Search, found: Found) -> Solutions:
    """The solutions of a search, as poses of the armature."""
    joints = found.problem.model
    poses = [_found_pose(search, joints, pose) for pose in found.poses]
    return Solutions(armature, search.model, joints.tree.names, poses)


def _found_pose(search: Search, joints: JointModel, pose: Solution) -> FoundPose:
    goals, reached = search.problem.source.goals, np.array(pose.reached)
    errors = frame_errors(goals, np.array(pose.errors), reached)
    channels = search.model.solved_channels(joints, pose.values)
    return FoundPose(channels, pose.values, tuple(errors))


def _from_source(track: Goal | Track, source: Floats) -> Goal | Track:
    """The goal of staying as animated, relative to the source: searches start from many poses."""
    goal = track.goal if isinstance(track, Track) else track
    if not isinstance(goal, Displacement):
        return track
    staying = replace(goal, reference=source)
    return Track(staying, track.fields) if isinstance(track, Track) else staying
