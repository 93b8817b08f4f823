"""Every example runs in a process of its own and prints true statements."""

from __future__ import annotations

import csv
import os
import re
import subprocess
import sys
from pathlib import Path

import bpy
import pytest

ROOT = Path(__file__).parent.parent
EXAMPLES = {path.stem: path for path in sorted((ROOT / "examples").glob("[0-9]*.py"))}
# The end of Python crashes with bpy 4.2; what an example prints and saves is done by then.
ENDS_WELL = bpy.app.version >= (4, 5)

pytestmark = pytest.mark.skipif(
    bool(bpy.app.binary_path), reason="inside a Blender other Pythons have no bpy to run them with"
)


def printed(name: str, *words: object, temporary: Path | None = None) -> str:
    """What an example prints; temporary folders are made in `temporary`."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    if temporary:
        environment["TMPDIR"] = environment["TEMP"] = str(temporary)
    done = subprocess.run(
        [sys.executable, str(EXAMPLES[name]), *map(str, words)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,  # a guard against hanging, far above what it takes
    )
    assert done.returncode == 0 or (not ENDS_WELL and "import scene" in source(name)), done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout


def source(name: str) -> str:
    return EXAMPLES[name].read_text(encoding="utf-8")


def numbers(pattern: str, text: str) -> list[float]:
    """The numbers that a pattern with one group finds."""
    return [float(found) for found in re.findall(pattern, text)]


def test_there_are_ten_examples_and_each_says_how_to_run_it() -> None:
    assert [name[:3] for name in EXAMPLES] == [f"{number:02}_" for number in range(1, 11)]
    for name in EXAMPLES:
        assert f"python examples/{name}.py" in source(name)


def test_the_arm_reaches_the_cup_and_says_how_far_the_moon_is() -> None:
    near, far = numbers(r"([\d.]+) mm away", out := printed("01_reach"))
    assert near < 1.0
    # The target is 1.11 m from the shoulder, the arm is 0.65 m long.
    assert far == pytest.approx(1e3 * ((0.9**2 + 0.25**2 + 0.6**2) ** 0.5 - 0.65), abs=1.0)
    assert re.findall(r"reached: (\w+)", out) == ["True", "False"]


def test_the_head_follows_the_target_as_far_as_its_limits_go() -> None:
    lines = printed("02_look_at").splitlines()
    assert [line.endswith("sees it") for line in lines] == [True, True, True, True, False]
    (neck,) = numbers(r"neck +([\d.]+)", lines[-1])
    (head,) = numbers(r"head +([\d.]+)", lines[-1])
    assert (neck, head) == (40.0, 57.3)  # both limits


def test_the_robot_has_eight_ways() -> None:
    out = printed("03_several_solutions")
    assert out.startswith("8 poses")
    assert out.count("reached: True") == 8


def test_the_hand_goes_around_the_ball_without_a_jerk() -> None:
    out = printed("04_clip")
    animated, *solved = numbers(r"within ([\d.]+) m", out)
    alone, together = numbers(r"jolt of a joint: ([\d.]+)", out)
    assert animated < 0.12
    assert min(solved) > 0.12
    assert out.count("120 frames, goal reached in 120") == 2
    assert together < 0.1 * alone


def test_both_goals_level_the_tray_and_their_derivatives_agree() -> None:
    out = printed("05_custom_goal")
    assert out.count("all goals reached") == 2
    assert numbers(r"([\d.]+) mm after", out) == [0.0, 0.0]
    first, second = re.findall(r"derivative.*: (\[.*\])", out)
    assert first == second


def test_the_whole_body_reaches_every_goal_and_goes_down_for_it() -> None:
    out = printed("06_whole_body")
    assert "MISSED" not in out
    assert out.count("  reached") == 8
    (down,) = numbers(r"goes down by (\d+) mm", out)
    assert down > 100


def test_feet_stand_on_the_hills(tmp_path: Path) -> None:
    out = printed("07_place_feet", tmp_path)
    assert max(numbers(r"sinks in by up to ([\d.]+)", out)) < 1.0
    assert min(numbers(r"sinks in .*was ([\d.]+)", out)) > 100.0
    assert max(numbers(r"planted by up to ([\d.]+)", out)) < 1.0
    assert (tmp_path / "feet_on_hills.blend").stat().st_size > 0


def test_the_hand_holds_the_lantern_and_the_head_looks(tmp_path: Path) -> None:
    out = printed("08_goals", tmp_path)
    before, after = numbers(r"hand ([\d.]+) m from", out)
    assert before > 0.1
    assert after < 0.001
    assert "Look at the ball: reached in 79 of 79 frames" in out
    assert "Hold the lantern: reached in 43 of 43 frames" in out
    assert (tmp_path / "goals.blend").stat().st_size > 0


def test_bones_are_found_by_name_by_shape_and_by_choice(tmp_path: Path) -> None:
    by_name, by_shape, chosen = re.split(r"\n(?=\S.*:)", printed("09_rig_mapping", tmp_path))[:3]
    assert by_name.startswith("Names of Mixamo: mixamo")
    assert by_shape.startswith("Names that say nothing: structure")
    # Both are right: the n-th bone has the n-th name.
    rename = {"Hips": "Joint 00", "LeftFoot": "Joint 36", "LeftHand": "Joint 09"}
    for name, joint in rename.items():
        slot = re.search(rf"^  (\S+) +mixamorig:{name}$", by_name, re.MULTILINE)
        assert slot is not None
        assert re.search(rf"^  {slot[1]} +{joint}$", by_shape, re.MULTILINE)
    assert re.search(r"spine +Joint 01, Joint 02$", chosen, re.MULTILINE)
    assert re.search(r"toe.L +-$", chosen, re.MULTILINE)


def test_a_folder_of_clips_becomes_results_and_a_table(tmp_path: Path) -> None:
    # The clips and hills that the example makes for itself serve as a folder of our own, too,
    # with a broken clip beside them.
    out = printed("10_batch_folder", temporary=tmp_path)
    made = Path(out.splitlines()[-1].removeprefix("Results in "))
    clips = made.parent / "clips"
    (clips / "broken.bvh").write_text("hello")
    out = printed("10_batch_folder", clips, made.parent / "hills.obj", tmp_path / "again")
    for folder, count in ((made, 2), (tmp_path / "again", 3)):
        with (folder / "table.csv").open(encoding="utf-8") as file:
            rows = {row.pop("clip"): row for row in csv.DictReader(file)}
        assert len(rows) == count
        for clip, frames in (("two_strides.bvh", 53), ("three_strides.bvh", 79)):
            assert int(rows[clip]["frames"]) == frames
            assert float(rows[clip]["was (mm)"]) > 100.0
            assert float(rows[clip]["sinks in (mm)"]) < 1.0
            assert float(rows[clip]["planted feet move (mm)"]) < 1.0
            assert (folder / clip).with_suffix(".blend").stat().st_size > 0
    assert "not a BVH file" in rows["broken.bvh"]["remark"]
    assert "broken.bvh" in out
