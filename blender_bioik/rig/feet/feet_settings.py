"""Settings of a foot placement: its range, its plan, and the region of the ground it needs."""

from __future__ import annotations

from collections.abc import Sequence

import bpy
import numpy as np

from ...motion.feet import Floats, Foot
from ...motion.plan.plan import PlanSettings
from ..clip.animation import refuse_no_animation
from ..errors import RigError
from ..mapping.guess import refuse_guess
from ..source.options import BakeOptions

FEWEST_FRAMES = 3
# How far around the feet the ground matters, metres for a character of 1.6 m.
AROUND = 1.5


def plan_settings(settings: bpy.types.PropertyGroup, scale: float) -> PlanSettings:
    """Foot placement settings; the default step height depends on the character's size."""
    chosen = settings.is_property_set("step_up")
    step_up = settings.step_up if chosen else scale * settings.step_up
    return PlanSettings(
        settings.slope, step_up, settings.ease, settings.swing, levels=settings.levels
    )


def region_around(feet: Sequence[Foot], scale: float) -> Floats:
    """Lowest and highest (x, y) of the ground that matters; (2, 2)."""
    points = np.concatenate([foot.points[..., :2].reshape(-1, 2) for foot in feet])
    margin = AROUND * scale
    return np.stack([points.min(axis=0) - margin, points.max(axis=0) + margin])


def refuse_inputs(
    scene: bpy.types.Scene, armature_object: bpy.types.Object, options: BakeOptions
) -> None:
    """Refuse what is not animated, legs that are only guessed, and a range that is too short.

    Raises:
        RigError: There is no animation, the legs have to be confirmed, or there are too few frames.
    """
    refuse_no_animation(scene, armature_object)
    refuse_guess(armature_object)
    count = len(options.frames())
    if count < FEWEST_FRAMES:
        raise RigError(
            f"The range has only {count} frame{'s' if count > 1 else ''}: foot placement requires "
            f"at least {FEWEST_FRAMES}."
        )
