"""Whole clips: tracks, warm starts, and the per-frame results.

Tests of: clip, goal_list, tracks.
"""

import math
from dataclasses import replace

import numpy as np
import pytest

from blender_bioik.solver import (
    CentreJoints,
    Clip,
    Displacement,
    Goal,
    Joint,
    JointValue,
    KinematicTree,
    Orientation,
    Position,
    Rest,
    Settings,
    Stop,
    Tip,
    Track,
    solve_clip,
    solve_pose,
)

from ...builders.solver.models import (
    Array,
    matrix,
    model_of_dict,
    planar_arm,
    planar_tip,
    quaternion_of,
    robot,
    robot_data,
    rotation_of,
    tip_poses,
    turn_about,
    vector,
)

END = Position("end", (0.0, 0.0, 0.0))


def circle(frames: int, radius: float = 0.5) -> Array:
    """A smooth path for the end of a planar arm, well inside its reach."""
    turn = np.linspace(0.0, 2.0 * math.pi, frames)
    return np.stack([1.0 + radius * np.cos(turn), radius * np.sin(turn), 0.0 * turn], axis=-1)


def path_of(values: Array) -> Array:
    return np.array([planar_tip(pose) for pose in values])


def largest_step(values: Array) -> float:
    return float(np.abs(np.diff(values, axis=0)).max(initial=0.0))


def start(frames: int) -> Array:
    return np.tile([0.3, 0.8], (frames, 1))


@pytest.fixture(scope="module")
def legs() -> tuple[KinematicTree, list[Track], Array]:
    """Two feet on smooth paths over 300 frames, position and orientation, and the source."""
    case = robot("legs12", seed=1)
    middle = 0.5 * (case.tree.lower + case.tree.upper)
    half = 0.25 * (case.tree.upper - case.tree.lower)
    phase = case.rng.uniform(0.0, 6.0, 12)
    time = np.linspace(0.0, 6.0, 300)[:, None]
    poses = middle + half * np.sin(time + phase)
    tips = [tip_poses(case.model, case.tree, pose) for pose in poses]
    tracks = []
    for tip in case.tree.tip_names:
        points = np.array([pose[tip][:3, 3] for pose in tips])
        turns = np.array([quaternion_of(pose[tip][:3, :3]) for pose in tips])
        tracks.append(Track(Position(tip, (0.0, 0.0, 0.0)), {"point": points}))
        tracks.append(Track(Orientation(tip, (1.0, 0.0, 0.0, 0.0)), {"quaternion_wxyz": turns}))
    return case.tree, tracks, np.tile(poses[0], (300, 1))


def test_a_moving_target_is_followed_in_every_frame() -> None:
    path = circle(40)

    solution = solve_clip(planar_arm(), [Track(END, {"point": path})], start(40))

    assert solution.success.all()
    assert set(solution.stops) == {Stop.REACHED}
    assert np.linalg.norm(path_of(solution.values) - path, axis=-1).max() <= 1e-4


def test_two_legs_are_solved_as_matrices_judge(
    legs: tuple[KinematicTree, list[Track], Array],
) -> None:
    tree, tracks, source = legs
    model = model_of_dict(robot_data("legs12"))

    solution = solve_clip(tree, tracks, source)

    assert solution.success.all()
    assert ((solution.values >= tree.lower) & (solution.values <= tree.upper)).all()
    for f in range(0, 300, 10):
        found = tip_poses(model, tree, solution.values[f])
        for track in tracks[::2]:
            assert isinstance(track.goal, Position)
            wanted = np.asarray(track.fields["point"])[f]
            assert np.linalg.norm(found[track.goal.tip][:3, 3] - wanted) <= 1e-4 + 1e-9


def test_the_number_of_threads_does_not_change_a_bit(
    legs: tuple[KinematicTree, list[Track], Array],
) -> None:
    tree, tracks, source = legs

    one, two, four = (
        solve_clip(tree, tracks, source, Settings(threads=threads)) for threads in (1, 2, 4)
    )

    for other in (two, four):
        assert other.values.tobytes() == one.values.tobytes()
        assert other.errors.tobytes() == one.errors.tobytes()
        assert other.fitness.tobytes() == one.fitness.tobytes()
        assert other.evaluations.tolist() == one.evaluations.tolist()
        assert other.stops == one.stops


def test_hard_frames_do_not_depend_on_the_number_of_threads_either() -> None:
    path = circle(300, radius=2.0)  # leaves the reach and comes back
    track = Track(END, {"point": path})
    settings = [Settings(threads=threads, evaluations=400) for threads in (1, 2, 4)]

    one, two, four = (
        solve_clip(planar_arm((1.0, 0.5, 0.5)), [track], np.zeros((300, 3)), s) for s in settings
    )

    assert not one.success.all()
    assert two.values.tobytes() == one.values.tobytes()
    assert four.values.tobytes() == one.values.tobytes()


def test_the_previous_frame_keeps_steps_small(
    legs: tuple[KinematicTree, list[Track], Array],
) -> None:
    tree, tracks, source = legs

    solution = solve_clip(tree, tracks, source)

    # The path was made with steps of at most 0.25 of a range times 0.02.
    assert largest_step(solution.values) < 0.1


def test_seams_between_chunks_step_no_further_than_the_frames_around_them() -> None:
    """The same path with its seams elsewhere: 400 frames, and the 250 that start 50 frames in."""
    path = circle(400, radius=0.9)
    arm = planar_arm((1.0, 0.7, 0.5))
    source = np.tile([0.3, 0.8, 0.5], (400, 1))

    long = solve_clip(arm, [Track(END, {"point": path})], source).values
    single = [
        solve_clip(arm, [Track(END, {"point": path[a : a + 100]})], source[a : a + 100]).values
        for a in range(0, 400, 100)
    ]

    inside_chunks = max(largest_step(part) for part in single)
    assert largest_step(long) <= 1.5 * inside_chunks + 0.01


def test_a_chunk_that_would_start_on_another_branch_is_joined() -> None:
    """The source has the elbow the other way in the second half; the solution must not flip."""
    frames = 400
    path = circle(frames)
    source = np.where(np.arange(frames)[:, None] < 200, [0.3, 0.8], [0.9, -0.8])

    solution = solve_clip(planar_arm(), [Track(END, {"point": path})], source)

    assert solution.success.all()
    assert largest_step(solution.values) < 0.1


def test_frames_solved_from_their_own_source_are_independent() -> None:
    path, rng = circle(30), np.random.default_rng(2)
    source = rng.uniform(-1.5, 1.5, (30, 2))
    track = Track(END, {"point": path})
    settings = Settings(warm_start="source")

    whole = solve_clip(planar_arm(), [track], source, settings)
    alone = [
        solve_pose(planar_arm(), [Position("end", vector(path[f]))], source[f], settings).values
        for f in range(30)
        if whole.iterations[f] == 0
    ]

    assert whole.success.all()
    np.testing.assert_array_equal(whole.values[whole.iterations == 0], alone)


# Tracks.


def test_a_goal_without_a_track_applies_to_all_frames() -> None:
    goal = Position("end", (1.0, 1.0, 0.0))

    solution = solve_clip(planar_arm(), [goal], start(20))

    assert solution.success.all()
    assert np.linalg.norm(path_of(solution.values) - goal.point, axis=-1).max() <= 1e-4
    assert solution.errors.shape == (20, 1)


def test_constant_goals_and_tracks_mix() -> None:
    arm = planar_arm((1.0, 1.0, 1.0))
    path = circle(20)
    tracks: list[Goal | Track] = [JointValue("joint0", 0.4), Track(END, {"point": path})]

    solution = solve_clip(arm, tracks, np.tile([0.3, 0.8, 0.5], (20, 1)))

    assert solution.success.all()
    np.testing.assert_allclose(solution.values[:, 0], 0.4, atol=1e-3)


def test_a_weight_of_zero_turns_a_goal_off_in_its_frames() -> None:
    weights = np.where(np.arange(20) < 10, 1.0, 0.0)
    out_of_reach = Track(Position("end", (9.0, 0.0, 0.0)), {"weight": weights})
    settings = Settings(evaluations=300)

    solution = solve_clip(planar_arm(), [out_of_reach], start(20), settings)

    assert not solution.reached[:10].any()
    assert solution.reached[10:].all()
    assert not solution.errors[10:].any()


def test_weights_decide_frame_by_frame() -> None:
    weight = np.linspace(0.0, 1.0, 5)
    tracks = [
        Track(JointValue("joint0", 1.0), {"weight": weight}),
        Track(JointValue("joint0", 0.0), {"weight": 1.0 - weight}),
    ]

    solution = solve_clip(planar_arm(), tracks, start(5), Settings(evaluations=500))

    np.testing.assert_allclose(solution.values[:, 0], weight, atol=2e-3)


def test_tolerances_are_held_frame_by_frame() -> None:
    track = Track(Position("end", (3.0, 0.0, 0.0)), {"tolerance": [1.1, 0.5, 1.1]})

    solution = solve_clip(planar_arm(), [track], start(3), Settings(evaluations=500))

    assert solution.reached[:, 0].tolist() == [True, False, True]


def test_errors_are_degrees_for_angles() -> None:
    arm = planar_arm(limits=(-0.1, 0.1))
    half_turn = Orientation("end", (0.0, 0.0, 0.0, 1.0))

    solution = solve_clip(arm, [half_turn], np.zeros((2, 2)), Settings(evaluations=300))

    np.testing.assert_allclose(solution.errors[:, 0], 180.0 - math.degrees(0.2), atol=1e-3)


def test_displacement_from_the_source_pulls_towards_each_frames_own_pose() -> None:
    arm = planar_arm((1.0, 1.0, 1.0))
    wave = 0.3 * np.sin(np.linspace(0.0, 6.0, 30))[:, None] + np.array([0.5, 0.5, 0.5])
    path = np.array([planar_tip(pose, (1.0, 1.0, 1.0)) for pose in wave])
    tracks: list[Goal | Track] = [Track(END, {"point": path}), Displacement("source")]

    solution = solve_clip(arm, tracks, wave)

    assert solution.success.all()
    assert np.abs(solution.values - wave).max() < 0.02


# Joints as corrections around an animated orientation.


def animated_rest(frames: int) -> Rest:
    """A two-joint arm whose rest pose turns and grows from frame to frame."""
    rotation, position = np.zeros((frames, 2, 4)), np.zeros((frames, 2, 3))
    for f in range(frames):
        rotation[f, 0] = quaternion_of(turn_about(np.array([0.0, 0.0, 1.0]), 0.05 * f))
        rotation[f, 1] = quaternion_of(turn_about(np.array([0.0, 0.0, 1.0]), 0.6 + 0.02 * f))
        position[f] = [(0.01 * f, 0.0, 0.0), (1.0, 0.0, 0.0)]
    return Rest(rotation, position)


def animated_tip(rest: Rest, f: int, values: Array) -> Array:
    pose = np.eye(4)
    for joint in range(2):
        pose = pose @ matrix(rotation_of(rest.rotation[f, joint]), rest.position[f, joint])
        pose = pose @ matrix(turn_about(np.array([0.0, 0.0, 1.0]), values[joint]), np.zeros(3))
    return np.asarray((pose @ [1.0, 0.0, 0.0, 1.0])[:3])


def test_a_target_where_the_animation_is_needs_no_correction() -> None:
    rest = animated_rest(30)
    path = np.array([animated_tip(rest, f, np.zeros(2)) for f in range(30)])

    solution = solve_clip(
        planar_arm(), [Track(END, {"point": path})], Clip(np.zeros((30, 2)), rest)
    )

    assert solution.success.all()
    np.testing.assert_array_equal(solution.values, 0.0)


def test_corrections_are_applied_around_the_animation() -> None:
    rest = animated_rest(30)
    path = np.array([animated_tip(rest, f, np.array([0.1, -0.2])) for f in range(30)])

    solution = solve_clip(
        planar_arm(), [Track(END, {"point": path})], Clip(np.zeros((30, 2)), rest)
    )

    assert solution.success.all()
    for f in range(30):
        off = animated_tip(rest, f, solution.values[f]) - path[f]
        assert np.linalg.norm(off) <= 1e-4 + 1e-9


def test_one_rest_pose_can_be_given_for_the_whole_clip() -> None:
    rest = Rest(*(part[:1] for part in animated_rest(1)))
    target = vector(animated_tip(rest, 0, np.array([0.3, 0.3])))

    solution = solve_clip(planar_arm(), [Position("end", target)], Clip(np.zeros((4, 2)), rest))

    assert solution.success.all()
    assert np.linalg.norm(animated_tip(rest, 0, solution.values[3]) - target) <= 1e-4


# Lengths of clips.


@pytest.mark.parametrize("empty", [np.zeros((0, 2)), []])
def test_a_clip_without_frames_has_an_empty_solution(empty: Array) -> None:
    solution = solve_clip(planar_arm(), [Track(END, {"point": np.zeros((0, 3))})], empty)

    assert solution.values.shape == (0, 2)
    assert solution.errors.shape == (0, 1)
    assert solution.stops == ()


def test_one_frame_equals_solve_pose() -> None:
    goal = Position("end", (1.0, 1.0, 0.0))

    clip = solve_clip(planar_arm(), [goal], start(1))
    pose = solve_pose(planar_arm(), [goal], start(1)[0])

    assert clip.values[0].tobytes() == pose.values.tobytes()
    assert clip.fitness[0] == pose.fitness
    assert tuple(clip.errors[0]) == pose.errors
    assert clip.stops == (pose.stop,)


@pytest.mark.parametrize("frames", [127, 128, 129, 257])
def test_every_frame_is_solved_around_the_ends_of_chunks(frames: int) -> None:
    path = circle(frames)

    solution = solve_clip(planar_arm(), [Track(END, {"point": path})], start(frames))

    assert solution.success.all()
    assert np.linalg.norm(path_of(solution.values) - path, axis=-1).max() <= 1e-4


def test_without_goals_the_source_is_returned() -> None:
    source = np.linspace((0.0, 0.1), (0.5, 0.2), 7)

    solution = solve_clip(planar_arm(), [], source)

    np.testing.assert_array_equal(solution.values, source)
    assert solution.success.all()
    assert set(solution.stops) == {Stop.NO_GOALS}


def test_a_tree_without_joints_gives_a_clip_without_columns() -> None:
    tree = KinematicTree([], [Tip("flag", None)])

    solution = solve_clip(tree, [Position("flag", (0.0, 0.0, 1.0))], np.zeros((3, 0)))

    assert solution.values.shape == (3, 0)
    np.testing.assert_allclose(solution.errors, 1.0)


def test_a_source_outside_the_limits_is_moved_inside() -> None:
    solution = solve_clip(
        planar_arm(limits=(-1.0, 1.0)), [Position("end", (1.0, 1.0, 0.0))], np.full((3, 2), 5.0)
    )

    assert np.abs(solution.values).max() <= 1.0


def test_joints_that_carry_no_goal_follow_their_source() -> None:
    case = robot("legs12")
    source = case.tree.clipped(np.zeros(12)) + np.zeros((5, 12))
    right = [case.tree.names[i] for i in case.tree.chain(int(case.tree.tip_joint[0]))]
    others = [i for i, name in enumerate(case.tree.names) if name not in right]
    source[:, others] += np.linspace(0.0, 0.02, 5)[:, None]
    source = np.clip(source, case.tree.lower, case.tree.upper)
    point = tip_poses(case.model, case.tree, source[0])[case.tree.tip_names[0]][:3, 3] + 0.05

    solution = solve_clip(case.tree, [Position(case.tree.tip_names[0], vector(point))], source)

    np.testing.assert_array_equal(solution.values[:, others], source[:, others])


# Out of reach for a while.


def test_an_unreachable_stretch_is_marked_frame_by_frame() -> None:
    frames = 60
    path = np.stack(
        [np.linspace(1.0, 1.5, frames), np.full(frames, 0.5), np.zeros(frames)], axis=-1
    )
    path[20:40] *= 3.0
    reachable = np.linalg.norm(path, axis=-1) < 2.0

    solution = solve_clip(
        planar_arm(), [Track(END, {"point": path})], start(frames), Settings(evaluations=500)
    )

    np.testing.assert_array_equal(solution.success, reachable)
    assert np.isfinite(solution.values).all()
    assert np.isfinite(solution.errors).all()
    assert np.isfinite(solution.fitness).all()
    missed = np.linalg.norm(path[~reachable], axis=-1) - 2.0
    np.testing.assert_allclose(solution.errors[~reachable, 0], missed, atol=1e-3)
    assert all(
        (stop is Stop.REACHED) == ok for stop, ok in zip(solution.stops, reachable, strict=True)
    )


# Progress and cancelling.


def test_progress_grows_and_ends_at_the_total() -> None:
    frames = 400
    calls: list[tuple[int, int]] = []

    solve_clip(
        planar_arm(),
        [Track(END, {"point": circle(frames)})],
        start(frames),
        progress=lambda done, total: calls.append((done, total)),
    )

    done = [count for count, _ in calls]
    assert {total for _, total in calls} == {frames}
    assert done == sorted(done)
    assert done[-1] == frames


def test_cancelling_at_once_returns_the_source_as_cancelled() -> None:
    frames = 5000
    source = np.tile([0.3, 0.8], (frames, 1))
    hopeless = Position("end", (9.0, 0.0, 0.0))
    settings = Settings(threads=1, evaluations=20_000)

    solution = solve_clip(planar_arm(), [hopeless], source, settings, cancel=lambda: True)

    unsolved = np.array([stop is Stop.NOT_SOLVED for stop in solution.stops])
    assert unsolved.any()
    np.testing.assert_array_equal(solution.values[unsolved], source[unsolved])
    assert not solution.reached[unsolved].any()
    assert np.isfinite(solution.values).all()


def test_cancelling_after_some_progress_keeps_the_solved_frames() -> None:
    frames = 5000
    hopeless = Position("end", (9.0, 0.0, 0.0))
    seen: list[int] = []

    solution = solve_clip(
        planar_arm(),
        [hopeless],
        start(frames),
        Settings(threads=2, evaluations=2000),
        progress=lambda done, total: seen.append(done),
        cancel=lambda: bool(seen) and seen[-1] > 0,
    )

    solved = np.array([stop is Stop.BUDGET for stop in solution.stops])
    assert 0 < solved.sum() < frames
    np.testing.assert_allclose(solution.errors[solved, 0], 7.0, atol=1e-3)


def test_never_cancelling_changes_nothing() -> None:
    track = Track(END, {"point": circle(50)})

    asked = solve_clip(planar_arm(), [track], start(50), cancel=lambda: False)

    assert asked.values.tobytes() == solve_clip(planar_arm(), [track], start(50)).values.tobytes()


def test_a_time_limit_stops_a_clip() -> None:
    settings = Settings(threads=1, evaluations=20_000, time_limit_ms=30.0)

    solution = solve_clip(planar_arm(), [Position("end", (9.0, 0, 0))], start(5000), settings)

    assert Stop.NOT_SOLVED in solution.stops
    assert np.isfinite(solution.values).all()


def test_an_error_in_the_progress_callback_is_raised() -> None:
    class ProgressError(Exception):
        pass

    def fail(done: int, total: int) -> None:
        raise ProgressError

    with pytest.raises(ProgressError):
        solve_clip(planar_arm(), [Position("end", (9.0, 0.0, 0.0))], start(500), progress=fail)


def test_an_error_in_the_cancel_callback_is_raised() -> None:
    def fail() -> bool:
        raise RuntimeError("no answer")

    with pytest.raises(RuntimeError, match="no answer"):
        solve_clip(planar_arm(), [Position("end", (9.0, 0.0, 0.0))], start(500), cancel=fail)


# Determinism.


def test_the_same_seed_gives_the_same_bits() -> None:
    track = Track(END, {"point": circle(30, radius=2.0)})
    settings = Settings(seed=3, evaluations=500)

    first, second = (solve_clip(planar_arm(), [track], start(30), settings) for _ in range(2))

    assert first.values.tobytes() == second.values.tobytes()
    assert first.stops == second.stops


def test_inputs_are_not_modified() -> None:
    source, path = np.full((5, 2), 5.0), circle(5)
    rest = animated_rest(5)
    copies = [np.array(array) for array in (source, path, *rest)]

    solution = solve_clip(
        planar_arm(limits=(-3.0, 3.0)), [Track(END, {"point": path})], Clip(source, rest)
    )
    solution.values[:] = 9.0

    for array, copy in zip((source, path, *rest), copies, strict=True):
        np.testing.assert_array_equal(array, copy)


def test_a_clip_goes_on_from_the_pose_before_it_as_frames_do_from_each_other() -> None:
    path = circle(40)
    tree, track = planar_arm(), Track(END, {"point": path})
    whole = solve_clip(tree, [track], start(40), Settings(smoothness=0.0))
    rest = solve_clip(tree, [Track(END, {"point": path[25:]})], start(15), before=whole.values[24])
    assert np.array_equal(rest.values, whole.values[25:])


def test_the_pose_before_a_clip_decides_between_branches() -> None:
    tree, goal = planar_arm(), Position("end", (1.2, 0.4, 0.0))
    up = solve_clip(tree, [goal], start(1)).values[0]
    elbow_down = np.array([math.atan2(0.4, 1.2) * 2.0 - up[0], -up[1]])
    down = solve_clip(tree, [goal], start(1), before=elbow_down)
    assert down.values[0] == pytest.approx(elbow_down, abs=1e-3)
    assert down.success.all()


def test_a_tree_like_another_is_solved_as_one_by_itself() -> None:
    joints = [Joint("a", lower=-2.0, upper=2.0), Joint("b", "a", position=(1.0, 0.0, 0.0))]
    goals = [Position("end", (0.9, 0.8, 0.0)), CentreJoints(weight=0.3)]

    def tree(length: float, limit: float, like: KinematicTree | None = None) -> KinematicTree:
        moved = [replace(joints[0], upper=limit), replace(joints[1], position=(length, 0.0, 0.0))]
        return KinematicTree(moved, [Tip("end", "b", (length, 0.0, 0.0))], like)

    def solved(tree: KinematicTree) -> list[list[float]]:
        found = solve_clip(tree, goals, [[0.1, 0.2], [0.3, 0.2]]).values
        return [*found.tolist(), solve_pose(tree, goals, [0.1, 0.2]).values.tolist()]

    one = tree(1.0, 2.0)
    before, other = solved(one), tree(0.7, 1.2, one)

    assert solved(other) == solved(tree(0.7, 1.2)) != before
    assert solved(one) == before
