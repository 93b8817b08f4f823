"""Shapes, colours and stances: arrays in, arrays out, without Blender."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from blender_bioik.overlay import colours
from blender_bioik.overlay.shapes import (
    DIAGONALS,
    OCTAHEDRON,
    beside,
    closed,
    dashed,
    diamond,
    fill,
    footprint,
    joined,
    lines,
    marks,
    path,
    thinned,
)
from blender_bioik.overlay.stances import ContactSpan, find_stances

WAY = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 2.0, 0.0]])
ASIDE = np.array([1.0, 0.0, 0.0])
WHITE = (1.0, 1.0, 1.0, 1.0)


def length(ends: np.ndarray) -> float:
    """How long lines (n, 2, 3) are together."""
    return float(np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1).sum())


def area(triangles: np.ndarray) -> float:
    """How large triangles (n, 3, 3) are together."""
    a, b, c = triangles.swapaxes(0, 1)
    return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2.0)


def test_they_need_no_blender() -> None:
    code = (
        "import sys, blender_bioik.overlay.elements, blender_bioik.overlay.stances;"
        "print({'bpy', 'gpu', 'mathutils'} & set(sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.stdout.strip() == "set()", run.stderr


def test_a_path_is_drawn_from_point_to_point() -> None:
    assert length(path(WAY)) == pytest.approx(3.0)
    assert path(WAY[:1]).shape == (0, 2, 3)


def test_dashes_leave_half_of_a_path_out_and_keep_its_ends_and_corners() -> None:
    dashes = dashed(WAY, 0.1)

    assert length(dashes) == pytest.approx(1.5, abs=0.1)
    np.testing.assert_allclose(dashes[0, 0], WAY[0], atol=1e-6)
    np.testing.assert_allclose(dashes[-1, 1], WAY[-1], atol=1e-6)
    points = dashes.reshape(-1, 3)
    on_way = (np.abs(points[:, 1]) < 1e-6) | (np.abs(points[:, 0] - 1.0) < 1e-6)
    assert on_way.all()


def aside(points: np.ndarray, drawn: np.ndarray) -> float:
    """How far the farthest point is off the nearest of the lines (n, 2, 3) that are drawn."""
    start, line = drawn[:, 0], drawn[:, 1] - drawn[:, 0]
    to_point = points[:, None] - start
    share = np.clip((to_point * line).sum(-1) / (line * line).sum(-1), 0.0, 1.0)
    return float(np.linalg.norm(to_point - share[..., None] * line, axis=-1).min(axis=1).max())


@pytest.mark.parametrize("count", [2, 3, 4, 17, 100, 259])
@pytest.mark.parametrize("slack", [0.0, 0.001, 0.02])
def test_a_thinned_path_stays_near_all_of_its_points(count: int, slack: float) -> None:
    at = np.linspace(0.0, 6.0, count)
    way = np.stack([at, 0.3 * np.sin(at), 0.1 * np.cos(3.0 * at)], axis=1)

    thin = thinned(way, slack)

    np.testing.assert_allclose(thin[[0, -1]], way[[0, -1]], atol=1e-6)
    assert aside(way, path(thin)) <= slack + 1e-5
    assert len(thin) < 0.6 * count or slack < 0.02 or count < 100


def test_straight_paths_are_drawn_with_few_lines() -> None:
    assert len(thinned(np.linspace(WAY[0], WAY[1], 1025), 1e-5)) == 2
    assert len(dashed(np.linspace(WAY[0], WAY[1], 1000), 0.1, 1e-5)) == 5


@pytest.mark.parametrize("way", [WAY[:0], WAY[:1], np.zeros((5, 3))])
def test_a_path_that_goes_nowhere_can_be_thinned(way: np.ndarray) -> None:
    assert len(thinned(way, 0.001)) == min(len(way), 2)


def test_dashes_keep_a_corner_that_is_farther_off_than_the_slack() -> None:
    corner = np.float32(WAY[1])
    coarse, fine = (dashed(WAY, 0.4, slack) for slack in (0.5, 0.001))

    assert np.abs(fine.reshape(-1, 3) - corner).max(axis=1).min() < 1e-6
    assert len(coarse) < len(fine)


@pytest.mark.parametrize("way", [WAY[:0], WAY[:1], np.zeros((5, 3))])
def test_a_path_that_goes_nowhere_has_no_dashes(way: np.ndarray) -> None:
    assert len(dashed(way, 0.1)) == 0


def test_a_footprint_goes_from_heel_to_tip_and_bends_at_the_ball() -> None:
    heel, ball, tip = (0.0, 0.0, 0.0), (0.0, 0.18, 0.0), (0.0, 0.25, 0.05)
    outline = footprint(heel, ball, tip, ASIDE, 1.0)

    np.testing.assert_allclose(outline[0], heel, atol=1e-6)
    assert np.linalg.norm(outline - np.array(tip), axis=1).min() < 1e-6
    assert np.ptp(outline[:, 0]) == pytest.approx(0.38 * np.linalg.norm(tip), rel=0.05)
    behind = outline[:, 1] < 0.17
    np.testing.assert_allclose(outline[behind, 2], 0.0, atol=1e-6)


def test_feet_without_toes_and_hooves_have_footprints_too() -> None:
    flat = footprint((0, 0, 0), (0, 0.2, 0), (0, 0.2, 0), ASIDE, 1.0)
    hoof = footprint((1, 2, 3), (1, 2, 3), (1, 2, 3), ASIDE, 2.0)

    assert np.isfinite(flat).all()
    assert np.ptp(flat[:, 1]) == pytest.approx(0.2, abs=1e-6)
    assert np.ptp(hoof[:, 1]) == pytest.approx(0.12, abs=1e-6)
    np.testing.assert_allclose(hoof.mean(axis=0), (1, 2, 3), atol=0.02)


def test_a_fill_covers_its_outline() -> None:
    outline = footprint((0, 0, 0), (0, 0.18, 0), (0, 0.25, 0), ASIDE, 1.0)
    x, y = closed(outline)[:, 0], closed(outline)[:, 1]
    inside = abs(float(np.sum(x[:-1] * y[1:] - x[1:] * y[:-1]))) / 2.0

    drawn = fill(outline, WHITE)

    assert area(drawn.points) == pytest.approx(inside, rel=1e-5)
    assert drawn.colours.shape == (*drawn.points.shape[:2], 4)


def test_marks_are_around_their_places() -> None:
    crossed = marks(DIAGONALS, [(1, 2, 3)], 0.5, WHITE).points
    for mark in (diamond((1, 2, 3), 0.5), crossed):
        np.testing.assert_allclose(mark.reshape(-1, 3).mean(axis=0), (1, 2, 3), atol=1e-6)
        away = np.linalg.norm(mark - np.array((1, 2, 3)), axis=-1)
        np.testing.assert_allclose(away, 0.5, atol=1e-6)


def test_marks_have_a_colour_each_if_they_are_given_some() -> None:
    drawn = marks(OCTAHEDRON, [(0, 0, 0), (5, 0, 0)], 1.0, [WHITE, colours.FAR])

    far = drawn.points[..., 0].min(axis=1) > 3.0
    np.testing.assert_allclose(drawn.colours[far], np.full((12, 2, 4), colours.FAR), atol=1e-6)
    np.testing.assert_allclose(drawn.colours[~far], 1.0)
    assert marks(OCTAHEDRON, [], 1.0, []).points.shape == (0, 2, 3)


def test_a_path_beside_another_is_to_its_left_at_the_same_height() -> None:
    way = np.stack([np.zeros(30), np.linspace(0, 3, 30), np.linspace(0, 1, 30)], axis=1)

    moved = beside(way, 0.2)

    np.testing.assert_allclose(moved[:, 0], -0.2, atol=1e-6)
    np.testing.assert_allclose(moved[:, 1:], way[:, 1:], atol=1e-6)


def test_a_path_on_the_spot_can_be_moved_aside() -> None:
    assert np.isfinite(beside(np.zeros((10, 3)), 0.1)).all()
    assert beside(np.zeros((1, 3)), 0.1).shape == (1, 3)


def test_lines_are_joined_with_their_colours() -> None:
    both = joined([lines(path(WAY), WHITE), lines([], WHITE), lines(path(WAY), colours.FAR)])

    assert both.points.shape == (4, 2, 3)
    np.testing.assert_allclose(both.colours[-1, 0], colours.FAR, atol=1e-6)
    assert joined(()).points.shape == (0, 2, 3)


def test_errors_go_from_green_over_yellow_to_red() -> None:
    assert colours.error_colour(0.1, 0.1) == colours.REACHED
    near, far = colours.error_colour(0.11, 0.1), colours.error_colour(50.0, 0.1)
    assert near == pytest.approx(colours.MISSED, abs=0.05)
    assert far == pytest.approx(colours.FAR)
    greens = [colours.error_colour(error, 0.1)[1] for error in (0.1, 0.2, 1.0, 5.0, 20.0)]
    assert greens[1:] == sorted(greens[1:], reverse=True)
    assert colours.error_colour(1.0, 0.0) == pytest.approx(colours.FAR)


def span(foot: str, point: str, start: int, end: int, slides: bool = False) -> ContactSpan:
    return ContactSpan(foot, point, start, end, slides)


def test_the_roll_of_a_foot_is_one_stance() -> None:
    roll = [span("L", "HEEL", 1, 10), span("L", "BALL", 4, 14), span("L", "TIP", 15, 18)]
    other = [span("R", "BALL", 8, 20, slides=True), span("L", "HEEL", 27, 33)]

    stances = find_stances([*other, *roll], chosen=roll[2])

    assert [(s.foot, s.start, s.end) for s in stances] == [
        ("L", 1, 18),
        ("L", 27, 33),
        ("R", 8, 20),
    ]
    assert [s.middle for s in stances] == [9.0, 30.0, 14.0]
    assert [s.slides for s in stances] == [False, False, True]
    assert [s.chosen for s in stances] == [True, False, False]
    assert stances[0].is_at(18)
    assert not stances[0].is_at(19)


def test_a_contact_that_was_split_is_two_stands() -> None:
    stances = find_stances([span("L", "BALL", 1, 9), span("L", "BALL", 10, 20)])

    assert [(s.start, s.end) for s in stances] == [(1, 9), (10, 20)]
