"""The joints of an armature at the pose of one frame, and its goals for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import bpy
import numpy as np
from numpy.typing import NDArray

from ...solver import KinematicTree
from ..blender.pose_channels import COLUMNS, Channels
from ..clip.curve_only import rotation_property
from ..errors import RigError
from ..goals.tracks import PlannedGoal
from ..joints.joints import JointModel
from ..problem.goals_problem import (
    GoalsProblem,
    goal_tracks,
    goals_model,
    goals_of,
    helped_model,
    helped_problem,
)
from ..report.goal_errors import GoalError
from ..report.report import goal_report
from ..source.source import Source
from ..transforms import Floats, channels_from_quaternion
from .frame_rig import FrameRig
from .frame_source import Posed, Showed, frame_source, goals_now


@dataclass(frozen=True, eq=False)
class FrameModel:
    """The joints of an armature at the pose of one frame.

    Attributes:
        rig: What stays the same in other frames.
        source: The frame, without its goals.
        joints: The joints.
        channels: Channels of all pose bones in the animated pose; (n, 17).
    """

    rig: FrameRig
    source: Source
    joints: JointModel
    channels: Channels

    def problem(self, armature: bpy.types.Object, depsgraph: bpy.types.Depsgraph) -> GoalsProblem:
        """The goals as they are now, to be solved quickly.

        Raises:
            RigError: A target is not evaluated, or has invalid values (NaN/inf).
        """
        source = goals_now(self.source, armature, depsgraph)
        settings, tracks = self.rig.quick, goal_tracks(source, self.joints)
        helped = helped_problem(source, settings, lambda _: self.helped_joints, goals_of(source))
        return GoalsProblem(source, self.joints, tracks, settings, helped=helped)

    @cached_property
    def helped_joints(self) -> JointModel:
        """The joints with those of the body that helps them."""
        return helped_model(replace(self.source, setup=self.source.setup.helped()))

    def solved_channels(self, joints: JointModel, values: Floats) -> Channels:
        """Channels of all pose bones for the values of some joints (joints,); (n, 17)."""
        skeleton, source = self.rig.skeleton, self.channels
        tracks = joints.tracks(values[None])
        solved = source.copy()
        bones = np.array([bone.index for bone in joints.bones], np.intp)
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
                "The pose got invalid values (NaN/inf), so it is unchanged: check the goals and "
                "the animation for huge values."
            )
        return np.where(self.rig.writable, solved, source)


def frame_model(
    scene: bpy.types.Scene,
    armature: bpy.types.Object,
    rig: FrameRig,
    channels: Channels,
    posed: Posed,
    showed: Showed,
    like: KinematicTree | None = None,
) -> FrameModel:
    """Build the joints of the current frame.

    Args:
        scene: The scene.
        armature: The armature.
        rig: The data read from it.
        channels: Channels of the animated pose.
        posed: The armature as it is evaluated now.
        showed: Channels that it once showed; see `frame_source`.
        like: The joints of another frame, to save work where they are the same.

    Raises:
        RigError: The rig cannot be solved; says why.
    """
    source = frame_source(scene, armature, rig, channels, posed, showed)
    return FrameModel(rig, source, goals_model(source, like=like), channels)


def frame_errors(
    goals: Sequence[PlannedGoal], errors: Floats, reached: NDArray[np.bool_]
) -> list[tuple[str, GoalError]]:
    """Errors of the active goals in a solution, by their names.

    Args:
        goals: The goals of the frame.
        errors: The solution's errors, metres or degrees; (goals,).
        reached: Whether these are within tolerance; (goals,).
    """
    found = []
    for number, plan in enumerate(goals):
        one = slice(number, number + 1)
        report = goal_report(plan, np.zeros(1), errors[one], reached[one])
        if report.frames:
            within = report.preference or report.reached == report.frames
            found.append((report.name, GoalError(report.worst, report.unit, within)))
    return found
