"""Bake: solve the armature's goals and write keys.

`rig.bake` is imported when it is used: with it comes the solver, for which Blender's start, at
which this module is imported, must not wait.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import BoolProperty, EnumProperty, IntProperty

from ..rig.errors import Cancelled, RigError
from .chosen_armature import chosen_armature, poll_armature
from .frame_range import FrameRange
from .solving import Solving

if TYPE_CHECKING:
    from ..rig.bake import BakeOptions
    from ..rig.report import BakeReport

OUTPUTS = (
    ("NEW_ACTION", "New Action", "Into a copy of the action, which is kept as it is"),
    ("IN_PLACE", "In Place", "Over the action's own keys in the range"),
    ("LAYER", "Layer", "Into an NLA strip that combines with the action below it"),
)
CANCELLED = "Bake cancelled, nothing has changed"
# How often a running bake looks for the end of the solving and for Esc, seconds.
TIMER_SECONDS = 0.05
# What reaches Blender while a bake is solved: looking around. Anything else could change what is
# being baked.
PASSED_EVENTS = {
    *("MIDDLEMOUSE", "WHEELUPMOUSE", "WHEELDOWNMOUSE", "MOUSEMOVE", "INBETWEEN_MOUSEMOVE"),
    *("TRACKPADPAN", "TRACKPADZOOM", "MOUSEROTATE", "MOUSESMARTZOOM", "NDOF_MOTION"),
    *("WINDOW_DEACTIVATE", "NONE"),
}


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
        if armature is None or not _has_goals(armature):
            cls.poll_message_set("Add a goal to the armature first")
            return False
        return True

    def draw(self, _context: bpy.types.Context) -> None:
        """Lay the options out for the adjustment of a bake just done."""
        layout = self.layout
        layout.use_property_split = True
        self.draw_frames(layout)
        layout.prop(self, "step")
        layout.prop(self, "output")
        column = layout.column(align=True)
        column.prop(self, "blend_in")
        column.prop(self, "blend_out", text="Out")
        layout.prop(self, "mute_constraints")

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        """Bake while the window stays alive."""
        manager = context.window_manager
        manager.progress_begin(0, 100)
        plan = self._reported(lambda: self._read(context))
        if plan is None:
            manager.progress_end()
            return {"CANCELLED"}
        self._solving = Solving(plan)
        self._timer = manager.event_timer_add(TIMER_SECONDS, window=context.window)
        manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Show progress; end when it is solved or when the user has had enough."""
        solving = self._solving
        assert solving is not None
        if event.type == "ESC" and event.value == "PRESS":
            self.cancel(context)
            self.report({"INFO"}, CANCELLED)
            return {"CANCELLED"}
        if event.type != "TIMER":
            return {"PASS_THROUGH"} if event.type in PASSED_EVENTS else {"RUNNING_MODAL"}
        if solving.is_running():
            context.window_manager.progress_update(100 * solving.done // solving.total)
            # Before the first frame the solver may have to be compiled.
            state = f"Baking frame {solving.done} of {solving.total}"
            state = state if solving.done else f"Preparing to bake {solving.total} frames"
            context.workspace.status_text_set(f"{state}    Esc: Cancel")
            return {"RUNNING_MODAL"}
        self._end(context)
        return self._finish(self._reported(lambda: _written(solving)))

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Bake at once, for scripts and for the adjustment of a bake just done."""
        return self._finish(self._reported(lambda: self._bake(context)))

    def cancel(self, context: bpy.types.Context) -> None:
        """End without a result, also when Blender wants it so, as when a file is opened."""
        if self._solving is not None:
            self._solving.cancel()
            self._end(context)

    def _bake(self, context: bpy.types.Context) -> "BakeReport":
        from ..rig.bake import bake

        armature = chosen_armature(context)
        return bake(context.scene, armature, self._options(context, armature))

    def _read(self, context: bpy.types.Context) -> Any:
        from ..rig.bake import read_bake

        def progress(done: int, total: int) -> None:
            context.window_manager.progress_update(100 * done // total)

        armature = chosen_armature(context)
        options = self._options(context, armature)
        return read_bake(context.scene, armature, options, progress=progress)

    def _options(self, context: bpy.types.Context, armature: Any) -> "BakeOptions":
        from ..rig.bake import BakeOptions

        start, end = self.chosen_frames(context, armature)
        return BakeOptions(
            start, end, self.step, self.output, self.blend_in, self.blend_out, self.mute_constraints
        )

    def _reported(self, action: Callable[[], Any]) -> Any:
        """The result of an action, or None after an error has been reported."""
        try:
            return action()
        except RigError as error:
            self.report({"ERROR"}, str(error))
        except Cancelled:
            self.report({"INFO"}, CANCELLED)
        return None

    def _finish(self, report: "BakeReport | None") -> set[str]:
        if report is None:
            return {"CANCELLED"}
        for note in report.notes:
            self.report({"INFO"}, note)
        self.report({"WARNING"} if report.missed else {"INFO"}, report.summary())
        return {"FINISHED"} if report.written else {"CANCELLED"}

    def _end(self, context: bpy.types.Context) -> None:
        context.window_manager.event_timer_remove(self._timer)
        context.window_manager.progress_end()
        context.workspace.status_text_set(None)
        self._solving = None


def _has_goals(armature: bpy.types.Object) -> bool:
    rig = armature.bioik
    return rig.solver.read_constraints or any(goal.enabled for goal in rig.goals)


def _written(solving: Solving) -> "BakeReport":
    from ..rig.bake import write_bake

    return write_bake(solving.plan, solving.solution(), solving.seconds)
