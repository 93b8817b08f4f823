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
    if part.name in ("blender_bioik.solver", "blender_bioik.motion"):
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

    promised = dict(line.split("==") for line in stamp.read_text().splitlines())

    assert {name: metadata.version(name) for name in promised} == promised
    # The wheel's metadata and the Blender inside it are two things.
    assert bpy.app.version_string.split()[0] == promised["bpy"]
