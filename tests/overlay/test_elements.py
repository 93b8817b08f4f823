"""Shapes that the overlay draws for a trace.

Tests of: colours, paths, stances.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from blender_bioik.overlay import colours
from blender_bioik.overlay.elements import (
    Layer,
    Look,
    current_elements,
    find_steps,
    ghost_elements,
    goal_elements,
    sole_elements,
    still_elements,
)
from blender_bioik.overlay.shapes import Points
from blender_bioik.overlay.stances import ContactSpan, Stance, find_stances

FRAMES = np.arange(1.0, 41.0)
NOTHING: dict[str, Any] = dict.fromkeys(
    ("goals", "soles", "footprints", "spans", "pelvis", "ghost"), False
)
CONTACTS = [
    ContactSpan("L", "BALL", 1, 15, False),
    ContactSpan("R", "BALL", 12, 28, True),
    ContactSpan("L", "BALL", 30, 40, False),
]


def walking(frames: np.ndarray = FRAMES) -> Any:
    """A trace of a body that walks along Y; its source was 10 cm lower."""
    count = len(frames)
    pelvis = np.stack([np.zeros(count), 0.05 * frames, np.ones(count)], axis=1)
    feet = []
    for name, x in (("L", -0.1), ("R", 0.1)):
        heel = np.stack([np.full(count, x), 0.05 * frames, np.zeros(count)], axis=1)
        points = heel[:, None] + np.array([[0, 0, 0], [0, 0.18, 0], [0, 0.25, 0]])
        aside = np.tile([1.0, 0.0, 0.0], (count, 1))
        feet.append(SimpleNamespace(name=name, points=points, aside=aside))
    lower = np.array([0.0, 0.0, 0.1])
    ghost = np.stack([pelvis - lower, pelvis + lower], axis=1)[:, None]

    def row(frame: float) -> int | None:
        found = np.flatnonzero(frames == round(frame))
        return int(found[0]) if len(found) else None

    return SimpleNamespace(
        frames=frames,
        pelvis=pelvis,
        source_pelvis=pelvis - lower,
        feet=tuple(feet),
        others=(),
        ghost=ghost,
        scale=1.0,
        row=row,
    )


def only(*names: str) -> Look:
    """A look that shows nothing else."""
    return Look(**(NOTHING | dict.fromkeys(names, True)))


def of_colour(drawn: Any, colour: colours.Colour) -> Points:
    """Those of some shapes that have a colour, however opaque."""
    same = np.abs(drawn.colours[:, 0, :3] - np.array(colour[:3], np.float32)).max(axis=-1) < 1e-3
    found: Points = drawn.points[same]
    return found


def still(trace: Any, stances: list[Stance], look: Look) -> Any:
    return still_elements(trace, find_steps(trace, stances), look)


def current(trace: Any, stances: list[Stance], look: Look, frame: float) -> Any:
    return current_elements(trace, find_steps(trace, stances), look, frame, {})


def test_the_pelvis_is_drawn_after_and_dashed_before() -> None:
    look = only("pelvis")
    drawn = still(walking(), [], look)

    after, before = of_colour(drawn.lines, look.after), of_colour(drawn.lines, look.before)
    np.testing.assert_allclose(after[:, 0, 2], 1.0, atol=1e-6)
    np.testing.assert_allclose(before[..., 2], 0.9, atol=1e-6)
    lengths = [np.linalg.norm(ends[:, 1] - ends[:, 0], axis=-1).sum() for ends in (after, before)]
    assert lengths[1] == pytest.approx(lengths[0] / 2.0, rel=0.1)


def test_planted_footprints_are_filled_and_sliding_ones_dashed() -> None:
    drawn = still(walking(), find_stances(CONTACTS), only("footprints"))

    assert len(of_colour(drawn.fills, colours.PLANTED)) > 0
    assert len(of_colour(drawn.fills, colours.SLIDES)) == 0
    dashes = of_colour(drawn.lines, colours.SLIDES)
    assert (dashes[..., 0] > 0.0).all()  # the right foot
    # Footprints lie above the ground, that nothing flickers, and nearly on it.
    assert drawn.lines.points[..., 2].min() > 0.003
    assert drawn.lines.points[..., 2].max() < 0.01


def test_a_footprint_is_where_the_foot_is_in_the_middle_of_the_balls_contact() -> None:
    drawn = still(walking(), find_stances(CONTACTS[:1]), only("footprints"))

    along = drawn.lines.points[..., 1]
    assert along.min() == pytest.approx(0.05 * 8, abs=1e-5)
    assert along.max() == pytest.approx(0.05 * 8 + 0.25, abs=1e-5)


def test_contacts_outside_of_the_clip_or_of_unknown_feet_are_not_drawn() -> None:
    contacts = [ContactSpan("L", "BALL", 100, 120, False), ContactSpan("X", "BALL", 1, 9, False)]
    drawn = still(walking(), find_stances(contacts), only("footprints", "spans"))

    assert len(drawn.lines.points) == len(drawn.bold.points) == len(drawn.fills.points) == 0


def test_spans_last_as_long_as_feet_stand_each_on_its_side() -> None:
    drawn = still(walking(), find_stances(CONTACTS), only("spans"))

    planted, sliding = (of_colour(drawn.bold, c) for c in (colours.PLANTED, colours.SLIDES))
    assert (planted[..., 0] < 0.0).all()
    assert (sliding[..., 0] > 0.0).all()
    np.testing.assert_allclose(
        [planted[..., 1].min(), planted[..., 1].max()], [0.05, 2.0], atol=1e-5
    )
    np.testing.assert_allclose(
        [sliding[..., 1].min(), sliding[..., 1].max()], [0.05 * 12, 0.05 * 28], atol=1e-5
    )


def test_other_parts_are_drawn_where_they_rest() -> None:
    trace = walking()
    hand = SimpleNamespace(
        name="hand.L",
        points=trace.feet[0].points + np.array([0.0, 0.4, 0.0]),
        aside=trace.feet[0].aside,
    )
    trace.others = (hand, SimpleNamespace(**vars(hand) | {"name": "hand.R"}))
    feet = len(find_steps(trace, find_stances(CONTACTS)))
    spans = [*CONTACTS, ContactSpan("hand.L", "PART", 5, 15, False)]
    steps = find_steps(trace, find_stances(spans))
    assert len(steps) == feet + 1
    (step,) = (step for step in steps if step.stance.foot == "hand.L")
    middle = hand.points[trace.row(10), :, 1]
    assert middle.min() - 0.1 < step.outline[:, 1].mean() < middle.max() + 0.1


def test_lanes_of_four_feet_are_apart() -> None:
    trace = walking()
    more = [SimpleNamespace(name=f.name + "2", points=f.points, aside=f.aside) for f in trace.feet]
    trace.feet = (*trace.feet, *more)

    stances = [Stance(foot.name, 1, 40, 20.0, slides=False) for foot in trace.feet]
    lanes = [step.span for step in find_steps(trace, stances)]

    assert len(lanes) == 4
    for i, one in enumerate(lanes):
        for other in lanes[i + 1 :]:
            assert np.abs(one - other)[:, 2].min() > 0.02
            assert np.abs(one - other)[:, 0].min() > 0.02


def test_current_stands_are_bold_and_the_chosen_one_is_outlined() -> None:
    stances = find_stances(CONTACTS, chosen=CONTACTS[2])
    look = only("footprints")

    at_5 = current(walking(), stances, look, 5)
    at_20 = current(walking(), stances, look, 20)

    assert len(of_colour(at_5.bold, colours.PLANTED)) > 0
    assert len(of_colour(at_5.bold, colours.SLIDES)) == 0
    assert len(of_colour(at_20.bold, colours.SLIDES)) > 0
    assert len(of_colour(at_5.lines, look.chosen)) == len(of_colour(at_20.lines, look.chosen)) > 0


def test_the_ghost_follows_the_frame_and_is_hidden_outside_of_the_clip() -> None:
    trace = walking()

    drawn = ghost_elements(trace, Look(ghost_opacity=0.4), 7)

    np.testing.assert_allclose(drawn.points[0, 0], trace.ghost[6, 0, 0], atol=1e-6)
    np.testing.assert_allclose(drawn.colours[..., 3], 0.4, atol=1e-6)
    assert len(ghost_elements(trace, Look(), 99).points) == 0
    assert len(ghost_elements(trace, Look(ghost=False), 7).points) == 0
    trace.ghost = None
    assert len(ghost_elements(trace, Look(), 7).points) == 0


def test_sole_points_show_whether_they_stand_slide_or_swing() -> None:
    points = {("L", "BALL"): (0, 0, 0), ("R", "BALL"): (1, 0, 0), ("L", "TIP"): (0, 1, 0)}

    drawn = sole_elements(points, CONTACTS, 13, 1.0)

    for place, colour in (
        ((0, 0, 0), colours.PLANTED),
        ((1, 0, 0), colours.SLIDES),
        ((0, 1, 0), colours.FREE),
    ):
        marks = of_colour(drawn, colour)
        np.testing.assert_allclose(marks.reshape(-1, 3).mean(axis=0), place, atol=1e-6)


def place(value: float | None, reached: bool = False, start: Any = (0, 0, 1)) -> Any:
    error = None if value is None else SimpleNamespace(value=value, reached=reached)
    return SimpleNamespace(start=start, end=(0, 0, 2), error=error, tolerance=0.1)


@pytest.mark.parametrize(
    ("goal", "colour"),
    [
        (place(0.05, reached=True), colours.REACHED),
        (place(90.0), colours.FAR),
        (place(None), colours.UNSOLVED),
        # A preference is never missed, however far off.
        (place(90.0, reached=True), colours.REACHED),
    ],
)
def test_goal_lines_have_the_colour_of_their_errors(goal: Any, colour: colours.Colour) -> None:
    drawn = goal_elements([goal], 1.0)

    assert len(of_colour(drawn, colour)) == len(drawn.points)
    lengths = np.linalg.norm(drawn.points[:, 1] - drawn.points[:, 0], axis=-1)
    assert lengths.max() == pytest.approx(1.0)


def test_missed_goals_have_a_cross_as_well() -> None:
    missed, reached = (goal_elements([place(50.0, reached=r)], 1.0) for r in (False, True))

    assert len(missed.points) > len(reached.points)


def test_goals_about_no_point_have_a_mark_only() -> None:
    drawn = goal_elements([place(None, start=None)], 1.0)

    assert np.linalg.norm(drawn.points - np.array((0, 0, 2)), axis=-1).max() < 0.1


def test_elements_that_are_switched_off_are_not_shown() -> None:
    trace, stances = walking(), find_stances(CONTACTS)
    for layer in (still(trace, stances, only()), current(trace, stances, only(), 5)):
        assert not any(len(shapes.points) for shapes in layer)


def test_shapes_of_steps_are_made_once_and_shown_as_long_as_they_are_stood_in() -> None:
    trace = walking()
    made: dict[int, Layer] = {}
    steps = find_steps(trace, find_stances(CONTACTS, CONTACTS[0]))
    for frame in (*FRAMES, *FRAMES[::-1]):
        drawn = current_elements(trace, steps, Look(), frame, made)
        fresh = current_elements(trace, steps, Look(), frame, {})
        for kept, new in zip(drawn, fresh, strict=True):
            for one, other in zip(kept, new, strict=True):
                np.testing.assert_array_equal(one, other)
    chosen = [step.stance.chosen for step in steps]
    assert len(made) <= len(steps) + sum(chosen)
