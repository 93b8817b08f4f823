"""The overlay in Blender: when there is a draw handler, and how it ends.

Tests of: settings, operators.overlay.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import pytest

import blender_bioik
from blender_bioik.overlay import handler
from blender_bioik.overlay.elements import Look
from blender_bioik.rig.trace.trace import trace_of

from ..builders.files import new_file
from ..builders.rigs import humanoid

pytestmark = pytest.mark.skipif(
    not bpy.app.background, reason="in a window Blender draws by itself meanwhile"
)


def settings() -> Any:
    return bpy.context.workspace.bioik_overlay


def other_settings() -> Any:
    """Those of a workspace that is not shown."""
    others = (w for w in bpy.data.workspaces if w != bpy.context.workspace)
    return next(others).bioik_overlay


def walker(name: str = "Rig") -> bpy.types.Object:
    """A person with a clip and a contact."""
    rig = humanoid(name)
    for frame in (1, 9):
        rig.pose.bones["hips"].keyframe_insert("location", frame=frame)
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 9
    contact = rig.bioik.feet.contacts.add()
    contact.foot, contact.frame_start, contact.frame_end = "leg.L", 2, 6
    return rig


def draw() -> None:
    """Call the handler as a 3D View does."""
    window = bpy.context.window_manager.windows[0]
    area = next(area for area in window.screen.areas if area.type == "VIEW_3D")
    with bpy.context.temp_override(window=window, area=area):
        handler._draw()


def visible() -> list[str]:
    """Names of the armatures that are drawn."""
    window = bpy.context.window_manager.windows[0]
    area = next(area for area in window.screen.areas if area.type == "VIEW_3D")
    handler._state.listed_at = 0.0
    with bpy.context.temp_override(window=window, area=area):
        return [rig.name for rig in handler._armatures(bpy.context, area.spaces.active)]


def test_it_is_off_at_first_and_has_no_handler() -> None:
    assert not settings().show
    assert not handler.is_drawing()


def test_there_is_one_handler_while_some_workspace_shows_it() -> None:
    settings().show = True
    handle = handler._state.handle
    other_settings().show = True
    assert handler._state.handle is handle

    settings().show = False
    assert handler.is_drawing()
    other_settings().show = False
    assert not handler.is_drawing()


def test_the_overlay_is_removed_and_restored_with_the_extension() -> None:
    settings().show = True
    blender_bioik.unregister()
    assert not handler.is_drawing()
    blender_bioik.register()


def test_a_file_is_loaded_with_what_it_shows(tmp_path: Path) -> None:
    rig = walker()
    settings().show = True
    assert trace_of(rig) is not None
    path = str(tmp_path / "shown.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)

    new_file()
    assert not handler.is_drawing()
    bpy.ops.wm.open_mainfile(filepath=path)
    assert handler.is_drawing()
    # Traces are of the session: they are read again when asked for.
    rig = bpy.data.objects["Rig"]
    assert trace_of(rig) is None
    bpy.context.view_layer.objects.active = rig
    assert bpy.ops.bioik.update_overlay() == {"FINISHED"}
    assert trace_of(rig) is not None


def test_undo_does_not_switch_it() -> None:
    bpy.ops.ed.undo_push(message="one")
    settings().show = True
    bpy.ops.ed.undo_push(message="two")
    bpy.ops.ed.undo()
    assert settings().show
    assert handler.is_drawing()


def test_switching_it_on_reads_paths_but_steps_through_no_frames() -> None:
    plain, constrained = walker("Plain"), walker("Constrained")
    constrained.pose.bones["head"].constraints.new("LIMIT_SCALE")

    settings().show = True

    assert trace_of(plain) is not None
    assert trace_of(constrained) is None


def test_an_error_is_reported_once_and_switches_it_off(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> None:
        raise ValueError("a bug")

    monkeypatch.setattr(handler, "draw_armatures", broken)
    settings().show = True
    draw()
    draw()

    assert capsys.readouterr().err.count("Traceback") == 1
    assert handler.problem()
    handler._switch_off()  # what a timer does once Blender has drawn
    bpy.app.timers.unregister(handler._switch_off)
    assert not settings().show
    assert not handler.is_drawing()
    assert handler.problem()

    settings().show = True
    assert handler.is_drawing()
    assert not handler.problem()


def test_paths_follow_keys_that_were_edited_and_keep_their_source() -> None:
    rig = walker()
    settings().show = True
    before = trace_of(rig)
    assert before is not None
    rig.pose.bones["hips"].location = (0.0, 0.0, 2.0)
    rig.pose.bones["hips"].keyframe_insert("location", frame=9)
    bpy.context.view_layer.update()

    assert bpy.app.timers.is_registered(handler._read_edited)
    bpy.app.timers.unregister(handler._read_edited)
    handler._read_edited()  # what the timer does once nothing has followed

    after = trace_of(rig)
    assert after is not None
    assert abs(after.pelvis[-1] - before.pelvis[-1]).max() == pytest.approx(2.0)
    assert after.ghost is before.ghost


def test_nothing_is_watched_while_it_is_off() -> None:
    watching = bpy.app.handlers.depsgraph_update_post
    before = len(watching)
    settings().show = True
    assert len(watching) == before + 1
    settings().show = False
    assert len(watching) == before


def test_nothing_is_drawn_where_overlays_are_hidden() -> None:
    settings().show = True
    window = bpy.context.window_manager.windows[0]
    space = next(a for a in window.screen.areas if a.type == "VIEW_3D").spaces.active
    space.overlay.show_overlays = False
    draw()
    assert not handler.problem()


def test_nothing_is_drawn_in_workspaces_that_do_not_show_it() -> None:
    other_settings().show = True
    draw()
    assert not handler.problem()


def test_all_visible_armatures_with_something_to_show_are_drawn() -> None:
    first, second = walker("First"), walker("Second")
    humanoid("Empty")
    assert visible() == ["First", "Second"]

    first.hide_set(True)
    assert visible() == ["Second"]
    second.hide_viewport = True
    assert visible() == []
    first.hide_set(False)
    bpy.context.view_layer.objects.active = first
    bpy.ops.object.mode_set(mode="EDIT")
    assert visible() == []


def test_armatures_that_were_removed_or_renamed_do_no_harm() -> None:
    walker("First")
    second = walker("Second")
    assert visible() == ["First", "Second"]
    bpy.data.objects.remove(bpy.data.objects["First"])
    second.name = "Other"
    assert visible() == ["Other"]


def test_the_look_has_colours_of_the_theme() -> None:
    theme = bpy.context.preferences.themes[0].view_3d
    settings().spans = False
    settings().ghost_opacity = 0.3

    look = handler.look_of(settings(), theme)

    assert isinstance(look, Look)
    assert look.after == (*theme.bone_pose_active, 1.0)
    assert (look.spans, look.pelvis, look.ghost_opacity) == (False, True, pytest.approx(0.3))


def test_updating_is_refused_with_the_reason() -> None:
    with pytest.raises(RuntimeError, match="Select an armature"):
        bpy.ops.bioik.update_overlay()
    rig = walker()
    rig.data.pose_position = "REST"
    bpy.ops.object.mode_set(mode="EDIT")
    with pytest.raises(RuntimeError, match="Edit Mode"):
        bpy.ops.bioik.update_overlay()
