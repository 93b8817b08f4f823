"""Planning all resting parts of a body, and how the body goes with the ground below them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from scipy.ndimage import maximum_filter1d, uniform_filter1d

from ..body.hull import rotation_matrices
from ..contacts.contacts import Mask
from ..feet import BALL, Contact, Floats, Foot
from ..plan.body_rise import averaged, body_rise
from ..plan.plan import FootPlan, Plan
from ..tuning import BODY
from .lean import leaning
from .part import HALVES, Part, turned_by
from .part_plan import PartPlanner, RestPlan, between, not_steep


@dataclass(frozen=True, eq=False)
class Support:
    """How a body rests on the ground with other parts than its feet.

    Attributes:
        rests: The plan of each part.
        trunk: How the body is turned with the ground below it, quaternions; (f, 4).
        share: Share of the body that does not stand on its feet, 0 to 1; (f,).
        balls: Where the ball of each foot is by what rests of its leg besides its sole, NaN in
            other rows; (f, feet, 3).
        lies: In which rows the foot itself rests like this; (f, feet).
    """

    rests: tuple[RestPlan, ...]
    trunk: Floats
    share: Floats
    balls: Floats
    lies: Mask

    def part(self, rows: slice) -> Support:
        """The same over some of the rows."""
        return Support(
            tuple(replace(rest, **_rows_of(rest, rows)) for rest in self.rests),
            self.trunk[rows],
            self.share[rows],
            self.balls[rows],
            self.lies[rows],
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
    planner = PartPlanner(plan.underfoot, floor, carried, rate, scale)
    rests: list[RestPlan] = []
    for number, part in enumerate(parts):
        own = [contact for contact in contacts if contact.foot == number]
        before = [k for k, other in enumerate(parts[:number]) if other.following == part.bone]
        stands = next(
            (
                _moved(foot, wanted, carried)
                for foot, wanted in zip(feet, plan.feet, strict=True)
                if part.is_foot and foot.name == part.limb
            ),
            None,
        )
        own_planner, hangs = planner, None
        if own and not part.bears:
            # Ground behind the body may be higher than its knees.
            behind = plan.underfoot.along((part.place + carried)[:, :2])
            own_planner = PartPlanner(behind, floor, carried, rate, scale)
            hangs = next(each.place for each in parts if each.limb == part.limb)
        led_by = rests[before[0]] if before and hangs is None else None
        rests.append(own_planner.plan(part, own, led_by, stands, hangs))
    rests = _one_lock_each(parts, rests)
    lifts = _Lifts(pelvis + carried, scale)
    for foot, wanted in zip(feet, plan.feet, strict=True):
        locked = wanted.height_lock[:, BALL] > 0.0
        lifts.add(foot.points[:, BALL], wanted.target[:, BALL], locked)
    resting = np.zeros(len(pelvis), bool)
    for part, rest in zip(parts, rests, strict=True):
        for half in range(HALVES):
            bears = (rest.height_lock[:, half] == 1.0) & ~rest.held & part.bears
            lifts.add(part.lowest.world[:, half], rest.point[:, 1 + half], bears, rest.sunk)
            resting |= bears
    planted, slope = lifts.planes(rate)
    ground = plan.underfoot.at(pelvis + carried, np.arange(len(pelvis))).height
    for part, rest in zip(parts, rests, strict=True):
        if part.limb is None and rest.held.any():  # what a seat rests on bears the body
            planted = _seated(planted, part, rest, rate)
            ground = between(planted[:, None].copy())[:, 0]
    body = plan.body.copy()
    body[:, 2] = body_rise(ground, planted, float(np.median(floor)), rate)
    body += leaning(parts, rests, body, rate)
    bears = ~np.isnan(planted)
    share = np.clip(_eased(resting.astype(float), bears, rate), 0.0, 1.0)
    slope = np.where(resting[:, None], slope, 0.0)
    eased = np.stack([_eased(each, bears, rate) for each in slope.T], axis=-1)
    legs = [_resting_leg(foot, parts, rests) for foot in feet]
    balls, lies = (np.stack(each, axis=1) for each in zip(*legs, strict=True))
    turn = turned_by(not_steep(eased))
    return replace(plan, body=body), Support(tuple(rests), turn, share, balls, lies)


def _resting_leg(
    foot: Foot, parts: Sequence[Part], rests: Sequence[RestPlan]
) -> tuple[Floats, Mask]:
    """Where the ball of a foot is by what rests of its leg, else NaN, (f, 3), and if it lies."""
    ball, lies = np.full((len(foot.points), 3), np.nan), np.zeros(len(foot.points), bool)
    own = [each for each in zip(parts, rests, strict=True) if each[0].limb == foot.name]
    for part, rest in sorted(own, key=lambda each: each[0].is_foot):
        anchor = part.place + _turned(part.turn, rest.place[:, 0])
        carried = rest.point[:, 0] + _turned(rest.turn, foot.points[:, BALL] - anchor)
        ball = np.where(rest.rows[:, None], carried, ball)
        lies |= rest.rows & part.is_foot
    return ball, lies


def _turned(turn: Floats, vectors: Floats) -> Floats:
    """Vectors (f, 3) turned by quaternions (f, 4)."""
    return np.einsum("fij,fj->fi", rotation_matrices(turn), vectors)


def _seated(planted: Floats, part: Part, rest: RestPlan, rate: float) -> Floats:
    """Rise of a body, (f,), that sits down on something, in the time of a step; (f,)."""
    raised = (rest.point[:, 1:] - part.lowest.world)[..., 2].mean(axis=1)
    near = maximum_filter1d(rest.held, 2 * round(BODY.step_seconds * rate) + 1, mode="constant")
    return np.where(rest.held, raised, np.where(near, np.nan, planted))


def _moved(foot: Foot, wanted: FootPlan, carried: Floats) -> Floats:
    """How far a foot is moved in plan view where it stands, NaN elsewhere; (f, 2)."""
    moved = (wanted.target[:, BALL] - foot.points[:, BALL] - carried)[:, :2]
    return np.where(wanted.plan_lock[:, [BALL]] > 0.0, moved, np.nan)


def _one_lock_each(parts: Sequence[Part], rests: Sequence[RestPlan]) -> list[RestPlan]:
    """Only what is stillest in a limb is locked there: bones between two locks do not stretch.

    Of those that are as still, it is the first one.
    """
    found = []
    for number, (part, rest) in enumerate(zip(parts, rests, strict=True)):
        stiller = np.zeros(len(rest.lock), bool)
        for other, (each, its) in enumerate(zip(parts, rests, strict=True)):
            if part.limb is None or each.limb != part.limb or other == number:
                continue
            stiller |= its.moves <= rest.moves if other < number else its.moves < rest.moves
        found.append(replace(rest, lock=np.where(stiller, 0.0, rest.lock)))
    return found


def _eased(values: Floats, known: Mask, rate: float) -> Floats:
    """Values (f,), of which some are known, averaged over the time of a step; else zero."""
    rows = np.flatnonzero(known)
    if not len(rows):
        return np.zeros(len(values))
    return averaged(np.interp(np.arange(len(values)), rows, values[rows]), rate)


class _Lifts:
    """How far what bears has to rise, and the plane that this makes below the pelvis."""

    def __init__(self, pelvis: Floats, scale: float) -> None:
        self._pelvis = pelvis
        frames = len(pelvis)
        self._square, self._right = np.zeros((frames, 3, 3)), np.zeros((frames, 3))
        self._sunk = np.zeros(frames)
        # The ground is level unless what bears is far apart enough to say more.
        self._level = (2.0 * BODY.half_width * scale) ** 2 * np.diag([0.0, 1.0, 1.0])

    def add(self, source: Floats, target: Floats, rows: Mask, sunk: Floats | float = 0.0) -> None:
        """Add a point that goes from a place (f, 3) to another one in some rows.

        How far it was sunk into the source's floor, metres (f,), raises the body, but does not
        turn it.
        """
        away = np.where(rows[:, None], target - self._pelvis, 0.0)
        row = np.concatenate([rows[:, None].astype(float), away[:, :2]], axis=1)
        self._square += row[:, :, None] * row[:, None]
        lift = np.where(rows, target[:, 2] - source[:, 2] - sunk, 0.0)
        self._right += row * lift[:, None]
        self._sunk += np.where(rows, sunk, 0.0)

    def planes(self, rate: float) -> tuple[Floats, Floats]:
        """Rise at the pelvis, metres, NaN where nothing bears; (f,); and the slope; (f, 2).

        What bears in one row may be close together: it has the slope of what bears within a step.
        """
        width = 2 * round(0.5 * BODY.step_seconds * rate) + 1
        near = (
            uniform_filter1d(each, width, axis=0, mode="nearest")
            for each in (self._square + self._level, self._right)
        )
        around = self._solved(*near) * [0.0, 1.0, 1.0]
        found = self._solved(self._square + self._level, self._right + around @ self._level)
        bears = self._square[:, 0, 0] > 0.0
        rise = found[:, 0] + self._sunk / np.maximum(self._square[:, 0, 0], 1.0)
        return np.where(bears, rise, np.nan), np.asarray(found[:, 1:])

    def _solved(self, square: Floats, right: Floats) -> Floats:
        """Solutions (f, 3), zero where nothing bears."""
        bears = square[:, :1, :1] > 0.0
        return np.asarray(
            np.linalg.solve(np.where(bears, square, np.eye(3)), (right * bears[..., 0])[..., None])
        )[..., 0]
