"""Bad input is refused with one sentence that names the culprit.

Tests of: checks, errors.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import ArrayLike

from blender_bioik.solver import (
    Balance,
    Clip,
    Cone,
    CustomGoal,
    Direction,
    Displacement,
    Distance,
    Goal,
    JointFunction,
    JointValue,
    Line,
    LockedLookAt,
    LookAt,
    MaxDistance,
    Orientation,
    Plane,
    Pole,
    Position,
    Rest,
    Settings,
    SolverError,
    Touch,
    Track,
    find_poses,
    probe,
    solve_clip,
    solve_pose,
)
from blender_bioik.solver.errors import (
    AxisError,
    GoalError,
    NotFiniteError,
    SettingsError,
    ShapeError,
    UnknownTipError,
)

from ..builders.solver.models import is_one_sentence, planar_arm

ORIGIN = (0.0, 0.0, 0.0)
NAN = math.nan
REACH = Position("end", (1.0, 1.0, 0.0))
Make = Callable[[], Goal]

BAD_GOALS: list[tuple[Make, type[SolverError], str]] = [
    (lambda: Position("end", (NAN, 0, 0)), NotFiniteError, "Position of 'end': 'point'"),
    (lambda: Position("end", (math.inf, 0, 0)), NotFiniteError, "Position of 'end': 'point'"),
    (lambda: Position("end", (0, 0)), ShapeError, "Position of 'end': 'point'"),  # type: ignore[arg-type]
    (lambda: Position("end", "here"), ShapeError, "Position of 'end': 'point'"),  # type: ignore[arg-type]
    (lambda: Position("end", ORIGIN, weight=-1.0), GoalError, "Position of 'end': the weight"),
    (lambda: Position("end", ORIGIN, weight=NAN), GoalError, "Position of 'end': the weight"),
    (lambda: Position("end", ORIGIN, weight=math.inf), GoalError, "Position of 'end': the weight"),
    (lambda: Position("end", ORIGIN, tolerance=0.0), GoalError, "'end': the tolerance"),
    (lambda: Position("end", ORIGIN, tolerance=-1.0), GoalError, "'end': the tolerance"),
    (lambda: Position("end", ORIGIN, tolerance=NAN), GoalError, "'end': the tolerance"),
    (lambda: Orientation("end", (0, 0, 0, 0)), AxisError, "Orientation of 'end'"),
    (lambda: Orientation("end", (1, 0, 0)), ShapeError, "Orientation of 'end'"),  # type: ignore[arg-type]
    (lambda: LookAt("end", ORIGIN, ORIGIN), AxisError, "LookAt of 'end': 'axis'"),
    (lambda: Direction("end", ORIGIN), AxisError, "Direction of 'end': 'direction'"),
    (lambda: Cone("end", (0, 0, 1), -0.1), GoalError, "Cone of 'end': 'angle'"),
    (lambda: Cone("end", (0, 0, 1), 4.0), GoalError, "Cone of 'end': 'angle'"),
    (lambda: Cone("end", (0, 0, 1), NAN), NotFiniteError, "Cone of 'end': 'angle'"),
    (lambda: Plane("end", ORIGIN, ORIGIN), AxisError, "Plane of 'end': 'normal'"),
    (lambda: Line("end", ORIGIN, ORIGIN), AxisError, "Line of 'end': 'direction'"),
    (lambda: LockedLookAt("end", ORIGIN, (0, 0, 2)), GoalError, "'axis' and 'lock'"),
    (lambda: LockedLookAt("end", ORIGIN, lock=(NAN, 0, 0)), NotFiniteError, "'lock'"),
    (lambda: Touch("end", [], ORIGIN), SolverError, "Touch of 'end'"),
    (lambda: Touch("end", np.empty((0, 3)), ORIGIN), GoalError, "Touch of 'end'"),
    (lambda: Touch("end", [(NAN, 0, 0)], ORIGIN), NotFiniteError, "Touch of 'end': 'points'"),
    (lambda: Distance("end", ORIGIN, minimum=-1.0), GoalError, "Distance of 'end'"),
    (lambda: Distance("end", ORIGIN, activation=-1.0), GoalError, "Distance of 'end'"),
    (lambda: Distance("end", ORIGIN, minimum=NAN), NotFiniteError, "Distance of 'end'"),
    (lambda: Distance("end", (0, NAN, 0)), NotFiniteError, "Distance of 'end'"),
    (lambda: MaxDistance("end", ORIGIN, maximum=-1.0), GoalError, "MaxDistance of 'end'"),
    (lambda: JointValue("joint0", NAN), NotFiniteError, "JointValue of 'joint0'"),
    (lambda: JointFunction("joint0", {}, NAN), NotFiniteError, "JointFunction of 'joint0'"),
    (lambda: Displacement("next"), GoalError, "'next'"),
    (lambda: Displacement([0.0, NAN]), NotFiniteError, "Displacement"),
    (lambda: Displacement([[0.0, 0.0]]), ShapeError, "Displacement"),
    (lambda: Balance({}), GoalError, "Balance"),
    (lambda: Balance({"joint0": 0.0}), GoalError, "Balance"),
    (lambda: Balance({"joint0": -1.0}), GoalError, "'joint0'"),
    (lambda: Balance({"joint0": NAN}), GoalError, "'joint0'"),
    (lambda: Balance({"joint0": 1.0}, up=ORIGIN), AxisError, "Balance: 'up'"),
    (lambda: Balance({"joint0": 1.0}, polygon=[ORIGIN] * 2), GoalError, "Balance"),
    (lambda: Balance({"joint0": 1.0}, polygon=[(NAN, 0, 0)] * 3), NotFiniteError, "Balance"),
    (lambda: Pole("end", "end", "end", (0, 0, NAN)), NotFiniteError, "Pole of 'end'"),
]


@pytest.mark.parametrize(("make", "error", "culprit"), BAD_GOALS)
def test_goals_without_meaning_are_refused_when_made(
    make: Make, error: type[SolverError], culprit: str
) -> None:
    with pytest.raises(error) as refusal:
        make()

    assert culprit in str(refusal.value)
    assert is_one_sentence(refusal.value)


MISPLACED: list[tuple[Goal, type[SolverError], str]] = [
    (Position("foot", ORIGIN), UnknownTipError, "'foot'"),
    (Distance("end", "foot"), UnknownTipError, "'foot'"),
    (MaxDistance("foot", ORIGIN), UnknownTipError, "'foot'"),
    (Touch("foot", [ORIGIN], ORIGIN), UnknownTipError, "'foot'"),
    (Pole("end", "knee", "end", ORIGIN), UnknownTipError, "'knee'"),
    (JointValue("knee", 0.0), SolverError, "'knee'"),
    (JointFunction("knee", {}), SolverError, "'knee'"),
    (JointFunction("joint0", {"knee": 1.0}), SolverError, "'knee'"),
    (JointFunction("joint0", {"joint1": NAN}), GoalError, "'joint1'"),
    (JointFunction("knee", lambda values: 0.0), SolverError, "'knee'"),
    (Balance({"knee": 1.0}), SolverError, "'knee'"),
    (Balance({"joint0": 1.0}, centres={"joint0": (NAN, 0, 0)}), NotFiniteError, "'joint0'"),
    (Balance({"joint0": 1.0}, centres={"knee": ORIGIN}), SolverError, "'knee'"),
    (Balance({"joint0": 1.0}, polygon=[(0, 0, 0), (1, 0, 0), (2, 0, 0)]), GoalError, "polygon"),
    (Displacement([0.0, 0.0, 0.0]), ShapeError, "Displacement"),
    (CustomGoal(rows=0), GoalError, "CustomGoal"),
]


@pytest.mark.parametrize(("goal", "error", "culprit"), MISPLACED)
def test_goals_that_do_not_fit_the_tree_are_refused(
    goal: Goal, error: type[SolverError], culprit: str
) -> None:
    arm = planar_arm()
    solves: list[Callable[[], object]] = [
        lambda: solve_pose(arm, [goal], [0.0, 0.0]),
        lambda: solve_clip(arm, [goal], np.zeros((2, 2))),
        lambda: find_poses(arm, [goal], [0.0, 0.0], 2),
        lambda: probe(arm, goal, [0.0, 0.0]),
    ]
    for solve in solves:
        with pytest.raises(error) as refusal:
            solve()
        assert culprit in str(refusal.value)
        assert is_one_sentence(refusal.value)


def test_objects_that_are_no_goals_are_refused() -> None:
    with pytest.raises(GoalError, match="42"):
        solve_pose(planar_arm(), [42], [0.0, 0.0])  # type: ignore[list-item]


BAD_SETTINGS: list[tuple[str, Any]] = [
    ("population", 1),
    ("elites", 0),
    ("elites", 12),
    ("strategy", "magic"),
    ("exploitation", "newton"),
    ("evaluations", 0),
    ("iterations", 0),
    ("time_limit_ms", 0.0),
    ("time_limit_ms", -5.0),
    ("time_limit_ms", NAN),
    ("seed", -1),
    ("seed", 2**63),
    ("fitness", "median"),
    ("warm_start", "next"),
    ("threads", 0),
]


@pytest.mark.parametrize(("name", "value"), BAD_SETTINGS)
def test_settings_out_of_range_are_refused_by_name(name: str, value: Any) -> None:
    with pytest.raises(SettingsError, match=f"'{name}'") as refusal:
        Settings(**{name: value})
    assert is_one_sentence(refusal.value)


def test_the_paper_settings_are_the_papers() -> None:
    paper = Settings.paper()

    assert (paper.strategy, paper.exploitation) == ("evolution", "lbfgsb")
    assert 50 <= paper.population <= 180
    assert 2 <= paper.elites <= 4


BAD_SEEDS: list[tuple[Any, type[SolverError]]] = [
    ([0.0], ShapeError),
    ([0.0, 0.0, 0.0], ShapeError),
    ([[0.0, 0.0]], ShapeError),
    (0.0, ShapeError),
    ([], ShapeError),
    ([0.0, NAN], NotFiniteError),
    ([math.inf, 0.0], NotFiniteError),
    (["left", "right"], SolverError),
]


@pytest.mark.parametrize(("seed", "error"), BAD_SEEDS)
def test_bad_seeds_are_refused(seed: Any, error: type[SolverError]) -> None:
    solves: list[Callable[[], object]] = [
        lambda: solve_pose(planar_arm(), [REACH], seed),
        lambda: find_poses(planar_arm(), [REACH], seed, 2),
    ]
    for solve in solves:
        with pytest.raises(error) as refusal:
            solve()
        assert "seed" in str(refusal.value)
        assert is_one_sentence(refusal.value)


def test_asking_for_no_poses_is_refused() -> None:
    with pytest.raises(SettingsError, match="0") as refusal:
        find_poses(planar_arm(), [REACH], [0.0, 0.0], 0)
    assert is_one_sentence(refusal.value)


BAD_CLIPS: list[tuple[Any, type[SolverError]]] = [
    (np.zeros((3, 1)), ShapeError),
    (np.zeros(2), ShapeError),
    (np.zeros((3, 2, 1)), ShapeError),
    (np.full((3, 2), NAN), NotFiniteError),
    (np.full((3, 2), math.inf), NotFiniteError),
    (Clip(np.zeros((3, 2)), Rest(np.ones((2, 2, 4)), np.zeros((2, 2, 3)))), ShapeError),
    (Clip(np.zeros((3, 2)), Rest(np.ones((3, 1, 4)), np.zeros((3, 2, 3)))), ShapeError),
    (Clip(np.zeros((3, 2)), Rest(np.ones((3, 2, 4)), np.zeros((3, 2, 2)))), ShapeError),
    (Clip(np.zeros((3, 2)), Rest(np.zeros((3, 2, 4)), np.zeros((3, 2, 3)))), AxisError),
    (Clip(np.zeros((3, 2)), Rest(np.ones((3, 2, 4)), np.full((3, 2, 3), NAN))), NotFiniteError),
]


@pytest.mark.parametrize(("clip", "error"), BAD_CLIPS)
def test_bad_clips_are_refused(clip: Any, error: type[SolverError]) -> None:
    with pytest.raises(error, match="clip") as refusal:
        solve_clip(planar_arm(), [REACH], clip)
    assert is_one_sentence(refusal.value)


BAD_TRACKS: list[tuple[dict[str, ArrayLike], type[SolverError], str]] = [
    ({"point": np.zeros((2, 3))}, ShapeError, "'point'"),
    ({"point": np.zeros((3, 2))}, ShapeError, "'point'"),
    ({"point": np.full((3, 3), NAN)}, NotFiniteError, "'point'"),
    ({"weight": np.ones(2)}, ShapeError, "'weight'"),
    ({"weight": [1.0, -1.0, 1.0]}, GoalError, "'weight'"),
    ({"weight": [1.0, NAN, 1.0]}, NotFiniteError, "'weight'"),
    ({"tolerance": [1.0, 0.0, 1.0]}, GoalError, "'tolerance'"),
    ({"tolerance": np.ones((3, 1))}, ShapeError, "'tolerance'"),
    ({"colour": np.ones(3)}, GoalError, "'colour'"),
]


@pytest.mark.parametrize(("fields", "error", "culprit"), BAD_TRACKS)
def test_bad_tracks_are_refused_by_goal_and_field(
    fields: dict[str, ArrayLike], error: type[SolverError], culprit: str
) -> None:
    with pytest.raises(error) as refusal:
        solve_clip(planar_arm(), [Track(REACH, fields)], np.zeros((3, 2)))
    assert "Position of 'end'" in str(refusal.value)
    assert culprit in str(refusal.value)
    assert is_one_sentence(refusal.value)


def test_a_tracked_axis_of_no_length_is_refused() -> None:
    track = Track(Direction("end", (0.0, 1.0, 0.0)), {"direction": np.zeros((3, 3))})

    with pytest.raises(AxisError, match="'direction'"):
        solve_clip(planar_arm(), [track], np.zeros((3, 2)))


TRACKS_WITH_BAD_NUMBERS: list[tuple[Goal, str]] = [
    (Distance("end", ORIGIN), "minimum"),
    (Distance("end", ORIGIN), "activation"),
    (MaxDistance("end", ORIGIN), "maximum"),
    (Cone("end", (0.0, 0.0, 1.0), 0.5), "angle"),
]


@pytest.mark.parametrize(("goal", "field"), TRACKS_WITH_BAD_NUMBERS)
def test_a_track_refuses_values_that_the_goal_refuses(goal: Goal, field: str) -> None:
    with pytest.raises(GoalError, match=field) as refusal:
        solve_clip(planar_arm(), [Track(goal, {field: [0.1, -0.1, 0.1]})], np.zeros((3, 2)))
    assert is_one_sentence(refusal.value)
