"""Foot placement, and then the user's goals on the placed body."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..reading import Cancel, Progress, parts_of
from ..source.source import Source
from ..transforms import Floats
from .feet_problem import FeetProblem
from .feet_solution import FeetSolution
from .goals_after_feet import GoalsAfterFeet
from .leaned import leaned


@dataclass(frozen=True, eq=False)
class FeetThenGoals:
    """Feet, then the goals above them.

    Attributes:
        feet: The foot placement problem, with the goals solved together with it.
    """

    feet: FeetProblem

    @property
    def source(self) -> Source:
        """What was read."""
        return self.feet.source

    def lifted(self, lifts: Floats) -> FeetThenGoals:
        """The same with feet that are higher by some lifts, metres; (f, feet)."""
        return replace(self, feet=replace(self.feet, lifts=lifts))

    def solve(
        self, progress: Progress | None = None, cancelled: Cancel | None = None
    ) -> FeetSolution:
        """Place feet, and solve goals on the placed body. Does not access Blender.

        Raises:
            RigError: There is no ground under the character, or the solver cannot solve it.
            Cancelled: `cancelled` returned true.
        """
        if not self.feet.stages.above:
            return leaned(self.feet, self.feet.solve(progress, cancelled))
        first, second = parts_of(progress, 2)
        placed = leaned(self.feet, self.feet.solve(first, cancelled))
        return GoalsAfterFeet(self.feet, placed).solve(second, cancelled)
