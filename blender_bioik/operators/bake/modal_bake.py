"""Base of the operators that solve a clip and insert keyframes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import bpy

from ...rig.reading import Reading
from ...ui_state.chosen_armature import chosen_armature
from ...ui_state.solving import Solve
from ..long_work import LongWork, Steps
from .key_options import KeyOptions

if TYPE_CHECKING:
    from ...rig.report.foot_report import FootReport
    from ...rig.report.report import BakeReport


class BakeSteps(NamedTuple):
    """The steps of a bake.

    Attributes:
        reading: Takes scene, armature and options, and returns a reading of the plan.
        solve: Takes a plan, `progress` and `cancelled`, and returns a solution. No Blender access.
        write: Takes plan, solution and solving time, and returns a report. Writes all, or raises.
    """

    reading: Callable[..., Reading[Any]]
    solve: Solve
    write: Callable[[Any, Any, float], BakeReport | FootReport]


class ModalBake(KeyOptions, LongWork):
    """An operator that reads a clip, solves it and inserts keyframes."""

    @staticmethod
    def bake_steps() -> BakeSteps:
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
        steps = self.bake_steps()
        return Steps(
            steps.reading(context.scene, armature, options),
            steps.solve,
            lambda *solved: self._finish(steps.write(*solved)),
        )

    def _finish(self, report: BakeReport | FootReport) -> set[str]:
        for note in report.notes:
            self.tell("INFO", note)
        self.tell("WARNING" if report.missed else "INFO", report.summary())
        return {"FINISHED"} if report.written else {"CANCELLED"}
