"""Places of single feet: beside edges, walls and other feet, and along with moving triangles."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from blender_bioik.motion.feet import Floats, Foot
from blender_bioik.motion.ground.terrain import Surface
from blender_bioik.motion.ground.underfoot import Ground
from blender_bioik.motion.plan.footprint import Footprint
from blender_bioik.motion.plan.footsteps import Stance, carried_place, find_place
from blender_bioik.motion.plan.tuning import FOOTSTEPS

from ...builders.motion.gaits import foot_along
from ...builders.motion.grounds import follow, moving, plate

HERE = np.zeros(2)
ROWS = slice(0, 4)


def footprint(foot: Foot | None = None) -> Footprint:
    return Footprint(foot or foot_along("leg", np.zeros((4, 3))), ROWS)


def all_of_it(rises: Floats, _lengths: Floats) -> Floats:
    """Feet that go along with all of the ground's rises."""
    return rises


def find(
    surfaces: list[Surface],
    ball: Floats = HERE,
    *,
    print_: Footprint | None = None,
    highest: float = 10.0,
    others: list[tuple[Floats, float]] | None = None,
) -> tuple[Floats, Ground]:
    underfoot = follow(surfaces, np.tile(ball, (4, 1)), knee=0.5)
    stance = Stance(print_ or footprint(), 0, underfoot, 1.0, highest, others or [], all_of_it)
    return find_place(stance, ball)


@given(
    x=st.floats(-3, 3),
    y=st.floats(-3, 3),
    across=st.floats(-0.3, 0.3),
    along=st.floats(-0.3, 0.3),
)
def test_foot_on_even_ground_stays_exactly_where_it_is(
    x: float, y: float, across: float, along: float
) -> None:
    ball = np.array([x, y])
    place, ground = find([plate(slope=(across, along))], ball)
    assert (place == ball).all()
    assert ground.height == pytest.approx(across * x + along * y, abs=1e-6)
    np.testing.assert_allclose(ground.slope, [across, along], atol=1e-6)


@given(edge=st.floats(-0.3, 0.3), height=st.floats(-0.4, 0.4))
def test_foot_is_never_moved_further_than_it_may(edge: float, height: float) -> None:
    ground = [plate(0.0, y=(edge, 9.0)), plate(height, y=(-9.0, edge))]
    place, found = find(ground)
    assert np.linalg.norm(place) <= FOOTSTEPS.search + 1e-9
    assert found.height in (0.0, pytest.approx(height))
    assert found.height.shape == ()


@given(angle=st.floats(-3.1, 3.1), edge=st.floats(-0.12, 0.0))
def test_place_turns_with_foot_and_ground(angle: float, edge: float) -> None:
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    foot = foot_along("leg", np.zeros((4, 3)))
    points = foot.points.copy()
    points[..., :2] = points[..., :2] @ turn.T
    turned_foot = Foot("leg", points, foot.clearance, foot.knee, foot.hip)

    def turned(surface: Surface) -> Surface:
        vertices = surface.vertices.copy()
        vertices[:, :2] = vertices[:, :2] @ turn.T
        return Surface(vertices, surface.triangles)

    ground = [plate(0.0, y=(edge, 9.0)), plate(0.16, y=(-9.0, edge))]
    before, _ = find(ground)
    after, _ = find([turned(part) for part in ground], print_=footprint(turned_foot))
    np.testing.assert_allclose(after, turn @ before, atol=2e-3)


def test_ball_beside_a_wall_keeps_the_foot_out_of_it() -> None:
    """A wall too high to step on, across the toes."""
    wall = plate(0.45, y=(-9.0, -0.05))
    place, ground = find([plate(), wall], highest=0.3)
    assert ground.height == 0.0
    assert place[1] - 0.07 >= -0.05


def test_foot_overhanging_a_drop_is_drawn_back_but_stays_on_its_level() -> None:
    place, ground = find([plate(0.0, y=(-0.02, 9.0)), plate(-0.4)])
    assert ground.height == 0.0
    assert place[1] > 0.0


def test_feet_keep_the_distance_they_may_not_go_below() -> None:
    other = np.array([0.05, 0.0])
    place, _ = find([plate()], others=[(other, 0.1)])
    assert np.linalg.norm(place - other) > 0.08
    near, _ = find([plate()], others=[(other, 0.05)])
    assert (near == HERE).all()


def test_hoof_of_no_length_has_a_footprint() -> None:
    hoof = Foot("leg", np.zeros((4, 3, 3)), np.zeros(3), np.zeros((4, 3)), np.zeros((4, 3)))
    print_ = footprint(hoof)
    assert np.isfinite(print_.forward).all()
    place, ground = find([plate(0.0, y=(0.01, 9.0)), plate(0.16, y=(-9.0, 0.01))], print_=print_)
    assert np.isfinite(place).all()
    assert ground.height in (0.0, pytest.approx(0.16))


def test_places_on_still_ground_and_over_holes_stay() -> None:
    underfoot = follow([plate()], np.zeros((4, 2)))
    start = np.array([0.1, 0.2, 0.3])
    for triangle in (0, -1):
        found = carried_place(underfoot, start, triangle, 0, np.arange(4))
        np.testing.assert_array_equal(found, np.tile(start, (4, 1)))


def test_places_follow_moving_ground_before_and_after() -> None:
    way = np.outer(np.arange(6), [0.1, 0.2, 0.3])
    underfoot = follow([moving(plate(), way)], np.zeros((6, 2)))
    start = np.array([0.5, 0.5, 0.3])
    found = carried_place(underfoot, start, 0, 3, np.arange(6))
    np.testing.assert_allclose(found, start + way - way[3], atol=1e-12)


def test_places_on_ground_that_is_away_for_a_while_go_straight_on() -> None:
    way = np.outer(np.arange(8.0), [0.1, 0.0, 0.0])
    surface = moving(plate(), way)
    assert surface.matrices is not None
    surface.matrices[3:5] = np.nan
    underfoot = follow([surface], np.zeros((8, 2)))
    found = carried_place(underfoot, np.zeros(3), 0, 0, np.arange(8))
    np.testing.assert_allclose(found, way, atol=1e-12)


@pytest.mark.parametrize("beyond", [0.005, 0.02])
def test_a_foot_lands_clear_of_an_edge_just_behind_its_heel(beyond: float) -> None:
    """Coming up a stair, a heel so close to the edge would have to be thrown over it."""
    heel = float(footprint().offsets[0][1])
    edge = heel + beyond
    stair = [plate(0.0, y=(-9.0, edge)), plate(-0.16, y=(edge, 9.0))]
    place, ground = find(stair)
    assert ground.height == 0.0
    assert place[1] < -0.01
    assert abs(place[0]) < 0.02
    # Further away it is in nobody's way.
    far = [plate(0.0, y=(-9.0, heel + 0.1)), plate(-0.16, y=(heel + 0.1, 9.0))]
    assert (find(far)[0] == HERE).all()
