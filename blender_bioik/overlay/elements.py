"""What the overlay shows, as shapes: of a trace and its stands, of the present frame, of goals.

Still elements change with their data only, moving ones with every frame.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from . import colours
from .colours import Colour, faded, mixed
from .shapes import (
    Lines,
    Points,
    Triangles,
    beside,
    closed,
    cross,
    dashed,
    diamond,
    fill,
    filled,
    footprint,
    joined,
    lines,
    path,
)
from .stands import ContactSpan, Stand

if TYPE_CHECKING:
    from ..rig.goal_places import GoalPlace
    from ..rig.trace import Trace

# Sizes for a character of 1.6 m, metres. Footprints lie this much above the ground.
LIFT = 0.006
MARK, SMALL_MARK, DASH = 0.022, 0.012, 0.03
# Lanes of spans are so far beside and below the pelvis' path, the second one twice as far below.
LANE_ASIDE, LANE_BELOW = 0.05, 0.04
# Opacity of what is not current, and of the inside of footprints.
CALM, INSIDE, CURRENT_INSIDE = 0.75, 0.22, 0.5
POINTS = ("HEEL", "BALL", "TIP")

# Paths (f, 3) by the names of feet.
Lanes = Mapping[str, Points]


@dataclass(frozen=True)
class Look:
    """What is shown, and in which colours."""

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


class Layer(NamedTuple):
    """Shapes that are drawn together: filled ones, lines, and bold lines over these."""

    fills: Triangles
    lines: Lines
    bold: Lines


def find_lanes(trace: Trace) -> Lanes:
    """Paths beside the pelvis' path, one for each foot, on its side.

    No two are at the same height or at the same place in plan view: they show from all sides.
    """
    left = beside(trace.pelvis, 1.0)[:, :2] - trace.pelvis[:, :2]
    taken = {-1.0: 0, 1.0: 0}
    lanes = {}
    for number, foot in enumerate(trace.feet):
        aside = np.sum((foot.points[:, 1, :2] - trace.pelvis[:, :2]) * left, axis=1).mean()
        side = 1.0 if aside >= 0.0 else -1.0
        taken[side] += 1
        lanes[foot.name] = beside(trace.pelvis, side * taken[side] * LANE_ASIDE * trace.scale)
        lanes[foot.name][:, 2] -= (number + 1) * LANE_BELOW * trace.scale
    return lanes


def still_elements(trace: Trace, stands: Sequence[Stand], lanes: Lanes, look: Look) -> Layer:
    """Paths, spans and footprints of a whole clip."""
    thin: list[Lines] = []
    bold: list[Lines] = []
    fills: list[Triangles] = []
    if look.pelvis:
        thin.append(lines(path(trace.pelvis), look.after))
        if trace.source_pelvis is not None:
            dashes = dashed(trace.source_pelvis, DASH * trace.scale)
            thin.append(lines(dashes, look.before))
    if look.spans:
        bold += _spans(trace, stands, lanes, light=False)
    if look.footprints:
        for stand, outline in _footprints(trace, stands):
            colour = stand_colour(stand)
            if stand.slides:
                thin.append(lines(dashed(closed(outline), DASH / 2.0 * trace.scale), colour))
                thin.append(lines(_slide(trace, stand), faded(colour, CALM)))
            else:
                thin.append(lines(path(closed(outline)), faded(colour, CALM)))
                fills.append(fill(outline, faded(colour, INSIDE)))
    return Layer(filled(fills), joined(thin), joined(bold))


def current_elements(
    trace: Trace, stands: Sequence[Stand], lanes: Lanes, look: Look, frame: float
) -> Layer:
    """Footprints that are stood on at a frame, the one that is chosen, and where the pelvis is."""
    row = trace.row(frame)
    bold: list[Lines] = []
    thin: list[Lines] = []
    fills: list[Triangles] = []
    if look.footprints:
        wanted = [stand for stand in stands if stand.is_at(frame) or stand.chosen]
        for stand, outline in _footprints(trace, wanted):
            if stand.chosen:
                around = outline.mean(axis=0) + 1.18 * (outline - outline.mean(axis=0))
                thin.append(lines(path(closed(around)), look.chosen))
            if stand.is_at(frame):
                colour = stand_colour(stand)
                fills.append(fill(outline, faded(colour, CURRENT_INSIDE)))
                bold.append(lines(path(closed(outline)), colour))
    if look.spans:
        at_frame = [stand for stand in stands if stand.is_at(frame)]
        bold += _spans(trace, at_frame, lanes, light=True)
    if look.pelvis and row is not None:
        bold.append(lines(diamond(trace.pelvis[row], SMALL_MARK * trace.scale), look.after))
        if trace.source_pelvis is not None:
            source = trace.source_pelvis[row]
            thin.append(lines(diamond(source, SMALL_MARK * trace.scale), look.before))
            thin.append(lines([[source, trace.pelvis[row]]], faded(look.before, CALM)))
    return Layer(filled(fills), joined(thin), joined(bold))


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
        contacts: When which of them stand.
        frame: The present frame.
        scale: Size of the character relative to one of 1.6 m.
    """
    standing = {
        (contact.foot, contact.point): contact.slides
        for contact in contacts
        if contact.start <= frame <= contact.end
    }
    marks = []
    for key, place in points.items():
        slides = standing.get(key)
        if slides is None:
            marks.append(lines(diamond(place, 0.6 * SMALL_MARK * scale), colours.FREE))
        elif slides:
            marks.append(lines(cross(place, MARK * scale), colours.SLIDES))
        else:
            marks.append(lines(diamond(place, SMALL_MARK * scale), colours.PLANTED))
    return joined(marks)


def goal_elements(places: Iterable[GoalPlace], scale: float) -> Lines:
    """Lines from bones to what their goals want, and marks there: crosses where they are missed."""
    drawn = []
    for place in places:
        error = place.error
        if error is None:
            colour, is_missed = colours.UNSOLVED, False
        else:
            is_missed = not error.reached
            colour = (
                colours.error_colour(error.value, place.tolerance) if is_missed else colours.REACHED
            )
        drawn.append(lines(diamond(place.end, MARK * scale), colour))
        if is_missed:
            drawn.append(lines(cross(place.end, 1.8 * MARK * scale), colour))
        if place.start is not None:
            drawn.append(lines([[place.start, place.end]], colour))
    return joined(drawn)


def stand_colour(stand: Stand) -> Colour:
    """Colour of a stand by its kind."""
    return colours.SLIDES if stand.slides else colours.PLANTED


def _footprints(trace: Trace, stands: Iterable[Stand]) -> Iterator[tuple[Stand, Points]]:
    """Outlines of the footprints of stands that are inside the clip."""
    feet = {foot.name: foot for foot in trace.feet}
    for stand in stands:
        foot = feet.get(stand.foot)
        row = trace.row(min(max(stand.middle, trace.frames[0]), trace.frames[-1]))
        inside = stand.end >= trace.frames[0] and stand.start <= trace.frames[-1]
        if foot is None or row is None or not inside:
            continue
        heel, ball, tip = foot.points[row]
        outline = footprint(heel, ball, tip, foot.aside[row], trace.scale)
        outline[:, 2] += LIFT * trace.scale
        yield stand, outline


def _slide(trace: Trace, stand: Stand) -> Points:
    """The way of a sliding foot's ball."""
    foot = next(foot for foot in trace.feet if foot.name == stand.foot)
    ball = foot.points[_rows(trace, stand), 1].astype(np.float32)
    ball[:, 2] += LIFT * trace.scale
    return path(ball)


def _spans(trace: Trace, stands: Sequence[Stand], lanes: Lanes, light: bool) -> Iterator[Lines]:
    """Bars along the pelvis' path while a foot stands, each in the lane of its foot."""
    for stand in stands:
        rows = _rows(trace, stand)
        if stand.foot not in lanes or rows.stop - rows.start < 2:
            continue
        way, colour = lanes[stand.foot][rows], stand_colour(stand)
        bars = dashed(way, DASH / 2.0 * trace.scale) if stand.slides else path(way)
        yield lines(bars, mixed(colour, colours.LIGHT, 0.6) if light else faded(colour, CALM))


def _rows(trace: Trace, stand: Stand) -> slice:
    """Rows of a clip in which a foot stands."""
    first = int(np.searchsorted(trace.frames, stand.start, side="left"))
    return slice(first, int(np.searchsorted(trace.frames, stand.end, side="right")))
