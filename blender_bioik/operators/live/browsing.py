"""Browsing solutions: a search in the background, then keys and the mouse wheel."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import bpy
from bpy.app.translations import pgettext_iface as iface_
from bpy.app.translations import pgettext_rpt as rpt_

from ...rig.errors import RigError
from ...rig.source_shown import live_waits
from ...ui_state.browsed import Browsed, solution_text
from ...ui_state.chosen_armature import chosen_armature
from ..long_work import PASSED_EVENTS, LongWork, Steps

if TYPE_CHECKING:
    from ...rig.live.solutions import Search, Solutions
    from ...rig.reading import Reading

STEPS = {
    **dict.fromkeys(("WHEELDOWNMOUSE", "RIGHT_ARROW", "DOWN_ARROW"), 1),
    **dict.fromkeys(("WHEELUPMOUSE", "LEFT_ARROW", "UP_ARROW"), -1),
}
KEEP, GIVE_UP = {"RET", "NUMPAD_ENTER"}, {"ESC", "RIGHTMOUSE"}


class Browsing(LongWork):
    """An operator that searches for poses and lets the user browse them.

    Attributes:
        index: Index of the pose to keep.
        count: Number of poses to search for.
        key: Whether to insert keyframes for the kept pose.
    """

    index: int
    count: int
    key: bool
    preparing = "Preparing to search for poses"
    doing = "Searching for poses, start {done} of {total}"
    cancelled = "Pose search cancelled, nothing was changed"
    _waiting: Any = None

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Start the search; live solving is suspended until browsing ends."""
        with ExitStack() as waiting:
            waiting.enter_context(live_waits())
            result = super().invoke(context, event)
            if result == {"RUNNING_MODAL"}:
                self._waiting = waiting.pop_all()
        return result

    def steps(self, context: bpy.types.Context) -> Steps:
        """Read the frame, search in the background, and show the first pose."""
        from ...rig.live.solutions import searched

        return Steps(self._reading(context), searched, lambda *found: self._begin(context, *found))

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Continue the search; then show the next or previous pose, keep one, or restore."""
        if self._steps is not None:
            return self._search(context, event)
        solutions = Browsed.solutions
        if solutions is None:  # ended by a button in the panel
            self._leave(context)
            return {"CANCELLED"}
        if event.value == "PRESS" and event.type in STEPS and not _is_in_sidebar(context, event):
            return self._show_next(context, solutions, STEPS[event.type])
        if event.value == "PRESS" and event.type in KEEP:
            return self._finish(context, solutions)
        if event.value == "PRESS" and event.type in GIVE_UP:
            self.cancel(context)
            return {"CANCELLED"}
        self._tell(context)
        # Only navigation and the sidebar; other events could change the scene being solved.
        passed = event.type in PASSED_EVENTS or _is_in_sidebar(context, event)
        return {"PASS_THROUGH"} if passed else {"RUNNING_MODAL"}

    def cancel(self, context: bpy.types.Context) -> None:
        """Restore the pose; Blender also calls this when a file is opened."""
        super().cancel(context)
        solutions, Browsed.solutions = Browsed.solutions, None
        try:
            if solutions is not None:
                solutions.restore()
        except RigError as error:
            self.tell("WARNING", str(error))
        finally:
            self._leave(context)

    def _search(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Continue the search, and start browsing when it has found poses."""
        try:
            result = super().modal(context, event)
        except BaseException:
            self._leave(context)
            raise
        if result == {"FINISHED"}:
            self._tell(context)
            return {"RUNNING_MODAL"}
        if result == {"CANCELLED"}:
            self._leave(context)
        return result

    def _reading(self, context: bpy.types.Context) -> Reading[Search]:
        from ...rig.live.solutions import read_search

        armature = chosen_armature(context)
        assert armature is not None
        yield 0, 1
        return read_search(context.scene, armature, self.count)

    def _begin(self, context: bpy.types.Context, search: Search, found: Any) -> set[str]:
        from ...rig.live.solutions import solutions_of

        armature = chosen_armature(context)
        assert armature is not None
        solutions = solutions_of(armature, search, found)
        solutions.show(0)
        Browsed.solutions = solutions
        return {"FINISHED"}

    def _show_next(self, context: bpy.types.Context, solutions: Solutions, by: int) -> set[str]:
        try:
            solutions.show((solutions.shown or 0) + by)
        except RigError as error:
            self.tell("WARNING", str(error))
            Browsed.solutions = None
            self._leave(context)
            return {"CANCELLED"}
        self._tell(context)
        return {"RUNNING_MODAL"}

    def _finish(self, context: bpy.types.Context, solutions: Solutions) -> set[str]:
        Browsed.solutions = None
        self.index = solutions.shown or 0
        try:
            return self.keep_pose(context, solutions)
        except RigError as error:
            self.tell("ERROR", str(error))
            return {"FINISHED"}
        finally:
            self._leave(context)

    def keep_pose(self, context: bpy.types.Context, solutions: Solutions) -> set[str]:
        """Keep the current solution, and report it."""
        bones = solutions.keep(context.scene, key=self.key)
        self.report({"INFO"}, kept_text(solutions, bones))  # type: ignore[attr-defined]
        return {"FINISHED"}

    def _tell(self, context: bpy.types.Context) -> None:
        solutions = Browsed.solutions
        if solutions is None:
            return
        keys = iface_("Wheel, Arrows: Next or Previous    Enter: Apply    Esc: Restore")
        context.workspace.status_text_set(f"{solution_text(solutions)}    {keys}")
        _redraw_sidebars(context)

    def _leave(self, context: bpy.types.Context) -> None:
        if self._waiting is not None:
            self._waiting.close()
            self._waiting = None
        if context.workspace is not None:  # such as while a file is opened
            context.workspace.status_text_set(None)
        _redraw_sidebars(context)


def kept_text(solutions: Solutions, bones: int) -> str:
    """The solution that was kept, and the number of bones with keyframes."""
    text = solution_text(solutions)
    return f"{text}, {rpt_('keyframes on {} bones').format(bones)}" if bones else text


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
