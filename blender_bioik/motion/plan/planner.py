"""Planning: turning the contacts of a clip into a plan for its feet and body.

Heights are transferred stance by stance: the height of a sole point above its lowest in the stance
becomes its height above the new ground. This keeps the roll of the foot, and removes the drift and
tilt of recorded floors.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..contacts.tuning import CONTACTS
from ..easing import smoothstep
from ..feet import BALL, HEEL, KEEP, TIP, Contact, Floats, Foot, Ints
from ..ground.underfoot import Underfoot
from ..noise import steady_feet
from ..tilt import tilted
from ..tuning import BODY
from .body_rise import body_rise
from .climbs import Climbs, find_climbs, kept_heights
from .footprint import Footprint
from .footsteps import Footstep, Stance, carried_place, find_place
from .plan import FootPlan, Plan, PlanSettings, step_notes
from .slides import glide
from .sole_fit import fit_sole
from .tuning import LOCKS, SOLES


def make_plan(
    feet: Sequence[Foot],
    contacts: Sequence[Contact],
    floor: Floats,
    pelvis: Floats,
    underfoot: Underfoot,
    rate: float,
    scale: float,
    settings: PlanSettings,
    hands: NDArray[np.bool_] | None = None,
) -> Plan:
    """Plan a clip.

    Args:
        feet: The feet of the source.
        contacts: Contacts of their sole points.
        floor: Height of the source's floor under each foot; (f, feet).
        pelvis: Place of the pelvis in the source; (f, 3).
        underfoot: The ground to walk on.
        rate: Frames per second.
        scale: Size of the character relative to one of 1.6 m.
        settings: Foot placement settings.
        hands: In which rows hands bear, None if that is not known; (f,).
    """
    carried = np.zeros_like(pelvis[:, :2])
    contacts = [contact for contact in contacts if contact.first < contact.stop]
    feet, noises = steady_feet(feet, contacts, scale)
    for _ in range(BODY.rounds):
        climbs = find_climbs(feet, contacts, underfoot, settings.levels, hands, scale)
        plan = _plan_along(feet, contacts, floor, pelvis, rate, scale, settings, climbs, noises)
        if np.allclose(plan.body[:, :2], carried):
            break
        carried = plan.body[:, :2]
        underfoot = underfoot.along(pelvis[:, :2] + carried)
    return plan


def _plan_along(
    feet: Sequence[Foot],
    contacts: Sequence[Contact],
    floor: Floats,
    pelvis: Floats,
    rate: float,
    scale: float,
    settings: PlanSettings,
    climbs: Climbs,
    noises: Floats,
) -> Plan:
    """Plan a clip over the ground along a path that moving ground may change."""
    planner = _Planner(feet, climbs.underfoot, rate, scale, settings, noises)
    levels = climbs.levels
    lifts = np.full(len(levels.stands), np.nan)
    order = sorted(range(len(lifts)), key=lambda k: (levels.stands[k].first, levels.stands[k].foot))
    for k in order:
        if climbs.uses[k] != KEEP:
            height = planner.add_footstep(levels.stands[k])
            if not levels.elevated[k]:
                lifts[k] = height - levels.heights[k]
    heights = kept_heights(climbs, lifts)
    for k in order:
        if climbs.uses[k] == KEEP:
            planner.add_kept(levels.stands[k], heights[k])
    for contact in contacts:
        if contact.point != BALL:
            planner.add_end(contact)
    return planner.plan(floor, pelvis, climbs)


class _Carry:
    """How far moving ground has carried the character in plan view, row by row."""

    def __init__(self, frames: int) -> None:
        self._sum = np.zeros((frames, 2))
        self._count = np.zeros(frames)
        self._still = True

    def add(self, first: int, places: Floats) -> None:
        """Add the ground under a planted foot, from a row on; (rows, 3)."""
        moved = np.diff(places[:, :2], axis=0)
        rows = slice(first + 1, first + len(places))
        self._sum[rows] += moved
        self._count[rows] += 1
        self._still = self._still and not moved.any()

    def so_far(self) -> Floats:
        """Metres since the first row; in the air the character keeps its velocity; (f, 2)."""
        if self._still:
            return np.zeros_like(self._sum)
        standing = self._count > 0
        pace = self._sum / np.maximum(self._count, 1.0)[:, None]
        last = np.maximum.accumulate(np.where(standing, np.arange(len(pace)), 0))
        return np.asarray(np.cumsum(pace[last], axis=0))


class _Planner:
    """Builds the plan of the feet, contact by contact."""

    def __init__(
        self,
        feet: Sequence[Foot],
        underfoot: Underfoot,
        rate: float,
        scale: float,
        settings: PlanSettings,
        noises: Floats,
    ) -> None:
        frames = len(underfoot.altitude)
        self._noises = noises
        self._feet, self._underfoot, self._settings = feet, underfoot, settings
        self._rate, self._scale, self._frames = rate, scale, frames
        self._target = [np.zeros((frames, 3, 3)) for _ in feet]
        self._plan_lock = [np.zeros((frames, 3)) for _ in feet]
        self._height_lock = [np.zeros((frames, 3)) for _ in feet]
        self._steps: list[list[Footstep]] = [[] for _ in feet]
        self._carry = _Carry(frames)

    def add_footstep(self, contact: Contact) -> float:
        """Place a foot on the ground for a contact of its ball; returns its height, metres."""
        locked = self._trimmed(contact)
        step = self._sliding(locked) if contact.slides else self._standing(locked)
        self._add(step)
        return float(step.place[0, 2])

    def add_kept(self, contact: Contact, height: float) -> None:
        """Place a foot at a height, metres, for a contact of its ball."""
        self._add(self._kept(self._trimmed(contact), height))

    def _add(self, step: Footstep) -> None:
        self._steps[step.contact.foot].append(step)
        self._rest(step.contact, step.place[:, :2], step.place[:, 2], step.thickness, step.borne)

    def _kept(self, locked: Contact, height: float) -> Footstep:
        """The footstep of a foot on something level at a height, metres, as animated above it."""
        rows = np.arange(locked.first, locked.stop)
        path = self._feet[locked.foot].points[rows, BALL]
        places = path if locked.slides else np.tile(path.mean(axis=0), (len(rows), 1))
        places[:, :2] += self._carry.so_far()[locked.first]
        places[:, 2] = height
        level = np.zeros((len(rows), 2))
        return Footstep(locked, places, np.zeros(2), height, level, -1, 0.0, even=True, kept=True)

    def _standing(self, locked: Contact) -> Footstep:
        """The footstep of a planted foot, moving along with the ground."""
        rows = np.arange(locked.first, locked.stop)
        print_ = Footprint(self._feet[locked.foot], slice(locked.first, locked.stop))
        ball = print_.ball + self._carry.so_far()[locked.first]
        highest = self._highest(locked.first)
        stance = Stance(
            print_,
            locked.first,
            self._underfoot,
            self._scale,
            highest,
            self._others(locked),
            self._followed,
        )
        place, ground = find_place(stance, ball)
        triangle, height = int(ground.triangle), float(ground.height)
        fit = fit_sole(print_, place[None], rows[:1], self._underfoot, self._scale, self._followed)
        slope = fit.slope
        over = min(float(fit.poke[0]), SOLES.most_over * self._scale)
        start = np.array([*place, height])
        places = carried_place(self._underfoot, start, triangle, locked.first, rows)
        self._carry.add(locked.first, places)
        places[:, 2] += over
        too_high = max(0.0, height - highest)
        slopes = np.tile(slope, (len(rows), 1))
        even, edged = self._evenness(print_, start, slope[0], locked.first)
        borne = self._borne(print_, start, locked.first)
        return Footstep(
            locked,
            places,
            place - ball,
            height,
            slopes,
            triangle,
            too_high,
            even,
            edged,
            borne=borne,
        )

    def _sliding(self, locked: Contact) -> Footstep:
        """The footstep of a sliding foot, at its animated position in plan view."""
        rows = np.arange(locked.first, locked.stop)
        foot = self._feet[locked.foot]
        print_ = Footprint(foot, slice(locked.first, locked.stop))
        ball = foot.points[rows, BALL, :2] + self._carry.so_far()[locked.first]
        ground = self._underfoot.at(ball[:1], rows[:1])
        places, slope = glide(
            print_, ball, rows, self._underfoot, self._rate, self._scale, self._followed
        )
        height = float(ground.height[0])
        too_high = max(0.0, height - self._highest(locked.first))
        triangle = int(ground.triangle[0])
        return Footstep(locked, places, np.zeros(2), height, slope, triangle, too_high, even=False)

    def _evenness(
        self, print_: Footprint, place: Floats, slope: Floats, row: int
    ) -> tuple[bool, bool]:
        """Whether the ground below a foot at a place (3,) is of a slope (2,), and has edges."""
        sole = print_.sole()
        below, around = (
            self._underfoot.at(place[:2] + times * sole, np.array(row)).height
            for times in (1.0, SOLES.edge_around)
        )
        off = np.abs(below - place[2] - sole @ slope).max()
        edged = bool(np.abs(np.diff(around, n=2)).max() >= BODY.edge * self._scale)
        return bool(off < SOLES.even * self._scale) and not edged, edged

    def _borne(self, print_: Footprint, place: Floats, row: int) -> tuple[float, float]:
        """Shares of the ways from a ball at a place (3,) to heel and tip up to a drop."""
        sole = print_.sole()
        ground = self._underfoot.at(place[:2] + sole, np.array(row)).height
        most = SOLES.followed * np.linalg.norm(sole, axis=-1) + BODY.edge * self._scale
        there = place[2] - ground <= most
        half = len(sole) // 2
        heel, tip = (int(np.argmin([*way, False])) - 1 for way in (there[half::-1], there[half:]))
        return heel / half, tip / half

    def _highest(self, row: int) -> float:
        """Height of the highest ground that can be stepped on in a row, metres."""
        return float(self._underfoot.altitude[row]) + self._settings.step_up

    def add_end(self, contact: Contact) -> None:
        """Place heel or tip of a foot on the ground, if its ball is planted at that time.

        It moves with the ball as in the source, which keeps pivots. Before the ball is planted it
        lands as in the source, and after the ball has left it stays in place. On uneven ground a
        flat sole rests on the highest places, so its ends are held softly, but one that lands first
        less so until the ball follows.
        """
        step = self._planted_with(contact)
        if step is None:
            return
        foot, locked = self._feet[contact.foot], self._trimmed(contact)
        rows = np.arange(locked.first, locked.stop)
        first = step.contact.first
        planted = np.clip(rows, first, step.contact.stop - 1)
        until = np.minimum(rows, step.contact.stop - 1)
        away = foot.points[until, contact.point, :2] - foot.points[planted, BALL, :2]
        thickness = step.thickness[planted - first]
        if step.kept:  # as animated: its ends need not be on anything
            along = step.place[planted - first, :2] + away
            rises = foot.points[planted, contact.point, 2] - foot.points[planted, BALL, 2]
            self._lock(locked, along, self._target[contact.foot][planted, BALL, 2] + rises)
            return
        if step.contact.slides:
            ball = step.place[planted - first]
            beyond = np.einsum("fi,fi->f", step.slope[planted - first], away)
            borne = True
        else:
            ball = carried_place(self._underfoot, step.place[0], step.triangle, first, rows)
            middle = step.place[0, :2] + away.mean(axis=0)
            ground = self._underfoot.at(middle, np.array(first)).height
            length = max(float(np.linalg.norm(away, axis=-1).mean()), 0.02 * self._scale)
            beyond = self._followed(ground - step.height, length)
            borne = bool(abs(ground - step.height - beyond) < SOLES.even * self._scale)
        self._rest(locked, ball[:, :2] + away, ball[:, 2] + beyond, thickness, step.borne)
        if not step.even:
            bottoms = (foot.points[..., 2] - foot.clearance)[rows]
            over = bottoms[:, BALL] - bottoms[:, contact.point]
            lands = np.logical_and.accumulate(over > LOCKS.landed * self._scale)
            soft = SOLES.uneven_lock
            weights = np.where(lands & borne & (not step.edged), np.sqrt(soft), soft)
            self._height_lock[contact.foot][rows, contact.point] *= weights

    def plan(self, floor: Floats, pelvis: Floats, climbs: Climbs) -> Plan:
        """The plan, after all contacts have been added."""
        carried = self._carry.so_far()
        plans = []
        for i, foot in enumerate(self._feet):
            plans.append(
                FootPlan(
                    self._target[i],
                    self._plan_lock[i],
                    self._height_lock[i],
                    self._swing(foot, floor[:, i]),
                    foot.points[:, BALL, :2] + self._shift(foot, self._steps[i]),
                    tilted(
                        self._slope(self._steps[i]),
                        foot.points[:, TIP] - foot.points[:, HEEL],
                        float(foot.clearance[HEEL] - foot.clearance[TIP]),
                    ),
                    tuple(self._steps[i]),
                    np.zeros(self._frames),
                )
            )
        body = np.zeros((self._frames, 3))
        body[:, :2] = carried
        body[:, 2] = self._body_height(pelvis[:, :2] + carried, floor)
        return Plan(
            tuple(plans),
            body,
            self._underfoot,
            step_notes(self._feet, plans, self._settings),
            climbs.findings,
        )

    def _rest(
        self,
        locked: Contact,
        plan: Floats,
        ground: Floats,
        thickness: Floats,
        borne: tuple[float, float],
    ) -> None:
        """Lock a sole point to places on the ground, rolling as in the source.

        A foot that lands with its heel over an edge, or leaves with its tip over one, has nothing
        to roll on there: it rolls by the share of the sole that is borne.
        """
        clearance = thickness * self._feet[locked.foot].clearance[locked.point]
        rise = self._rise(locked)
        low = np.flatnonzero(rise == 0.0)
        if len(low):
            rise[: low[0]] *= borne[0]
            rise[low[-1] :] *= borne[1]
        self._lock(locked, plan, ground + clearance + SOLES.lift * self._scale + rise)

    def _lock(self, locked: Contact, plan: Floats, heights: Floats) -> None:
        """Lock a sole point to places in plan view (rows, 2), and heights (rows,)."""
        foot, point, rows = locked.foot, locked.point, slice(locked.first, locked.stop)
        self._target[foot][rows, point, :2] = plan
        self._target[foot][rows, point, 2] = heights
        ease = self._ease(locked)
        self._height_lock[foot][rows, point] = ease
        self._plan_lock[foot][rows, point] = 0.0 if locked.slides else ease

    def _ease(self, locked: Contact) -> Floats:
        """Stiffness over a lock, blended in and out by powers of ten; (rows,)."""
        count = locked.stop - locked.first
        ease = min(round(self._settings.ease * self._rate), count // 4)
        if ease == 0:
            return np.ones(count)
        row = np.arange(count)
        inside = np.full(count, np.inf)
        if locked.first > 0:
            inside = np.minimum(inside, row + 1)
        if locked.stop < self._frames:
            inside = np.minimum(inside, count - row)
        return 10.0 ** (-LOCKS.ease_decades * np.maximum(0.0, 1.0 - inside / (ease + 1)))

    def _trimmed(self, contact: Contact) -> Contact:
        """The rows of a contact in which it is locked; the clip's own ends are not trimmed."""
        count = contact.stop - contact.first
        before = after = cut = int(LOCKS.trim * count)
        if (
            contact.first > 0 and count < LOCKS.quick_seconds * self._rate
        ):  # a run: the foot is still landing
            landed = int((self._rise(contact) <= LOCKS.landed * self._scale).argmax())
            before = max(cut, min(landed, int(LOCKS.quick_trim * count)))
        elif cut == 0 and not contact.slides:
            before, after = self._is_aside(contact)
        before = 0 if contact.first == 0 else before
        after = 0 if contact.stop == self._frames else after
        return contact._replace(first=contact.first + before, stop=contact.stop - after)

    def _is_aside(self, contact: Contact) -> tuple[bool, bool]:
        """Whether a point is moving in the first row of a contact, and in the last one."""
        way = self._feet[contact.foot].points[contact.first : contact.stop, contact.point, :2]
        off = np.linalg.norm(way[[0, -1]] - np.median(way, axis=0), axis=-1)
        first, last = off > CONTACTS.arrived * self._scale
        return bool(first), bool(last)

    def _rise(self, contact: Contact) -> Floats:
        """How far its point rises over its lowest in a contact, but for noise; (rows,).

        A foot in one piece may roll over its ball as animated, and its tip into the floor: then all
        of it rises.
        """
        foot = self._feet[contact.foot]
        bottoms = (foot.points[..., 2] - foot.clearance)[contact.first : contact.stop]
        begins, ends = contact.first > 0, contact.stop < self._frames
        own = bottoms[:, contact.point]
        tip = bottoms[:, TIP] + CONTACTS.arrived * self._scale
        lowest = np.minimum(own, tip) if foot.is_rigid else own
        risen = rise(own, lowest, begins, ends, dips=contact.slides)
        return np.sign(risen) * np.maximum(0.0, abs(risen) - 2.0 * self._noises[contact.foot])

    def _others(self, locked: Contact) -> list[tuple[Floats, float]]:
        """Where other feet are planted at the same time, and the least distance to them."""
        found = []
        foot = self._feet[locked.foot]
        for i, steps in enumerate(self._steps):
            for step in steps:
                other = step.contact
                if i == locked.foot or not other.first <= locked.first < other.stop:
                    continue
                row = locked.first
                mine, its = foot.points[row, BALL, :2], self._feet[i].points[row, BALL, :2]
                least = min(float(np.linalg.norm(mine - its)), 2.0 * BODY.half_width * self._scale)
                found.append((step.place[row - other.first, :2], least))
        return found

    def _planted_with(self, contact: Contact) -> Footstep | None:
        """The footstep that a contact of heel or tip belongs to: the one it overlaps most."""
        best, most = None, 0
        for step in self._steps[contact.foot]:
            other = step.contact
            both = min(contact.stop, other.stop) - max(contact.first, other.first)
            if both > most:
                best, most = step, both
        return best

    def _followed(self, ground: Floats, length: Floats | float) -> Floats:
        """Share of the ground's rise from the ball that a point of the foot follows."""
        up = np.minimum(ground, SOLES.followed * length)
        down = np.where(-ground < SOLES.followed * length, ground, 0.0)
        return np.asarray(self._settings.slope * np.where(ground > 0.0, up, down))

    def _swing(self, foot: Foot, floor: Floats) -> Floats:
        """Heights over the ground that sole points keep, or depths that they have; (f, 3)."""
        above = foot.points[..., 2] - floor[:, None] - foot.clearance
        cap = self._settings.swing_cap * self._scale
        return np.asarray(
            np.where(above > 0.0, np.minimum(cap, self._settings.swing * above), above)
        )

    def _shift(self, foot: Foot, steps: Sequence[Footstep]) -> Floats:
        """Offsets of footsteps in plan view, blended smoothly between them; (f, 2)."""
        if not steps:
            return self._carry.so_far()
        rows, shifts = [], []
        for step in sorted(steps, key=lambda step: step.contact.first):
            first, stop = step.contact.first, step.contact.stop
            source = foot.points[[first, stop - 1], BALL, :2]
            if not step.contact.slides:
                source[:] = foot.points[first:stop, BALL, :2].mean(axis=0)
            rows += [first, stop - 1]
            shifts += list(step.place[[0, -1], :2] - source)
        return self._eased(rows, shifts)

    def _slope(self, steps: Sequence[Footstep]) -> Floats:
        """Slopes with which a foot aligns, from stance to stance; (f, 2)."""
        if not steps:
            return np.zeros((self._frames, 2))
        ordered = sorted(steps, key=lambda step: step.contact.first)
        rows = np.concatenate([range(step.contact.first, step.contact.stop) for step in ordered])
        return self._eased(rows, np.concatenate([step.slope for step in ordered]))

    def _eased(self, rows: Ints | Sequence[int], wanted: Floats | Sequence[Floats]) -> Floats:
        """Values (n,) given in some rows, interpolated smoothly between them; (f, n)."""
        knots, values = np.array(rows), np.array(wanted)
        at = np.clip(np.arange(self._frames), knots[0], knots[-1])
        before = np.clip(np.searchsorted(knots, at, side="right") - 1, 0, len(knots) - 2)
        length = np.maximum(knots[before + 1] - knots[before], 1)
        share = np.clip((at - knots[before]) / length, 0.0, 1.0)[:, None]
        return np.asarray(
            values[before] + smoothstep(share) * (values[before + 1] - values[before])
        )

    def _body_height(self, path: Floats, floor: Floats) -> Floats:
        """How far the body rises along a path (f, 2), metres; (f,)."""
        lift, weight = np.zeros(self._frames), np.zeros(self._frames)
        for i, foot in enumerate(self._feet):
            lock = np.ceil(self._height_lock[i][:, BALL])
            lift += lock * (self._target[i][:, BALL, 2] - foot.points[:, BALL, 2])
            weight += lock
        ground = self._underfoot.at(path, np.arange(self._frames)).height
        planted = np.where(weight > 0.0, lift / np.maximum(weight, 1.0), np.nan)
        return body_rise(ground, planted, float(np.median(floor)), self._rate)


def rise(
    heights: Floats, lowest: Floats, begins: bool = True, ends: bool = True, dips: bool = False
) -> Floats:
    """Height of a point over its lowest in the middle of a stance, metres; (rows,).

    Args:
        heights: Its heights, metres; (rows,).
        lowest: Heights of the lowest point that rises with it; (rows,).
        begins: Whether the foot lands in the first row; if not, it is planted already.
        ends: Whether it leaves in the last one.
        dips: Whether it may dip into the floor for a while, as in clips animated by hand: then it
            stands at the height that it has most of the time.
    """
    cut = int(BODY.roll_share * len(heights))
    middle = heights[cut if begins else 0 : len(heights) - (cut if ends else 0)]
    level = np.median(middle) if dips else middle.min()
    return heights - np.minimum(level, lowest)
