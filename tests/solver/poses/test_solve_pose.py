"""Poses by each strategy: goals are met within limits, and the same every time.

Tests of: goal_table, probe, problem, settings, solution, solve, sparsity, solver.search.evaluate,
solver.search.evolution, solver.search.frames, solver.search.lbfgsb, solver.search.linear,
solver.search.local.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import get_args

import numpy as np
import pytest

from blender_bioik.solver import (
    CentreJoints,
    Displacement,
    Distance,
    Goal,
    Joint,
    JointFunction,
    JointValue,
    KinematicTree,
    LookAt,
    Orientation,
    Plane,
    Pole,
    Position,
    Settings,
    Solution,
    Stop,
    Tip,
    forward_kinematics,
    probe,
    solve_pose,
)
from blender_bioik.solver.poses.settings import Exploitation, Strategy

from ...builders.solver.models import (
    Array,
    Case,
    angle_between,
    planar_arm,
    planar_tip,
    quaternion_of,
    random_case,
    random_pose,
    robot,
    rotation_angle,
    rotation_of,
    tip_poses,
    vector,
)

POSITION_TOLERANCE, ANGLE_TOLERANCE = 1e-4, 1e-3
LOOK_AXIS = (1.0, 0.0, 0.0)
IMPOSSIBLE = Position("end", (3.0, 4.0, 0.0))  # five metres away, for an arm of two


def uniform_pose(case: Case) -> Array:
    return np.asarray(case.rng.uniform(case.tree.lower, case.tree.upper))


def whole_body_goals(case: Case, wanted: dict[str, Array]) -> list[Goal]:
    """Full poses for all tips, except the head, which looks at a point in front of it."""
    goals: list[Goal] = []
    for tip, pose in wanted.items():
        if tip == "head":
            ahead = pose[:3, 3] + 2.0 * pose[:3, :3] @ LOOK_AXIS
            goals.append(LookAt(tip, vector(ahead), LOOK_AXIS))
        else:
            goals.append(Position(tip, vector(pose[:3, 3])))
            goals.append(Orientation(tip, quaternion_of(pose[:3, :3])))
    return goals


def measured_errors(case: Case, goals: Sequence[Goal], values: Array) -> list[float]:
    """Errors in metres and radians, by matrices."""
    tips = tip_poses(case.model, case.tree, values)
    errors = []
    for goal in goals:
        if isinstance(goal, Position):
            errors.append(float(np.linalg.norm(tips[goal.tip][:3, 3] - np.array(goal.point))))
        elif isinstance(goal, Orientation):
            turned = rotation_of(goal.quaternion_wxyz)
            errors.append(rotation_angle(tips[goal.tip][:3, :3], turned))
        elif isinstance(goal, LookAt):
            pose = tips[goal.tip]
            line = np.array(goal.point) - pose[:3, 3]
            errors.append(angle_between(pose[:3, :3] @ goal.axis, line))
    return errors


def inside(tree: KinematicTree, values: Array) -> bool:
    return bool(((values >= tree.lower) & (values <= tree.upper)).all())


def same_bits(a: Solution, b: Solution) -> bool:
    return a.values.tobytes() == b.values.tobytes() and a._replace(values=b.values) == b


@pytest.mark.parametrize("name", ["ur5", "val35"])
def test_random_reachable_poses_are_solved(name: str) -> None:
    case = robot(name, seed=1)
    for _ in range(200):
        goals = whole_body_goals(case, tip_poses(case.model, case.tree, uniform_pose(case)))
        seed = uniform_pose(case)

        solution = solve_pose(case.tree, goals, seed)
        measured = measured_errors(case, goals, solution.values)

        assert solution.success
        assert solution.stop is Stop.REACHED
        assert inside(case.tree, solution.values)
        for goal, error in zip(goals, measured, strict=True):
            assert error <= (POSITION_TOLERANCE if goal.unit == "m" else ANGLE_TOLERANCE) + 1e-7


def test_errors_are_metres_and_degrees_as_measured() -> None:
    case = robot("val35", seed=2)
    for _ in range(10):
        wanted = tip_poses(case.model, case.tree, uniform_pose(case))
        for pose in wanted.values():
            pose[:3, 3] += 0.3 * case.rng.normal(size=3)  # out of reach, more or less
        goals = whole_body_goals(case, wanted)

        solution = solve_pose(
            case.tree, goals, uniform_pose(case), Settings(strategy="local", iterations=10)
        )
        measured = measured_errors(case, goals, solution.values)

        for goal, error, true in zip(goals, solution.errors, measured, strict=True):
            expected = true if goal.unit == "m" else math.degrees(true)
            assert error == pytest.approx(expected, rel=1e-6, abs=1e-6)


def test_the_error_of_a_sliding_joints_value_is_in_metres() -> None:
    tree = KinematicTree([Joint("slide", kind="prismatic", lower=0.0, upper=1.0)])

    solution = solve_pose(tree, [JointValue("slide", 1.5)], [0.0])

    assert solution.errors == (pytest.approx(0.5),)


def test_each_goal_is_reached_by_its_own_tolerance() -> None:
    arm = planar_arm()
    goals = [
        Position("end", (3.0, 0.0, 0.0), tolerance=1.01),
        Position("end", (3.0, 0.0, 0.0), tolerance=0.5),
        Position("end", (3.0, 0.0, 0.0), tolerance=None),
    ]

    solution = solve_pose(arm, goals, [0.1, 0.1])

    assert solution.reached == (True, False, True)
    assert not solution.success


def test_a_wide_tolerance_is_enough() -> None:
    goal = Position("end", (1.0, 1.0, 0.0), tolerance=0.2)

    solution = solve_pose(planar_arm(), [goal], [0.1, 0.1])

    assert solution.success
    assert np.linalg.norm(planar_tip(solution.values) - goal.point) <= 0.2


@pytest.mark.parametrize("measure", ["rmse", "mean"])
def test_fitness_is_equation_14(measure: str) -> None:
    case = robot("val17", seed=3)
    wanted = tip_poses(case.model, case.tree, uniform_pose(case))
    for pose in wanted.values():
        pose[:3, 3] += 3.0  # out of reach, so that there are losses to speak of
    goals = whole_body_goals(case, wanted)
    weights = case.rng.uniform(0.1, 3.0, len(goals))
    goals = [replace(goal, weight=float(w)) for goal, w in zip(goals, weights, strict=True)]
    settings = Settings(strategy="local", iterations=2, fitness=measure)  # type: ignore[arg-type]

    solution = solve_pose(case.tree, goals, uniform_pose(case), settings)
    losses = np.array([probe(case.tree, goal, solution.values).loss for goal in goals])

    if measure == "rmse":
        expected = math.sqrt(float(np.mean(weights * losses**2)))
    else:
        expected = float(np.mean(weights * losses))
    assert expected > 0.1
    assert solution.fitness == pytest.approx(expected, rel=1e-9)


# Out of reach.


def test_an_arm_stretches_towards_a_target_out_of_reach() -> None:
    solution = solve_pose(planar_arm(), [IMPOSSIBLE], [0.3, 0.4])

    assert solution.reached == (False,)
    assert np.isfinite(solution.values).all()
    np.testing.assert_allclose(planar_tip(solution.values), [1.2, 1.6, 0.0], atol=1e-3)
    assert solution.errors[0] == pytest.approx(3.0, abs=1e-5)
    assert solution.stop in (Stop.BUDGET, Stop.STALLED)


def test_an_arm_folds_towards_a_target_too_near() -> None:
    lengths = (2.0, 1.0)
    goal = Position("end", (0.3, 0.4, 0.0))  # half a metre away, where one metre is the nearest

    solution = solve_pose(planar_arm(lengths), [goal], [0.3, 0.4])

    assert solution.reached == (False,)
    assert solution.errors[0] == pytest.approx(0.5, abs=1e-4)
    np.testing.assert_allclose(planar_tip(solution.values, lengths), [0.6, 0.8, 0.0], atol=1e-2)


def test_the_limits_best_is_found_where_limits_keep_the_target_away() -> None:
    arm = planar_arm((1.0,), limits=(-0.5, 0.5))

    solution = solve_pose(arm, [Position("end", (0.0, 1.0, 0.0))], [-0.4])

    assert solution.reached == (False,)
    assert solution.values.tolist() == [0.5]


@pytest.mark.parametrize(("weights", "nearer"), [((10.0, 0.1), 0), ((0.1, 10.0), 1)])
def test_weights_decide_between_conflicting_goals(
    weights: tuple[float, float], nearer: int
) -> None:
    goals = [
        Position("end", (1.0, 1.0, 0.0), weight=weights[0]),
        Position("end", (1.0, -1.0, 0.0), weight=weights[1]),
    ]

    solution = solve_pose(planar_arm(), goals, [0.1, 0.1])

    assert solution.reached == (False, False)
    assert solution.errors[nearer] < 0.3
    assert solution.errors[1 - nearer] > 1.5


def test_equal_weights_compromise() -> None:
    goals = [JointValue("joint0", 1.0), JointValue("joint0", 0.0)]

    solution = solve_pose(planar_arm(), goals, [0.9, 0.0])

    assert solution.values[0] == pytest.approx(0.5, abs=1e-4)
    assert solution.reached == (False, False)


# Preferences.


def test_a_preference_is_followed_while_the_demand_stays_reached() -> None:
    arm = planar_arm((1.0, 1.0, 1.0))
    demand = Position("end", (1.5, 1.0, 0.0))
    prefer = JointValue("joint0", 1.2, weight=0.01, tolerance=None)

    alone = solve_pose(arm, [demand], [0.1, 0.1, 0.1])
    both = solve_pose(arm, [demand, prefer], [0.1, 0.1, 0.1])

    assert both.success
    assert np.linalg.norm(planar_tip(both.values, (1.0, 1.0, 1.0)) - demand.point) <= 1e-4
    assert abs(both.values[0] - 1.2) < 0.05
    assert abs(alone.values[0] - 1.2) > 0.2


def test_a_preference_that_fights_the_demand_loses() -> None:
    demand = Position("end", (1.0, 1.0, 0.0))
    for weight in (0.01, 1.0, 10.0):
        prefer = Position("end", (-1.0, -1.0, 0.0), weight=weight, tolerance=None)

        solution = solve_pose(planar_arm(), [demand, prefer], [0.1, 0.1])

        assert solution.success
        assert solution.errors[0] <= 1e-4


def test_a_preference_alone_is_optimised() -> None:
    prefer = JointValue("joint0", 0.7, tolerance=None)

    solution = solve_pose(planar_arm(), [prefer], [0.0, 0.0])

    assert solution.success
    assert solution.values[0] == pytest.approx(0.7, abs=1e-3)


def test_displacement_alone_moves_nothing() -> None:
    found = solve_pose(planar_arm(), [Displacement()], (0.2, -0.3))
    assert found.values.tolist() == [0.2, -0.3]
    assert found.success


def test_displacement_keeps_a_redundant_arm_nearer_to_its_seed() -> None:
    case = robot("iiwa", seed=4)
    moved_freely, moved_little = 0.0, 0.0
    for _ in range(20):
        start = 0.7 * uniform_pose(case)
        wanted = tip_poses(case.model, case.tree, start + 0.2 * case.rng.normal(size=7))
        goal = Position("tool0", vector(wanted["tool0"][:3, 3]))
        free = solve_pose(case.tree, [goal], start)
        near = solve_pose(case.tree, [goal, Displacement()], start)
        assert near.success
        moved_freely += float(np.abs(free.values - start).sum())
        moved_little += float(np.abs(near.values - start).sum())

    assert moved_little <= moved_freely


def test_centring_joints_moves_them_to_the_middle_of_their_range() -> None:
    tree = planar_arm((1.0, 1.0, 1.0), limits=(-0.5, 1.5))

    solution = solve_pose(tree, [CentreJoints(weight=1.0)], [0.0, 0.0, 0.0])

    np.testing.assert_allclose(solution.values, 0.5, atol=1e-3)


# Strategies.


@pytest.mark.parametrize("strategy", get_args(Strategy))
@pytest.mark.parametrize("exploitation", get_args(Exploitation))
def test_every_strategy_and_exploitation_solves(
    strategy: Strategy, exploitation: Exploitation
) -> None:
    case = robot("ur5", seed=5)
    settings = Settings(strategy=strategy, exploitation=exploitation)
    solved = 0
    for _ in range(10):
        pose = uniform_pose(case)
        goals = whole_body_goals(case, tip_poses(case.model, case.tree, pose))
        near = case.tree.clipped(pose + 0.1 * case.rng.normal(size=6))
        solution = solve_pose(case.tree, goals, near, settings)
        measured = measured_errors(case, goals, solution.values)
        good = measured[0] <= 1.001e-4 and measured[1] <= 1.001e-3
        assert solution.success == good
        assert inside(case.tree, solution.values)
        solved += good

    assert solved == 10


def test_the_papers_configuration_solves_random_poses() -> None:
    case = robot("ur5", seed=6)
    solved = 0
    for _ in range(10):
        goals = whole_body_goals(case, tip_poses(case.model, case.tree, uniform_pose(case)))
        settings = replace(Settings.paper(), evaluations=200_000)
        solution = solve_pose(case.tree, goals, uniform_pose(case), settings)
        solved += solution.success
        assert solution.iterations > 0

    assert solved == 10


def test_local_search_does_not_evolve() -> None:
    solution = solve_pose(planar_arm(), [IMPOSSIBLE], [0.3, 0.4], Settings(strategy="local"))

    assert solution.iterations == 0
    assert solution.stop is Stop.STALLED


def test_evolution_finds_what_local_search_misses() -> None:
    """A straight arm that must fold back has no slope to follow."""
    arm = planar_arm(limits=(-3.0, 3.0))
    goal = Position("end", (0.5, 0.0, 0.0))

    local = solve_pose(arm, [goal], [0.0, 0.0], Settings(strategy="local"))
    memetic = solve_pose(arm, [goal], [0.0, 0.0])

    assert not local.success
    assert memetic.success


# Limits, stiffness, locks.


def limited_arm() -> KinematicTree:
    joints = [
        Joint("both", lower=-0.4, upper=0.6),
        Joint("above", "both", position=(1.0, 0.0, 0.0), lower=0.2),
        Joint("below", "above", position=(1.0, 0.0, 0.0), upper=-0.1),
        Joint("none", "below", position=(1.0, 0.0, 0.0)),
    ]
    return KinematicTree(joints, [Tip("end", "none", (1.0, 0.0, 0.0))])


def test_results_are_inside_finite_one_sided_and_missing_limits() -> None:
    tree, rng = limited_arm(), np.random.default_rng(7)
    for _ in range(50):
        goal = Position("end", vector([*rng.uniform(-4.0, 4.0, 2), 0.0]))

        solution = solve_pose(tree, [goal], rng.normal(size=4), Settings(evaluations=2000))

        assert inside(tree, solution.values)


def test_joints_of_stiffness_one_do_not_move() -> None:
    joints = [
        Joint("a"),
        Joint("stiff", "a", position=(1.0, 0.0, 0.0), stiffness=1.0),
        Joint("b", "stiff", position=(1.0, 0.0, 0.0)),
    ]
    tree = KinematicTree(joints, [Tip("end", "b", (1.0, 0.0, 0.0))])
    for target in ((1.5, 1.5, 0.0), (-1.0, 2.0, 0.0), (9.0, 0.0, 0.0)):
        solution = solve_pose(tree, [Position("end", target)], [0.3, 0.5, 0.4])

        assert solution.values[1] == pytest.approx(0.5, abs=1e-5)


def test_stiff_joints_move_less() -> None:
    def moved(stiffness: float) -> float:
        joints = [
            Joint("a", stiffness=stiffness),
            Joint("b", "a", position=(1.0, 0.0, 0.0)),
            Joint("c", "b", position=(1.0, 0.0, 0.0)),
        ]
        tree = KinematicTree(joints, [Tip("end", "c", (1.0, 0.0, 0.0))])
        solution = solve_pose(tree, [Position("end", (2.0, 1.2, 0.0))], [0.2, 0.3, 0.4])
        assert solution.success
        return float(abs(solution.values[0] - 0.2))

    assert moved(0.9) < moved(0.0)


def test_all_joints_locked_stay_where_they_are() -> None:
    arm = planar_arm(limits=(0.25, 0.25))

    missed = solve_pose(arm, [IMPOSSIBLE], [0.0, 0.0])
    met = solve_pose(arm, [Position("end", vector(planar_tip([0.25, 0.25])))], [0.0, 0.0])

    assert missed.values.tolist() == met.values.tolist() == [0.25, 0.25]
    assert (missed.success, met.success) == (False, True)


def test_a_seed_outside_the_limits_is_moved_inside() -> None:
    arm = planar_arm(limits=(-1.0, 1.0))

    assert solve_pose(arm, [], [5.0, -5.0]).values.tolist() == [1.0, -1.0]
    assert inside(arm, solve_pose(arm, [IMPOSSIBLE], [5.0, -5.0]).values)


def test_joints_that_carry_no_goal_keep_their_values() -> None:
    tree = KinematicTree(
        [Joint("arm"), Joint("tail", kind="prismatic")], [Tip("end", "arm", (1.0, 0.0, 0.0))]
    )

    solution = solve_pose(tree, [Position("end", (0.0, 1.0, 0.0))], [0.1, 0.7])

    assert solution.success
    assert solution.values[1] == 0.7


# Little or nothing to do.


def test_without_goals_the_seed_is_returned() -> None:
    solution = solve_pose(planar_arm(), [], [0.1, 0.2])

    assert solution.values.tolist() == [0.1, 0.2]
    assert (solution.stop, solution.success) == (Stop.NO_GOALS, True)
    assert (solution.fitness, solution.errors, solution.reached) == (0.0, (), ())


def test_a_tree_without_joints_has_an_empty_pose() -> None:
    solution = solve_pose(KinematicTree([]), [], [])

    assert solution.values.shape == (0,)
    assert solution.stop is Stop.NO_GOALS


def test_a_goal_on_the_base_is_judged_though_nothing_can_move_it() -> None:
    tree = KinematicTree([Joint("a")], [Tip("flag", None, (1.0, 0.0, 0.0))])

    met = solve_pose(tree, [Position("flag", (1.0, 0.0, 0.0))], [0.3])
    missed = solve_pose(tree, [Position("flag", (1.0, 2.0, 0.0))], [0.3])

    assert met.success
    assert (missed.success, missed.errors) == (False, (2.0,))
    assert missed.values.tolist() == [0.3]


def test_a_seed_that_meets_the_goals_is_returned_after_one_evaluation() -> None:
    goal = Position("end", vector(planar_tip([0.3, 0.4])))

    solution = solve_pose(planar_arm(), [goal], [0.3, 0.4])

    assert solution.values.tolist() == [0.3, 0.4]
    assert solution.evaluations == 1


def test_a_goal_without_weight_does_not_count() -> None:
    off = replace(IMPOSSIBLE, weight=0.0)
    on = Position("end", (1.0, 1.0, 0.0))

    with_it, without = (solve_pose(planar_arm(), goals, [0.1, 0.1]) for goals in ([on, off], [on]))

    assert with_it.values.tobytes() == without.values.tobytes()
    assert with_it.reached == (True, True)
    assert with_it.fitness == without.fitness


def test_only_goals_without_weight_leave_the_seed() -> None:
    solution = solve_pose(planar_arm(), [replace(IMPOSSIBLE, weight=0.0)], [0.1, 0.2])

    assert solution.values.tolist() == [0.1, 0.2]
    assert solution.success


# Degenerate models and targets: always a finite answer.


@pytest.mark.parametrize(
    "target", [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 5.0), (1e6, 0.0, 0.0), (0.0, 1e-12, 0)]
)
@pytest.mark.parametrize("seed", [(0.0, 0.0), (0.0, math.pi), (1.0, -2.0)])
def test_awkward_targets_give_finite_answers(
    target: tuple[float, float, float], seed: tuple[float, float]
) -> None:
    solution = solve_pose(planar_arm(), [Position("end", target)], seed)

    assert np.isfinite(solution.values).all()
    assert math.isfinite(solution.fitness)
    measured = float(np.linalg.norm(planar_tip(solution.values) - target))
    assert solution.errors[0] == pytest.approx(measured, rel=1e-9, abs=1e-9)


def test_a_target_on_the_root_is_reached_by_folding() -> None:
    solution = solve_pose(planar_arm(), [Position("end", (0.0, 0.0, 0.0))], [0.3, 0.4])

    assert solution.success


def test_bones_of_no_length_give_finite_answers() -> None:
    tree = KinematicTree([Joint("a"), Joint("b", "a")], [Tip("end", "b")])
    goals: list[Goal] = [
        Position("end", (1.0, 0.0, 0.0)),
        LookAt("end", (0.0, 0.0, 0.0)),
        Distance("end", (0.0, 0.0, 0.0), minimum=0.1),
    ]

    solution = solve_pose(tree, goals, [0.1, 0.2])

    assert np.isfinite(solution.values).all()
    assert solution.reached == (False, True, False)


def test_huge_values_of_joints_without_limits_are_kept_finite() -> None:
    solution = solve_pose(planar_arm(), [Position("end", (1.0, 1.0, 0.0))], [1e6, -1e6])

    assert np.isfinite(solution.values).all()
    assert solution.success


# Several goals at once.


def test_couplings_planes_and_positions_are_met_together() -> None:
    case = random_case(31, 9, ("revolute",))
    wanted = tip_poses(case.model, case.tree, random_pose(case))
    names = case.tree.names
    start = np.clip(np.zeros(9), case.tree.lower, case.tree.upper)
    goals: list[Goal] = [
        Position("tip0", vector(wanted["tip0"][:3, 3])),
        Plane("tip1", vector(wanted["tip1"][:3, 3]), (0.0, 0.0, 1.0)),
        JointFunction(names[-1], {names[-2]: 0.5}, 0.0, tolerance=1e-3),
    ]

    solution = solve_pose(case.tree, goals, start)
    found = tip_poses(case.model, case.tree, solution.values)

    assert solution.success
    assert np.linalg.norm(found["tip0"][:3, 3] - wanted["tip0"][:3, 3]) <= 1e-4
    assert abs(found["tip1"][2, 3] - wanted["tip1"][2, 3]) <= 1e-4
    assert solution.values[-1] == pytest.approx(0.5 * solution.values[-2], abs=1e-3)


def test_a_sphere_in_the_way_is_avoided() -> None:
    arm = planar_arm((1.0, 1.0, 1.0))
    tree = KinematicTree(
        [
            Joint(name, arm.names[i - 1] if i else None, position=vector(arm.rest_position[i]))
            for i, name in enumerate(arm.names)
        ],
        [Tip("elbow", "joint1"), Tip("end", "joint2", (1.0, 0.0, 0.0))],
    )
    goals: list[Goal] = [
        Position("end", (2.0, 0.5, 0.0)),
        Distance("elbow", (1.0, 0.0, 0.0), minimum=0.4, activation=0.1, weight=0.1),
    ]

    solution = solve_pose(tree, goals, [0.0, 0.2, 0.2])
    elbow = np.array([math.cos(solution.values[0]), math.sin(solution.values[0]), 0.0])

    assert solution.success
    assert np.linalg.norm(elbow - [1.0, 0.0, 0.0]) >= 0.4 - 1e-4


# Budgets.


@pytest.mark.parametrize("evaluations", [1, 100, 500, 3000])
@pytest.mark.parametrize("strategy", get_args(Strategy))
def test_the_budget_of_evaluations_is_respected(strategy: Strategy, evaluations: int) -> None:
    settings = Settings(evaluations=evaluations, strategy=strategy, iterations=30)

    solution = solve_pose(planar_arm(), [IMPOSSIBLE], [0.3, 0.4], settings)

    # One local search may be under way, and what falls short is polished once (60).
    assert solution.evaluations <= evaluations + 30 + 30 + 60
    if evaluations >= 500 and strategy != "local":
        assert solution.stop is Stop.BUDGET


def test_a_time_limit_stops_an_impossible_problem() -> None:
    case = robot("val35", seed=8)
    goals = [Position(tip, (9.0, 9.0, 9.0)) for tip in case.tree.tip_names]
    settings = Settings(time_limit_ms=20.0, evaluations=2**40)

    solution = solve_pose(case.tree, goals, uniform_pose(case), settings)

    assert solution.stop is Stop.CANCELLED
    assert not solution.success
    assert np.isfinite(solution.values).all()
    assert inside(case.tree, solution.values)


def test_a_time_limit_that_is_not_needed_changes_nothing() -> None:
    goal = Position("end", (1.0, 1.0, 0.0))

    limited = solve_pose(planar_arm(), [goal], [0.1, 0.1], Settings(time_limit_ms=60_000.0))

    assert same_bits(limited, solve_pose(planar_arm(), [goal], [0.1, 0.1]))


# Determinism.


@pytest.mark.parametrize("strategy", get_args(Strategy))
@pytest.mark.parametrize("exploitation", get_args(Exploitation))
def test_the_same_seed_gives_the_same_bits(strategy: Strategy, exploitation: Exploitation) -> None:
    case = robot("val17", seed=9)
    goals = whole_body_goals(case, tip_poses(case.model, case.tree, uniform_pose(case)))
    start = uniform_pose(case)
    settings = Settings(strategy=strategy, exploitation=exploitation, evaluations=3000, seed=5)

    first = solve_pose(case.tree, goals, start, settings)
    solve_pose(case.tree, goals[:1], start, settings)  # something else in between
    second = solve_pose(robot("val17").tree, goals, start, settings)

    assert same_bits(first, second)


def test_another_seed_gives_another_way_there() -> None:
    case = robot("ur5", seed=10)
    goals = whole_body_goals(case, tip_poses(case.model, case.tree, uniform_pose(case)))
    start = uniform_pose(case)

    values = {
        solve_pose(
            case.tree, goals, start, Settings(strategy="evolution", seed=seed)
        ).values.tobytes()
        for seed in range(5)
    }

    assert len(values) > 1


def test_inputs_are_not_modified() -> None:
    seed = np.array([5.0, 0.1])
    goal = Position("end", (1.0, 1.0, 0.0))
    before = goal.parameters.copy()

    solution = solve_pose(planar_arm(limits=(-1.0, 3.0)), [goal], seed)
    solution.values[:] = 9.0

    assert seed.tolist() == [5.0, 0.1]
    np.testing.assert_array_equal(goal.parameters, before)
    assert goal.point == (1.0, 1.0, 0.0)


def test_preferences_count_where_the_seed_already_meets_the_demands() -> None:
    leg = KinematicTree(
        [
            Joint("hip z", axis=(0, 0, 1)),
            Joint("hip x", "hip z", axis=(1, 0, 0)),
            Joint("hip y", "hip x", axis=(0, 1, 0)),
            Joint("knee", "hip y", axis=(1, 0, 0), position=(0, 0, -0.5)),
        ],
        [Tip("hip", "hip y"), Tip("knee", "knee"), Tip("foot", "knee", (0, 0, -0.5))],
    )
    seed = [0.0, 0.5, 0.0, -1.0]
    foot = forward_kinematics(leg, seed).tip_positions[0, 2]
    goals = [Position("foot", foot), Pole("hip", "knee", "foot", (1.0, 0.0, -0.4))]

    bent = solve_pose(leg, goals, seed)

    knee = forward_kinematics(leg, bent.values).tip_positions[0, 1]
    assert bent.reached[0]
    assert knee[0] > 0.2  # the seed bends along y
    assert abs(knee[1]) < 0.05
