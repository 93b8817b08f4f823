"""The numbers of placed feet as plain numbers by name, with units in their names."""

from __future__ import annotations

from typing import Any

from ...motion.measure.quality import Extent, FootQuality, Harshness, Quality
from ...motion.measure.quality_change import Change


def foot_json(foot: FootQuality) -> dict[str, float | int]:
    """The numbers of a foot."""
    return {
        "contacts": foot.contacts,
        "locked_contacts": foot.locked,
        **_extent_json("penetration", foot.penetration, "mm", 1e3),
        **_extent_json("drift", foot.drift, "mm", 1e3),
        **_extent_json("floating", foot.floating, "mm", 1e3),
        **_extent_json("slope_error", foot.slope_error, "deg", 1.0),
        "skate_mm_s": 1e3 * foot.skate,
        "frames_without_ground": foot.groundless,
    }


def clip_json(change: Change) -> dict[str, Any]:
    """The numbers of the whole clip."""

    def absolute(quality: Quality) -> dict[str, float]:
        return {
            **_harshness_json("acceleration", quality.acceleration, "_m_s2"),
            **_harshness_json("jerk", quality.jerk, "_m_s3"),
            "knee_acceleration_worst_deg_s2": quality.knee_acceleration,
        }

    return {
        "before": absolute(change.before),
        "after": absolute(change.after),
        **_harshness_json("acceleration", change.ratios.acceleration, "_ratio"),
        **_harshness_json("jerk", change.ratios.jerk, "_ratio"),
        "knee_acceleration_worst_ratio": change.ratios.knee_acceleration,
        **_extent_json("pelvis_plan", change.pelvis_plan, "mm", 1e3),
        **_extent_json("pelvis_rise", change.pelvis_rise, "mm", 1e3),
        **_extent_json("upper_body", change.upper_body, "deg", 1.0),
    }


def _extent_json(name: str, extent: Extent, unit: str, factor: float) -> dict[str, float]:
    return {
        f"{name}_mean_{unit}": factor * extent.mean,
        f"{name}_worst_{unit}": factor * extent.worst,
    }


def _harshness_json(name: str, harshness: Harshness, unit: str) -> dict[str, float]:
    return {f"{name}_{part}{unit}": value for part, value in harshness._asdict().items()}
