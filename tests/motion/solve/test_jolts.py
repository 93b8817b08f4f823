"""Jolts of placed legs are found, made dearer or led around, and the calmest poses are kept.

Tests of: harshness.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest

from blender_bioik.motion.feet import Floats
from blender_bioik.motion.solve.harshness import JoltLeg
from blender_bioik.motion.solve.jolts import Jolts
from blender_bioik.motion.solve.tuning import JOLTS
from blender_bioik.solver import Clip, Direction, Joint, KinematicTree, Tip
from blender_bioik.solver.clips.goal_list import GoalList
from blender_bioik.solver.clips.open_clip import OpenClip, open_clip
from blender_bioik.solver.clips.whole_clip import Inertia
from blender_bioik.solver.goals.ground import Hold

FRAMES, RATE = 400, 30.0
SWING, KICK = slice(20, 50), 390


@contextmanager
def one_leg(loop: bool = False) -> Iterator[tuple[OpenClip, Jolts, JoltLeg]]:
    """A thigh and a shin of a metre each, that swing gently but for a kick at the end.

    The foot is planted outside of `SWING`.
    """
    tree = KinematicTree(
        [
            Joint("hip", None, axis=(1, 0, 0)),
            Joint("knee", "hip", axis=(1, 0, 0), position=(0, 0, -1)),
        ],
        [Tip(name, "knee", position=(0, 0, -1)) for name in ("ankle", "ball", "tip")],
    )
    gentle = 0.2 * np.sin(2.0 * np.pi * np.arange(FRAMES) / FRAMES)
    source = np.stack([gentle, -gentle], axis=1)
    source[KICK] += 0.05
    goals = GoalList()
    lead = goals.add(Hold("ball", (0, 0, 0), weight=0.0))
    turn = goals.add(Direction("ankle", (0, 0, 1), (0, 0, 1)))
    goals.add(Hold("tip", (0, 0, 0), weight=0.0))
    inertia = Inertia(np.ones(2), np.array([3.0, 5.0]))
    swings = np.zeros(FRAMES, bool)
    swings[SWING] = True
    with open_clip(tree, goals.goals, Clip(source), inertia, loop=loop) as opened:
        tips = np.array([opened.tip_numbers[name] for name in ("ankle", "ball", "tip")])
        flexion = 0.5 + source[:, 1]
        leg = JoltLeg(tips, np.array([0, 1]), ((1, flexion),), lead, turn, swings)
        yield opened, Jolts(opened, [leg], RATE, 1.0, loop), leg


def bumped(opened: OpenClip, joint: int, row: int, size: float) -> Floats:
    values = opened.stretch.source.copy()
    values[row, joint] += size
    return values


@pytest.mark.parametrize("loop", [False, True])
def test_the_source_has_no_jolts(loop: bool) -> None:
    with one_leg(loop) as (opened, jolts, _):
        assert jolts.calmest is None
        source = opened.stretch.source
        assert not jolts.calm(source, 0.0)[1].any()
        assert opened.frames.inertia.bend.shape == (2,)
        assert jolts.calmest is source


@pytest.mark.parametrize("loop", [False, True])
@pytest.mark.parametrize("joint", [0, 1])
def test_a_bump_makes_its_rows_dearer_and_no_others(loop: bool, joint: int) -> None:
    row = 30
    with one_leg(loop) as (opened, jolts, _):
        assert jolts.calm(bumped(opened, joint, row, 0.2), 0.0)[1].any()
        bend = opened.frames.inertia.bend
        at = row if loop else row - 1
        times = np.ones(FRAMES if loop else FRAMES - 2)
        times[at - 1 : at + 2] = JOLTS.dearer
        np.testing.assert_allclose(bend, times[:, None] * [3.0, 5.0])


def test_trembling_feet_follow_their_smoothed_path_while_they_swing() -> None:
    with one_leg() as (opened, jolts, leg):
        values = opened.stretch.source.copy()
        values[25:45:2] += 0.002  # far from the largest of the source, but all the time
        values[:15:2] += 0.002
        turn = opened.weight(leg.turn).copy()
        assert jolts.calm(values, 0.0)[1].any()
        led = opened.weight(leg.lead) > 0.0
        assert led[25:45].all()
        assert not led[: SWING.start].any()
        assert not led[SWING.stop :].any()
        np.testing.assert_allclose(
            opened.weight(leg.turn), np.where(led, JOLTS.firmer * turn, turn)
        )
        ball = opened.tip_numbers["ball"]
        found, source = (
            opened.frames.tips(opened.stretch, poses)[:, ball, :3]
            for poses in (values, opened.stretch.source)
        )
        path = opened.field(leg.lead, "point")
        away = (path - source)[led]
        assert np.abs(away - (found - source)[led]).max() < 0.004
        roughness = np.abs(np.diff(away, n=2, axis=0)).max()
        assert roughness < 0.35 * np.abs(np.diff((found - source)[led], n=2, axis=0)).max()
        firm = opened.weight(leg.lead)[led].min()
        jolts.calm(values, 0.0)
        assert opened.weight(leg.lead)[led].min() == pytest.approx(JOLTS.dearer * firm)


def test_the_calmest_poses_are_kept_but_not_those_that_sink_in() -> None:
    with one_leg() as (opened, jolts, _):
        poses = [bumped(opened, 0, 30, size) for size in (0.4, 0.2, 0.15, 0.16)]
        asked = [
            jolts.calm(each, deep)[1].any()
            for each, deep in zip(poses, (0.0, 0.0, 1e4, 1e4), strict=True)
        ]
        assert jolts.calmest is poses[1]
        assert asked == [True, True, True, False]  # what has not helped twice is not repeated


def test_a_swing_with_a_jolt_is_led_along_its_planned_path() -> None:
    with one_leg() as (opened, jolts, leg):
        planned = opened.field(leg.lead, "point").copy()
        assert jolts.calm(bumped(opened, 0, 30, 0.2), 0.0)[1][SWING].all()
        led = opened.weight(leg.lead) > 0.0
        np.testing.assert_array_equal(np.flatnonzero(led), np.arange(FRAMES)[SWING])
        np.testing.assert_array_equal(opened.field(leg.lead, "point"), planned)


def test_leading_that_makes_a_swing_harsher_is_taken_back() -> None:
    with one_leg() as (opened, jolts, leg):
        poses = bumped(opened, 0, 30, 0.1)
        goals = [opened.weight(leg.lead), opened.weight(leg.turn)]
        before = [goal.copy() for goal in goals]
        jolts.calm(poses, 0.0)
        assert (goals[0][SWING] > before[0][SWING]).all()
        harsher = bumped(opened, 0, 30, 0.3)
        harsher[:, 1] += 1e-3
        found, asked = jolts.calm(harsher, 0.0)
        for goal, old in zip(goals, before, strict=True):
            np.testing.assert_array_equal(goal, old)
        assert asked[SWING].all()
        np.testing.assert_array_equal(found[SWING], poses[SWING])
        np.testing.assert_array_equal(found[: SWING.start], harsher[: SWING.start])
        jolts.calm(poses, 0.0)
        np.testing.assert_array_equal(goals[0], before[0])  # not led a second time
        assert (opened.frames.inertia.bend[28:31] > JOLTS.dearer * np.array([3.0, 5.0])).all()


def test_a_leg_at_rest_is_measured_by_the_others() -> None:
    tree = KinematicTree(
        [Joint(name, None, axis=(1, 0, 0)) for name in ("busy", "still")],
        [Tip(name, name, position=(0, 0, -1)) for name in ("busy", "still")],
    )
    source = np.zeros((FRAMES, 2))
    source[KICK, 0] = 0.05
    goals = GoalList()
    handles = [goals.add(Hold(name, (0, 0, 0), weight=0.0)) for name in ("busy", "still")]
    always = np.ones(FRAMES, bool)
    with open_clip(tree, goals.goals, Clip(source), Inertia(np.ones(2), np.ones(2))) as opened:
        legs = [
            JoltLeg(np.array([tip] * 3), np.array([tip]), (), handles[tip], handles[tip], always)
            for tip in range(2)
        ]
        for size, harsh in (2e-4, False), (5e-3, True):
            jolts = Jolts(opened, legs, RATE, 1.0, False)
            assert jolts.calm(bumped(opened, 1, 30, size), 0.0)[1].any() == harsh
