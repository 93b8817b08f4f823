"""Presets on the command line: by name or as a file, with targets, and refusals."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import bpy
import pytest

import blender_bioik
from blender_bioik import cli
from blender_bioik.command_line.parser import BAD_ARGUMENTS
from blender_bioik.ui_state.preset_folder import FOLDER_VARIABLE

from .builders.preset_rigs import FRAMES, point, walking

pytestmark = pytest.mark.skipif(
    bool(bpy.app.binary_path), reason="inside a Blender the extension is registered once already"
)
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def scene_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with a person who walks past a drone, without goals or ground."""
    path = tmp_path_factory.mktemp("scene") / "walk.blend"
    bpy.ops.wm.read_factory_settings(use_empty=True)
    blender_bioik.register()
    walking()
    drone = bpy.data.objects.new("Drone", None)
    drone.location = (-1.5, -3.0, 1.4)
    bpy.context.scene.collection.objects.link(drone)
    bpy.context.scene.frame_set(3)
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    blender_bioik.unregister()
    return path


@pytest.fixture
def run(
    capfd: pytest.CaptureFixture[str],
    scene_file: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Run]:
    """Bakes the file with more words; gives exit code, output and errors."""
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "presets"))
    # Blender's own add-ons leave handlers behind that fail loudly once they are disabled.
    for handler in list(bpy.app.handlers.load_post):
        if handler.__module__.startswith(("pose_library", "rigify")):
            bpy.app.handlers.load_post.remove(handler)

    def call(*words: object) -> tuple[int, str, str]:
        capfd.readouterr()
        out = tmp_path / "out.blend"
        code = cli.main(["bake", str(scene_file), "-o", str(out), *map(str, words)])
        return code, *capfd.readouterr()

    yield call
    bpy.ops.wm.read_factory_settings(use_empty=True)


def saved(tmp_path: Path) -> Any:
    """The armature in the file that was written; call it while the extension is registered."""
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "out.blend"))
    return bpy.data.objects["Walker"]


def test_goals_of_a_preset_are_baked_on_the_given_file(run: Run, tmp_path: Path) -> None:
    code, out, err = run(
        *("--preset", "head look-at", "Fast Preview", "--set", "solver.evaluations=300"),
        *("--target", "Look At=Drone"),
    )
    assert code == 0, err
    assert out.splitlines()[-1].endswith("all goals reached")
    blender_bioik.register()
    rig = saved(tmp_path)
    (goal,) = rig.bioik.goals
    assert goal.target.name == "Drone"
    solver = rig.bioik.solver
    assert (solver.strategy, solver.evaluations) == ("LOCAL", 300)  # --set comes last
    assert bpy.context.scene.frame_current == 3  # as the file had it
    bpy.context.scene.frame_set(FRAMES)
    seen = goal.target.location - point(rig, "head")
    face = (rig.matrix_world @ rig.pose.bones["head"].matrix).to_3x3().col[2]
    blender_bioik.unregister()
    assert face.angle(seen) < 0.02


def test_a_hand_goes_to_the_target_of_its_preset(run: Run, tmp_path: Path) -> None:
    code, _, err = run("--preset", "hand on prop")
    assert code != 0
    assert 'The preset "Hand on Prop" needs targets for Grip: set them as' in err
    code, _, err = run("--preset", "hand on prop", "--target", "Grip=Drone")
    assert code == 0, err
    blender_bioik.register()
    rig = saved(tmp_path)
    grips = {goal.target for goal in rig.bioik.goals}
    blender_bioik.unregister()
    assert [grip.parent.name for grip in grips] == ["Drone"]


def test_mocap_clean_up_needs_no_ground(run: Run, tmp_path: Path) -> None:
    code, out, err = run("--preset", "mocap_clean_up")
    assert code == 0, err
    assert 'Added "Flat Floor" as ground at the clip\'s floor.' in out.splitlines()
    blender_bioik.register()
    grounds = [ground.object.name for ground in saved(tmp_path).bioik.feet.grounds]
    blender_bioik.unregister()
    assert grounds == ["Flat Floor"]


def test_a_preset_file_with_slots_that_the_rig_lacks(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "studio.json"
    path.write_text(
        '{"format": "blender_bioik preset", "version": 1, "kind": "GOALS", "name": "Studio",'
        ' "goals": [{"type": "POSITION", "slot": "hand.L", "stays": true, "name": "Hold",'
        ' "is_preference": true, "chain_top": ["upper_arm.L"]},'
        ' {"type": "POSITION", "slot": "front.L", "stays": true, "name": "Paw"}]}',
        encoding="utf-8",
    )
    code, out, err = run("--preset", path)
    assert code == 0, err
    assert '"Walker" has no front.L, so these were skipped: Paw.' in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["--preset", "Fly"],
            'There is no preset "Fly": choose one of .*Head Look-At.*Fast Preview',
        ),
        (["--preset", "fly.json"], 'There is no preset file "fly.json"'),
        (["--preset"], "expected at least one argument"),
        (
            ["--preset", "Head Look-At"],
            'targets for Look At: set them as --target "Look At=OBJECT"',
        ),
        (["--preset", "Stairs"], "has neither ground nor goals: set --ground"),
        (["--target", "Look At=Drone"], 'The presets have no target "Look At": they have none'),
        (["--preset", "Head Look-At", "--target", "Aim=Drone"], "choose one of Look At"),
        (["--preset", "Head Look-At", "--target", "Look At=Moon"], 'There is no object "Moon"'),
        (["--preset", "Head Look-At", "--target", "Look At"], "--target must be NAME=OBJECT"),
    ],
)
def test_bad_words_are_one_line(run: Run, tmp_path: Path, words: list[str], said: str) -> None:
    code, out, err = run(*words)
    assert (code, out) == (BAD_ARGUMENTS, "")
    (line,) = err.splitlines()
    assert re.search(said, line), line
    assert not (tmp_path / "out.blend").exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "line 1 is not valid JSON"),
        ('{"format": "blender_bioik preset", "version": 99}', "made by a newer Bio-IK"),
        ("[" * 10_000, "nested too deeply"),
        ('{"format": NaN}', "it contains NaN"),
    ],
)
def test_a_bad_file_is_reported_in_one_line_with_its_name(
    run: Run, tmp_path: Path, text: str, said: str
) -> None:
    path = tmp_path / "bad.json"
    path.write_text(text, encoding="utf-8")
    code, out, err = run("--preset", path)
    assert (code, out) == (BAD_ARGUMENTS, "")
    (line,) = err.splitlines()
    assert "bad.json" in line
    assert said in line
