"""Bake: solve the armature's goals and write keys."""

import threading
import time
from collections.abc import Callable
from typing import Any

import bpy
from bpy.props import BoolProperty, EnumProperty, IntProperty

from ..rig.bake import BakeOptions, BakePlan, read_bake, solve_bake, write_bake
from ..rig.errors import Cancelled, RigError
from ..rig.report import BakeReport
from .chosen_armature import chosen_armature, poll_armature
from .frame_range import FrameRange

OUTPUTS = (
    ("NEW_ACTION", "New Action", "Into a copy of the action, which is kept as it is"),
    ("IN_PLACE", "In Place", "Over the action's own keys in the range"),
    ("LAYER", "Layer", "Into an NLA strip that combines with the action below it"),
)
# How often a running bake looks for the end of the solving and for Esc, seconds.
TIMER_SECONDS = 0.05


class Solving:
    """The solving of a bake in a thread of its own."""

    def __init__(self, plan: BakePlan) -> None:
        self.plan = plan
        self.done, self.total = 0, max(1, len(plan.clip.frames))
        self.seconds = 0.0
        self._stop = threading.Event()
        self._outcome: Any = None
        self._thread = threading.Thread(target=self._run, name="Bio-IK bake", daemon=True)
        self._thread.start()

    def is_running(self) -> bool:
        """Whether it goes on."""
        return self._thread.is_alive()

    def cancel(self) -> None:
        """Stop it and wait for that; it takes no longer than a frame."""
        self._stop.set()
        self._thread.join()

    def solution(self) -> Any:
        """What was found; raises what went wrong."""
        self._thread.join()
        if isinstance(self._outcome, BaseException):
            raise self._outcome
        return self._outcome

    def _run(self) -> None:
        started = time.perf_counter()
        try:
            self._outcome = solve_bake(self.plan, progress=self._note, cancelled=self._stop.is_set)
        except BaseException as error:
            self._outcome = error
        self.seconds = time.perf_counter() - started

    def _note(self, done: int, total: int) -> None:
        self.done, self.total = done, max(1, total)


class BIOIK_OT_bake(FrameRange, bpy.types.Operator):  # noqa: N801 (Blender's convention)
    """Solve the armature's goals for every frame and write the result as keys"""  # noqa: D415

    bl_idname = "bioik.bake"
    bl_label = "Bake Goals"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012 (Blender reads it as it is)

    step: IntProperty(
        name="Frame Step", description="Frames from one key to the next", default=1, min=1
    )
    output: EnumProperty(
        name="Output", description="Where the keys go", items=OUTPUTS, default="NEW_ACTION"
    )
    blend_in: IntProperty(
        name="Blend In",
        description="Frames at the start over which the correction grows from nothing",
        min=0,
        soft_max=50,
    )
    blend_out: IntProperty(
        name="Blend Out",
        description="Frames at the end over which the correction shrinks to nothing",
        min=0,
        soft_max=50,
    )
    mute_constraints: BoolProperty(
        name="Mute Constraints",
        description="Mute constraints of the baked bones, which would act on top of the keys",
        default=True,
    )

    _solving: Solving | None = None
    _timer: Any = None

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is something to bake."""
        if not poll_armature(cls, context):
            return False
        armature = chosen_armature(context)
        if armature is None or not any(goal.enabled for goal in armature.bioik.goals):
            cls.poll_message_set("Add a goal to the armature first")
            return False
        return True

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        """Bake while the window stays alive."""
        plan = self._reported(lambda: self._read(context))
        if plan is None:
            return {"CANCELLED"}
        self._solving = Solving(plan)
        manager = context.window_manager
        self._timer = manager.event_timer_add(TIMER_SECONDS, window=context.window)
        manager.progress_begin(0, 100)
        manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Show progress; end when it is solved or when the user has had enough."""
        solving = self._solving
        assert solving is not None
        if event.type == "ESC" and event.value == "PRESS":
            solving.cancel()
            self._end(context)
            self.report({"INFO"}, "Bake cancelled, nothing has changed")
            return {"CANCELLED"}
        if event.type != "TIMER":
            return {"RUNNING_MODAL"} if event.type in _BLOCKED else {"PASS_THROUGH"}
        if solving.is_running():
            context.window_manager.progress_update(100 * solving.done // solving.total)
            context.workspace.status_text_set(
                f"Baking frame {solving.done} of {solving.total}    Esc: Cancel"
            )
            return {"RUNNING_MODAL"}
        self._end(context)
        report = self._reported(
            lambda: write_bake(solving.plan, solving.solution(), solving.seconds)
        )
        return self._finish(report)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Bake at once, for scripts and for the adjustment of a bake just done."""
        return self._finish(self._reported(lambda: self._bake(context)))

    def cancel(self, context: bpy.types.Context) -> None:
        """Blender ends the operator, as when a file is opened."""
        if self._solving is not None:
            self._solving.cancel()
            self._end(context)

    def _bake(self, context: bpy.types.Context) -> BakeReport:
        plan = self._read(context)
        started = time.perf_counter()
        solution = solve_bake(plan)
        return write_bake(plan, solution, time.perf_counter() - started)

    def _read(self, context: bpy.types.Context) -> BakePlan:
        armature = chosen_armature(context)
        assert armature is not None
        start, end = self.chosen_frames(context, armature)
        options = BakeOptions(
            start, end, self.step, self.output, self.blend_in, self.blend_out, self.mute_constraints
        )
        return read_bake(context.scene, armature, options)

    def _reported(self, action: Callable[[], Any]) -> Any:
        """The result of an action, or None after an error has been reported."""
        try:
            return action()
        except RigError as error:
            self.report({"ERROR"}, str(error))
        except Cancelled:
            self.report({"INFO"}, "Bake cancelled, nothing has changed")
        return None

    def _finish(self, report: BakeReport | None) -> set[str]:
        if report is None:
            return {"CANCELLED"}
        for note in report.notes:
            self.report({"INFO"}, note)
        self.report({"WARNING"} if report.missed else {"INFO"}, report.summary())
        return {"FINISHED"}

    def _end(self, context: bpy.types.Context) -> None:
        context.window_manager.event_timer_remove(self._timer)
        context.window_manager.progress_end()
        context.workspace.status_text_set(None)
        self._solving = None


# Events that would change what is being baked; all others (views, panels) pass.
_BLOCKED = {"G", "R", "S", "X", "DEL", "TAB", "Z", "I", "LEFTMOUSE", "SPACE"}
