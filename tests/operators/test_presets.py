"""The operators of presets, called by buttons and scripts.

Tests of: ui_state.preset_folder.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import pytest

from blender_bioik.operators.presets import BIOIK_OT_apply_preset
from blender_bioik.presets import preset_from_file
from blender_bioik.ui_state.preset_folder import FOLDER_VARIABLE, preset_store

from ..builders.preset_rigs import prop, standing
from ..builders.rigs import humanoid
from ..builders.snapshots import differences, file_data

LOOK = {"kind": "GOALS", "name": "Head Look-At"}
MINE = {"kind": "GOALS", "name": "Mine"}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's folder of presets, which is not there yet."""
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "presets"))
    return tmp_path / "presets"


@pytest.fixture
def rig() -> bpy.types.Object:
    return standing()


def names(kind: str = "GOALS") -> list[str]:
    return [entry.name for entry in preset_store().entries(kind) if not entry.bundled]


def test_a_set_up_is_added_or_replaces(rig: bpy.types.Object) -> None:
    assert bpy.ops.bioik.apply_preset(**LOOK) == {"FINISHED"}
    box = prop((0.3, -0.4, 1.1), (0.2, 0.2, 0.2))
    box.select_set(True)
    assert bpy.ops.bioik.apply_preset(kind="GOALS", name="Hand on Prop") == {"FINISHED"}
    box.select_set(False)
    assert len(rig.bioik.goals) == 3
    assert bpy.ops.bioik.apply_preset(**LOOK, mode="REPLACE") == {"FINISHED"}
    assert [goal.name for goal in rig.bioik.goals] == ["Look At"]


def test_goals_are_replaced_only_after_a_second_confirmation(rig: bpy.types.Object) -> None:
    bpy.ops.bioik.apply_preset(**LOOK, mode="REPLACE", add_targets=False)
    options = bpy.ops.bioik.apply_preset.get_rna_type().properties
    assert options["mode"].is_skip_save
    assert options["mode"].default == "ADD"
    assert options["add_targets"].is_skip_save


def test_a_click_applies_it_and_stays_on_the_screen(rig: bpy.types.Object) -> None:
    window = bpy.context.window
    before = window.screen if window else None
    assert bpy.ops.bioik.apply_preset("INVOKE_DEFAULT", **LOOK) == {"FINISHED"}
    assert len(rig.bioik.goals) == 1
    assert (window.screen if window else None) == before


def test_applying_can_be_undone_in_one_step(rig: bpy.types.Object) -> None:
    assert {"REGISTER", "UNDO"} == BIOIK_OT_apply_preset.bl_options


def test_the_selected_object_is_followed(rig: bpy.types.Object) -> None:
    drone = bpy.data.objects.new("Drone", None)
    bpy.context.scene.collection.objects.link(drone)
    drone.select_set(True)
    bpy.ops.bioik.apply_preset(**LOOK)
    assert rig.bioik.goals[0].target == drone


def test_a_saved_preset_can_be_applied_to_another_rig_and_removed(
    rig: bpy.types.Object, folder: Path
) -> None:
    bpy.ops.bioik.apply_preset(**LOOK)
    assert bpy.ops.bioik.save_preset(**MINE) == {"FINISHED"}
    assert names() == ["Mine"]
    other = humanoid("Other")
    assert bpy.ops.bioik.apply_preset(**MINE) == {"FINISHED"}
    assert other.bioik.goals[0].bone == "head"
    assert bpy.ops.bioik.remove_preset(**MINE) == {"FINISHED"}
    assert names() == []
    assert list(folder.iterdir()) == []


def test_the_name_field_is_cleared_after_saving(rig: bpy.types.Object) -> None:
    manager = bpy.context.window_manager
    usual = manager.bl_rna.properties["preset_name"].default
    manager.preset_name = "Mine"
    bpy.ops.bioik.save_preset(kind="SOLVER", name=manager.preset_name)
    assert manager.preset_name == usual


def test_files_go_out_and_come_in(rig: bpy.types.Object, tmp_path: Path) -> None:
    bpy.ops.bioik.apply_preset(**LOOK)
    bpy.ops.bioik.save_preset(**MINE)
    path = tmp_path / "out.json"
    assert bpy.ops.bioik.export_preset(**MINE, filepath=str(path)) == {"FINISHED"}
    assert preset_from_file(path) == preset_store().load("GOALS", "Mine")
    assert bpy.ops.bioik.import_preset(filepath=str(path)) == {"FINISHED"}
    assert names() == ["Mine", "Mine.001"]  # nothing is overwritten
    bundled = tmp_path / "bundled.json"
    bpy.ops.bioik.export_preset(**LOOK, filepath=str(bundled))
    assert bpy.ops.bioik.import_preset(filepath=str(bundled)) == {"FINISHED"}
    assert names() == ["Head Look-At.001", "Mine", "Mine.001"]


@pytest.mark.parametrize(
    ("operator", "options", "said"),
    [
        (
            "apply_preset",
            {"kind": "GOALS", "name": "Fly"},
            'There is no preset "Fly": choose another one.',
        ),
        ("save_preset", MINE, '"Walker" has no goals to save: add one first.'),
        ("save_preset", {"kind": "SOLVER", "name": "../x"}, '"../x" cannot be saved: '),
        (
            "save_preset",
            {"kind": "SOLVER", "name": "Fast Preview"},
            '"Fast Preview" is bundled with Bio-IK: choose another name.',
        ),
        ("remove_preset", LOOK, '"Head Look-At" is bundled with Bio-IK and cannot be removed.'),
        ("remove_preset", MINE, 'There is no preset "Mine": choose another one.'),
        ("import_preset", {"filepath": "missing.json"}, 'There is no preset file "missing.json": '),
        ("export_preset", {**LOOK, "filepath": "/dev/null/x.json"}, '"/dev/null/x.json" cannot be'),
    ],
)
def test_refusals_are_one_sentence_and_nothing_changes(
    rig: bpy.types.Object, operator: str, options: Any, said: str
) -> None:
    before = file_data()
    with pytest.raises(RuntimeError) as caught:
        getattr(bpy.ops.bioik, operator)(**options)
    (sentence,) = str(caught.value).strip().splitlines()
    assert sentence.startswith(f"Error: {said}")
    assert sentence.endswith(".")
    assert differences(before, file_data()) == []


def test_a_hostile_file_is_refused_by_name_and_not_kept(
    rig: bpy.types.Object, tmp_path: Path, folder: Path
) -> None:
    path = tmp_path / "hostile.json"
    path.write_text('__import__("os").system("touch pwned")', encoding="utf-8")
    with pytest.raises(RuntimeError, match=r"hostile\.json.*line 1 is not valid JSON"):
        bpy.ops.bioik.import_preset(filepath=str(path))
    assert not folder.exists()


def test_slots_that_a_rig_lacks_give_a_warning(capfd: pytest.CaptureFixture[str]) -> None:
    humanoid()
    assert bpy.ops.bioik.apply_preset(kind="GOALS", name="VR Trackers") == {"FINISHED"}
    assert 'Warning: "Rig" has no hand.L, hand.R, so these were skipped' in capfd.readouterr().out


@pytest.mark.parametrize("name", ["apply_preset", "save_preset"])
def test_without_an_armature_the_operator_is_refused_with_the_reason(name: str) -> None:
    operator = getattr(bpy.ops.bioik, name)
    assert not operator.poll()
    with pytest.raises(RuntimeError, match="Select an armature"):
        operator(**LOOK)


def test_a_tooltip_is_the_presets_description_or_its_problem(folder: Path) -> None:
    def tooltip(name: str) -> str:
        named = type("Named", (), {"kind": "SOLVER", "name": name})
        return BIOIK_OT_apply_preset.description(bpy.context, named)

    folder.mkdir()
    (folder / "broken.json").write_text("{", encoding="utf-8")
    assert tooltip("Fast Preview").startswith("Solves each frame independently")
    assert "line 1 is not valid JSON" in tooltip("broken.json")
