import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blender_bioik.solver import (
    Joint,
    KinematicTree,
    Rest,
    SolverError,
    Tip,
    forward_kinematics,
    tip_jacobian,
)
from blender_bioik.solver.errors import AxisError, NotFiniteError, ShapeError, UnknownTipError

from ...builders.solver.models import (
    Array,
    Case,
    is_one_sentence,
    matrix,
    named,
    planar_arm,
    planar_tip,
    random_case,
    random_pose,
    rotation_of,
    segments,
    tip_poses,
)

SEEDS = st.integers(0, 2**32 - 1)


def poses_of(case: Case, count: int) -> Array:
    return np.array([random_pose(case) for _ in range(count)])


@given(seed=SEEDS, size=st.integers(1, 12), count=st.integers(1, 4))
@settings(max_examples=100)
def test_tips_and_joints_are_where_matrices_put_them(seed: int, size: int, count: int) -> None:
    case = random_case(seed, size)
    poses = poses_of(case, count)

    found = forward_kinematics(case.tree, poses)

    for f, values in enumerate(poses):
        tips = tip_poses(case.model, case.tree, values)
        for k, tip in enumerate(case.tree.tip_names):
            np.testing.assert_allclose(found.tip_positions[f, k], tips[tip][:3, 3], atol=1e-9)
            np.testing.assert_allclose(
                rotation_of(found.tip_quaternions[f, k]), tips[tip][:3, :3], atol=1e-9
            )
        frames = segments(case.model, named(case.tree, values))
        for i, joint in enumerate(case.tree.names):
            np.testing.assert_allclose(found.joint_positions[f, i], frames[joint][:3, 3], atol=1e-9)
            np.testing.assert_allclose(
                rotation_of(found.joint_quaternions[f, i]), frames[joint][:3, :3], atol=1e-9
            )


def test_one_pose_and_many_have_the_pose_on_the_first_axis() -> None:
    tree = planar_arm()

    assert forward_kinematics(tree, [0.1, 0.2]).tip_positions.shape == (1, 1, 3)
    assert forward_kinematics(tree, np.zeros((7, 2))).joint_quaternions.shape == (7, 2, 4)
    assert forward_kinematics(tree, np.zeros((0, 2))).tip_positions.shape == (0, 1, 3)


def test_a_planar_arm_follows_school_trigonometry() -> None:
    tree = planar_arm((2.0, 1.0))

    found = forward_kinematics(tree, [0.3, 0.8]).tip_positions[0, 0]

    np.testing.assert_allclose(found, planar_tip([0.3, 0.8], (2.0, 1.0)), atol=1e-12)


def test_a_sliding_joint_moves_along_its_turned_axis() -> None:
    quarter = (math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5))
    tree = KinematicTree(
        [Joint("slide", kind="prismatic", axis=(2.0, 0.0, 0.0), rotation=quarter)],
        [Tip("end", "slide")],
    )

    found = forward_kinematics(tree, [0.5]).tip_positions[0, 0]

    np.testing.assert_allclose(found, [0.0, 0.5, 0.0], atol=1e-12)


def test_a_tree_without_joints_still_has_its_tips() -> None:
    tree = KinematicTree([], [Tip("flag", None, (1.0, 2.0, 3.0))])

    found = forward_kinematics(tree, [])

    assert found.tip_positions.tolist() == [[[1.0, 2.0, 3.0]]]
    assert found.joint_positions.shape == (1, 0, 3)


@given(seed=SEEDS, size=st.integers(1, 8))
@settings(max_examples=50)
def test_rest_transforms_of_each_frame_replace_the_trees_own(seed: int, size: int) -> None:
    case = random_case(seed, size)
    poses = poses_of(case, 3)
    rest = Rest(case.rng.normal(size=(3, size, 4)), 0.3 * case.rng.normal(size=(3, size, 3)))

    found = forward_kinematics(case.tree, poses, rest)

    for f, values in enumerate(poses):
        origins = {
            name: matrix(rotation_of(rest.rotation[f, i]), rest.position[f, i])
            for i, name in enumerate(case.tree.names)
        }
        expected = tip_poses(case.model, case.tree, values, origins)
        for k, tip in enumerate(case.tree.tip_names):
            np.testing.assert_allclose(found.tip_positions[f, k], expected[tip][:3, 3], atol=1e-9)
            np.testing.assert_allclose(
                rotation_of(found.tip_quaternions[f, k]), expected[tip][:3, :3], atol=1e-9
            )


def test_one_rest_pose_applies_to_all_frames() -> None:
    case = random_case(5, 4)
    poses = poses_of(case, 3)
    rest = Rest(case.rng.normal(size=(1, 4, 4)), case.rng.normal(size=(1, 4, 3)))
    repeated = Rest(np.repeat(rest.rotation, 3, axis=0), np.repeat(rest.position, 3, axis=0))

    once = forward_kinematics(case.tree, poses, rest)
    each = forward_kinematics(case.tree, poses, repeated)

    np.testing.assert_array_equal(once.tip_positions, each.tip_positions)


@given(seed=SEEDS, size=st.integers(1, 8))
@settings(max_examples=50)
def test_tip_jacobian_is_the_derivative_of_position_and_rotation(seed: int, size: int) -> None:
    case = random_case(seed, size)
    values, h = random_pose(case), 1e-6
    for tip in case.tree.tip_names:
        found = tip_jacobian(case.tree, tip, values)
        for i in range(size):
            change = np.zeros(size)
            change[i] = h
            ahead = tip_poses(case.model, case.tree, values + change)[tip]
            behind = tip_poses(case.model, case.tree, values - change)[tip]
            slope = (ahead - behind) / (2.0 * h)
            spin = slope[:3, :3] @ (0.5 * (ahead + behind))[:3, :3].T
            expected = [*slope[:3, 3], spin[2, 1], spin[0, 2], spin[1, 0]]
            np.testing.assert_allclose(found[:, i], expected, atol=1e-7)


def test_tip_jacobian_uses_the_rest_pose_given() -> None:
    tree = planar_arm((1.0,))
    rest = Rest(np.array([[[1.0, 0.0, 0.0, 1.0]]]), np.array([[[0.0, 0.0, 0.0]]]))

    found = tip_jacobian(tree, "end", [0.0], rest)

    np.testing.assert_allclose(found[:, 0], [-1.0, 0.0, 0.0, 0.0, 0.0, 1.0], atol=1e-12)


@pytest.mark.parametrize(
    ("values", "error"),
    [
        ([0.0], ShapeError),
        ([[0.0, 0.0, 0.0]], ShapeError),
        (np.zeros((1, 1, 2)), ShapeError),
        ([0.0, math.nan], NotFiniteError),
        ([0.0, math.inf], NotFiniteError),
    ],
)
def test_bad_poses_are_refused(values: Array, error: type[SolverError]) -> None:
    with pytest.raises(error, match="poses") as refusal:
        forward_kinematics(planar_arm(), values)
    assert is_one_sentence(refusal.value)


@pytest.mark.parametrize(
    ("rotation", "position", "error"),
    [
        (np.ones((2, 2, 4)), np.zeros((2, 2, 3)), ShapeError),  # two rest poses, three poses
        (np.ones((3, 2, 4)), np.zeros((2, 2, 3)), ShapeError),
        (np.ones((3, 2, 3)), np.zeros((3, 2, 3)), ShapeError),
        (np.zeros((3, 2, 4)), np.zeros((3, 2, 3)), AxisError),
        (np.ones((3, 2, 4)), np.full((3, 2, 3), math.nan), NotFiniteError),
    ],
)
def test_bad_rest_poses_are_refused(
    rotation: Array, position: Array, error: type[SolverError]
) -> None:
    with pytest.raises(error, match="rest") as refusal:
        forward_kinematics(planar_arm(), np.zeros((3, 2)), Rest(rotation, position))
    assert is_one_sentence(refusal.value)


def test_the_jacobian_of_an_unknown_tip_is_refused() -> None:
    with pytest.raises(UnknownTipError, match="'foot'"):
        tip_jacobian(planar_arm(), "foot", [0.0, 0.0])


def test_inputs_are_not_modified() -> None:
    poses = np.array([[0.1, 0.2]])
    rest = Rest(np.array([[[2.0, 0.0, 0.0, 0.0]] * 2]), np.zeros((1, 2, 3)))

    forward_kinematics(planar_arm(), poses, rest)

    assert poses.tolist() == [[0.1, 0.2]]
    assert rest.rotation[0, 0, 0] == 2.0
