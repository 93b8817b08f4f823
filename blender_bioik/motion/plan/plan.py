"""The plan: where sole points shall be in every frame, how feet swing, how the body follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..feet import Floats, Foot
from ..ground.underfoot import Underfoot
from .footsteps import Footstep

# Planted feet are put so much above the ground, metres for a character of 1.6 m: solving errs to
# both sides.
LIFT = 0.0005


@dataclass(frozen=True)
class PlanSettings:
    """How feet are placed.

    Attributes:
        slope: Share of the ground's slope that feet take on, 0 to 1.
        step_up: The highest step a foot is put on, metres.
        ease: Time over which locks set in and let go, seconds.
        swing: Share of the source's height that a swinging foot keeps above the ground.
        swing_cap: More height than this is not asked for, metres.
    """

    slope: float = 1.0
    step_up: float = 0.5
    ease: float = 0.0
    swing: float = 0.6
    swing_cap: float = 0.06


@dataclass(frozen=True, eq=False)
class FootPlan:
    """What is asked of a foot.

    Attributes:
        target: Where heel, ball and tip shall be; (f, 3, 3). Means nothing where nothing is asked.
        plan_lock: How stiffly each is held there in plan view, 0 to 1; (f, 3).
        height_lock: The same for its height; (f, 3).
        swing: Height over the ground that each shall keep beyond its clearance; (f, 3).
        path: Where the ball goes in plan view, from stand to stand as in the source; (f, 2).
        tilt: How the ground's slope turns the foot, in stands and on the way from one to the next,
            quaternions; (f, 4). Its heading stays.
        footsteps: The stands of the ball.
    """

    target: Floats
    plan_lock: Floats
    height_lock: Floats
    swing: Floats
    path: Floats
    tilt: Floats
    footsteps: tuple[Footstep, ...]

    @property
    def slides(self) -> bool:
        """Whether the foot does not stand, it only slides."""
        return bool(self.footsteps) and all(step.contact.slides for step in self.footsteps)


@dataclass(frozen=True, eq=False)
class Plan:
    """What is asked of the whole body.

    Attributes:
        feet: Of each foot.
        body: How far the body moves along with the ground, metres; (f, 3).
        underfoot: The ground.
        notes: Sentences for the user.
    """

    feet: tuple[FootPlan, ...]
    body: Floats
    underfoot: Underfoot
    notes: tuple[str, ...]


def step_notes(
    feet: Sequence[Foot], plans: Sequence[FootPlan], settings: PlanSettings
) -> tuple[str, ...]:
    """Sentences for the user about where feet stand."""
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
