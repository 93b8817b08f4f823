"""A report on placed feet as it is stored on an armature."""

from __future__ import annotations

from typing import Any

FOOT = {
    "contacts": 4,
    "locked_contacts": 4,
    "penetration_mean_mm": 1.0,
    "penetration_worst_mm": 112.4,
    "drift_worst_mm": 22.0,
    "floating_worst_mm": 2.0,
    "slope_error_worst_deg": 3.25,
    "skate_mm_s": 12.0,
}
AFTER = FOOT | {
    "penetration_worst_mm": 0.04,
    "drift_worst_mm": 1.6,
    "penetration_worst_frame": 7.0,
    "drift_worst_frame": 43.0,
    "floating_worst_frame": 9.0,
    "slope_error_worst_frame": 10.0,
    "skate_worst_frame": 11.0,
}
GOAL = {
    "name": "look",
    "unit": "degrees",
    "frames": 90,
    "reached": 87,
    "mean": 0.2,
    "worst": 4.24,
    "worst_frame": 61.0,
    "preference": False,
    "mean_before": 20.0,
    "worst_before": 31.0,
}
CLIP = {
    "jerk_mean_ratio": 1.011,
    "acceleration_worst_ratio": 1.4,
    "pelvis_plan_worst_mm": 12.0,
    "pelvis_rise_worst_mm": 5.0,
    "upper_body_worst_deg": 0.0,
}
REPORT: dict[str, Any] = {
    "schema": "bioik.foot_report",
    "version": 1,
    "written": "Walk_bioik",
    "bones": 12,
    "scale": 1.0,
    "frames": 90,
    "first_frame": 1.0,
    "last_frame": 90.0,
    "feet": [
        {"name": "leg.L", "before": FOOT, "after": AFTER},
        {"name": "leg.R", "before": FOOT, "after": AFTER | {"locked_contacts": 0}},
    ],
    "clip": CLIP,
    "unreached": [{"foot": "leg.R", "reason": "leg too short", "frames": [5.0, 6.0]}],
    "goals": [GOAL],
    "worst": [{"frame": 43.0, "text": "leg.L slides 1.6 mm"}],
    "notes": [
        "The clip is animated in place: feet follow the height and slope of the ground, "
        "without locks."
    ],
}

# Placed feet that climb, with a verdict.
CLIMBING: dict[str, Any] = REPORT | {
    "good": False,
    "verdict": "Problems found: leg.L slides by 1.6 mm while it rests (at frame 43); Levels: the "
    "clip climbs up to 1.20 m above its floor, and feet keep that height (frames 33 to 80).",
    "findings": [{"kind": "rest_slides"}, {"kind": "climb"}],
}
