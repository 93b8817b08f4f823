"""The numbers of placed feet as lines of text, before and after."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...motion.measure.quality import FootQuality
from ...motion.measure.quality_change import Change


def millimetres(metres: float) -> str:
    """Metres as millimetres, with a digit more below 10."""
    return f"{1e3 * metres:.1f}" if metres < 0.00995 else f"{1e3 * metres:.0f}"


def _if_locked(foot: FootQuality, value: float) -> float:
    """A value that has no meaning for a foot that always slides."""
    return value if foot.locked else np.nan


def _cell(value: float, width: int) -> str:
    return f"{'-':>{width}}" if np.isnan(value) else f"{value:{width}.2f}"


# The table's rows: label, value of a foot and factor to the label's unit.
TABLE: tuple[tuple[str, Callable[[FootQuality], float], float], ...] = (
    ("penetration, worst (mm)", lambda foot: foot.penetration.worst, 1e3),
    ("penetration, mean (mm)", lambda foot: foot.penetration.mean, 1e3),
    ("sliding when planted, worst (mm)", lambda foot: _if_locked(foot, foot.drift.worst), 1e3),
    ("sliding when planted, mean (mm)", lambda foot: _if_locked(foot, foot.drift.mean), 1e3),
    ("floating when planted, worst (mm)", lambda foot: foot.floating.worst, 1e3),
    ("floating when planted, mean (mm)", lambda foot: foot.floating.mean, 1e3),
    ("slope error, worst (degrees)", lambda foot: foot.slope_error.worst, 1.0),
    ("slope error, mean (degrees)", lambda foot: foot.slope_error.mean, 1.0),
    ("skating (mm/s)", lambda foot: foot.skate, 1e3),
)


def foot_table(names: tuple[str, ...], change: Change) -> list[str]:
    """One row for each number, two columns for each foot."""
    first = max(len(label) for label, _, _ in TABLE)
    width = max([8, *((len(name) + 1) // 2 for name in names)])
    pairs = list(zip(change.before.feet, change.after.feet, strict=True))
    lines = [
        f"{'':{first}}" + "".join(f"  {name:>{2 * width + 1}}" for name in names),
        f"{'':{first}}" + f"  {'before':>{width}} {'after':>{width}}" * len(names),
    ]
    for label, value, factor in TABLE:
        cells = (
            f"  {_cell(factor * value(before), width)} {_cell(factor * value(after), width)}"
            for before, after in pairs
        )
        lines.append(f"{label:{first}}" + "".join(cells))
    return lines


def clip_lines(change: Change) -> list[str]:
    """The numbers of the whole clip as sentences."""
    acceleration, jerk, knees = change.ratios
    plan, rise = millimetres(change.pelvis_plan.worst), millimetres(change.pelvis_rise.worst)
    return [
        f"Relative to the source: jerk {jerk.mean:.2f} (legs {jerk.legs_mean:.2f}), peak "
        f"acceleration {acceleration.worst:.2f} (99th percentile of the legs "
        f"{acceleration.legs_p99:.2f}), peak of the knees {knees:.2f}.",
        f"Beyond what the ground requires, the pelvis moves {plan} mm horizontally and {rise} mm "
        f"vertically, and the upper body rotates by {change.upper_body.worst:.2f} degrees.",
    ]
