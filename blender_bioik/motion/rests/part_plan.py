"""Planning where a part of the body rests: its places, heights and turn on the ground.

A part keeps its height over the source's floor as its height over the ground. What stays at its
place in the source stays there in plan view; what slides or rolls goes as in the source.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.ndimage import maximum_filter1d

from ..contacts.contacts import Mask, runs, speeds
from ..contacts.tuning import CONTACTS, FLOOR
from ..easing import smoothstep
from ..feet import Contact, Floats, Ints
from ..ground.underfoot import Underfoot
from ..plan.footsteps import carried_place
from ..plan.tuning import LOCKS
from ..tuning import BODY
from .find_rests import still_points
from .part import HALVES, Part, turned_by
from .tuning import HOLDS


@dataclass(frozen=True, eq=False)
class RestPlan:
    """The plan of a part of the body; its first point is held in plan view, two in height.

    Attributes:
        place: Those points in the frame of the part's bone, metres; (f, 3, 3).
        point: Where they go; (f, 3, 3).
        lock: How stiffly the first is held in plan view, 0 to 1; (f,).
        height_lock: How stiffly the others are held in height; (f, 2).
        sunk: How far it is raised out of the source's floor, metres; (f,).
        turn: How the part is turned with the slope, quaternions; (f, 4).
        moves: How far the source moves what is locked, metres, infinite in other rows; (f,).
        rows: In which rows it rests; (f,).
        between: In which rows it is on its way from one place to another, or about to come to or
            leaves something above the floor; (f,).
        held: In which rows it rests on something above the floor; (f,).
    """

    place: Floats
    point: Floats
    lock: Floats
    height_lock: Floats
    sunk: Floats
    turn: Floats
    moves: Floats
    rows: Mask
    between: Mask
    held: Mask


class PartPlanner:
    """Plans parts of a body."""

    def __init__(
        self, underfoot: Underfoot, floor: Floats, carried: Floats, rate: float, scale: float
    ) -> None:
        """Prepare.

        Args:
            underfoot: The ground.
            floor: Height of the source's floor under the body; (f,).
            carried: How far moving ground has carried the body; (f, 3).
            rate: Frames per second.
            scale: Size of the character relative to one of 1.6 m.
        """
        self._underfoot, self._floor, self._carried = underfoot, floor, carried
        self._rate, self._scale, self._frames = rate, scale, len(floor)
        self._span = max(1.0, 0.5 * BODY.step_seconds * rate)

    def plan(
        self,
        part: Part,
        contacts: Sequence[Contact],
        before: RestPlan | None = None,
        stands: Floats | None = None,
        hangs: Floats | None = None,
    ) -> RestPlan:
        """The plan of a part with its contacts.

        Args:
            part: The part.
            contacts: Its contacts.
            before: The plan of the part before it in its limb, if there is one.
            stands: Of a foot, how far it is moved in plan view where it stands on its sole, else
                NaN; (f, 2).
            hangs: Where a limb begins that drags along as a whole, None for others; (f, 3).
        """
        place = np.concatenate([np.zeros((self._frames, 1, 3)), part.lowest.local], axis=1)
        source = np.concatenate([part.place[:, None], part.lowest.world], axis=1)
        point = source + self._carried[:, None]
        lock, rows = np.zeros(self._frames), np.zeros(self._frames, bool)
        held, lift = rows.copy(), np.zeros(self._frames)
        shift, moves = np.full((self._frames, 2), np.nan), np.full(self._frames, np.inf)
        ordered = sorted(contacts, key=lambda contact: contact.first)
        usual = _stillest(part, ordered, self._scale)
        place[:, 0] = usual
        point[:, 0] = part.path(usual) + self._carried
        for number, contact in enumerate(ordered):
            inside = np.arange(contact.first, contact.stop)
            rows[inside] = True
            local = self._still_point(part, contact, usual)
            # Moving ground carries what is held from its place in the first row on.
            carried = self._carried if contact.slides else self._carried[contact.first]
            path = part.path(local) + carried
            if contact.held is not None:
                path[:, :2] += contact.held[:2]
                heaves = self._moved(path, contact)[:, 2]
                held[inside] = True
                lift[inside] = (contact.held[2] + heaves - np.median(heaves[inside]))[inside]
            if not contact.slides:
                if contact.held is None:
                    path = path + self._along_slope(path, contact, before)
                    path[:, :2] += self._as_before(contact, stands)
                core = self._core(path, contact)
                target = self._locked(path, contact, core)
                around = self._around(contact, ordered, number)
                lock[around] = self._ease(core, around)
                moves[around] = _moves(part, local, contact)
                place[around, 0], point[around, 0] = local, target[around]
                path = target
            shift[inside] = path[inside, :2] - (part.path(local) + self._carried)[inside, :2]
        shift = between(shift)
        point[:, 1:, :2] += shift[:, None]
        free = lock == 0.0
        point[free, 0, :2] += shift[free]
        if hangs is not None:
            point[..., :2] = self._hanging(point, hangs + self._carried)
        near = source[:, 1:, 2] - self._floor[:, None] < CONTACTS.height * self._scale
        ground = self._ground(point, near)
        slope = self._slope(point, ground)
        slope[held] = 0.0
        slope[~rows] = np.nan
        sunk = self._sunk(part, [contact for contact in ordered if contact.held is None])
        rise = ground - self._floor[:, None] + sunk[:, None]
        self._raise(point, rows, np.where(held[:, None], lift[:, None], rise))
        near |= held[:, None]
        near &= rows[:, None]
        every = np.arange(self._frames)
        eased = [self._ease(np.flatnonzero(near[:, half]), every) for half in range(HALVES)]
        begun, ahead = np.logical_or.accumulate(rows), np.logical_or.accumulate(rows[::-1])[::-1]
        turn = turned_by(not_steep(between(slope)))
        height_lock = np.stack(eased, axis=1)
        way = begun & ahead & ~rows
        # The hand comes to and leaves a higher rail as the one in the clip.
        near_held = maximum_filter1d(held, 2 * round(self._span) + 1, mode="constant")
        way |= near_held & ~rows
        return RestPlan(place, point, lock, height_lock, sunk, turn, moves, rows, way, held)

    def _hanging(self, point: Floats, start: Floats) -> Floats:
        """Points (f, 3, 3) in plan view, as far as before from where they hang, (f, 3), on a slope.

        They are nearer there in plan view: bones do not stretch; (f, 3, 2).
        """
        rows = np.arange(self._frames)
        way = point - start[:, None]
        rise = self._underfoot.at(point, rows[:, None]).height
        rise = rise - self._underfoot.at(start, rows).height[:, None]
        length = (way * way).sum(axis=-1)
        least = length / (1.0 + BODY.steepest**2)
        level = np.sqrt(np.maximum(length - (way[..., 2] + rise) ** 2, least))
        share = level / np.maximum(np.linalg.norm(way[..., :2], axis=-1), 1e-9)
        return np.asarray(start[:, None, :2] + share[..., None] * way[..., :2])

    def _slope(self, point: Floats, ground: Floats) -> Floats:
        """Slope of the ground, heights (f, 3), below points (f, 3, 3): from end to end; (f, 2)."""
        slope = self._underfoot.at(point[:, 0], np.arange(self._frames)).slope
        way = point[:, 2, :2] - point[:, 1, :2]
        length = np.linalg.norm(way, axis=1, keepdims=True)
        ahead = way / np.maximum(length, BODY.half_width * self._scale)
        along = (ground[:, 2] - ground[:, 1])[:, None] / np.maximum(length, 1e-12)
        return np.asarray(slope + (along - (slope * ahead).sum(axis=1, keepdims=True)) * ahead)

    def _sunk(self, part: Part, contacts: Sequence[Contact]) -> Floats:
        """How deep a limb is in the source's floor in each contact, as with stands; (f,).

        The trunk is not raised part by part, nor is a foot without a mesh.
        """
        above, sunk = part.heights - self._floor, np.zeros(self._frames)
        for contact in contacts if part.limb and not (part.is_foot and part.is_bare) else ():
            rows = slice(contact.first, contact.stop)
            lowest = np.sort(above[rows])[int(FLOOR.stand_part * (contact.stop - contact.first))]
            sunk[rows] = max(0.0, -float(lowest))
        return sunk

    def _ground(self, point: Floats, near: Mask) -> Floats:
        """Heights of the ground below points (f, 3, 3); (f, 3).

        Over an edge, a part of which both halves (f, 2) are near the floor rests on what is above
        it: its other half is as high.
        """
        ground = self._underfoot.at(point, np.arange(self._frames)[:, None]).height
        way = np.linalg.norm(point[:, 2, :2] - point[:, 1, :2], axis=1, keepdims=True)
        most = ground[:, 1:].max(axis=1, keepdims=True)
        over = most - ground[:, 1:] > BODY.steepest * way + BODY.edge * self._scale
        ground[:, 1:] = np.where(over & near.all(axis=1, keepdims=True), most, ground[:, 1:])
        return ground

    def _raise(self, point: Floats, rows: Mask, lift: Floats) -> None:
        """Raise points (f, 3, 3) by lifts (f, 3), on their way by those at its two ends."""
        lift[~rows] = np.nan
        for number in range(1 + HALVES):
            way, own = point[:, number, :2], lift[:, [number]]
            point[:, number, 2] += between(own, way, CONTACTS.stand * self._scale)[:, 0]

    def _core(self, path: Floats, contact: Contact) -> Ints:
        """Rows of a contact from which on a point has arrived, until it leaves."""
        way = path[contact.first : contact.stop, :2]
        off = np.linalg.norm(way - _resting_place(path, contact)[:2], axis=-1)
        # Of what creeps about all the time, most rows are locked; what rolls is faster than that.
        slow = speeds(way, self._rate) < CONTACTS.noise_speed * self._scale
        creeps = slow & (off < 2.0 * float(np.median(off)))
        there = runs((off < CONTACTS.arrived * self._scale) | creeps)
        first, stop = max(there, key=lambda rows: rows[1] - rows[0], default=(0, 0))
        return contact.first + np.arange(first, stop)

    def _locked(self, path: Floats, contact: Contact, core: Ints) -> Floats:
        """Where a point with a path (f, 3) is held; it moves with the ground below it; (f, 3).

        As it comes and leaves it goes as in the source.
        """
        middle, moved = _resting_place(path, contact), self._moved(path, contact)
        every = np.arange(self._frames)
        comes, leaves = (core[0], core[-1]) if len(core) else (0, 0)
        since = np.inf if comes == 0 else every - comes
        until = np.inf if leaves == self._frames - 1 else leaves - every
        inside = np.minimum(since, until) * np.ones(self._frames)
        rolls = BODY.roll_share * (contact.stop - contact.first)
        ends = max(1.0, rolls, min(self._span, 0.5 * len(core)))
        share = smoothstep(np.clip(inside / ends, 0.0, 1.0))[:, None]
        own = path[:, :2] + moved[:, :2] - middle[:2]
        held = share * moved[:, :2] + (1.0 - share) * own
        return np.concatenate([held, path[:, 2:]], axis=1)

    def _moved(self, path: Floats, contact: Contact) -> Floats:
        """Where the ground is below a point with a path (f, 3) that rests, in all rows; (f, 3).

        Or where that is which it holds.
        """
        middle, every = _resting_place(path, contact), np.arange(self._frames)
        if contact.held is not None:
            start = middle + np.array([0.0, 0.0, contact.held[2]])
            near = 2.0 * HOLDS.reach * self._scale
            triangle = self._underfoot.terrain.nearest(start, contact.first, near)
        else:
            ground = self._underfoot.at(middle[:2], np.array(contact.first))
            start, triangle = np.array([*middle[:2], float(ground.height)]), int(ground.triangle)
        return carried_place(self._underfoot, start, triangle, contact.first, every)

    def _around(self, contact: Contact, others: Sequence[Contact], number: int) -> Ints:
        """Rows of a contact and those around it in which its lock eases, up to its neighbours'."""
        span = int(self._span)
        first, stop = max(0, contact.first - span), min(self._frames, contact.stop + span)
        if number > 0:
            first = max(first, (others[number - 1].stop + contact.first) // 2)
        if number + 1 < len(others):
            stop = min(stop, (others[number + 1].first + contact.stop) // 2)
        return np.arange(min(first, contact.first), max(stop, contact.stop))

    def _ease(self, firm: Ints, rows: Ints) -> Floats:
        """Stiffness of rows: 1 in firm ones, eased by powers of ten around them; (rows,)."""
        if not len(firm):
            return np.zeros(len(rows))
        after = np.clip(np.searchsorted(firm, rows), 0, len(firm) - 1)
        before = np.clip(after - 1, 0, None)
        off = np.minimum(np.abs(firm[after] - rows), np.abs(firm[before] - rows))
        eased = 10.0 ** (-LOCKS.ease_decades * off / self._span)
        return np.where(off < self._span, eased, 0.0)

    def _still_point(self, part: Part, contact: Contact, usual: Floats) -> Floats:
        """The point of a part that moves least in a contact: the usual one if it hardly moves."""
        own = _stillest(part, [contact], self._scale)
        least, most = (_moves(part, local, contact) for local in (own, usual))
        return usual if most < least + CONTACTS.arrived * self._scale else own

    def _as_before(self, contact: Contact, stands: Floats | None) -> Floats:
        """How far a foot is moved that has just stood, or is about to; (2,)."""
        if stands is None:
            return np.zeros(2)
        first = max(0, contact.first - int(self._span))
        near = stands[first : contact.stop + int(self._span)]
        known = near[~np.isnan(near[:, 0])]
        return np.asarray(known.mean(axis=0)) if len(known) else np.zeros(2)

    def _along_slope(self, path: Floats, contact: Contact, before: RestPlan | None) -> Floats:
        """By how much a point with a path (f, 3) is nearer to the part before it on a slope; (3,).

        Both are on a bone, which is as long on a slope as on the floor, but shorter in plan view.
        """
        rows = np.arange(contact.first, contact.stop)
        both = rows[before.lock[rows] == 1.0] if before is not None else rows[:0]
        if before is None or not len(both):
            return np.zeros(3)
        start = before.point[both, 0].mean(axis=0)
        way = path[both].mean(axis=0) - start
        ends = self._underfoot.at(np.stack([start, start + way]), both[[0, 0]]).height
        level = float(np.hypot(way[0], way[1]))
        steep = way[2] + float(ends[1] - ends[0])
        least = (way @ way) / (1.0 + BODY.steepest**2)
        nearer = np.sqrt(max(way @ way - steep**2, least)) / max(level, 1e-9) - 1.0
        return np.asarray(nearer * way * [1.0, 1.0, 0.0])


def _stillest(part: Part, contacts: Sequence[Contact], scale: float) -> Floats:
    """The point of a part, in its bone's frame, that moves least in contacts; (3,)."""
    if not contacts:
        return np.zeros(3)
    places = [still_points(part, slice(each.first, each.stop), scale) for each in contacts]
    points = np.unique(np.round(np.concatenate(places), 6), axis=0)
    ways = [sum(_moves(part, local, each) for each in contacts) for local in points]
    return np.asarray(points[int(np.argmin(ways))])


def _moves(part: Part, local: Floats, contact: Contact) -> float:
    """How far a point of a part moves in plan view in a contact, metres."""
    return float(np.ptp(part.path(local)[contact.first : contact.stop, :2], axis=0).max())


def _resting_place(path: Floats, contact: Contact) -> Floats:
    """Where a point with a path (f, 3) is in the slower half of a contact's rows; (3,)."""
    own = path[contact.first : contact.stop]
    speed = np.linalg.norm(np.gradient(own, axis=0), axis=-1) if len(own) > 1 else np.zeros(1)
    return np.asarray(np.median(own[speed <= np.median(speed)], axis=0))


def not_steep(slope: Floats) -> Floats:
    """Slopes (n, 2), no steeper than ground to walk on."""
    size = np.linalg.norm(slope, axis=-1, keepdims=True)
    return np.asarray(slope * np.minimum(1.0, BODY.steepest / np.maximum(size, 1e-12)))


def between(values: Floats, path: Floats | None = None, least: float = 0.0) -> Floats:
    """Values (f, n) with smooth ways in place of NaN; zero if there are no others.

    Args:
        values: The values.
        path: Places (f, 2) with which they change, rather than with time, where it goes further
            than `least`: heights of something that moves over a slope.
        least: That distance, metres.
    """
    known = np.flatnonzero(~np.isnan(values[:, 0]))
    if not len(known):
        return np.zeros_like(values)
    at = np.arange(len(values))
    after = np.clip(np.searchsorted(known, at), 0, len(known) - 1)
    before = np.clip(np.searchsorted(known, at, side="right") - 1, 0, None)
    first, last = known[before], known[after]
    share = smoothstep(np.clip((at - first) / np.maximum(last - first, 1), 0.0, 1.0))[:, None]
    if path is not None:
        way = path[last] - path[first]
        gone = ((path - path[first]) * way).sum(axis=1, keepdims=True)
        length = (way * way).sum(axis=1, keepdims=True)
        along = np.clip(gone / np.maximum(length, 1e-18), 0.0, 1.0)
        share = np.where(length > least**2, along, share)
    return np.asarray(values[first] + share * (values[last] - values[first]))
