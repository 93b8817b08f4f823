"""Alternative poses for the goals at the current frame: browsing, keeping or restoring."""

from typing import TYPE_CHECKING

import bpy
from bpy.app.translations import pgettext_rpt as rpt_
from bpy.props import BoolProperty, IntProperty

from ...rig.errors import RigError
from ...rig.source_shown import live_waits
from ...translations.sentences import translated
from ...ui_state.browsed import Browsed
from ...ui_state.chosen_armature import chosen_armature, poll_problem
from ...ui_state.problems import live_problem
from .browsing import Browsing, kept_text

if TYPE_CHECKING:
    from ...rig.live.solutions import Solutions


class BIOIK_OT_browse_solutions(Browsing, bpy.types.Operator):  # noqa: N801 (Blender's convention)
    """Browse alternative poses that meet the goals at the current frame"""  # noqa: D415

    bl_idname = "bioik.browse_solutions"
    bl_label = "Browse Solutions"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012 (Blender reads it as it is)

    index: IntProperty(
        name="Solution",
        description="Index of the solution to apply; 0 is the closest to the animation",
        min=0,
        soft_max=7,
        options={"SKIP_SAVE"},
    )
    count: IntProperty(
        name="Count",
        description="Number of different poses to search for",
        default=8,
        min=1,
        soft_max=32,
    )
    key: BoolProperty(
        name="Insert Keyframes",
        description="Insert keyframes at the current frame for the bones that the pose moves",
        default=True,
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is something to solve."""
        return poll_problem(cls, live_problem(context))

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Apply a solution directly, for scripts and for Adjust Last Operation."""
        try:
            with live_waits():
                solutions = self._find(context)
                if self.index >= len(solutions.poses):
                    problem = rpt_("There are only {} solutions: choose a lower index.")
                    raise RigError(problem.format(len(solutions.poses)))
                solutions.show(self.index)
                return self.keep_pose(context, solutions)
        except RigError as error:
            self.report({"ERROR"}, translated(str(error)))
            return {"CANCELLED"}

    def _find(self, context: bpy.types.Context) -> "Solutions":
        from ...rig.live.solutions import find_solutions

        armature = chosen_armature(context)
        assert armature is not None
        return find_solutions(context.scene, armature, self.count)


class BIOIK_OT_step_solution(bpy.types.Operator):  # noqa: N801
    """Show the next or previous solution"""  # noqa: D415

    bl_idname = "bioik.step_solution"
    bl_label = "Show Solution"
    bl_options = {"INTERNAL"}  # noqa: RUF012

    by: IntProperty(name="Step", description="Number of solutions to step by", default=1)

    @classmethod
    def poll(cls, _context: bpy.types.Context) -> bool:
        """Whether solutions are being browsed."""
        return _poll_browsing(cls)

    def execute(self, _context: bpy.types.Context) -> set[str]:
        """Show it."""
        solutions = Browsed.solutions
        assert solutions is not None
        try:
            solutions.show((solutions.shown or 0) + self.by)
        except RigError as error:
            Browsed.solutions = None
            self.report({"WARNING"}, translated(str(error)))
        return {"FINISHED"}


class BIOIK_OT_end_solutions(bpy.types.Operator):  # noqa: N801
    """Keep the current solution, or restore the previous pose"""  # noqa: D415

    bl_idname = "bioik.end_solutions"
    bl_label = "End Browsing"
    bl_options = {"UNDO", "INTERNAL"}  # noqa: RUF012

    keep: BoolProperty(name="Keep", description="Keep the current solution", default=True)
    key: BoolProperty(
        name="Insert Keyframes",
        description="Insert keyframes at the current frame for the bones that the pose moves",
        default=True,
    )

    @classmethod
    def poll(cls, _context: bpy.types.Context) -> bool:
        """Whether solutions are being browsed."""
        return _poll_browsing(cls)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Keep or restore; the running operator then ends itself."""
        solutions, Browsed.solutions = Browsed.solutions, None
        assert solutions is not None
        try:
            if not self.keep:
                solutions.restore()
                return {"CANCELLED"}
            bones = solutions.keep(context.scene, key=self.key)
        except RigError as error:
            self.report({"ERROR"}, translated(str(error)))
            return {"CANCELLED"}
        self.report({"INFO"}, kept_text(solutions, bones))
        return {"FINISHED"}


def _poll_browsing(cls: type[bpy.types.Operator]) -> bool:
    browsing = Browsed.solutions is not None
    return poll_problem(cls, "" if browsing else "Browse solutions first")
