"""Mouse and keyboard events, as received by the window. Used inside Blender.

Everything here is part of a story: it yields the seconds to wait before continuing, so that
Blender can act on each event before the next one comes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import bpy

# Seconds to wait before the story continues.
Pause = Iterator[float]
SOON = 0.0
# Long enough that two clicks are not taken for a double click.
AFTER_CLICK_S = 0.4
DRAG_STEPS = 12


@dataclass(frozen=True)
class Place:
    """A place in the window, pixels from its lower left corner."""

    x: int
    y: int

    def moved(self, x: int, y: int) -> Place:
        """A point next to it."""
        return Place(self.x + x, self.y + y)


class Hand:
    """Moves the mouse, clicks and types in Blender's first window."""

    def __init__(self) -> None:
        self.place = Place(1, 1)

    def event(self, kind: str, value: str, **more: Any) -> None:
        """Send one event, at the place where the mouse is."""
        window = bpy.context.window_manager.windows[0]
        window.event_simulate(type=kind, value=value, x=self.place.x, y=self.place.y, **more)

    def move(self, place: Place) -> Pause:
        """Put the mouse somewhere."""
        self.place = place
        self.event("MOUSEMOVE", "NOTHING")
        yield SOON
        yield SOON

    def click(self, place: Place, **held: bool) -> Pause:
        """Click there with the left button, with shift, ctrl or alt held down."""
        yield from self.move(place)
        self.event("LEFTMOUSE", "PRESS", **held)
        yield SOON
        self.event("LEFTMOUSE", "RELEASE", **held)
        yield AFTER_CLICK_S

    def key(self, kind: str, unicode: str | None = None, **held: bool) -> Pause:
        """Press and release a key."""
        self.event(kind, "PRESS", unicode=unicode, **held)
        yield SOON
        self.event(kind, "RELEASE", **held)
        yield SOON

    def type(self, text: str) -> Pause:
        """Type letters, digits, spaces and full stops."""
        for letter in text:
            kind = _KEY_OF.get(letter, letter.upper())
            yield from self.key(kind, unicode=letter, shift=letter.isupper())

    def drag(self, place: Place, way: tuple[int, int]) -> Pause:
        """Press the left button there, move the mouse that many pixels, and release it."""
        yield from self.move(place)
        self.event("LEFTMOUSE", "PRESS")
        yield SOON
        yield from self.glide(place.moved(*way))
        self.event("LEFTMOUSE", "RELEASE")
        yield AFTER_CLICK_S

    def glide(self, place: Place) -> Pause:
        """Move the mouse there as a person does, by way of many places."""
        start = self.place
        for step in range(1, DRAG_STEPS + 1):
            share = step / DRAG_STEPS
            x = start.x + share * (place.x - start.x)
            yield from self.move(Place(round(x), round(start.y + share * (place.y - start.y))))


_KEY_OF = {
    " ": "SPACE",
    ".": "PERIOD",
    **dict(
        zip(
            "0123456789",
            ("ZERO", "ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE"),
            strict=True,
        )
    ),
}
