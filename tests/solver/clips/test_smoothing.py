"""Smooth corrections of whole clips."""

import numpy as np
import pytest
from numpy.typing import NDArray

from blender_bioik.solver import (
    Clip,
    Displacement,
    Distance,
    Goal,
    Joint,
    KinematicTree,
    Position,
    Settings,
    Stop,
    Tip,
    Track,
    solve_clip,
)
from blender_bioik.solver.clips import smoothing
from blender_bioik.solver.errors import SettingsError

Array = NDArray[np.float64]


@pytest.fixture
def arm() -> KinematicTree:
    """An arm of three links in a plane, and a wrist that turns it out of the plane."""
    joints = [
        Joint("shoulder", axis=(0, 0, 1)),
        Joint("lift", "shoulder", axis=(0, 1, 0)),
        Joint("elbow", "lift", axis=(0, 0, 1), position=(0.5, 0, 0), lower=-2.5, upper=2.5),
        Joint("wrist", "elbow", axis=(0, 0, 1), position=(0.5, 0, 0), lower=-2.0, upper=2.0),
    ]
    return KinematicTree(joints, [Tip("hand", "wrist", (0.3, 0, 0))])


def swing(frames: int) -> Array:
    """Source poses of an arm that swings to and fro."""
    phase = np.linspace(0.0, 4.0 * np.pi, frames)
    pose = np.zeros((frames, 4))
    pose[:, 0] = 0.8 * np.sin(phase)
    pose[:, 2] = 0.6 + 0.3 * np.cos(phase)
    return pose


def hand(tree: KinematicTree, poses: Array) -> Array:
    from blender_bioik.solver import forward_kinematics

    return forward_kinematics(tree, poses).tip_positions[:, 0]


def peak_acceleration(path: Array) -> float:
    return float(np.linalg.norm(np.diff(path, n=2, axis=0), axis=-1).max())


def obstacle(tree: KinematicTree, source: Array) -> list[Goal | Track]:
    """Stay away from a ball that the source's path goes through; otherwise stay as animated."""
    ball = (hand(tree, source)[len(source) // 4] + np.array([0.01, 0.02, 0.0])).tolist()
    x, y, z = ball
    return [
        Distance("hand", (x, y, z), minimum=0.25, activation=0.02, tolerance=1e-3),
        Displacement("source", weight=0.01),
    ]


def test_a_path_around_an_obstacle_does_not_jump(arm: KinematicTree) -> None:
    source = swing(120)
    goals = obstacle(arm, source)
    alone = solve_clip(arm, goals, source)
    smooth = solve_clip(arm, goals, source, Settings(smoothness=10.0))

    own = peak_acceleration(hand(arm, source))
    assert alone.success.all()
    assert smooth.success.all()
    assert peak_acceleration(hand(arm, alone.values)) > 10.0 * own  # there is something to mend
    assert peak_acceleration(hand(arm, smooth.values)) < 1.5 * own


def test_demands_are_still_met_and_errors_are_those_of_the_result(arm: KinematicTree) -> None:
    source = swing(80)
    point = hand(arm, source) + np.array([-0.1, 0.0, 0.02])
    tracks: list[Goal | Track] = [
        Track(Position("hand", (0, 0, 0)), {"point": point}),
        Displacement("source"),
    ]
    smooth = solve_clip(arm, tracks, source, Settings(smoothness=1.0))

    distance = np.linalg.norm(hand(arm, smooth.values) - point, axis=-1)
    assert smooth.success.all()
    assert distance.max() <= 1e-4
    assert smooth.errors[:, 0] == pytest.approx(distance, abs=1e-12)


def test_the_correction_is_smooth_rather_than_the_motion(arm: KinematicTree) -> None:
    source = swing(60)
    source[30, 0] += 0.2  # the animator's own accent
    raised = hand(arm, source) + np.array([0.0, 0.0, 0.05])
    tracks: list[Goal | Track] = [
        Track(Position("hand", (0, 0, 0)), {"point": raised}),
        Displacement("source"),
    ]
    smooth = solve_clip(arm, tracks, source, Settings(smoothness=1.0))

    assert np.abs(np.diff(hand(arm, smooth.values)[28:33, 1])).max() > 0.1


def test_a_clip_that_meets_its_goals_does_not_change(arm: KinematicTree) -> None:
    source = swing(50)
    tracks: list[Goal | Track] = [
        Track(Position("hand", (0, 0, 0)), {"point": hand(arm, source)}),
        Displacement("source"),
    ]
    smooth = solve_clip(arm, tracks, source, Settings(smoothness=1.0))

    assert np.abs(smooth.values - source).max() < 1e-6


def test_frames_that_no_goal_is_about_stay_as_they_are(arm: KinematicTree) -> None:
    source = swing(100)
    weight = np.zeros(100)
    weight[40:60] = 1.0
    ease = np.clip(np.minimum(np.arange(100) - 40, 59 - np.arange(100)) / 8.0, 0.0, 1.0)
    point = hand(arm, source) + ease[:, None] * np.array([-0.2, 0.0, 0.1])
    tracks: list[Goal | Track] = [
        Track(Position("hand", (0, 0, 0)), {"point": point, "weight": weight}),
        Displacement("source"),
    ]
    smooth = solve_clip(arm, tracks, source, Settings(smoothness=1.0))

    assert smooth.success.all()
    assert np.abs(smooth.values - source)[40:60].max() > 0.1
    assert np.array_equal(smooth.values[weight == 0.0], source[weight == 0.0])


def test_limits_hold(arm: KinematicTree) -> None:
    source = swing(60)
    near = np.tile([0.25, 0.1, 0.0], (60, 1))  # folds the elbow up to its limit
    tracks: list[Goal | Track] = [
        Track(Position("hand", (0, 0, 0)), {"point": near}),
        Displacement("source"),
    ]
    smooth = solve_clip(arm, tracks, source, Settings(smoothness=1.0))

    assert (smooth.values >= arm.lower).all()
    assert (smooth.values <= arm.upper).all()


def test_long_clips_are_smooth_across_their_stretches(
    arm: KinematicTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = swing(200)
    goals = obstacle(arm, source)
    whole = solve_clip(arm, goals, source, Settings(smoothness=1.0))
    monkeypatch.setattr(smoothing, "STRETCH", 64)
    monkeypatch.setattr(smoothing, "LEAD_OUT", 32)
    parts = solve_clip(arm, goals, source, Settings(smoothness=1.0))

    assert parts.success.all()
    bend = peak_acceleration(whole.values - source)
    assert peak_acceleration(parts.values - source) < 2.0 * bend


def test_same_bits_on_any_number_of_threads(arm: KinematicTree) -> None:
    source = swing(300)
    goals = obstacle(arm, source)
    one, two = (
        solve_clip(arm, goals, source, Settings(smoothness=1.0, threads=threads))
        for threads in (1, 2)
    )

    assert one.values.tobytes() == two.values.tobytes()


def test_cancelled_smoothing_is_reported(arm: KinematicTree) -> None:
    source = swing(60)
    calls = iter([False] * 3)
    found = solve_clip(
        arm,
        obstacle(arm, source),
        source,
        Settings(smoothness=1.0),
        cancel=lambda: next(calls, True),
    )

    assert np.isfinite(found.values).all()
    assert set(found.stops) & {Stop.CANCELLED, Stop.NOT_SOLVED}


@pytest.mark.parametrize("frames", [0, 1, 2, 3])
def test_short_clips_work(arm: KinematicTree, frames: int) -> None:
    source = swing(10)[:frames]
    found = solve_clip(arm, [Position("hand", (1, 0.2, 0))], source, Settings(smoothness=1.0))

    assert len(found.values) == frames
    assert found.success.all()


def test_corrections_of_an_animated_rest_are_smoothed_too(arm: KinematicTree) -> None:
    from blender_bioik.solver import Rest

    source = np.zeros((40, 4))
    turn = 0.2 * np.sin(np.linspace(0.0, 6.0, 40))
    rotation = np.tile(arm.rest_rotation, (40, 1, 1))
    rotation[:, 0] = np.stack([np.cos(turn), 0 * turn, 0 * turn, np.sin(turn)], -1)
    rest = Rest(rotation, np.tile(arm.rest_position, (40, 1, 1)))
    goal = Position("hand", (1.0, 0.3, 0.1))
    found = solve_clip(
        arm, [goal, Displacement("source")], Clip(source, rest), Settings(smoothness=1.0)
    )

    assert found.success.all()


@pytest.mark.parametrize("bad", [-1.0, np.inf, np.nan])
def test_bad_smoothness_is_refused(bad: float) -> None:
    with pytest.raises(SettingsError, match="smoothness"):
        Settings(smoothness=bad)
