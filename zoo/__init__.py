"""Generated characters with the oddities of downloaded ones, and clips for them.

`build("boots", "walk")` makes a character in the current scene, plays a clip on it and returns what
is known about it: which bone is which part, where the soles are, what touches the floor and when.
Characters stand on the floor z = 0 and face -Y; their left is +X. Metres, radians, frames.

`characters/` has a module for each kind, `clips/` one for each motion. Both are numbers only;
`blender.py` makes objects of them. For tests and benchmarks.
"""

from __future__ import annotations

from . import rigify
from .blender import Built, build_character
from .characters import CHARACTERS
from .clips import CLIPS
from .truth import Truth

__all__ = ["CHARACTERS", "CLIPS", "Built", "Truth", "build"]


def build(name: str, clip: str | None = None) -> Built:
    """Make a character in the current scene: one of `CHARACTERS` or `rigify.KINDS`.

    Args:
        name: The character.
        clip: One of `CLIPS`, which is assigned; None for the rest pose.
    """
    if name in rigify.KINDS:
        return rigify.build(name, clip)
    return build_character(name, clip)
