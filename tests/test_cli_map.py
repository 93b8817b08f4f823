"""The command line's --map, on a file.

Tests of: command_line.map_parts.
"""

from __future__ import annotations

from pathlib import Path

import bpy
import pytest

import blender_bioik
import zoo
from blender_bioik import cli
from zoo.characters import variants

pytestmark = pytest.mark.skipif(
    bool(bpy.app.binary_path), reason="inside a Blender the extension is registered once already"
)
BODY = variants.meaningless(zoo.CHARACTERS["plain"]())


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Bones without names that crawl, on a floor."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    blender_bioik.register()
    built = zoo.build("nameless", "crawl")
    built.armature.name = "Someone"
    built.armature.bioik.bake.range = "SCENE"
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 12
    bpy.ops.mesh.primitive_plane_add(size=10)
    bpy.context.object.name = "Floor"
    path = tmp_path / "someone.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    blender_bioik.unregister()
    return path


def run(file: Path, *words: str) -> int:
    out = str(file.with_name("out.blend"))
    command = ["bake", str(file), "--armature", "Someone", "--ground", "Floor", "-o", out, *words]
    return int(cli.main(command))


def legs() -> list[str]:
    return [f"{leg.name}={','.join(map(BODY.named, leg.bones))}" for leg in BODY.legs]


def test_a_guess_is_refused_and_given_legs_are_not(
    file: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(file) == 1
    told = "".join(capfd.readouterr())
    assert "--map" in told
    assert BODY.named("thigh.L") in told
    assert run(file, "--map", *legs()) == 0


@pytest.mark.parametrize(
    ("word", "told"),
    [("fin.L=x", "thigh.L="), ("foot.L=nothing", "nothing"), ("foot.L", "SLOT=BONE")],
)
def test_unknown_parts_and_bones_are_named(
    file: Path, capfd: pytest.CaptureFixture[str], word: str, told: str
) -> None:
    assert run(file, "--map", word) == 2
    lines = "".join(capfd.readouterr())
    assert told in lines
    assert not file.with_name("out.blend").exists()
