"""Loops: which clips are loops, and contacts across their seams."""

from __future__ import annotations

import numpy as np
import pytest

from blender_bioik.motion.feet import BALL, HEEL, Contact, Floats, Foot
from blender_bioik.motion.ground.terrain import Terrain
from blender_bioik.motion.solve.loops import Loop, find_loop

from ...builders.motion.grounds import follow, moving, plate

RATE = 24.0


def circle(frames: int, period: int, size: float = 0.3) -> Floats:
    """Two joints that go around; (f, 2, 3)."""
    turn = 2.0 * np.pi * np.arange(frames) / period
    one = np.stack([size * np.cos(turn), size * np.sin(turn), np.ones(frames)], axis=-1)
    return np.stack([one, 0.5 * one], axis=1)


def found(joints: Floats, *, told: bool = False) -> Loop | None:
    return find_loop(joints, RATE, 1.0, told=told)


def test_the_first_frame_again_closes_a_loop() -> None:
    loop = found(circle(25, 24))
    assert loop is not None
    assert (loop.frames, loop.period) == (25, 24)
    assert loop.before % loop.period == 0
    assert loop.before >= 1.5 * RATE


@pytest.mark.parametrize("frames", [24, 20, 30, 26])
def test_other_ends_are_no_loop(frames: int) -> None:
    assert found(circle(frames, 24)) is None


def test_a_clip_declared_cyclic_has_its_whole_length_as_the_period() -> None:
    loop = found(circle(24, 24), told=True)
    assert loop is not None
    assert (loop.frames, loop.period) == (24, 24)
    closed = found(circle(25, 24), told=True)
    assert closed is not None
    assert closed.period == 24


@pytest.mark.parametrize(("off", "is_back"), [(0.007, True), (0.014, False)])
def test_who_ends_a_few_millimetres_beside_the_start_is_back(off: float, is_back: bool) -> None:
    """As recorded people are who go back to where they began, and two fingers aside is away."""
    aside = np.zeros((25, 2, 3))
    aside[..., 2] = np.linspace(0.0, off, 25)[:, None]
    assert (found(circle(25, 24) + aside) is not None) == is_back


def test_a_slow_loop_without_its_last_frame_is_not_taken_for_closed() -> None:
    loop = found(circle(48, 48, size=0.02))
    assert loop is not None
    assert loop.period == 48


def test_no_loop_jumps() -> None:
    away = circle(25, 24) + np.linspace(0.0, 2.0, 25)[:, None, None]
    assert found(away) is None
    assert found(away, told=True) is None


def test_a_path_there_and_back_does_not_continue() -> None:
    """Both ends are the same place, but there it turns round sharply."""
    there = np.abs(np.linspace(-1.0, 1.0, 41))
    joints = np.stack([there, 0 * there, 0 * there], axis=-1)[:, None]
    joints[1:-1] = joints[1:-1] ** 2  # smooth everywhere but at the ends
    assert found(joints) is None


def test_standing_still_is_a_loop_but_too_few_frames_are_not() -> None:
    assert found(np.ones((20, 3, 3))) is not None
    assert found(np.ones((6, 3, 3))) is None
    assert found(np.ones((6, 3, 3)), told=True) is None


def test_feet_repeat() -> None:
    rows = np.arange(11.0)
    points = np.broadcast_to(rows[:, None, None], (11, 3, 3)).copy()
    knee = np.broadcast_to(rows[:, None], (11, 3)).copy()
    loop = Loop(11, 10, 20)
    (foot,) = loop.repeated_feet([Foot("leg.L", points, np.zeros(3), knee, 2.0 * knee)])
    assert foot.points[:, 0, 0].tolist() == [*range(10)] * 5
    assert foot.hip[23, 0] == 6.0
    assert loop.own_rows(foot.points)[:, 0, 0].tolist() == [*range(10), 0]


LOOP = Loop(25, 24, 48)


def test_a_contact_across_the_seam_is_one_contact() -> None:
    parts = [Contact(0, BALL, 0, 5), Contact(0, BALL, 20, 25), Contact(0, HEEL, 0, 3)]
    again = LOOP.repeated_contacts(parts)
    balls = sorted((c.first, c.stop) for c in again if c.point == BALL)
    assert balls == [(0, 5), (20, 29), (44, 53), (68, 77), (92, 101), (116, 120)]
    heels = sorted((c.first, c.stop) for c in again if c.point == HEEL)
    assert heels == [(0, 3), (24, 27), (48, 51), (72, 75), (96, 99)]
    assert sorted(LOOP.own_contacts(again)) == sorted(parts)


def test_contacts_that_touch_elsewhere_stay_apart() -> None:
    """An animator has cut one there."""
    parts = [Contact(0, BALL, 4, 10), Contact(0, BALL, 10, 16)]
    assert sorted(LOOP.own_contacts(LOOP.repeated_contacts(parts))) == parts


def test_a_contact_that_slides_does_not_go_on_as_one_that_stands() -> None:
    parts = [Contact(0, BALL, 0, 5), Contact(0, BALL, 20, 25, slides=True)]
    again = LOOP.repeated_contacts(parts)
    assert (24, 29) in [(c.first, c.stop) for c in again if not c.slides]
    assert (20, 24) in [(c.first, c.stop) for c in again if c.slides]


def test_a_contact_that_never_ends_lasts_throughout() -> None:
    again = LOOP.repeated_contacts([Contact(1, BALL, 0, 25)])
    assert again == [Contact(1, BALL, 0, 120)]
    assert LOOP.own_contacts(again) == [Contact(1, BALL, 0, 25)]
    cut = [Contact(1, BALL, 0, 12), Contact(1, BALL, 12, 24)]
    assert LOOP.repeated_contacts(cut) == [Contact(1, BALL, 0, 120)]


def test_the_last_row_alone_is_no_contact() -> None:
    """It is the first row again, whose contact begins there."""
    again = LOOP.repeated_contacts([Contact(0, BALL, 0, 6)])
    assert LOOP.own_contacts(again) == [Contact(0, BALL, 0, 6)]


def test_the_first_row_alone_is_no_contact() -> None:
    """It is the last row again, whose contact ends there."""
    again = LOOP.repeated_contacts([Contact(0, BALL, 12, 24)])
    again = [contact._replace(stop=contact.stop + 1) for contact in again]
    assert LOOP.own_contacts(again) == [Contact(0, BALL, 12, 25)]


def test_moving_ground_repeats() -> None:
    turn = 2.0 * np.pi * np.arange(10) / 10
    way = np.stack([0 * turn, 0 * turn, 0.1 * np.sin(turn)], axis=-1)
    terrain = Terrain([moving(plate(), way)])
    rows = np.arange(30)
    points = np.zeros((30, 3))
    with pytest.raises(ValueError, match="rows 0 to 9"):
        terrain.below(points, rows, np.full(30, 1.0))
    again = terrain.repeated(10)
    heights = again.below(points, rows, np.full(30, 1.0)).height
    assert np.allclose(heights, np.tile(way[:, 2], 3), atol=1e-6)
    triangle = np.zeros(30, np.int64)
    followed = again.follow(triangle, points, np.zeros(30, np.int64), rows)
    assert np.allclose(followed[:, 2], np.tile(way[:, 2], 3), atol=1e-6)


def test_the_ground_between_rows() -> None:
    path = np.stack([np.zeros(40), -0.1 * np.arange(40.0)], axis=-1)
    whole = follow([plate(slope=(0.0, -0.1)), plate(1.0, y=(-1.0, 0.5))], path)
    part = whole.between(10, 30)
    assert (part.altitude == whole.altitude[10:30]).all()
    at = whole.at(path[10:30], np.arange(10, 30))
    inside = part.at(path[10:30], np.arange(20))
    assert (inside.height == at.height).all()
    assert (inside.slope == at.slope).all()
