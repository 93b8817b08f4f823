"""Placed feet."""

from __future__ import annotations

from dataclasses import dataclass

from ...findings import Finding
from ...motion.plan.plan import Plan
from ...motion.rests.rest_plan import Support
from ...motion.solve.placement import Placed
from ..keys.keys import BoneTracks
from .own_goal_errors import GoalErrors


@dataclass(frozen=True, eq=False)
class FeetSolution:
    """Placed feet.

    Attributes:
        plan: Where feet go.
        placed: The poses of the feet's own solve.
        tracks: Channels of all bones, with the user's goals applied.
        goal_errors: Errors of these goals, by their numbers.
        notes: Notes about steps, hands and limits.
        plan_seconds: Time of planning.
        findings: What was found while planning and solving.
        support: The plan of other parts of the body that rest; None without any.
    """

    plan: Plan
    placed: Placed
    tracks: BoneTracks
    goal_errors: dict[int, GoalErrors]
    notes: tuple[str, ...]
    plan_seconds: float
    findings: tuple[Finding, ...] = ()
    support: Support | None = None
