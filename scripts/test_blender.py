"""Run the tests inside a Blender executable.

    python scripts/test_blender.py /path/to/blender [arguments of pytest]

Packages that Blender's Python lacks (pytest, hypothesis, scipy, numba) are installed below build/
by this Python's pip, for the version of Blender's Python; Blender itself is not changed. Where
numba has no wheel for that Python, the tests of the solver are skipped, as they would take hours.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import test_in_blender
import test_matrix

ROOT = Path(__file__).resolve().parent.parent
QUESTION = """
import importlib.util, json, numpy, sys
wanted = ("hypothesis", "numba", "pytest", "scipy")
print()
print(json.dumps({
    "python": "{}.{}".format(*sys.version_info), "numpy": numpy.__version__,
    "missing": [name for name in wanted if importlib.util.find_spec(name) is None],
}))
"""


@dataclass(frozen=True)
class Inside:
    """Python as it is inside a Blender."""

    python: str
    numpy: str
    missing: list[str]


def main(blender: str, *arguments: str) -> int:
    """Install missing packages, run the tests, and return their exit code."""
    found = look_inside(blender)
    base = ROOT / "build" / f"blender-site-{found.python}"
    compiled = provide(found, base)
    if not arguments and not compiled:
        print(f"No numba for Python {found.python}: the solver's own tests are left out.")
        arguments = tuple(test_matrix.tests_of_blender())
    command = [blender, "--background", "--factory-startup", "--python-exit-code", "1"]
    command += ["--python", str(ROOT / "scripts" / "test_in_blender.py"), "--", str(base)]
    with subprocess.Popen([*command, *arguments], stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        said = ""
        for line in run.stdout:
            print(line, end="", flush=True)
            said = line if line.startswith(test_in_blender.LAST_LINE) else said
    # A Blender that does not find the script exits with 0: only this line proves that tests ran.
    if said.strip() != f"{test_in_blender.LAST_LINE}{run.returncode}":
        print(f"The tests did not come to their end; Blender's exit code is {run.returncode}.")
        return run.returncode or 1
    return run.returncode


def look_inside(blender: str) -> Inside:
    """Ask a Blender for its Python."""
    command = [blender, "--background", "--factory-startup", "--python-exit-code", "1"]
    run = subprocess.run(
        [*command, "--python-expr", QUESTION], stdout=subprocess.PIPE, text=True, check=False
    )
    answers = [line for line in run.stdout.splitlines() if line.startswith('{"python"')]
    if run.returncode or not answers:
        raise SystemExit(f"{blender} does not run:\n{run.stdout}")
    return Inside(**json.loads(answers[-1]))


def provide(found: Inside, base: Path) -> bool:
    """Install missing packages below `base`, as Python's user folder; returns if numba is there."""
    stamp = base / ".installed"
    requirements = [word for word in test_matrix.requirements() if not word.startswith("numpy")]
    wanted = [line for line in requirements if line.startswith(tuple(found.missing))]
    asked = "\n".join([*wanted, found.numpy])
    if stamp.exists() and stamp.read_text(encoding="utf-8").startswith(asked):
        return not stamp.read_text(encoding="utf-8").endswith("without numba")
    shutil.rmtree(base, ignore_errors=True)
    folder = test_in_blender.packages_below(str(base), found.python)
    compiled = True
    if wanted and not install(wanted, found, folder):
        compiled = False
        rest = [line for line in wanted if not line.startswith("numba")]
        if rest == wanted or (rest and not install(rest, found, folder)):
            raise SystemExit(f"pip cannot install {', '.join(rest)} for Python {found.python}")
    # Blender's own numpy is to be used; this one only came along.
    for numpy in folder.glob("numpy*"):
        shutil.rmtree(numpy)
    base.mkdir(parents=True, exist_ok=True)
    stamp.write_text(asked + ("" if compiled else "\nwithout numba"), encoding="utf-8")
    return compiled


def install(requirements: list[str], found: Inside, folder: Path) -> bool:
    """Have this Python's pip install for that of Blender; False if there are no such wheels."""
    print(f"Installing {', '.join(requirements)} for Python {found.python}", flush=True)
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    command += ["--only-binary=:all:", f"--python-version={found.python}", f"--target={folder}"]
    command += ["--no-warn-conflicts"]  # with this Python's packages, which have no part in it
    # Only versions compatible with Blender's numpy.
    run = subprocess.run([*command, *requirements, f"numpy=={found.numpy}"], check=False)
    return run.returncode == 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
