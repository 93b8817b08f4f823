"""The whole demo, with small pictures."""

from __future__ import annotations

from pathlib import Path

import bpy
import pytest

from demo import course, pictures, run, things, walk


def test_demo_leaves_files_before_and_after_and_pictures(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run, "OUT", tmp_path / "out")
    monkeypatch.setattr(run, "WAY_FRAMES", (20, 60))
    monkeypatch.setattr(run, "GOAL_FRAMES", (1, 60))
    monkeypatch.setattr(run, "FILM_STEP", 12)
    for size in ("SHEET_CELL", "FILM_CELL", "PANORAMA"):
        monkeypatch.setattr(pictures, size, (48, 72))

    run.main()

    pictured = {"contact_sheet.png", "before_after.mp4", "goals_contact_sheet.png"}
    saved = {"before.blend", "after.blend", "goals.blend"}
    assert {path.name for path in (tmp_path / "out").iterdir()} == pictured | saved
    printed = capsys.readouterr().out
    assert "Planted feet within 3 mm of the ground in " in printed
    assert "Hold the lantern: reached" in printed
    assert str(tmp_path) in printed
    for name, played, last in (
        ("before.blend", walk.ACTION_NAME, course.LAST_FRAME),
        ("after.blend", f"{walk.ACTION_NAME}_bioik", course.LAST_FRAME),
        ("goals.blend", f"{walk.ACTION_NAME}_bioik", walk.LAST_FRAME),
    ):
        bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "out" / name))
        scene, walker = bpy.context.scene, bpy.data.objects["Walker"]
        assert (scene.frame_start, scene.frame_end) == (walk.FIRST_FRAME, last)
        assert walker.animation_data.action.name == played
        assert walk.ACTION_NAME in bpy.data.actions
        there = {"Hills", "Stairs"} if name != "goals.blend" else {things.DRONE_NAME, "Floor"}
        assert there <= set(bpy.data.objects.keys())
    bpy.ops.wm.read_factory_settings(use_empty=True)
