"""The source floor and clips in place, on gaits whose floor and root motion are known.

Tests of: clearances, in_place.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from blender_bioik.motion.contacts.clearances import clearances
from blender_bioik.motion.contacts.contacts import find_contacts
from blender_bioik.motion.contacts.floor import source_floor
from blender_bioik.motion.contacts.in_place import (
    belt_velocity,
    find_sliding_contacts,
    is_in_place,
    with_still_stands,
)
from blender_bioik.motion.feet import BALL, HEEL, TIP, Contact, Foot
from demo.gait import RUN, WALK, Gait, pelvis_position

from ...builders.motion.gaits import (
    SCALE,
    Floats,
    foot_along,
    gait_feet,
    moved,
    noisy,
    resampled,
    scaled,
)

LEFT, RIGHT = (0.1, 0.0, 0.0), (-0.1, 0.0, 0.0)
RAISED = np.array([0.09, 0.03, 0.02])


def raised_feet(gait: Gait = WALK) -> list[Foot]:
    """Feet whose points are joints above the sole, with their true clearances."""
    return [
        replace(foot, points=foot.points + RAISED[:, None] * [0.0, 0.0, 1.0], clearance=RAISED)
        for foot in gait_feet(gait)
    ]


def pelvis(gait: Gait, frames: int) -> Floats:
    return pelvis_position(gait, np.arange(frames))


@pytest.mark.parametrize("drift", [0.0, 0.07])
@pytest.mark.parametrize("noise", [0.0, 0.001])
@pytest.mark.parametrize("higher", [0.0, 0.012])
def test_clearances_are_those_above_the_lowest_point(
    drift: float, noise: float, higher: float
) -> None:
    feet = raised_feet()
    way = np.zeros((len(feet[0].points), 3))
    way[:, 2] = np.linspace(0.0, drift, len(way))
    points = np.stack([foot.points for foot in noisy(moved(feet, way), noise)], axis=1)
    points[:, 1, :, 2] += higher  # of one foot the joints are higher than of the other
    found = clearances(points, find_contacts(feet, 24.0, SCALE), SCALE)
    np.testing.assert_allclose(found[0], RAISED - 0.02, atol=0.005)
    np.testing.assert_allclose(found[1] - found[0], higher, atol=0.003)


def test_clearances_without_a_stand_are_those_of_the_lowest_frames() -> None:
    feet = raised_feet()
    points = np.stack([foot.points for foot in feet], axis=1)
    found = clearances(points, [], SCALE)
    assert found.shape == (2, 3)
    assert found.min() == 0.0


def test_the_floor_of_a_flat_clip_is_flat() -> None:
    feet = raised_feet()
    floor = source_floor(feet, find_contacts(feet, 24.0, SCALE))
    assert floor.shape == (len(feet[0].points), 2)
    np.testing.assert_allclose(floor, 0.0, atol=0.002)


def test_the_floor_follows_a_drift() -> None:
    feet = raised_feet()
    way = np.zeros((len(feet[0].points), 3))
    way[:, 2] = np.linspace(0.0, 0.07, len(way))
    feet = moved(feet, way)
    floor = source_floor(feet, find_contacts(feet, 24.0, SCALE))
    np.testing.assert_allclose(floor, way[:, 2:].repeat(2, axis=1), atol=0.012)


def test_the_floor_goes_straight_from_one_stand_to_the_next() -> None:
    path = np.zeros((30, 3))
    path[10:20, 2] = 0.5
    path[20:, 2] = 0.2
    foot = foot_along("leg.L", path)
    floor = source_floor([foot], [Contact(0, BALL, 0, 10), Contact(0, BALL, 20, 30)])[:, 0]
    np.testing.assert_allclose(floor[:10], 0.0)
    np.testing.assert_allclose(floor[20:], 0.2)
    np.testing.assert_allclose(floor[9:21], np.linspace(0.0, 0.2, 12))


def test_a_foot_that_never_stands_has_the_floor_of_the_others() -> None:
    standing, hanging = (np.full((20, 3), height) for height in (0.1, 0.6))
    feet = [foot_along("leg.L", standing), foot_along("leg.R", hanging)]
    floor = source_floor(feet, [Contact(0, TIP, 5, 20)])
    np.testing.assert_allclose(floor, 0.1)


def test_without_contacts_the_lowest_points_are_on_the_floor() -> None:
    path = np.zeros((60, 3))
    path[:, 2] = 0.4 + 0.3 * np.cos(np.linspace(0.0, 6.0, 60))
    floor = source_floor([foot_along("leg.L", path)], [])
    np.testing.assert_allclose(floor, 0.1, atol=0.01)


def test_a_given_floor_is_the_floor() -> None:
    feet = raised_feet()
    contacts = find_contacts(feet, 24.0, SCALE)
    np.testing.assert_array_equal(source_floor(feet, contacts, height=0.25), 0.25)


@pytest.mark.parametrize("gait", [WALK, RUN], ids=lambda gait: gait.name)
@pytest.mark.parametrize("all_of_it", [True, False], ids=["no motion", "no travel"])
@pytest.mark.parametrize("size", [0.1, 1.0, 10.0])
def test_a_gait_without_root_motion_is_in_place(gait: Gait, all_of_it: bool, size: float) -> None:
    feet = scaled(gait_feet(gait), size)
    path = size * pelvis(gait, len(feet[0].points))
    scale = size * SCALE
    assert not is_in_place(feet, path, gait.fps, scale)
    way = (path - path[0]) * (1.0, 1.0, 0.0)
    if not all_of_it:
        way = np.linspace(0.0, 1.0, len(path))[:, None] * way[-1]
    still = moved(feet, -way)
    assert is_in_place(still, path - way, gait.fps, scale)
    speed = size * gait.stride * gait.fps / gait.cycle_frames
    assert belt_velocity(still, gait.fps, scale) == pytest.approx([0.0, speed], rel=0.1, abs=0.1)
    found = find_sliding_contacts(still, gait.fps, scale)
    standing = find_contacts(feet, gait.fps, scale)
    assert all(contact.slides for contact in found)
    assert [c[:2] for c in found] == [c[:2] for c in standing]
    ends, true = (np.array([c[2:4] for c in contacts]) for contacts in (found, standing))
    assert np.abs(ends - true).max() <= 2.1 / 24.0 * gait.fps


def test_an_uneven_belt_carries_feet_for_as_long_as_they_are_on_the_floor() -> None:
    """Hand-made: a foot lies flat for a while before it goes along with the belt, and after."""
    frames = 30
    along, up = np.zeros(frames), np.zeros(frames)
    up[np.r_[20:30, 0:6]] = 0.3 * np.sin(np.pi * (np.arange(16) + 0.5) / 16)
    along[6:9], along[9:18], along[18:20] = 0.0, np.arange(9) * 0.12, 8 * 0.12
    along[20:] = np.linspace(8 * 0.12, 0.0, frames - 20)
    path = np.stack([np.zeros(frames), along, up], axis=-1)
    other = np.roll(path, frames // 2, axis=0) + np.array([0.3, 0.0, 0.0])
    feet = [foot_along("leg.L", path), foot_along("leg.R", other)]
    balls = [c for c in find_sliding_contacts(feet, 24.0, 1.0) if c.point == 1]
    assert [(c.foot, c.first, c.stop) for c in balls] == [(0, 6, 20), (1, 0, 5), (1, 21, 30)]


@pytest.mark.parametrize("times", [2, 4, 6])
def test_a_walk_in_place_is_recognised_in_slow_motion(times: int) -> None:
    feet = resampled(gait_feet(), times)
    path = pelvis_position(WALK, np.arange(len(feet[0].points)) / times)
    way = (path - path[0]) * (1.0, 1.0, 0.0)
    assert not is_in_place(feet, path, 24.0, SCALE)
    assert is_in_place(moved(feet, -way), path - way, 24.0, SCALE)


def stopping() -> list[Foot]:
    """A walk in place that stops in the middle of the clip, in the pose that it began with."""
    feet = gait_feet()
    path = pelvis_position(WALK, np.arange(len(feet[0].points)))
    walking = moved(feet, (path[0] - path) * (1.0, 1.0, 0.0))
    cycles = 2 * WALK.cycle_frames
    rows = np.minimum(np.arange(cycles + 3 * WALK.cycle_frames), cycles)
    return [replace(f, points=f.points[rows], knee=f.knee[rows], hip=f.hip[rows]) for f in walking]


def test_a_walk_in_place_may_stop_and_stand() -> None:
    feet = stopping()
    still = np.zeros((len(feet[0].points), 3))
    assert is_in_place(feet, still, WALK.fps, SCALE)
    sliding = find_sliding_contacts(feet, WALK.fps, SCALE)
    found = find_contacts(feet, WALK.fps, SCALE)
    both = with_still_stands(sliding, found, feet, WALK.fps, SCALE)
    stops = 2 * WALK.cycle_frames
    balls = [contact for contact in both if contact.point == BALL]
    planted = [contact for contact in balls if not contact.slides]
    assert {contact.foot for contact in planted} == {0, 1}
    assert all(c.first <= stops + 3 and c.stop == len(still) for c in planted)
    rows = np.zeros((2, len(still)), int)
    for contact in balls:
        rows[contact.foot, contact.first : contact.stop] += 1
    assert rows.max() == 1
    assert [c for c in balls if c.slides and c.stop < stops] == [
        c for c in sliding if c.point == BALL and c.stop < stops
    ]


def test_feet_that_are_drawn_in_once_do_not_walk_in_place() -> None:
    """Someone who sits on the floor draws his feet in, and stands on them later."""
    way = np.zeros((90, 3))
    way[:, 1] = 0.4 * np.clip((np.arange(90) - 20) / 10.0, 0.0, 1.0)
    feet = [
        foot_along(name, way + np.array(at)) for name, at in (("leg.L", LEFT), ("leg.R", RIGHT))
    ]
    assert not is_in_place(feet, np.zeros((90, 3)), 30.0, 1.0)


def standing() -> list[Floats]:
    return [np.tile([x, 0.0, 0.0], (90, 1)) for x in (-0.1, 0.1)]


def jumping() -> list[Floats]:
    height = np.maximum(0.0, 0.4 * np.sin(np.linspace(-2.0, 2.0 * np.pi + 1.0, 90)))
    return [path + height[:, None] * (0.0, 0.0, 1.0) for path in standing()]


def turning() -> list[Floats]:
    """Both feet step around the middle, one after the other, by a quarter turn each time."""
    paths = []
    for side, delay in ((-1.0, 0), (1.0, 15)):
        at = (np.arange(90) + delay) / 30.0
        step = np.clip((at % 1.0) * 3.0, 0.0, 1.0)
        angle = np.pi / 2.0 * (np.floor(at) + step)
        lift = 0.08 * np.sin(np.pi * step)
        paths.append(np.stack([side * np.cos(angle), side * np.sin(angle), 4.0 * lift], -1) * 0.25)
    return paths


def skating() -> list[Floats]:
    way = np.arange(90)[:, None] / 30.0 * (0.0, -2.0, 0.0)
    return [path + way for path in standing()]


@pytest.mark.parametrize("motion", [standing, jumping, turning, skating])
def test_what_is_not_in_place(motion: Callable[[], list[Floats]]) -> None:
    paths = motion()
    feet = [foot_along("leg", path) for path in paths]
    body = (paths[0] + paths[1]) / 2.0 + (0.0, 0.0, 0.9)
    assert not is_in_place(feet, body, 30.0, 1.0)


def test_a_clip_of_one_frame_is_not_in_place() -> None:
    assert not is_in_place([foot_along("leg.L", np.zeros((1, 3)))], np.zeros((1, 3)), 24.0, 1.0)


def test_points_of_a_sliding_contact_are_heel_ball_and_tip() -> None:
    feet = gait_feet()
    path = pelvis(WALK, len(feet[0].points))
    still = moved(feet, -(path - path[0]) * (1.0, 1.0, 0.0))
    found = find_sliding_contacts(still, 24.0, SCALE)
    assert {contact.point for contact in found} == {HEEL, BALL, TIP}


def test_a_foot_that_lifts_off_is_off_the_belt_though_it_goes_along_with_it() -> None:
    frames, pace = 30, 0.12
    along = pace * (np.arange(frames) % 15)
    up = np.zeros(frames)
    up[10:13] = up[25:28] = 0.025, 0.045, 0.055  # still along with the belt, and low
    up[13:15] = up[28:30] = 0.2
    path = np.stack([np.zeros(frames), along, up], axis=-1)
    other = np.roll(path, 7, axis=0) + np.array([0.3, 0.0, 0.0])
    feet = [foot_along("leg.L", path), foot_along("leg.R", other)]
    balls = [c for c in find_sliding_contacts(feet, 24.0, 1.0) if c.point == 1 and c.foot == 0]
    assert [(c.first, c.stop) for c in balls] == [(0, 10), (15, 25)]
