"""Run a story in a Blender window, then quit Blender. Run by Blender.

blender scene.blend --enable-event-simulate --python gui/inside.py -- FOLDER STORY

A story is a module of this package with a function `story`, which takes a `Session` and yields the
seconds to wait before continuing.
"""

from __future__ import annotations

import importlib
import os
import sys
import traceback
from pathlib import Path

import bpy

# Lets the window open before the story begins.
START_S = 2.0


def main(folder: str, name: str) -> None:
    """Start the story; the window must stay responsive meanwhile."""
    sys.path.insert(0, str(Path(folder, "code")))
    sys.path.append(str(Path(folder, "packages")))
    from gui.session import Session

    bpy.context.preferences.view.show_splash = False
    session = Session(Path(folder, "out"))
    steps = importlib.import_module(f"gui.{name}").story(session)

    def step() -> float:
        try:
            return float(next(steps))
        except StopIteration:
            leave(session.close())
        except BaseException:
            traceback.print_exc(file=sys.stdout)
            session.check(f"{name} goes on to its end", False)
            session.snap("where it ended")
            leave(session.close())
        return 0.0

    bpy.app.timers.register(step, first_interval=START_S, persistent=True)


def leave(code: int) -> None:
    """Quit Blender immediately, without asking whether to save."""
    sys.stdout.flush()
    os._exit(code)


if __name__ == "__main__":
    main(*sys.argv[sys.argv.index("--") + 1 :])
