"""Elements of the overlay as shapes: of a trace and its stances, the current frame, and goals.

Still elements only change with their data, moving ones on every frame.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from . import colours
from .colours import Colour, faded, mixed
from .shapes import (
    DIAGONALS,
    OCTAHEDRON,
    Lines,
    Points,
    Triangles,
    beside,
    closed,
    corners,
    dashed,
    diamond,
    fill,
    filled,
    footprint,
    joined,
    lines,
    marks,
    path,
    thinned,
)
from .stances import ContactSpan, Stance

if TYPE_CHECKING:
    from ..rig.trace.goal_places import GoalPlace
    from ..rig.trace.trace import FootTrace, Trace

# Sizes for a character of 1.6 m, metres. Height of footprints above the ground.
LIFT = 0.006
MARK, SMALL_MARK, DASH = 0.022, 0.012, 0.04
# Paths may be drawn this much beside where they are, and farther where nobody measures by them, as
# spans and what is behind something: each line of them is drawn two or three times at every redraw.
SLACK, FAINT_SLACK = 0.001, 0.003
# Lanes of spans are so far beside and below the pelvis' path, the second one twice as far below.
LANE_ASIDE, LANE_BELOW = 0.05, 0.04
# Opacity of what is not current, and of the inside of footprints.
CALM, INSIDE, CURRENT_INSIDE = 0.75, 0.22, 0.5
# The chosen footprint has an outline so many times as large around it.
CHOSEN = 1.18
POINTS = ("HEEL", "BALL", "TIP")


@dataclass(frozen=True)
class Look:
    """Visible elements and colours."""

    goals: bool = True
    soles: bool = True
    footprints: bool = True
    spans: bool = True
    pelvis: bool = True
    ghost: bool = True
    after: Colour = (0.55, 1.0, 1.0, 1.0)
    before: Colour = (0.7, 0.7, 0.7, 1.0)
    chosen: Colour = (1.0, 0.6, 0.2, 1.0)
    ghost_opacity: float = 0.6


class Step(NamedTuple):
    """A stance in space.

    Attributes:
        stand: When which foot stands.
        outline: Its footprint; (n, 3).
        slide: Path of the ball during it; (rows, 3).
        span: Path along the pelvis' path during it, in the foot's own lane; (n, 3).
    """

    stance: Stance
    outline: Points
    slide: Points
    span: Points


class Layer(NamedTuple):
    """Shapes that are drawn together: fills, lines, and bold lines over these.

    Where they are occluded, only faint lines are drawn.
    """

    fills: Triangles
    lines: Lines
    bold: Lines
    faint: Lines


def find_steps(trace: Trace, stances: Iterable[Stance]) -> list[Step]:
    """Footprints and spans of the stances inside the clip, also of other parts that rest."""
    stances = list(stances)
    resting = {stance.foot for stance in stances}
    shown = [*trace.feet, *(part for part in trace.others if part.name in resting)]
    feet = {foot.name: foot for foot in shown}
    lanes = _lanes(trace, shown)
    bends = {name: corners(lane, FAINT_SLACK * trace.scale) for name, lane in lanes.items()}
    steps = []
    for stance in stances:
        foot, rows = feet.get(stance.foot), _rows(trace, stance)
        if foot is None or rows.start == rows.stop:
            continue
        row = trace.row(min(max(stance.middle, trace.frames[0]), trace.frames[-1]))
        heel, ball, tip = foot.points[row]
        outline = footprint(heel, ball, tip, foot.aside[row], trace.scale)
        outline[:, 2] += LIFT * trace.scale
        slide = foot.points[rows, 1].astype(np.float32)
        slide[:, 2] += LIFT * trace.scale
        drawn = bends[stance.foot][rows].copy()
        drawn[[0, -1]] = True
        steps.append(Step(stance, outline, slide, lanes[stance.foot][rows][drawn]))
    return steps


def still_elements(trace: Trace, steps: Sequence[Step], look: Look) -> Layer:
    """Paths, spans and footprints of a whole clip."""
    slack = SLACK * trace.scale
    outlines: list[Lines] = []
    fills: list[Triangles] = []
    for step in steps if look.footprints else ():
        colour = stance_colour(step.stance)
        if step.stance.slides:
            dashes = dashed(closed(step.outline), DASH / 2.0 * trace.scale, slack)
            outlines.append(lines(dashes, colour))
            outlines.append(lines(path(thinned(step.slide, slack)), faded(colour, CALM)))
        else:
            outlines.append(lines(path(closed(step.outline)), faded(colour, CALM)))
            fills.append(fill(step.outline, faded(colour, INSIDE)))
    paths, faint_paths = (
        joined(_paths(trace, look, k * trace.scale)) for k in (SLACK, FAINT_SLACK)
    )
    spans = joined(
        lines(_bar(trace, step), faded(stance_colour(step.stance), CALM))
        for step in (steps if look.spans else ())
    )
    return Layer(filled(fills), joined((paths, *outlines)), spans, joined((faint_paths, spans)))


def current_elements(
    trace: Trace, steps: Sequence[Step], look: Look, frame: float, made: dict[int, Layer]
) -> Layer:
    """Steps in contact at a frame, the active step, and the pelvis.

    Args:
        trace: Paths of the character.
        steps: The steps of its feet.
        look: Visible elements and colours.
        frame: The current frame.
        made: Cache of the shapes of single steps by index: the next frame uses most
            of them again.
    """
    layers = []
    for number, step in enumerate(steps):
        if step.stance.chosen or step.stance.is_at(frame):
            shown = 2 * number + step.stance.is_at(frame)
            if shown not in made:
                made[shown] = _present_step(trace, step, look, stood_in=bool(shown % 2))
            layers.append(made[shown])
    layers.append(_present_pelvis(trace, look, frame))
    fills, thin, bold, faint = zip(*layers, strict=True)
    return Layer(filled(fills), joined(thin), joined(bold), joined(faint))


def _present_step(trace: Trace, step: Step, look: Look, *, stood_in: bool) -> Layer:
    """Extra shapes of a step while it is in contact or active."""
    colour = stance_colour(step.stance)
    thin: list[Lines] = []
    bold: list[Lines] = []
    fills: list[Triangles] = []
    if look.footprints and stood_in:
        fills.append(fill(step.outline, faded(colour, CURRENT_INSIDE)))
        bold.append(lines(path(closed(step.outline)), colour))
    if look.footprints and step.stance.chosen:
        middle = step.outline.mean(axis=0)
        around = middle + CHOSEN * (step.outline - middle)
        thin.append(lines(path(closed(around)), look.chosen))
    if look.spans and stood_in:
        bold.append(lines(_bar(trace, step), mixed(colour, colours.LIGHT, 0.35)))
    return Layer(filled(fills), joined(thin), joined(bold), joined(()))


def _present_pelvis(trace: Trace, look: Look, frame: float) -> Layer:
    row = trace.row(frame)
    if not look.pelvis or row is None:
        return Layer(filled(()), joined(()), joined(()), joined(()))
    size = SMALL_MARK * trace.scale
    thin: list[Lines] = []
    bold = lines(diamond(trace.pelvis[row], size), look.after)
    if trace.source_pelvis is not None:
        source = trace.source_pelvis[row]
        thin.append(lines(diamond(source, size), look.before))
        thin.append(lines([[source, trace.pelvis[row]]], faded(look.before, CALM)))
    return Layer(filled(()), joined(thin), bold, joined(()))


def ghost_elements(trace: Trace, look: Look, frame: float) -> Lines:
    """The source as a stick figure."""
    row = trace.row(frame)
    if not look.ghost or trace.ghost is None or row is None:
        return joined(())
    return lines(trace.ghost[row], faded(look.before, look.ghost_opacity))


def sole_elements(
    points: Mapping[tuple[str, str], ArrayLike],
    contacts: Iterable[ContactSpan],
    frame: float,
    scale: float,
) -> Lines:
    """Marks at sole points: large where they are planted, crosses where they slide.

    Args:
        points: Places by foot and point.
        contacts: Their contacts.
        frame: The current frame.
        scale: Size of the character relative to one of 1.6 m.
    """
    standing = {
        (contact.foot, contact.point): contact.slides
        for contact in contacts
        if contact.start <= frame <= contact.end
    }
    places: dict[bool | None, list[Any]] = {None: [], False: [], True: []}
    for key, place in points.items():
        places[standing.get(key)].append(place)
    kinds = (
        (OCTAHEDRON, places[None], 0.6 * SMALL_MARK * scale, colours.FREE),
        (OCTAHEDRON, places[False], SMALL_MARK * scale, colours.PLANTED),
        (DIAGONALS, places[True], MARK * scale, colours.SLIDES),
    )
    return joined(marks(*kind) for kind in kinds if kind[1])


def goal_elements(places: Sequence[GoalPlace], scale: float) -> Lines:
    """Lines from bones to their goals, and marks there: crosses where they are missed."""
    seen = [goal_colour(place) for place in places]
    missed = [k for k, place in enumerate(places) if place.error and not place.error.reached]
    led = [(place.start, place.end) for place in places if place.start is not None]
    of_led = [seen[k] for k, place in enumerate(places) if place.start is not None]
    return joined(
        (
            marks(OCTAHEDRON, [place.end for place in places], MARK * scale, seen),
            marks(
                DIAGONALS,
                [places[k].end for k in missed],
                1.8 * MARK * scale,
                [seen[k] for k in missed],
            ),
            lines(led, of_led),
        )
    )


def goal_colour(place: GoalPlace) -> Colour:
    """Colour of a goal by its error after the last solve."""
    if place.error is None:
        return colours.UNSOLVED
    if place.error.reached:
        return colours.REACHED
    return colours.error_colour(place.error.value, place.tolerance)


def stance_colour(stance: Stance) -> Colour:
    """Colour of a stance: planted or sliding."""
    return colours.SLIDES if stance.slides else colours.PLANTED


def _paths(trace: Trace, look: Look, slack: float) -> Iterator[Lines]:
    """The pelvis path, with the source's path dashed."""
    if look.pelvis:
        yield lines(path(thinned(trace.pelvis, slack)), look.after)
    if look.pelvis and trace.source_pelvis is not None:
        yield lines(dashed(trace.source_pelvis, DASH * trace.scale, slack), look.before)


def _bar(trace: Trace, step: Step) -> Points:
    """A bar along the pelvis path during a stance, dashed if it slides."""
    if step.stance.slides:
        return dashed(step.span, DASH * trace.scale, FAINT_SLACK * trace.scale)
    return path(step.span)


def _lanes(trace: Trace, feet: Sequence[FootTrace]) -> dict[str, Points]:
    """Lanes along the pelvis path, one for each foot, on its side.

    No two have the same height or position in plan view, so that all are visible from any side.
    """
    left = beside(trace.pelvis, 1.0)[:, :2] - trace.pelvis[:, :2]
    taken = {-1.0: 0, 1.0: 0}
    lanes = {}
    for number, foot in enumerate(feet):
        aside = np.sum((foot.points[:, 1, :2] - trace.pelvis[:, :2]) * left, axis=1).mean()
        side = 1.0 if aside >= 0.0 else -1.0
        taken[side] += 1
        lanes[foot.name] = beside(trace.pelvis, side * taken[side] * LANE_ASIDE * trace.scale)
        lanes[foot.name][:, 2] -= (number + 1) * LANE_BELOW * trace.scale
    return lanes


def _rows(trace: Trace, stance: Stance) -> slice:
    """Rows of a clip that belong to a stance."""
    first = int(np.searchsorted(trace.frames, stance.start, side="left"))
    return slice(first, int(np.searchsorted(trace.frames, stance.end, side="right")))
