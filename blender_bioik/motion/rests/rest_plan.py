"""Planning where resting parts of the body go, and how the body goes with the ground below them.

A part keeps its height over the source's floor as its height over the ground. What stays at its
place in the source stays there in plan view; what slides or rolls goes as in the source.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from ..contacts.contacts import Mask
from ..contacts.tuning import CONTACTS
from ..easing import smoothstep
from ..feet import BALL, Contact, Floats, Foot
from ..ground.underfoot import Underfoot
from ..plan.body_rise import averaged, body_rise
from ..plan.footsteps import carried_place
from ..plan.plan import Plan
from ..plan.tuning import LOCKS
from ..tuning import BODY
from .find_rests import still_points
from .part import HALVES, Part, turned_by


@dataclass(frozen=True, eq=False)
class RestPlan:
    """The plan of a part of the body; its first point is held in plan view, two in height.

    Attributes:
        place: Those points in the frame of the part's bone, metres; (f, 3, 3).
        point: Where they go; (f, 3, 3).
        lock: How stiffly the first is held in plan view, 0 to 1; (f,).
        height_lock: How stiffly the others are held in height; (f, 2).
        turn: How the part is turned with the slope, quaternions; (f, 4).
        rows: In which rows it rests; (f,).
        between: In which rows it is on its way from one place to another; (f,).
    """

    place: Floats
    point: Floats
    lock: Floats
    height_lock: Floats
    turn: Floats
    rows: Mask
    between: Mask


@dataclass(frozen=True, eq=False)
class Support:
    """How a body rests on the ground with other parts than its feet.

    Attributes:
        rests: The plan of each part.
        trunk: How the body is turned with the ground below it, quaternions; (f, 4).
        share: Share of the body that does not stand on its feet, 0 to 1; (f,).
    """

    rests: tuple[RestPlan, ...]
    trunk: Floats
    share: Floats

    def part(self, rows: slice) -> Support:
        """The same over some of the rows."""
        return Support(
            tuple(replace(rest, **_rows_of(rest, rows)) for rest in self.rests),
            self.trunk[rows],
            self.share[rows],
        )


def _rows_of(rest: RestPlan, rows: slice) -> dict[str, Any]:
    return {field.name: getattr(rest, field.name)[rows] for field in fields(rest)}


def plan_rests(
    parts: Sequence[Part],
    contacts: Sequence[Contact],
    feet: Sequence[Foot],
    plan: Plan,
    floor: Floats,
    pelvis: Floats,
    rate: float,
    scale: float,
) -> tuple[Plan, Support]:
    """Plan resting parts; returns the plan with the body raised along with them, too.

    Args:
        parts: All parts.
        contacts: Their contacts.
        feet: The feet.
        plan: The plan of the feet.
        floor: Height of the source's floor under the body; (f,).
        pelvis: Place of the pelvis in the source; (f, 3).
        rate: Frames per second.
        scale: Size of the character relative to one of 1.6 m.
    """
    carried = plan.body * [1.0, 1.0, 0.0]
    rests: list[RestPlan] = []
    for number, part in enumerate(parts):
        own = [contact for contact in contacts if contact.foot == number]
        before = [k for k, other in enumerate(parts[:number]) if other.following == part.bone]
        held = rests[before[0]] if before else None
        planned = _plan_part(part, own, held, plan.underfoot, floor, carried, rate, scale)
        rests.append(planned)
    lifts = _Lifts(pelvis + carried, scale)
    for foot, wanted in zip(feet, plan.feet, strict=True):
        locked = wanted.height_lock[:, BALL] > 0.0
        lifts.add(foot.points[:, BALL], wanted.target[:, BALL], locked)
    resting = np.zeros(len(pelvis), bool)
    for part, rest in zip(parts, rests, strict=True):
        for half in range(HALVES):
            bears = rest.height_lock[:, half] == 1.0
            lifts.add(part.lowest.world[:, half], rest.point[:, 1 + half], bears)
            resting |= bears
    planted, slope = lifts.planes()
    ground = plan.underfoot.at(pelvis + carried, np.arange(len(pelvis))).height
    body = plan.body.copy()
    body[:, 2] = body_rise(ground, planted, float(np.median(floor)), rate)
    known = ~np.isnan(planted)
    share = np.clip(_eased(np.where(known, resting, np.nan), rate), 0.0, 1.0)
    slope = np.stack(
        [_eased(np.where(known, np.where(resting, each, 0.0), np.nan), rate) for each in slope.T],
        axis=-1,
    )
    size = np.linalg.norm(slope, axis=-1, keepdims=True)
    slope *= np.minimum(1.0, BODY.steepest / np.maximum(size, 1e-12))
    return replace(plan, body=body), Support(tuple(rests), turned_by(slope), share)


def _eased(values: Floats, rate: float) -> Floats:
    """Values (f,), NaN where unknown, averaged over the time of a step."""
    known = np.flatnonzero(~np.isnan(values))
    return averaged(np.interp(np.arange(len(values)), known, values[known]), rate)


class _Lifts:
    """How far what bears has to rise, and the plane that this makes below the pelvis."""

    def __init__(self, pelvis: Floats, scale: float) -> None:
        self._pelvis = pelvis
        frames = len(pelvis)
        self._square, self._right = np.zeros((frames, 3, 3)), np.zeros((frames, 3))
        # The ground is level unless what bears is far apart enough to say more.
        self._level = (2.0 * BODY.half_width * scale) ** 2 * np.diag([0.0, 1.0, 1.0])

    def add(self, source: Floats, target: Floats, rows: Mask) -> None:
        """Add a point that goes from a place (f, 3) to another one in some rows."""
        away = np.where(rows[:, None], target - self._pelvis, 0.0)
        row = np.concatenate([rows[:, None].astype(float), away[:, :2]], axis=1)
        self._square += row[:, :, None] * row[:, None]
        self._right += row * np.where(rows, target[:, 2] - source[:, 2], 0.0)[:, None]

    def planes(self) -> tuple[Floats, Floats]:
        """Rise at the pelvis, metres, NaN where nothing bears; (f,); and the slope; (f, 2)."""
        bears = self._square[:, 0, 0] > 0.0
        square = self._square + self._level
        square[~bears] = np.eye(3)
        found = np.linalg.solve(square, self._right[..., None])[..., 0]
        return np.where(bears, found[:, 0], np.nan), np.asarray(found[:, 1:])


def _plan_part(
    part: Part,
    contacts: Sequence[Contact],
    before: RestPlan | None,
    underfoot: Underfoot,
    floor: Floats,
    carried: Floats,
    rate: float,
    scale: float,
) -> RestPlan:
    """The plan of a part with its contacts, after that of the part before it in its limb."""
    frames = len(floor)
    lowest = part.lowest
    near = lowest.world[..., 2] - floor[:, None] < CONTACTS.height * scale
    place = np.concatenate([np.zeros((frames, 1, 3)), lowest.local], axis=1)
    point = np.concatenate([part.place[:, None], lowest.world], axis=1) + carried[:, None]
    lock, rows = np.zeros(frames), np.zeros(frames, bool)
    shift, slope = np.full((frames, 2), np.nan), np.full((frames, 2), np.nan)
    for contact in contacts:
        inside = slice(contact.first, contact.stop)
        rows[inside] = True
        held, path = _held(part, contact)
        path = path + carried[inside]
        target = path.copy()
        if not contact.slides:
            path = path + _along_slope(path, contact, before, underfoot)
            target = _locked(path, contact, underfoot, frames)
            lock[inside] = _arrived(path, scale)
        place[inside, 0], point[inside, 0] = held, target
        shift[inside] = target[:, :2] - path[:, :2]
        slope[inside] = underfoot.at(target, np.arange(contact.first, contact.stop)).slope
    swings = ~rows
    shift = _between(shift)
    point[:, 1:, :2] += shift[:, None]
    point[swings, 0, :2] += shift[swings]
    slope = _between(slope)
    size = np.linalg.norm(slope, axis=-1, keepdims=True)
    slope = slope * np.minimum(1.0, BODY.steepest / np.maximum(size, 1e-12))
    at = np.arange(frames)[:, None]
    lift = underfoot.at(point[:, 1:], at).height - floor[:, None]
    lift[swings] = np.nan
    point[:, 1:, 2] += _between(lift)
    near &= rows[:, None]
    height_lock = np.stack([_ease(near[:, half], rate) for half in range(HALVES)], axis=1)
    begun, ahead = np.logical_or.accumulate(rows), np.logical_or.accumulate(rows[::-1])[::-1]
    between = begun & ahead & swings
    return RestPlan(place, point, lock, height_lock, turned_by(slope), rows, between)


def _held(part: Part, contact: Contact) -> tuple[Floats, Floats]:
    """The point of a part that moves least in a contact, and its path in these rows."""
    inside = slice(contact.first, contact.stop)
    paths = [(local, part.path(local)[inside]) for local in still_points(part, inside)]
    return min(paths, key=lambda each: float(np.ptp(each[1][:, :2], axis=0).max()))


def _locked(path: Floats, contact: Contact, underfoot: Underfoot, frames: int) -> Floats:
    """Where a point with a path (rows, 3) is held; it moves with the ground below it.

    As it comes and leaves it goes as in the source.
    """
    rows = np.arange(contact.first, contact.stop)
    middle = np.median(path, axis=0)
    ground = underfoot.at(middle[:2], np.array(contact.first))
    start = np.array([*middle[:2], float(ground.height)])
    moved = carried_place(underfoot, start, int(ground.triangle), contact.first, rows)
    comes = np.inf if contact.first == 0 else contact.first
    leaves = np.inf if contact.stop == frames else contact.stop
    inside = np.minimum(np.abs(rows - comes), np.abs(leaves - 1 - rows))
    share = smoothstep(np.minimum(1.0, inside / max(1.0, BODY.roll_share * len(rows))))[:, None]
    held = moved[:, :2] + (1.0 - share) * (path[:, :2] - middle[:2])
    return np.concatenate([held, path[:, 2:]], axis=1)


def _along_slope(
    path: Floats, contact: Contact, before: RestPlan | None, underfoot: Underfoot
) -> Floats:
    """By how much a point with a path (rows, 3) is nearer to the part before it on a slope.

    Both are on a bone, which is as long on a slope as on the floor, but shorter in plan view.
    """
    rows = np.arange(contact.first, contact.stop)
    both = rows[before.lock[rows] == 1.0] if before is not None else rows[:0]
    if before is None or not len(both):
        return np.zeros(3)
    start = before.point[both, 0].mean(axis=0)
    way = path[both - contact.first].mean(axis=0) - start
    ends = underfoot.at(np.stack([start, start + way]), both[[0, 0]]).height
    level = float(np.hypot(way[0], way[1]))
    steep = way[2] + float(ends[1] - ends[0])
    least = (way @ way) / (1.0 + BODY.steepest**2)
    nearer = np.sqrt(max(way @ way - steep**2, least)) / max(level, 1e-9) - 1.0
    return np.asarray(nearer * way * [1.0, 1.0, 0.0])


def _arrived(path: Floats, scale: float) -> Floats:
    """Stiffness of a lock: none before the point is at its place, and after it has left; (rows,)."""
    off = np.linalg.norm(path[:, :2] - np.median(path[:, :2], axis=0), axis=-1)
    there = np.flatnonzero(off < LOCKS.arrived * scale)
    held = np.zeros(len(path))
    if len(there):
        held[there[0] : there[-1] + 1] = 1.0
    return held


def _between(values: Floats) -> Floats:
    """Values (f, n) with smooth ways in place of NaN; zero if there are no others."""
    known = np.flatnonzero(~np.isnan(values[:, 0]))
    if not len(known):
        return np.zeros_like(values)
    at = np.arange(len(values))
    after = np.clip(np.searchsorted(known, at), 0, len(known) - 1)
    before = np.clip(np.searchsorted(known, at, side="right") - 1, 0, None)
    first, last = known[before], known[after]
    share = smoothstep(np.clip((at - first) / np.maximum(last - first, 1), 0.0, 1.0))[:, None]
    return np.asarray(values[first] + share * (values[last] - values[first]))


def _ease(rests: Mask, rate: float) -> Floats:
    """Stiffness 1 while a part rests, eased by powers of ten in the quarter of a step around it."""
    count = len(rests)
    if not rests.any():
        return np.zeros(count)
    inside = np.flatnonzero(rests)
    after = np.clip(np.searchsorted(inside, np.arange(count)), 0, len(inside) - 1)
    before = np.clip(after - 1, 0, None)
    at = np.arange(count)
    off = np.minimum(np.abs(inside[after] - at), np.abs(inside[before] - at))
    span = max(1.0, 0.25 * BODY.step_seconds * rate)
    return np.where(off < span, 10.0 ** (-LOCKS.ease_decades * off / span), 0.0)
