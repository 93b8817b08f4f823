"""The exit code of the tests is pytest's, whatever bpy does when Python ends."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import bpy
import pytest

pytestmark = pytest.mark.skipif(
    bool(bpy.app.binary_path), reason="inside Blender, scripts/test_in_blender.py ends the process"
)

# After this bpy 4.2 crashes when Python ends.
CRASHES_AT_EXIT = """
import bpy

def test_glTF(tmp_path):
    path = str(tmp_path / "cube.glb")
    bpy.ops.mesh.primitive_cube_add()
    bpy.ops.export_scene.gltf(filepath=path)
    bpy.ops.import_scene.gltf(filepath=path)
    bpy.app.handlers.load_post.append(print)
"""


@pytest.mark.parametrize(
    ("more", "code", "said"),
    [
        ("", 0, "1 passed"),
        ("def test_fails():\n    assert False\n", 1, "1 failed, 1 passed"),
    ],
)
def test_exit_code_is_pytests(tmp_path: Path, more: str, code: int, said: str) -> None:
    shutil.copy(Path(__file__).parent / "conftest.py", tmp_path)
    (tmp_path / "test_it.py").write_text(CRASHES_AT_EXIT + more)

    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", f"--rootdir={tmp_path}"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,  # bpy 4.5 hangs when it gets to end by itself
        check=False,
    )

    assert (run.returncode, said in run.stdout) == (code, True), run.stdout + run.stderr
