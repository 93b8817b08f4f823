"""Paths of swings from stand to stand."""

from __future__ import annotations

import numpy as np

from blender_bioik.motion.feet import BALL, TIP, Contact, Floats, Foot
from blender_bioik.motion.ground.terrain import Surface, Terrain
from blender_bioik.motion.ground.underfoot import Underfoot
from blender_bioik.motion.plan.plan import FootPlan, PlanSettings
from blender_bioik.motion.plan.planner import make_plan
from blender_bioik.motion.plan.swing_path import over_even_ground, swing_path
from blender_bioik.motion.plan.tuning import SWINGS

from ...builders.motion.grounds import plate

RATE, CYCLE, STANDS, STRIDE, LIFT = 24.0, 20, 11, 0.8, 0.1
FRAMES = 3 * CYCLE


def stepping(rows: Floats, in_place: bool = False) -> Floats:
    """Ball of a foot that stands, then steps along -Y; (f, 3)."""
    cycle, phase = np.divmod(rows, CYCLE)
    share = np.clip((phase - STANDS + 1) / (CYCLE - STANDS + 1), 0.0, 1.0)
    gone = cycle + share**3 * (10 - 15 * share + 6 * share**2)
    y = -STRIDE * gone
    if in_place:
        y = y + STRIDE * rows / CYCLE
    return np.stack([0 * y, y, LIFT * 64 * share**3 * (1 - share) ** 3], axis=-1)


def planned(
    *ground: Surface, in_place: bool = False, roll: int = 0, frames: int = FRAMES
) -> tuple[Foot, FootPlan, Underfoot]:
    rows = np.linspace(roll, roll + frames - 1, frames)
    ball = stepping(rows, in_place)
    forward, up = np.array([0.0, -1.0, 0.0]), np.array([0.0, 0.0, 1.0])
    points = np.stack([ball - 0.1 * forward, ball, ball + 0.05 * forward], axis=1)
    knee = ball + 0.5 * up
    foot = Foot("leg.L", points, np.zeros(3), knee, knee + 0.4 * up)
    phase = rows % CYCLE < STANDS
    edges = np.flatnonzero(np.diff(np.concatenate([[0], phase, [0]])))
    contacts = [Contact(0, BALL, int(a), int(b), in_place) for a, b in edges.reshape(-1, 2)]
    underfoot = Underfoot(Terrain(ground), ball[:, :2], 0.0, 0.5, RATE)
    floor = np.zeros((frames, 1))
    plan = make_plan([foot], contacts, floor, knee, underfoot, RATE, 1.0, PlanSettings(swing=0.0))
    return foot, plan.feet[0], plan.underfoot


HIGH = 0.085  # metres: an obstacle that the source does not swing over


def test_over_a_slope_it_goes_as_the_slope_does() -> None:
    foot, wanted, underfoot = planned(plate(slope=(0.0, -0.2)))
    path = swing_path(foot, wanted, underfoot, 1.0, loop=False)
    ball = foot.points[:, BALL]
    assert np.allclose(path[:, :2], ball[:, :2], atol=1e-6)
    over = path[:, 2] - ball[:, 2] + 0.2 * ball[:, 1]
    assert np.ptp(over) < 1e-6
    assert 0.0 < over[0] < 0.01  # clearance and lift


def test_a_swing_keeps_its_clearance_over_obstacles() -> None:
    bump = plate(z=HIGH, y=(-0.9 * STRIDE, -0.1 * STRIDE))
    foot, wanted, underfoot = planned(plate(), bump)
    path = swing_path(foot, wanted, underfoot, 1.0, loop=False)
    swing = slice(STANDS, CYCLE)
    top = STANDS + int(foot.points[swing, BALL, 2].argmax())
    assert path[top, 2] > HIGH + SWINGS.kept_height * LIFT - 0.005
    sole = path[:, None] + foot.points - foot.points[:, [BALL]]
    over = (sole[..., 1] > -0.9 * STRIDE) & (sole[..., 1] < -0.1 * STRIDE)
    over[[STANDS, CYCLE - 1]] = False  # next to a wall the ground has to push
    assert over.any()
    assert sole[over, 2].min() > HIGH - 1e-9
    second = slice(CYCLE + STANDS, 2 * CYCLE)
    assert np.allclose(path[second, 2], foot.points[second, BALL, 2], atol=0.002)


def test_a_foot_that_never_stands_goes_as_animated() -> None:
    foot, wanted, underfoot = planned(plate())
    nothing = np.zeros_like(wanted.height_lock)
    wanted.height_lock[:] = nothing
    path = swing_path(foot, wanted, underfoot, 1.0, loop=False)
    assert (path == foot.points[:, BALL]).all()


def test_a_loop_is_led_over_its_seam() -> None:
    ground = plate(slope=(0.05, -0.2))
    paths = []
    for roll in (0, 15):  # the second is cut in the middle of its swing
        foot, wanted, underfoot = planned(ground, in_place=True, roll=roll, frames=CYCLE)
        path = swing_path(foot, wanted, underfoot, 1.0, loop=True)
        paths.append(np.roll(path, roll, axis=0))
    assert np.abs(paths[1] - paths[0]).max() < 0.003


def test_ground_with_an_edge_below_a_swing_is_not_even() -> None:
    slope = plate(slope=(0.0, -0.4))  # on which a foot's own acceleration is no edge
    block = plate(z=1.0, y=(-1.7 * STRIDE, -1.3 * STRIDE))  # below the second swing
    for ground, expected in ((slope,), [True, True]), ((slope, block), [True, False]):
        foot, wanted, underfoot = planned(*ground)
        path = swing_path(foot, wanted, underfoot, 1.0, loop=False)
        swings = wanted.plan_lock[:, BALL] == 0.0
        even = over_even_ground(path, swings, underfoot, RATE, 1.0)
        assert not even[~swings].any()
        assert [bool(even[first + STANDS + 3]) for first in (0, CYCLE)] == expected


def test_a_path_over_an_obstacle_is_hardly_jerkier_than_the_source() -> None:
    bump = plate(z=HIGH, y=(-0.7 * STRIDE, -0.4 * STRIDE))
    foot, wanted, underfoot = planned(plate(), bump)
    path = swing_path(foot, wanted, underfoot, 1.0, loop=False)
    swing = slice(STANDS - 2, CYCLE + 2)
    after, before = (
        np.linalg.norm(np.diff(each[swing], n=3, axis=0), axis=-1).max()
        for each in (path, foot.points[:, BALL])
    )
    assert np.ptp(path[swing, 2] - foot.points[swing, BALL, 2]) > 0.01
    assert after < 1.3 * before


def test_a_foot_that_leaves_close_to_a_wall_stays_back_until_it_is_high_enough() -> None:
    wall, high = -0.07, 0.12  # two centimetres ahead of the toe
    foot, wanted, underfoot = planned(plate(), plate(z=high, y=(-9.0, wall)))
    path = swing_path(foot, wanted, underfoot, 1.0, loop=False)
    swing = slice(STANDS, CYCLE)
    back = path[swing, 1] - foot.points[swing, BALL, 1]
    assert back[:3].max() > 0.01
    tip = path + foot.points[:, TIP] - foot.points[:, BALL]
    past = tip[swing, 1] < wall
    assert tip[swing][past, 2].min() > high - 0.011
    after, before = (
        np.linalg.norm(np.diff(each[STANDS - 2 : CYCLE + 2], n=3, axis=0), axis=-1).max()
        for each in (path, foot.points[:, BALL])
    )
    assert after < 2.0 * before


def test_a_foot_does_not_stay_back_from_a_slope() -> None:
    ridge = (
        plate(z=-0.11, y=(-0.4, -0.055), slope=(0.0, -2.0)),
        plate(z=1.49, y=(-0.745, -0.4), slope=(0.0, 2.0)),
    )
    foot, wanted, underfoot = planned(plate(), *ridge)
    path = swing_path(foot, wanted, underfoot, 1.0, loop=False)
    moved = path - foot.points[:, BALL]
    swing = slice(STANDS, CYCLE)
    assert moved[swing, 2].max() > 0.1  # it goes over the ridge
    low, high = np.sort(moved[[STANDS - 1, CYCLE], 1])
    assert (moved[swing, 1] > low - 1e-6).all()
    assert (moved[swing, 1] < high + 1e-6).all()
