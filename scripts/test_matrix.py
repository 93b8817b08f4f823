"""Run the tests on the bpy wheel of every Blender version that we support, and print a table.

    python scripts/test_matrix.py             all that touches Blender, and a little of the solver;
                                              on the newest for each Python lint, types and all
    python scripts/test_matrix.py --full      the whole suite on each
    python scripts/test_matrix.py --others    without the version that `make test` runs on, and what
                                              only calculates with what is read from Blender
    python scripts/test_matrix.py --jobs 2    two versions at a time
    python scripts/test_matrix.py 4.2 5.2     these versions alone
    python scripts/test_matrix.py --pins      what the newest version for this Python needs

Each version gets an environment .venv-bpy-VERSION with the numpy of the real Blender, made once.
A version whose Python is not found is reported as not run. Needs nothing but Python.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import threading
import time
import tomllib
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parent.parent
USUAL = ROOT / ".venv"
RESULTS = ROOT / "build" / "matrix"
# As `make lint` does.
LINT = (("ruff", "check", "."), ("ruff", "format", "--check", "."), ("mypy",))
# pip writes beside the sources: one at a time.
INSTALLING = threading.Lock()
SAYING = threading.Lock()
# The solver does not depend on Blender: for another numpy or Python, these tests are sufficient.
SOLVER_TESTS = (
    "kinematics/test_tree.py",
    "kinematics/test_forward.py",
    "test_validation.py",
)
# Nor do folders that only work on arrays or are slow because of their numbers.
NUMBERS_FOLDERS = ("solver", "motion", "benchmarks")
# Nor does what is read once and then only calculated with: body parts, soles, what rests, the
# judge, and the generated characters that show all of it. Tests that place feet run everywhere.
NUMBERS_ONLY = (
    "rig/contacts",
    "rig/controls/test_posed_rests.py",
    "rig/judge",
    "rig/legs",
    "rig/mapping/test_families.py",
    "rig/mapping/test_mapping.py",
    "rig/mapping/test_names.py",
    "rig/mapping/test_structure.py",
    "rig/problem",
    "rig/rebake/test_holds_again.py",
    "rig/rests",
    "rig/soles",
    "rig/feet/test_climbs.py",
    "rig/feet/test_detached_feet.py",
    "rig/feet/test_few_keys_of_feet.py",
    "rig/feet/test_loops.py",
    "rig/feet/test_sizes.py",
    "demo",
    "test_architecture.py",
    "test_documents.py",
    "test_examples.py",
    "test_findable.py",
    "zoo",
)


@dataclass(frozen=True)
class Version:
    """A Blender version by its bpy wheel, with the Python and numpy of the real Blender."""

    blender: str
    python: str
    bpy: str
    numpy: str

    @property
    def pins(self) -> list[str]:
        """Packages to install with pip."""
        return [f"bpy=={self.bpy}", f"numpy=={self.numpy}"]

    @property
    def is_newest(self) -> bool:
        """Whether this is the version that its Python is tested on: with lint, types and all."""
        return self == NEWEST[self.python]


VERSIONS = (
    Version("4.2", "3.11", "4.2.23", "1.24.3"),
    Version("4.5", "3.11", "4.5.15", "1.26.4"),
    Version("5.0", "3.11", "5.0.1", "1.26.4"),
    Version("5.2", "3.13", "5.2.3", "2.3.4"),
)
NEWEST = {version.python: version for version in VERSIONS}


@dataclass(frozen=True)
class Result:
    """Result of one version; `summary` is a cell of the table."""

    version: Version
    summary: str
    seconds: float
    failed: bool


def main(arguments: Iterable[str] | None = None) -> int:
    """Run the requested tests; returns the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("versions", nargs="*", help="Blender versions (default: all)")
    parser.add_argument("--full", action="store_true", help="run the whole suite on each version")
    parser.add_argument("--others", action="store_true", help="leave out what `make test` runs on")
    parser.add_argument("--jobs", type=int, default=1, help="how many versions at a time")
    parser.add_argument("--pins", action="store_true", help="print pins for this Python and stop")
    parser.add_argument(
        "--install-only", action="store_true", help="make the environments and stop"
    )
    chosen = parser.parse_args(None if arguments is None else list(arguments))
    if chosen.pins:
        print(*NEWEST[this_python()].pins)
        return 0
    known = {version.blender: version for version in VERSIONS}
    if unknown := set(chosen.versions) - known.keys():
        parser.error(
            f"no such version: {', '.join(sorted(unknown))} (there are {', '.join(known)})"
        )
    # Those with the most tests first, so that jobs end at about the same time.
    versions = [known[name] for name in chosen.versions or known]
    versions.sort(key=lambda version: not version.is_newest)
    if chosen.jobs == 1:
        results = [take(version, chosen) for version in versions]
    else:
        RESULTS.mkdir(parents=True, exist_ok=True)
        with ThreadPoolExecutor(chosen.jobs) as workers:
            results = list(workers.map(partial(take_aside, chosen=chosen), versions))
    results.sort(key=lambda result: VERSIONS.index(result.version))
    print(table(results))
    nothing_ran = all(result.summary.startswith("not run") for result in results)
    return int(nothing_ran or any(result.failed for result in results))


def take_aside(version: Version, chosen: argparse.Namespace) -> Result:
    """Take a version while others are taken; what is said about it comes in one piece."""
    path = RESULTS / f"{version.blender}.log"
    say(f"Blender {version.blender} begins: {path.relative_to(ROOT)}\n")
    with path.open("w", encoding="utf-8") as log:
        result = take(version, chosen, log)
    say(path.read_text(encoding="utf-8", errors="replace"))
    return result


def say(text: str) -> None:
    """Print in one piece: several versions may want to at once."""
    with SAYING:
        print(text, end="", flush=True)


def take(version: Version, chosen: argparse.Namespace, log: IO[str] | None = None) -> Result:
    """Do what the command line asks for with one version."""
    if chosen.others and is_usual(version):
        return Result(version, "not run: see make test", 0.0, False)
    title = f"== Blender {version.blender}: bpy {version.bpy}, Python {version.python}"
    print(title, file=log, flush=True)
    try:
        with INSTALLING:
            python = environment(version, log)
    except subprocess.CalledProcessError:
        return Result(version, "its environment cannot be made", 0.0, True)
    if python is None:
        neither = ", nor lint and types" if version.is_newest else ""
        return Result(version, f"not run{neither}: no Python {version.python}", 0.0, False)
    if chosen.install_only:
        return Result(version, "installed", 0.0, False)
    return test(version, python, chosen, log)


def this_python() -> str:
    """Version of the Python that runs this, as in "3.11"."""
    return "{}.{}".format(*sys.version_info)


def environment(version: Version, log: IO[str] | None) -> Path | None:
    """The Python of the version's environment, made or brought up to date if need be."""
    folder = ROOT / f".venv-bpy-{version.blender}"
    if not folder.exists() and is_usual(version):
        return USUAL / "bin" / "python"
    wanted = "".join(f"{pin}\n" for pin in version.pins)
    extra = "dev" if version.is_newest else "test"
    wanted += "".join(f"# {line}\n" for line in requirements(extra))
    if read(folder / ".installed") == wanted:
        return folder / "bin" / "python"
    if not (folder / "bin" / "python").exists():
        base = find_python(version.python)
        if base is None:
            return None
        subprocess.run([base, "-m", "venv", "--clear", folder], check=True, stdout=log)
    print(f"Installing into {folder.name} (about 500 MB the first time)", file=log, flush=True)
    python = folder / "bin" / "python"
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    asked = [*pip, "-e", f".[{extra}]", *version.pins]
    subprocess.run(asked, cwd=ROOT, check=True, stdout=log, stderr=log)
    (folder / ".installed").write_text(wanted, encoding="utf-8")
    return python


def is_usual(version: Version) -> bool:
    """Whether `make test` has made an environment of exactly this version for itself."""
    return (read(USUAL / ".installed") or "").split() == version.pins


def requirements(extra: str = "test") -> list[str]:
    """What the package and its tests (or for "dev" its lint too) need, apart from Blender."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    project = tomllib.loads(text)["project"]
    extras = project["optional-dependencies"]
    more = extras["dev"] if extra == "dev" else []
    return sorted(project["dependencies"] + extras["test"] + more)


def read(path: Path) -> str | None:
    """A file's text, None if there is no such file."""
    return path.read_text(encoding="utf-8") if path.exists() else None


def find_python(version: str) -> str | None:
    """A Python of that version that runs and can make environments."""
    code = "import ensurepip, sys, venv; print('{}.{}'.format(*sys.version_info))"
    for candidate in python_candidates(version):
        # Executed, not just looked up: a pyenv shim can exist and still not run.
        try:
            run = subprocess.run(
                [candidate, "-c", code], capture_output=True, text=True, check=False
            )
        except OSError:
            continue
        if run.returncode == 0 and run.stdout.strip() == version:
            return candidate
    return None


def python_candidates(version: str) -> Iterator[str]:
    """Where a Python of that version may be, likely places first."""
    yield sys.executable
    for name in (f"python{version}", "python3", "python"):
        if found := shutil.which(name):
            yield found
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    for path in sorted(pyenv.glob(f"versions/{version}.*/bin/python{version}"), reverse=True):
        yield str(path)


def test(version: Version, python: Path, chosen: argparse.Namespace, log: IO[str] | None) -> Result:
    """Run the tests in one environment; again if Blender itself crashes, with a note."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    report = RESULTS / f"{version.blender}.xml"
    full = chosen.full
    selection = [] if full or version.is_newest else short_selection()
    if chosen.others and version.is_newest and not full:  # `make test` runs these
        selection = ignored()
    command = [str(python), "-m", "pytest", "-q", f"--junitxml={report}", *selection]
    variables = os.environ | {"BLENDER_BIOIK_CACHE": str(kernels_of(version, full))}
    start = time.monotonic()
    report.unlink(missing_ok=True)
    clean = not version.is_newest or lint(python, log)
    run = subprocess.run(command, cwd=ROOT, env=variables, check=False, stdout=log, stderr=log)
    # bpy 4.2 now and then does, when a window's scene is set.
    if crashed := not report.exists():
        run = subprocess.run(command, cwd=ROOT, env=variables, check=False, stdout=log, stderr=log)
    seconds = time.monotonic() - start
    if not report.exists():
        return Result(version, f"crashed twice, exit code {run.returncode}", seconds, True)
    counts = count(report)
    summary = ", ".join(f"{number} {name}" for name, number in counts.items() if number)
    summary += ", after a crash of Blender" * crashed
    failed = run.returncode != 0 or not counts["passed"]
    if failed and not counts["failed"]:
        summary += f", exit code {run.returncode}"
    if version.is_newest:
        summary += ", lint and types clean" if clean else ", lint or types failed"
    return Result(version, summary, seconds, failed or not clean)


def kernels_of(version: Version, full: bool) -> Path:
    """Where compiled kernels are kept.

    Versions of one Python can run beside each other. Those that test compiling have a folder of
    their own, in which nobody else compiles meanwhile.
    """
    return RESULTS / "kernels" / (version.blender if full or version.is_newest else "others")


def lint(python: Path, log: IO[str] | None) -> bool:
    """Whether lint, format and types are clean; all of them are run."""
    print(f"Lint and types on {python.relative_to(ROOT)}", file=log, flush=True)
    commands = [[str(python), "-m", *words] for words in LINT]
    runs = [
        subprocess.run(command, cwd=ROOT, check=False, stdout=log, stderr=log)
        for command in commands
    ]
    return all(run.returncode == 0 for run in runs)


def short_selection() -> list[str]:
    """Tests to run on a version if not all."""
    # Compiling depends on Python, not on Blender: the newest version for each Python will do.
    return ["-m", "not compiles", *ignored(), *tests_of_blender()]


def ignored() -> list[str]:
    """Options that leave out tests that only calculate with what is read."""
    return [f"--ignore=tests/{name}" for name in NUMBERS_ONLY]


def tests_of_blender() -> list[str]:
    """Tests of all that touches Blender, and a few of the solver."""
    tests = ROOT / "tests"
    chosen = [
        path
        for path in sorted(tests.iterdir())
        if path.name not in (*NUMBERS_FOLDERS, *NUMBERS_ONLY)  # pytest ignores nothing it is given
        and (path.name.startswith("test_") or next(path.rglob("test_*.py"), None) is not None)
    ]
    chosen += [tests / "solver" / name for name in SOLVER_TESTS]
    return [str(path.relative_to(ROOT)) for path in chosen]


def count(report: Path) -> dict[str, int]:
    """Numbers of tests by their result, from pytest's report."""
    suite = ElementTree.parse(report).getroot().find("testsuite")
    found = {} if suite is None else suite.attrib
    tests, failures, errors, skipped = (
        int(found.get(name, 0)) for name in ("tests", "failures", "errors", "skipped")
    )
    failed = failures + errors
    return {"passed": tests - failed - skipped, "failed": failed, "skipped": skipped}


def table(results: list[Result]) -> str:
    """The results as a table."""
    rows = [("Blender", "bpy", "Python", "numpy", "seconds", "result")]
    for result in results:
        version = result.version
        seconds = f"{result.seconds:.0f}"
        told = f"FAILED: {result.summary}" if result.failed else result.summary
        rows.append((version.blender, version.bpy, version.python, version.numpy, seconds, told))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)


if __name__ == "__main__":
    sys.exit(main())
