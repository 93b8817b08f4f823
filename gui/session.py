"""State of a story: its input events, pictures and checks. Used inside Blender."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Generator
from pathlib import Path

import bpy

from .crop import Box, menu_box
from .hand import Hand, Pause, Place
from .view import find_button, middle_of, override

POLL_S = 0.1


class Session:
    """One run of a story in a window.

    Attributes:
        hand: Mouse and keyboard.
        out: Folder of the pictures.
    """

    def __init__(self, out: Path) -> None:
        self.hand = Hand()
        self.out = out
        self._passed = 0
        self._failed = 0
        self._pictures = 0

    def check(self, what: str, holds: bool) -> None:
        """Note whether something is as it should be."""
        self._passed, self._failed = self._passed + bool(holds), self._failed + (not holds)
        print("PASS" if holds else "FAIL", what, flush=True)

    def picture(self, name: str) -> Pause:
        """Take a picture of the whole window, when it has been drawn and panels have settled."""
        yield 1.0
        self.snap(name)

    def snap(self, name: str) -> None:
        """Take a picture of the whole window as it is now, numbered in the order of the story."""
        self._pictures += 1
        take_picture(self.out / f"{self._pictures:02d} {name}.png")

    def press(self, wanted: str) -> Pause:
        """Click the sidebar's button whose action matches a regular expression."""
        place = yield from find_button(self.hand, wanted)
        yield from self.hand.click(place)

    def type_into(self, wanted: str, text: str) -> Pause:
        """Type a value into the sidebar's field that matches a regular expression."""
        place = yield from find_button(self.hand, wanted)
        yield from self.hand.move(place)
        yield from self.hand.key("RET")
        yield 0.3
        yield from self.hand.key("A", ctrl=True)
        yield from self.hand.type(text)
        yield from self.hand.key("RET")
        yield 0.5

    def open_menu(self, place: Place) -> Generator[float, None, Box]:
        """Click a button that opens a menu or popover, and return where that is."""
        before, after = self.out / "before.png", self.out / "after.png"
        yield from self.hand.move(place)
        yield 0.3
        take_picture(before)
        yield from self.hand.click(place)
        yield 0.5
        take_picture(after)
        box = menu_box(before, after)
        before.unlink()
        after.unlink()
        return box

    def undo(self) -> Pause:
        """Ctrl Z over the 3D View."""
        yield from self.hand.move(middle_of("VIEW_3D"))
        yield from self.hand.key("Z", ctrl=True)
        yield 1.0

    def redo(self) -> Pause:
        """Shift Ctrl Z over the 3D View."""
        yield from self.hand.move(middle_of("VIEW_3D"))
        yield from self.hand.key("Z", ctrl=True, shift=True)
        yield 1.0

    def until(self, holds: Callable[[], bool], seconds: float) -> Pause:
        """Wait for something, but not for ever."""
        waited = 0.0
        while not holds() and waited < seconds:
            yield POLL_S
            waited += POLL_S

    def close(self) -> int:
        """Say how it went; returns the exit code."""
        print(f"{self._passed} passed, {self._failed} failed", flush=True)
        return 1 if self._failed else 0


def take_picture(path: Path) -> None:
    """Save a picture of the window."""
    if shutil.which("import"):
        # Blender's own screenshot is black with software OpenGL: use the X server instead.
        subprocess.run(["import", "-window", "root", str(path)], check=True)
    else:
        with override():
            bpy.ops.screen.screenshot(filepath=str(path))
