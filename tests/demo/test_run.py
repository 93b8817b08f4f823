"""The whole demo, with small pictures."""

from __future__ import annotations

from pathlib import Path

import pytest

bpy = pytest.importorskip("bpy", reason="bpy is not importable", exc_type=ImportError)

from demo import pictures, run, stage, walk  # noqa: E402


def test_demo_leaves_files_before_and_after_and_pictures(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run, "OUT", tmp_path / "out")
    monkeypatch.setattr(run, "SHEET_FRAMES", (1, 60))
    monkeypatch.setattr(run, "FILM_STEP", 12)
    for cell in ("SHEET_CELL", "FILM_CELL"):
        monkeypatch.setattr(pictures, cell, (48, 72))

    run.main()

    left = {path.name for path in (tmp_path / "out").iterdir()}
    assert left == {"before.blend", "after.blend", "contact_sheet.png", "before_after.mp4"}
    assert str(tmp_path) in capsys.readouterr().out
    for name in ("before.blend", "after.blend"):
        bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "out" / name))
        assert {stage.DRONE_NAME, stage.LANTERN_NAME, stage.BALL_NAME} <= set(
            bpy.data.objects.keys()
        )
        assert walk.ACTION_NAME in bpy.data.actions
        assert (bpy.context.scene.frame_start, bpy.context.scene.frame_end) == (1, 131)
    bpy.ops.wm.read_factory_settings(use_empty=True)
