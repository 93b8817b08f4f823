"""Solving with numba and without, and the cache of what numba compiles.

Tests of: random, together.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import blender_bioik.solver
from blender_bioik.solver.kernels.compiled import CACHE_VARIABLE

PYTHON_PATH = "PYTHONPATH"
PACKAGE = Path(blender_bioik.solver.__file__).parents[1]

SMALL_SOLVES = """
import json, warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    from blender_bioik.solver import *
    from dataclasses import dataclass, field

    arm = KinematicTree(
        [Joint("a", lower=-3, upper=3), Joint("b", "a", position=(1, 0, 0), lower=-3, upper=3)],
        [Tip("end", "b", (1, 0, 0)), Tip("middle", "b"), Tip("base", None)],
    )

    @dataclass(frozen=True, eq=False)
    class Level(CustomGoal):
        tolerance: float | None = field(default=1e-4, kw_only=True)

        def residual(self, pose):
            return pose.position("end")[1] - 0.5

    few = Settings(evaluations=300, threads=2)
    sets = {
        "position": [Position("end", (1.2, 0.7, 0))],
        "folded back": [Position("end", (0.5, 0, 0))],
        "out of reach": [Position("end", (3, 4, 0))],
        "custom": [Level(), JointValue("a", 0.4)],
        "many": [
            LookAt("end", (0, 9, 0)), Displacement(), Pole("base", "middle", "end", (1, 1, 0)),
            Balance({"a": 1, "b": 2}, (0.5, 0.5, 0), tolerance=None), AvoidLimits(),
        ],
    }
    poses = {name: solve_pose(arm, goals, (0.0, 0.1), few) for name, goals in sets.items()}
    poses["lbfgsb"] = solve_pose(
        arm, sets["folded back"], (0.0, 0.1),
        Settings(evaluations=300, strategy="evolution", exploitation="lbfgsb"),
    )
    points = [(1.2 + 0.05 * f, 0.7, 0) for f in range(5)]
    clip = solve_clip(arm, [Track(sets["position"][0], {"point": points})], [(0.1, 0.1)] * 5, few)
    found = find_poses(arm, sets["position"], (0.1, 0.1), 2, few)
    probed = probe(arm, sets["position"][0], (0.1, 0.1))
print(json.dumps({
    "warnings": [(w.category.__name__, str(w.message)) for w in caught],
    "errors": {name: pose.errors for name, pose in poses.items()},
    "reached": {name: pose.reached for name, pose in poses.items()},
    "clip": [clip.errors.tolist(), clip.reached.tolist()],
    "found": [[pose.errors, pose.values.tolist()] for pose in found],
    "probe": [probed.residual.tolist(), probed.jacobian.tolist(), probed.loss],
}))
"""

SMOOTH = """
import warnings
warnings.simplefilter("ignore")
from blender_bioik.solver import *
arm = KinematicTree(
    [Joint("a"), Joint("b", "a", position=(0.5, 0, 0))], [Tip("end", "b", (0.5, 0, 0))]
)
poses = [[0.1 + 0.05 * f, 0.5] for f in range(6)]
goals = [Position("end", (0.6, 0.5, 0)), Displacement("source")]
found = solve_clip(arm, goals, poses, Settings(smoothness=1.0))
print(found.success.all(), found.values.round(6).tolist())
"""

FORWARD = """
from blender_bioik.solver import *
arm = KinematicTree([Joint("a")], [Tip("end", "a", (1, 0, 0))])
print(forward_kinematics(arm, [0.0]).tip_positions.tolist())
"""

# Two goals whose units share kernels, in the order of the arguments; their bits.
PROBES = """
import json, os, random, sys
os.cpu_count = lambda: 1  # one process compiles all of them
from blender_bioik.solver import *

joints, parent = [], None
for number in range(9):
    name, axis = f"j{number}", [(0, 0, 1), (0, 1, 0), (1, 0, 0)][number % 3]
    joints.append(Joint(name, parent, axis=axis, position=(0, 0.02, 0.1)))
    parent = name
tree = KinematicTree(joints, [Tip("base", "j1"), Tip("end", "j8", (0, 0.1, 0.05))])
goals = {
    "minimum": Distance("end", "base", minimum=0.9),
    "maximum": MaxDistance("end", "base", maximum=0.2),
}
bits = {}
for name in sys.argv[1:]:
    chance = random.Random(5)
    for case in range(20):
        pose = [chance.uniform(-1.0, 1.0) for _ in range(9)]
        probed = probe(tree, goals[name], pose)
        numbers = [*probed.residual.ravel(), *probed.jacobian.ravel(), probed.loss]
        bits[f"{name} {case}"] = [float(number).hex() for number in numbers]
print(json.dumps(bits))
"""

CUSTOM = """
from blender_bioik.solver import *

class Half(CustomGoal):
    def residual(self, pose):
        return pose.value("a") - 0.5

arm = KinematicTree([Joint("a")], [Tip("end", "a", (1, 0, 0))])
solved = solve_pose(arm, [Half(tolerance=1e-6)], [0.0])
print(round(probe(arm, Half(), [2.0]).loss, 9), solved.success)
"""


def run(code: str, *words: str, **environment: str) -> str:
    """What a fresh Python prints that runs the code."""
    around = dict(os.environ)
    if PYTHON_PATH in environment:  # a copy: its cache is where it chooses
        around.pop(CACHE_VARIABLE, None)
    done = subprocess.run(
        [sys.executable, "-P", "-c", code, *words],  # -P: not from the current folder
        capture_output=True,
        text=True,
        check=False,
        timeout=300,  # a guard against hanging, far above what it takes
        env=around | {PYTHON_PATH: str(PACKAGE.parent)} | environment,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def compiled() -> dict[str, Any]:
    result: dict[str, Any] = json.loads(run(SMALL_SOLVES))
    return result


@pytest.fixture(scope="module")
def uncompiled() -> dict[str, Any]:
    result: dict[str, Any] = json.loads(run(SMALL_SOLVES, BLENDER_BIOIK_NO_NUMBA="1"))
    return result


def test_with_numba_there_is_no_warning(compiled: dict[str, Any]) -> None:
    assert compiled["warnings"] == []


def test_without_numba_there_is_one_warning(uncompiled: dict[str, Any]) -> None:
    ((category, message),) = uncompiled["warnings"]

    assert category == "RuntimeWarning"
    assert "without numba" in message


@pytest.mark.parametrize(
    "name", ["position", "folded back", "out of reach", "custom", "many", "lbfgsb"]
)
def test_without_numba_poses_are_the_same(
    compiled: dict[str, Any], uncompiled: dict[str, Any], name: str
) -> None:
    assert uncompiled["reached"][name] == compiled["reached"][name]
    assert uncompiled["errors"][name] == pytest.approx(compiled["errors"][name], abs=1e-6)


def test_without_numba_clips_are_the_same(
    compiled: dict[str, Any], uncompiled: dict[str, Any]
) -> None:
    (errors, reached), (plain_errors, plain_reached) = compiled["clip"], uncompiled["clip"]

    assert plain_reached == reached == [[True]] * 5
    assert [e for (e,) in plain_errors] == pytest.approx([e for (e,) in errors], abs=1e-6)


def test_without_numba_smooth_clips_are_the_same() -> None:
    compiled = run(SMOOTH)

    assert compiled.startswith("True")
    assert run(SMOOTH, BLENDER_BIOIK_NO_NUMBA="1") == compiled


def test_without_numba_find_poses_finds_both_elbows(
    compiled: dict[str, Any], uncompiled: dict[str, Any]
) -> None:
    assert len(uncompiled["found"]) == len(compiled["found"]) == 2
    for (plain_errors, plain), (errors, values) in zip(
        uncompiled["found"], compiled["found"], strict=True
    ):
        assert plain_errors == pytest.approx(errors, abs=1e-6)
        assert plain == pytest.approx(values, abs=1e-3)


def test_without_numba_a_probe_is_the_same(
    compiled: dict[str, Any], uncompiled: dict[str, Any]
) -> None:
    for plain, fast in zip(uncompiled["probe"][1], compiled["probe"][1], strict=True):
        assert plain == pytest.approx(fast, abs=1e-12)
    assert uncompiled["probe"][2] == pytest.approx(compiled["probe"][2], abs=1e-12)


def test_the_solver_imports_where_blender_is_not() -> None:
    blocked = "import sys; sys.modules['bpy'] = sys.modules['mathutils'] = None\n"

    assert run(blocked + FORWARD) == "[[[1.0, 0.0, 0.0]]]\n"


def test_custom_goals_work_in_processes_that_find_the_kernels_compiled() -> None:
    first, second = run(CUSTOM), run(CUSTOM)

    assert first == second == "1.5 True\n"


# The cache, on a copy of the package.


def copied_solver(folder: Path) -> Path:
    """The package's solver, copied to where its cache may be looked at and its files changed."""
    shutil.copytree(PACKAGE, folder / "blender_bioik", ignore=shutil.ignore_patterns("__pycache__"))
    return folder / "blender_bioik" / "solver"


def kernels(solver: Path) -> dict[str, int]:
    """Compiled kernels beside a copy's sources, with the time each was written."""
    folder = solver / "__pycache__" / "kernels"
    return {
        str(path.relative_to(folder)): path.stat().st_mtime_ns for path in folder.rglob("*.nbc")
    }


def test_a_second_process_compiles_nothing_until_a_source_changes(tmp_path: Path) -> None:
    solver = copied_solver(tmp_path)
    run(FORWARD, PYTHONPATH=str(tmp_path))
    first = kernels(solver)
    assert first
    run(FORWARD, PYTHONPATH=str(tmp_path))
    assert kernels(solver) == first

    # A file that kernels are built from but that does not define the one that is compiled.
    (before,) = (solver / "__pycache__" / "kernels").iterdir()
    with (solver / "kernels" / "quaternions.py").open("a") as source:
        source.write("# changed\n")
    run(FORWARD, PYTHONPATH=str(tmp_path))
    (after,) = (solver / "__pycache__" / "kernels").iterdir()  # the old one is gone
    assert after.name != before.name
    assert kernels(solver)


def test_where_the_sources_cannot_be_written_the_users_cache_is_used(tmp_path: Path) -> None:
    (copied_solver(tmp_path) / "__pycache__").touch()  # a file: no folder can be made here

    printed = run(
        FORWARD,
        PYTHONPATH=str(tmp_path),
        PYTHONDONTWRITEBYTECODE="1",
        XDG_CACHE_HOME=str(tmp_path / "cache"),
    )

    assert printed == "[[[1.0, 0.0, 0.0]]]\n"
    assert list((tmp_path / "cache").rglob("*.nbc"))


def test_results_have_the_same_bits_whether_kernels_are_compiled_or_loaded(tmp_path: Path) -> None:
    compiled, loaded, reversed_, alone = (
        json.loads(run(PROBES, *names, BLENDER_BIOIK_CACHE=str(tmp_path)))
        for names in (
            ("minimum", "maximum"),
            ("minimum", "maximum"),
            ("maximum", "minimum"),
            ("maximum",),
        )
    )

    assert len({tuple(bits) for bits in compiled.values()}) == 40
    assert loaded == compiled
    assert reversed_ == compiled
    assert alone == {name: compiled[name] for name in alone}


# Compiling on several cores.


def test_another_python_helps_compiling_into_the_same_cache(tmp_path: Path) -> None:
    claims, cache = tmp_path / "claims", tmp_path / "cache"
    claims.mkdir()
    code = f"""
from blender_bioik.solver.kernels.together import help_compiling
help_compiling({str(claims)!r}, [".goals.surface:_line_score", ".goals.aim:_direction_score"])
"""
    (claims / "0").touch()  # somebody else has taken the first

    run(code, BLENDER_BIOIK_CACHE=str(cache))

    (compiled_one,) = cache.rglob("*.nbc")
    assert "_direction_score" in compiled_one.name
    assert (claims / "1").exists()


@pytest.mark.parametrize("python", [sys.executable, "blender", "python-that-is-not-there"])
def test_units_are_compiled_whether_other_pythons_can_help_or_not(
    python: str, tmp_path: Path
) -> None:
    code = f"""
import os, sys
os.cpu_count = lambda: 2
from blender_bioik.solver import Direction, Line
from blender_bioik.solver.kernels.together import compile_together
sys.executable = {python!r}
goals = [Line("a", (0, 0, 0), (0, 0, 1)), Direction("a", (0, 0, 1))]
units = [unit for goal in goals for unit in goal.units()]
before = [unit.is_ready() for unit in units]
compile_together(units)
print(any(before), all(unit.is_ready() for unit in units))
"""
    assert run(code, BLENDER_BIOIK_CACHE=str(tmp_path)) == "False True\n"
    assert len(list(tmp_path.rglob("*.nbc"))) == 4
