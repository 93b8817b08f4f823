"""Placing feet: what is asked of a body so that planted feet stand where planned, and solving it.

Every weight comes from a sigma: an error of that size, for a thirtieth of a second, costs as much
as any other error of its own sigma.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from ...solver import (
    Clip,
    Direction,
    Goal,
    KinematicTree,
    Track,
    forward_kinematics,
)
from ...solver.clips.open_clip import OpenClip, open_clip
from ...solver.clips.whole_clip import Inertia
from ...solver.goals.ground import Above, Hold, JointMinimum
from ...solver.kernels.quaternions import product
from ..feet import BALL, FAR_ASIDE, HEEL, POINT_NAMES, TIP, Floats, Foot
from ..plan.plan import FootPlan, Plan
from ..plan.swing_path import over_even_ground, swing_path
from ..tilt import level_heading
from .body_goals import (
    Hand,
    Kept,
    Pelvis,
    hand_goals,
    kept_goals,
    pelvis_goal,
    straightest,
    turned,
)
from .descent import AROUND, Descent, PelvisPath
from .jolts import JoltLeg, Jolts
from .sole_ground import SoleGround

# Sigmas, metres for a character of 1.6 m.
LOCK_PLAN, LOCK_HEIGHT = 5e-5, 1e-4
SOLE_HOLD = {"heel": (0.010, 0.003), "ball": (LOCK_PLAN, LOCK_HEIGHT), "tip": (0.004, 0.0015)}
PENETRATION, SWING, SWING_PATH, SWING_RISE, WALL = 4e-4, 0.02, 0.03, 0.02, 0.002
# Feet of bodies that follow the slope, and those that only slide, are led all the time: along their
# path, metres, and in their turns, radians.
FIRM_PATH, FIRM_TURN = 0.0015, 0.13
# A body whose feet only slide has so many times less need to go aside.
SLIDE_PELVIS = 4.0
# Sigmas, radians.
FOOT_TURN, HEADING, SWING_HEADING, STRAIGHT_KNEE = 0.2, 0.02, 0.1, 0.005
# Of a planted foot with known sides: these roll it onto the ground, which its heading must allow.
ROLLING_HEADING = 0.03
RATE = 30.0
# The goals that lead a ball and turn its foot come so much later than the one that locks it: see
# `_foot_goals`.
LEAD_AFTER_LOCK, TURN_AFTER_LOCK = 2, 3

Stopped = Callable[[], bool]
Progress = Callable[[int, int], None]


@dataclass(frozen=True, eq=False)
class LegTips:
    """A leg in the solver's tree.

    Attributes:
        soles: Tips of heel, ball and tip.
        foot: The tip that turns with the foot bone.
        foot_turn: How the foot bone is turned in the source; (f, 4).
        knees: Joints that bend the leg, with how far the source bends it, radians; (f,).
        rim: Tips at the sides of the sole, which only must not be in the ground, beside the points
            that `feet.RIM` says; empty if they are not known.
    """

    soles: tuple[str, str, str]
    foot: str
    foot_turn: Floats
    knees: tuple[tuple[str, Floats], ...]
    rim: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Body:
    """A character in the solver's terms.

    Attributes:
        tree: Its joints.
        clip: Source values and rest transforms.
        inertia: What corrections of joints cost, per thirtieth of a second.
        pelvis: The middle of the body.
        legs: Of each foot, in the feet's order.
        kept: Bones that keep their orientation in the world.
        hands: Hands that stay in the world.
        goals: Goals of the user's own.
        loop: Whether the clip goes on from its last frame with its first.
        slides: Joints that slide the whole body, and the directions (f, 3) they do it in.
        follows_slope: Whether it turns with the ground, as bodies on more than two legs do.
    """

    tree: KinematicTree
    clip: Clip
    inertia: Inertia
    pelvis: Pelvis
    legs: tuple[LegTips, ...]
    kept: tuple[Kept, ...] = ()
    hands: tuple[Hand, ...] = ()
    goals: tuple[Goal | Track, ...] = ()
    loop: bool = False
    slides: tuple[tuple[int, Floats], ...] = ()
    follows_slope: bool = False

    def carried(self, way: Floats) -> Floats:
        """Joint values of the source with the body moved a way (f, 3)."""
        values = np.array(self.clip.values, float)
        for joint, direction in self.slides:
            moved = values[:, joint] + np.einsum("fi,fi->f", direction, way)
            values[:, joint] = np.clip(moved, self.tree.lower[joint], self.tree.upper[joint])
        return values

    def tip_places(self, values: Floats) -> dict[str, Floats]:
        """Places (f, 3) of all tips for joint values (f, joints)."""
        poses = forward_kinematics(self.tree, values, self.clip.rest)
        return {name: poses.tip_positions[:, k] for k, name in enumerate(self.tree.tip_names)}


@dataclass(frozen=True, eq=False)
class Placed:
    """A solved clip.

    Attributes:
        values: Joint values; (f, joints).
        errors: Errors of the user's own goals, metres or radians; (f, goals).
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
) -> Placed:
    """Solve a clip for a plan.

    Args:
        body: The character.
        feet: Its feet in the source.
        plan: What is asked of them.
        rate: Frames per second.
        scale: Size of the character relative to one of 1.6 m.
        progress: Called with steps done and the most steps there can be.
        stopped: Asked before each step whether to give up.
    """
    asked = _asked(body, feet, plan, rate, scale)
    with open_clip(body.tree, asked, body.clip, body.inertia, loop=body.loop) as opened:
        number = opened.tip_numbers
        soles = [number[tip] for tip in _sole_tips(body)]
        rims = [[number[tip] for tip in leg.rim] for leg in body.legs]
        ground = SoleGround(opened, plan, feet, soles, rims, scale)
        own = len(asked) - len(body.goals)
        locks = [ground.goals + k for k in lock_goals(body)]
        legs = [
            _jolt_leg(body, leg, opened, lock, wanted)
            for leg, lock, wanted in zip(body.legs, locks, plan.feet, strict=True)
        ]
        jolts = Jolts(opened, legs, rate, scale, body.loop)
        around = None if body.loop else round(AROUND * rate)
        places = (body.pelvis.places + plan.body)[:, :2]
        pelvis = PelvisPath(number[body.pelvis.tip], places, FAR_ASIDE * scale)
        leads = [lock + LEAD_AFTER_LOCK for lock in locks]
        descent = Descent(opened, ground, jolts, pelvis, locks, leads, own, around)
        start = body.carried(plan.body)[:, opened.problem.active]
        values, steps, cancelled = descent.run(start, progress or _ignored, stopped or _never)
        errors = opened.frames.expand(opened.stretch, values).errors[:, own:]
        return Placed(opened.all_joints(values), errors, steps, cancelled)


def _ignored(_done: int, _total: int) -> None:
    return None


def _never() -> bool:
    return False


def _asked(
    body: Body, feet: Sequence[Foot], plan: Plan, rate: float, scale: float
) -> list[Goal | Track]:
    """All goals: first the ground's, as `SoleGround` wants them, then everything else."""
    share = RATE / rate
    soles = _sole_tips(body)
    tracks: list[Goal | Track] = [
        Above(tip, (0.0, 0.0, 0.0), weight=share / (sigma * scale) ** 2)
        for tips, sigma in (
            ([*soles, *_rim_tips(body)], PENETRATION),
            (soles, SWING),
            (soles, WALL),
        )
        for tip in tips
    ]
    for leg, foot, wanted in zip(body.legs, feet, plan.feet, strict=True):
        path = swing_path(foot, wanted, plan.underfoot, body.loop)
        if body.follows_slope or wanted.slides:
            led = up = wanted.plan_lock[:, BALL] == 0.0
            sigmas, turn = (FIRM_PATH, FIRM_PATH), FIRM_TURN
        else:
            led = _between_stands(wanted)
            up = over_even_ground(path, led, plan.underfoot, rate, scale)
            sigmas, turn = (SWING_PATH, SWING_RISE), FOOT_TURN
        swing = _swing_goal(leg, path, led, up, sigmas, share / scale**2)
        tracks += _foot_goals(leg, foot, wanted, swing, share, turn, scale)
    in_place = all(wanted.slides for wanted in plan.feet)
    need = body.pelvis.sideways / (SLIDE_PELVIS if in_place else 1.0)
    tracks.append(pelvis_goal(body.pelvis, plan.body, need, share, scale))
    tracks += kept_goals(body.kept, share)
    tracks += hand_goals(body.hands, plan.body, share, scale)
    return [*tracks, *body.goals]


def _sole_tips(body: Body) -> list[str]:
    """Heel, ball and tip of each foot, feet in order."""
    return [tip for leg in body.legs for tip in leg.soles]


def _rim_tips(body: Body) -> list[str]:
    """Points at the sides of the soles, feet in order."""
    return [tip for leg in body.legs for tip in leg.rim]


def _swing_goal(
    leg: LegTips,
    path: Floats,
    led: NDArray[np.bool_],
    up: NDArray[np.bool_],
    sigmas: tuple[float, float],
    share: float,
) -> Track:
    """The ball goes along a path (f, 3) in plan view while it is led, and in height while up is."""
    along, rise = 1.0 / sigmas[0], np.where(up, 1.0 / sigmas[1], 0.0)
    shares = np.stack([np.full(len(path), along)] * 2 + [rise], axis=-1)
    goal = Hold(leg.soles[BALL], (0.0, 0.0, 0.0))
    return Track(goal, {"point": path, "share": shares, "weight": np.where(led, share, 0.0)})


def _between_stands(wanted: FootPlan) -> NDArray[np.bool_]:
    """Rows in which a foot is on its way from one stand to another; (f,)."""
    planted = wanted.plan_lock[:, BALL] > 0.0
    begun, ahead = np.logical_or.accumulate(planted), np.logical_or.accumulate(planted[::-1])[::-1]
    return np.asarray(begun & ahead & ~planted)


def _foot_goals(
    leg: LegTips,
    foot: Foot,
    wanted: FootPlan,
    swing: Track,
    share: float,
    turn: float,
    scale: float,
) -> list[Goal | Track]:
    tracks: list[Goal | Track] = []
    for point, (name, tip) in enumerate(zip(POINT_NAMES, leg.soles, strict=True)):
        plan, height = SOLE_HOLD[name]
        along = np.sqrt(wanted.plan_lock[:, point]) / (plan * scale)
        up = np.sqrt(wanted.height_lock[:, point]) / (height * scale)
        tracks.append(
            Track(
                Hold(tip, (0.0, 0.0, 0.0)),
                {
                    "point": wanted.target[:, point],
                    "share": np.stack([along, along, up], axis=-1),
                    "weight": np.where(along + up > 0.0, share, 0.0),
                },
            )
        )
    tracks.append(swing)
    tilted = product(wanted.tilt, leg.foot_turn)
    tracks.append(turned(leg.foot, tilted, share / turn**2))
    tracks.append(_heading_goal(leg, foot, wanted, share))
    for joint, flexion in leg.knees:
        knee = JointMinimum(joint, 0.0, weight=share / STRAIGHT_KNEE**2)
        tracks.append(Track(knee, {"minimum": straightest(flexion)}))
    return tracks


def _heading_goal(leg: LegTips, foot: Foot, wanted: FootPlan, share: float) -> Track:
    """A foot heads where it does in the source: what is across it stays across it.

    Its pitch stays free, which the roll from heel to toe needs.
    """
    planted = ROLLING_HEADING if leg.rim else HEADING
    sigma = np.where(wanted.plan_lock[:, BALL] > 0.0, planted, SWING_HEADING)
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


def _jolt_leg(body: Body, leg: LegTips, opened: OpenClip, lock: int, wanted: FootPlan) -> JoltLeg:
    """A leg's points, joints and goals as the open clip numbers them."""
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
        lock + LEAD_AFTER_LOCK,
        lock + TURN_AFTER_LOCK,
        wanted.plan_lock[:, BALL] == 0.0,
    )


def lock_goals(body: Body) -> list[int]:
    """Which of the feet's goals hold balls, counted from the first of the feet's."""
    found, first = [], 0
    for leg in body.legs:
        found.append(first + BALL)
        first += len(leg.soles) + 3 + len(leg.knees)
    return found
