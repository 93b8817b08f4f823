"""Other poses for the goals of the current frame: look through them, keep one or none.

The poses that are being looked through are kept here, in memory: the panel shows them, and its
buttons and the keys of the running operator choose among the same.
"""

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import bpy
from bpy.app.translations import pgettext_iface as iface_
from bpy.app.translations import pgettext_rpt as rpt_
from bpy.props import BoolProperty, IntProperty

from ..rig.errors import RigError
from ..rig.live_sessions import live_waits
from ..translations.sentences import translated
from .chosen_armature import chosen_armature, poll_problem
from .live import live_problem
from .long_work import PASSED_EVENTS

if TYPE_CHECKING:
    from ..rig.solutions import Solutions

STEPS = {
    **dict.fromkeys(("WHEELDOWNMOUSE", "RIGHT_ARROW", "DOWN_ARROW"), 1),
    **dict.fromkeys(("WHEELUPMOUSE", "LEFT_ARROW", "UP_ARROW"), -1),
}
KEEP, GIVE_UP = {"RET", "NUMPAD_ENTER"}, {"ESC", "RIGHTMOUSE"}


class _Browsing:
    """The poses that are being looked through, if any."""

    solutions: "Solutions | None" = None


def browsed_solutions() -> "Solutions | None":
    """The poses that are being looked through, None if none are."""
    return _Browsing.solutions


class BIOIK_OT_browse_solutions(bpy.types.Operator):  # noqa: N801 (Blender's convention)
    """Look through other poses that meet the goals at the current frame"""  # noqa: D415

    bl_idname = "bioik.browse_solutions"
    bl_label = "Browse Solutions"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012 (Blender reads it as it is)

    index: IntProperty(
        name="Solution",
        description="Which pose to take, counted from 0: the first is the nearest to the animation",
        min=0,
        soft_max=7,
        options={"SKIP_SAVE"},
    )
    count: IntProperty(
        name="Count",
        description="How many different poses are looked for",
        default=8,
        min=1,
        soft_max=32,
    )
    key: BoolProperty(
        name="Insert Keys",
        description="Key the bones that the pose moves, at the current frame",
        default=True,
    )

    _waiting: Any = None

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is something to solve."""
        return poll_problem(cls, solutions_problem(context))

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Take a pose at once, for scripts and for the adjustment of what was just done."""
        try:
            with live_waits():
                solutions = self._find(context)
                if self.index >= len(solutions.poses):
                    problem = rpt_("There are only {} solutions: choose an earlier one.")
                    raise RigError(problem.format(len(solutions.poses)))
                solutions.show(self.index)
                return self._keep(context, solutions)
        except RigError as error:
            self.report({"ERROR"}, translated(str(error)))
            return {"CANCELLED"}

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        """Show the first pose, and wait for what the animator wants."""
        with ExitStack() as waiting:
            waiting.enter_context(live_waits())
            try:
                _Browsing.solutions = self._find(context)
                _Browsing.solutions.show(0)
            except RigError as error:
                _Browsing.solutions = None
                self.report({"ERROR"}, translated(str(error)))
                return {"CANCELLED"}
            self._waiting = waiting.pop_all()
        context.window_manager.modal_handler_add(self)
        self._tell(context)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Show the next or previous pose, keep one, or restore."""
        solutions = _Browsing.solutions
        if solutions is None:  # a button of the panel has ended it
            self._end(context)
            return {"CANCELLED"}
        if event.value == "PRESS" and event.type in STEPS and not _is_in_sidebar(context, event):
            return self._step(context, solutions, STEPS[event.type])
        if event.value == "PRESS" and event.type in KEEP:
            return self._finish(context, solutions)
        if event.value == "PRESS" and event.type in GIVE_UP:
            self.cancel(context)
            return {"CANCELLED"}
        self._tell(context)
        # Looking around and the buttons of the sidebar; anything else could change what is solved.
        passed = event.type in PASSED_EVENTS or _is_in_sidebar(context, event)
        return {"PASS_THROUGH"} if passed else {"RUNNING_MODAL"}

    def cancel(self, context: bpy.types.Context) -> None:
        """Restore the pose, also when Blender wants it so, as when a file is opened."""
        solutions, _Browsing.solutions = _Browsing.solutions, None
        try:
            if solutions is not None:
                solutions.restore()
        except RigError as error:
            self.report({"WARNING"}, translated(str(error)))
        finally:
            self._end(context)

    def _find(self, context: bpy.types.Context) -> "Solutions":
        from ..rig.solutions import find_solutions

        armature = chosen_armature(context)
        assert armature is not None
        return find_solutions(context.scene, armature, self.count)

    def _step(self, context: bpy.types.Context, solutions: "Solutions", by: int) -> set[str]:
        try:
            solutions.show((solutions.shown or 0) + by)
        except RigError as error:
            self.report({"WARNING"}, translated(str(error)))
            _Browsing.solutions = None
            self._end(context)
            return {"CANCELLED"}
        self._tell(context)
        return {"RUNNING_MODAL"}

    def _finish(self, context: bpy.types.Context, solutions: "Solutions") -> set[str]:
        _Browsing.solutions = None
        self.index = solutions.shown or 0
        try:
            return self._keep(context, solutions)
        except RigError as error:
            self.report({"ERROR"}, translated(str(error)))
            return {"FINISHED"}
        finally:
            self._end(context)

    def _keep(self, context: bpy.types.Context, solutions: "Solutions") -> set[str]:
        bones = solutions.keep(context.scene, key=self.key)
        self.report({"INFO"}, _kept(solutions, bones))
        return {"FINISHED"}

    def _tell(self, context: bpy.types.Context) -> None:
        solutions = _Browsing.solutions
        if solutions is None:
            return
        keys = iface_("Wheel, Arrows: Next or Previous    Enter: Keep    Esc: Restore")
        context.workspace.status_text_set(f"{solution_text(solutions)}    {keys}")
        _redraw_sidebars(context)

    def _end(self, context: bpy.types.Context) -> None:
        if self._waiting is not None:
            self._waiting.close()
            self._waiting = None
        context.workspace.status_text_set(None)
        _redraw_sidebars(context)


class BIOIK_OT_step_solution(bpy.types.Operator):  # noqa: N801
    """Show the next or the previous of the poses that are being looked through"""  # noqa: D415

    bl_idname = "bioik.step_solution"
    bl_label = "Show Solution"
    bl_options = {"INTERNAL"}  # noqa: RUF012

    by: IntProperty(name="By", description="How many poses further", default=1)

    @classmethod
    def poll(cls, _context: bpy.types.Context) -> bool:
        """Whether poses are being looked through."""
        return _poll_browsing(cls)

    def execute(self, _context: bpy.types.Context) -> set[str]:
        """Show it."""
        solutions = _Browsing.solutions
        assert solutions is not None
        try:
            solutions.show((solutions.shown or 0) + self.by)
        except RigError as error:
            _Browsing.solutions = None
            self.report({"WARNING"}, translated(str(error)))
        return {"FINISHED"}


class BIOIK_OT_end_solutions(bpy.types.Operator):  # noqa: N801
    """Keep the pose that is shown, or restore the one that was there before"""  # noqa: D415

    bl_idname = "bioik.end_solutions"
    bl_label = "End Solutions"
    bl_options = {"UNDO", "INTERNAL"}  # noqa: RUF012

    keep: BoolProperty(name="Keep", description="Keep the pose that is shown", default=True)
    key: BoolProperty(
        name="Insert Keys",
        description="Key the bones that the pose moves, at the current frame",
        default=True,
    )

    @classmethod
    def poll(cls, _context: bpy.types.Context) -> bool:
        """Whether poses are being looked through."""
        return _poll_browsing(cls)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Keep or restore; the operator that shows the poses notices."""
        solutions, _Browsing.solutions = _Browsing.solutions, None
        assert solutions is not None
        try:
            if not self.keep:
                solutions.restore()
                return {"CANCELLED"}
            bones = solutions.keep(context.scene, key=self.key)
        except RigError as error:
            self.report({"ERROR"}, translated(str(error)))
            return {"CANCELLED"}
        self.report({"INFO"}, _kept(solutions, bones))
        return {"FINISHED"}


def solutions_problem(context: bpy.types.Context) -> str:
    """Why there are no poses to look for, with the way out; nothing if there are."""
    if _Browsing.solutions is not None:
        return "Keep or restore the pose that is shown first"
    return live_problem(context)


def solution_text(solutions: "Solutions") -> str:
    """Which pose is shown, and what it misses."""
    shown = solutions.shown or 0
    text = iface_("Solution {} of {}").format(shown + 1, len(solutions.poses))
    missed = solutions.poses[shown].missed
    if not missed:
        return f"{text}: {iface_('every goal reached')}"
    name, error = max(missed, key=lambda one: one[1].value)
    unit = iface_("degrees") if error.unit == "degrees" else error.unit
    return f"{text}: {name} {error.value:.3g} {unit}"


def _kept(solutions: "Solutions", bones: int) -> str:
    text = solution_text(solutions)
    return f"{text}, {rpt_('{} bones keyed').format(bones)}" if bones else text


def _poll_browsing(cls: type[bpy.types.Operator]) -> bool:
    browsing = _Browsing.solutions is not None
    return poll_problem(cls, "" if browsing else "Browse solutions first")


def _is_in_sidebar(context: bpy.types.Context, event: bpy.types.Event) -> bool:
    """Whether the mouse is over the sidebar of a 3D View."""
    for area in context.window.screen.areas if context.window else ():
        for region in area.regions if area.type == "VIEW_3D" else ():
            if (
                region.type == "UI"
                and region.x <= event.mouse_x < region.x + region.width
                and region.y <= event.mouse_y < region.y + region.height
            ):
                return True
    return False


def _redraw_sidebars(context: bpy.types.Context) -> None:
    for area in context.window.screen.areas if context.window else ():
        if area.type == "VIEW_3D":
            area.tag_redraw()
