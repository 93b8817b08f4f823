import os
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

import blender_bioik

# Runs in a fresh interpreter, because another test may already have imported bpy into this one.
IMPORT_NUMERIC_MODULES = """
import importlib, pkgutil, sys
import blender_bioik

for part in pkgutil.iter_modules(blender_bioik.__path__, "blender_bioik."):
    if part.name.rpartition(".")[2] in ("solver", "motion", "goal_types", "presets"):
        package = importlib.import_module(part.name)
        for module in pkgutil.walk_packages(package.__path__, part.name + "."):
            importlib.import_module(module.name)
print(*sorted({"bpy", "mathutils"} & sys.modules.keys()))
"""


def test_numeric_modules_do_not_import_blender() -> None:
    run = subprocess.run(
        [sys.executable, "-c", IMPORT_NUMERIC_MODULES], capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stdout.split()) == (0, []), run.stderr


def test_environment_is_the_one_make_promised() -> None:
    stamp = Path(sys.prefix, ".installed")
    if not stamp.exists():
        pytest.skip("this environment was not made by `make test`")
    bpy = pytest.importorskip("bpy", reason="bpy is not importable", exc_type=ImportError)

    pins = [line for line in stamp.read_text().splitlines() if not line.startswith("#")]
    promised = dict(pin.split("==") for pin in pins)

    assert {name: metadata.version(name) for name in promised} == promised
    # The wheel's metadata and the Blender inside it are two things.
    assert bpy.app.version_string.split()[0] == promised["bpy"]


def make(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """What `make -n` says, without what a `make test` around this one hands down."""
    program = shutil.which("make")
    if program is None:
        pytest.skip("there is no make")
    handed_down = {"MAKEFLAGS", "MAKELEVEL", "MFLAGS", "PYTHON"}
    kept = {name: value for name, value in os.environ.items() if name not in handed_down}
    return subprocess.run(
        [program, "-n", *words],
        cwd=Path(blender_bioik.__file__).parents[1],
        env=kept | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def make_python(path: Path, script: str) -> str:
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize("target", ["test", "test-matrix", "demo", "extension", ".venv/.installed"])
def test_make_reports_the_problem_of_an_unsuitable_python(target: str, tmp_path: Path) -> None:
    shim = make_python(tmp_path / "shim", "echo 'command not found' >&2; exit 127")
    for python, problem in (
        ("/nonexistent", "/nonexistent does not run"),
        (str(tmp_path), f"{tmp_path} does not run"),
        (shim, f"{shim} does not run"),
        (make_python(tmp_path / "other", "echo 3.12; echo venv"), "other is Python 3.12"),
        (make_python(tmp_path / "bare", "echo 3.11; exit 1"), "bare has no venv"),
        ("", "none was found"),
    ):
        run = make(target, f"PYTHON={python}")
        (said,) = run.stderr.splitlines()

        assert (run.returncode, run.stdout) == (2, "")
        assert said.count("Python 3.11 or 3.13 is needed") == said.count(problem) == 1
        assert "set PYTHON=/path/to/it" in said


def test_make_reports_that_no_python_was_found(tmp_path: Path) -> None:
    run = make("lint", PATH=str(tmp_path))
    (said,) = run.stderr.splitlines()

    assert run.returncode == 2
    assert "Python 3.11 or 3.13 is needed, but none was found" in said


@pytest.mark.parametrize("target", ["help", "clean"])
def test_make_needs_no_python_to_help_and_to_clean(target: str) -> None:
    assert make(target, "PYTHON=/nonexistent").returncode == 0


def test_importing_the_package_loads_neither_blender_nor_the_solver() -> None:
    # Blender imports it at every start.
    code = "import blender_bioik, blender_bioik.warm_up, sys; print(*sorted(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    loaded = set(run.stdout.split())

    assert "blender_bioik" in loaded, run.stderr
    assert not {"bpy", "numba", "numpy", "scipy", "blender_bioik.solver"} & loaded
