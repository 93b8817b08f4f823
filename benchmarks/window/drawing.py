"""Promise of the panel: what drawing costs in a Blender window, the sidebar's and the overlay's."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.report import Scale, Section, Table, digits

ITEM = 5
PANELS_LIMIT_MS, OVERLAY_LIMIT_MS = 2.0, 4.0
REDRAWS, QUICK_REDRAWS = 100, 10
SIZE = (1600, 900)
STATES = {
    "off": "overlay off",
    "still": "overlay on, nothing moves",
    "playing": "overlay on, another frame each time",
}
_ROOT = Path(__file__).parents[2]
_CODE = ("blender_bioik", "demo", "benchmarks")
_CHILD_SECONDS = 600


def run(scale: Scale) -> Section:
    """Have a Blender window drawn, if there can be one."""
    section = Section("10. Drawing in a Blender window")
    limits = f"<= {PANELS_LIMIT_MS:g} ms and <= {OVERLAY_LIMIT_MS:g} ms"
    command = _window()
    if isinstance(command, str):
        section.not_run(ITEM, "a redraw of the sidebar and of the overlay", limits, command)
        return section
    with tempfile.TemporaryDirectory(prefix="bioik-bench-", dir=_shared()) as folder:
        found = _draw(command, Path(folder), QUICK_REDRAWS if scale.quick else REDRAWS)
    if found["problem"]:
        raise RuntimeError(f"The overlay has stopped: {found['problem']}")
    _add_times(section, found)
    return section


def _add_times(section: Section, found: dict[str, Any]) -> None:
    table = Table(
        f"{found['bones']} bones, {found['contacts']} contacts, {found['goals']} goals, every "
        f"panel open; Blender {found['blender']}, {found['renderer']}; milliseconds a redraw",
        ("what", "state", "redraws", "own thread, median", "worst", "by the clock, median"),
    )
    section.tables.append(table)
    for state, label in STATES.items():
        for kind, times in found["times"][state].items():
            numbers = [digits(times[name]) for name in ("own", "worst", "wall")]
            table.rows.append((kind, label, times["redraws"], *numbers))
    for kind, limit in (("panels", PANELS_LIMIT_MS), ("overlay", OVERLAY_LIMIT_MS)):
        for name, clock in (("own", "of Blender's own thread"), ("wall", "by the clock")):
            # Of the state that takes longest: a promise about a redraw is one about all of them.
            value = max(times[kind][name] for times in found["times"].values() if kind in times)
            text = f"{kind}: a redraw in the slowest state, {clock}"
            section.at_most(ITEM, text, value, limit, " ms")
    section.notes += [
        "'own thread' is the time that Blender's main thread works: other programs on a busy "
        "machine do not count, nor does waiting for threads that draw in place of a graphics card.",
        f"Load average (1 minute) {os.getloadavg()[0]:.1f} on {os.cpu_count()} threads.",
    ]


def _draw(command: list[str], folder: Path, redraws: int) -> dict[str, Any]:
    """Run the child in a window; what it has found."""
    for name in _CODE:
        ignored = shutil.ignore_patterns("out", "artefacts", "__pycache__")
        shutil.copytree(_ROOT / name, folder / name, ignore=ignored)
    seen = _as_blender_sees(folder)
    arguments = ["--factory-startup", "--window-geometry", "0", "0", *map(str, SIZE)]
    arguments += ["--python-exit-code", "3"]
    arguments += ["--python", str(seen / "benchmarks" / "drawing_child.py"), "--"]
    arguments += [str(seen), str(seen / "result.json"), str(redraws)]
    environment = {**os.environ, "BLENDER_USER_RESOURCES": str(seen)}
    child = subprocess.run(
        [*command, *arguments],
        env=environment,
        capture_output=True,
        text=True,
        timeout=_CHILD_SECONDS,
        check=False,
    )
    result = folder / "result.json"
    if not result.exists():
        said = child.stdout[-2000:] + child.stderr[-2000:]
        raise RuntimeError(f"Blender's window failed:\n{said}")
    found: dict[str, Any] = json.loads(result.read_text(encoding="utf-8"))
    return found


def _window() -> list[str] | str:
    """The command that opens a Blender window, or why there can be none.

    BLENDER names the Blender. With BLENDER_ROOT it is in a system of its own, to chroot into.
    """
    root = os.environ.get("BLENDER_ROOT")
    blender = os.environ.get("BLENDER") or ("blender" if root else shutil.which("blender"))
    if not blender:
        return "there is no Blender: say which one with BLENDER=/path/to/blender"
    command = shlex.split(blender)
    if not os.environ.get("DISPLAY") or root:
        if not root and not shutil.which("xvfb-run"):
            return "there is no screen: DISPLAY is not set and xvfb-run is not installed"
        screen = f"-screen 0 {SIZE[0]}x{SIZE[1]}x24 +extension GLX"
        command = ["xvfb-run", "-a", "-s", screen, *command]
    return ["chroot", root, *command] if root else command


def _shared() -> str | None:
    """A folder that Blender can see too, None for any."""
    root = os.environ.get("BLENDER_ROOT")
    return str(Path(root) / "tmp") if root else None


def _as_blender_sees(folder: Path) -> Path:
    root = os.environ.get("BLENDER_ROOT")
    return Path("/") / folder.relative_to(root) if root else folder
