"""The popovers of presets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import pytest

from blender_bioik.panels.feet import BIOIK_PT_feet
from blender_bioik.panels.goals import BIOIK_PT_goals
from blender_bioik.panels.presets import (
    BIOIK_PT_feet_presets,
    BIOIK_PT_goal_presets,
    BIOIK_PT_solver_presets,
)
from blender_bioik.panels.solver import BIOIK_PT_solver
from blender_bioik.ui_state.preset_folder import FOLDER_VARIABLE

from ..builders.layouts import drawn
from ..builders.rigs import humanoid


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    humanoid()
    return tmp_path


def entries(cls: type[Any]) -> list[str]:
    """The presets that can be applied, as they are shown."""
    buttons = drawn(cls).named("operator")
    return [given["text"] for given in buttons if given["operator"] == "bioik.apply_preset"]


@pytest.mark.parametrize(
    ("panel", "popover"),
    [
        (BIOIK_PT_goals, BIOIK_PT_goal_presets),
        (BIOIK_PT_feet, BIOIK_PT_feet_presets),
        (BIOIK_PT_solver, BIOIK_PT_solver_presets),
    ],
)
def test_panels_have_a_button_for_theirs(panel: type[Any], popover: type[Any]) -> None:
    (button,) = drawn(panel, "draw_header_preset").named("popover")
    assert button["panel"] == popover.__name__
    assert button["icon"] == "PRESET"


def test_presets_are_listed_by_kind() -> None:
    assert entries(BIOIK_PT_solver_presets) == ["Fast Preview"]
    assert {"Walk on Terrain", "Stairs", "Mocap Clean-Up"} < set(entries(BIOIK_PT_feet_presets))
    assert {"Head Look-At", "VR Trackers"} < set(entries(BIOIK_PT_goal_presets))


def test_only_user_presets_can_be_removed() -> None:
    assert "bioik.remove_preset" not in drawn(BIOIK_PT_solver_presets).operators()
    bpy.ops.bioik.save_preset(kind="SOLVER", name="Mine")
    operators = drawn(BIOIK_PT_solver_presets).operators()
    assert operators == [
        "bioik.apply_preset",
        "bioik.apply_preset",
        "bioik.export_preset",
        "bioik.remove_preset",
        "bioik.save_preset",
        "bioik.import_preset",
    ]


def test_a_file_that_cannot_be_used_is_marked_and_can_be_removed(folder: Path) -> None:
    (folder / "broken.json").write_text("{", encoding="utf-8")
    shown = drawn(BIOIK_PT_solver_presets)
    marked = [given["text"] for given in shown.named("operator") if given.get("icon") == "ERROR"]
    assert marked == ["broken.json"]
    assert "bioik.export_preset" not in shown.operators()
    assert "bioik.remove_preset" in shown.operators()


def test_names_given_by_the_user_are_not_translated() -> None:
    bpy.ops.bioik.save_preset(kind="SOLVER", name="Mine")
    buttons = drawn(BIOIK_PT_solver_presets).named("operator")[:2]
    assert [given["translate"] for given in buttons] == [True, False]
