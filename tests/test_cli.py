"""The command line: arguments, results, messages and exit codes.

Tests of: command_line.answer, command_line.bake, command_line.bake_frames,
command_line.blender_command,
command_line.chosen_bake, command_line.parser, command_line.progress,
command_line.report_file, rig.blender.silence, rig.blender.file_operators.
"""

from __future__ import annotations

import json
import math
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import bpy
import pytest

import blender_bioik
from blender_bioik import cli
from blender_bioik.command_line.parser import BAD_ARGUMENTS, DONE
from blender_bioik.rig.blender import fcurves
from demo import character, ground, walk
from demo.gait import CYCLE_FRAMES, FPS

from .builders.exports import export_gltf, without_animation, without_skin
from .builders.rigs import humanoid, key_randomly
from .builders.snapshots import data_of, differences

ROOT = Path(__file__).parent.parent
HAND, POINT = "forearm.L", (0.35, -0.25, 1.55)
pytestmark = pytest.mark.skipif(
    bool(bpy.app.binary_path), reason="inside a Blender the extension is registered once already"
)


@pytest.fixture(scope="module")
def scene_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with a waving person whose left hand has a goal, a floor, and a group of stones."""
    path = tmp_path_factory.mktemp("scene") / "wave.blend"
    bpy.ops.wm.read_factory_settings(use_empty=True)
    blender_bioik.register()
    rig = humanoid()
    rig.name = "Person"
    key_randomly(rig, [1, 10, 20], scaled=False)
    goal = rig.bioik.goals.add()
    goal.type, goal.bone, goal.head_tail, goal.point = "POSITION", HAND, 1.0, POINT
    goal.chain_length = 0  # up to the root
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 20
    bpy.ops.mesh.primitive_plane_add(size=10)
    bpy.context.object.name = "Floor"
    scene.collection.children.link(bpy.data.collections.new("Stones"))
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    blender_bioik.unregister()
    return path


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Iterator[Callable[..., tuple[int, str, str]]]:
    """Runs the command here; gives exit code, output and errors."""
    # Blender's own add-ons leave handlers behind that fail loudly once they are disabled.
    for handler in list(bpy.app.handlers.load_post):
        if handler.__module__.startswith(("pose_library", "rigify")):
            bpy.app.handlers.load_post.remove(handler)

    def call(*words: object) -> tuple[int, str, str]:
        capfd.readouterr()
        code = cli.main([str(word) for word in words])
        return code, *capfd.readouterr()

    yield call
    # What the command opens has been saved with properties that are now unknown.
    bpy.ops.wm.read_factory_settings(use_empty=True)


def process(*words: object) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "blender_bioik", *map(str, words)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,  # a guard against hanging at exit
        check=False,
    )


def baked_keys(path: Path, name: str = "Person") -> dict[tuple[str, int], Any]:
    """Every key of the armature's action in a file."""
    bpy.ops.wm.open_mainfile(filepath=str(path))
    container = fcurves.assigned_container(bpy.data.objects[name])
    assert container is not None
    return {
        (curve.data_path, curve.array_index): [tuple(key.co) for key in curve.keyframe_points]
        for curve in container.fcurves
    }


def hand_distance(frame: int) -> float:
    """How far the hand is from its goal in the open file, by Blender's own pose."""
    bpy.context.scene.frame_set(frame)
    rig = bpy.data.objects["Person"]
    tail = rig.matrix_world @ rig.pose.bones[HAND].tail
    return float((tail - type(tail)(POINT)).length)


def test_a_bake_prints_only_its_report_with_the_summary_last(
    scene_file: Path, tmp_path: Path
) -> None:
    out, report = tmp_path / "out.blend", tmp_path / "report.json"
    done = process("bake", scene_file, "-o", out, "--report", report)

    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0].startswith('20 frames baked on 4 bones to "')
    assert lines[-1].endswith("all goals reached")
    assert len(lines) == 3  # with one for the goal
    assert json.loads(report.read_text())["frames"] == 20
    assert out.stat().st_size > 0


def test_an_unusual_size_is_told_apart_from_the_report(
    run: Callable[..., tuple[int, str, str]], scene_file: Path, tmp_path: Path
) -> None:
    bpy.ops.wm.open_mainfile(filepath=str(scene_file))
    bpy.data.objects["Person"].scale = (100.0, 100.0, 100.0)
    large = tmp_path / "large.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(large))

    code, _, errors = run("bake", large, "-o", tmp_path / "out.blend")

    assert code == DONE
    assert 'Good to know: "Person" is 147 m in size' in errors
    assert errors.strip().endswith("scale it and the ground by 0.01 if its unit is wrong.")


@pytest.mark.skipif(sys.platform == "win32", reason="C's printf has another library there")
def test_what_is_silenced_does_not_come_out_later() -> None:
    code = """
import ctypes, os
from blender_bioik.rig.blender.silence import STDOUT, silenced
libc = ctypes.CDLL(None)
print("before")
libc.printf(b"from C, before\\n")
with silenced(STDOUT):
    print("noise")
    libc.printf(b"noise from C\\n")
    os.system("echo noise of another process")
print("after")
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert sorted(done.stdout.splitlines()) == ["after", "before", "from C, before"], done.stderr


def test_bad_arguments_are_one_line_and_no_tracebacks(tmp_path: Path) -> None:
    (tmp_path / "broken.blend").write_text("hello")
    done = process("bake", tmp_path / "broken.blend", "-o", tmp_path / "out.blend")

    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert "broken.blend" in line


def test_without_bpy_help_works_and_a_bake_names_the_missing_module(scene_file: Path) -> None:
    code = "import sys; sys.modules['bpy'] = None; from blender_bioik.cli import main; "
    code += "sys.exit(main(sys.argv[1:]))"
    bake, usage = (
        subprocess.run(
            [sys.executable, "-c", code, "bake", *words],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        for words in ((str(scene_file), "-o", "out.blend"), ("--help",))
    )

    assert (bake.returncode, bake.stdout) == (1, "")
    (line,) = bake.stderr.splitlines()
    assert "pip install bpy" in line
    assert (usage.returncode, usage.stderr) == (0, "")
    assert "--ground" in usage.stdout


def test_the_result_is_saved_and_the_source_file_stays(
    run: Any, scene_file: Path, tmp_path: Path
) -> None:
    before = scene_file.read_bytes()
    code, out, _ = run("bake", scene_file, "-o", tmp_path / "out.blend")

    assert code == 0, out
    assert scene_file.read_bytes() == before
    assert len(baked_keys(tmp_path / "out.blend")) > 0
    assert max(hand_distance(frame) for frame in range(1, 21)) < 1e-3


def test_the_same_file_twice_gives_the_same_keys(
    run: Any, scene_file: Path, tmp_path: Path
) -> None:
    results = []
    for number in range(2):
        run("bake", scene_file, "-o", tmp_path / f"{number}.blend", "--seed", 3)
        results.append(baked_keys(tmp_path / f"{number}.blend"))

    assert results[0] == results[1]


def test_the_current_frame_and_selection_of_the_file_do_not_matter(
    run: Any, scene_file: Path, tmp_path: Path
) -> None:
    bpy.ops.wm.open_mainfile(filepath=str(scene_file))
    bpy.context.scene.frame_set(13)
    bpy.ops.object.select_all(action="DESELECT")
    bpy.context.view_layer.objects.active = bpy.data.objects["Floor"]
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "other.blend"))
    for path in (scene_file, tmp_path / "other.blend"):
        run("bake", path, "-o", tmp_path / f"baked_{path.name}")

    assert baked_keys(tmp_path / "baked_other.blend") == baked_keys(
        tmp_path / f"baked_{scene_file.name}"
    )


def test_the_output_may_replace_the_input_if_allowed_explicitly(
    run: Any, scene_file: Path, tmp_path: Path
) -> None:
    path = tmp_path / "same.blend"
    path.write_bytes(scene_file.read_bytes())
    code, *_ = run("bake", path, "-o", path)

    baked_keys(path)
    assert code == 0
    assert hand_distance(5) < 1e-3


@pytest.mark.parametrize(
    ("output", "action", "tracks"),
    [("new", "PersonAction_bioik", 0), ("in-place", "PersonAction", 0), ("additive", None, 2)],
)
def test_where_the_keys_go(
    run: Any, scene_file: Path, tmp_path: Path, output: str, action: str | None, tracks: int
) -> None:
    code, out, err = run("bake", scene_file, "-o", tmp_path / "out.blend", "--output", output)
    assert code == 0, out + err
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "out.blend"))
    data = bpy.data.objects["Person"].animation_data

    # The action was made while the armature still had its first name.
    found = data.action.name.replace("Rig", "Person") if data.action else None
    assert (found, len(data.nla_tracks)) == (action, tracks)


@pytest.mark.parametrize("output", ["new", "in-place", "additive"])
def test_baked_again_it_starts_from_the_source(
    run: Any, scene_file: Path, tmp_path: Path, output: str
) -> None:
    once, again = tmp_path / "once.blend", tmp_path / "again.blend"
    for scene, out in ((scene_file, once), (once, again)):
        code, told, err = run("bake", scene, "-o", out, "--output", output)
        assert code == 0, told + err
    kept = []
    for path in (once, again):
        bpy.ops.wm.open_mainfile(filepath=str(path))
        names = sorted(action.name for action in bpy.data.actions)
        kept.append((names, {action.name: data_of(action) for action in bpy.data.actions}))
    assert kept[0][0] == kept[1][0]
    assert differences(kept[0][1], kept[1][1]) == []


def test_frames_are_those_given(run: Any, scene_file: Path, tmp_path: Path) -> None:
    code, out, _ = run("bake", scene_file, "-o", tmp_path / "out.blend", "--frames", 5, 8)

    assert code == 0
    assert out.splitlines()[-1].startswith("4 frames")


def test_frames_are_the_preview_range_where_that_is_on(
    run: Any, scene_file: Path, tmp_path: Path
) -> None:
    bpy.ops.wm.open_mainfile(filepath=str(scene_file))
    scene = bpy.context.scene
    scene.use_preview_range, scene.frame_preview_start, scene.frame_preview_end = True, 2, 4
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "preview.blend"))
    words = "bake", tmp_path / "preview.blend", "-o", tmp_path / "out.blend"
    _, out, _ = run(*words, "--scene-frames")
    assert out.splitlines()[-1].startswith("3 frames")
    _, out, _ = run(*words)
    assert not out.splitlines()[-1].startswith("3 frames")


def test_settings_are_changed_before_the_bake_and_saved(
    run: Any, scene_file: Path, tmp_path: Path
) -> None:
    words = ["--set", "solver.strategy=local", "smoothness=0.5", "--set", "use_limits=off"]
    words += ["pelvis_tilt=30", "feet.step_up=0.25"]
    code, out, err = run(
        "bake", scene_file, "-o", tmp_path / "out.blend", *words, "--seed", 7, "--frames", 1, 3
    )
    assert code == 0, out + err
    blender_bioik.register()
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "out.blend"))
    rig = bpy.data.objects["Person"].bioik
    solver = (rig.solver.strategy, rig.solver.smoothness, rig.solver.use_limits, rig.solver.seed)
    feet = (math.degrees(rig.feet.pelvis_tilt), rig.feet.step_up)
    blender_bioik.unregister()

    assert solver == ("LOCAL", 0.5, False, 7)
    assert feet == pytest.approx((30.0, 0.25))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["--set", "speed=3"],
            'There is no setting "speed": choose one of feet.*solver.population',
        ),
        (["--set", "active_goal=1"], 'There is no setting "active_goal"'),
        (["--set", "pelvis_tilt=60"], "feet.pelvis_tilt must be from 0 to 45, not 60"),
        (["--set", "feet.floor=wet"], "feet.floor must be one of FOUND, HEIGHT"),
        (["--set", "feet.speed=3"], "choose one of "),
        (["--set", "population=1"], "solver.population must be from 2 to .*, not 1"),
        (["--set", "population=12.5"], "solver.population must be a whole number"),
        (["--set", "smoothness=much"], "solver.smoothness must be a number"),
        (["--set", "smoothness=nan"], "solver.smoothness must be from 0 to"),
        (["--set", "use_limits=perhaps"], "solver.use_limits must be true or false"),
        (["--set", "strategy=luck"], "one of MEMETIC, LOCAL, EVOLUTION, not"),
        (["--set", "population"], "must be KEY=VALUE"),
        (["--seed", "-1"], "solver.seed must be from 0 to"),
        (["--seed", "x"], "solver.seed must be a whole number"),
        (["--frames", "9", "3"], "the last frame 3 is before the first frame 9"),
        (["--frames", "9"], "expected 2 arguments"),
        (["--frames", "1", "x"], "invalid int value"),
        (["--output", "elsewhere"], "invalid choice"),
        (["--armature", "Robot"], 'There is no armature "Robot": choose one of Person'),
        (["--armature", "Floor"], 'There is no armature "Floor": choose one of Person'),
        (["--action", "Dance"], 'no action "Dance", only '),
        (["--ground", "Hill"], 'mesh file "Hill": choose one of Floor, Stones'),
        (["--ground", "hill.obj"], "There is no file"),
        (["--scale", "2"], "--scale is only for clip files"),
        (["--character", "person.glb"], "--character is only for clip files"),
        (["--report", "missing/report.json"], 'The folder "missing" for report.json'),
        (["--nonsense"], "unrecognized arguments"),
    ],
    ids=lambda words: " ".join(words) if isinstance(words, list) else "",
)
def test_bad_arguments_are_named_and_nothing_is_written(
    run: Any, scene_file: Path, tmp_path: Path, words: list[str], said: str
) -> None:
    code, out, err = run("bake", scene_file, "-o", tmp_path / "out.blend", *words)

    assert (code, out) == (2, "")
    assert_one_line(err, said)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("taken", ["wave.blend", "out.blend", "floor.obj"])
def test_a_report_is_not_written_over_other_files_of_the_bake(
    run: Any, scene_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, taken: str
) -> None:
    shutil.copy(scene_file, tmp_path)
    (tmp_path / "floor.obj").write_text("v 0 0 0\n")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    monkeypatch.chdir(tmp_path)
    words = "--ground", "floor.obj", "-o", "out.blend", "--report", tmp_path / taken
    code, out, err = run("bake", "wave.blend", *words)

    assert (code, out) == (2, "")
    assert_one_line(err, f'--report would overwrite "{taken}"')
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize(
    ("scene", "out", "said"),
    [
        ("none.blend", "out.blend", "There is no file"),
        ("walk.c3d", "out.blend", r"not a supported file \(\.blend, \.bvh, \.fbx, \.glb"),
        ("broken.bvh", "out.blend", "not a BVH file"),
        ("broken.bvh", "out", "does not end in .blend"),
        ("broken.bvh", "missing/out.blend", "does not exist"),
        ("broken.bvh", "folder.blend", "cannot be written"),
    ],
)
def test_bad_files_are_named(run: Any, tmp_path: Path, scene: str, out: str, said: str) -> None:
    (tmp_path / "broken.bvh").write_text("hello")
    (tmp_path / "folder.blend").mkdir()
    code, text, err = run("bake", tmp_path / scene, "-o", tmp_path / out)

    assert (code, text) == (2, "")
    assert_one_line(err, said)
    assert {path.name for path in tmp_path.iterdir()} == {"broken.bvh", "folder.blend"}


@pytest.mark.parametrize(("words", "said"), [([], "required"), (["walk"], "invalid choice")])
def test_a_command_is_needed(run: Any, words: list[str], said: str) -> None:
    code, out, err = run(*words)

    assert (code, out) == (2, "")
    assert_one_line(err, said)


def test_several_armatures_are_named(run: Any, scene_file: Path, tmp_path: Path) -> None:
    bpy.ops.wm.open_mainfile(filepath=str(scene_file))
    bpy.ops.object.armature_add()
    bpy.context.object.name = "Dog"
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "two.blend"))
    code, _, err = run("bake", tmp_path / "two.blend", "-o", tmp_path / "out.blend")
    assert code == 2
    assert_one_line(err, "--armature: choose one of (Dog, Person|Person, Dog)")

    code, *_ = run(
        *("bake", tmp_path / "two.blend", "-o", tmp_path / "out.blend"),
        *("--armature", "Person", "--frames", 1, 2),
    )
    assert code == 0


def test_without_goals_a_ground_is_required(run: Any, scene_file: Path, tmp_path: Path) -> None:
    bpy.ops.wm.open_mainfile(filepath=str(scene_file))
    blender_bioik.register()
    bpy.data.objects["Person"].bioik.goals.clear()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "no_goals.blend"))
    blender_bioik.unregister()
    code, _, err = run("bake", tmp_path / "no_goals.blend", "-o", tmp_path / "out.blend")

    assert code == 2
    assert_one_line(err, '"Person" has neither ground nor goals: set --ground')


def test_few_keyframes_are_asked_for_by_an_option(
    run: Callable[..., tuple[int, str, str]], scene_file: Path, tmp_path: Path
) -> None:
    every, few = tmp_path / "every.blend", tmp_path / "few.blend"
    assert run("bake", scene_file, "-o", every)[0] == 0
    code, output, _ = run("bake", scene_file, "-o", few, "--few-keys", "20")
    assert code == 0
    assert "keyframes instead of" in output
    counts = [sum(map(len, baked_keys(path).values())) for path in (every, few)]
    assert counts[1] < 0.8 * counts[0]
    code, _, errors = run("bake", scene_file, "-o", few, "--few-keys", "-1")
    assert code == 2
    assert "--few-keys must be greater than 0" in errors


def test_an_impossible_bake_is_reported_in_one_line(
    run: Any, scene_file: Path, tmp_path: Path
) -> None:
    bpy.ops.wm.open_mainfile(filepath=str(scene_file))
    blender_bioik.register()
    bpy.data.objects["Person"].bioik.goals[0].bone = "tail"
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "no_bone.blend"))
    blender_bioik.unregister()
    code, out, err = run("bake", tmp_path / "no_bone.blend", "-o", tmp_path / "out.blend")

    assert (code, out) == (1, "")
    assert_one_line(err, "tail")
    assert not (tmp_path / "out.blend").exists()


# Feet on a ground


@pytest.fixture(scope="module")
def walk_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo's character walking two strides on a flat floor, over hills in a collection."""
    path = tmp_path_factory.mktemp("walk") / "walk.blend"
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps = FPS
    action = walk.animate(character.build(scene.collection), strides=2)
    scene.frame_start, scene.frame_end = map(int, action.frame_range)
    hills = bpy.data.collections.new("Hills")
    scene.collection.children.link(hills)
    hills.objects.link(ground.hills(ground.Hills()))
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    return path


def hills_as_file(walk_file: Path, path: Path) -> Path:
    """The hills of the file as a file of their own."""
    bpy.ops.wm.open_mainfile(filepath=str(walk_file))
    bpy.ops.object.select_all(action="DESELECT")
    bpy.data.collections["Hills"].objects[0].select_set(True)
    if path.suffix == ".obj":
        bpy.ops.wm.obj_export(filepath=str(path), export_selected_objects=True)
    else:
        bpy.ops.wm.stl_export(filepath=str(path), export_selected_objects=True)
    return path


def test_feet_are_placed_on_a_collection(run: Any, walk_file: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    code, out, err = run(
        *("bake", walk_file, "--armature", character.NAME, "--ground", "Hills"),
        *("-o", tmp_path / "out.blend", "--report", report),
    )

    assert (code, err) == (0, "")
    assert out.splitlines()[-1].startswith("Good. Planted feet within 3 mm of the ground in ")
    told = json.loads(report.read_text(), parse_constant=pytest.fail)
    assert told["frames"] == 2 * CYCLE_FRAMES + 1
    before, after = (
        max(foot[when]["penetration_worst_mm"] for foot in told["feet"])
        for when in ("before", "after")
    )
    assert after < 0.1 * before
    assert len(baked_keys(tmp_path / "out.blend", character.NAME)) > 0


def test_placed_feet_do_not_depend_on_the_selection(
    run: Any, walk_file: Path, tmp_path: Path
) -> None:
    bpy.ops.wm.open_mainfile(filepath=str(walk_file))
    bpy.context.scene.frame_set(17)
    bpy.context.view_layer.objects.active = bpy.data.collections["Hills"].objects[0]
    for object_ in bpy.context.scene.objects:
        object_.select_set(object_.type != "ARMATURE")
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "other.blend"))
    results = []
    for path in (walk_file, walk_file, tmp_path / "other.blend"):
        run("bake", path, "--ground", "Hills", "-o", tmp_path / "out.blend")
        results.append(baked_keys(tmp_path / "out.blend", character.NAME))

    assert results[0] == results[1]
    assert results[0] == results[2]


def test_the_ground_is_kept_on_the_armature_for_the_next_time(
    run: Any, walk_file: Path, tmp_path: Path
) -> None:
    run("bake", walk_file, "--ground", "Hills", "-o", tmp_path / "out.blend")
    code, out, _ = run("bake", tmp_path / "out.blend", "-o", tmp_path / "again.blend")

    assert code == 0
    assert out.splitlines()[-1].startswith("Good")


def test_a_clip_walks_over_a_mesh_file(run: Any, walk_file: Path, tmp_path: Path) -> None:
    hills = hills_as_file(walk_file, tmp_path / "hills.obj")
    rig = bpy.data.objects[character.NAME]
    bpy.context.view_layer.objects.active = rig
    scene = bpy.context.scene
    bpy.ops.export_anim.bvh(
        filepath=str(tmp_path / "walk.bvh"),
        frame_start=scene.frame_start,
        frame_end=scene.frame_end,
    )
    code, out, err = run(
        "bake", tmp_path / "walk.bvh", "--ground", hills, "-o", tmp_path / "out.blend"
    )

    assert code == 0, err
    assert "Z is used as the up axis of walk.bvh" in out
    assert "Imported walk.bvh with units of 1 m" in out
    # The same walk as in the file: on hills it has feet to plant.
    assert out.splitlines()[-1].startswith("Good. Planted feet within 3 mm of the ground in ")
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "out.blend"))
    assert bpy.context.scene.render.fps == FPS
    assert {"walk", "Hills"} <= set(bpy.context.scene.objects.keys())


def test_a_clip_without_a_skin_is_placed_as_its_character_plays_it(
    run: Any, walk_file: Path, tmp_path: Path
) -> None:
    hills = hills_as_file(walk_file, tmp_path / "hills.obj")
    for thing in [o for o in bpy.context.scene.objects if "Walker" not in o.name]:
        bpy.data.objects.remove(thing)
    clip, person = tmp_path / "clip.glb", tmp_path / "person.glb"
    export_gltf(tmp_path / "walk.glb")
    without_skin(tmp_path / "walk.glb", clip)
    without_animation(tmp_path / "walk.glb", person)
    words = ["--ground", hills, "--character", person, "-o", tmp_path / "out.blend"]
    code, out, err = run("bake", clip, *words)

    assert code == 0, err
    assert out.splitlines()[-1].startswith("Good. Planted feet within 3 mm of the ground in ")
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "out.blend"))
    (rig,) = [o for o in bpy.context.scene.objects if o.type == "ARMATURE"]
    assert [o for o in bpy.data.objects if o.type == "MESH" and o.find_armature() == rig]


def test_a_ground_that_is_not_under_the_feet_is_reported(
    run: Any, walk_file: Path, tmp_path: Path
) -> None:
    (tmp_path / "far.obj").write_text("v 90 0 90\nv 91 0 90\nv 90 0 91\nf 1 2 3\n")
    code, out, err = run(
        "bake", walk_file, "--ground", tmp_path / "far.obj", "-o", tmp_path / "out.blend"
    )

    assert (code, out) == (1, "")
    assert_one_line(err, "ground")
    assert not (tmp_path / "out.blend").exists()


def assert_one_line(text: str, said: str) -> None:
    """It is one line that says something, given as a pattern."""
    (line,) = text.splitlines()
    assert re.search(said, line), line


def test_frames_without_any_of_the_clip_are_bad_arguments(
    run: Callable[..., tuple[int, str, str]], scene_file: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.blend"
    for frames in ((500, 600), (-20, 0)):
        code, _, errors = run("bake", scene_file, "-o", out, "--frames", *frames)
        assert code == BAD_ARGUMENTS
        assert errors.count("\n") == 1
        assert f"is animated on frames 1 to 20, not on {frames[0]} to {frames[1]}" in errors
        assert not out.exists()


def test_frames_partly_beyond_the_clip_are_reported(
    run: Callable[..., tuple[int, str, str]], scene_file: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.blend"
    code, output, _ = run("bake", scene_file, "-o", out, "--frames", 15, 30)
    assert code == DONE
    assert (
        "The clip covers frames 1 to 20: outside of it, its first or last pose is held." in output
    )
