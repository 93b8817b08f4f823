"""`make test-gui` and `make pictures`: go through stories in a real Blender window.

python -m gui test | pictures
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from .prepare import prepare
from .window import ROOT, Window, find

STORIES = {"test": ("click_through", "lists", "narrow"), "pictures": ("pictures", "window_picture")}
# Where pictures of the test go, and of whatever fails.
ARTEFACTS = ROOT / "build" / "gui"
DOCS = ROOT / "docs"


def main(what: str = "test") -> int:
    """Go through stories; returns 0 also if there can be no window, after saying so."""
    window = find()
    if isinstance(window, str):
        print(f"not run: {window}")
        return 0
    prepare(window)
    if what == "test":
        shutil.rmtree(ARTEFACTS, ignore_errors=True)
    codes = []
    for story in STORIES[what]:
        codes.append(window.tell(story))
        is_of_docs = what == "pictures" and not codes[-1]
        keep_pictures(window, DOCS if is_of_docs else ARTEFACTS / story)
    return max(codes)


def keep_pictures(window: Window, folder: Path) -> None:
    """Copy the pictures of the last story."""
    shutil.copytree(window.folder / "out", folder, dirs_exist_ok=True)
    print(f"Pictures: {folder}")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
