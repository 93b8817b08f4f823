"""The report kept on the armature: the same as the run's own, undone and saved with the keys.

Tests of: rig.report.stored_report.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import bpy
import pytest
from mathutils import Vector

from blender_bioik.operators.report import report_json
from blender_bioik.panels.report.report_view import report_view
from blender_bioik.rig.bake.bake import BakeOptions, bake
from blender_bioik.rig.feet.place_feet import place_feet

from ..builders.bakes import HAND, POINT, waving
from ..builders.files import new_file
from ..builders.placements import FEW_FRAMES, stepping


def stored(rig: bpy.types.Object) -> dict[str, Any]:
    content = json.loads(rig.bioik.bake.report)
    assert isinstance(content, dict)
    return content


def without_times(content: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in content.items() if name != "seconds"}


def test_a_bake_keeps_its_report() -> None:
    rig = waving()
    rig.bioik.goals[0].name = "hand"
    report = bake(bpy.context.scene, rig, BakeOptions(1, 9))
    assert stored(rig) == without_times(report.to_json())
    (goal,) = stored(rig)["goals"]
    assert (goal["name"], goal["unit"], goal["frames"], goal["reached"]) == ("hand", "mm", 9, 9)
    assert (stored(rig)["first_frame"], stored(rig)["last_frame"]) == (1.0, 9.0)


def test_a_report_has_the_errors_of_the_source() -> None:
    rig = waving()
    far = []
    for frame in range(1, 10):
        bpy.context.scene.frame_set(frame)
        tail = rig.matrix_world @ rig.pose.bones[HAND].tail
        far.append(1e3 * (tail - Vector(POINT)).length)
    bake(bpy.context.scene, rig, BakeOptions(1, 9))
    (goal,) = stored(rig)["goals"]
    assert goal["worst_before"] == pytest.approx(max(far), rel=1e-4)
    assert goal["mean_before"] == pytest.approx(sum(far) / 9, rel=1e-4)
    assert goal["worst"] < 0.2


def test_placing_feet_keeps_its_report_with_goals_before_and_after() -> None:
    rig = stepping()
    goal = rig.bioik.goals.add()
    goal.name, goal.type, goal.bone, goal.point = "look", "LOOK_AT", "head", (3.0, -1.0, 1.5)
    goal.axis = (0.0, 0.0, 1.0)
    report = place_feet(bpy.context.scene, rig, BakeOptions(1, 10))
    assert stored(rig) == without_times(report.to_json())
    assert stored(rig)["goals"][0]["worst_before"] > 10.0 * stored(rig)["goals"][0]["worst"]
    for foot in stored(rig)["feet"]:
        assert 1.0 <= foot["after"]["penetration_worst_frame"] <= 10.0


def test_undo_takes_the_report_back_with_the_keys() -> None:
    rig = waving()
    bpy.ops.ed.undo_push(message="Before")
    bpy.ops.bioik.bake("EXEC_DEFAULT", True, frame_start=1, frame_end=5)
    first = rig.bioik.bake.report
    bpy.ops.bioik.bake("EXEC_DEFAULT", True, frame_start=6, frame_end=9)
    assert bpy.data.objects["Rig"].bioik.bake.report != first
    bpy.ops.ed.undo()
    assert bpy.data.objects["Rig"].bioik.bake.report == first


def test_the_report_is_saved_with_the_file(tmp_path: Path) -> None:
    rig = stepping()
    bpy.ops.bioik.place_feet(**FEW_FRAMES)
    before = rig.bioik.bake.report
    path = str(tmp_path / "placed.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    new_file()
    bpy.ops.wm.open_mainfile(filepath=path)
    assert bpy.data.objects["Rig"].bioik.bake.report == before


def test_the_report_is_copied_as_json() -> None:
    rig = waving()
    assert not bpy.ops.bioik.copy_report.poll()
    with pytest.raises(RuntimeError, match="Bake goals or place feet first"):
        bpy.ops.bioik.copy_report()
    bpy.ops.bioik.bake(frame_start=1, frame_end=3)
    assert bpy.ops.bioik.copy_report() == {"FINISHED"}
    assert json.loads(report_json(rig)) == stored(rig)
    assert report_json(rig).count("\n") > 10


def test_a_button_goes_to_the_frame() -> None:
    waving()
    assert bpy.ops.bioik.go_to_frame(frame=17) == {"FINISHED"}
    assert bpy.context.scene.frame_current == 17


def test_what_was_stored_can_be_shown() -> None:
    rig = waving()
    bpy.ops.bioik.bake(frame_start=1, frame_end=9)
    view = report_view(rig.bioik.bake.report)
    assert view is not None
    assert (view.title, view.frames) == ("Bake Goals", "1 - 9")
    assert [number.label for number in view.goals[0].numbers] == ["Worst", "Mean"]
