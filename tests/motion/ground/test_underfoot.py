"""Which of several surfaces a character walks on, and what it stands on over holes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from blender_bioik.motion.feet import Floats
from blender_bioik.motion.ground.terrain import Surface, Terrain

from ...builders.motion.grounds import follow, moving, plate, stairs

KNEE = 0.5


def along(start: float, stop: float, frames: int = 60, x: float = 0.0) -> Floats:
    """A straight path along Y."""
    return np.stack([np.full(frames, x), np.linspace(start, stop, frames)], axis=-1)


def hump(half: float = 3.0, top: float = 2.0) -> list[Surface]:
    """A ramp up along -Y, a bridge, and a ramp down, over y from -half to half."""
    slope = top / (half - 1.0)
    up = plate(top + slope, y=(1.0, half), x=(-1.0, 1.0), slope=(0.0, -slope))
    down = plate(top + slope, y=(-half, -1.0), x=(-1.0, 1.0), slope=(0.0, slope))
    return [up, plate(top, y=(-1.0, 1.0), x=(-1.0, 1.0)), down]


def test_flat_ground_is_as_high_as_it_is() -> None:
    ground = follow([plate(0.3)], along(0.0, -5.0))
    assert (ground.altitude == 0.3).all()
    assert len(ground.holes) == 0
    assert not ground.is_empty


def test_character_walks_over_a_bridge_that_its_path_climbs() -> None:
    ground = follow([plate(), *hump()], along(4.0, -4.0, 200))
    assert ground.altitude.max() == pytest.approx(2.0)
    assert ground.altitude[0] == ground.altitude[-1] == 0.0
    assert np.abs(np.diff(ground.altitude)).max() < 0.06


def test_character_walks_under_a_bridge_that_its_path_crosses() -> None:
    path = along(-4.0, 4.0, 200)[:, ::-1]  # along X, below the bridge
    ground = follow([plate(), *hump()], path)
    assert (ground.altitude == 0.0).all()
    under = ground.at(path, np.arange(200))
    assert (under.height == 0.0).all()


def test_one_path_over_and_then_under_the_same_bridge() -> None:
    over, aside = along(4.0, -4.0, 200), np.linspace([0.0, -4.0], [3.0, -4.0], 100)
    back = along(-4.0, 0.0, 100, x=3.0)
    under = np.stack([np.linspace(3.0, -3.0, 100), np.zeros(100)], axis=-1)
    ground = follow([plate(), *hump()], np.concatenate([over, aside, back, under]))
    assert ground.altitude[:200].max() == pytest.approx(2.0)
    assert (ground.altitude[200:] == 0.0).all()


def test_feet_under_a_low_roof_stand_on_the_floor() -> None:
    """A roof over the feet alone, not over the path."""
    path = along(1.0, -1.0)
    ground = follow([plate(), plate(1.9, x=(0.05, 2.0))], path)
    foot = path + np.array([0.1, 0.0])
    assert (ground.at(foot, np.arange(60)).height == 0.0).all()


@pytest.mark.parametrize("height", [-30.0, -1.0, 0.4, 3.0, 500.0])
def test_ground_is_found_however_far_from_the_source_floor(height: float) -> None:
    ground = follow([plate(height)], along(0.0, -5.0))
    assert (ground.altitude == height).all()
    assert len(ground.holes) == 0


def test_floor_above_the_source_floor_is_walked_on_not_the_roof_over_it() -> None:
    """A house of which the floor is a metre above the clip's, with a roof."""
    ground = follow([plate(1.0), plate(4.0)], along(0.0, -5.0))
    assert (ground.altitude == 1.0).all()


@pytest.mark.parametrize(("roof", "height"), [(2.8, 1.0), (2.2, 2.2)])
def test_a_room_is_higher_than_a_body(roof: float, height: float) -> None:
    """Below a roof at 1.8 m there is room to walk; a gap of 1.2 m is inside a thick floor."""
    ground = follow([plate(1.0), plate(roof)], along(0.0, -5.0))
    assert (ground.altitude == height).all()


def test_thick_floor_above_the_source_floor_is_walked_on_top() -> None:
    ground = follow([plate(0.8), plate(1.0), plate(4.0)], along(0.0, -5.0))
    assert (ground.altitude == 1.0).all()


def test_thick_ground_is_walked_on_top() -> None:
    """A box has a bottom face too."""
    ground = follow([plate(-0.2), plate(0.0)], along(0.0, -5.0))
    assert (ground.altitude == 0.0).all()


def test_three_metres_of_stairs_are_climbed() -> None:
    path = along(0.0, -10.0, 300)
    ground = follow(stairs(20, riser=0.15), path)
    assert ground.altitude[-1] == pytest.approx(3.0)
    assert (np.diff(ground.altitude) >= 0.0).all()
    assert len(ground.holes) == 0


def test_the_front_foot_stands_on_the_step_that_the_path_climbs_next() -> None:
    """It is higher above the path's ground than the knee."""
    path = along(0.0, -6.0, 72)
    ground = follow([plate(slope=(0.0, -1.0))], path)
    rows = np.arange(0, 48)
    found = ground.at(path[rows] + np.array([0.0, -0.7]), rows)
    np.testing.assert_allclose(found.height, -path[rows, 1] + 0.7, atol=1e-6)
    assert (found.triangle >= 0).all()


def test_stairs_under_a_roof_are_climbed_too() -> None:
    path = along(0.0, -10.0, 300)
    ground = follow([*stairs(20, riser=0.15), plate(6.0, y=(-20.0, -4.0))], path)
    assert ground.altitude[-1] == pytest.approx(3.0)
    assert ground.altitude.max() < 3.1


def test_a_table_higher_than_the_knee_is_no_ground() -> None:
    path = along(2.0, -2.0)
    ground = follow([plate(), plate(0.8, x=(-0.5, 0.5), y=(-0.5, 0.5))], path)
    assert (ground.altitude == 0.0).all()


def test_holes_are_bridged_straight_and_reported() -> None:
    path = along(2.0, -2.0, 81)
    ground = follow([plate(0.0, y=(0.5, 5.0)), plate(0.4, y=(-5.0, -0.5))], path)
    inside = np.flatnonzero(np.abs(path[:, 1]) < 0.49)
    assert set(inside) <= set(ground.holes)
    assert ground.altitude[40] == pytest.approx(0.2)
    found = ground.at(path[[40]], np.array([40]))
    assert found.triangle[0] == -1
    assert found.height[0] == pytest.approx(0.2)
    assert (found.slope == 0.0).all()


def test_path_that_leaves_the_ground_keeps_its_height() -> None:
    ground = follow([plate(0.3, y=(-1.0, 5.0))], along(2.0, -4.0))
    assert (ground.altitude == 0.3).all()
    assert (along(2.0, -4.0)[ground.holes, 1] < -1.0).all()
    assert len(ground.holes) > 20


def test_path_that_starts_off_the_ground_keeps_its_height() -> None:
    ground = follow([plate(0.3, y=(-9.0, 1.0))], along(4.0, -2.0))
    assert (ground.altitude == 0.3).all()
    assert len(ground.holes) > 20


def test_a_missing_ground_is_reported() -> None:
    ground = follow([plate(0.0, x=(50.0, 60.0))], along(2.0, -2.0))
    assert ground.is_empty
    assert np.isfinite(ground.altitude).all()
    assert np.isfinite(ground.ceiling).all()


def test_gap_between_planks_high_above_the_valley_is_a_hole() -> None:
    """The character does not fall through, and walk on in the valley."""
    ends = np.arange(-8.0, 4.0, 0.2).tolist()
    planks = [plate(5.0, x=(-1.0, 1.0), y=(y - 0.12, y)) for y in ends]
    start = plate(5.0, x=(-1.0, 1.0), y=(3.0, 9.0))
    path = along(5.0, -4.0, 120)
    ground = follow([plate(0.0), start, *planks], path, floor=5.0)
    np.testing.assert_allclose(ground.altitude, 5.0)


def test_foot_beside_a_narrow_bridge_keeps_the_height_of_the_bridge() -> None:
    path = along(2.0, -2.0)
    ground = follow([plate(-6.0), plate(0.0, x=(-0.15, 0.15))], path)
    found = ground.at(path + np.array([0.3, 0.0]), np.arange(60))
    assert (found.height == 0.0).all()
    assert (found.triangle == -1).all()


def test_a_character_that_walks_off_a_cliff_comes_down() -> None:
    path = along(2.0, -6.0, 120)
    ground = follow([plate(4.0, y=(0.0, 9.0)), plate(0.0)], path, floor=4.0)
    assert (ground.altitude[:20] == 4.0).all()
    assert (ground.altitude[-60:] == 0.0).all()
    assert (ground.at(path[-60:], np.arange(60, 120)).height == 0.0).all()


@pytest.mark.parametrize("bottom", [-5.0, -0.6])
def test_ravine_with_a_wall_behind_it_is_a_hole_however_wide(bottom: float) -> None:
    path = along(1.0, -4.0, 120)
    banks = [plate(0.0, y=(-0.5, 9.0)), plate(0.1, y=(-9.0, -2.5))]
    ground = follow([*banks, plate(bottom)], path)
    over = (path[:, 1] < -0.51) & (path[:, 1] > -2.49)
    assert set(np.flatnonzero(over)) <= set(ground.holes)
    assert (ground.altitude >= 0.0).all()
    assert ground.altitude[-1] == pytest.approx(0.1)
    # Nor does a foot step into it that is there before the body is, or after it.
    rows = np.flatnonzero(np.abs(path[:, 1] + 0.5) < 0.3)
    found = ground.at(np.tile([0.0, -1.0], (len(rows), 1)), rows)
    assert (found.triangle == -1).all()
    np.testing.assert_allclose(found.height, ground.altitude[rows])


def test_valley_behind_a_cliff_that_is_left_by_a_ramp_is_walked_through() -> None:
    path = along(2.0, -9.0, 240)
    cliff, ramp = plate(2.0, y=(0.0, 9.0)), plate(-4.0, y=(-9.0, -4.0), slope=(0.0, -1.0))
    ground = follow([cliff, plate(0.0), ramp], path, floor=2.0)
    assert ground.altitude[100] == 0.0
    assert len(ground.holes) == 0


@pytest.mark.parametrize("bottom", [-1.0, None])
def test_block_that_is_too_high_to_step_on_is_not_walked_inside(bottom: float | None) -> None:
    """A closed one has a bottom face too."""
    path = along(1.0, -2.0)
    faces = [plate(0.7, y=(-9.0, 0.0))]
    if bottom is not None:
        faces.append(plate(bottom, y=(-9.0, 0.0)))
    ground = follow([plate(0.0, y=(0.0, 9.0)), *faces], path)
    assert (ground.altitude == 0.0).all()
    assert set(np.flatnonzero(path[:, 1] < -0.01)) <= set(ground.holes)


def test_lift_takes_the_path_up_past_a_floor_and_under_a_roof() -> None:
    rise = np.linspace(0.0, 3.0, 60)
    way = np.stack([np.zeros(60), np.zeros(60), rise], axis=-1)
    lift = moving(plate(0.0, x=(-0.8, 0.8), y=(-0.8, 0.8)), way)
    shaft = plate(-1.0, x=(-1.0, 1.0), y=(-1.0, 1.0))
    ground = follow([lift, shaft, plate(5.5)], np.zeros((60, 2)))
    np.testing.assert_allclose(ground.altitude, rise)


def test_lift_that_goes_down_takes_the_path_along() -> None:
    rise = np.linspace(0.0, -3.0, 60)
    way = np.stack([np.zeros(60), np.zeros(60), rise], axis=-1)
    lift = moving(plate(0.0, x=(-0.8, 0.8), y=(-0.8, 0.8)), way)
    ground = follow([lift, plate(3.0)], np.zeros((60, 2)))
    np.testing.assert_allclose(ground.altitude, rise)


def test_ground_that_is_there_only_for_some_frames() -> None:
    matrices = np.tile(np.eye(4), (30, 1, 1))
    matrices[10:20] = np.nan
    ground = follow([Surface(plate().vertices, plate().triangles, matrices)], np.zeros((30, 2)))
    assert (ground.altitude == 0.0).all()
    assert ground.holes.tolist() == list(range(10, 20))


def test_single_frame() -> None:
    ground = follow([plate(0.2)], np.zeros((1, 2)))
    assert ground.altitude.tolist() == [0.2]


def test_shapes_of_points_and_rows_are_kept() -> None:
    ground = follow([plate(0.2, slope=(0.1, 0.2))], along(0.0, -1.0, 5))
    points = np.zeros((5, 4, 3))
    points[..., 2] = 77.0  # heights of points do not matter
    found = ground.at(points, np.arange(5)[:, None])
    assert found.height.shape == found.triangle.shape == (5, 4)
    assert found.slope.shape == (5, 4, 2)
    np.testing.assert_allclose(found.height, 0.2)
    np.testing.assert_allclose(found.slope, np.broadcast_to([0.1, 0.2], (5, 4, 2)))


@given(
    x=st.floats(-50, 50),
    y=st.floats(-50, 50),
    z=st.floats(-50, 50),
    times=st.sampled_from([0.1, 1.0, 10.0]),
)
def test_moved_and_scaled_with_the_ground_it_is_the_same(
    x: float, y: float, z: float, times: float
) -> None:
    surfaces = [plate(), *hump(), plate(-3.0)]
    path = along(4.0, -4.0, 80)
    before = follow(surfaces, path)
    matters = Terrain(
        [Surface(times * s.vertices + np.array([x, y, z]), s.triangles) for s in surfaces]
    )
    after = follow(matters, times * path + np.array([x, y]), floor=z, knee=times * KNEE)
    np.testing.assert_allclose(after.altitude, times * before.altitude + z, atol=1e-4)
    np.testing.assert_allclose(after.ceiling, times * before.ceiling + z, atol=1e-4)
