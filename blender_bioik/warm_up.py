"""Compiling the kernels before the first solve, in a separate process.

numba compiles for about half a minute while holding Python's GIL. So the kernels are
compiled by a second Python into the cache from which Blender's own Python loads them. That
process imports the package under the name it has in Blender, because cached kernels remember the
module they belong to. It ends with Blender, even after a crash: it watches its standard input.

Run as a script, this file is that process. It needs no Blender.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import importlib.metadata
import json
import os
import pkgutil
import platform
import subprocess
import sys
import tempfile
import threading
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import IO, Any, Protocol

_PACKAGE = Path(__file__).parent
_STAMP = "complete"
_NO_NUMBA, _OTHER_PYTHON = 3, 4  # exit codes of the process
_STOP_SECONDS = 5.0


@dataclass(frozen=True)
class Outcome:
    """Result of compiling: an empty reason means that every kernel is compiled."""

    reason: str = ""
    numba: bool = True


class Compiling(Protocol):
    """A running compilation."""

    def outcome(self) -> Outcome | None:
        """Its result, None while it runs; does not block."""

    def stop(self) -> None:
        """Stop it, if possible."""


def compile_everything() -> None:
    """Run every kernel of the package once, so that it is cached.

    Goals that call Python are left out: numba cannot cache what calls Python.
    """
    solver = importlib.import_module(".solver", __package__)
    tree = _leg(solver)
    seed = [0.1] * 6
    foot = [solver.Position("toe", (0.1, 0.0, 0.1)), solver.Orientation("toe", (1, 0, 0, 0))]
    few = solver.Settings(evaluations=1, iterations=1)  # to compile, not to solve
    evolution = solver.Settings(evaluations=1, strategy="evolution")

    solver.forward_kinematics(tree, seed)
    solver.probe(tree, foot[0], seed)
    _compile_goals()
    solver.solve_pose(tree, foot, seed, few)
    solver.solve_pose(tree, foot, seed, evolution)
    solver.solve_pose(tree, foot, seed, solver.Settings.paper())
    solver.find_poses(tree, foot, seed, 2, few)
    smooth = solver.Settings(evaluations=1, iterations=1, smoothness=1.0)
    solver.solve_clip(tree, foot, [seed, seed, seed], smooth)
    _open_clip(tree, foot, [seed, seed, seed])
    _query_ground()


def _open_clip(tree: Any, goals: list[Any], clip: list[list[float]]) -> None:
    """Open a clip as foot placement does; skipped without scipy."""
    try:
        whole_clip = importlib.import_module(".solver.clips.whole_clip", __package__)
    except ImportError:
        return
    opener = importlib.import_module(".solver.clips.open_clip", __package__)
    numpy = importlib.import_module("numpy")
    ones = numpy.ones(len(clip[0]))
    with opener.open_clip(tree, goals, clip, whole_clip.Inertia(ones, ones)) as opened:
        values = opened.stretch.source
        opened.frames.expand(opened.stretch, values, derive=True)
        opened.frames.tips(opened.stretch, values)


def _query_ground() -> None:
    """Query the ground over one triangle."""
    terrain = importlib.import_module(".motion.ground.terrain", __package__)
    numpy = importlib.import_module("numpy")
    corners = numpy.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    ground = terrain.Terrain([terrain.Surface(corners, numpy.array([[0, 1, 2]]))])
    query = numpy.full((1, 3), 0.1), numpy.zeros(1, int), numpy.ones(1)
    ground.below(*query)
    ground.distance(*query)


def _leg(solver: Any) -> Any:
    """A hip with three joints, a knee, and an ankle with two, with tips."""
    axes = {
        "hip z": (0, 0, 1),
        "hip y": (0, 1, 0),
        "hip x": (1, 0, 0),
        "knee": (1, 0, 0),
        "ankle x": (1, 0, 0),
        "ankle y": (0, 1, 0),
    }
    joints, parent = [], None
    for name, axis in axes.items():
        down = (0.0, 0.0, -0.4 if name in ("knee", "ankle x") else 0.0)
        joints.append(solver.Joint(name, parent, axis=axis, position=down, lower=-2.0, upper=2.0))
        parent = name
    tips = [
        solver.Tip("thigh", "hip x"),
        solver.Tip("shin", "knee"),
        solver.Tip("foot", "ankle x"),
        solver.Tip("toe", "ankle y", (0.0, 0.1, 0.0)),
    ]
    return solver.KinematicTree(joints, tips)


def _compile_goals() -> None:
    """Compile every type of goal that numba can cache."""
    goals = importlib.import_module(".solver.goals", __package__)
    for module in pkgutil.iter_modules(goals.__path__, goals.__name__ + "."):
        importlib.import_module(module.name)
    base = importlib.import_module(".solver.goals.base", __package__)
    kinds = [kind for kind in _below(base.Goal) if kind.score and kind.derive]
    together = importlib.import_module(".solver.kernels.together", __package__)
    together.compile_together([unit for kind in kinds for unit in (kind.score, kind.derive)])


def _below(cls: type[Any]) -> Iterator[type[Any]]:
    """The classes that inherit from a class."""
    for inheriting in cls.__subclasses__():
        yield inheriting
        yield from _below(inheriting)


def is_complete(folder: Path) -> bool:
    """Whether a warm-up of these sources, by this Python on this machine, filled the folder."""
    try:
        return (folder / _STAMP).read_text(encoding="utf-8") == _fingerprint()
    except OSError:
        return False


def _fingerprint() -> str:
    """Everything that invalidates compiled kernels; cheap, since it is computed at every startup.

    A false positive only costs a delay at the first solve: the cache itself is checked by
    numba and by the solver.
    """
    try:
        numba = importlib.metadata.version("numba")
    except importlib.metadata.PackageNotFoundError:
        numba = "none"
    digest = hashlib.sha256(f"{platform.python_version()} {numba} {platform.node()}".encode())
    for path in sorted(_PACKAGE.rglob("*.py")):
        stat = path.stat()
        digest.update(f"{path} {stat.st_size} {stat.st_mtime_ns}".encode())
    return digest.hexdigest()


def start(package: str, folder: Path | None) -> Compiling:
    """Start compiling in the background.

    Args:
        package: name of this package in this process, which cached kernels refer to.
        folder: folder of the solver's cache, in which completion is recorded.
    """
    try:
        return _Process(package, folder)
    except OSError:
        return _Thread(folder)


class _Process:
    """A compiling Python process; replaced by a thread if it is the wrong Python."""

    def __init__(self, package: str, folder: Path | None) -> None:
        if not Path(sys.executable or "").stem.lower().startswith("python"):
            raise FileNotFoundError(f"{sys.executable or 'nothing'} is not a Python")
        self._folder = folder
        self._instead: _Thread | None = None
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115, closed by _close
        order = {
            "package": package,
            "folder": str(folder) if folder else None,
            "path": sys.path,
            "version": platform.python_version(),
        }
        try:
            # -P: this file's folder must not be searched for modules.
            self._process = subprocess.Popen(
                [sys.executable, "-P", __file__],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=self._errors,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0)
                | getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0),
            )
        except OSError:
            self._errors.close()
            raise
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):  # it has already ended; see its exit code
            self._process.stdin.write(json.dumps(order).encode() + b"\n")
            self._process.stdin.flush()

    def outcome(self) -> Outcome | None:
        if self._instead is not None:
            return self._instead.outcome()
        code = self._process.poll()
        if code is None:
            return None
        if code == _OTHER_PYTHON:
            self._close()
            self._instead = _Thread(self._folder)
            return None
        reason = self._last_words(code) if code else ""
        self._close()
        return Outcome(reason, numba=code != _NO_NUMBA)

    def stop(self) -> None:
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._close()

    def _last_words(self, code: int) -> str:
        """The last line of its error output."""
        if self._errors.closed:
            return f"exit code {code}"
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else f"exit code {code}"

    def _close(self) -> None:
        self._errors.close()
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()


class _Thread:
    """Compiling in this Python, if no other can be started; cannot be stopped."""

    def __init__(self, folder: Path | None) -> None:
        self._outcome: Outcome | None = None
        self._folder = folder
        threading.Thread(target=self._run, name="Bio-IK warm-up", daemon=True).start()

    def outcome(self) -> Outcome | None:
        return self._outcome

    def stop(self) -> None:
        """Do nothing: the thread ends with the process."""

    def _run(self) -> None:
        try:
            self._outcome = _compile_and_note(self._folder)
        except Exception as error:
            self._outcome = Outcome(f"{type(error).__name__}: {error}")


def _compile_and_note(folder: Path | None) -> Outcome:
    """Compile, and write a stamp to the folder on completion."""
    fingerprint = _fingerprint()  # of the sources that are about to be read
    compiled = importlib.import_module(".solver.kernels.compiled", __package__)
    if not compiled.COMPILED:
        return Outcome(_why_uncompiled(), numba=False)
    compile_everything()
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / _STAMP).write_text(fingerprint, encoding="utf-8")
    return Outcome()


def _why_uncompiled() -> str:
    """The reason why the solver cannot use numba."""
    try:
        importlib.import_module("numba")
    except ImportError as error:
        return f"numba cannot be loaded ({error})"
    return "numba is switched off"


def _main() -> int:
    """Run as the process: read the order from standard input, and return an exit code."""
    order = json.loads(sys.stdin.readline())
    if order["version"] != platform.python_version():
        return _OTHER_PYTHON
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(10)
    sys.path[:] = order["path"]
    module = _import_as(order["package"])
    folder = order["folder"]
    outcome: Outcome = module._compile_and_note(Path(folder) if folder else None)
    if outcome.reason:
        print(outcome.reason, file=sys.stderr)
    return 0 if not outcome.reason else _NO_NUMBA


def _leave_with_parent() -> None:
    """End this process when its standard input is closed."""
    # Not sys.stdin: its lock, held by a waiting thread, would make Python's own exit fail.
    while os.read(0, 64):
        pass
    os._exit(1)


def _import_as(package: str) -> ModuleType:
    """Import this module as part of a package of that name, with placeholder parents."""
    parents = package.split(".")[:-1]
    for end in range(1, len(parents) + 1):
        made_up = ModuleType(".".join(parents[:end]))
        made_up.__path__ = [str(_PACKAGE.parent)]
        sys.modules[made_up.__name__] = made_up
    if not parents:
        sys.path.insert(0, str(_PACKAGE.parent))
    return importlib.import_module(f"{package}.warm_up")


if __name__ == "__main__":
    try:
        _code = _main()
    except Exception:
        traceback.print_exc()
        _code = 1
    sys.exit(_code)
