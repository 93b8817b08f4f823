"""The draw handler: registered only while the overlay is enabled in a workspace."""

from __future__ import annotations

import time
import traceback
from collections.abc import Iterator
from typing import Any

import bpy
from bpy.app.handlers import persistent

from ..rig.trace.trace import forget_traces, has_trace
from .drawing import draw_armatures, forget_drawn
from .elements import Look

# Paths whose keyframes were edited are updated after this time without further edits, seconds.
CALM_SECONDS = 0.3
# How long the list of the scene's armatures is cached, seconds: searching them is slow in
# scenes of many objects.
LIST_SECONDS = 1.0


class _State:
    """The handler and its state.

    Attributes:
        handle: Blender's handle of the draw handler, None if there is none.
        problem: Why the overlay disabled itself, empty if it did not.
        names: Names of the armatures with something to draw.
        listed: State and time the list was made from.
        edited: Identifiers of the actions whose keyframes were edited.
    """

    def __init__(self) -> None:
        self.handle: Any = None
        self.problem = ""
        self.names: list[str] = []
        self.listed: tuple[int, int] = (0, 0)
        self.listed_at = 0.0
        self.edited: set[int] = set()


_state = _State()


def is_drawing() -> bool:
    """Whether there is a draw handler."""
    return _state.handle is not None


def problem() -> str:
    """Why the overlay disabled itself, empty if it did not."""
    return _state.problem


def update_handler() -> None:
    """Add the draw handler if a workspace shows the overlay, else remove it."""
    wanted = any(workspace.bioik_overlay.show for workspace in bpy.data.workspaces)
    if wanted:
        _state.problem = ""
    if wanted and _state.handle is None:
        add = bpy.types.SpaceView3D.draw_handler_add
        _state.handle = add(_draw, (), "WINDOW", "POST_VIEW")
        bpy.app.handlers.depsgraph_update_post.append(_scene_updated)
    elif not wanted:
        _remove_handler()
    redraw_views()


def _remove_handler() -> None:
    if _state.handle is not None:
        bpy.types.SpaceView3D.draw_handler_remove(_state.handle, "WINDOW")
        _state.handle = None
        bpy.app.handlers.depsgraph_update_post.remove(_scene_updated)
        forget_drawn()


def redraw_views() -> None:
    """Redraw all 3D Viewports."""
    for manager in bpy.data.window_managers:
        for window in manager.windows:
            for area in window.screen.areas:
                if area.type == "VIEW_3D":
                    area.tag_redraw()


def register() -> None:
    """Handle files being loaded."""
    bpy.app.handlers.load_post.append(_file_loaded)


def unregister() -> None:
    """Remove the draw handler, regardless of the workspaces."""
    bpy.app.handlers.load_post.remove(_file_loaded)
    for timer in (_switch_off, _read_edited):
        if bpy.app.timers.is_registered(timer):
            bpy.app.timers.unregister(timer)
    _remove_handler()
    _state.__init__()  # type: ignore[misc]
    forget_traces()


def look_of(settings: Any, theme: Any) -> Look:
    """Visible elements, with the theme's colours where it defines them."""
    return Look(
        settings.goals,
        settings.soles,
        settings.footprints,
        settings.spans,
        settings.pelvis,
        settings.ghost,
        after=(*theme.bone_pose_active, 1.0),
        before=(*theme.bone_solid, 1.0),
        chosen=(*theme.object_active, 1.0),
        ghost_opacity=settings.ghost_opacity,
    )


@persistent
def _file_loaded(*_: Any) -> None:
    """Reset traces and follow the workspaces of the loaded file."""
    forget_traces()
    forget_drawn()
    update_handler()


@persistent
def _scene_updated(_scene: Any, depsgraph: bpy.types.Depsgraph) -> None:
    """Collect actions whose keyframes were edited."""
    if not depsgraph.id_type_updated("ACTION"):
        return
    changed = (update.id.original for update in depsgraph.updates)
    _state.edited |= {id_.session_uid for id_ in changed if isinstance(id_, bpy.types.Action)}
    if bpy.app.timers.is_registered(_read_edited):
        bpy.app.timers.unregister(_read_edited)
    bpy.app.timers.register(_read_edited, first_interval=CALM_SECONDS)


def _read_edited() -> None:
    from .paths import reread_traces

    edited, _state.edited = _state.edited, set()
    scenes = {window.scene for manager in bpy.data.window_managers for window in manager.windows}
    for scene in scenes:
        reread_traces(scene, edited)


def _draw() -> None:
    """Draw into a 3D Viewport. An error is printed once and disables the overlay."""
    context = bpy.context
    space = context.space_data
    if _state.problem or not _is_wanted(context, space):
        return
    try:
        settings, preferences = context.workspace.bioik_overlay, context.preferences
        draw_armatures(
            list(_armatures(context, space)),
            context.scene.frame_current_final,
            look_of(settings, preferences.themes[0].view_3d),
            settings.line_width * preferences.system.pixel_size,
        )
    except Exception as error:
        traceback.print_exc()
        _state.problem = f"{type(error).__name__}: {error}"
        # Handlers cannot be removed, nor properties set, while Blender draws.
        bpy.app.timers.register(_switch_off, first_interval=0.0)


def _is_wanted(context: bpy.types.Context, space: Any) -> bool:
    """Whether a view shows overlays, and this one."""
    workspace = context.workspace
    if space is None or space.type != "VIEW_3D" or workspace is None:
        return False
    return bool(space.overlay.show_overlays and workspace.bioik_overlay.show)


def _switch_off() -> None:
    why = _state.problem
    for workspace in bpy.data.workspaces:
        workspace.bioik_overlay.show = False
    _state.problem = why


def _armatures(context: bpy.types.Context, space: Any) -> Iterator[bpy.types.Object]:
    """Visible armatures of a view with something to draw."""
    for name in _names(context.scene):
        armature = bpy.data.objects.get(name)
        if (
            armature is not None
            and armature.type == "ARMATURE"
            and armature.mode != "EDIT"
            and armature.visible_get(view_layer=context.view_layer, viewport=space)
        ):
            yield armature


def _names(scene: bpy.types.Scene) -> list[str]:
    """Names of a scene's armatures with goals, contacts or a trace; cached."""
    made_of, now = (scene.session_uid, len(bpy.data.objects)), time.monotonic()
    if made_of != _state.listed or now - _state.listed_at > LIST_SECONDS:
        _state.names = [
            object_.name
            for object_ in scene.objects
            if object_.type == "ARMATURE" and _has_something(object_)
        ]
        _state.listed, _state.listed_at = made_of, now
    return _state.names


def _has_something(armature: bpy.types.Object) -> bool:
    rig = armature.bioik
    return bool(rig.goals or rig.feet.contacts or has_trace(armature))
