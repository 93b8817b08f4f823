"""The README's Python examples run as they stand."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import bpy
import pytest

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), flags=re.DOTALL)
# Examples about an armature go on from one another, in Blender; the others stand alone.
IN_BLENDER = [source for source in EXAMPLES if "armature" in source]
ALONE = [source for source in EXAMPLES if "armature" not in source]

DEMO_SCENE = """
import blender_bioik, bpy
from demo import stage
built = stage.build()
bpy.data.objects["Floor"].name = "Terrain"
blender_bioik.register()
bpy.context.view_layer.objects.active = built.armature
"""


def test_the_readme_has_examples() -> None:
    assert len(ALONE) >= 2
    assert len(IN_BLENDER) >= 2


@pytest.mark.parametrize("source", ALONE)
def test_an_example_runs_and_reaches_its_goals(
    source: str, capsys: pytest.CaptureFixture[str]
) -> None:
    exec(compile(source, str(README), "exec"), {"__name__": "readme"})

    printed = capsys.readouterr().out
    assert "True" in printed
    assert "Stop.BUDGET" not in printed


@pytest.mark.skipif(
    bool(bpy.app.binary_path), reason="inside a Blender other Pythons have no bpy to run them with"
)
def test_the_examples_in_blender_bake_the_demo_scene() -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "\n".join([DEMO_SCENE, *IN_BLENDER, "blender_bioik.unregister()"]),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,  # a guard against hanging, far above what it takes
    )

    # Not the exit code: Python's end crashes with bpy 4.2 (see conftest.py).
    assert "Look at the drone: reached" in done.stdout, done.stdout + done.stderr
    assert 'bones to "Walk_bioik' in done.stdout
    assert "Planted feet within 3 mm of the ground in 131 of 131 frames" in done.stdout
