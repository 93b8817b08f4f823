"""Live solving of one armature: the pose of the current frame follows the goals as they change.

The armature shows the solved pose, unkeyed. The pose that it would have without, its source, is
kept separately: from the animation, and from manual posing. A channel that differs from what was
shown last was changed by the animation or the animator, and becomes part of the source. The source
is also stored on the armature, in `Object.bioik.live`, so that undo restores it together with the
pose.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from itertools import chain

import bpy
import numpy as np
from numpy.typing import NDArray

from ...solver import KinematicTree
from ...solver.clips.tracks import track_parameters
from ..blender import fcurves
from ..blender.pose_channels import (
    COLUMNS,
    Channels,
    changed_channels,
    packed,
    read_channels,
    unpacked,
    write_channels,
)
from ..clip.curve_only import bone_path
from ..clip.skeleton import Skeleton
from ..errors import RigError
from ..problem.goals_problem import GoalsProblem, Joints
from ..report.goal_errors import forget_errors, keep_errors
from ..transforms import Floats
from .frame_model import FrameModel, frame_errors, frame_model
from .frame_rig import FrameRig, read_frame_rig, structure_of
from .frame_source import Showed, posed_armature

# A keyframe this close to the shown value is a keyframe of it, as a share of its size.
SAME_VALUE = 1e-6


@dataclass
class _Edit:
    """The state before manual posing began: a cancelled transform restores it."""

    shown: Channels
    source: Channels


class LiveSession:
    """The live solving of an armature.

    Attributes:
        uid: Session number of the armature object.
        scene_uid: That of the scene it is solved in.
        problem: Why it is not solved at present; one sentence, empty if it is.
        milliseconds: How long the last solve took, reading and writing included.
        shows_source: Whether the armature shows its source for a while; see `source_shown`.
    """

    def __init__(self, scene: bpy.types.Scene, armature: bpy.types.Object) -> None:
        """Take the armature's pose, or the one that undo restored, as its source."""
        self.uid, self.scene_uid = armature.session_uid, scene.session_uid
        self.problem, self.milliseconds = "", 0.0
        self.shows_source = False
        self._name = armature.name
        self.resume(armature)

    def find(self) -> bpy.types.Object | None:
        """The armature, None if it is gone. References to it would not survive undo."""
        named = bpy.data.objects.get(self._name)
        if named is None or named.session_uid != self.uid:
            named = next((o for o in bpy.data.objects if o.session_uid == self.uid), None)
        if named is not None:
            self._name = named.name
        return named

    def resume(self, armature: bpy.types.Object) -> None:
        """Continue with the armature's pose and the source that is stored on it."""
        kept = armature.bioik.live
        self._source = unpacked(armature, kept.source if kept.owner == self.uid else "")
        self._shown = read_channels(armature)
        self._solved = self._shown
        self._bones, self._rest = _bone_names(armature), _rest_poses(armature)
        # From the last update. Both are compared with new data, so they may be outdated.
        self._skeleton: Skeleton | None = None
        self._tree: KinematicTree | None = None
        self._showed: Showed | None = None
        self._edit: _Edit | None = None
        self._keep(armature)
        self.forget()

    def forget(self) -> None:
        """Clear the data read from Blender; the next update reads it again."""
        self._rig: FrameRig | None = None
        self._leave_pose()

    def _leave_pose(self) -> None:
        """Clear the solved pose, and the joints made for it."""
        self._model: FrameModel | None = None
        # By the names of the joints, which are other ones where the body helps.
        self._values: dict[Joints, Floats] = {}
        self._solved_for: bytes | None = None

    def update(
        self, scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph, touched: bool = True
    ) -> bool:
        """Solve the current frame if anything relevant has changed; returns whether it was solved.

        Args:
            scene: The scene.
            depsgraph: The evaluated scene.
            touched: Whether the armature itself may have changed.
        """
        armature = self.find()
        if armature is None or armature.mode == "EDIT":
            return False
        started = time.perf_counter()
        if touched and self._bones != _bone_names(armature):
            self._follow_bones(armature)
        edited = self._take_edits(armature)
        if touched:
            self._rig = self._model = None
        elif edited:
            self._model = None
        try:
            solved = self._solve(scene, armature, depsgraph)
        except RigError as error:
            self._give_up(armature, str(error))
            return False
        if solved:
            if not edited:
                self._edit = None
            self.problem = ""
            self.milliseconds = 1000.0 * (time.perf_counter() - started)
        return solved

    def enter_frame(self, scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
        """Solve another frame, whose animated pose the armature shows."""
        armature = self.find()
        if armature is None or armature.mode == "EDIT":
            return
        self._source = self._shown = read_channels(armature)
        self._showed = self._edit = None
        self._keep(armature)
        self._leave_pose()
        self.update(scene, depsgraph, touched=False)

    def take_keys(self, frame: float) -> None:
        """Where the action now has the shown value, that is the source."""
        armature = self.find()
        if armature is None:
            return
        curves = fcurves.curves_by_channel(fcurves.assigned_container(armature))
        source = self._source.copy()
        for row, bone in enumerate(armature.pose.bones):
            for name, columns in COLUMNS.items():
                path = f"{bone_path(bone.name)}.{name}"
                for index, column in enumerate(range(columns.start, columns.stop)):
                    shown = self._shown[row, column]
                    curve = curves.get((path, index)) if shown != source[row, column] else None
                    if curve is None or not fcurves.acts(curve):
                        continue
                    if abs(curve.evaluate(frame) - shown) <= SAME_VALUE * max(1.0, abs(shown)):
                        source[row, column] = shown
        if not np.array_equal(source, self._source):
            self._source = source
            self._keep(armature)
            self.forget()

    def moved(self, armature: bpy.types.Object) -> NDArray[np.bool_]:
        """Which channels the solved pose has changed, each with its property; (n, 17)."""
        if len(self._shown) != len(armature.pose.bones):
            return np.zeros((len(armature.pose.bones), self._shown.shape[1]), bool)
        return changed_channels(self._source, self._shown)

    def source_channels(self) -> Channels:
        """Channels of the pose without live solving; (n, 17)."""
        return self._source.copy()

    def show_other(self, channels: Channels, values: Floats, joints: Joints) -> None:
        """Continue with another pose (n, 17) for the same goals, and its joint values."""
        self._values, self._solved = {joints: values}, channels
        self._show(channels)

    def show_source(self) -> None:
        """Show the pose without live solving."""
        self._show(self._source)

    def show_solved(self) -> None:
        """Show the solved pose again."""
        self._show(self._solved)

    def put_away(self) -> None:
        """Leave the armature as if it were not solved live."""
        armature = self.find()
        if armature is not None:
            self.show_source()
            armature.bioik.live.owner, armature.bioik.live.source = 0, ""

    def take_out(self) -> None:
        """Go on after `put_away`."""
        armature = self.find()
        if armature is not None:
            self.show_solved()
            self._keep(armature)

    def end(self) -> None:
        """End live solving and leave the armature in its pose without it."""
        self.put_away()
        armature = self.find()
        if armature is not None:
            forget_errors(armature)

    def _follow_bones(self, armature: bpy.types.Object) -> None:
        """Continue with changed bones; renamed ones keep their source."""
        if _rest_poses(armature) != self._rest:
            self.resume(armature)
            return
        self._bones = _bone_names(armature)
        self._keep(armature)
        self.forget()

    def _take_edits(self, armature: bpy.types.Object) -> bool:
        """Take changes by others as the source; returns whether there are any."""
        now = read_channels(armature)
        changed = changed_channels(self._shown, now)
        if not changed.any():
            return False
        if self._edit is None:
            self._edit = _Edit(self._shown, self._source)
        back = ~changed_channels(self._edit.shown, now)
        taken = np.where(back, self._edit.source, now)
        self._source = np.where(changed, taken, self._source)
        self._shown = now
        self._keep(armature)
        return True

    def _solve(
        self,
        scene: bpy.types.Scene,
        armature: bpy.types.Object,
        depsgraph: bpy.types.Depsgraph,
    ) -> bool:
        if self._rig is None or self._rig.structure != structure_of(armature):
            self._rig, self._model = read_frame_rig(scene, armature, self._skeleton), None
            self._skeleton = self._rig.skeleton
        model = self._model or self._build(scene, armature, depsgraph, self._rig)
        problem = model.problem(armature, depsgraph)
        wanted = _inputs(model, problem)
        if wanted == self._solved_for:
            if not np.array_equal(self._shown, self._solved):
                self._show(self._solved)
            return False
        solved, solution, limbs = problem.needed(before=self._values)
        shown = model.solved_channels(solved.model, solution.values[0])
        self._values = {solved.model.tree.names: solution.values[0]}
        if limbs is not None:
            self._values[model.joints.tree.names] = limbs.values[0]
        self._solved_for = wanted
        self._solved = shown
        self._show(shown)
        goals = problem.source.goals
        keep_errors(armature, frame_errors(goals, solution.errors[0], solution.reached[0]))
        return True

    def _build(
        self,
        scene: bpy.types.Scene,
        armature: bpy.types.Object,
        depsgraph: bpy.types.Depsgraph,
        rig: FrameRig,
    ) -> FrameModel:
        posed = posed_armature(armature, depsgraph)
        if np.array_equal(self._shown, self._source):
            self._showed = Showed(self._source, posed)
        showed = self._showed or Showed(self._shown, posed)
        self._model = frame_model(scene, armature, rig, self._source, posed, showed, self._tree)
        self._tree = self._model.joints.tree
        return self._model

    def _give_up(self, armature: bpy.types.Object, problem: str) -> None:
        """Show the source until the problem is solved."""
        self.problem = problem
        self.forget()
        self._solved = self._source
        forget_errors(armature)
        if not np.array_equal(self._shown, self._source):
            self._show(self._source)

    def _show(self, channels: Channels) -> None:
        armature = self.find()
        if armature is None or len(channels) != len(armature.pose.bones):
            return
        write_channels(armature, channels)
        self._shown = channels

    def _keep(self, armature: bpy.types.Object) -> None:
        """Store the source so that undo and saved files include it."""
        kept = armature.bioik.live
        kept.owner, kept.source = self.uid, packed(armature, self._source)


def restore_kept(armature: bpy.types.Object) -> None:
    """Restore the source stored on an armature that is no longer solved."""
    kept = armature.bioik.live
    if kept.source:
        write_channels(armature, unpacked(armature, kept.source))
    kept.owner, kept.source = 0, ""


def _inputs(model: FrameModel, problem: GoalsProblem) -> bytes:
    """Everything a solve depends on: if unchanged, so is the pose, and no solve is needed."""
    tree, clip, settings = model.joints.tree, model.source.clip, model.rig.settings
    numbers = (clip.pose, clip.world, tree.axis, tree.lower, tree.upper, tree.stiffness)
    parts = [array.tobytes() for array in (*numbers, track_parameters(problem.tracks, 1))]
    return b"".join([*parts, repr((settings, tree.names, model.rig.structure)).encode()])


def _bone_names(armature: bpy.types.Object) -> tuple[str, ...]:
    return tuple(bone.name for bone in armature.pose.bones)


def _rest_poses(armature: bpy.types.Object) -> list[tuple[float, ...]]:
    """Rest positions of the bones, to recognize them after renaming."""
    return [tuple(chain(*bone.bone.matrix_local)) for bone in armature.pose.bones]
