"""Enabling and disabling live solving, and Blender's handlers that run it after changes.

Handlers that Blender calls at every change are registered only while an armature is solved live.
Those for undo and opened files are always registered, because undo may restore live solving. The
solver is imported on first use, so as not to delay Blender's start.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy
from bpy.app.handlers import persistent

from ...properties import BioIKGoal, BioIKRig, BioIKSolver
from ..errors import RigError
from ..source_shown import is_waiting
from .sessions import SESSIONS, live_session

if TYPE_CHECKING:
    from .live import LiveSession

# Property groups whose changes Blender reports only through its message bus.
WATCHED = (BioIKGoal, BioIKSolver, BioIKRig)


class _State:
    """Reasons not to solve, and the owner of the message subscriptions."""

    rendering = False
    undoing = False
    saving = False
    owner = object()


def begin_live(scene: bpy.types.Scene, armature: bpy.types.Object) -> LiveSession:
    """Solve an armature live from now on.

    Raises:
        RigError: It cannot be solved; nothing was changed.
    """
    from .live import LiveSession, restore_kept

    existing = live_session(armature)
    if existing is not None:
        return existing
    if armature.bioik.live.source:  # a copy of an armature that was solved live
        restore_kept(armature)
        bpy.context.view_layer.update()
    session = LiveSession(scene, armature)
    session.update(scene, bpy.context.evaluated_depsgraph_get())
    if session.problem:
        session.end()
        raise RigError(session.problem)
    SESSIONS[session.uid] = session
    _follow_sessions()
    return session


def end_live(armature: bpy.types.Object) -> None:
    """Leave an armature in the pose that it has without live solving."""
    session = SESSIONS.pop(armature.session_uid, None)
    if session is not None:
        session.end()
    _follow_sessions()


def register() -> None:
    """Follow undo and the opening of files."""
    for handlers, handler in _always():
        handlers.append(handler)


def unregister() -> None:
    """End all live solving and remove all handlers."""
    for session in SESSIONS.values():
        session.end()
    SESSIONS.clear()
    _follow_sessions()
    for handlers, handler in _always():
        handlers.remove(handler)


def _always() -> list[tuple[Any, Any]]:
    handlers = bpy.app.handlers
    return [
        (handlers.undo_pre, _before_undo),
        (handlers.redo_pre, _before_undo),
        (handlers.undo_post, _after_undo),
        (handlers.redo_post, _after_undo),
        (handlers.load_post, _after_load),
    ]


def _while_live() -> list[tuple[Any, Any]]:
    handlers = bpy.app.handlers
    return [
        (handlers.depsgraph_update_post, _after_update),
        (handlers.frame_change_pre, _before_frame),
        (handlers.frame_change_post, _after_frame),
        (handlers.save_pre, _before_save),
        (handlers.save_post, _after_save),
        (handlers.save_post_fail, _after_save),
        (handlers.render_init, _render_begins),
        (handlers.render_complete, _render_ends),
        (handlers.render_cancel, _render_ends),
    ]


def _follow_sessions() -> None:
    """Register handlers if there is something to solve, else remove them."""
    bpy.msgbus.clear_by_owner(_State.owner)
    for handlers, handler in _while_live():
        if handler in handlers:
            handlers.remove(handler)
        if SESSIONS:
            handlers.append(handler)
    for group in WATCHED if SESSIONS else ():
        bpy.msgbus.subscribe_rna(key=group, owner=_State.owner, args=(), notify=_goals_changed)
    _State.rendering = False


def _is_busy() -> bool:
    """Whether Blender is doing something that must see the animation alone."""
    return is_waiting() or _State.rendering or _State.undoing or _State.saving


def _can_solve(depsgraph: bpy.types.Depsgraph | None) -> bool:
    return not _is_busy() and depsgraph is not None and depsgraph.mode == "VIEWPORT"


def _after_update(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    if not _can_solve(depsgraph):
        return
    touched, keyed = set(), False
    for update in depsgraph.updates:
        touched.add(update.id.original.session_uid)
        keyed = keyed or isinstance(update.id, bpy.types.Action)
        _show_source_of_copy(update.id.original)
    solved = False
    for session in _sessions_of(scene):
        armature = session.find()
        if armature is None:
            continue
        if keyed:
            session.take_keys(scene.frame_current_final)
        own = {armature.session_uid, armature.data.session_uid}
        solved = session.update(scene, depsgraph, not own.isdisjoint(touched)) or solved
    if solved:
        _redraw()


def _show_source_of_copy(id_: bpy.types.ID) -> None:
    """Reset a copy of an armature that is solved live to its pose without live solving."""
    if not isinstance(id_, bpy.types.Object) or id_.type != "ARMATURE" or id_.library is not None:
        return
    if id_.bioik.live.owner not in (0, id_.session_uid):
        from .live import restore_kept

        restore_kept(id_)


def _before_frame(scene: bpy.types.Scene, *_: Any) -> None:
    # Channels without animation must not carry what was solved into the next frame.
    if not _is_busy():
        for session in _sessions_of(scene):
            session.show_source()


def _after_frame(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph | None = None) -> None:
    if depsgraph is not None and _can_solve(depsgraph):
        for session in _sessions_of(scene):
            session.enter_frame(scene, depsgraph)
        _redraw()


def _sessions_of(scene: bpy.types.Scene) -> list[LiveSession]:
    """The sessions of a scene; those whose armature or scene is gone end."""
    scenes = {scene.session_uid for scene in bpy.data.scenes}
    for session in list(SESSIONS.values()):
        if session.find() is None or session.scene_uid not in scenes:
            del SESSIONS[session.uid]
            session.end()
    if not SESSIONS:
        _follow_sessions()
    return [session for session in SESSIONS.values() if session.scene_uid == scene.session_uid]


def _goals_changed() -> None:
    """Request an evaluation of the scene and the goals, which Blender would not do by itself."""
    for session in SESSIONS.values():
        armature = session.find()
        if armature is not None:
            armature.update_tag(refresh={"DATA"})


def _before_save(*_: Any) -> None:
    """Files are saved without the solved pose."""
    _State.saving = True
    for session in SESSIONS.values():
        session.put_away()


def _after_save(*_: Any) -> None:
    _State.saving = False
    for session in SESSIONS.values():
        session.take_out()


def _render_begins(*_: Any) -> None:
    _State.rendering = True


def _render_ends(*_: Any) -> None:
    _State.rendering = False


@persistent
def _before_undo(*_: Any) -> None:
    _State.undoing = True
    for session in SESSIONS.values():
        session.forget()


@persistent
def _after_undo(*_: Any) -> None:
    """Match live solving to the state that undo has restored."""
    _State.undoing = False
    live = {
        object_.session_uid: object_
        for object_ in bpy.data.objects
        if object_.type == "ARMATURE" and object_.bioik.live.owner == object_.session_uid
    }
    for object_ in bpy.data.objects:
        _show_source_of_copy(object_)
    for uid in SESSIONS.keys() - live.keys():
        del SESSIONS[uid]
    for uid, armature in live.items():
        if uid in SESSIONS:
            SESSIONS[uid].resume(armature)
        else:
            from .live import LiveSession

            SESSIONS[uid] = LiveSession(bpy.context.scene, armature)
        armature.update_tag(refresh={"DATA"})
    _follow_sessions()


@persistent
def _after_load(*_: Any) -> None:
    """A newly opened file has no live solving, whatever state it was saved in."""
    _State.undoing = _State.rendering = _State.saving = False
    SESSIONS.clear()
    _follow_sessions()
    for object_ in bpy.data.objects:
        if object_.type == "ARMATURE" and object_.library is None and object_.bioik.live.source:
            from .live import restore_kept

            restore_kept(object_)


def _redraw() -> None:
    """Redraw sidebars to show the errors of goals."""
    for manager in bpy.data.window_managers:
        for window in manager.windows:
            for area in window.screen.areas:
                if area.type == "VIEW_3D":
                    area.tag_redraw()
