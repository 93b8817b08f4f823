"""Goals of resting parts: none where a body is as planned, and what a miss costs."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from blender_bioik.motion.rests.part_plan import RestPlan
from blender_bioik.motion.rests.rest_plan import Support
from blender_bioik.motion.solve.rest_goals import RestingPart, Trunk, rest_goals, trunk_goal
from blender_bioik.motion.solve.tuning import WEIGHTS
from blender_bioik.solver import Track
from blender_bioik.solver.goals.ground import PlaceHold

FRAMES = 4
NONE = np.tile([1.0, 0.0, 0.0, 0.0], (FRAMES, 1))
BALLS, LIES = np.full((FRAMES, 2, 3), np.nan), np.zeros((FRAMES, 2), bool)


def plan(*, rests: bool = True) -> RestPlan:
    place = np.tile([[0.1, 0.0, 0.0], [0.0, 0.2, 0.0], [0.0, 0.0, 0.3]], (FRAMES, 1, 1))
    rows = np.array([True, True, False, False]) & rests
    return RestPlan(
        place,
        place + 1.0,
        np.where(rows, 1.0, 0.0),
        np.where(rows[:, None], np.ones((FRAMES, 2)), 0.0),
        np.zeros(FRAMES),
        NONE,
        np.zeros(FRAMES),
        rows,
        np.array([False, False, True, False]),
        np.zeros(FRAMES, bool),
    )


def part(*, is_trunk: bool = False) -> RestingPart:
    frame = np.roll(Rotation.from_euler("z", 90.0, degrees=True).as_quat(), 1)
    return RestingPart("hand", frame, NONE, is_trunk)


def height_of(track: Track) -> float:
    assert isinstance(track.goal, PlaceHold)
    return track.goal.height


def test_places_are_in_the_frame_of_the_tip() -> None:
    held, *_ = rest_goals(
        [part()], Support((plan(),), NONE, np.ones(FRAMES), BALLS, LIES), 1.0, 1.0
    )
    assert np.asarray(held.fields["place"])[0] == pytest.approx([0.0, 0.1, 0.0], abs=1e-9)


def test_locks_are_stiff_and_swings_are_led() -> None:
    held, first, second, turn = rest_goals(
        [part()], Support((plan(),), NONE, np.ones(FRAMES), BALLS, LIES), 0.5, 2.0
    )
    stiff, led = 1.0 / (2.0 * WEIGHTS.lock), 1.0 / (2.0 * WEIGHTS.swing_path)
    assert held.fields["plan"] == pytest.approx([stiff, stiff, led, 0.0])
    assert held.fields["height"] == pytest.approx([0.0, 0.0, led, 0.0])
    assert held.fields["weight"] == pytest.approx([0.5, 0.5, 0.5, 0.0])
    for half in (first, second):
        assert half.fields["weight"] == pytest.approx([0.5, 0.5, 0.0, 0.0])
        assert height_of(half) == pytest.approx(1.0 / (2.0 * WEIGHTS.end_height))
    assert np.asarray(turn.fields["weight"])[3] == 0.0


def test_the_trunk_is_held_softly_and_not_turned() -> None:
    goals = list(
        rest_goals(
            [part(is_trunk=True)], Support((plan(),), NONE, np.ones(FRAMES), BALLS, LIES), 1.0, 1.0
        )
    )
    assert len(goals) == 3
    assert height_of(goals[1]) == pytest.approx(1.0 / WEIGHTS.swing)


def test_parts_that_never_rest_have_no_goals() -> None:
    support = Support((plan(rests=False),), NONE, np.zeros(FRAMES), BALLS, LIES)
    assert list(rest_goals([part()], support, 1.0, 1.0)) == []


def test_the_trunk_follows_the_slope_the_more_the_less_it_stands() -> None:
    slope = np.tile(np.roll(Rotation.from_euler("x", 20.0, degrees=True).as_quat(), 1), (FRAMES, 1))
    support = Support((), slope, np.linspace(0.0, 1.0, FRAMES), BALLS, LIES)
    goal = trunk_goal(Trunk("pelvis", NONE, 1e-3), support, 1.0)
    assert np.asarray(goal.fields["quaternion_wxyz"]) == pytest.approx(slope)
    assert goal.fields["weight"] == pytest.approx(
        1.0 / np.geomspace(1e-3, WEIGHTS.rolling_heading, FRAMES) ** 2
    )
