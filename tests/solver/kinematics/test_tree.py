"""Trees from joints and from robot models, and refusals.

Tests of: joints, robot_model.
"""

import json
import math
import pickle
import subprocess
import sys
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blender_bioik.solver import (
    Joint,
    KinematicTree,
    Position,
    SolverError,
    Tip,
    forward_kinematics,
    solve_pose,
)
from blender_bioik.solver.errors import (
    AxisError,
    CycleError,
    LimitError,
    NotFiniteError,
    ParentError,
    ShapeError,
    TreeError,
    UnknownTipError,
)

from ...builders.solver.models import (
    ROBOT_NAMES,
    is_one_sentence,
    planar_arm,
    random_case,
    random_pose,
    robot,
    robot_data,
    tip_poses,
)

ARM = (Joint("shoulder"), Joint("elbow", "shoulder", position=(1.0, 0.0, 0.0)))
HAND = Tip("hand", "elbow", (1.0, 0.0, 0.0))


def changed(**fields: Any) -> list[Joint]:
    """The arm with another elbow."""
    return [ARM[0], replace(ARM[1], **fields)]


@pytest.mark.parametrize("name", ROBOT_NAMES)
def test_every_robot_loads_with_all_its_joints_tips_and_limits(name: str) -> None:
    data = robot_data(name)

    tree = KinematicTree.from_dict(data)

    assert tree.size == len(data["names"])
    assert sorted(tree.names) == sorted(data["names"])
    assert tree.tip_names == tuple(data["tips"])
    for i, joint in enumerate(data["names"]):
        index = tree.joint_index(joint)
        assert (tree.lower[index], tree.upper[index]) == (data["lo"][i], data["hi"][i])
        assert tree.prismatic[index] == data["type"][i]


@pytest.mark.parametrize("name", ROBOT_NAMES)
def test_every_robot_moves_according_to_its_parameters(name: str) -> None:
    case = robot(name)
    for _ in range(5):
        values = random_pose(case)
        expected = tip_poses(case.model, case.tree, values)

        found = forward_kinematics(case.tree, values)

        for k, tip in enumerate(case.tree.tip_names):
            np.testing.assert_allclose(found.tip_positions[0, k], expected[tip][:3, 3], atol=1e-9)


def test_missing_limits_and_stiffness_of_a_model_mean_none() -> None:
    data = robot_data("ur5")
    data["lo"][0] = data["hi"][1] = None

    tree = KinematicTree.from_dict(data)

    assert (tree.lower[0], tree.upper[1]) == (-math.inf, math.inf)
    assert not tree.stiffness.any()


def test_a_models_stiffness_is_read() -> None:
    data = robot_data("ur5") | {"stiffness": [0.0, 0.5, 0.0, 0.0, 0.0, 1.0]}

    assert KinematicTree.from_dict(data).stiffness.tolist() == data["stiffness"]


@given(seed=st.integers(0, 2**32 - 1), size=st.integers(1, 9))
@settings(max_examples=60)
def test_fixed_joints_are_folded_in_without_moving_any_tip(seed: int, size: int) -> None:
    case = random_case(seed, size, ("revolute", "prismatic", "fixed"))
    fixed = {link.name for link in case.model.links if link.kind == "fixed"}
    values = random_pose(case)

    expected = tip_poses(case.model, case.tree, values)
    found = forward_kinematics(case.tree, values)

    assert not fixed & set(case.tree.names)
    assert case.tree.size + len(fixed) == size
    for k, tip in enumerate(case.tree.tip_names):
        np.testing.assert_allclose(found.tip_positions[0, k], expected[tip][:3, 3], atol=1e-9)


@given(seed=st.integers(0, 2**32 - 1), size=st.integers(1, 12))
@settings(max_examples=40)
def test_joints_are_sorted_parents_first(seed: int, size: int) -> None:
    case = random_case(seed, size)

    assert (case.tree.parent < np.arange(size)).all()
    for link in case.model.links:
        parent = int(case.tree.parent[case.tree.joint_index(link.name)])
        assert (None if parent < 0 else case.tree.names[parent]) == link.parent


def test_an_order_that_is_parents_first_already_is_kept() -> None:
    joints = [Joint("a"), Joint("x"), Joint("b", "a"), Joint("y", "x"), Joint("c", "b")]

    assert KinematicTree(joints).names == ("a", "x", "b", "y", "c")


def test_axes_and_rotations_are_scaled_to_unit_length() -> None:
    tree = KinematicTree(
        [Joint("a", axis=(0.0, 3.0, 4.0), rotation=(2.0, 0.0, 0.0, 0.0))],
        [Tip("end", "a", rotation=(0.0, 0.0, 5.0, 0.0))],
    )

    np.testing.assert_allclose(tree.axis, [[0.0, 0.6, 0.8]])
    np.testing.assert_allclose(tree.rest_rotation, [[1.0, 0.0, 0.0, 0.0]])
    np.testing.assert_allclose(np.abs(tree.tip_rotation), [[0.0, 0.0, 1.0, 0.0]])


ARRAYS = (
    "parent",
    "prismatic",
    "axis",
    "turn",
    "rest_position",
    "rest_rotation",
    "lower",
    "upper",
    "stiffness",
    "tip_joint",
    "tip_position",
    "tip_rotation",
)


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_are_read_only(name: str) -> None:
    tree = KinematicTree(ARM, [HAND])

    with pytest.raises(ValueError, match="read-only"):
        getattr(tree, name)[0] = 1


def numbers(tree: KinematicTree) -> dict[str, list[Any]]:
    return {name: getattr(tree, name).tolist() for name in ARRAYS}


ELSEWHERE = changed(position=(0.5, 0.1, 0.0), rotation=(1.0, 0.0, 1.0, 0.0))
HAND_ELSEWHERE = Tip("hand", "elbow", (0.7, 0.2, 0.0), (1.0, 1.0, 0.0, 0.0))


LOADED = """
import pickle, sys
from blender_bioik.solver import Position, solve_pose
tree = pickle.load(sys.stdin.buffer)
print(solve_pose(tree, [Position("end", (1.0, 1.0, 0.0))], (0.3, 0.2)).values.tolist())
"""


def test_a_solved_tree_can_be_sent_to_another_process() -> None:
    """Compiled problems hold addresses of machine code, which are good in one process only."""
    tree = planar_arm()
    found = solve_pose(tree, [Position("end", (1.0, 1.0, 0.0))], (0.3, 0.2))
    sent = pickle.dumps(tree)
    result = subprocess.run(
        [sys.executable, "-c", LOADED], input=sent, capture_output=True, check=False
    )
    assert result.returncode == 0, result.stderr.decode()
    assert json.loads(result.stdout) == found.values.tolist()


def test_similar_trees_have_their_own_arenas_and_share_compiled_code() -> None:
    one = KinematicTree(ARM, [HAND])
    like = KinematicTree(ELSEWHERE, [HAND_ELSEWHERE], one)

    assert numbers(like) == numbers(KinematicTree(ELSEWHERE, [HAND_ELSEWHERE]))
    assert like.compiled is one.compiled
    assert like.chain_length(0) != one.chain_length(0)
    for name in ARRAYS:
        assert not getattr(like, name).flags.writeable


NOT_ALIKE: list[tuple[list[Joint], list[Tip]]] = [
    (changed(parent=None), [HAND]),
    (changed(kind="prismatic"), [HAND]),
    (changed(axis=(1.0, 0.0, 0.0)), [HAND]),
    (changed(stiffness=0.5), [HAND]),
    (changed(lower=-1.0), [HAND]),
    (changed(upper=1.0), [HAND]),
    ([*ARM, Joint("wrist", "elbow")], [HAND]),
    ([*ARM], []),
    ([*ARM], [replace(HAND, joint="shoulder")]),
    ([*ARM], [replace(HAND, name="palm")]),
]


@pytest.mark.parametrize(("joints", "tips"), NOT_ALIKE)
def test_a_tree_with_other_joints_is_rebuilt(joints: list[Joint], tips: list[Tip]) -> None:
    one = KinematicTree(ARM, [HAND])
    other = KinematicTree(joints, tips, one)

    assert numbers(other) == numbers(KinematicTree(joints, tips))
    assert other.names == tuple(joint.name for joint in joints)
    assert other.compiled is not one.compiled


def test_fixed_joints_are_folded_in_again_in_every_tree() -> None:
    joints = [Joint("plate", kind="fixed", position=(0.0, 0.0, 1.0)), Joint("a", "plate")]
    moved = [replace(joints[0], position=(0.0, 0.0, 2.0)), joints[1]]

    assert KinematicTree(moved, like=KinematicTree(joints)).rest_position.tolist() == [[0, 0, 2]]


def test_chain_and_its_length_go_from_the_tip_to_the_base() -> None:
    tree = KinematicTree(
        [*ARM, Joint("wrist", "elbow", position=(0.0, 2.0, 0.0)), Joint("tail")],
        [Tip("hand", "wrist", (0.0, 0.0, 0.5))],
    )

    assert [tree.names[i] for i in tree.chain(tree.joint_index("wrist"))] == [
        "wrist",
        "elbow",
        "shoulder",
    ]
    assert tree.chain_length(0) == pytest.approx(3.5)


def test_values_are_clipped_to_the_limits() -> None:
    tree = KinematicTree(
        [Joint("a", lower=-1.0, upper=1.0), Joint("b", lower=0.0), Joint("c", upper=0.0)]
    )

    assert tree.clipped([2.0, -5.0, -5.0]).tolist() == [1.0, 0.0, -5.0]


BAD_JOINTS: list[tuple[list[Joint], type[SolverError], str]] = [
    ([Joint("a", "b"), Joint("b", "c"), Joint("c", "a")], CycleError, "'a'"),
    ([Joint("own", "own")], CycleError, "'own'"),
    (changed(parent="ghost"), ParentError, "'elbow' has the parent 'ghost'"),
    (changed(lower=1.0, upper=-1.0), LimitError, "'elbow'"),
    (changed(lower=math.inf), LimitError, "'elbow'"),
    (changed(upper=-math.inf), LimitError, "'elbow'"),
    (changed(lower=math.nan), NotFiniteError, "'elbow'"),
    (changed(upper=math.nan), NotFiniteError, "'elbow'"),
    (changed(position=(0.0, math.nan, 0.0)), NotFiniteError, "'elbow'"),
    (changed(rotation=(math.inf, 0.0, 0.0, 0.0)), NotFiniteError, "'elbow'"),
    (changed(axis=(0.0, 0.0, math.nan)), NotFiniteError, "'elbow'"),
    (changed(axis=(0.0, 0.0, 0.0)), AxisError, "'elbow'"),
    (changed(rotation=(0.0, 0.0, 0.0, 0.0)), AxisError, "'elbow'"),
    (changed(axis=(0.0, 1.0)), ShapeError, "'elbow'"),
    (changed(position=(0.0, 1.0)), ShapeError, "'elbow'"),
    (changed(rotation=(1.0, 0.0, 0.0)), ShapeError, "'elbow'"),
    (changed(kind="ball"), TreeError, "'elbow' is of the unknown kind 'ball'"),
    (changed(stiffness=1.5), TreeError, "'elbow'"),
    (changed(stiffness=math.nan), TreeError, "'elbow'"),
    ([*ARM, Joint("elbow")], TreeError, "'elbow'"),
]


@pytest.mark.parametrize(("joints", "error", "culprit"), BAD_JOINTS)
def test_bad_joints_are_refused_by_name(
    joints: list[Joint], error: type[SolverError], culprit: str
) -> None:
    with pytest.raises(error) as refusal:
        KinematicTree(joints)
    with pytest.raises(error):
        KinematicTree(joints, like=KinematicTree(ARM))

    assert culprit in str(refusal.value)
    assert is_one_sentence(refusal.value)


BAD_TIPS: list[tuple[list[Tip], type[SolverError]]] = [
    ([Tip("hand", "ghost")], UnknownTipError),
    ([HAND, HAND], TreeError),
    ([replace(HAND, position=(math.nan, 0.0, 0.0))], NotFiniteError),
    ([replace(HAND, rotation=(0.0, 0.0, 0.0, 0.0))], AxisError),
]


@pytest.mark.parametrize(("tips", "error"), BAD_TIPS)
def test_bad_tips_are_refused_by_name(tips: list[Tip], error: type[SolverError]) -> None:
    with pytest.raises(error) as refusal:
        KinematicTree(ARM, tips)
    with pytest.raises(error):
        KinematicTree(ARM, tips, KinematicTree(ARM, [HAND]))

    assert "'hand'" in str(refusal.value)
    assert is_one_sentence(refusal.value)


def test_unknown_names_are_refused_with_a_list_of_known_ones() -> None:
    tree = KinematicTree(ARM, [HAND])

    with pytest.raises(UnknownTipError, match=r"no tip 'foot'.*hand") as tip:
        tree.tip_index("foot")
    with pytest.raises(SolverError, match=r"'knee'.*elbow") as joint:
        tree.joint_index("knee")
    assert is_one_sentence(tip.value)
    assert is_one_sentence(joint.value)


BAD_MODELS: list[tuple[str, Any, type[SolverError], str]] = [
    ("lo", [0.0] * 5, ShapeError, "'lo'"),
    ("rot", [], ShapeError, "'rot'"),
    ("tip_pos", [], ShapeError, "'tip_pos'"),
    ("stiffness", [0.0] * 5, ShapeError, "'stiffness'"),
    ("parent", [-1, 0, 1, 2, 3, 17], ParentError, "'wrist_3_joint'"),
    ("parent", [-1, 0, 1, 2, 3, -2], ParentError, "'wrist_3_joint'"),
    ("parent", [-1, 0, 1, 2, 5, 4], CycleError, "'wrist_2_joint'"),
    ("tip_joint", [6], UnknownTipError, "'ee_link'"),
    ("type", [0, 0, 0, 0, 0, 2], TreeError, "'wrist_3_joint'"),
    (
        "rot",
        [np.eye(3).tolist()] * 5 + [np.diag([1, 1, -1]).tolist()],
        TreeError,
        "'wrist_3_joint'",
    ),
    (
        "rot",
        [np.eye(3).tolist()] * 5 + [np.diag([2, 1, 0.5]).tolist()],
        TreeError,
        "'wrist_3_joint'",
    ),
    ("rot", [np.eye(3).tolist()] * 5 + [np.eye(2).tolist()], ShapeError, "'wrist_3_joint'"),
    ("tip_rot", [np.zeros((3, 3)).tolist()], TreeError, "'ee_link'"),
    ("axis", [[0, 0, 1]] * 5 + [[0, 0, 0]], AxisError, "'wrist_3_joint'"),
    ("lo", [0.0] * 5 + [math.nan], NotFiniteError, "'wrist_3_joint'"),
    ("lo", [0.0] * 5 + [7.0], LimitError, "'wrist_3_joint'"),
]


@pytest.mark.parametrize(("key", "value", "error", "culprit"), BAD_MODELS)
def test_bad_models_are_refused_by_name(
    key: str, value: Any, error: type[SolverError], culprit: str
) -> None:
    with pytest.raises(error) as refusal:
        KinematicTree.from_dict(robot_data("ur5") | {key: value})

    assert culprit in str(refusal.value)
    assert is_one_sentence(refusal.value)


@pytest.mark.parametrize("key", ["names", "parent", "rot", "hi", "tips", "tip_rot"])
def test_a_model_without_a_key_is_refused(key: str) -> None:
    data = robot_data("ur5")
    del data[key]

    with pytest.raises(TreeError, match=f"'{key}'"):
        KinematicTree.from_dict(data)
