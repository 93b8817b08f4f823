"""Steps over all frames of a clip: on linear problems one step is the exact minimum.

Tests of: band_order, expansion.
"""

import numpy as np
import pytest
from numpy.typing import NDArray

from blender_bioik.solver import Joint, KinematicTree, Settings, Tip
from blender_bioik.solver.clips.whole_clip import Inertia, Stretch, WholeClip
from blender_bioik.solver.goals.ground import Hold
from blender_bioik.solver.kernels.goal_columns import (
    PARAMETER_COUNT,
)
from blender_bioik.solver.poses.problem import compile_problem
from blender_bioik.solver.poses.solve import prepared

Array = NDArray[np.float64]

SLIDES = ("x", "y", "z")


def sliding_point() -> KinematicTree:
    """A point that slides along three axes: everything about it is linear."""
    axes = {"x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1)}
    joints = []
    parent = None
    for name in SLIDES:
        joints.append(Joint(name, parent, "prismatic", axes[name]))
        parent = name
    return KinematicTree(joints, [Tip("point", "z")])


def point_clip(frames: int, loop: bool, bends: int = 0) -> tuple[WholeClip, Stretch]:
    """Points to hold, some stiff and some soft, from frame to frame.

    `bends` is how many second differences have weights of their own, 0 for none of them.
    """
    rng = np.random.default_rng(3)
    tree = sliding_point()
    goal = Hold("point", (0.0, 0.0, 0.0))
    problem = compile_problem(tree, [goal])
    I, F = prepared(problem, Settings()).borrow()
    parameters = np.tile(goal.parameters, (frames, 1))
    parameters[:, 0] = 10.0 ** rng.uniform(-1, 3, frames)
    parameters[:, 2:5] = rng.normal(size=(frames, 3))
    assert parameters.shape[1] == PARAMETER_COUNT
    inertia = Inertia(np.array([0.5, 1.0, 2.0]), np.array([30.0, 100.0, 3.0]))
    if bends:
        inertia = inertia._replace(bend=inertia.bend * 10.0 ** rng.uniform(-1, 1, (bends, 1)))
    source = rng.normal(size=(frames, 3))
    limits = np.full(3, -np.inf), np.full(3, np.inf)
    moved = np.ones((frames, 3), bool)
    stretch = Stretch(parameters, problem.rest, source, moved, *limits)
    return WholeClip(I, F, inertia, loop=loop), stretch


def cost_of(clip: WholeClip, stretch: Stretch, values: Array, held: Array) -> float:
    return clip.expand(stretch, values).total + clip.inertial_cost(stretch, values, held)


@pytest.mark.parametrize("by_row", [False, True])
@pytest.mark.parametrize(
    ("frames", "held", "loop"),
    [
        *((12, 0, False), (12, 1, False), (12, 2, False), (2, 0, False), (1, 2, False)),
        *((3, 2, False), (6, 0, True), (7, 0, True), (13, 0, True), (30, 0, True)),
    ],
)
def test_one_step_is_the_minimum_of_a_linear_problem(
    frames: int, held: int, loop: bool, by_row: bool
) -> None:
    rows = frames if loop else max(0, frames + held - 2)
    clip, stretch = point_clip(frames, loop, rows if by_row else 0)
    rng = np.random.default_rng(4)
    before = rng.normal(size=(held, 3))
    start = stretch.source + rng.normal(size=(frames, 3))

    here = clip.expand(stretch, start, derive=True)
    found = clip.step(stretch, start, before, here, damping=0.0)

    least = cost_of(clip, stretch, found, before)
    assert least < cost_of(clip, stretch, start, before)
    for _ in range(20):  # flat to first order, and upwards in every direction
        aside = rng.normal(size=(frames, 3)) * 1e-3
        there, opposite = (cost_of(clip, stretch, found + s * aside, before) for s in (1, -1))
        assert there > least
        assert there - opposite == pytest.approx(0.0, abs=1e-5 * (there - least) + 1e-9)


@pytest.mark.parametrize(("frames", "held", "loop"), [(12, 0, False), (3, 2, False), (7, 0, True)])
def test_inertia_counts_once_frame_by_frame(frames: int, held: int, loop: bool) -> None:
    clip, stretch = point_clip(frames, loop)
    rng = np.random.default_rng(5)
    values, before = stretch.source + rng.normal(size=(frames, 3)), rng.normal(size=(held, 3))
    stay, bend = clip.inertia
    bends, correction = clip.bends(stretch, values, before), values - stretch.source
    costs = clip.inertial_costs(stretch, values, before)
    assert costs.shape == (frames,)
    assert costs.sum() == pytest.approx(
        0.5 * ((correction**2 * stay).sum() + (bends**2 * bend).sum())
    )


def test_a_loop_has_no_seam() -> None:
    clip, stretch = point_clip(16, loop=True)
    turned = Stretch(
        np.roll(stretch.parameters, 5, axis=0),
        stretch.rest,
        np.roll(stretch.source, 5, axis=0),
        stretch.moved,
        stretch.lower,
        stretch.upper,
    )
    none = clip.nothing_held()
    results = []
    for each in (stretch, turned):
        here = clip.expand(each, each.source, derive=True)
        results.append(clip.step(each, each.source, none, here, damping=0.0))

    assert results[1] == pytest.approx(np.roll(results[0], 5, axis=0), abs=1e-9)


def test_joints_stop_at_limits_that_change_from_frame_to_frame() -> None:
    clip, stretch = point_clip(12, loop=False)
    upper = stretch.source + np.linspace(0.0, 0.1, 12)[:, None]
    limited = Stretch(
        stretch.parameters, stretch.rest, stretch.source, stretch.moved, stretch.lower, upper
    )
    here = clip.expand(limited, limited.source, derive=True)
    found = clip.step(limited, limited.source, clip.nothing_held(), here, damping=0.0)

    assert (found <= upper).all()
    assert (found == upper).any()


def test_joints_that_no_goal_moves_stay() -> None:
    clip, stretch = point_clip(12, loop=False)
    moved = stretch.moved.copy()
    moved[4:7, 1] = False
    some = Stretch(
        stretch.parameters, stretch.rest, stretch.source, moved, stretch.lower, stretch.upper
    )
    here = clip.expand(some, some.source, derive=True)
    found = clip.step(some, some.source, clip.nothing_held(), here, damping=0.0)

    assert (found[4:7, 1] == some.source[4:7, 1]).all()
    assert (found[moved] != some.source[moved]).all()
