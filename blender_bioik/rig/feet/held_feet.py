"""When which feet are held on the ground, for curves with few keyframes."""

from __future__ import annotations

from ...motion.contacts.contacts import runs
from ...motion.feet import BALL
from ...motion.plan.plan import Plan
from ..keys.few_keys import Held
from ..problem.feet_problem import FeetProblem


def held_feet(feet: FeetProblem, plan: Plan) -> list[Held]:
    """The foot bones of a placement, with the rows in which their balls are planted."""
    return [
        Held(sole.bones[-1], first, stop)
        for sole, wanted in zip(feet.legs.soles, plan.feet, strict=True)
        for first, stop in runs(wanted.plan_lock[:, BALL] == 1.0)
    ]
