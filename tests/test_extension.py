"""The extension as a zip: its contents, and its life in a Blender with empty settings.

Tests of: kernel_cache, registration.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bpy
import pytest

from blender_bioik.kernel_cache import CACHE_VARIABLE

ROOT = Path(__file__).parent.parent
SESSION = Path(__file__).parent / "extension_session.py"
# What bpy.ops.bioik offers. Each of them is to be used in extension_session.py's use().
OPERATORS = [
    "add_contact",
    "add_goal",
    "add_ground",
    "add_part_bone",
    "apply_preset",
    "bake",
    "browse_solutions",
    "check_rig",
    "choose_levels",
    "choose_part",
    "clear_part",
    "clear_parts",
    "compare",
    "copy_report",
    "copy_settings",
    "delete_generated_keys",
    "duplicate_goal",
    "end_solutions",
    "export_preset",
    "find_contacts",
    "fit_length",
    "go_to_frame",
    "goals_from_constraints",
    "import_preset",
    "key_live_pose",
    "mirror_goal",
    "move_contact",
    "move_goal",
    "own_ground",
    "pick_armature",
    "place_feet",
    "rebake",
    "remove_contact",
    "remove_goal",
    "remove_ground",
    "remove_preset",
    "remove_quality",
    "remove_result",
    "reset_solver",
    "save_preset",
    "share_ground",
    "split_contact",
    "step_solution",
    "toggle_live",
    "update_overlay",
    "use_guess",
    "use_result_as_source",
]

pytestmark = pytest.mark.extension


def manifest() -> dict[str, Any]:
    return tomllib.loads((ROOT / "blender_manifest.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def extension_zip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The zip without wheels, which the environment has already."""
    folder = tmp_path_factory.mktemp("extension")
    command = [sys.executable, str(ROOT / "scripts" / "build_extension.py"), "--no-wheels"]
    command += ["--output", str(folder), "--stage", str(folder / "stage")]
    tool = Path(sys.modules["bl_pkg"].__file__ or "").parent / "cli" / "blender_ext.py"
    command += ["--blender-ext", str(tool)]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    (path,) = folder.glob("*.zip")
    return path


def blender(script: Path, *words: str) -> list[str]:
    """The command that runs a script in another Blender like this one."""
    if bpy.app.binary_path:
        options = ["--background", "--python-exit-code", "1", "--python"]
        return [bpy.app.binary_path, *options, str(script), "--", *words]
    # -P: the folder of the tests must not be searched for modules.
    return [sys.executable, "-P", str(script), *words]


def run_session(folder: Path, *words: str, **environment: str) -> dict[str, Any]:
    """What extension_session.py saw in a Blender with an empty user folder, and what it printed."""
    (folder / "user").mkdir()
    path, *purpose = words
    around = {name: value for name, value in os.environ.items() if name != CACHE_VARIABLE}
    done = subprocess.run(
        blender(SESSION, path, str(folder / "seen.json"), *purpose),
        cwd=folder,
        env=around | {"BLENDER_USER_RESOURCES": str(folder / "user")} | environment,
        capture_output=True,
        text=True,
        timeout=600,  # a guard against hanging at exit, far above what it takes
        check=False,
    )
    # Also the exit is part of it: a handler left registered crashes 4.2 and hangs 4.5 there.
    assert done.returncode == 0, done.stdout + done.stderr
    seen: dict[str, Any] = json.loads((folder / "seen.json").read_text(encoding="utf-8"))
    return seen | {"output": done.stdout + done.stderr}


@pytest.fixture(scope="module")
def life(extension_zip: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The whole life of the extension.

    Without numba: the checks are the same without compiling. test_warm_up.py compiles.
    """
    folder = tmp_path_factory.mktemp("life")
    return run_session(folder, str(extension_zip), BLENDER_BIOIK_NO_NUMBA="1")


def news(life: dict[str, Any], station: str) -> dict[str, set[str]]:
    """Additions at a station since before the installation, and removals."""
    before, now = life["before"], life[station]
    return {kind: set(now[kind]) ^ set(before[kind]) for kind in now if now[kind] != before[kind]}


def test_the_manifest_agrees_with_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found = manifest()

    assert (found["id"], found["version"]) == (project["name"], project["version"])
    assert found["license"] == [f"SPDX:{project['license']}"]


def test_what_the_build_appends_to_the_manifest_stays_out_of_its_permissions() -> None:
    appended = (ROOT / "blender_manifest.toml").read_text(encoding="utf-8") + "\nwheels = []\n"
    found = tomllib.loads(appended)

    assert set(found["permissions"]) == {"files"}
    assert found["wheels"] == []


def test_the_zip_holds_the_whole_package_and_nothing_else(extension_zip: Path) -> None:
    with zipfile.ZipFile(extension_zip) as archive:
        names = {name for name in archive.namelist() if not name.endswith("/")}
    package = ROOT / "blender_bioik"
    files = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.name != "py.typed"
    }

    assert names == files | {"blender_manifest.toml", "LICENSE"}


def test_enabling_adds_it_without_errors(life: dict[str, Any]) -> None:
    name = "bl_ext.user_default.blender_bioik"

    assert news(life, "enabled")["add-ons"] == {name}
    assert name in news(life, "enabled")["modules"]
    assert "WindowManager.bioik_note" in news(life, "enabled")["properties"]
    assert "Traceback" not in life["output"]


def test_enabling_does_not_load_the_solver(life: dict[str, Any]) -> None:
    # Blender enables it at every start, and would have to wait for numba.
    assert not [name for name in life["enabled"]["modules"] if "blender_bioik.solver" in name]


def test_it_works_without_numba_and_warns_once(life: dict[str, Any]) -> None:
    used = life["used"]

    assert used["refused"] == [False, False]
    assert used["results"] == ["FINISHED"] * (len(OPERATORS) - len(used["refused"]))
    assert used["goals"] == ["POSITION", "LOOK_AT"]
    # The bundled presets are in the zip; the user's are where updates leave them alone.
    (preset,) = map(Path, used["presets"])
    assert preset.parts[-5:] == (
        *(".user", "user_default", "blender_bioik", "presets"),
        "solver_mine_001.json",
    )
    assert used["actions"][1] == used["actions"][0] + "_bioik"
    assert used["distance"] < 1e-3
    assert used["contacts"] == [[1, 5]] * 6
    assert used["raised"] == pytest.approx(0.1, abs=2e-3)
    assert life["output"].count("without numba") == 1


def test_every_operator_was_used(life: dict[str, Any]) -> None:
    assert life["used"]["operators"] == OPERATORS


def test_kernels_are_kept_in_the_folder_that_blender_gives_it(
    extension_zip: Path, tmp_path: Path
) -> None:
    pytest.importorskip("numba", reason="numba is not importable", exc_type=ImportError)
    kernels = run_session(tmp_path, str(extension_zip), "compile")["used"]["kernels"]

    assert kernels
    for kernel in kernels:
        parts = ("extensions", ".user", "user_default", "blender_bioik", "kernels")
        assert Path(kernel).parts[:5] == parts


def test_disabling_leaves_nothing_behind_but_its_files(life: dict[str, Any]) -> None:
    # Python modules stay loaded after disabling, as those of any add-on do.
    assert set(news(life, "disabled")) == {"modules", "files"}


def test_enabling_again_gives_the_same_as_the_first_time(life: dict[str, Any]) -> None:
    first, again = news(life, "enabled"), news(life, "enabled again")

    assert {**again, "modules": None} == {**first, "modules": None}
    assert again["modules"] >= first["modules"]


def test_uninstalling_leaves_nothing_behind_at_all(life: dict[str, Any]) -> None:
    assert news(life, "uninstalled") == {}


def test_registration_that_fails_leaves_nothing_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import blender_bioik
    from blender_bioik import registration

    def fail() -> None:
        raise RuntimeError("not here")

    names = {"bl_idname": "bioik.accepted", "bl_label": "Accepted"}
    accepted = type("BIOIK_OT_accepted", (bpy.types.Operator,), names)
    failing = SimpleNamespace(register=fail, unregister=fail)
    before = set(dir(bpy.types)), set(dir(bpy.types.WindowManager)), set(dir(bpy.ops.bioik))
    monkeypatch.setattr(registration, "CLASSES", (*registration.CLASSES, accepted))
    monkeypatch.setattr(registration, "PARTS", (*registration.PARTS, failing))
    with pytest.raises(RuntimeError, match="not here"):
        blender_bioik.register()

    assert before == (
        set(dir(bpy.types)),
        set(dir(bpy.types.WindowManager)),
        set(dir(bpy.ops.bioik)),
    )
