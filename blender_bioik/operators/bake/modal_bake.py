"""Base of the operators that solve a clip and insert keyframes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import bpy
from bpy.app.translations import pgettext_rpt as rpt_

from ...rig.errors import RigError
from ...rig.keys.results import played_result, slot_identifier
from ...rig.steps import Part, Steps, together
from ...translations.sentences import translated
from ...ui_state.characters import chosen_characters
from ...ui_state.problems import NO_GOALS, NO_GROUND
from ..long_work import LongWork
from .key_options import KeyOptions

if TYPE_CHECKING:
    from ...rig.report.foot_report import FootReport
    from ...rig.report.report import BakeReport
    from ...rig.source.options import BakeOptions

# What several selected armatures may lack without a word, if others have it.
LEFT_OUT = {NO_GOALS, NO_GROUND}


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

    def steps_of_all(
        self, armatures: Sequence[bpy.types.Object], steps_of: Callable[[bpy.types.Object], Steps]
    ) -> Steps:
        """The steps of one armature or of several, which end by showing their reports.

        Args:
            armatures: The armatures.
            steps_of: Makes the steps of one of them.
        """
        replaces = any(played_result(armature) is not None for armature in armatures)
        if len(armatures) == 1:
            return self.reported_steps(steps_of(armatures[0]), replaces=replaces)
        parts = [Part(armature.name, partial(steps_of, armature)) for armature in armatures]
        steps = together(parts)
        return steps._replace(
            write=lambda *solved: self._finish_all(steps.write(*solved), replaces=replaces)
        )

    def _finish(self, report: BakeReport | FootReport, *, replaces: bool) -> set[str]:
        for note in report.notes:
            self.tell("INFO", note)
        self.tell("INFO" if report.good else "WARNING", report.summary())
        return {"FINISHED"} if report.written or replaces else {"CANCELLED"}

    def _finish_all(self, parts: Sequence[Part], *, replaces: bool) -> set[str]:
        """Tell the verdict on each character."""
        for part in parts:
            good = not part.problem and part.value.good
            verdict = translated(part.problem or part.value.summary())
            self.report(  # type: ignore[attr-defined]
                {"INFO" if good else "WARNING"}, f"{part.name}: {verdict}"
            )
        written = any(not part.problem and part.value.written for part in parts)
        return {"FINISHED"} if written or replaces else {"CANCELLED"}


class ModalBake(KeyOptions, ReportedWork):
    """An operator that reads a clip, solves it and inserts keyframes."""

    @staticmethod
    def bake_steps(
        scene: bpy.types.Scene, armature: bpy.types.Object, options: BakeOptions
    ) -> Steps:
        """The steps; imported on use, to keep Blender's startup fast."""
        raise NotImplementedError

    @staticmethod
    def problem_of(context: bpy.types.Context, armature: bpy.types.Object) -> str:
        """Why it cannot be done for an armature; empty if it can."""
        raise NotImplementedError

    def draw(self, _context: bpy.types.Context) -> None:
        """Draw the options in the Adjust Last Operation panel."""
        self.draw_options(self.layout)  # type: ignore[attr-defined]

    def steps(self, context: bpy.types.Context) -> Steps:
        """The steps with the options that were given."""
        armatures = chosen_characters(context)
        self.take_settings(armatures[0])
        if len(armatures) > 1:
            # A prop without goals, or one that stands on nothing, is no character.
            armatures = [a for a in armatures if self.problem_of(context, a) not in LEFT_OUT]
        # Asked now: once the work runs, that is what stands in the way.
        problems = {armature: self.problem_of(context, armature) for armature in armatures}
        taken: dict[object, str] = {}

        def steps_of(armature: bpy.types.Object) -> Steps:
            if problems[armature]:
                raise RigError(problems[armature])
            if self.output == "IN_PLACE":
                _refuse_shared(armature, taken)
            return self.bake_steps(context.scene, armature, self.bake_options(context, armature))

        return self.steps_of_all(armatures, steps_of)


def _refuse_shared(armature: bpy.types.Object, taken: dict[object, str]) -> None:
    """Refuse to change an action in place for a second character."""
    data = armature.animation_data
    if data is None or data.action is None:
        return
    key = data.action.name_full, slot_identifier(armature)
    if key in taken:
        problem = rpt_('"{}" plays the same action as "{}": bake to new actions.')
        raise RigError(problem.format(armature.name, taken[key]))
    taken[key] = armature.name
