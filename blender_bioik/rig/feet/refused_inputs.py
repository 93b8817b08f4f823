"""What foot placement refuses before it reads anything."""

from __future__ import annotations

import bpy

from ..clip.animation import refuse_no_animation
from ..errors import RigError
from ..mapping.guess import refuse_guess
from ..source.options import BakeOptions

FEWEST_FRAMES = 3


def refuse_inputs(
    scene: bpy.types.Scene, armature_object: bpy.types.Object, options: BakeOptions
) -> None:
    """Refuse what is not animated, legs that are only guessed, and a range that is too short.

    Raises:
        RigError: There is no animation, the legs have to be confirmed, or there are too few frames.
    """
    refuse_guess(armature_object)
    refuse_no_animation(scene, armature_object)
    count = len(options.frames())
    if count < FEWEST_FRAMES:
        raise RigError(
            f"The range has only {count} frame{'s' if count > 1 else ''}: foot placement requires "
            f"at least {FEWEST_FRAMES}."
        )
