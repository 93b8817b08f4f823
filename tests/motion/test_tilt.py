"""Feet that turn with a slope keep their heading in plan view."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from blender_bioik.motion.feet import Floats
from blender_bioik.motion.tilt import level_heading, tilted, upright_share

RANDOM = np.random.default_rng(0)
SLOPES = RANDOM.uniform(-0.6, 0.6, (100, 2))
HEADINGS = np.stack([np.cos(a := RANDOM.uniform(-np.pi, np.pi, 100)), np.sin(a), 0 * a], axis=-1)


def applied(turns: Floats, vectors: Floats) -> Floats:
    return np.asarray(Rotation.from_quat(np.roll(turns, -1, axis=1)).apply(vectors))


def test_a_level_foot_lies_on_the_slope_and_keeps_its_heading() -> None:
    turns = tilted(SLOPES, HEADINGS)
    up = applied(turns, np.tile([0.0, 0.0, 1.0], (100, 1)))
    normals = np.concatenate([-SLOPES, np.ones((100, 1))], axis=1)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    np.testing.assert_allclose(up, normals, atol=1e-9)
    ahead = applied(turns, HEADINGS)
    plan = ahead[:, :2] / np.linalg.norm(ahead[:, :2], axis=1, keepdims=True)
    np.testing.assert_allclose(plan, HEADINGS[:, :2], atol=1e-9)


def test_on_level_ground_nothing_turns() -> None:
    turns = tilted(np.zeros((100, 2)), HEADINGS + np.array([0.0, 0.0, 0.2]))
    np.testing.assert_allclose(np.abs(turns[:, 0]), 1.0, atol=1e-12)


def test_a_pitched_foot_keeps_its_heading_too() -> None:
    pitched = HEADINGS + np.array([0.0, 0.0, -0.3])
    ahead = applied(tilted(SLOPES, pitched), pitched)
    plan = ahead[:, :2] / np.linalg.norm(ahead[:, :2], axis=1, keepdims=True)
    np.testing.assert_allclose(plan, HEADINGS[:, :2], atol=1e-9)


def test_what_leads_straight_down_has_no_heading() -> None:
    assert level_heading(np.array([[0.1, 0.0, -1.0], [0.5, 0.0, -1.0]])).tolist() == [
        [0.0, 0.0, 0.0],
        [0.5, 0.0, 0.0],
    ]


def test_clearance_across_a_slope_is_more_when_measured_upright() -> None:
    assert upright_share(np.array([[0.0, 0.0], [0.75, 0.0]])) == pytest.approx([1.0, 1.25])
