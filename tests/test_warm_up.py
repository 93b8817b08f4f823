"""Compiling ahead of the first solve: afterwards every kernel is in the cache."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import blender_bioik
from blender_bioik import solver
from blender_bioik.solver.kernels import compiled

PACKAGE = Path(blender_bioik.__file__).parent
AS_EXTENSION = "bl_ext.user_default.blender_bioik"
GIVE_UP_S = 600  # a guard against hanging, far above what it takes

# The package under the name it has in Blender, as Blender's own import machinery provides it.
IMPORT = """
import importlib, json, sys, types
sys.path.insert(0, sys.argv[1])

def package(name):
    *parents, _ = name.split(".")
    for end in range(1, len(parents) + 1):
        parent = types.ModuleType(".".join(parents[:end]))
        parent.__path__ = [sys.argv[1]]
        sys.modules[parent.__name__] = parent
    return importlib.import_module(name)
"""

# Starts the warm-up as Blender does and waits for it.
WARM_UP = (
    IMPORT
    + """
import time
from dataclasses import dataclass
from pathlib import Path
package(sys.argv[2])
warm_up = importlib.import_module(sys.argv[2] + ".warm_up")
folder = Path(sys.argv[3])
if len(sys.argv) > 4:
    sys.executable = sys.argv[4]
before = warm_up.is_complete(folder)
compiling = warm_up.start(sys.argv[2], folder)
while (outcome := compiling.outcome()) is None:
    time.sleep(0.05)
compiling.stop()
print(json.dumps({
    "reason": outcome.reason, "numba": outcome.numba,
    "before": before, "after": warm_up.is_complete(folder),
    "imported": sorted({"numba", sys.argv[2] + ".solver"} & sys.modules.keys()),
}))
"""
)

# Starts the warm-up, tells the process, and then goes as sys.argv[3] says.
LEAVE = (
    IMPORT
    + """
import os
from pathlib import Path
package(sys.argv[2])
warm_up = importlib.import_module(sys.argv[2] + ".warm_up")
compiling = warm_up.start(sys.argv[2], Path(os.environ["BLENDER_BIOIK_CACHE"]))
print(compiling._process.pid, flush=True)
if sys.argv[3] == "stop":
    compiling.stop()
    print(compiling._process.poll() is not None)
else:
    os._exit(0)
"""
)

# Whether a warm-up was complete, and leaving its stamp as if it had been.
IS_COMPLETE = (
    IMPORT
    + """
from pathlib import Path
package(sys.argv[2])
warm_up = importlib.import_module(sys.argv[2] + ".warm_up")
folder = Path(sys.argv[1], "kernels")
print(json.dumps(warm_up.is_complete(folder)))
if sys.argv[3:] == ["stamp"]:
    folder.mkdir()
    (folder / warm_up._STAMP).write_text(warm_up._fingerprint())
"""
)

# Uses the solver, in other ways than the warm-up does.
SOLVE = (
    IMPORT
    + """
package(sys.argv[2])
solver = importlib.import_module(sys.argv[2] + ".solver")
arm = solver.KinematicTree(
    [
        solver.Joint("root", kind="prismatic", lower=-1, upper=1),
        solver.Joint("a", "root", lower=-3, upper=3),
        solver.Joint("b", "a", position=(1, 0, 0), lower=-3, upper=3),
    ],
    [solver.Tip("end", "b", (1, 0, 0)), solver.Tip("middle", "b"), solver.Tip("base", None)],
)
seed = (0.0, 0.1, 0.2)
hand, up = solver.Position("end", (1.2, 0.7, 0.1)), (0.0, 0.0, 1.0)
goals = [
    hand, solver.Orientation("end", (1, 0, 0, 0)), solver.LookAt("end", (0, 9, 0)),
    solver.Direction("end", up), solver.Cone("end", up, 0.3), solver.Displacement(),
    solver.AvoidLimits(), solver.CentreJoints(), solver.JointValue("a", 0.3),
    solver.JointFunction("b", {"a": 2.0}), solver.Pole("base", "middle", "end", (1, 1, 0)),
    solver.Balance({"a": 1, "b": 2}), solver.Distance("end", "base", minimum=0.1),
    solver.MaxDistance("end", "base", maximum=1.5), solver.Plane("end", (0, 0, 0)),
    solver.Line("end", (0, 0, 0), up), solver.Touch("end", [[0.1, 0, 0]], (1, 0, 0)),
    solver.LockedLookAt("end", (0, 9, 0)), solver.Above("end", (0, 0, 0)),
]
points = [(1.2 + 0.05 * frame, 0.7, 0.0) for frame in range(5)]
clip = solver.solve_clip(
    arm, [solver.Track(hand, {"point": points})], [seed] * 5, solver.Settings(threads=2)
)
for strategy in ("memetic", "local", "evolution"):
    solver.solve_pose(arm, goals, seed, solver.Settings(strategy=strategy, evaluations=300))
solver.solve_pose(arm, goals, seed, solver.Settings.paper())
solver.find_poses(arm, [hand], seed, 2)
solver.probe(arm, hand, seed)
solver.forward_kinematics(arm, [seed, seed])
solver.tip_jacobian(arm, "end", seed)
import numpy as np
open_clip = importlib.import_module(sys.argv[2] + ".solver.clips.open_clip")
ones = np.ones(3)
inertia = importlib.import_module(sys.argv[2] + ".solver.clips.whole_clip").Inertia(ones, ones)
with open_clip.open_clip(arm, goals, np.array([seed] * 7), inertia, loop=True) as opened:
    frames, stretch, values = opened.frames, opened.stretch, opened.stretch.source + 0.01
    here = frames.expand(stretch, values, derive=True)
    frames.expand(stretch, frames.step(stretch, values, frames.nothing_held(), here, 1e-6))
    frames.tips(stretch, values)
terrain = importlib.import_module(sys.argv[2] + ".motion.ground.terrain")
square = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0.1], [0, 1, 0]], np.float32)
faces, rows = np.array([[0, 1, 2], [0, 2, 3]]), np.arange(4)
still = terrain.Surface(square, faces)
lifted = terrain.Surface(square, faces, np.tile(np.eye(4), (4, 1, 1)))
bent = terrain.Surface(np.tile(square, (4, 1, 1)), faces)
ground = terrain.Terrain([still, lifted, bent], np.array([[-9.0, -9.0], [9.0, 9.0]]))
hits = ground.below(np.full((4, 3), 0.5, np.float32), rows, np.ones(4))
assert (hits.triangle == 0).all()
import numba.core.dispatcher as numba_dispatcher
entries = {
    value.py_func.__name__
    for name, module in list(sys.modules.items()) if name.startswith(sys.argv[2])
    for value in vars(module).values()
    if isinstance(value, numba_dispatcher.Dispatcher) and value._cache.cache_path
}
print(json.dumps({
    "reached": bool(clip.reached.all()), "goals": sorted(type(goal).__name__ for goal in goals),
    "entries": sorted(entries),
}))
"""
)


def run(
    code: str, folder: Path, *words: object, name: str = AS_EXTENSION, **environment: str
) -> str:
    """What a fresh Python prints that runs the code with the package in the folder."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", code, str(folder), name, *map(str, words)],
        cwd=folder,
        env=os.environ | {"BLENDER_BIOIK_CACHE": str(folder / "kernels")} | environment,
        capture_output=True,
        text=True,
        timeout=GIVE_UP_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def copy_package(folder: Path) -> Path:
    """Put a copy of the package into the folder, that nothing has been compiled for."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(PACKAGE, folder / "blender_bioik", ignore=ignored)
    return folder


def compiled_files(folder: Path) -> dict[str, int]:
    """Every file of numba's caches below the folder, with the time it was written."""
    return {
        str(path.relative_to(folder)): path.stat().st_mtime_ns for path in folder.rglob("*.nb[ci]")
    }


@pytest.fixture
def cold(tmp_path: Path) -> Path:
    return copy_package(tmp_path)


@dataclass(frozen=True)
class Warm:
    """A package that was warmed up where nothing had been compiled, and what the warm-up told."""

    folder: Path
    name: str
    cache: Path
    told: dict[str, Any]

    def compiled(self) -> dict[str, int]:
        """The files of numba's cache for these sources and this Python."""
        return compiled_files(self.cache / compiled._FOLDER.name)


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> Warm:
    """The package itself if nothing is compiled yet: then it is, for all other tests.

    Otherwise, or where other tests run meanwhile, a copy.
    """
    if not compiled.COMPILED:
        pytest.skip("without numba nothing is compiled")
    stamps = tmp_path_factory.mktemp("stamps")
    if compiled_files(compiled._FOLDER) or "PYTEST_XDIST_WORKER" in os.environ:
        folder, name = copy_package(tmp_path_factory.mktemp("warm")), AS_EXTENSION
        cache = folder / "kernels"
    else:
        folder, name, cache = PACKAGE.parent, PACKAGE.name, compiled._FOLDER.parent
    told = run(WARM_UP, folder, stamps, name=name, BLENDER_BIOIK_CACHE=str(cache))
    return Warm(folder, name, cache, json.loads(told))


@pytest.mark.compiles
def test_the_warm_up_compiles_beside_the_caller_and_says_so(warm: Warm) -> None:
    assert warm.told == {
        **{"reason": "", "numba": True, "before": False, "after": True, "imported": []}
    }


@pytest.mark.compiles
def test_after_the_warm_up_no_goal_and_no_entry_is_compiled_again(warm: Warm) -> None:
    before = warm.compiled()

    used = json.loads(run(SOLVE, warm.folder, name=warm.name, BLENDER_BIOIK_CACHE=str(warm.cache)))

    assert before
    assert warm.compiled() == before
    assert used["reached"]
    for entry in used["entries"]:
        assert [name for name in before if f".{entry}-" in name], f"{entry} is not compiled ahead"
    # A goal that calls Python cannot be cached; Goal itself is none.
    every = {
        name
        for name, value in vars(solver).items()
        if isinstance(value, type) and issubclass(value, solver.Goal)
    }
    assert set(used["goals"]) == every - {"Goal", "CustomGoal"}


def test_a_changed_source_needs_another_warm_up(cold: Path) -> None:
    assert not json.loads(run(IS_COMPLETE, cold, "stamp"))
    assert json.loads(run(IS_COMPLETE, cold))
    moved = shutil.copytree(cold, cold / "moved")
    assert not json.loads(run(IS_COMPLETE, moved))  # kernels remember the path of their source

    with (cold / "blender_bioik" / "solver" / "kinematics" / "tree.py").open("a") as source:
        source.write("# changed\n")
    assert not json.loads(run(IS_COMPLETE, cold))


def test_without_numba_the_warm_up_says_why(cold: Path) -> None:
    told = json.loads(run(WARM_UP, cold, cold / "kernels", BLENDER_BIOIK_NO_NUMBA="1"))

    assert (told["reason"], told["numba"]) == ("numba is switched off", False)
    assert not told["after"]


@pytest.mark.parametrize(
    ("name", "script", "reason"),
    [
        ("blender", "exit 0", "numba is switched off"),  # never started: a thread does it
        ("python", "exit 4", "numba is switched off"),  # not this Python: a thread does it
        ("python", "echo a line >&2; echo the last >&2; exit 1", "the last"),
        ("python", "exit 7", "exit code 7"),
    ],
)
@pytest.mark.skipif(os.name != "posix", reason="makes a stand-in for Python from a shell script")
def test_where_no_other_python_can_be_used(cold: Path, name: str, script: str, reason: str) -> None:
    stand_in = cold / name
    stand_in.write_text(f"#!/bin/sh\n{script}\n")
    stand_in.chmod(0o755)

    told = json.loads(run(WARM_UP, cold, cold / "kernels", stand_in, BLENDER_BIOIK_NO_NUMBA="1"))

    assert told["reason"] == reason
    assert not told["after"]


@pytest.mark.skipif(os.name != "posix", reason="asks for a process as POSIX does")
@pytest.mark.parametrize("way", ["stop", "die"])
def test_the_warm_up_ends_when_it_is_stopped_and_when_its_blender_dies(
    cold: Path, way: str
) -> None:
    pid, *stopped = run(LEAVE, cold, way).split()
    for _ in range(600):
        try:
            os.kill(int(pid), 0)
        except ProcessLookupError:
            break
        time.sleep(0.1)
    else:
        pytest.fail("it still runs")

    assert stopped == (["True"] if way == "stop" else [])
    assert not json.loads(run(IS_COMPLETE, cold))  # it did not just come to its end
