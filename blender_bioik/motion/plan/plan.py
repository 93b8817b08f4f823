"""The plan: targets of sole points in every frame, swings, and the body's movement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...findings import Finding
from ..feet import AUTO, Floats, Foot
from ..ground.underfoot import Underfoot
from .footsteps import Footstep


@dataclass(frozen=True)
class PlanSettings:
    """Foot placement settings.

    Attributes:
        slope: Share of the ground's slope with which feet align, 0 to 1.
        step_up: The highest step onto which a foot is placed, metres.
        ease: Time to blend into and out of a foot lock, seconds.
        swing: Share of the source's height that a swinging foot keeps above the ground.
        swing_cap: Upper bound of that height, metres.
        levels: What to do with stands above the source's floor: AUTO, MATCH, PUT or KEEP.
    """

    slope: float = 1.0
    step_up: float = 0.5
    ease: float = 0.0
    swing: float = 0.6
    swing_cap: float = 0.06
    levels: str = AUTO


@dataclass(frozen=True, eq=False)
class FootPlan:
    """The plan of a foot.

    Attributes:
        target: Target positions of heel, ball and tip; (f, 3, 3). Undefined where no lock is
        active.
        plan_lock: How stiffly each is held there in plan view, 0 to 1; (f, 3).
        height_lock: The same for its height; (f, 3).
        swing: Height over the ground that each keeps in addition to its clearance; below zero where
        the source is that deep in its own floor; (f, 3).
        path: Path of the ball in plan view, from stance to stance as in the source; (f, 2).
        tilt: How the ground's slope rotates the foot, in stances and between them, quaternions; (f,
            4). Its heading is kept.
        footsteps: The footsteps of the ball.
        lift: How much higher than its sole requires it is, for its mesh, metres; (f,).
    """

    target: Floats
    plan_lock: Floats
    height_lock: Floats
    swing: Floats
    path: Floats
    tilt: Floats
    footsteps: tuple[Footstep, ...]
    lift: Floats

    @property
    def slides(self) -> bool:
        """Whether the foot only slides and is never planted."""
        return bool(self.footsteps) and all(step.contact.slides for step in self.footsteps)


@dataclass(frozen=True, eq=False)
class Plan:
    """The plan of the whole body.

    Attributes:
        feet: Of each foot.
        body: How far the body moves along with the ground, metres; (f, 3).
        underfoot: The ground.
        notes: Notes for the user.
        findings: What the planner decided that the verdict has to tell.
    """

    feet: tuple[FootPlan, ...]
    body: Floats
    underfoot: Underfoot
    notes: tuple[str, ...]
    findings: tuple[Finding, ...] = ()


def step_notes(
    feet: Sequence[Foot], plans: Sequence[FootPlan], settings: PlanSettings
) -> tuple[str, ...]:
    """Notes for the user about footsteps."""
    notes = []
    for foot, plan in zip(feet, plans, strict=True):
        holes = sum(step.over_hole for step in plan.footsteps)
        if holes:
            notes.append(
                f"{foot.name} has no suitable ground for {holes} of {len(plan.footsteps)} "
                "footsteps, only holes or ground that is too high: it keeps its height there."
            )
        high = max((step.too_high for step in plan.footsteps), default=0.0)
        if high > 0.0:
            notes.append(
                f"{foot.name} has to climb {high + settings.step_up:.2f} m in one step, which is "
                "more than Max Step Height."
            )
    return tuple(notes)
