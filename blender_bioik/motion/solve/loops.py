"""Loops: clips that continue from their last frame to their first.

The surroundings of the seam are read and planned with the clip repeated before and after itself, so
that a stance over the seam is one stance; then the rows of the clip itself are taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from math import ceil
from typing import Any

import numpy as np

from ...findings import Finding
from ...solver import Clip, Goal, Rest, Track
from ...solver.clips.whole_clip import SHORTEST_LOOP
from ..feet import Contact, Floats, Foot, Ints
from ..plan.footsteps import Footstep
from ..plan.plan import FootPlan, Plan, PlanSettings, step_notes
from ..rests.part import Part
from ..rests.rest_plan import Support
from ..tuning import BODY
from .body import Body
from .placement import Placed, Progress, Stopped, place
from .tuning import LOOPS, WEIGHTS


@dataclass(frozen=True)
class Loop:
    """A clip that repeats.

    Attributes:
        frames: Rows of the clip.
        period: Rows after which it repeats: all of them, or all but the last, which equals the
            first.
        before: Rows of the repeated clip that come before the clip itself, as many as after it.
    """

    frames: int
    period: int
    before: int

    @property
    def rows(self) -> Ints:
        """The clip's row of each row of the repeated clip."""
        return np.arange(2 * self.before + self.period) % self.period

    def repeated_feet(self, feet: Sequence[Foot]) -> list[Foot]:
        """Feet of the repeated clip."""
        rows = self.rows
        return [
            replace(foot, points=foot.points[rows], knee=foot.knee[rows], hip=foot.hip[rows])
            for foot in feet
        ]

    def repeated_contacts(self, contacts: Sequence[Contact]) -> list[Contact]:
        """Contacts of the repeated clip; one at its end continues with one at its start."""
        count, found = len(self.rows), []
        for contact in self._joined(contacts):
            length = contact.stop - contact.first
            if length >= self.period:
                found.append(contact._replace(first=0, stop=count))
                continue
            for start in range(contact.first - self.period, count, self.period):
                first, stop = max(0, start), min(count, start + length)
                if first < stop:
                    found.append(contact._replace(first=first, stop=stop))
        return found

    def repeated_parts(self, parts: Sequence[Part]) -> list[Part]:
        """Parts of the body in the repeated clip."""
        return [part.rows(self.rows) for part in parts]

    def own_support(self, support: Support) -> Support:
        """The support of the clip itself from that of the repeated one."""
        return support.part(slice(self.before, self.before + self.frames))

    def own_contacts(self, contacts: Sequence[Contact]) -> list[Contact]:
        """Contacts of the clip itself among those of the repeated one.

        Those of the first row alone are left out if it is repeated in the last one.
        """
        begins = 1 if self.period < self.frames else 0
        cut = (self._own_rows(contact) for contact in contacts)
        inside = (own for own in cut if own.first < min(own.stop, self.period))
        return [own for own in inside if own.stop > begins]

    def own_rows(self, array: Any) -> Any:
        """Rows of the clip itself among those of the repeated one."""
        return array[self.before : self.before + self.frames]

    def own_plan(self, plan: Plan, feet: Sequence[Foot], settings: PlanSettings) -> Plan:
        """The plan of the clip itself from that of the repeated one."""
        underfoot = plan.underfoot.between(self.before, self.before + self.frames)
        plans = tuple(self._own_foot(foot) for foot in plan.feet)
        notes = step_notes(feet, plans, settings)
        findings = tuple(self._own_finding(finding) for finding in plan.findings)
        return Plan(plans, self.own_rows(plan.body), underfoot, notes, findings)

    def _own_finding(self, finding: Finding) -> Finding:
        """A finding about the repeated clip, in the frame of the clip itself that it is about."""
        row = None if finding.row is None else (finding.row - self.before) % self.period
        return replace(finding, row=row, last=None)

    def _own_foot(self, foot: FootPlan) -> FootPlan:
        steps = [(step, self._own_rows(step.contact)) for step in foot.footsteps]
        own = tuple(
            _cut_step(step, contact, contact.first + self.before)
            for step, contact in steps
            if contact.first < min(contact.stop, self.period)
        )
        return replace(foot, footsteps=own, **_rows_of(foot, slice(self.before, None), self.frames))

    def _own_rows(self, contact: Contact) -> Contact:
        first, stop = (
            int(np.clip(row - self.before, 0, self.frames)) for row in (contact.first, contact.stop)
        )
        return contact._replace(first=first, stop=stop)

    def _joined(self, contacts: Sequence[Contact]) -> list[Contact]:
        """Contacts that begin in a period; those over the seam end beyond it."""
        inside = [contact._replace(stop=min(contact.stop, self.period)) for contact in contacts]
        inside = [contact for contact in inside if contact.first < contact.stop]
        begun = {_point_of(c): c for c in inside if c.first == 0}
        ended = {_point_of(c): c for c in inside if c.stop == self.period}
        over = sorted(begun.keys() & ended.keys())
        parts = [ends[point] for point in over for ends in (begun, ended)]
        joined = [ended[p]._replace(stop=self.period + begun[p].stop) for p in over]
        return [contact for contact in inside if contact not in parts] + joined


def _point_of(contact: Contact) -> tuple[int, int, bool]:
    """Properties that contacts over a seam must share."""
    return contact.foot, contact.point, contact.slides


def find_loop(joints: Floats, rate: float, scale: float, *, told: bool) -> Loop | None:
    """The loop of a clip, None if it is not a loop.

    Args:
        joints: Places of all joints; (f, n, 3).
        rate: Frames per second.
        scale: Size of the character relative to one of 1.6 m.
        told: Whether the caller declares it a loop. Otherwise it is one if it ends as it begins: in
            the same place, and with matching steps into the last frame and out of the first. A clip
            that is at rest at both ends counts too.
    """
    frames = len(joints)
    if frames <= SHORTEST_LOOP:
        return None
    steps = np.linalg.norm(np.diff(joints, axis=0), axis=-1)
    seam = np.linalg.norm(joints[-1] - joints[0], axis=-1)
    same = bool(
        (seam <= np.maximum(_near_step(steps) / LOOPS.steps_apart, WEIGHTS.lock * scale)).all()
    )
    if told:
        loops = seam.max() <= max(LOOPS.steps_apart * steps.max(), LOOPS.back * scale)
    else:
        out, into = joints[1] - joints[0], joints[-1] - joints[-2]
        bend = np.linalg.norm(out - into, axis=-1).max()
        usual = np.linalg.norm(np.diff(joints, n=2, axis=0), axis=-1).max()
        # Where the first frame is not repeated, the seam takes two steps.
        loops = seam.max() < LOOPS.back * scale and bend <= LOOPS.steps_apart * usual
    if not loops:
        return None
    period = frames - 1 if same else frames
    stride = 2.0 * BODY.step_seconds * rate
    return Loop(frames, period, period * ceil(max(1.0, stride / period)))


def _near_step(steps: Floats) -> Floats:
    """Steps (n,) near the seam, the largest joint's for all."""
    return np.full(steps.shape[1], max(steps[0].max(), steps[-1].max()))


def place_loop(
    loop: Loop,
    body: Body,
    feet: Sequence[Foot],
    plan: Plan,
    rate: float,
    scale: float,
    progress: Progress | None = None,
    stopped: Stopped | None = None,
    support: Support | None = None,
) -> Placed:
    """Solve a loop for a plan, see `place`. A last row that repeats the first is moved like it."""
    once = slice(0, loop.period)
    cut_feet = [
        replace(foot, points=foot.points[once], knee=foot.knee[once], hip=foot.hip[once])
        for foot in feet
    ]
    cut_plan = replace(
        plan,
        feet=tuple(replace(f, **_rows_of(f, once, loop.period)) for f in plan.feet),
        body=plan.body[once],
    )
    cut_support = None if support is None else support.part(once)
    placed = place(
        _cut_body(body, once), cut_feet, cut_plan, rate, scale, progress, stopped, cut_support
    )
    source = np.asarray(body.clip.values, float)
    around = np.arange(loop.frames) % loop.period
    correction = placed.values - source[once]
    return replace(placed, values=source + correction[around], errors=placed.errors[around])


def _cut_body(body: Body, rows: slice) -> Body:
    """A body over some of the rows."""
    rest = body.clip.rest
    assert rest is not None
    return replace(
        body,
        clip=Clip(np.asarray(body.clip.values)[rows], Rest(*(part[rows] for part in rest))),
        pelvis=replace(body.pelvis, places=body.pelvis.places[rows]),
        legs=tuple(
            replace(
                leg,
                foot_turn=leg.foot_turn[rows],
                knees=tuple((joint, flexion[rows]) for joint, flexion in leg.knees),
            )
            for leg in body.legs
        ),
        kept=tuple(replace(kept, turn=kept.turn[rows]) for kept in body.kept),
        hands=tuple(
            replace(
                hand,
                places=hand.places[rows],
                turn=hand.turn[rows],
                shoulder=hand.shoulder[rows],
                elbow=hand.elbow and (hand.elbow[0], hand.elbow[1][rows]),
            )
            for hand in body.hands
        ),
        goals=tuple(_cut_goal(goal, rows) for goal in body.goals),
        slides=tuple((joint, way[rows]) for joint, way in body.slides),
        floor=body.floor[rows],
        parts=tuple(part.rows(rows) for part in body.parts),
        resting=tuple(replace(part, turn=part.turn[rows]) for part in body.resting),
        elbows=tuple((joint, flexion[rows]) for joint, flexion in body.elbows),
        trunk=body.trunk and replace(body.trunk, turn=body.trunk.turn[rows]),
        loop=True,
    )


def _cut_goal(goal: Goal | Track, rows: slice) -> Goal | Track:
    if not isinstance(goal, Track):
        return goal
    return Track(goal.goal, {name: np.asarray(each)[rows] for name, each in goal.fields.items()})


def _rows_of(foot: FootPlan, rows: slice, count: int) -> dict[str, Any]:
    """All arrays of a foot's plan over some of its rows."""
    arrays = {field.name: getattr(foot, field.name) for field in fields(foot)}
    return {
        name: array[rows][:count] for name, array in arrays.items() if isinstance(array, np.ndarray)
    }


def _cut_step(step: Footstep, contact: Contact, first: int) -> Footstep:
    """A footstep over the rows of its contact in the clip, from a row of the repeated one on."""
    skipped = first - step.contact.first
    rows = slice(skipped, skipped + contact.stop - contact.first)
    return replace(step, contact=contact, place=step.place[rows], slope=step.slope[rows])
