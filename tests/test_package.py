import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

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


def test_importing_the_package_loads_neither_blender_nor_the_solver() -> None:
    # Blender imports it at every start.
    code = "import blender_bioik, blender_bioik.warm_up, sys; print(*sorted(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    loaded = set(run.stdout.split())

    assert "blender_bioik" in loaded, run.stderr
    assert not {"bpy", "numba", "numpy", "scipy", "blender_bioik.solver"} & loaded
