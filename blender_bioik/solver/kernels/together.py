"""Compiling units on all cores, so that the first use waits for the longest one only.

numba compiles one function at a time, whatever the number of threads. So other Python processes
help: each takes the next free unit, compiles it and stores the result in the shared cache. Where no
other Python can be started, everything is compiled here.
"""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from .compiled import COMPILED, Unit, unit_of

MOST_HELPERS = 7
# A helper may hang (a virus scanner, a suspended machine): the longest wait for one.
PATIENCE_SECONDS = 300.0
_SOLVER = Path(__file__).parent.parent
_SOLVER_PACKAGE = (__package__ or "").rpartition(".")[0]
# The helper ends with the process it helps, which keeps its standard input open, and imports the
# package under the name it has there, because cached kernels remember their module.
_HELPER = """
import importlib, os, sys, threading, types
def leave():
    while os.read(0, 64):
        pass
    os._exit(1)
threading.Thread(target=leave, daemon=True).start()
folder, package, claims, *names = sys.argv[1:]
outer = package.split(".")[:-1]
for end in range(1, len(outer) + 1):
    made_up = types.ModuleType(".".join(outer[:end]))
    made_up.__path__ = [folder]
    sys.modules[made_up.__name__] = made_up
if not outer:
    sys.path.insert(0, folder)
importlib.import_module(package + ".solver.kernels.together").help_compiling(claims, names)
"""


def compile_together(units: Sequence[Unit]) -> None:
    """Compile units; the ones that take longest should come first."""
    waiting = [unit for unit in dict.fromkeys(units) if COMPILED and not unit.is_ready()]
    helpers = min(len(waiting), os.cpu_count() or 1, MOST_HELPERS + 1) - 1
    if helpers > 0 and _is_python(sys.executable):
        names = [unit.name for unit in waiting]
        with tempfile.TemporaryDirectory(prefix="bioik-") as claims:
            started = [_start_helper(claims, names) for _ in range(helpers)]
            try:
                help_compiling(claims, names)
            finally:
                for process in started:
                    _wait_for(process)
    for unit in waiting:
        unit.address()


def help_compiling(claims: str, names: Sequence[str]) -> None:
    """Compile units by name, each unless another process has claimed it first."""
    for name in _claimed(Path(claims), names):
        module, _ = name.split(":")
        importlib.import_module(module, _SOLVER_PACKAGE)
        unit_of(name).address()


def _claimed(folder: Path, names: Sequence[str]) -> Iterator[str]:
    for number, name in enumerate(names):
        try:
            (folder / str(number)).touch(exist_ok=False)
        except FileExistsError:
            continue
        except OSError:  # the folder was removed: the main process has ended
            return
        yield name


def _start_helper(claims: str, names: Sequence[str]) -> subprocess.Popen[bytes] | None:
    """Another Python process that compiles, or None if it cannot be started."""
    package = _SOLVER_PACKAGE.rpartition(".")[0]
    command = [sys.executable, "-P", "-c", _HELPER, str(_SOLVER.parent.parent), package, claims]
    try:
        return subprocess.Popen(
            [*command, *names],
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except OSError:
        return None


def _is_python(program: str | None) -> bool:
    """Whether a program is a Python interpreter, not one that embeds Python, such as Blender."""
    return Path(program or "").stem.lower().startswith("python")


def _wait_for(process: subprocess.Popen[bytes] | None) -> None:
    if process is None:
        return
    try:
        process.wait(PATIENCE_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
    process.communicate()
