"""Motions whose numbers are known: planted feet moved, tilted, reversed and scaled.

Tests of: quality_change.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from blender_bioik.motion.feet import BALL, HEEL, TIP, Contact
from blender_bioik.motion.measure.quality import (
    FootCurves,
    Footing,
    Motion,
    Quality,
    measure,
    settled_rows,
)
from blender_bioik.motion.measure.quality_change import Change, Unreached, asked_shift, compare

RATE = 30.0
FRAMES = 60
CLEARANCE = np.array([[0.08, 0.02, 0.01], [0.07, 0.03, 0.02]])
CONTACTS = (
    Contact(0, BALL, 0, 20),
    Contact(0, HEEL, 2, 15),
    Contact(1, BALL, 15, 40),
    Contact(1, TIP, 15, 45),
    Contact(0, BALL, 38, 60),
)
FOOTING = Footing(CONTACTS, CLEARANCE, np.array([False, True, True, True]), RATE)
# Lengths of any size that a character's numbers may have, metres.
lengths = st.floats(0.001, 0.5)


def standing(slope: float = 0.0) -> Motion:
    """Two feet that stand still and flat on a ground that rises along X."""
    heels = np.array([[0.0, 0.1, 0.0], [0.3, -0.1, 0.0]])
    along = np.array([[0.0, 0.0, 0.0], [0.15, 0.0, 0.0], [0.22, 0.0, 0.0]])
    points = np.tile(heels[:, None] + along, (FRAMES, 1, 1, 1))
    height = slope * points[..., 0]
    points[..., 2] = height + CLEARANCE
    gradient = np.zeros((*height.shape, 2))
    gradient[..., 0] = slope
    return Motion(
        points,
        height,
        gradient,
        joints=np.zeros((FRAMES, 4, 3)),
        pelvis=np.zeros((FRAMES, 3)),
        upper_body=np.tile([1.0, 0.0, 0.0, 0.0], (FRAMES, 2, 1)),
        knees=np.zeros((FRAMES, 2)),
        feet=np.tile([1.0, 0.0, 0.0, 0.0], (FRAMES, 2, 1)),
    )


def wandering(seed: int = 0) -> Motion:
    """Everything moves smoothly, and at random, about a standing character."""
    noise = np.random.default_rng(seed)
    times = np.arange(FRAMES) / RATE

    def waves(*shape: int, size: float) -> Any:
        phase, pace = noise.uniform(0, 2 * np.pi, shape), noise.uniform(1.0, 9.0, shape)
        return size * np.sin(np.multiply.outer(times, pace) + phase)

    still = standing(0.1)
    turns = waves(2, 4, size=0.1) + np.array([1.0, 0.0, 0.0, 0.0])
    return replace(
        still,
        points=still.points + waves(2, 3, 3, size=0.03),
        joints=waves(4, 3, size=0.3),
        pelvis=waves(3, size=0.05),
        upper_body=turns / np.linalg.norm(turns, axis=-1, keepdims=True),
        knees=waves(2, size=0.5),
    )


def moved(motion: Motion, by: Any) -> Motion:
    """The feet elsewhere, over the ground as it was."""
    return replace(motion, points=motion.points + np.asarray(by))


def reversed_in_time(footing: Footing) -> Footing:
    contacts = [c._replace(first=FRAMES - c.stop, stop=FRAMES - c.first) for c in footing.contacts]
    carried = None if footing.carried is None else footing.carried[::-1]
    return replace(footing, contacts=contacts, carried=carried)


def numbers(quality: Quality) -> list[float]:
    """All of it but the curves."""
    found = [*quality.acceleration, *quality.jerk, quality.knee_acceleration]
    for foot in quality.feet:
        found += [*foot.penetration, *foot.drift, *foot.floating, *foot.slope_error, foot.skate]
        found += [foot.contacts, foot.groundless]
    return found


def test_standing_feet_have_no_faults() -> None:
    quality = measure(standing(0.2), FOOTING)
    assert [foot.contacts for foot in quality.feet] == [2, 1]
    assert np.allclose([v for foot in quality.feet for v in (*foot.penetration, *foot.drift)], 0.0)
    assert np.allclose([v for foot in quality.feet for v in (*foot.floating, foot.skate)], 0.0)
    assert np.allclose([v for foot in quality.feet for v in foot.slope_error], 0.0)
    assert np.allclose(quality.curves, 0.0)


@given(depth=lengths, slope=st.floats(-0.5, 0.5))
def test_feet_moved_down_sink_in_by_as_much(depth: float, slope: float) -> None:
    quality = measure(moved(standing(slope), [0.0, 0.0, -depth]), FOOTING)
    for foot in quality.feet:
        assert foot.penetration == pytest.approx((depth, depth))
        assert foot.floating == pytest.approx((0.0, 0.0), abs=1e-12)
        assert foot.slope_error == pytest.approx((0.0, 0.0), abs=1e-9)


@given(height=lengths)
def test_feet_moved_up_float_by_as_much(height: float) -> None:
    quality = measure(moved(standing(0.1), [0.0, 0.0, height]), FOOTING)
    for foot in quality.feet:
        assert foot.floating == pytest.approx((height, height))
        assert foot.penetration == pytest.approx((0.0, 0.0), abs=1e-12)


def test_only_the_deepest_point_counts_and_only_where_it_is() -> None:
    by = np.zeros((FRAMES, 2, 3, 3))
    by[30, 1, HEEL, 2], by[30, 1, TIP, 2] = -0.05, -0.01
    quality = measure(moved(standing(), by), FOOTING)
    assert quality.feet[0].penetration == pytest.approx((0.0, 0.0))
    assert quality.feet[1].penetration == pytest.approx((0.05 / FRAMES, 0.05))
    assert np.argmax(quality.curves.penetration[:, 1]) == 30


def test_a_heel_over_an_edge_does_not_float() -> None:
    motion = standing()
    motion.height[:, :, HEEL] -= 0.16
    quality = measure(motion, FOOTING)
    assert quality.feet[0].floating == pytest.approx((0.0, 0.0))
    # The treads are level and so is the foot, whatever the line from tread to tread does.
    assert quality.feet[0].slope_error == pytest.approx((0.0, 0.0))


def test_a_heel_that_strikes_over_an_edge_does_not_float_if_the_ball_is_on_the_tread() -> None:
    motion = standing()
    height = motion.height.copy()
    height[:, 0, HEEL] -= 0.16
    heels = tuple(c for c in FOOTING.contacts if c.foot != 0 or c.point == HEEL)
    footing = replace(FOOTING, contacts=heels)
    assert measure(replace(motion, height=height), footing).feet[0].floating.worst < 1e-12


def test_feet_in_the_air_do_not_float() -> None:
    by = np.zeros((FRAMES, 2, 3, 3))
    by[20:38, 0, :, 2] = 0.1
    assert measure(moved(standing(), by), FOOTING).feet[0].floating.worst == pytest.approx(0.0)


@given(distance=lengths, direction=st.floats(0.0, 6.28))
def test_a_ball_that_swaps_places_drifts_by_half_of_the_way(
    distance: float, direction: float
) -> None:
    by = np.zeros((FRAMES, 2, 3, 3))
    rows = settled_rows(CONTACTS[2])
    middle = (rows.start + rows.stop) // 2
    by[middle:, 1, BALL, :2] = distance * np.array([np.cos(direction), np.sin(direction)])
    by[0, 1, BALL, :2] = 5.0
    foot = measure(moved(standing(), by), FOOTING).feet[1]
    count = rows.stop - rows.start
    expected = distance * max(middle - rows.start, rows.stop - middle) / count
    assert foot.drift == pytest.approx((expected, expected))


def test_drift_leaves_out_the_ends_of_contacts_and_those_that_slide() -> None:
    by = np.zeros((FRAMES, 2, 3, 3))
    by[:3, 0, BALL, 0] = by[17:41, 0, BALL, 0] = 0.2
    assert measure(moved(standing(), by), FOOTING).feet[0].drift.worst == pytest.approx(0.0)
    by[5:10, 0, BALL, 0] = 0.2
    slides = replace(FOOTING, contacts=[c._replace(slides=True) for c in CONTACTS])
    assert measure(moved(standing(), by), FOOTING).feet[0].drift.worst > 0.05
    assert measure(moved(standing(), by), slides).feet[0].drift.worst == 0.0


def test_drift_means_the_mean_over_contacts() -> None:
    by = np.zeros((FRAMES, 2, 3, 3))
    by[5:10, 0, BALL, 1] = 0.1
    quality = measure(moved(standing(), by), FOOTING)
    assert quality.feet[0].drift.mean == pytest.approx(quality.feet[0].drift.worst / 2.0)


@given(degrees=st.floats(0.1, 40.0), slope=st.floats(-0.4, 0.4))
def test_a_tilted_foot_has_that_slope_error(degrees: float, slope: float) -> None:
    motion = standing(slope)
    from_heel = motion.points[..., 0] - motion.points[:, :, :1, 0]
    tilt = np.tan(np.arctan(slope) + np.radians(degrees)) - slope
    motion.points[..., 2] += tilt * from_heel
    for foot in measure(motion, FOOTING).feet:
        assert foot.slope_error == pytest.approx((degrees, degrees))


def test_a_foot_across_the_slope_is_level_along_itself() -> None:
    motion = standing()
    motion.slope[..., 1] = 0.7
    assert measure(motion, FOOTING).feet[0].slope_error.worst == pytest.approx(0.0)


def test_slope_error_needs_two_points_in_contact() -> None:
    motion = standing()
    motion.points[:, :, HEEL, 2] += 0.1
    quality = measure(motion, FOOTING)
    assert quality.feet[0].slope_error.worst > 10.0
    # The other foot's heel is in no contact: it rolls over the ball, as feet do.
    assert quality.feet[1].slope_error.worst == pytest.approx(0.0)
    assert not quality.curves.slope_error[16:, 0].any()


@given(speed=st.floats(0.01, 3.0), height=st.floats(-0.2, 0.2), scale=st.floats(0.1, 10.0))
def test_skate_is_the_formula_of_mann(speed: float, height: float, scale: float) -> None:
    by = np.zeros((FRAMES, 2, 3, 3))
    by[..., 1] = speed * (np.arange(FRAMES) / RATE)[:, None, None]
    by[..., 2] = height
    quality = measure(moved(standing(), by), replace(FOOTING, scale=scale))
    weight = min(max(2.0 - 2.0 ** min(height / (0.025 * scale), 9.0), 0.0), 1.0)
    assert quality.feet[0].skate == pytest.approx(weight * speed, abs=1e-9)


def test_feet_that_a_platform_carries_neither_drift_nor_skate() -> None:
    ride = np.zeros((FRAMES, 2, 3))
    ride[..., 0] = (np.arange(FRAMES) / RATE)[:, None] ** 2
    carried = ride.copy()
    for contact in CONTACTS:
        if contact.point == BALL:
            rows = slice(contact.first, contact.stop)
            carried[rows, contact.foot] -= ride[contact.first, contact.foot]
    motion = moved(standing(), ride[:, :, None])
    still = measure(motion, FOOTING)
    riding = measure(motion, replace(FOOTING, carried=carried))
    assert still.feet[1].drift.worst > 0.1
    assert [foot.drift.worst for foot in riding.feet] == pytest.approx([0.0, 0.0])
    planted = slice(CONTACTS[2].first + 1, CONTACTS[2].stop - 1)
    assert still.curves.skate[planted, 1].min() > 0.5
    assert np.allclose(riding.curves.skate[planted, 1], 0.0)


def test_without_ground_nothing_is_measured() -> None:
    motion = moved(standing(), [0.0, 0.0, -0.3])
    motion.height[10:20, 0] = np.nan
    motion.slope[10:20, 0] = np.nan
    quality = measure(motion, FOOTING)
    assert [foot.groundless for foot in quality.feet] == [10, 0]
    assert quality.feet[0].penetration == pytest.approx((0.3 * 50 / 60, 0.3))
    assert np.isfinite(numbers(quality)).all()
    assert np.isfinite(quality.curves).all()


@given(seed=st.integers(0, 50))
def test_numbers_are_the_same_backwards_in_time(seed: int) -> None:
    motion = wandering(seed)
    carried = np.random.default_rng(seed).normal(0.0, 0.05, (FRAMES, 2, 3))
    footing = replace(FOOTING, carried=carried)
    backwards = Motion(*(getattr(motion, name)[::-1] for name in Motion.__dataclass_fields__))
    forward, back = measure(motion, footing), measure(backwards, reversed_in_time(footing))
    assert numbers(back) == pytest.approx(numbers(forward))
    for one, other in zip(forward.curves, back.curves, strict=True):
        assert np.allclose(one, other[::-1])
    other_motion = wandering(seed + 100)
    other_back = Motion(*(getattr(other_motion, n)[::-1] for n in Motion.__dataclass_fields__))
    change = compare(motion, other_motion, FOOTING)
    change_back = compare(backwards, other_back, reversed_in_time(FOOTING))
    assert np.allclose(change.pelvis_shift, change_back.pelvis_shift[::-1])
    assert np.allclose(change.acceleration_ratio, change_back.acceleration_ratio[::-1])


@given(factor=st.floats(0.01, 100.0), seed=st.integers(0, 20))
def test_numbers_scale_with_the_character(factor: float, seed: int) -> None:
    motion, other = wandering(seed), wandering(seed + 100)
    large = replace(FOOTING, clearance=factor * CLEARANCE, scale=factor)

    def grown(small: Motion) -> Motion:
        return replace(
            small,
            points=factor * small.points,
            height=factor * small.height,
            joints=factor * small.joints,
            pelvis=factor * small.pelvis,
        )

    small, big = compare(motion, other, FOOTING), compare(grown(motion), grown(other), large)
    assert big.ratios.jerk == pytest.approx(small.ratios.jerk)
    assert big.ratios.acceleration == pytest.approx(small.ratios.acceleration)
    assert big.pelvis_plan == pytest.approx([factor * v for v in small.pelvis_plan])
    assert big.pelvis_rise == pytest.approx([factor * v for v in small.pelvis_rise])
    assert big.upper_body == pytest.approx(small.upper_body)
    assert np.allclose(big.acceleration_ratio, small.acceleration_ratio)
    for name in FootCurves._fields:
        power = 1.0 if name == "slope_error" else factor
        assert np.allclose(
            getattr(big.after.curves, name), power * getattr(small.after.curves, name)
        )


@given(factor=st.floats(0.1, 10.0))
def test_ratios_are_those_of_the_motion(factor: float) -> None:
    source = wandering()
    result = replace(source, joints=factor * source.joints, knees=factor * source.knees)
    ratios = compare(source, result, FOOTING).ratios
    found = [*ratios.acceleration, *ratios.jerk, ratios.knee_acceleration]
    assert found == pytest.approx([factor] * len(found), rel=1e-2)


def test_derivatives_are_in_seconds() -> None:
    times = np.arange(FRAMES) / RATE
    joints = np.zeros((FRAMES, 4, 3))
    joints[:, 1, 2] = 3.0 * times**2
    joints[:, 0, 0] = 5.0 * times**3
    knees = np.stack([times**2, 0.0 * times], axis=1)
    quality = measure(replace(standing(), joints=joints, knees=knees), FOOTING)
    assert quality.jerk.worst == pytest.approx(30.0)
    assert quality.jerk.mean == pytest.approx(30.0 / 4)
    assert quality.jerk.legs_mean == pytest.approx(0.0, abs=1e-6)
    assert quality.acceleration.legs_p99 == pytest.approx(6.0)
    assert quality.acceleration.legs_mean == pytest.approx(2.0)
    assert quality.knee_acceleration == pytest.approx(np.degrees(2.0))


def test_an_unchanged_motion_has_ratios_of_one_and_no_shift() -> None:
    source = standing(0.1)
    change = compare(source, source, FOOTING)
    assert change.ratios.knee_acceleration == 1.0
    assert [*change.ratios.jerk, *change.ratios.acceleration] == [1.0] * 8
    assert change.pelvis_plan == change.upper_body == (0.0, 0.0)
    assert change.pelvis_rise == pytest.approx((0.0, 0.0), abs=1e-12)
    assert change.on_ground.all()


def test_a_pop_shows_in_its_own_frame() -> None:
    source = wandering()
    joints = source.joints.copy()
    joints[30, 2] += 0.05
    change = compare(source, replace(source, joints=joints), FOOTING)
    assert np.argmax(change.acceleration_ratio) == 30
    assert change.acceleration_ratio[30] > 2.0
    assert change.acceleration_ratio[:25].max() <= 1.0
    assert abs(np.argmax(change.jerk_ratio) - 30) <= 2
    assert change.jerk_ratio.max() > 2.0
    assert change.jerk_ratio[:25].max() <= 1.0


def walk(pace: float = 0.1) -> tuple[Motion, Footing]:
    """Steps along X of ten frames each, on a floor at zero; the pelvis is between the feet."""
    contacts = [Contact(i % 2, BALL, 10 * i, 10 * i + 11) for i in range(5)]
    source = standing()
    rows = np.arange(float(FRAMES))
    for foot in (0, 1):
        own = [c for c in contacts if c.foot == foot]
        at = [row for c in own for row in (c.first, c.stop - 1)]
        places = [pace * (c.first + 5) for c in own for _ in range(2)]
        # Before its first and after its last stand it swings from and to the next one.
        at = [at[0] - 10, *at, at[-1] + 10]
        places = [places[0] - 20 * pace, *places, places[-1] + 20 * pace]
        source.points[:, foot, :, 0] = np.interp(rows, at, places)[:, None]
    pelvis = np.zeros((FRAMES, 3))
    pelvis[:, 0] = source.points[:, :, BALL, 0].mean(axis=1)
    return replace(source, pelvis=pelvis), replace(FOOTING, contacts=contacts)


@given(steepness=st.floats(-0.5, 0.5), height=st.floats(-2.0, 2.0), floor=st.floats(-1.0, 1.0))
def test_the_asked_shift_on_a_slope_is_its_rise(
    steepness: float, height: float, floor: float
) -> None:
    source, footing = walk(pace=0.03)
    source.points[..., 2] += floor
    ground = height + steepness * source.points[..., 0]
    source = replace(source, height=ground)
    raised = source.pelvis.copy()
    raised[:, 2] = height - floor + steepness * source.pelvis[:, 0]
    change = compare(source, replace(source, pelvis=raised), footing)
    # At 1 m/s the pelvis goes as steadily as the feet allow, but for a few millimetres.
    assert change.pelvis_rise.worst < 0.01
    sunk = raised - [0.0, 0.03, 0.0]
    change = compare(source, replace(source, pelvis=sunk), footing)
    assert change.pelvis_plan == pytest.approx((0.03, 0.03))


@given(steps=st.floats(-0.3, 0.3))
def test_the_asked_shift_on_level_ground_is_its_height(steps: float) -> None:
    source, footing = walk()
    source.height[...] = steps
    assert np.allclose(asked_shift(source, footing), [0.0, 0.0, steps])
    sunk = source.pelvis + np.array([0.0, 0.03, steps - 0.04])
    change = compare(source, replace(source, pelvis=sunk), footing)
    assert change.pelvis_rise == pytest.approx((0.04, 0.04))
    assert np.allclose(change.pelvis_shift, 0.05)


def test_stairs_ask_for_a_steady_rise_up_to_their_landing() -> None:
    source, footing = walk(pace=0.03)
    source.height[...] = 0.16 * np.clip(np.floor(source.points[..., 0] / 0.3), 0.0, 3.0)
    rise = asked_shift(source, footing)[:, 2]
    assert np.diff(rise).max() < 0.025
    assert rise[0] == pytest.approx(0.0, abs=0.08)
    assert rise[-1] == pytest.approx(0.48, abs=0.02)


def test_the_asked_shift_undoes_a_floor_that_drifts_in_the_source() -> None:
    source, footing = walk()
    drift = 0.05 * np.arange(FRAMES) / FRAMES
    source.points[..., 2] += drift[:, None, None]
    middle = slice(15, 40)
    assert asked_shift(source, footing)[middle, 2] == pytest.approx(-drift[middle], abs=0.005)


def test_the_asked_shift_is_zero_if_the_source_already_climbs_the_slope() -> None:
    source, footing = walk(pace=0.03)
    ground = 0.2 * source.points[..., 0]
    source.points[..., 2] += ground
    source = replace(source, height=ground)
    assert np.abs(asked_shift(source, footing)[:, 2]).max() < 0.02


def test_holes_in_the_ground_do_not_drop_the_body() -> None:
    source, footing = walk()
    source.height[...] = 0.5
    source.height[20:30, 0] = np.nan
    source.height[:, 1] = np.nan
    assert np.allclose(asked_shift(source, footing)[:, 2], 0.5)


def test_the_asked_shift_lifts_the_body_with_a_platform() -> None:
    contacts = [Contact(0, BALL, 0, FRAMES), Contact(1, BALL, 0, FRAMES)]
    ride = np.zeros((FRAMES, 2, 3))
    ride[..., 0], ride[..., 2] = 0.2, np.linspace(0.0, 3.0, FRAMES)[:, None]
    source = standing()
    source.height[...] += ride[:, :, 2:]
    footing = replace(FOOTING, contacts=contacts, carried=ride, path=ride[:, 0, :2])
    assert np.allclose(asked_shift(source, footing), ride[:, 0])


@given(degrees=st.floats(0.001, 179.0))
def test_turns_of_the_upper_body(degrees: float) -> None:
    source = standing()
    half = np.radians(degrees) / 2.0
    turned = source.upper_body.copy()
    turned[7, 1] = [-np.cos(half), 0.0, -np.sin(half), 0.0]
    change = compare(source, replace(source, upper_body=turned), FOOTING)
    assert change.upper_body == pytest.approx((degrees / (2 * FRAMES), degrees))
    assert change.upper_body_turn[7] == pytest.approx(degrees)


def test_unreached_frames_are_not_on_the_ground() -> None:
    source = standing()
    missed = Unreached(1, (3, 4), "leg too short")
    by = np.zeros((FRAMES, 2, 3, 3))
    by[10, 0, :, 2], by[25, 1, :, 2] = -0.01, 0.01
    change = compare(source, moved(source, by), FOOTING, [missed])
    assert np.flatnonzero(~change.on_ground).tolist() == [3, 4, 10, 25]
    assert change.unreached == (missed,)


@pytest.mark.parametrize("frames", [1, 2, 3])
def test_shortest_clips_and_nothing_to_measure(frames: int) -> None:
    motion = Motion(
        *(getattr(wandering(), name)[:frames] for name in Motion.__dataclass_fields__),
    )
    footing = replace(FOOTING, contacts=[Contact(0, BALL, 0, frames)])
    change = compare(motion, motion, footing)
    assert np.isfinite(numbers(change.after)).all()
    assert len(change.acceleration_ratio) == len(change.pelvis_shift) == frames
    assert len(change.jerk_ratio) == len(change.upper_body_turn) == frames
    bare = replace(motion, joints=motion.joints[:, :0], upper_body=motion.upper_body[:, :0])
    bare_change = compare(bare, bare, replace(footing, contacts=(), legs=np.zeros(0, bool)))
    assert np.isfinite(numbers(bare_change.after)).all()


# Reach


def aside(knee_degrees: float, far: float) -> Change:
    """The pelvis goes aside and back; the second foot's knee is bent so far in the middle of it."""
    source = replace(standing(), knees=np.full((FRAMES, 2), np.radians(40.0)))
    shift = np.zeros((FRAMES, 3))
    shift[20:40, 1] = far * np.sin(np.linspace(0.0, np.pi, 20))
    knees = source.knees.copy()
    knees[27:30, 1] = np.radians(knee_degrees)
    return compare(source, replace(source, pelvis=shift, knees=knees), FOOTING)


def test_a_large_pelvis_offset_is_explained_by_the_straight_leg() -> None:
    reach = aside(5.0, 0.08).reach
    assert reach is not None
    assert (reach.foot, reach.row) == (1, 29)
    assert aside(5.0, 0.03).reach is None
    assert aside(20.0, 0.08).reach is None


def test_a_jolt_after_the_source_has_stopped_is_compared_with_the_rest_of_the_source() -> None:
    """A held pose at the end of a clip, longer than its motion."""
    joints = np.zeros((FRAMES, 4, 3))
    joints[:20, :, 0] = 0.1 * np.sin(0.7 * np.arange(20))[:, None]
    joints[20:] = joints[19]
    source = replace(standing(), joints=joints)
    jolted = joints.copy()
    jolted[50, 1:] += 0.01
    change = compare(source, replace(source, joints=jolted), FOOTING)
    assert 1.0 < change.acceleration_ratio.max() < 30.0


@pytest.mark.parametrize(
    ("stop", "rows"), [(1, (0, 1)), (2, (0, 2)), (3, (1, 2)), (6, (1, 5)), (20, (3, 17))]
)
def test_a_foot_lands_and_leaves_at_the_ends_of_a_contact(stop: int, rows: tuple[int, int]) -> None:
    assert settled_rows(Contact(0, BALL, 0, stop)) == slice(*rows)
