"""Contacts against the known ones of generated gaits, and of recorded motions.

Tests of: motion.feet.
"""

from __future__ import annotations

import numpy as np
import pytest

from blender_bioik.motion.contacts.contacts import find_contacts, is_upright
from blender_bioik.motion.feet import BALL, HEEL, TIP, Contact, Foot
from demo.gait import RUN, WALK, Gait

from ...builders.motion.gaits import (
    SCALE,
    foot_along,
    gait_contacts,
    gait_feet,
    moved,
    noisy,
    resampled,
    scaled,
)


def by_point(contacts: list[Contact], foot: int, point: int) -> list[tuple[int, int]]:
    return [(c.first, c.stop) for c in contacts if (c.foot, c.point) == (foot, point)]


def assert_near(
    found: list[Contact], gait: Gait, points: tuple[int, ...], seconds: float, times: int = 1
) -> None:
    """Each contact of the gait is found, and no other, with both ends near the true ones.

    Those that the clip's ends cut to less than a tenth of a second may be missing.
    """
    rate = gait.fps * times
    for foot in range(2):
        for point in points:
            true = [
                (times * first, times * (stop - 1) + 1)
                for first, stop in by_point(gait_contacts(gait), foot, point)
            ]
            long = {rows for rows in true if rows[1] - rows[0] >= 0.1 * rate}
            matched = [
                min(true, key=lambda rows: abs(rows[0] - first) + abs(rows[1] - stop))
                for first, stop in by_point(found, foot, point)
            ]
            assert len(set(matched)) == len(matched)
            assert long <= set(matched)
            got = np.array(by_point(found, foot, point))
            assert np.abs(got - np.array(matched)).max() <= seconds * rate, (foot, point)


@pytest.mark.parametrize("gait", [WALK, RUN], ids=lambda gait: gait.name)
def test_contacts_of_a_gait(gait: Gait) -> None:
    found = find_contacts(gait_feet(gait), gait.fps, SCALE)
    assert_near(found, gait, (BALL, TIP), 2.05 / 24.0)
    assert_near(found, gait, (HEEL,), 3.05 / 24.0)
    assert not any(contact.slides for contact in found)


@pytest.mark.parametrize("times", [2, 5])
@pytest.mark.parametrize("noise", [0.0, 0.001, 0.002])
def test_contacts_are_the_same_at_other_rates_and_with_noise(times: int, noise: float) -> None:
    feet = noisy(resampled(gait_feet(), times), noise)
    found = find_contacts(feet, 24.0 * times, SCALE)
    assert_near(found, WALK, (BALL, TIP), 2.5 / 24.0, times)
    assert_near(found, WALK, (HEEL,), 4.5 / 24.0, times)


@pytest.mark.parametrize("times", [2, 4, 6])
def test_contacts_are_the_same_in_slow_motion(times: int) -> None:
    found = find_contacts(resampled(gait_feet(), times), 24.0, SCALE)
    assert_near(found, WALK, (BALL, TIP), 4.0 / 24.0, times)


@pytest.mark.parametrize("factor", [0.1, 10.0])
def test_contacts_are_the_same_at_other_sizes(factor: float) -> None:
    feet = gait_feet()
    as_it_is = find_contacts(feet, 24.0, SCALE)
    assert find_contacts(scaled(feet, factor), 24.0, factor * SCALE) == as_it_is


def test_contacts_are_the_same_on_a_floor_that_drifts() -> None:
    feet = gait_feet()
    as_it_is = find_contacts(feet, 24.0, SCALE)
    frames = len(feet[0].points)
    drift = np.zeros((frames, 3))
    drift[:, 2] = np.linspace(0.0, 0.07, frames)
    found = find_contacts(moved(feet, drift), 24.0, SCALE)
    assert [c[:2] for c in found] == [c[:2] for c in as_it_is]
    ends, ends_there = (np.array([c[2:4] for c in cs]) for cs in (found, as_it_is))
    assert np.abs(ends - ends_there).max() <= 1


def test_contacts_on_stairs() -> None:
    """A foot that climbs 32 cm with each of its steps, and goes down again."""
    rate = 30.0
    stand, swing = np.zeros((21, 3)), np.linspace(0.0, 1.0, 12)[1:-1, None]
    step = np.array([0.0, -0.6, 0.32])
    lift = 0.1 * np.sin(np.pi * swing)
    pieces, place, truth = [], np.zeros(3), []
    for k in range(6):
        truth.append((31 * k, 31 * k + 21))
        onward = step if k < 3 else step * (1.0, 1.0, -1.0)
        pieces += [stand + place, place + swing * onward + lift * (0.0, 0.0, 1.0)]
        place = place + onward
    foot = foot_along("leg.L", np.concatenate(pieces))
    found = by_point(find_contacts([foot], rate, 1.0), 0, BALL)
    assert len(found) == len(truth)
    assert np.abs(np.array(found) - np.array(truth)).max() <= 1


def test_a_foot_that_always_stands_has_one_contact_over_the_whole_clip() -> None:
    feet = [foot_along("leg.L", np.zeros((50, 3)))]
    assert find_contacts(feet, 24.0, 1.0) == [Contact(0, p, 0, 50) for p in (HEEL, BALL, TIP)]


def test_contacts_at_both_ends_of_a_clip_are_found() -> None:
    found = find_contacts(gait_feet(), 24.0, SCALE)
    frames = len(gait_feet()[0].points)
    assert any(contact.first == 0 and contact.stop < 20 for contact in found)
    assert any(contact.stop == frames for contact in found)


def test_a_small_slip_does_not_cut_a_contact() -> None:
    path = np.zeros((120, 3))
    path[60:, 0] = 0.02
    assert by_point(find_contacts([foot_along("leg.L", path)], 60.0, 1.0), 0, BALL) == [(0, 120)]


def test_a_step_to_another_place_is_two_contacts() -> None:
    path = np.zeros((120, 3))
    path[:, 0] = np.interp(np.arange(120), [0, 50, 65, 119], [0.0, 0.0, 0.4, 0.4])
    path[50:66, 2] = 0.08 * np.sin(np.linspace(0.0, np.pi, 16))
    found = by_point(find_contacts([foot_along("leg.L", path)], 60.0, 1.0), 0, BALL)
    assert len(found) == 2
    assert found[0][0] == 0
    assert found[1][1] == 120
    assert 45 <= found[0][1] <= found[1][0] <= 70


def test_a_foot_held_up_is_not_in_contact() -> None:
    """One leg is lifted to the height of the knee, and kept there for three seconds."""
    lifted = np.zeros((150, 3))
    lifted[:, 2] = np.interp(np.arange(150), [0, 20, 30, 120, 130, 149], [0, 0, 0.5, 0.5, 0, 0])
    feet = [foot_along("leg.L", np.zeros((150, 3))), foot_along("leg.R", lifted)]
    found = by_point(find_contacts(feet, 30.0, 1.0), 1, BALL)
    assert len(found) == 2
    assert found[0][1] <= 24
    assert found[1][0] >= 126


def test_a_given_floor_decides_which_feet_are_low() -> None:
    """A foot that rests on a box is not on the floor, if that is known to be lower."""
    path = np.zeros((60, 3))
    path[:, 2] = 0.3
    feet = [foot_along("leg.L", path)]
    assert by_point(find_contacts(feet, 30.0, 1.0), 0, BALL) == [(0, 60)]
    assert by_point(find_contacts(feet, 30.0, 1.0, floor=0.3), 0, BALL) == [(0, 60)]
    assert find_contacts(feet, 30.0, 1.0, floor=0.0) == []


def test_four_feet_are_found_each_for_itself() -> None:
    feet = [foot for delay in (0, 6) for foot in delayed(gait_feet(), delay)]
    found = find_contacts(feet, 24.0, SCALE)
    alone = find_contacts(feet[2:], 24.0, SCALE)
    assert [c._replace(foot=c.foot - 2) for c in found if c.foot >= 2] == alone
    assert {contact.foot for contact in found} == {0, 1, 2, 3}


def delayed(feet: list[Foot], rows: int) -> list[Foot]:
    cut = slice(rows, len(feet[0].points) - 6 + rows)
    return [Foot(f.name, f.points[cut], f.clearance, f.knee[cut], f.hip[cut]) for f in feet]


def test_clips_too_short_for_a_contact_have_none() -> None:
    for frames in (1, 2):
        assert find_contacts([foot_along("leg.L", np.zeros((frames, 3)))], 24.0, 1.0) == []
    assert find_contacts([], 24.0, 1.0) == []


def leg(
    heel: tuple[float, float], tip: tuple[float, float], knee: tuple[float, float],
    hip: tuple[float, float],
) -> Foot:  # fmt: skip
    """A leg in the plane of the way, given by places (y, z)."""
    ends = np.array([heel, np.add(heel, tip) / 2.0, tip])
    points, knees, hips = (
        np.insert(np.array(at), 0, 0.0, axis=-1)[None] for at in (ends, knee, hip)
    )
    return Foot("leg", points, np.zeros(3), knees, hips)


@pytest.mark.parametrize(
    ("foot", "upright"),
    [
        (leg((0.1, 0.0), (-0.2, 0.0), (-0.1, 0.45), (0.0, 0.9)), True),
        # A lizard's: its shin leans back over a long foot in front of the body.
        (leg((0.0, 0.0), (-0.6, 0.0), (0.25, 0.45), (0.3, 1.2)), True),
        # In a crawl, on the tip of the toes.
        (leg((0.0, 0.15), (0.06, 0.0), (-0.4, 0.05), (-0.35, 0.5)), False),
        # Flat on the floor, the leg stretched forward: on the seat.
        (leg((0.0, 0.0), (-0.05, 0.25), (0.4, 0.05), (0.8, 0.1)), False),
        # Flat soles of someone who sits on the floor with his knees up.
        (leg((0.0, 0.0), (-0.25, 0.0), (0.34, 0.25), (0.7, 0.1)), False),
    ],
    ids=["person", "lizard", "crawl", "stretched", "seat"],
)
def test_legs_that_bear_rise_from_their_soles(foot: Foot, upright: bool) -> None:
    assert is_upright(foot).tolist() == [upright]
