"""All goals of a placement, with which planted feet are where planned.

Every weight comes from a sigma: an error of that size, for a thirtieth of a second, costs as much
as any other error of its own sigma.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from ...solver import Direction, Track
from ...solver.clips.goal_list import GoalHandle, GoalList
from ...solver.goals.ground import Above, Hold, JointMinimum, PlaceAbove
from ...solver.kernels.quaternions import product
from ..feet import BALL, HEEL, TIP, Floats, Foot
from ..plan.plan import FootPlan, Plan
from ..plan.swing_path import over_even_ground, swing_path
from ..rests.rest_plan import Support
from ..tilt import level_heading
from .body import Body, LegTips
from .body_goals import hand_goals, kept_goals, pelvis_goal, straightest, turned
from .body_ground import HALVES
from .rest_goals import elbow_goals, rest_goals, trunk_goal
from .sole_ground import GroundGoals
from .tuning import WEIGHTS

RATE = 30.0


class LegGoals(NamedTuple):
    """Goals of a leg that are adjusted while the clip is solved.

    Attributes:
        lock: Holds the planted ball.
        lead: Leads the swinging ball.
        turn: Keeps the foot's orientation of the source.
        swings: Rows in which the ball may be led; (f,).
    """

    lock: GoalHandle
    lead: GoalHandle
    turn: GoalHandle
    swings: NDArray[np.bool_]


class PlacementGoals(NamedTuple):
    """The goals of a placement.

    Attributes:
        all: All of them, in order.
        ground: The ground goals.
        legs: Those of each leg, in the order of the body's legs.
        body: Those that keep parts of the body out of the ground, `HALVES` for each part.
        own: The user's goals.
    """

    all: GoalList
    ground: GroundGoals
    legs: tuple[LegGoals, ...]
    body: GoalHandle
    own: GoalHandle


def add_placement_goals(
    goals: GoalList,
    body: Body,
    feet: Sequence[Foot],
    plan: Plan,
    rate: float,
    scale: float,
    support: Support | None = None,
) -> PlacementGoals:
    """Add the goals of a plan to a list; see `placement.place`."""
    share = RATE / rate
    ground = _add_ground(goals, body, share, scale)
    legs = []
    for number, (leg, foot, wanted) in enumerate(zip(body.legs, feet, plan.feet, strict=True)):
        rests = None if support is None else support.balls[:, number]
        path = swing_path(foot, wanted, plan.underfoot, scale, body.loop, rests)
        swings = wanted.plan_lock[:, BALL] == 0.0
        if support is not None:
            swings &= ~support.lies[:, number]
        if body.follows_slope or wanted.slides:
            led = up = swings
            sigmas, turn = (WEIGHTS.firm, WEIGHTS.firm), WEIGHTS.slide_turn
        else:
            between = swings & _between_stands(wanted, rests)
            even = over_even_ground(path, swings, plan.underfoot, rate, scale)
            # Where a foot lands after the clip is a guess, which uneven ground disproves.
            led, up = between | even, between & even
            sigmas, turn = (WEIGHTS.swing_path, WEIGHTS.swing), WEIGHTS.foot_turn
        path[:, 2] += wanted.lift
        swing = _swing_goal(leg, path, led, up, sigmas, share / scale**2)
        swings = swings & _known_swings(wanted, rests)
        legs.append(_add_foot(goals, leg, foot, wanted, swing, swings, share, turn, scale))
    in_place = all(wanted.slides for wanted in plan.feet)
    need = body.pelvis.sideways / (WEIGHTS.slide_pelvis if in_place else 1.0)
    goals.add(pelvis_goal(body.pelvis, plan.body, need, share, scale))
    goals.add_all(kept_goals(body.kept, share))
    goals.add_all(hand_goals(body.hands, plan.body, share, scale))
    goals.add_all(elbow_goals(body.elbows, share))
    if support is not None:
        goals.add_all(rest_goals(body.resting, support, share, scale))
        if body.trunk is not None:
            goals.add(trunk_goal(body.trunk, support, share))
    weight = share / (WEIGHTS.firm * scale) ** 2
    outside = goals.add_all(
        PlaceAbove(part.tip, weight=weight) for part in body.parts for _ in range(HALVES)
    )
    return PlacementGoals(goals, ground, tuple(legs), outside, goals.add_all(body.goals))


def _add_ground(goals: GoalList, body: Body, share: float, scale: float) -> GroundGoals:
    """Add the goals that `SoleGround` keeps up to date."""
    soles = body.sole_tips
    return GroundGoals(
        *(
            goals.add_all(
                Above(tip, (0.0, 0.0, 0.0), weight=share / (sigma * scale) ** 2) for tip in tips
            )
            for tips, sigma in (
                ([*soles, *body.rim_tips], WEIGHTS.penetration),
                (soles, WEIGHTS.swing),
            )
        )
    )


def _swing_goal(
    leg: LegTips,
    path: Floats,
    led: NDArray[np.bool_],
    up: NDArray[np.bool_],
    sigmas: tuple[float, float],
    share: float,
) -> Track:
    """The ball follows a path (f, 3), with weights in plan view and in height."""
    along, rise = 1.0 / sigmas[0], np.where(up, 1.0 / sigmas[1], 0.0)
    shares = np.stack([np.full(len(path), along)] * 2 + [rise], axis=-1)
    goal = Hold(leg.soles[BALL], (0.0, 0.0, 0.0))
    return Track(goal, {"point": path, "share": shares, "weight": np.where(led, share, 0.0)})


def _between_stands(wanted: FootPlan, rests: Floats | None) -> NDArray[np.bool_]:
    """Rows in which a foot is off its sole, from a stance or another rest to the last one; (f,)."""
    planted = wanted.plan_lock[:, BALL] > 0.0
    known = planted if rests is None else planted | ~np.isnan(rests[:, 0])
    begun, ahead = np.logical_or.accumulate(known), np.logical_or.accumulate(known[::-1])[::-1]
    return np.asarray(begun & ahead & ~planted)


def _known_swings(wanted: FootPlan, rests: Floats | None) -> NDArray[np.bool_]:
    """Rows in which the path of a ball is known by its stances; (f,)."""
    resting = np.zeros(len(wanted.plan_lock), bool) if rests is None else ~np.isnan(rests[:, 0])
    return ~resting & bool(wanted.footsteps)


def _add_foot(
    goals: GoalList,
    leg: LegTips,
    foot: Foot,
    wanted: FootPlan,
    swing: Track,
    swings: NDArray[np.bool_],
    share: float,
    turn_sigma: float,
    scale: float,
) -> LegGoals:
    holds = []
    for point, tip in enumerate(leg.soles):
        plan, height = WEIGHTS.holds[point]
        along = np.sqrt(wanted.plan_lock[:, point]) / (plan * scale)
        up = np.sqrt(wanted.height_lock[:, point]) / (height * scale)
        hold = Track(
            Hold(tip, (0.0, 0.0, 0.0)),
            {
                "point": wanted.target[:, point],
                "share": np.stack([along, along, up], axis=-1),
                "weight": np.where(along + up > 0.0, share, 0.0),
            },
        )
        holds.append(goals.add(hold))
    lead = goals.add(swing)
    tilted = product(wanted.tilt, leg.foot_turn)
    turn = goals.add(turned(leg.foot, tilted, share / turn_sigma**2))
    goals.add(_heading_goal(leg, foot, wanted, share))
    for joint, flexion in leg.knees:
        knee = JointMinimum(joint, 0.0, weight=share / WEIGHTS.firm_turn**2)
        goals.add(Track(knee, {"minimum": straightest(flexion)}))
    return LegGoals(holds[BALL], lead, turn, swings)


def _heading_goal(leg: LegTips, foot: Foot, wanted: FootPlan, share: float) -> Track:
    """A foot keeps its heading of the source, by its axis across.

    Its pitch stays free, which the roll from heel to toe needs.
    """
    planted = WEIGHTS.rolling_heading if leg.rim else WEIGHTS.heading
    sigma = np.where(wanted.plan_lock[:, BALL] > 0.0, planted, WEIGHTS.swing_heading)
    ahead = level_heading(foot.points[:, TIP] - foot.points[:, HEEL])
    across = np.cross([0.0, 0.0, 1.0], ahead)
    size = np.linalg.norm(across, axis=-1, keepdims=True)
    across = np.where(size > 0.0, across / np.maximum(size, 1e-12), [1.0, 0.0, 0.0])
    return Track(
        Direction(leg.foot, (1.0, 0.0, 0.0), (1.0, 0.0, 0.0), tolerance=None),
        {
            "direction": _rotation(wanted.tilt).apply(across),
            "axis": _rotation(leg.foot_turn).inv().apply(across),
            "weight": np.where(size[:, 0] > 0.0, share / sigma**2, 0.0),
        },
    )


def _rotation(quaternions: Floats) -> Rotation:
    """Of quaternions (f, 4), w first."""
    return Rotation.from_quat(quaternions[:, [1, 2, 3, 0]])
