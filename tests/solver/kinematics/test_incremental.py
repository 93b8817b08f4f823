import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blender_bioik.solver import IncrementalKinematics, Joint, KinematicTree, Tip
from blender_bioik.solver.errors import NotFiniteError, ShapeError, UnknownTipError

from ...builders.solver.models import (
    Array,
    matrix,
    random_case,
    random_pose,
    rotation_of,
    tip_poses,
)

SEEDS = st.integers(0, 2**32 - 1)


def as_matrix(pose: tuple[Array, Array]) -> Array:
    return matrix(rotation_of(pose[0]), pose[1])


def serial_chain(size: int) -> KinematicTree:
    joints = [
        Joint(f"joint{i}", f"joint{i - 1}" if i else None, position=(0.1, 0.0, 0.0))
        for i in range(size)
    ]
    return KinematicTree(joints, [Tip("end", f"joint{size - 1}")])


def hand_with_arm() -> KinematicTree:
    """An arm of 7 joints with a hand of five fingers of 4 joints each."""
    joints = [Joint(f"arm{i}", f"arm{i - 1}" if i else None) for i in range(7)]
    tips = []
    for finger in range(5):
        joints += [
            Joint(f"finger{finger}-{i}", f"finger{finger}-{i - 1}" if i else "arm6")
            for i in range(4)
        ]
        tips.append(Tip(f"fingertip{finger}", f"finger{finger}-3"))
    return KinematicTree(joints, tips)


@given(seed=SEEDS, size=st.integers(1, 10), updates=st.integers(0, 4))
@settings(max_examples=60)
def test_updates_end_where_full_forward_kinematics_does(seed: int, size: int, updates: int) -> None:
    case = random_case(seed, size)
    values = random_pose(case)
    chain = IncrementalKinematics(case.tree, values)
    for _ in range(updates):
        changed = case.rng.random(size) < 0.4
        values = np.where(changed, random_pose(case), values)
        chain.update(values)

    expected = tip_poses(case.model, case.tree, values)

    np.testing.assert_array_equal(chain.values, values)
    for tip in case.tree.tip_names:
        np.testing.assert_allclose(as_matrix(chain.tip(tip)), expected[tip], atol=1e-9)


@given(seed=SEEDS, size=st.integers(1, 10))
@settings(max_examples=60)
def test_predicting_one_joint_equals_moving_it_and_changes_nothing(seed: int, size: int) -> None:
    case = random_case(seed, size)
    values = random_pose(case)
    chain = IncrementalKinematics(case.tree, values)
    joint = int(case.rng.integers(size))
    moved = values.copy()
    moved[joint] = case.rng.normal()
    expected, before = (tip_poses(case.model, case.tree, pose) for pose in (moved, values))

    for tip in case.tree.tip_names:
        predicted = chain.predict(tip, case.tree.names[joint], moved[joint])
        np.testing.assert_allclose(as_matrix(predicted), expected[tip], atol=1e-9)
        np.testing.assert_allclose(as_matrix(chain.tip(tip)), before[tip], atol=1e-9)


def test_the_world_places_the_base() -> None:
    case = random_case(3, 5)
    values = random_pose(case)
    world = (np.array([0.6, 0.0, 0.8, 0.0]), np.array([1.0, 2.0, 3.0]))
    chain = IncrementalKinematics(case.tree, values, world)

    expected = tip_poses(case.model, case.tree, values)

    for tip in case.tree.tip_names:
        np.testing.assert_allclose(
            as_matrix(chain.tip(tip)), as_matrix(world) @ expected[tip], atol=1e-9
        )


# Table 1 of the OFKT paper: transforms calculated in four scenarios.


@pytest.mark.parametrize("n", [1, 2, 7, 20])
def test_table_1_baseline_building_and_asking_costs_2n_plus_1(n: int) -> None:
    chain = IncrementalKinematics(serial_chain(n), np.zeros(n))
    chain.tip("end")

    assert chain.operations == 2 * n + 1


@pytest.mark.parametrize(
    ("n", "changed"), [(7, [6]), (7, [0]), (7, [2, 3, 5]), (20, [4, 19]), (5, [0, 1, 2, 3, 4])]
)
def test_table_1_random_modifications(n: int, changed: list[int]) -> None:
    chain = IncrementalKinematics(serial_chain(n), np.zeros(n))
    values = np.zeros(n)
    values[changed] = 0.5
    before = chain.operations

    chain.update(values)
    chain.tip("end")

    i, j = min(changed), len(changed)  # i segments lie before the first changed one
    assert chain.operations - before == n - i + j + 1


@pytest.mark.parametrize("n", [1, 7, 50])
def test_table_1_end_effector_computation(n: int) -> None:
    chain = IncrementalKinematics(serial_chain(n), np.zeros(n))
    for joint in {0, n // 2, n - 1}:
        before = chain.operations
        chain.predict("end", f"joint{joint}", 0.5)

        assert chain.operations - before == 5


@pytest.mark.parametrize("n", [1, 4, 7, 20])
def test_table_1_single_iterative_modifications(n: int) -> None:
    chain = IncrementalKinematics(serial_chain(n), np.zeros(n))
    before = chain.operations
    values = np.zeros(n)
    for joint in range(n):
        values[joint] = 0.5
        chain.update(values)
        chain.tip("end")

    assert 2 * (chain.operations - before) == n * n + 5 * n


def test_table_1_multiple_end_effectors() -> None:
    tree = hand_with_arm()
    k, n, s = 5, 11, 7
    chain = IncrementalKinematics(tree, np.zeros(tree.size))
    for finger in range(k):
        chain.tip(f"fingertip{finger}")

    assert tree.size == 27
    assert chain.operations == k * (2 * n + 1) - 2 * (k - 1) * s


def test_an_update_without_change_costs_nothing() -> None:
    chain = IncrementalKinematics(serial_chain(7), np.zeros(7))
    before = chain.operations

    chain.update(np.zeros(7))

    assert chain.operations == before


def test_bad_poses_and_names_are_refused() -> None:
    tree = serial_chain(3)
    chain = IncrementalKinematics(tree, np.zeros(3))

    with pytest.raises(ShapeError):
        IncrementalKinematics(tree, np.zeros(2))
    with pytest.raises(ShapeError):
        chain.update(np.zeros(4))
    with pytest.raises(NotFiniteError):
        chain.update([0.0, np.nan, 0.0])
    with pytest.raises(UnknownTipError):
        chain.tip("ghost")


def test_the_given_pose_is_not_kept_or_modified() -> None:
    values = np.zeros(3)
    chain = IncrementalKinematics(serial_chain(3), values)
    values[0] = 1.0

    chain.update([0.0, 0.5, 0.0])

    assert chain.values.tolist() == [0.0, 0.5, 0.0]
    assert values.tolist() == [1.0, 0.0, 0.0]
