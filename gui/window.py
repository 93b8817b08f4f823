"""Finds a Blender that can open a window here, and runs one of this package's stories in it.

Used outside Blender. A Blender is taken from BLENDER, from the PATH, or from a folder with a whole
system in it to chroot into (BLENDER_GUI_ROOT, else ~/.cache/blender-gui/sid). It needs a screen:
DISPLAY, or xvfb-run, which makes one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Pixels. High, so that most of the sidebar is seen at once.
SIZE = (1600, 1400)
# As high as the longest panel with everything in it open, for stories that picture whole panels.
TALL = (1600, 1800)
TALL_STORIES = ("narrow", "pictures")
MAKE_SCREEN = ("xvfb-run", "-a")
# A story that hangs is ended after this time, seconds.
PATIENCE_S = 1200
# Packages for stories besides the installed extension: the demo's scenes, which write keyframes
# with the package's F-curves.
CODE = ("gui", "demo", "blender_bioik")


@dataclass(frozen=True)
class Window:
    """A Blender and a screen for it.

    Attributes:
        enter: Prefix of every command to enter Blender's environment; empty if it is local.
        screen: Prefix of Blender's command that makes a screen; empty if there is one.
        blender: The command that starts it.
        variables: Its environment.
        folder: A folder for what goes in and comes out. It is kept between runs.
        inside: The same folder as Blender sees it.
    """

    enter: tuple[str, ...]
    screen: tuple[str, ...]
    blender: str
    variables: dict[str, str]
    folder: Path
    inside: Path

    def background(self, *arguments: str) -> str:
        """Run Blender without a window; returns its output."""
        command = [*self.enter, self.blender, "--background", *arguments]
        run = subprocess.run(
            command, env=self.environment(), stdout=subprocess.PIPE, text=True, check=False
        )
        return run.stdout

    def tell(self, story: str) -> int:
        """Open the window on the scene, go through a story, and return Blender's exit code."""
        shutil.rmtree(self.folder / "out", ignore_errors=True)
        (self.folder / "out").mkdir()
        width, height = TALL if story in TALL_STORIES else SIZE
        command = [*self.enter, *self.screen]
        if self.screen:
            command += ["-s", f"-screen 0 {width}x{height}x24 +extension GLX"]
        command += [self.blender, "--enable-event-simulate"]
        command += ["--window-geometry", "0", "0", str(width), str(height)]
        command += [str(self.inside / "scene.blend"), *self.script("inside.py"), story]
        try:
            run = subprocess.run(command, env=self.environment(), check=False, timeout=PATIENCE_S)
        except subprocess.TimeoutExpired:
            print(f"Blender was ended: nothing came of it for {PATIENCE_S} s.")
            return 1
        return run.returncode

    def script(self, name: str) -> list[str]:
        """Arguments of Blender that run a script of this package, which gets the folder."""
        path = self.inside / "code" / "gui" / name
        return ["--python-exit-code", "3", "--python", str(path), "--", str(self.inside)]

    def environment(self) -> dict[str, str]:
        """The environment, with a user folder and compiled kernels of its own."""
        return {
            **self.variables,
            "BLENDER_USER_RESOURCES": str(self.inside / "user"),
            "BLENDER_BIOIK_CACHE": str(self.inside / "kernels"),
        }


def find() -> Window | str:
    """A window, or why there can be none."""
    blender = os.environ.get("BLENDER") or shutil.which("blender")
    if blender:
        return _here(blender)
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    default = cache / "blender-gui" / os.environ.get("SUITE", "sid")
    system = Path(os.environ.get("BLENDER_GUI_ROOT", default))
    if (system / "usr" / "bin" / "blender").exists():
        return _in_system(system)
    return "there is no Blender; say which one with BLENDER=/path/to/blender"


def _here(blender: str) -> Window | str:
    folder = ROOT / "build" / "gui-window"
    screen = () if os.environ.get("DISPLAY") else MAKE_SCREEN
    if screen and not shutil.which(screen[0]):
        return "there is no screen: DISPLAY is not set, and xvfb-run is not installed"
    return Window((), screen, blender, dict(os.environ), folder, folder)


def _in_system(system: Path) -> Window | str:
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return f"only root can use the Blender in {system}"
    variables = {
        "HOME": "/root",
        "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
        "LC_ALL": "C.UTF-8",
        "LIBGL_ALWAYS_SOFTWARE": "1",
    }
    # One for each checkout, so that two of them can be tested at the same time.
    inside = Path("/box", "gui" + str(ROOT).replace(os.sep, "-"))
    folder = system / inside.relative_to("/")
    return Window(("chroot", str(system)), MAKE_SCREEN, "blender", variables, folder, inside)
