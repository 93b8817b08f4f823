"""Feet on the ground: where they go, and the poses that bring them there."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...motion.feet import Contact, Floats, Foot
from ...motion.ground.terrain import Terrain
from ...motion.plan.plan import PlanSettings
from ...motion.solve.body import Body
from ...motion.solve.loops import Loop
from ...solver import Goal, Track
from ..joints.joints import JointModel
from ..legs.goal_stages import GoalStages
from ..legs.leg_joints import LegSetup
from ..reading import Cancel, Progress
from ..source.source import Source
from .feet_solution import FeetSolution
from .own_goal_errors import feet_errors
from .plan_and_place import placed_feet, planned_feet
from .resting_body import NOTHING, Resting, whole_body


@dataclass(frozen=True, eq=False)
class FeetProblem:
    """A foot placement problem: where the feet of a source have to stand.

    Attributes:
        source: What was read.
        name: Name of the armature, for code that must not access Blender.
        stages: Which of the source's goals are solved with foot placement, and its legs.
        model: The joints that foot placement moves.
        goals: The goals that take part, with their numbers.
        feet: The feet in the source.
        contacts: Their contacts.
        terrain: The ground.
        floor: Height of the source's floor under each foot; (f, feet).
        settings: Foot placement settings.
        scale: Size of the character relative to one of 1.6 m.
        loop: How the clip repeats, None if it does not.
        hands: In which rows a hand bears; (f,).
        notes: Notes about skipped items.
        resting: What rests besides feet.
        lifts: How much higher feet are placed than their soles require, metres; (f, feet). None if
            they are not.
    """

    source: Source
    name: str
    stages: GoalStages
    model: JointModel
    goals: tuple[tuple[int, Goal | Track], ...]
    feet: tuple[Foot, ...]
    contacts: tuple[Contact, ...]
    terrain: Terrain
    floor: Floats
    settings: PlanSettings
    scale: float
    loop: Loop | None
    hands: NDArray[np.bool_]
    notes: tuple[str, ...]
    resting: Resting = NOTHING
    lifts: Floats | None = None

    @property
    def legs(self) -> LegSetup:
        """The legs."""
        return self.stages.legs

    @property
    def all_contacts(self) -> list[Contact]:
        """Contacts of feet and other parts, by their numbers among `contact_names`."""
        count = len(self.feet)
        rests = (each._replace(foot=each.foot + count) for each in self.resting.contacts)
        return [*self.contacts, *rests]

    @property
    def contact_names(self) -> list[str]:
        """Names of the feet and other parts."""
        return [foot.name for foot in self.feet] + [part.name for part in self.resting.parts]

    @cached_property
    def body(self) -> Body:
        """The character in the solver's terms; made when it is solved, as it uses the solver."""
        return whole_body(
            self.resting,
            self.legs,
            self.source.skeleton,
            self.source.clip,
            self.model,
            [track for _, track in self.goals],
            self.source.rate,
            self.scale,
            self.floor,
            self.stages.aimed,
        )

    def solve(
        self, progress: Progress | None = None, cancelled: Cancel | None = None
    ) -> FeetSolution:
        """Plan where feet go and solve all frames. Does not access Blender.

        Raises:
            RigError: There is no ground under the character, or the solver cannot solve it.
            Cancelled: `cancelled` returned true.
        """
        started = time.perf_counter()
        plan, support = planned_feet(
            self.name,
            self.feet,
            self.contacts,
            self.floor,
            self.body.pelvis.places,
            self.terrain,
            self.source.rate,
            self.scale,
            self.settings,
            self.loop,
            self.hands,
            self.resting,
            self.lifts,
        )
        seconds = time.perf_counter() - started
        rate = self.source.rate
        placed = placed_feet(
            self.body, self.feet, plan, rate, self.scale, self.loop, progress, cancelled, support
        )
        return FeetSolution(
            plan,
            placed,
            self.model.tracks(placed.values),
            feet_errors(self.source, self.model, self.goals, placed.errors),
            (*plan.notes, *self.body.notes(placed.values, self.scale)),
            seconds,
            plan.findings,
            support,
        )
