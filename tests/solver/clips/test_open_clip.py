"""A clip opened for solving step by step, against forward kinematics and plain arithmetic."""

import threading

import numpy as np
import pytest
from numpy.typing import NDArray

from blender_bioik.solver import Clip, Joint, KinematicTree, Position, Rest, Tip, Track
from blender_bioik.solver.clips.goal_list import GoalList
from blender_bioik.solver.clips.open_clip import open_clip
from blender_bioik.solver.clips.whole_clip import Inertia
from blender_bioik.solver.errors import SolverError
from blender_bioik.solver.goals.ground import Above, Hold, JointMinimum
from blender_bioik.solver.kinematics.forward import forward_kinematics

from ...builders.solver.models import planar_arm

Array = NDArray[np.float64]
FRAMES = 7


def two_chains() -> KinematicTree:
    """Two arms of two joints each, on a base."""
    joints = [
        Joint(f"{arm}{i}", None if i == 0 else f"{arm}0", position=(float(i), 0.0, 0.0))
        for arm in "ab"
        for i in range(2)
    ]
    return KinematicTree(
        joints, [Tip("end a", "a1", (1.0, 0.0, 0.0)), Tip("end b", "b1", (1.0, 0.0, 0.0))]
    )


def weights(tree: KinematicTree, stay: float = 1.0, bend: float = 0.0) -> Inertia:
    return Inertia(np.full(tree.size, stay), np.full(tree.size, bend))


def random_values(tree: KinematicTree, seed: int = 0) -> Array:
    return np.random.default_rng(seed).uniform(-1.0, 1.0, (FRAMES, tree.size))


def test_tips_are_those_of_forward_kinematics() -> None:
    tree = two_chains()
    source = random_values(tree)
    goals = [Hold(name, (0.0, 0.0, 0.0)) for name in ("end b", "end a")]
    with open_clip(tree, goals, Clip(source), weights(tree)) as opened:
        tips = opened.frames.tips(opened.stretch, source[:, opened.problem.active])
        poses = forward_kinematics(tree, source)
        for name, number in opened.tip_numbers.items():
            expected = poses.tip_positions[:, tree.tip_index(name)]
            np.testing.assert_allclose(tips[:, number, :3], expected, atol=1e-12)


def test_rest_poses_of_every_frame_count() -> None:
    tree = planar_arm()
    rng = np.random.default_rng(1)
    rest = Rest(rng.normal(size=(FRAMES, 2, 4)), rng.normal(size=(FRAMES, 2, 3)))
    source = random_values(tree)
    with open_clip(
        tree, [Hold("end", (0.0, 0.0, 0.0))], Clip(source, rest), weights(tree)
    ) as opened:
        tips = opened.frames.tips(opened.stretch, source)
        expected = forward_kinematics(tree, source, rest).tip_positions[:, 0]
        np.testing.assert_allclose(tips[:, 0, :3], expected, atol=1e-12)


def test_what_is_written_to_a_goal_counts_from_then_on() -> None:
    tree, goals = planar_arm(), GoalList()
    source = np.zeros((FRAMES, 2))
    end = goals.add(Hold("end", (2.0, 0.0, 0.0), tolerance=0.25))
    with open_clip(tree, goals.goals, Clip(source), weights(tree)) as opened:
        assert opened.field(end, "point").shape == (FRAMES, 3)
        assert (opened.tolerance(end) == 0.25).all()
        assert opened.frames.expand(opened.stretch, source).total == 0.0
        opened.field(end, "point")[3] = 2.0, 0.5, 0.0
        assert opened.frames.expand(opened.stretch, source).total == pytest.approx(0.5 * 0.25)
        np.testing.assert_allclose(opened.errors(end, source), 0.5 * (np.arange(FRAMES) == 3))
        opened.weight(end)[3] = 4.0
        assert opened.frames.expand(opened.stretch, source).total == pytest.approx(0.5)
        opened.weight(end)[3] = 0.0
        assert opened.frames.expand(opened.stretch, source).total == 0.0


def test_goals_without_tracks_have_a_row_for_each_frame() -> None:
    tree, goals = planar_arm(), GoalList()
    hold = goals.add(Hold("end", (1.0, 0.0, 0.0)))
    goals.add(Position("end", (1.0, 0.0, 0.0)))
    with open_clip(tree, goals.goals, np.zeros((FRAMES, 2)), weights(tree)) as opened:
        opened.weight(hold)[2] = 9.0
        assert (np.delete(opened.weight(hold), 2) == 1.0).all()


def test_handles_are_of_their_goals_wherever_these_are_in_the_list() -> None:
    tree, source = two_chains(), np.zeros((FRAMES, 4))
    others = [Hold("end b", (0.0, 0.0, 0.0), weight=float(k + 2)) for k in range(3)]
    for before in range(4):
        goals = GoalList()
        goals.add_all(others[:before])
        one = goals.add(Track(Hold("end a", (0.0, 0.0, 0.0)), {"point": np.ones((FRAMES, 3))}))
        rest = goals.add_all(others[before:])
        minimum = goals.add(JointMinimum("b0", 0.25, weight=7.0))
        with open_clip(tree, goals.goals, Clip(source), weights(tree)) as opened:
            assert (opened.weight(one) == 1.0).all()
            assert (opened.field(one, "point") == 1.0).all()
            expected = [each.weight for each in others[before:]]
            np.testing.assert_array_equal(opened.weight(rest), [expected] * FRAMES)
            np.testing.assert_array_equal(opened.field(minimum, "minimum"), 0.25)
            values = source[:, opened.problem.active]
            np.testing.assert_allclose(opened.errors(minimum, values), 0.25)
            np.testing.assert_allclose(opened.errors(one, values), np.sqrt(1.0 + 1.0 + 1.0))
            assert opened.errors(rest, values).shape == (FRAMES, 3 - before)


def test_several_goals_have_the_fields_that_all_of_them_have() -> None:
    goals = GoalList()
    mixed = goals.add_all([Hold("end", (0.0, 0.0, 0.0)), Above("end", (0.0, 0.0, 0.0))])
    assert set(mixed.fields) == {"point"}
    assert not goals.add_all([]).fields


def test_a_part_shares_the_memory_of_the_clip() -> None:
    tree, goals, source = planar_arm(), GoalList(), np.zeros((FRAMES, 2))
    end = goals.add(Hold("end", (2.0, 0.0, 0.0)))
    with open_clip(tree, goals.goals, Clip(source), weights(tree)) as opened:
        part = opened.part(2, 6)
        part.weight(end)[1] = 5.0
        np.testing.assert_array_equal(opened.weight(end), [1, 1, 1, 5, 1, 1, 1])
        held = [True, True, False, False]
        np.testing.assert_array_equal(opened.part(0, 4).stretch.moved[:, 0], held)
        np.testing.assert_array_equal(opened.part(3, 7).stretch.moved[:, 0], held[::-1])


def test_joints_no_goal_is_about_stay_as_in_the_source() -> None:
    tree = two_chains()
    source = random_values(tree)
    with open_clip(tree, [Hold("end a", (1.0, 1.0, 0.0))], Clip(source), weights(tree)) as opened:
        assert [tree.names[i] for i in opened.problem.active] == ["a0", "a1"]
        values = np.full((FRAMES, 2), 0.25)
        full = opened.all_joints(values)
        assert (full[:, opened.problem.active] == 0.25).all()
        others = [tree.joint_index(name) for name in ("b0", "b1")]
        assert (full[:, others] == source[:, others]).all()
    assert full is not source


def test_steps_reach_the_targets() -> None:
    tree = planar_arm()
    source = np.tile([0.3, 0.4], (FRAMES, 1))
    wanted = np.stack([np.linspace(1.2, 1.4, FRAMES), np.ones(FRAMES), np.zeros(FRAMES)], axis=1)
    track = Track(Hold("end", (0.0, 0.0, 0.0), weight=1e8), {"point": wanted})
    with open_clip(tree, [track], Clip(source), weights(tree)) as opened:
        values, none = source, opened.frames.nothing_held()
        for _ in range(12):
            here = opened.frames.expand(opened.stretch, values, derive=True)
            values = opened.frames.step(opened.stretch, values, none, here, 1e-9)
        tips = opened.frames.tips(opened.stretch, values)[:, 0, :3]
        np.testing.assert_allclose(tips, wanted, atol=1e-6)


def test_limits_are_those_of_the_tree() -> None:
    tree = planar_arm(limits=(-0.1, 0.2))
    source = np.zeros((FRAMES, 2))
    goal = Hold("end", (0.0, 2.0, 0.0), weight=1e6)
    with open_clip(tree, [goal], Clip(source), weights(tree)) as opened:
        values, none = source, opened.frames.nothing_held()
        for _ in range(5):
            here = opened.frames.expand(opened.stretch, values, derive=True)
            values = opened.frames.step(opened.stretch, values, none, here, 1e-6)
            assert values.min() >= -0.1
            assert values.max() <= 0.2
        np.testing.assert_allclose(values, 0.2)


def test_stopped_clip_does_not_stop_the_next_one() -> None:
    tree = planar_arm()
    goal, source = Hold("end", (0.0, 0.0, 0.0)), np.zeros((FRAMES, 2))
    with open_clip(tree, [goal], Clip(source), weights(tree)) as opened:
        stopping = threading.Thread(target=opened.stop)
        stopping.start()
        stopping.join()
        assert opened.frames.expand(opened.stretch, source).total == 0.0
    with open_clip(tree, [goal], Clip(source), weights(tree)) as opened:
        assert opened.frames.expand(opened.stretch, source).total == pytest.approx(
            0.5 * 4.0 * FRAMES
        )


def test_two_clips_can_be_open_at_once() -> None:
    tree = planar_arm()
    source = np.zeros((FRAMES, 2))
    near, far = Hold("end", (2.0, 0.0, 0.0)), Hold("end", (2.0, 1.0, 0.0))
    with (
        open_clip(tree, [near], Clip(source), weights(tree)) as one,
        open_clip(tree, [far], Clip(source), weights(tree)) as other,
    ):
        assert other.frames.expand(other.stretch, source).total == pytest.approx(0.5 * FRAMES)
        assert one.frames.expand(one.stretch, source).total == 0.0


@pytest.mark.parametrize("loop", [False, True])
def test_inertia_is_over_all_joints_of_the_tree(loop: bool) -> None:
    """Weights of joints that no goal is about do not slip to others."""
    tree = two_chains()
    stay = np.arange(1.0, tree.size + 1.0, dtype=float)
    source = np.zeros((FRAMES, tree.size))
    goal = Hold("end b", (0.0, 0.0, 0.0), weight=0.0)
    inertia = Inertia(stay, np.zeros(tree.size))
    with open_clip(tree, [goal], Clip(source), inertia, loop=loop) as opened:
        values = np.ones((FRAMES, len(opened.problem.active)))
        cost = opened.frames.inertial_cost(opened.stretch, values, opened.frames.nothing_held())
        assert cost == pytest.approx(0.5 * FRAMES * stay[opened.problem.active].sum())


def test_a_bad_clip_is_reported_in_one_sentence() -> None:
    tree = planar_arm()
    bad = np.zeros((FRAMES, 2))
    bad[2, 1] = np.nan
    goal = Hold("end", (0.0, 0.0, 0.0))
    with pytest.raises(SolverError), open_clip(tree, [goal], Clip(bad), weights(tree)):
        pass
    track = Track(goal, {"point": np.zeros((FRAMES + 1, 3))})
    with (
        pytest.raises(SolverError),
        open_clip(tree, [track], np.zeros((FRAMES, 2)), weights(tree)),
    ):
        pass
