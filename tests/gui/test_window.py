"""What `make test-gui` says where no window can be made."""

from __future__ import annotations

from pathlib import Path

import pytest

from gui import __main__ as gui
from gui import window


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine with neither Blender nor screen."""
    for name in ("BLENDER", "DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("BLENDER_GUI_ROOT", str(tmp_path / "nothing"))
    return tmp_path


def test_no_blender_is_not_run_and_no_failure(
    bare: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert gui.main() == 0
    assert capsys.readouterr().out.startswith("not run: there is no Blender")


def test_no_screen_is_not_run(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BLENDER", "/somewhere/blender")
    assert window.find() == (
        "there is no screen: DISPLAY is not set, and xvfb-run is not installed"
    )


def test_a_screen_is_used_as_it_is(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BLENDER", "/somewhere/blender")
    monkeypatch.setenv("DISPLAY", ":7")
    found = window.find()
    assert isinstance(found, window.Window)
    assert found.screen == ()
    assert found.environment()["DISPLAY"] == ":7"
    assert Path(found.environment()["BLENDER_USER_RESOURCES"]).is_relative_to(found.folder)
