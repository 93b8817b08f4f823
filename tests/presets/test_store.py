"""The bundled presets and the user's folder."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from blender_bioik.presets import Preset, PresetError, Store, bundled_presets, preset_from_file
from blender_bioik.presets.store import write_preset

BUNDLED = {
    "Walk on Terrain": "FEET",
    "Run on Terrain": "FEET",
    "Stairs": "FEET",
    "Quadruped on Terrain": "FEET",
    "Mocap Clean-Up": "FEET",
    "Head Look-At": "GOALS",
    "Two-Hand Reach": "GOALS",
    "Hand on Prop": "GOALS",
    "Upper-Body Aim While Walking": "GOALS",
    "VR Trackers": "GOALS",
    "Robot Arm (Precise)": "GOALS",
    "Fast Preview": "SOLVER",
}


def fast(name: str = "Mine", kind: str = "SOLVER") -> Preset:
    return Preset(name, kind, solver={"seed": 3} if kind == "SOLVER" else {})


def names(store: Store, kind: str = "SOLVER") -> list[str]:
    return [entry.name for entry in store.entries(kind)]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "not" / "yet")


def test_all_bundled_presets_are_valid() -> None:
    found = {entry.name: entry for entry in bundled_presets()}
    assert [entry.problem for entry in found.values() if entry.problem] == []
    assert {name: entry.preset.kind for name, entry in found.items() if entry.preset} == BUNDLED
    for entry in found.values():
        assert entry.preset is not None
        assert entry.preset.description
        assert not entry.preset.description.endswith(".")


def test_bundled_settings_of_feet_can_be_switched_between() -> None:
    """Each sets what any of the others sets, so that nothing is left of the one before."""
    feet = [e.preset.feet for e in bundled_presets() if e.preset and e.preset.kind == "FEET"]
    assert len({frozenset(values) for values in feet}) == 1


def test_a_saved_preset_exists_until_it_is_removed(store: Store) -> None:
    before = names(store)
    store.save(fast())
    assert names(store) == [*before, "Mine"]
    assert store.load("SOLVER", "Mine") == fast()
    assert names(store, "FEET") == names(Store(Path("nowhere")), "FEET")
    store.remove("SOLVER", "Mine")
    assert names(store) == before
    with pytest.raises(PresetError, match='There is no preset "Mine"'):
        store.remove("SOLVER", "Mine")


def test_saving_under_the_same_name_takes_its_place(store: Store) -> None:
    store.save(fast())
    assert store.has_own("SOLVER", "Mine")
    other = Preset("Mine", "SOLVER", solver={"seed": 4})
    store.save(other)
    assert store.load("SOLVER", "Mine") == other
    assert len(list(store.folder.iterdir())) == 1


def test_names_that_differ_a_little_have_files_of_their_own(store: Store) -> None:
    for name in ("A-b", "A b", "a_b", "走る", "走_"):
        store.save(fast(name))
    assert {"A-b", "A b", "a_b", "走る", "走_"} < set(names(store))
    assert len(list(store.folder.iterdir())) == 5


@pytest.mark.parametrize("name", ["../../x", "/etc/x", "..", "", " x", "a\\b", "CON:", "x\0y"])
def test_no_name_leads_out_of_the_folder(store: Store, name: str) -> None:
    with pytest.raises(PresetError, match="is not a valid preset name"):
        store.save(fast(name))
    assert not store.folder.exists()


@pytest.mark.parametrize("name", ["con", "aux", "A.b", "x~1", "$HOME", "a;b"])
def test_odd_names_are_files_in_the_folder(store: Store, name: str) -> None:
    path = store.save(fast(name))
    assert path.parent == store.folder
    assert path.name.startswith("solver_")
    assert store.load("SOLVER", name).name == name


def test_bundled_ones_are_not_removed_or_overwritten(store: Store) -> None:
    with pytest.raises(
        PresetError, match='"Fast Preview" is bundled with Bio-IK and cannot be removed'
    ):
        store.remove("SOLVER", "Fast Preview")
    with pytest.raises(
        PresetError, match='"Fast Preview" is bundled with Bio-IK: choose another name'
    ):
        store.save(fast("fast preview"))
    assert "Fast Preview" in names(store)


def test_a_broken_file_is_shown_and_can_be_removed(store: Store) -> None:
    store.save(fast())
    (store.folder / "broken.json").write_text("{", encoding="utf-8")
    (store.folder / "notes.txt").write_text("{", encoding="utf-8")
    assert names(store)[-1] == "broken.json"
    with pytest.raises(PresetError, match=r"broken\.json.*line 1 is not valid JSON"):
        store.load("SOLVER", "broken.json")
    store.remove("SOLVER", "broken.json")
    assert names(store)[-1] == "Mine"


@pytest.mark.skipif(os.name != "posix", reason="links need rights here")
def test_a_link_that_leads_nowhere_hides_no_other_preset(store: Store) -> None:
    store.save(fast())
    (store.folder / "circle.json").symlink_to(store.folder / "circle.json")
    (store.folder / "nowhere.json").symlink_to(store.folder / "gone")
    assert "Mine" in names(store)


@pytest.mark.skipif(os.name != "posix", reason="links need rights here")
def test_saving_over_a_link_leaves_the_linked_file(store: Store, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere.json"
    write_preset(fast(), elsewhere)
    store.folder.mkdir(parents=True)
    (store.folder / "link.json").symlink_to(elsewhere)
    store.save(replace(fast(), description="Changed"))
    assert store.load("SOLVER", "Mine").description == "Changed"
    assert preset_from_file(elsewhere) == fast()


def test_a_file_that_changes_is_read_again(store: Store) -> None:
    path = store.save(fast())
    assert names(store)[-1] == "Mine"
    path.write_text(fast("Other name").to_json(), encoding="utf-8")
    assert names(store)[-1] == "Other name"


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    store = Store(tmp_path / "file")
    assert names(store) == ["Fast Preview"]
    with pytest.raises(PresetError, match="cannot be written"):
        store.save(fast())


def test_a_word_is_a_name_of_any_kind_a_file_name_or_a_file(store: Store, tmp_path: Path) -> None:
    store.save(fast())
    write_preset(fast("Exported"), tmp_path / "x.json")
    assert store.find("mine").name == "Mine"
    assert store.find("walk on terrain").name == store.find("walk_on_terrain").name
    assert store.find(str(tmp_path / "x.json")).name == "Exported"
    with pytest.raises(PresetError, match=r'no preset "Fly": choose one of .*Head Look-At.*Mine'):
        store.find("Fly")
    with pytest.raises(PresetError, match="There is no preset file"):
        store.find("fly.json")


def test_a_written_file_is_read_as_it_was(tmp_path: Path) -> None:
    for entry in bundled_presets():
        assert entry.preset is not None
        write_preset(entry.preset, tmp_path / "again.json")
        assert preset_from_file(tmp_path / "again.json") == entry.preset
    assert [path.name for path in tmp_path.iterdir()] == ["again.json"]
