"""A shin of known size over grounds: what pushes it out, and how far."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np
import pytest

from blender_bioik.motion.body.hull import bare_hull
from blender_bioik.motion.feet import Floats
from blender_bioik.motion.ground.terrain import Surface
from blender_bioik.motion.solve.body_ground import HALVES, BodyGround, BodyPart
from blender_bioik.solver import Clip, Joint, KinematicTree, Tip
from blender_bioik.solver.clips.goal_list import GoalList
from blender_bioik.solver.clips.open_clip import OpenClip, open_clip
from blender_bioik.solver.clips.whole_clip import Inertia
from blender_bioik.solver.goals.ground import PlaceAbove

from ...builders.motion.gaits import foot_along
from ...builders.motion.grounds import plan_on, plate

FRAMES = 5
RADIUS, LENGTH = 0.05, 0.4
MILLIMETRE = 1e-3
# It slides along X, Y and Z, then leans about X.
JOINTS = ("x", "y", "z", "lean")


@contextmanager
def shin_over(
    surfaces: Sequence[Surface], source: Floats, floor: float = -1.0
) -> Iterator[tuple[BodyGround, OpenClip]]:
    """A shin that stands up from its ankle at rest, over a ground."""
    joints = [
        Joint(axis, parent, "prismatic", tuple(np.eye(3)[i]))
        for i, (axis, parent) in enumerate(zip("xyz", (None, "x", "y"), strict=True))
    ]
    joints.append(Joint("lean", "z", "revolute", (1.0, 0.0, 0.0)))
    tree = KinematicTree(joints, [Tip("shin", "lean")])
    ends = np.array([[0.0, 0.0, -RADIUS], [0.0, 0.0, LENGTH + RADIUS]])
    hull = bare_hull("shin", ends[0], ends[1], RADIUS)
    goals = GoalList()
    handle = goals.add_all(PlaceAbove("shin", weight=1e6) for _ in range(HALVES))
    plan = plan_on(list(surfaces), [foot_along("leg", np.zeros((FRAMES, 3)))], [])
    inertia = Inertia(np.array([1.0, 1.0, 1.0, 10.0]), np.full(4, 1e-6))
    with open_clip(tree, goals.goals, Clip(source), inertia) as opened:
        parts = [BodyPart("shin", hull)]
        yield BodyGround(opened, handle, parts, np.full(FRAMES, floor), plan.underfoot, 1.0), opened


def poses(z: float, lean: float = 0.0, y: float = 0.0) -> Floats:
    return np.tile([0.0, y, z, np.radians(lean)], (FRAMES, 1))


def solved(ground: BodyGround, opened: OpenClip, values: Floats) -> Floats:
    """Push and solve until nothing is left to push."""
    frames, stretch, none = opened.frames, opened.stretch, opened.frames.nothing_held()

    def cost(values: Floats) -> float:
        goals = frames.expand(stretch, values).costs.sum()
        return float(goals + frames.inertial_cost(stretch, values, none))

    for _ in range(8):
        if not ground.push(values).any():
            break
        for _ in range(30):
            here = frames.expand(stretch, values, derive=True)
            way = frames.step(stretch, values, none, here, damping=0.0) - values
            parts = (values + way * 0.5**halvings for halvings in range(8))
            values = min((values, *parts), key=cost)
    return values


def test_what_is_above_the_ground_stays_free() -> None:
    source = poses(RADIUS + MILLIMETRE)
    with shin_over([plate()], source) as (ground, opened):
        assert not ground.push(source).any()
        assert opened.frames.expand(opened.stretch, source).costs.max() == 0.0


def test_what_is_in_the_ground_is_pushed_out() -> None:
    low = poses(RADIUS - 0.03)
    with shin_over([plate()], low) as (ground, opened):
        out = solved(ground, opened, low)
        assert out[:, 2].min() > RADIUS - 4.1 * MILLIMETRE


def test_it_may_be_as_deep_as_in_the_floor_of_the_source() -> None:
    """The source's shin is 2 cm in its floor at 1 m, and 2.2 or 3 cm in a ground at 0 m."""
    source = poses(1.0 + RADIUS - 0.02)
    with shin_over([plate()], source, floor=1.0) as (ground, _):
        assert not ground.push(poses(RADIUS - 0.022)).any()
        assert ground.push(poses(RADIUS - 0.03)).all()


def test_rows_that_pushing_did_not_help_are_not_named_again() -> None:
    low = poses(RADIUS - 0.03)
    with shin_over([plate()], low) as (ground, _):
        assert ground.push(low).all()
        assert not ground.push(low).any()
        assert ground.too_deep > 1.0


def test_only_rows_in_the_ground_are_named() -> None:
    values = poses(0.2)
    values[2, 2] = RADIUS - 0.03
    with shin_over([plate()], poses(0.2)) as (ground, _):
        assert ground.push(values).tolist() == [False, False, True, False, False]


@pytest.mark.parametrize("slope", [0.1, 0.4])
def test_slopes_are_kept_out_of_along_their_normal(slope: float) -> None:
    low = poses(0.02)
    with shin_over([plate(slope=(0.0, slope))], low) as (ground, opened):
        out = solved(ground, opened, low)
        y, z = out[0, 1], out[0, 2]
        distance = (z - slope * y) / np.hypot(1.0, slope)
        assert distance > RADIUS - 4.5 * MILLIMETRE


def test_a_shin_does_not_cut_the_edge_of_a_stair() -> None:
    """It leans over an edge at y = -0.1, 16 cm up, which is 1.5 cm inside of its front.

    It has to turn or move back by that much; straight up it would be four times as far.
    """
    lean, edge = 15.0, np.array([-0.1, 0.16])
    along = np.array([-np.sin(np.radians(lean)), np.cos(np.radians(lean))])
    upward = np.array([along[1], -along[0]])  # across the shin, up from its front

    def inside(row: Floats) -> float:
        """How far the edge is inside of the shin, metres."""
        axis = np.array([-np.sin(row[3]), np.cos(row[3])])
        front = np.array([axis[1], -axis[0]])
        away = edge - row[1:3]
        return RADIUS + float(away @ front) if 0.0 < away @ axis < LENGTH else 0.0

    ankle = edge - 0.2 * along + (RADIUS - 0.015) * upward
    surfaces = [plate(-0.15, y=(-0.1, 10.0)), plate(0.16, y=(-20.0, -0.1))]
    start = poses(ankle[1], lean, ankle[0])
    assert inside(start[0]) == pytest.approx(0.015)
    with shin_over(surfaces, start) as (ground, opened):
        out = solved(ground, opened, start)
    assert inside(out[0]) < 0.0051
    assert np.abs(out[:, 2] - start[:, 2]).max() < 0.02
