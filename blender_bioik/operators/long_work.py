"""Long-running operators.

In a window they run modally, with progress and Esc: the scene is read a few
frames at a time, and solving runs in a background thread. In background mode, from scripts and
in the Adjust Last Operation panel they run in one go.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import bpy
from bpy.app.translations import pgettext_iface

from ..rig.errors import Cancelled, RigError
from ..rig.reading import Reading
from ..rig.steps import Steps, done
from ..translations.sentences import translated
from ..ui_state import running
from ..ui_state.solving import Solving

# Timer interval of a running operator, and the longest time it blocks the window, seconds.
TIMER_SECONDS = 0.02
SLICE_SECONDS = 0.03
# Events passed on to Blender meanwhile: navigation. Others could change the data being
# processed.
PASSED_EVENTS = {
    *("MIDDLEMOUSE", "WHEELUPMOUSE", "WHEELDOWNMOUSE", "MOUSEMOVE", "INBETWEEN_MOUSEMOVE"),
    *("TRACKPADPAN", "TRACKPADZOOM", "MOUSEROTATE", "MOUSESMARTZOOM", "NDOF_MOTION"),
    *("WINDOW_DEACTIVATE", "NONE"),
}
READING = "Reading frame {done} of {total}"
POSING = "Posing controls, frame {done} of {total}"


class LongWork:
    """An operator that reads, solves and writes.

    Attributes:
        preparing: Status text before the first progress; the solver may have to be compiled.
        doing: Status text afterwards, with `done` and `total`.
        cancelled: Message after the user has cancelled.
    """

    preparing: str
    doing: str
    cancelled: str
    _steps: Steps | None = None
    _solving: Solving | None = None
    _posing: Reading[Any] | None = None
    _timer: Any = None

    def steps(self, context: bpy.types.Context) -> Steps:
        """The steps; imported here, to keep Blender's startup fast.

        Raises:
            RigError: The operation is not possible.
        """
        raise NotImplementedError

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        """Start, and continue modally."""
        steps = self._reported(lambda: self.steps(context))
        if steps is None:
            return {"CANCELLED"}
        self._steps = steps
        running.begin(self.bl_label, READING)  # type: ignore[attr-defined]
        manager = context.window_manager
        self._timer = manager.event_timer_add(TIMER_SECONDS, window=context.window)
        # Run a first step now, so that errors at the start come before any progress is shown.
        result = self._go_on(context)
        if result == {"RUNNING_MODAL"}:
            manager.modal_handler_add(self)
        return result

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Run one step; end when done or cancelled."""
        if event.type == "ESC" and event.value == "PRESS":
            self.cancel(context)
            self.tell("INFO", self.cancelled)
            return {"CANCELLED"}
        if event.type != "TIMER":
            return {"PASS_THROUGH"} if event.type in PASSED_EVENTS else {"RUNNING_MODAL"}
        return self._go_on(context)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Run in one go, for scripts and for Adjust Last Operation."""
        return self._reported(lambda: self._at_once(context)) or {"CANCELLED"}

    def cancel(self, context: bpy.types.Context) -> None:
        """End without a result; Blender also calls this when a file is opened."""
        if self._steps is not None:
            self._end(context)

    def tell(self, kind: str, sentence: str) -> None:
        """Report a sentence in the status bar and the Info Editor."""
        self.report({kind}, translated(sentence))  # type: ignore[attr-defined]

    def _at_once(self, context: bpy.types.Context) -> set[str]:
        result: set[str] = done(self.steps(context))
        return result

    def _go_on(self, context: bpy.types.Context) -> set[str]:
        """Run one step; on any error, nothing is left running."""
        try:
            result = self._reported(lambda: self._step(context)) or {"CANCELLED"}
        except BaseException:
            self._end(context)
            raise
        if result == {"RUNNING_MODAL"}:
            self._show(context)
        else:
            self._end(context)
        return result

    def _step(self, context: bpy.types.Context) -> set[str]:
        assert self._steps is not None
        work = running.running_work()
        assert work is not None
        if self._solving is not None:
            if self._solving.is_running():
                work.done, work.total = self._solving.done, self._solving.total
                work.state = self.doing if work.done else self.preparing
                return {"RUNNING_MODAL"}
            if self._posing is None:
                return self._solved(context, self._solving.problem, self._solving.solution())
            ended, posed = self._sliced(self._posing)
            if ended:
                return self._written(context, self._solving.problem, posed)
            return {"RUNNING_MODAL"}
        ended, problem = self._sliced(self._steps.reading)
        return self._solve(context, problem) if ended else {"RUNNING_MODAL"}

    def _sliced(self, reading: Reading[Any]) -> tuple[bool, Any]:
        """Run a few steps of a reading; whether it has ended, and what it returned."""
        work = running.running_work()
        assert work is not None
        until = time.perf_counter() + SLICE_SECONDS
        while time.perf_counter() < until:
            try:
                work.done, work.total = next(reading)
            except StopIteration as end:
                return True, end.value
        return False, None

    def _solve(self, context: bpy.types.Context, problem: Any) -> set[str]:
        """Start solving the problem, or write it if there is nothing to solve."""
        assert self._steps is not None
        if self._steps.solve is None:
            return self._written(context, problem, None)
        self._solving = Solving(problem, self._steps.solve)
        return {"RUNNING_MODAL"}

    def _solved(self, context: bpy.types.Context, problem: Any, solution: Any) -> set[str]:
        """Start posing the controls, or write if there are none."""
        assert self._steps is not None
        if self._steps.pose is None:
            return self._written(context, problem, solution)
        work = running.running_work()
        assert work is not None
        self._posing, work.state, work.done = self._steps.pose(problem, solution), POSING, 0
        return {"RUNNING_MODAL"}

    def _written(self, context: bpy.types.Context, problem: Any, solution: Any) -> set[str]:
        assert self._steps is not None
        write: Callable[[Any, Any], set[str]] = self._steps.write
        # Before writing, because results are drawn as soon as they are written.
        self._end(context)
        return write(problem, solution)

    def _reported(self, action: Callable[[], Any]) -> Any:
        """The result of an action, or None after an error has been reported."""
        try:
            return action()
        except RigError as error:
            self.tell("ERROR", str(error))
        except Cancelled:
            self.tell("INFO", self.cancelled)
        return None

    def _show(self, context: bpy.types.Context) -> None:
        """Show the progress in the status bar and in the sidebar."""
        work = running.running_work()
        assert work is not None
        escape = pgettext_iface("Esc: Cancel")
        told = (text for text in (work.text(), work.time_text(), escape) if text)
        context.workspace.status_text_set("    ".join(told))
        redraw_sidebars(context)

    def _end(self, context: bpy.types.Context) -> None:
        """Stop everything, and restore the scene if it is still being read."""
        if self._solving is not None:
            self._solving.cancel()
        if self._posing is not None:
            self._posing.close()
        if self._steps is not None:
            self._steps.reading.close()
        if self._timer is not None:
            context.window_manager.event_timer_remove(self._timer)
        running.end()
        if context.workspace is not None:
            context.workspace.status_text_set(None)
        redraw_sidebars(context)
        self._steps = self._solving = self._posing = self._timer = None


def redraw_sidebars(context: bpy.types.Context) -> None:
    """Redraw the sidebars of all 3D Viewports, without the scene."""
    for window in context.window_manager.windows:
        for area in window.screen.areas if window.screen else ():
            for region in area.regions if area.type == "VIEW_3D" else ():
                if region.type == "UI":
                    region.tag_redraw()
