"""What the measures of placed feet say: findings with their frames, for the verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from ...findings import Finding, Severity
from ...motion.measure.quality_change import Change, Unreached
from ..transforms import Floats
from .foot_table import millimetres

# Above the first number a value is worth a look, above the second it is a fault. Metres for a
# person of 1.6 m, degrees, and ratios to the source.
SINKS = 0.001, 0.005
SLIDES = 0.001, 0.005
FLOATS = 0.003, 0.03
TILTS = 10.0, np.inf
PELVIS_MOVES = 0.04, np.inf
TWISTS = 5.0, 10.0
TURNS_OVER = 45.0, 60.0
JOLTS = 1.25, 1.5
# Faults of means, over all contacts or frames.
MEAN_DRIFT = 0.001
# The upper body where it is not part of the solve, degrees.
UPPER_BODY = 0.2
# Ground that rises by more around a frame forces the feet over it to be faster; metres.
STEP = 0.05
# A smaller part of the frames with contacts that has its feet on the ground is a fault.
FEW_ON_GROUND = 0.5
# The rank of what is as wrong as can be.
CERTAIN = 1e6


def measured_findings(
    change: Change,
    feet: Sequence[str],
    joints: Sequence[str],
    scale: float,
    *,
    upper_moves: bool,
    rests: bool = False,
) -> tuple[Finding, ...]:
    """All findings of the measures.

    Args:
        change: The measures.
        feet: Names of the feet.
        joints: Names of the joints.
        scale: Size of the character; 1 for a person.
        upper_moves: Whether the upper body may turn, for the slope or for goals.
        rests: Whether other parts of the body rest.
    """
    found = (
        *_of_feet(change, feet, scale),
        *_of_contacts(change, scale, rests),
        *_over_nothing(change, feet),
        *_of_body(change, joints, scale, upper_moves),
    )
    return tuple(finding for finding in found if finding.excess > 1.0)


def missed_findings(missed: Sequence[Unreached], feet: Sequence[str]) -> tuple[Finding, ...]:
    """Feet that do not reach their places."""
    return tuple(
        Finding(
            f"{feet[miss.foot]} misses its place in {_counted(len(miss.rows))}: {miss.reason}",
            "unreached",
            Severity.FAULT,
            excess=CERTAIN,
            row=miss.rows[0],
        )
        for miss in missed
    )


def _of_feet(change: Change, feet: Sequence[str], scale: float) -> Iterator[Finding]:
    curves = change.after.curves
    for foot, name in enumerate(feet):
        for values, limits, kind, text in (
            (
                curves.penetration,
                SINKS,
                "penetration",
                f"{name} penetrates the ground by {{}} mm",
            ),
            (curves.drift, SLIDES, "drift", f"{name} slides by {{}} mm while planted"),
            (curves.floating, FLOATS, "floating", f"{name} floats {{}} mm above the ground"),
        ):
            yield _peak(values[:, foot], limits, scale, kind, text, millimetres)
        for values, limits, kind, text in (
            (curves.slope_error, TILTS, "slope_error", f"{name} is {{}} degrees off the slope"),
            (change.foot_twist, TWISTS, "foot_twist", f"{name} is twisted by {{}} degrees"),
            (change.foot_tilt, TURNS_OVER, "foot_tilt", f"{name} is tilted by {{}} degrees"),
        ):
            yield _peak(values[:, foot], limits, 1.0, kind, text, _degrees)


def _of_contacts(change: Change, scale: float, rests: bool) -> Iterator[Finding]:
    feet = change.after.feet
    drift = max((foot.drift.mean for foot in feet), default=0.0)
    yield Finding(
        f"planted feet slide by {millimetres(drift)} mm on average",
        "drift_mean",
        Severity.FAULT,
        drift / (MEAN_DRIFT * scale),
    )
    planted = int(change.planted.sum())
    if not planted and rests:
        return
    if not planted:
        yield Finding(
            "no foot is planted in any frame", "no_contacts", Severity.WARNING, excess=CERTAIN
        )
        return
    off = change.planted & ~change.on_ground
    share = 1.0 - off.sum() / planted
    if share < FEW_ON_GROUND:
        yield Finding(
            f"planted feet are on the ground in {planted - int(off.sum())} of {planted} frames",
            "on_ground",
            Severity.FAULT,
            excess=CERTAIN,
            row=int(off.argmax()),
        )


def _over_nothing(change: Change, feet: Sequence[str]) -> Iterator[Finding]:
    """Feet that stand where there is no ground: a hole, or beyond its edge."""
    for foot, name in enumerate(feet):
        rows = np.flatnonzero(change.unsupported[:, foot])
        if len(rows):
            most = len(rows) > FEW_ON_GROUND * change.settled[:, foot].sum()
            yield Finding(
                f"{name} stands without ground under it in {_counted(len(rows))}",
                "no_ground",
                Severity.FAULT if most else Severity.WARNING,
                excess=1.0 + len(rows),
                row=int(rows[0]),
            )


def _of_body(
    change: Change, joints: Sequence[str], scale: float, upper_moves: bool
) -> Iterator[Finding]:
    shift = "the pelvis moves by {} mm beyond what the ground requires"
    yield _peak(change.pelvis_shift, PELVIS_MOVES, scale, "pelvis", shift, millimetres)
    yield _jolt(change, joints, scale)
    jerk = "the jerk of the legs is {} times the source's nearby"
    # What the whole clip has elsewhere is no fault: the judge compares with that.
    nearby = JOLTS[1], np.inf
    yield _peak(change.jerk_ratio, nearby, 1.0, "jerk", jerk, _ratio)
    if not upper_moves:
        turns = "the upper body turns by {} degrees"
        limits = UPPER_BODY, UPPER_BODY
        yield _peak(change.upper_body_turn, limits, 1.0, "upper_body", turns, _ratio)


def _jolt(change: Change, joints: Sequence[str], scale: float) -> Finding:
    """The joint that accelerates hardest against the source."""
    ratio = change.acceleration_ratio
    row = int(np.argmax(ratio)) if len(ratio) else 0
    name = joints[change.acceleration_joint[row]] if len(ratio) else ""
    text = f"joint {name} accelerates {{}} times as hard as the source nearby"
    jolt = _peak(ratio, JOLTS, 1.0, "acceleration", text, _ratio)
    return _forced(change, scale, jolt)


def _forced(change: Change, scale: float, jolt: Finding) -> Finding:
    """A jolt, which is no fault but a warning where a step in the ground forces it."""
    if jolt.severity != Severity.FAULT or jolt.row is None:
        return jolt
    step = float(change.step[jolt.row])
    if step < STEP * scale:
        return jolt
    return Finding(
        f"{jolt.text} where the ground changes by {100.0 * step:.0f} cm",
        jolt.kind,
        Severity.WARNING,
        jolt.excess,
        jolt.row,
    )


def _peak(
    values: Floats,
    limits: tuple[float, float],
    scale: float,
    kind: str,
    text: str,
    shown: Callable[[float], str],
) -> Finding:
    """The largest of some values over the frames; its excess is at most 1 if it is fine."""
    look, fault = (limit * scale for limit in limits)
    row = int(np.argmax(values)) if len(values) else 0
    value = float(values[row]) if len(values) else 0.0
    said = text.format(shown(value))
    if value > fault:
        return Finding(said, kind, Severity.FAULT, value / fault, row)
    return Finding(said, kind, Severity.DETAIL, value / look, row)


def _degrees(angle: float) -> str:
    return f"{angle:.0f}"


def _ratio(ratio: float) -> str:
    return f"{ratio:.1f}"


def _counted(frames: int) -> str:
    return "1 frame" if frames == 1 else f"{frames} frames"
