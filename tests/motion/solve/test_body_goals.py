"""Hands that stay in the world as far as their arms reach."""

from __future__ import annotations

import numpy as np

from blender_bioik.motion.feet import Floats
from blender_bioik.motion.solve.body_goals import Hand, hand_notes, straightest

FRAMES = 61


def hand(down: float = 0.45, length: float = 0.6) -> Hand:
    """A hand that hangs below its shoulder."""
    shoulder = np.tile([0.2, 0.0, 1.4], (FRAMES, 1))
    turn = np.tile([1.0, 0.0, 0.0, 0.0], (FRAMES, 1))
    places = shoulder - [0.0, 0.0, down]
    return Hand("hand.L", "hand.L, stays", places, turn, shoulder, length, None)


def rising(most: float) -> Floats:
    way = np.zeros((FRAMES, 3))
    way[:, 2] = np.linspace(0.0, most, FRAMES)
    return way


def test_within_reach_it_stays() -> None:
    one = hand()
    for way in (np.zeros((FRAMES, 3)), rising(-0.3), rising(0.05)):
        assert np.allclose(one.within_reach(way), one.places, atol=1e-12)


def test_beyond_it_hangs_on_the_arm_towards_its_place() -> None:
    one, way = hand(), rising(1.0)
    found = one.within_reach(way)
    reached = np.linalg.norm(found - one.shoulder - way, axis=1)
    assert reached.max() <= one.length + 1e-9
    assert reached[-1] > 0.999 * one.length
    assert np.allclose(found[:, :2], one.places[:, :2])


def test_the_approach_is_smooth() -> None:
    one = hand()
    apart = np.diff(one.within_reach(rising(0.6))[:, 2], n=2)
    assert np.abs(apart).max() < 0.003  # the steps are of 0.01


def test_an_arm_that_the_source_stretches_may_be_stretched() -> None:
    straight = hand(down=0.6)
    assert np.allclose(straight.within_reach(np.zeros((FRAMES, 3))), straight.places)
    found = straight.within_reach(rising(0.2))
    reached = np.linalg.norm(found - straight.shoulder - rising(0.2), axis=1)
    assert np.allclose(reached, 0.6, atol=1e-6)


def test_only_hands_that_miss_their_places_are_told() -> None:
    left = hand()
    tips = {left.tip: left.places + np.array([0.0, 0.0, 0.002])}
    assert hand_notes([left], tips, 1.0) == []
    tips[left.tip][10:14, 2] += 0.25
    (note,) = hand_notes([left], tips, 1.0)
    assert "hand.L" in note
    assert "4 of 61" in note
    assert "0.25 m" in note
    assert hand_notes([left], tips, 100.0) == []


def test_limbs_may_be_straightened_to_eight_degrees_or_as_the_source_is() -> None:
    flexion = np.radians([60.0, 8.0, 3.0, 0.0])
    assert np.allclose(np.degrees(flexion + straightest(flexion)), [8.0, 8.0, 3.0, 0.0])
