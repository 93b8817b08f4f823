"""What operators have in common that solve a clip and write keys.

In a window the solving goes on in a thread of its own, with progress and Esc; in the background and
in the redo panel all is done at once.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import bpy

from ..rig.errors import Cancelled, RigError
from .chosen_armature import chosen_armature
from .key_options import KeyOptions
from .solving import Solve, Solving

if TYPE_CHECKING:
    from ..rig.foot_report import FootReport
    from ..rig.report import BakeReport

# How often a running operator looks for the end of the solving and for Esc, seconds.
TIMER_SECONDS = 0.05
# What reaches Blender while a clip is solved: looking around. Anything else could change what is
# being baked.
PASSED_EVENTS = {
    *("MIDDLEMOUSE", "WHEELUPMOUSE", "WHEELDOWNMOUSE", "MOUSEMOVE", "INBETWEEN_MOUSEMOVE"),
    *("TRACKPADPAN", "TRACKPADZOOM", "MOUSEROTATE", "MOUSESMARTZOOM", "NDOF_MOTION"),
    *("WINDOW_DEACTIVATE", "NONE"),
}


class Steps(NamedTuple):
    """The steps of a bake.

    Attributes:
        read: From scene, armature, options and `progress` to a plan. Changes nothing.
        solve: From a plan, `progress` and `cancelled` to a solution. Touches nothing of Blender.
        write: From plan, solution and seconds of solving to a report. Writes all, or raises.
    """

    read: Callable[..., Any]
    solve: Solve
    write: Callable[[Any, Any, float], BakeReport | FootReport]


class ModalBake(KeyOptions):
    """An operator that reads a clip, solves it and writes keys.

    Attributes:
        preparing: What it says before the first progress; the solver may have to be compiled.
        doing: What it says then, with `done` and `total`.
        cancelled: What it says when the user has had enough.
    """

    preparing: str
    doing: str
    cancelled: str
    _solving: Solving | None = None
    _timer: Any = None

    @staticmethod
    def steps() -> Steps:
        """The steps, imported when they are used: Blender's start must not wait for the solver."""
        raise NotImplementedError

    def draw(self, _context: bpy.types.Context) -> None:
        """Lay the options out for the adjustment of what was just done."""
        self.draw_options(self.layout)  # type: ignore[attr-defined]

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        """Read, and solve while the window stays alive."""
        manager = context.window_manager
        manager.progress_begin(0, 100)

        def show(done: int, total: int) -> None:
            manager.progress_update(100 * done // total)

        steps = self.steps()
        plan = self._reported(lambda: self._read(context, steps, show))
        if plan is None:
            manager.progress_end()
            return {"CANCELLED"}
        self._solving = Solving(plan, steps.solve)
        self._timer = manager.event_timer_add(TIMER_SECONDS, window=context.window)
        manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Show progress; end when it is solved or when the user has had enough."""
        solving = self._solving
        assert solving is not None
        if event.type == "ESC" and event.value == "PRESS":
            self.cancel(context)
            self._tell("INFO", self.cancelled)
            return {"CANCELLED"}
        if event.type != "TIMER":
            return {"PASS_THROUGH"} if event.type in PASSED_EVENTS else {"RUNNING_MODAL"}
        if solving.is_running():
            context.window_manager.progress_update(100 * solving.done // solving.total)
            state = self.doing.format(done=solving.done, total=solving.total)
            state = state if solving.done else self.preparing
            context.workspace.status_text_set(f"{state}    Esc: Cancel")
            return {"RUNNING_MODAL"}
        self._end(context)
        write = self.steps().write
        return self._finish(
            self._reported(lambda: write(solving.plan, solving.solution(), solving.seconds))
        )

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Do all at once, for scripts and for the adjustment of what was just done."""
        return self._finish(self._reported(lambda: self._at_once(context)))

    def cancel(self, context: bpy.types.Context) -> None:
        """End without a result, also when Blender wants it so, as when a file is opened."""
        if self._solving is not None:
            self._solving.cancel()
            self._end(context)

    def _at_once(self, context: bpy.types.Context) -> BakeReport | FootReport:
        steps = self.steps()
        plan = self._read(context, steps)
        started = time.perf_counter()
        solution = steps.solve(plan)
        return steps.write(plan, solution, time.perf_counter() - started)

    def _read(
        self,
        context: bpy.types.Context,
        steps: Steps,
        progress: Callable[[int, int], None] | None = None,
    ) -> Any:
        armature = chosen_armature(context)
        assert armature is not None
        options = self.bake_options(context, armature)
        return steps.read(context.scene, armature, options, progress=progress)

    def _reported(self, action: Callable[[], Any]) -> Any:
        """The result of an action, or None after an error has been reported."""
        try:
            return action()
        except RigError as error:
            self._tell("ERROR", str(error))
        except Cancelled:
            self._tell("INFO", self.cancelled)
        return None

    def _finish(self, report: BakeReport | FootReport | None) -> set[str]:
        if report is None:
            return {"CANCELLED"}
        for note in report.notes:
            self._tell("INFO", note)
        self._tell("WARNING" if report.missed else "INFO", report.summary())
        return {"FINISHED"} if report.written else {"CANCELLED"}

    def _tell(self, kind: str, sentence: str) -> None:
        self.report({kind}, sentence)  # type: ignore[attr-defined]

    def _end(self, context: bpy.types.Context) -> None:
        context.window_manager.event_timer_remove(self._timer)
        context.window_manager.progress_end()
        context.workspace.status_text_set(None)
        self._solving = None
