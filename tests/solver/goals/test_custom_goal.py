"""Goals that are written in Python.

Tests of: custom.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
import pytest
from numpy.typing import ArrayLike

from blender_bioik.solver import (
    Clip,
    CustomGoal,
    Goal,
    JointFunction,
    KinematicTree,
    Pose,
    Position,
    Rest,
    Settings,
    SolverError,
    find_poses,
    forward_kinematics,
    probe,
    solve_clip,
    solve_pose,
    tip_jacobian,
)
from blender_bioik.solver.errors import GoalError, ShapeError

from ...builders.solver.models import (
    Array,
    Vector,
    planar_arm,
    planar_tip,
    random_case,
    random_pose,
    random_vector,
    tip_poses,
    vector,
)

TARGET = (1.2, 0.7, 0.0)


@dataclass(frozen=True, eq=False)
class Reach(CustomGoal):
    """A position goal in plain metres, as a user would write it."""

    tip: str = "end"
    point: Vector = TARGET
    rows: int = 3
    tolerance: float | None = field(default=1e-4, kw_only=True)

    def residual(self, pose: Pose) -> ArrayLike:
        return pose.position(self.tip) - np.array(self.point)


@dataclass(frozen=True, eq=False)
class ReachBySlope(Reach):
    """The same with its derivative."""

    def jacobian(self, pose: Pose) -> ArrayLike:
        return pose.tip_jacobian(self.tip)[:3]


class UserError(Exception):
    """An error that no package would raise."""


@dataclass(frozen=True, eq=False)
class Broken(Reach):
    def residual(self, pose: Pose) -> ArrayLike:
        raise UserError("the user's own mistake")


@dataclass(frozen=True, eq=False)
class BrokenSlope(Reach):
    def jacobian(self, pose: Pose) -> ArrayLike:
        raise UserError("the user's own mistake")


@dataclass(frozen=True, eq=False)
class NotANumber(Reach):
    def residual(self, pose: Pose) -> ArrayLike:
        return [0.0, math.nan, 0.0]


@dataclass(frozen=True, eq=False)
class TooShort(Reach):
    def residual(self, pose: Pose) -> ArrayLike:
        return [0.5, 0.5]


@dataclass(frozen=True, eq=False)
class SlopeNotANumber(Reach):
    def jacobian(self, pose: Pose) -> ArrayLike:
        return np.full((3, 2), math.inf)


@dataclass(frozen=True, eq=False)
class SlopeTooShort(Reach):
    def jacobian(self, pose: Pose) -> ArrayLike:
        return np.zeros((3, 1))


both = pytest.mark.parametrize("kind", [Reach, ReachBySlope])


@both
def test_a_custom_goal_is_solved(kind: type[Reach]) -> None:
    solution = solve_pose(planar_arm(), [kind()], [0.1, 0.1])

    assert solution.success
    assert np.linalg.norm(planar_tip(solution.values) - TARGET) <= 1e-4
    assert solution.errors[0] == pytest.approx(
        float(np.linalg.norm(planar_tip(solution.values) - TARGET)), abs=1e-9
    )


@both
def test_a_custom_goal_works_beside_others(kind: type[Reach]) -> None:
    case = random_case(8, 8, ("revolute",))
    wanted = tip_poses(case.model, case.tree, random_pose(case))
    goals: list[Goal] = [
        kind(tip="tip0", point=vector(wanted["tip0"][:3, 3])),
        Position("tip1", vector(wanted["tip1"][:3, 3])),
    ]

    solution = solve_pose(case.tree, goals, np.clip(np.zeros(8), case.tree.lower, case.tree.upper))
    found = tip_poses(case.model, case.tree, solution.values)

    assert solution.success
    for tip in ("tip0", "tip1"):
        assert np.linalg.norm(found[tip][:3, 3] - wanted[tip][:3, 3]) <= 1e-4


@both
@pytest.mark.parametrize("strategy", ["local", "memetic", "evolution"])
@pytest.mark.parametrize("exploitation", ["lm", "lbfgsb"])
def test_every_solver_takes_custom_goals(
    kind: type[Reach], strategy: str, exploitation: str
) -> None:
    settings = Settings(strategy=strategy, exploitation=exploitation)  # type: ignore[arg-type]

    solution = solve_pose(planar_arm(), [kind()], [0.1, 0.1], settings)

    assert solution.success


@both
def test_clips_with_custom_goals_are_the_same_on_any_number_of_threads(kind: type[Reach]) -> None:
    source = np.linspace((0.1, 0.1), (0.5, 0.9), 150)

    one, two = (
        solve_clip(planar_arm(), [kind()], source, Settings(threads=threads)) for threads in (1, 2)
    )

    assert one.success.all()
    assert two.values.tobytes() == one.values.tobytes()


@both
def test_find_poses_takes_custom_goals(kind: type[Reach]) -> None:
    found = find_poses(planar_arm(limits=(-3.0, 3.0)), [kind()], [0.1, 0.1], 2)

    assert len(found) == 2
    for solution in found:
        assert np.linalg.norm(planar_tip(solution.values) - TARGET) <= 1e-4


def test_a_custom_goal_knows_its_frame() -> None:
    @dataclass(frozen=True, eq=False)
    class Follow(CustomGoal):
        tolerance: float | None = field(default=1e-6, kw_only=True)

        def residual(self, pose: Pose) -> ArrayLike:
            return pose.value("joint0") - 0.01 * pose.frame

    solution = solve_clip(planar_arm(), [Follow()], np.zeros((9, 2)))

    np.testing.assert_allclose(solution.values[:, 0], 0.01 * np.arange(9), atol=1e-6)


def test_a_custom_goal_sees_the_pose_as_forward_kinematics_gives_it() -> None:
    case = random_case(11, 6)
    values = random_pose(case)
    seen: list[tuple[str, Array, Array, Array]] = []

    @dataclass(frozen=True, eq=False)
    class Look(CustomGoal):
        def residual(self, pose: Pose) -> ArrayLike:
            seen.extend(
                (tip, pose.position(tip), pose.rotation(tip), pose.tip_jacobian(tip))
                for tip in pose.tree.tip_names
            )
            np.testing.assert_array_equal(pose.values, values)
            return 0.0

        def jacobian(self, pose: Pose) -> ArrayLike:
            return np.zeros((1, pose.tree.size))

    probe(case.tree, Look(), values)

    expected = tip_poses(case.model, case.tree, values)
    assert [tip for tip, *_ in seen[:4]] == list(case.tree.tip_names)
    for tip, position, rotation, jacobian in seen:
        np.testing.assert_allclose(position, expected[tip][:3, 3], atol=1e-9)
        np.testing.assert_allclose(rotation, expected[tip][:3, :3], atol=1e-9)
        np.testing.assert_allclose(jacobian, tip_jacobian(case.tree, tip, values), atol=1e-9)


def test_differences_agree_with_a_given_jacobian_on_branched_trees() -> None:
    for seed in range(20):
        case = random_case(seed, 7)
        values, point = random_pose(case), random_vector(case.rng)

        by_differences = probe(case.tree, Reach(tip="tip0", point=point), values)
        by_slope = probe(case.tree, ReachBySlope(tip="tip0", point=point), values)

        np.testing.assert_array_equal(by_differences.residual, by_slope.residual)
        np.testing.assert_allclose(by_differences.jacobian, by_slope.jacobian, atol=1e-8)


def test_differences_turn_the_tips_with_their_joints() -> None:
    @dataclass(frozen=True, eq=False)
    class Facing(CustomGoal):
        rows: int = 3

        def residual(self, pose: Pose) -> ArrayLike:
            return pose.rotation("tip0")[:, 0]

    for seed in range(20):
        case = random_case(seed, 7)
        values = random_pose(case)
        facing = tip_poses(case.model, case.tree, values)["tip0"][:3, 0]

        found = probe(case.tree, Facing(), values)

        spin = tip_jacobian(case.tree, "tip0", values)[3:]
        np.testing.assert_allclose(found.jacobian, np.cross(spin.T, facing).T, atol=1e-8)


def test_loss_and_error_are_the_residuals_length() -> None:
    found = probe(planar_arm(), Reach(), [0.0, 0.0])

    expected = float(np.linalg.norm(np.array([2.0, 0.0, 0.0]) - TARGET))
    assert found.loss == pytest.approx(expected)
    assert found.error == pytest.approx(expected)


def solve_everyway(tree: KinematicTree, goal: Goal) -> list[BaseException]:
    """What each solver raises."""
    solves: list[Callable[[], object]] = [
        lambda: solve_pose(tree, [goal], [0.1, 0.1]),
        lambda: solve_clip(tree, [goal], np.zeros((5, 2)), Settings(threads=2)),
        lambda: find_poses(tree, [goal], [0.1, 0.1], 2),
        lambda: probe(tree, goal, [0.1, 0.1]),
    ]
    raised: list[BaseException] = []
    for solve in solves:
        with pytest.raises((UserError, SolverError)) as info:
            solve()
        raised.append(info.value)
    return raised


@pytest.mark.parametrize("kind", [Broken, BrokenSlope])
def test_an_error_in_the_users_code_is_raised_unchanged(kind: type[Reach]) -> None:
    for error in solve_everyway(planar_arm(), kind()):
        assert type(error) is UserError
        assert str(error) == "the user's own mistake"


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (NotANumber, GoalError),
        (TooShort, ShapeError),
        (SlopeNotANumber, GoalError),
        (SlopeTooShort, ShapeError),
    ],
)
def test_bad_numbers_from_the_users_code_are_refused_by_name(
    kind: type[Reach], expected: type[Exception]
) -> None:
    for error in solve_everyway(planar_arm(), kind()):
        assert type(error) is expected
        assert f"{kind.__name__} of 'end'" in str(error)


def test_a_goal_without_a_residual_is_refused() -> None:
    with pytest.raises(NotImplementedError):
        solve_pose(planar_arm(), [CustomGoal()], [0.0, 0.0])


def test_solving_works_again_after_an_error_in_the_users_code() -> None:
    arm = planar_arm()
    with pytest.raises(UserError):
        solve_pose(arm, [Broken()], [0.1, 0.1])

    assert solve_pose(arm, [Reach()], [0.1, 0.1]).success


def test_a_goal_may_solve_inside_its_residual() -> None:
    @dataclass(frozen=True, eq=False)
    class Copycat(CustomGoal):
        tolerance: float | None = field(default=1e-3, kw_only=True)

        def residual(self, pose: Pose) -> ArrayLike:
            other = solve_pose(planar_arm(), [Reach()], [0.1, 0.1])
            return pose.value("joint0") - other.values[0]

    solution = solve_pose(planar_arm(), [Copycat()], [0.0, 0.0])

    assert solution.success


def test_custom_goals_see_per_frame_rest_transforms() -> None:
    angles = np.linspace(0.0, 1.0, 6)
    rotation = np.zeros((6, 2, 4))
    rotation[:, 0] = np.stack([np.cos(angles / 2), 0 * angles, 0 * angles, np.sin(angles / 2)], -1)
    rotation[:, 1, 0] = 1.0
    position = np.zeros((6, 2, 3))
    position[:, 1, 0] = 1.0
    rest = Rest(rotation, position)

    solution = solve_clip(planar_arm(), [ReachBySlope()], Clip(np.full((6, 2), 0.2), rest))

    tips = forward_kinematics(planar_arm(), solution.values, rest).tip_positions[:, 0]
    assert solution.success.all()
    assert np.linalg.norm(tips - TARGET, axis=-1).max() <= 1e-4


def half(values: Mapping[str, float]) -> float:
    return 0.5 * values["joint0"]


def test_a_joint_follows_a_python_function_of_the_others() -> None:
    arm = planar_arm((1.0, 1.0, 1.0))
    goals: list[Goal] = [
        Position("end", (1.5, 1.5, 0.0)),
        JointFunction("joint1", half, 0.1),
    ]

    solution = solve_pose(arm, goals, [0.1, 0.1, 0.1])

    assert solution.success
    assert solution.values[1] == pytest.approx(0.5 * solution.values[0] + 0.1, abs=1e-3)


def test_a_python_function_gives_the_same_as_the_linear_one() -> None:
    by_python = probe(planar_arm(), JointFunction("joint1", half, 0.1), [0.4, 0.9])
    linear = probe(planar_arm(), JointFunction("joint1", {"joint0": 0.5}, 0.1), [0.4, 0.9])

    assert by_python.loss == pytest.approx(linear.loss)
    np.testing.assert_allclose(by_python.jacobian, linear.jacobian, atol=1e-8)


def test_an_error_in_a_joint_function_is_raised_unchanged() -> None:
    with pytest.raises(KeyError, match="ghost"):
        solve_pose(
            planar_arm(), [JointFunction("joint0", lambda values: values["ghost"])], [0.0, 0.0]
        )
