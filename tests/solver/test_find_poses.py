import math

import numpy as np
import pytest

from blender_bioik.solver import (
    Goal,
    Orientation,
    Position,
    Settings,
    Solution,
    Track,
    find_poses,
    solve_pose,
)

from ..builders.solver.models import (
    Case,
    planar_arm,
    planar_tip,
    quaternion_of,
    robot,
    tip_poses,
    vector,
)

APART = 0.35  # as poses.py documents: poses are distinct if a joint differs by at least this
TARGET = (1.2, 0.7, 0.0)


def full_pose_goals(case: Case) -> list[Goal]:
    wanted = tip_poses(case.model, case.tree, case.rng.uniform(case.tree.lower, case.tree.upper))
    goals: list[Goal] = []
    for tip, pose in wanted.items():
        goals.append(Position(tip, vector(pose[:3, 3])))
        goals.append(Orientation(tip, quaternion_of(pose[:3, :3])))
    return goals


def distance(solution: Solution, seed: np.ndarray) -> float:
    return float(np.abs(solution.values - seed).sum())


def test_both_ways_to_bend_an_elbow_are_found() -> None:
    found = find_poses(planar_arm(limits=(-3.0, 3.0)), [Position("end", TARGET)], [0.1, 0.1], 2)

    bends = sorted(solution.values[1] for solution in found)
    reach = math.hypot(*TARGET)
    bend = math.acos(0.5 * reach**2 - 1.0)
    assert bends == [pytest.approx(-bend, abs=1e-3), pytest.approx(bend, abs=1e-3)]
    for solution in found:
        assert solution.success
        assert np.linalg.norm(planar_tip(solution.values) - TARGET) <= 1e-4


@pytest.mark.parametrize("name", ["ur5", "panda"])
def test_poses_are_distinct_and_all_meet_the_goals(name: str) -> None:
    case = robot(name, seed=1)
    goals = full_pose_goals(case)
    seed = case.rng.uniform(case.tree.lower, case.tree.upper)

    found = find_poses(case.tree, goals, seed, 4)

    assert len(found) == 4
    for k, solution in enumerate(found):
        assert solution.success
        assert (solution.values >= case.tree.lower).all()
        assert (solution.values <= case.tree.upper).all()
        tips = tip_poses(case.model, case.tree, solution.values)
        goal = goals[0]
        assert isinstance(goal, Position)
        assert np.linalg.norm(tips[goal.tip][:3, 3] - np.array(goal.point)) <= 1.001e-4
        for other in found[:k]:
            assert np.abs(solution.values - other.values).max() >= APART


def test_poses_that_reach_all_are_ranked_by_distance_from_the_seed() -> None:
    case = robot("ur5", seed=2)
    goals = full_pose_goals(case)
    seed = case.rng.uniform(case.tree.lower, case.tree.upper)

    found = find_poses(case.tree, goals, seed, 5)

    distances = [distance(solution, seed) for solution in found]
    assert distances == sorted(distances)


def test_poses_that_reach_all_come_first_and_others_by_fitness() -> None:
    """An arm whose limits let it reach the target with the elbow one way only."""
    arm = planar_arm(limits=(-0.2, 3.0))

    found = find_poses(arm, [Position("end", TARGET)], [0.1, 0.1], 5)

    keys = [(not s.success, 0.0 if s.success else s.fitness) for s in found]
    assert keys == sorted(keys)


def test_compromises_are_ranked_by_fitness() -> None:
    arm = planar_arm(limits=(-1.0, 1.0))

    found = find_poses(arm, [Position("end", (-3.0, 0.0, 0.0))], [0.1, 0.1], 3)

    assert not any(solution.success for solution in found)
    fitness = [solution.fitness for solution in found]
    assert fitness == sorted(fitness)


def test_the_answer_of_solve_pose_is_among_them() -> None:
    for seed in range(5):
        case = robot("ur5", seed)
        goals = full_pose_goals(case)
        start = case.rng.uniform(case.tree.lower, case.tree.upper)

        single = solve_pose(case.tree, goals, start)
        found = find_poses(case.tree, goals, start, 8)

        nearest = min(np.abs(single.values - other.values).max() for other in found)
        assert nearest < APART


@pytest.mark.parametrize("count", [1, 2, 3])
def test_at_most_the_requested_number_of_poses_is_returned(count: int) -> None:
    found = find_poses(
        planar_arm((1.0, 1.0, 1.0), limits=(-3.0, 3.0)),
        [Position("end", TARGET)],
        [0.1, 0.1, 0.1],
        count,
    )

    assert len(found) == count


def test_fewer_poses_come_back_where_there_are_no_more() -> None:
    found = find_poses(
        planar_arm((1.0,), limits=(-3.0, 3.0)), [Position("end", (0.0, 1.0, 0.0))], [0.1], 5
    )

    assert [solution.values[0] for solution in found if solution.success] == [
        pytest.approx(math.pi / 2, abs=1e-3)
    ]


def test_the_same_seed_gives_the_same_poses_on_any_number_of_threads() -> None:
    case = robot("ur5", seed=4)
    goals = full_pose_goals(case)
    start = case.rng.uniform(case.tree.lower, case.tree.upper)

    first, second = (
        find_poses(case.tree, goals, start, 4, Settings(threads=threads)) for threads in (1, 2)
    )

    assert [s.values.tobytes() for s in first] == [s.values.tobytes() for s in second]


def test_without_goals_the_seed_is_the_first_solution() -> None:
    found = find_poses(planar_arm(), [], [0.1, 0.2], 3)

    assert found[0].values.tolist() == [0.1, 0.2]


def test_joints_that_carry_no_goal_keep_their_seed() -> None:
    case = robot("legs12", seed=5)
    seed = np.asarray(case.rng.uniform(case.tree.lower, case.tree.upper))
    tip = case.tree.tip_names[0]
    point = tip_poses(case.model, case.tree, 0.9 * seed)[tip][:3, 3]
    carried = case.tree.chain(int(case.tree.tip_joint[0]))
    others = [i for i in range(12) if i not in carried]

    found = find_poses(case.tree, [Position(tip, vector(point))], seed, 3)

    for solution in found:
        np.testing.assert_array_equal(solution.values[others], seed[others])


def test_the_seed_is_not_modified() -> None:
    seed = np.array([5.0, 0.1])

    find_poses(planar_arm(limits=(-3.0, 3.0)), [Position("end", TARGET)], seed, 2)

    assert seed.tolist() == [5.0, 0.1]


def test_a_track_of_one_frame_counts_as_its_goal() -> None:
    tree, seed = planar_arm(limits=(-3.0, 3.0)), [0.1, 0.1]
    plain = find_poses(tree, [Position("end", TARGET)], seed, 2)
    track = Track(Position("end", (0.0, 0.0, 0.0)), {"point": [TARGET], "weight": [1.0]})
    tracked = find_poses(tree, [track], seed, 2)
    assert [s.values.tolist() for s in plain] == [s.values.tolist() for s in tracked]


def test_progress_counts_the_seed_as_a_place_that_is_done() -> None:
    told: list[tuple[int, int]] = []
    find_poses(
        planar_arm(limits=(-3.0, 3.0)),
        [Position("end", TARGET)],
        [0.1, 0.1],
        2,
        progress=lambda done, total: told.append((done, total)),
    )
    assert told[0][0] >= 1
    assert told[-1] == (17, 17)
