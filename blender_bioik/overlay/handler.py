"""The draw handler: there while the overlay is on in some workspace, and only then."""

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

# Paths whose keys were edited are read anew when nothing has followed for this time, seconds.
CALM_SECONDS = 0.3
# How long the list of the scene's armatures is used, seconds: looking for them takes a while in
# scenes of many objects.
LIST_SECONDS = 1.0


class _State:
    """The handler, and what it has found.

    Attributes:
        handle: Blender's handle of the draw handler, None while there is none.
        problem: Why the overlay was switched off by itself, empty if it was not.
        names: Names of the armatures that have something to be shown.
        listed: What the list was made of, and when.
        edited: Numbers of the actions whose keys were edited.
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
    """Why the overlay has switched itself off, empty if it has not."""
    return _state.problem


def update_handler() -> None:
    """Have a draw handler if some workspace shows the overlay, and none otherwise."""
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
    """Have all 3D Views drawn again."""
    for manager in bpy.data.window_managers:
        for window in manager.windows:
            for area in window.screen.areas:
                if area.type == "VIEW_3D":
                    area.tag_redraw()


def register() -> None:
    """Follow the files that are loaded."""
    bpy.app.handlers.load_post.append(_file_loaded)


def unregister() -> None:
    """Take the draw handler away, whatever the workspaces say."""
    bpy.app.handlers.load_post.remove(_file_loaded)
    for timer in (_switch_off, _read_edited):
        if bpy.app.timers.is_registered(timer):
            bpy.app.timers.unregister(timer)
    _remove_handler()
    _state.__init__()  # type: ignore[misc]
    forget_traces()


def look_of(settings: Any, theme: Any) -> Look:
    """What is shown, in the colours of the theme where it has some for it."""
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
    """Traces are of another file, and so is what workspaces say."""
    forget_traces()
    forget_drawn()
    update_handler()


@persistent
def _scene_updated(_scene: Any, depsgraph: bpy.types.Depsgraph) -> None:
    """Note which keys were edited."""
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
    """Draw into a 3D View. An error is told once, and switches the overlay off."""
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
        # Blender does not like handlers to be removed and properties to be set while it draws.
        bpy.app.timers.register(_switch_off, first_interval=0.0)


def _is_wanted(context: bpy.types.Context, space: Any) -> bool:
    """Whether the overlay is on in a view, and overlays are."""
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
    """Armatures that are visible in a view and have something to be shown."""
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
    """Names of a scene's armatures with goals, contacts or a trace; not looked for too often."""
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
