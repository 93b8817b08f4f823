"""Capsules that rest, slide, swing past and sink: what counts as a contact, and when.

Tests of: motion.rests.part, motion.rests.find_rests.
"""

from __future__ import annotations

import numpy as np
import pytest

from blender_bioik.motion.feet import Floats
from blender_bioik.motion.rests.find_rests import find_rests, support_level
from blender_bioik.motion.rests.part import Part, turned_by

from ...builders.motion.parts import LENGTH, RADIUS, RATE, capsule, lying, stepping

FRAMES = 90
FLOOR = np.zeros(FRAMES)


def test_what_lies_on_the_floor_and_is_lifted_rests_before_and_after() -> None:
    part = capsule("hand", stepping(FRAMES, (30, 55), 0.5))
    first, second = find_rests([part], FLOOR, RATE, 1.0)
    assert first.first == 0
    assert first.stop == pytest.approx(34, abs=4)
    assert second.first == pytest.approx(51, abs=4)
    assert second.stop == FRAMES
    assert not first.slides
    assert not second.slides


@pytest.mark.parametrize("rate", [24.0, 60.0, 120.0])
@pytest.mark.parametrize("scale", [0.01, 30.0])
def test_size_and_rate_do_not_matter(rate: float, scale: float) -> None:
    frames = round(3 * rate)
    path = stepping(frames, (round(rate), round(1.8 * rate)), 0.5)
    part = capsule("hand", path)
    times = [
        [(each.first / rate, each.stop / rate) for each in found]
        for found in (
            find_rests([part], np.zeros(frames), rate, 1.0),
            find_rests([scaled(path, scale)], np.zeros(frames), rate, scale),
        )
    ]
    assert len(times[0]) == 2
    assert np.allclose(times[0], times[1], atol=1.5 / rate)


def scaled(path: Floats, scale: float) -> Part:
    part = capsule("hand", path)
    pieces = tuple(
        piece._replace(
            hull=type(piece.hull)("hand", scale * piece.hull.rings), place=scale * piece.place
        )
        for piece in part.pieces
    )
    return type(part)(part.name, part.bone, scale * path, part.turn, pieces, part.free, part.limb)


def test_a_hand_that_swings_past_the_floor_does_not_rest() -> None:
    swings = 0.4 * np.sin(np.linspace(0.0, 6.0 * np.pi, FRAMES))
    path = lying(FRAMES)
    path[:, 0] += swings
    path[:, 2] += 0.015 + swings**2
    assert find_rests([capsule("hand", path)], FLOOR, RATE, 1.0) == []


def test_a_short_touch_is_no_rest_unless_the_clip_begins_with_it() -> None:
    path = stepping(FRAMES, (5, 20), 0.5)[:22]
    assert len(path) < FRAMES
    assert find_rests([capsule("hand", path)], np.zeros(22), RATE, 1.0)
    before = stepping(FRAMES, (5, 20), 0.5)[8:20][::-1]
    around = np.concatenate([before, stepping(FRAMES, (3, 20), 0.5)[:12]])
    assert find_rests([capsule("hand", around)], np.zeros(len(around)), RATE, 1.0) == []


def test_what_hangs_still_above_the_floor_does_not_rest() -> None:
    assert find_rests([capsule("hand", lying(FRAMES, z=0.2))], FLOOR, RATE, 1.0) == []


def test_what_is_deep_in_the_floor_does_not_rest() -> None:
    assert find_rests([capsule("head", lying(FRAMES, z=-0.4))], FLOOR, RATE, 1.0) == []


def test_what_moves_on_the_floor_slides_if_something_else_rests() -> None:
    path = lying(FRAMES)
    path[:, 1] -= np.linspace(0.0, 2.0, FRAMES)
    sliding, resting = capsule("foot", path), capsule("hand", lying(FRAMES))
    assert find_rests([sliding], FLOOR, RATE, 1.0) == []
    slides = [(each.foot, each.slides) for each in find_rests([sliding, resting], FLOOR, RATE, 1.0)]
    assert slides == [(0, True), (1, False)]


def test_a_part_may_not_rest_while_its_own_foot_stands() -> None:
    part = capsule("knee", lying(FRAMES))
    part.free[:40] = False
    (found,) = find_rests([part], FLOOR, RATE, 1.0)
    assert found[2:4] == (40, FRAMES)


def test_the_far_end_of_a_part_is_that_of_the_next_one() -> None:
    """An arm that rests on its hand: the forearm's far end is at the floor, its near end is not."""
    hand = capsule("hand", lying(FRAMES))
    down = np.radians(-60.0)
    start = lying(FRAMES, z=RADIUS - LENGTH * np.sin(down))
    forearm = capsule("forearm", start, down, following="hand")
    assert [each.foot for each in find_rests([forearm, hand], FLOOR, RATE, 1.0)] == [1]
    lies = capsule("forearm", lying(FRAMES), following="hand")
    assert [each.foot for each in find_rests([lies, hand], FLOOR, RATE, 1.0)] == [0, 1]


def test_the_floor_is_where_the_lowest_part_is_if_that_is_near_the_origin() -> None:
    parts = [capsule("hand", lying(FRAMES, z=RADIUS + 0.04)), capsule("head", lying(FRAMES, z=1.0))]
    assert support_level(parts, FLOOR, 0.0, 1.0) == pytest.approx(np.full(FRAMES, 0.04))
    for origin in (0.03, 1.0):
        assert (support_level(parts, FLOOR, origin, 1.0) == FLOOR).all()


def test_the_lowest_points_are_those_of_both_halves() -> None:
    part = capsule("hand", lying(1, z=1.0), np.radians(30.0))
    near, far = part.lowest.world[0]
    assert near[2] == pytest.approx(1.0 - RADIUS, abs=2e-3)
    assert far[0] > near[0] + 0.4 * LENGTH
    assert far[2] > near[2]
    for half in range(2):
        assert part.path(part.lowest.local[0, half])[0] == pytest.approx(part.lowest.world[0, half])


def test_turns_to_slopes_are_the_shortest() -> None:
    turn = turned_by(np.array([[0.0, 0.0], [0.3, 0.0], [0.0, -0.2]]))
    assert turn[0] == pytest.approx([1.0, 0.0, 0.0, 0.0])
    assert 2.0 * np.arccos(turn[:, 0]) == pytest.approx([0.0, np.arctan(0.3), np.arctan(0.2)])
    assert turn[1, 3] == pytest.approx(0.0)
