"""Foot placement: a body's clip, solved so that planted feet are where planned."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ...solver.clips.goal_list import GoalList
from ...solver.clips.open_clip import OpenClip, open_clip
from ..feet import BALL, FAR_ASIDE, Floats, Foot
from ..plan.plan import Plan
from ..rests.rest_plan import Support
from ..tuning import BODY
from .body import Body, LegTips
from .body_ground import BodyGround
from .descent import Descent, PelvisPath
from .harshness import JoltLeg
from .jolts import Jolts
from .placement_goals import LegGoals, PlacementGoals, add_placement_goals
from .sole_ground import SoleGround

Stopped = Callable[[], bool]
Progress = Callable[[int, int], None]


@dataclass(frozen=True, eq=False)
class Placed:
    """A solved clip.

    Attributes:
        values: Joint values; (f, joints).
        errors: Errors of the user's goals, metres or radians; (f, goals).
        steps: Steps over all frames that were taken.
        cancelled: Whether it was stopped before its end.
    """

    values: Floats
    errors: Floats
    steps: int
    cancelled: bool


def place(
    body: Body,
    feet: Sequence[Foot],
    plan: Plan,
    rate: float,
    scale: float,
    progress: Progress | None = None,
    stopped: Stopped | None = None,
    support: Support | None = None,
) -> Placed:
    """Solve a clip for a plan.

    Args:
        body: The character.
        feet: Its feet in the source.
        plan: Their plan.
        rate: Frames per second.
        scale: Size of the character relative to one of 1.6 m.
        progress: Called with steps done and the maximum number of steps.
        stopped: Called before each step; true to stop.
        support: The plan of other parts of the body that rest; None without any.
    """
    goals = add_placement_goals(GoalList(), body, feet, plan, rate, scale, support)
    return solve_goals(goals, body, feet, plan, rate, scale, progress, stopped)


def solve_goals(
    goals: PlacementGoals,
    body: Body,
    feet: Sequence[Foot],
    plan: Plan,
    rate: float,
    scale: float,
    progress: Progress | None = None,
    stopped: Stopped | None = None,
) -> Placed:
    """Solve a clip for the goals of a plan; the arguments are those of `place`."""
    asked = goals.all.goals
    with open_clip(body.tree, asked, body.clip, body.inertia, loop=body.loop) as opened:
        number = opened.tip_numbers
        soles = [number[tip] for tip in body.sole_tips]
        rims = [[number[tip] for tip in leg.rim] for leg in body.legs]
        ground = SoleGround(opened, goals.ground, plan, feet, soles, rims, scale)
        legs = [
            _jolt_leg(body, leg, opened, handles)
            for leg, handles in zip(body.legs, goals.legs, strict=True)
        ]
        jolts = Jolts(opened, legs, rate, scale, body.loop)
        around = None if body.loop else round(BODY.step_seconds * rate)
        places = (body.pelvis.places + plan.body)[:, :2]
        pelvis = PelvisPath(number[body.pelvis.tip], places, FAR_ASIDE * scale)
        locks, leads = [leg.lock for leg in goals.legs], [leg.lead for leg in goals.legs]
        flesh = BodyGround(opened, goals.body, body.parts, body.floor, plan.underfoot, scale)
        descent = Descent(opened, ground, flesh, jolts, pelvis, locks, leads, goals.own, around)
        start = body.carried(plan.body)[:, opened.problem.active]
        values, steps, cancelled = descent.run(start, progress or _ignored, stopped or _never)
        errors = opened.errors(goals.own, values)
        return Placed(opened.all_joints(values), errors, steps, cancelled)


def _ignored(_done: int, _total: int) -> None:
    return None


def _never() -> bool:
    return False


def _jolt_leg(body: Body, leg: LegTips, opened: OpenClip, goals: LegGoals) -> JoltLeg:
    """A leg's points and joints as the open clip numbers them, and its goals."""
    tree = body.tree
    above, *chains = (
        tree.chain(int(tree.tip_joint[tree.tip_index(tip)]))
        for tip in (body.pelvis.tip, *leg.soles)
    )
    own = {joint for chain in chains for joint in chain} - set(above)
    place = {int(joint): k for k, joint in enumerate(opened.problem.active)}
    return JoltLeg(
        np.array([opened.tip_numbers[tip] for tip in (leg.foot, *leg.soles[BALL:])]),
        np.array(sorted(place[joint] for joint in own if joint in place), int),
        tuple((place[tree.names.index(joint)], flexion) for joint, flexion in leg.knees),
        goals.lead,
        goals.turn,
        goals.swings,
    )
