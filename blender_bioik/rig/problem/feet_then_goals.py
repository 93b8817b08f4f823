"""Foot placement, and then the user's goals on the placed body."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.ndimage import maximum_filter1d

from ...findings import CLIMB
from ...motion.plan.body_rise import averaged
from ...motion.plan.lean import lean_angles
from ...motion.tuning import BODY
from ..legs.lean_tracks import leaned_tracks
from ..reading import Cancel, Progress, parts_of
from ..source.source import Source
from ..transforms import Floats
from .feet_problem import FeetProblem
from .feet_solution import FeetSolution
from .goals_after_feet import GoalsAfterFeet

# A lean that is nowhere larger, in radians, is none.
LEAST_LEAN = 1e-3


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
            return self._leaned(self.feet.solve(progress, cancelled))
        first, second = parts_of(progress, 2)
        placed = self._leaned(self.feet.solve(first, cancelled))
        return GoalsAfterFeet(self.feet, placed).solve(second, cancelled)

    def _leaned(self, placed: FeetSolution) -> FeetSolution:
        """Placed feet with an upper body that leans with the ground, and a note about it."""
        feet, leaning = self.feet, self.feet.legs.upper.leaning
        if leaning is None or feet.legs.controls is not None:
            return placed
        pelvis, rate, loops = feet.body.pelvis.places, feet.source.rate, feet.loop is not None
        turns = lean_angles(
            placed.plan, feet.feet, pelvis, self._bears(placed), leaning.share, rate, loop=loops
        )
        most = float(np.linalg.norm(turns, axis=-1).max(initial=0.0))
        if most < LEAST_LEAN:
            return placed
        degrees = float(np.degrees(most))
        note = f"The upper body leans with the slope, by up to {degrees:.1f} degrees (see Lean)."
        source = feet.source
        tracks = leaned_tracks(
            source.skeleton, source.clip, source.moved, leaning, placed.tracks, turns
        )
        return replace(placed, tracks=tracks, notes=(*placed.notes, note))

    def _bears(self, placed: FeetSolution) -> Floats:
        """Share of the body that lies, sits, holds on or climbs; (f,).

        It is whole there, and passes within two steps.
        """
        found = self.feet.hands.copy()
        for rest in placed.support.rests if placed.support is not None else ():
            found |= rest.rows
        for finding in placed.plan.findings:
            if finding.kind == CLIMB and finding.row is not None:
                found[finding.row : (finding.last or finding.row) + 1] = True
        step = round(BODY.step_seconds * self.feet.source.rate)
        near = maximum_filter1d(found.astype(float), 2 * step + 1)
        return averaged(near, self.feet.source.rate)
