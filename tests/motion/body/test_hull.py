"""Hulls of clouds whose surface is known."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from blender_bioik.motion.body.hull import Hull, bare_hull, fit_hull
from blender_bioik.motion.feet import Floats

MILLIMETRE = 1e-3
ALONG = np.array([0.0, 1.0, 0.0])


def calf() -> Floats:
    """A cone along Y that bulges to -Z: from 5 cm at the knee to 3 cm at the ankle, 40 cm long."""
    length, angle = np.meshgrid(np.linspace(0.0, 0.4, 30), np.linspace(0.0, 2.0 * np.pi, 40))
    radius = 0.05 - 0.05 * length
    bulge = 0.03 * np.sin(np.pi * length / 0.4) * (np.sin(angle) < 0.0)
    z = radius * np.sin(angle) - bulge
    return np.stack([radius * np.cos(angle), length, z], axis=-1).reshape(-1, 3)


def turns(count: int) -> Floats:
    return Rotation.random(count, random_state=1).as_quat()[:, [3, 0, 1, 2]]


def lowest(cloud: Floats, turn: Floats) -> Floats:
    rotations = Rotation.from_quat(turn[:, [1, 2, 3, 0]]).as_matrix()
    return (rotations[:, 2] @ cloud.T).min(axis=1)


def test_the_lowest_point_is_that_of_the_mesh_however_it_is_turned() -> None:
    turn = turns(500)
    found = fit_hull("shin", calf(), ALONG).lowest(np.zeros((500, 3)), turn)
    off = found - lowest(calf(), turn)
    assert off.min() > -1e-12  # never outside of it
    assert off.max() < 6 * MILLIMETRE
    assert np.median(off) < 2 * MILLIMETRE


def test_a_hull_is_where_its_place_is() -> None:
    hull, turn = fit_hull("shin", calf(), ALONG), turns(3)
    above = hull.lowest(np.tile([5.0, 6.0, 7.0], (3, 1)), turn)
    np.testing.assert_allclose(above - 7.0, hull.lowest(np.zeros((3, 3)), turn), atol=1e-12)


def test_slices_without_vertices_lie_between_their_neighbours() -> None:
    """A box with vertices at its ends only."""
    corners = np.array(
        [[x, y, z] for x in (-0.05, 0.05) for y in (0.0, 0.4) for z in (-0.05, 0.05)]
    )
    hull = fit_hull("shin", corners, ALONG)
    level = np.array([[1.0, 0.0, 0.0, 0.0]])
    heights = hull.lowest_of_rings(np.eye(3)[None])[0]
    np.testing.assert_allclose(heights[:, 2], -0.05, atol=1e-12)
    assert hull.lowest(np.zeros((1, 3)), level) == pytest.approx(-0.05)
    assert np.diff(heights[2:-2, 1]).min() >= 0.0


def test_ends_are_marked() -> None:
    ends = fit_hull("shin", calf(), ALONG).ends
    assert ends[:2].all()
    assert ends[-2:].all()
    assert not ends[2:-2].any()


def test_a_bare_bone_has_a_capsule() -> None:
    hull, turn = bare_hull("shin", np.zeros(3), 0.4 * ALONG, 0.05), turns(500)
    ends = np.array([0.05 * ALONG, 0.35 * ALONG])
    truth = lowest(ends, turn) - 0.05
    off = hull.lowest(np.zeros((500, 3)), turn) - truth
    assert off.min() > -1e-12
    assert off.max() < 0.15 * 0.05


def test_what_is_no_hull_is_refused() -> None:
    with pytest.raises(ValueError, match="four rings"):
        Hull("shin", np.zeros((3, 8, 3)))
