"""Settings of the plan of a foot placement, and the region of the ground that it needs."""

from __future__ import annotations

from collections.abc import Sequence

import bpy
import numpy as np

from ...motion.feet import Floats, Foot
from ...motion.plan.plan import PlanSettings

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
