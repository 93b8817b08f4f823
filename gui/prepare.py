"""Puts everything that a story needs where the window's Blender finds it. Used outside Blender."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

from .window import CODE, ROOT, Window

NEEDED = ("scipy", "numba", "threadpoolctl")
QUESTION = f"""
import importlib.util, json, numpy, sys
missing = [name for name in {NEEDED} if importlib.util.find_spec(name) is None]
print()
print(json.dumps({{
    "python": "{{}}.{{}}".format(*sys.version_info), "numpy": numpy.__version__,
    "missing": missing,
}}))
"""


def prepare(window: Window) -> None:
    """Install the extension into an empty user folder, and have its scene made."""
    window.folder.mkdir(parents=True, exist_ok=True)
    copy_code(window)
    provide_packages(window)
    install(window, build(window.folder))
    make_scene(window)


def copy_code(window: Window) -> None:
    """Copy the stories into the window's folder."""
    for name in CODE:
        target = window.folder / "code" / name
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(ROOT / name, target, ignore=shutil.ignore_patterns("out", "__pycache__"))


def provide_packages(window: Window) -> None:
    """Install packages that Blender's Python lacks with this Python's pip, outside of Blender."""
    said = window.background("--factory-startup", "--python-expr", QUESTION)
    answers = [line for line in said.splitlines() if line.startswith('{"python"')]
    if not answers:
        raise SystemExit(f"{window.blender} does not run:\n{said}")
    found = json.loads(answers[-1])
    target = window.folder / "packages"
    stamp = target / "installed.json"
    if not found["missing"] or (stamp.exists() and stamp.read_text("utf-8") == answers[-1]):
        return
    shutil.rmtree(target, ignore_errors=True)
    print(f"Installing {', '.join(found['missing'])} for Python {found['python']}", flush=True)
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    command += ["--only-binary=:all:", f"--python-version={found['python']}", f"--target={target}"]
    command += ["--no-warn-conflicts"]  # with this Python's packages, which have no part in it
    # Only versions compatible with Blender's own numpy, which is used.
    run = subprocess.run([*command, *found["missing"], f"numpy=={found['numpy']}"], check=False)
    if run.returncode:
        print("They cannot be installed: everything will be slow, or foot placement will not work.")
    for numpy in target.glob("numpy*"):
        shutil.rmtree(numpy)
    target.mkdir(exist_ok=True)
    stamp.write_text(answers[-1], "utf-8")


def build(output: Path) -> Path:
    """Build the small zip."""
    script = ROOT / "scripts" / "build_extension.py"
    for old in output.glob("*.zip"):
        old.unlink()
    subprocess.run(
        [sys.executable, str(script), "--no-wheels", "--output", str(output)], check=True
    )
    (built,) = output.glob("*.zip")
    return built


def install(window: Window, extension: Path) -> None:
    """Install the zip into an empty user folder; it is not enabled."""
    user = window.folder / "user"
    shutil.rmtree(user, ignore_errors=True)
    user.mkdir()
    path = str(window.inside / extension.name)
    said = window.background("--command", "extension", "install-file", "-r", "user_default", path)
    # Its exit code is 0 also when it failed.
    if "STATUS Installed" not in said:
        raise SystemExit(f"Blender does not install the extension:\n{said}")
    # Kernels that were compiled from the same files in an earlier run are known by their times.
    for installed in (user / "extensions" / "user_default" / "blender_bioik").rglob("*.py"):
        parts = installed.parts[installed.parts.index("blender_bioik") :]
        shutil.copystat(ROOT.joinpath(*parts), installed)


def make_scene(window: Window) -> None:
    """Have the window's Blender make the scene, which no older one could open."""
    scene = window.folder / "scene.blend"
    scene.unlink(missing_ok=True)
    said = window.background("--factory-startup", *window.script("scene.py"))
    if not scene.exists():
        raise SystemExit(f"Blender does not make the scene:\n{said}")
