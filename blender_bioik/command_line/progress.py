"""What a terminal shows before and during a bake."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import bpy

from ..findings import told
from ..rig.clip.character_size import unusual_size
from ..rig.reading import Progress


@contextmanager
def shown_progress() -> Iterator[Progress]:
    """A progress callback that draws a temporary line in a terminal, or None elsewhere."""
    shown = -1

    def show(done: int, total: int) -> None:
        nonlocal shown
        percent = 100 * done // max(1, total)
        if percent != shown and sys.stderr.isatty():
            shown = percent
            print(f"\rBaking: {percent} %", end="", file=sys.stderr, flush=True)

    show(0, 1)  # on first use, the solver is compiled before there is any progress
    try:
        yield show
    finally:
        if shown >= 0:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def tell_beforehand(scene: bpy.types.Scene, armature: bpy.types.Object) -> None:
    """Print what is known about a character before it is baked, apart from the report."""
    for sentence in told(unusual_size(scene, armature), []):
        print(sentence, file=sys.stderr, flush=True)
