"""Base of the operators that solve a clip and insert keyframes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ...rig.keys.results import played_result
from ...rig.steps import Steps
from ...ui_state.chosen_armature import chosen_armature
from ..long_work import LongWork
from .key_options import KeyOptions

if TYPE_CHECKING:
    from ...rig.report.foot_report import FootReport
    from ...rig.report.report import BakeReport
    from ...rig.source.options import BakeOptions


class ReportedWork(LongWork):
    """An operator that inserts keyframes and shows the report."""

    def reported_steps(self, steps: Steps, *, replaces: bool = False) -> Steps:
        """Steps that end by showing their report.

        Args:
            steps: The steps.
            replaces: Whether they remove an earlier result, also if nothing is written.
        """
        return steps._replace(
            write=lambda *solved: self._finish(steps.write(*solved), replaces=replaces)
        )

    def _finish(self, report: BakeReport | FootReport, *, replaces: bool) -> set[str]:
        for note in report.notes:
            self.tell("INFO", note)
        self.tell("INFO" if report.good else "WARNING", report.summary())
        return {"FINISHED"} if report.written or replaces else {"CANCELLED"}


class ModalBake(KeyOptions, ReportedWork):
    """An operator that reads a clip, solves it and inserts keyframes."""

    @staticmethod
    def bake_steps(
        scene: bpy.types.Scene, armature: bpy.types.Object, options: BakeOptions
    ) -> Steps:
        """The steps; imported on use, to keep Blender's startup fast."""
        raise NotImplementedError

    def draw(self, _context: bpy.types.Context) -> None:
        """Draw the options in the Adjust Last Operation panel."""
        self.draw_options(self.layout)  # type: ignore[attr-defined]

    def steps(self, context: bpy.types.Context) -> Steps:
        """The steps with the options that were given."""
        armature = chosen_armature(context)
        assert armature is not None
        options = self.bake_options(context, armature)
        steps = self.bake_steps(context.scene, armature, options)
        return self.reported_steps(steps, replaces=played_result(armature) is not None)
