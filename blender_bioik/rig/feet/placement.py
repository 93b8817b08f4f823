"""What is read for a foot placement, and what is known before it is solved."""

from __future__ import annotations

from dataclasses import dataclass

from ...findings import Finding
from ..problem.feet_problem import FeetProblem
from ..problem.feet_solution import FeetSolution
from ..problem.feet_then_goals import FeetThenGoals
from ..problem.lifted_feet import solve_lifted
from ..reading import Cancel, Progress
from ..skin.read_skin import ReadSkin
from ..source.source import Source
from .skin_depths import mesh_depth


@dataclass(frozen=True, eq=False)
class Placement:
    """Everything read for foot placement.

    Attributes:
        problem: The problem.
        found: Whether contacts were detected in the clip, not given by the user.
        own_grounds: Whether the ground is the one in the armature's settings.
        skin: The meshes of the character; None without any.
        findings: What is known about the character and its clip before it is solved.
    """

    problem: FeetThenGoals
    found: bool
    own_grounds: bool
    skin: ReadSkin | None = None
    findings: tuple[Finding, ...] = ()

    @property
    def source(self) -> Source:
        """The armature, its clip and its goals."""
        return self.problem.source

    @property
    def feet(self) -> FeetProblem:
        """Its foot placement problem."""
        return self.problem.feet

    def solve(
        self, progress: Progress | None = None, cancelled: Cancel | None = None
    ) -> FeetSolution:
        """Place feet, with their meshes out of the ground. Does not access Blender.

        Raises:
            RigError: There is no ground under the character, or the solver cannot solve it.
            Cancelled: `cancelled` returned true.
        """
        return solve_lifted(self.problem, mesh_depth(self.feet, self.skin), progress, cancelled)
