"""Planes under sole points, on a foot of three points that slides as one along three axes."""

from __future__ import annotations

import numpy as np
import pytest

from blender_bioik.motion.feet import BALL, HEEL, TIP, Contact, Floats
from blender_bioik.motion.ground.terrain import Surface
from blender_bioik.motion.solve.sole_ground import SoleGround
from blender_bioik.solver.clips.open_clip import OpenClip

from ...builders.motion.grounds import plate
from ...builders.motion.standing import AWAY, FRAMES, PLANTED, RIM, RIM_AWAY, TIPS, at, standing_on


def planes(ground: SoleGround, opened: OpenClip) -> tuple[Floats, Floats]:
    """Points and normals of the no-penetration planes of sole points; (f, 3, 3) each."""
    outside = ground.goals.outside
    point, normal = (opened.field(outside, name) for name in ("point", "normal"))
    return point[:, : len(TIPS)], normal[:, : len(TIPS)]


def heights_over_planes(ground: SoleGround, opened: OpenClip, values: Floats) -> Floats:
    point, normal = planes(ground, opened)
    places = values[:, None] + AWAY
    return np.asarray(((places - point) * normal).sum(axis=-1))


@pytest.mark.parametrize("slope", [(0.0, 0.0), (0.2, -0.3), (-0.5, 0.1)])
def test_planes_touch_the_ground_under_every_point(slope: tuple[float, float]) -> None:
    with standing_on([plate(0.3, slope=slope)], (PLANTED,)) as (ground, opened):
        values = at(0.4, -0.3, 1.0)
        ground.update(values, settle=True)
        places = values[:, None] + AWAY
        above = places[..., 2] - (0.3 + places[..., :2] @ np.array(slope))
        np.testing.assert_allclose(heights_over_planes(ground, opened, values), above, atol=1e-3)
        # They are planes: right also beside where they were asked for.
        beside = values + np.array([0.02, 0.03, 0.0])
        places = beside[:, None] + AWAY
        above = places[..., 2] - (0.3 + places[..., :2] @ np.array(slope))
        np.testing.assert_allclose(heights_over_planes(ground, opened, beside), above, atol=1e-3)


def test_clearance_counts_across_the_slope() -> None:
    slope, thick = [plate(slope=(0.0, 0.4))], (0.1, 0.1, 0.1)
    with standing_on(slope, (PLANTED,), clearance=thick) as (ground, opened):
        ground.update(at(), settle=True)
        above = heights_over_planes(ground, opened, at())[0, BALL]
        assert above == pytest.approx(-0.1 * np.hypot(1.0, 0.4), abs=1e-3)


def test_swinging_foot_keeps_at_least_as_far_from_the_ground_as_a_planted_one() -> None:
    for tangent in (0.0, 0.3):
        asked = []
        for contacts in ((PLANTED,), ()):
            with standing_on([plate(slope=(0.0, tangent))], contacts) as (ground, opened):
                ground.update(at(), settle=True)
                asked.append(planes(ground, opened)[0][..., 2].copy())
        assert (asked[1] >= asked[0]).all()
        assert (asked[1] <= asked[0] + 0.01).all()


def test_steep_ground_tilts_planes_only_so_far() -> None:
    with standing_on([plate(slope=(0.0, 1.2))]) as (ground, opened):
        ground.update(at(), settle=True)
        _, normal = planes(ground, opened)
        tangent = np.linalg.norm(normal[..., :2], axis=-1) / normal[..., 2]
        assert (tangent < 1.0).all()
        assert (tangent > 0.3).all()
    with standing_on([plate(slope=(0.0, 9.0), y=(-0.02, 0.02)), plate(-0.18)]) as (ground, opened):
        ground.update(at(), settle=True)
        _, normal = planes(ground, opened)
        np.testing.assert_allclose(normal[:, BALL], [[0.0, 0.0, 1.0]] * FRAMES, atol=0.06)


def step_at(y: float) -> list[Surface]:
    return [plate(0.0, y=(y, 9.0)), plate(0.2, y=(-9.0, y))]


def test_upper_side_of_an_edge_is_remembered_and_forgotten_once_left() -> None:
    with standing_on(step_at(-0.10)) as (ground, opened):
        tip = 2
        ground.remembers_edges = True
        ground.update(at(), settle=True)
        assert heights_over_planes(ground, opened, at())[0, tip] == pytest.approx(0.0, abs=1e-3)
        over = at(y=-0.05)  # the tip is over the upper side now
        ground.update(over, settle=False)
        assert ground.new_edges == FRAMES
        ground.update(at(), settle=False)  # and back: it still is asked up there
        assert heights_over_planes(ground, opened, at())[0, tip] == pytest.approx(-0.2, abs=1e-3)
        far = at(y=0.3)
        ground.update(far, settle=False)
        assert ground.forget_edges().any()
        ground.update(far, settle=False)
        assert heights_over_planes(ground, opened, far)[0, tip] == pytest.approx(0.0, abs=1e-3)
        assert not ground.forget_edges().any()


def test_edges_are_remembered_only_on_request() -> None:
    with standing_on(step_at(-0.10)) as (ground, opened):
        ground.update(at(), settle=True)
        ground.update(at(y=-0.05), settle=False)
        ground.update(at(), settle=False)
        assert ground.new_edges == 0
        assert heights_over_planes(ground, opened, at())[0, 2] == pytest.approx(0.0, abs=1e-3)


def test_all_edges_are_let_go_of() -> None:
    with standing_on(step_at(-0.10)) as (ground, opened):
        ground.remembers_edges = True
        ground.update(at(), settle=True)
        ground.update(at(y=-0.05), settle=False)
        ground.remembers_edges = False
        ground.forget_all_edges()
        ground.update(at(), settle=False)
        assert heights_over_planes(ground, opened, at())[0, 2] == pytest.approx(0.0, abs=1e-3)


def test_slopes_are_no_edges() -> None:
    with standing_on([plate(slope=(0.3, -0.4))]) as (ground, _):
        ground.remembers_edges = True
        ground.update(at(), settle=True)
        ground.update(at(0.3, 0.4, 0.2), settle=False)
        assert ground.new_edges == 0


@pytest.mark.parametrize("point", [HEEL, BALL, TIP])
def test_planted_point_does_not_mind_edges_beside_it(point: int) -> None:
    edge = float(AWAY[point, 1]) - 0.01
    with standing_on(step_at(edge), (PLANTED, Contact(0, point, 0, FRAMES))) as (ground, opened):
        ground.remembers_edges = True
        ground.update(at(y=0.1), settle=True)
        ground.update(at(y=-0.02), settle=False)
        ground.update(at(y=0.1), settle=False)
        assert heights_over_planes(ground, opened, at(y=0.1))[0, point] == pytest.approx(
            0.0, abs=1e-3
        )


def test_a_heel_that_slides_minds_edges() -> None:
    slides = tuple(Contact(0, point, 0, FRAMES, slides=True) for point in (HEEL, BALL))
    with standing_on(step_at(float(AWAY[HEEL, 1]) - 0.01), slides) as (ground, opened):
        ground.remembers_edges = True
        ground.update(at(), settle=True)
        ground.update(at(y=-0.02), settle=False)
        ground.update(at(), settle=False)
        assert heights_over_planes(ground, opened, at())[0, HEEL] == pytest.approx(-0.2, abs=1e-3)


def test_only_points_in_the_ground_are_pressed() -> None:
    with standing_on([plate()]) as (ground, opened):
        ground.update(at(z=0.01), settle=True)
        assert not ground.press().any()
        deep = at(z=0.01)
        deep[2, 2] = -0.01
        ground.update(deep, settle=True)
        assert ground.press().any()
        ground.soften(1.0)
        weight = opened.weight(ground.goals.outside)
        assert (weight[2] > weight[1]).all()
        np.testing.assert_array_equal(weight[1], weight[3])
        for _ in range(30):
            ground.press()
        ground.soften(1.0)
        pressed = weight.copy()
        ground.press()
        ground.soften(1.0)
        np.testing.assert_array_equal(weight, pressed)


def test_softer_ground_weighs_less_and_comes_back() -> None:
    with standing_on([plate()]) as (ground, opened):
        ground.soften(5.0)
        np.testing.assert_allclose(opened.weight(ground.goals.outside), 4.0 / 25.0)
        np.testing.assert_allclose(opened.weight(ground.goals.above), 1.0)
        ground.soften(1.0)
        np.testing.assert_allclose(opened.weight(ground.goals.outside), 4.0)


def test_over_a_hole_points_keep_above_the_height_of_the_path() -> None:
    """The ground ends in front of the toes."""
    with standing_on([plate(0.1, y=(-0.05, 9.0))]) as (ground, opened):
        ground.update(at(z=0.1), settle=True)
        over = heights_over_planes(ground, opened, at(z=0.1))
        np.testing.assert_allclose(over, 0.0, atol=1e-3)
        assert all(np.isfinite(each).all() for each in planes(ground, opened))


def test_the_sides_of_a_sole_stay_out_of_the_ground() -> None:
    """Ground that leans to a side: on level soles one side is deeper than the middle."""
    with standing_on([plate(slope=(0.25, 0.0))], rim=True) as (ground, opened):
        values = at(z=0.005)
        ground.update(values, settle=True)
        outside = ground.goals.outside
        point, normal = (
            opened.field(outside, name)[:, len(TIPS) :] for name in ("point", "normal")
        )
        over = ((values[:, None] + RIM_AWAY - point) * normal).sum(axis=-1)
        assert (over[:, 0::2] < -0.004).all()
        assert (over[:, 1::2] > 0.014).all()
        assert ground.press().any()
        assert ground.too_deep > 1.0
        ground.soften(1.0)
        weight = opened.weight(outside)[:, len(TIPS) :]
        assert (weight[:, 0::2] > weight[:, 1::2]).all()


def test_the_sides_of_a_planted_ball_yield() -> None:
    """Where the ground leans more than an ankle, the ball stands and its sides are in it."""
    with standing_on([plate(slope=(0.25, 0.0))], (PLANTED,), rim=True) as (ground, opened):
        ground.update(at(z=0.001), settle=True)
        assert ground.press().any()
        ground.soften(1.0)
        weight = opened.weight(ground.goals.outside)[0, len(TIPS) :]
        yielding = np.array([name.startswith(("ball", "arch")) for name in RIM])
        np.testing.assert_allclose(weight[yielding], 4.0)
        assert weight[~yielding].max() > 4.0


def roof(top: float, y: float, slope: float = 0.3) -> list[Surface]:
    """Ground that rises to a ridge across the foot and falls behind it."""
    return [
        plate(top - slope * y, y=(-9.0, y), slope=(0.0, slope)),
        plate(top + slope * y, y=(y, 9.0), slope=(0.0, -slope)),
    ]


@pytest.mark.parametrize("rim", [False, True])
def test_a_ridge_between_sole_points_carries_the_foot(rim: bool) -> None:
    with standing_on(roof(0.05, 0.1), rim=rim) as (ground, opened):
        over, low = at(z=0.051), at(z=0.03)
        assert not ground.lift(over).any()
        ground.update(low, settle=True)
        before = planes(ground, opened)[0][..., 2].copy()
        assert ground.lift(low).all()
        ground.update(low, settle=True)
        after = planes(ground, opened)[0][..., 2]
        # The ridge, to within the distance at which it is looked for.
        np.testing.assert_allclose(after[:, [HEEL, BALL]], 0.05, atol=0.005)
        np.testing.assert_array_equal(after[:, TIP], before[:, TIP])
        assert ground.too_deep > 1.0


def test_a_ridge_below_a_planted_foot_does_not_lift_its_ball() -> None:
    with standing_on(roof(0.05, 0.1), (PLANTED,)) as (ground, opened):
        low = at(z=0.03)
        ground.update(low, settle=True)
        before = planes(ground, opened)[0].copy()
        ground.lift(low)
        ground.update(low, settle=True)
        np.testing.assert_array_equal(planes(ground, opened)[0][:, BALL], before[:, BALL])
