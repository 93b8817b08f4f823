"""Goals for what rests on the ground besides feet: parts of the body, and the trunk above them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

from ...solver import Track
from ...solver.goals.ground import JointMinimum, PlaceHold
from ...solver.kernels.quaternions import product
from ..feet import Floats
from ..rests.part import HALVES
from ..rests.part_plan import RestPlan
from ..rests.rest_plan import Support
from .body_goals import straightest, turned
from .tuning import WEIGHTS


@dataclass(frozen=True, eq=False)
class RestingPart:
    """A part of the body that may rest.

    Attributes:
        tip: A tip on its bone.
        frame: From the bone's frame to the tip's, a quaternion; (4,).
        turn: Orientation of the tip in the source; (f, 4).
        is_trunk: Whether it belongs to trunk or head, which cannot follow the ground everywhere.
    """

    tip: str
    frame: Floats
    turn: Floats
    is_trunk: bool


@dataclass(frozen=True, eq=False)
class Trunk:
    """The trunk of a body that rests on more than its feet.

    Attributes:
        tip: The tip that turns with it.
        turn: Its orientation in the source; (f, 4).
        standing: Allowed turn while it stands on its feet, a sigma, radians.
    """

    tip: str
    turn: Floats
    standing: float


def rest_goals(
    parts: Sequence[RestingPart], support: Support, share: float, scale: float
) -> Iterator[Track]:
    """Parts of the body rest as planned; `share` is that of a frame in a thirtieth of a second."""
    for part, rest in zip(parts, support.rests, strict=True):
        if not rest.rows.any():
            continue
        yield _locked(part, rest, share, scale)
        for half in range(HALVES):
            yield _raised(part, rest, half, share, scale)
        if not part.is_trunk:
            laid = turned(part.tip, product(rest.turn, part.turn), 1.0)
            firm = rest.height_lock.max(axis=1) / WEIGHTS.rolling_heading**2
            # A hand that comes to a table is as level as in the clip.
            turn = WEIGHTS.rolling_heading if rest.held.any() else WEIGHTS.foot_turn
            led = np.where(rest.between, 1.0 / turn**2, 0.0)
            yield Track(laid.goal, {**laid.fields, "weight": share * np.maximum(firm, led)})


def elbow_goals(elbows: Sequence[tuple[str, Floats]], share: float) -> Iterator[Track]:
    """Elbows of arms that rest are not bent backwards; (joint, source's bend (f,)) each."""
    for joint, flexion in elbows:
        elbow = JointMinimum(joint, 0.0, weight=share / WEIGHTS.firm_turn**2)
        yield Track(elbow, {"minimum": straightest(flexion)})


def trunk_goal(trunk: Trunk, support: Support, share: float) -> Track:
    """The trunk follows the slope below what bears, and is as in the source while it stands."""
    sigma = trunk.standing * (WEIGHTS.rolling_heading / trunk.standing) ** support.share
    follows = turned(trunk.tip, product(support.trunk, trunk.turn), 1.0)
    return Track(follows.goal, {**follows.fields, "weight": share / sigma**2})


def _locked(part: RestingPart, rest: RestPlan, share: float, scale: float) -> Track:
    """The first point is held in plan view, and led on its way from one place to another."""
    sigma = WEIGHTS.swing_path if part.is_trunk else WEIGHTS.lock
    led = np.where(rest.between, 1.0 / (WEIGHTS.swing_path * scale), 0.0)
    plan = np.maximum(np.sqrt(rest.lock) / (sigma * scale), led)
    return Track(
        PlaceHold(part.tip),
        {
            "place": _place(part, rest, 0),
            "point": rest.point[:, 0],
            "plan": plan,
            "height": led,
            "weight": np.where(plan > 0.0, share, 0.0),
        },
    )


def _raised(part: RestingPart, rest: RestPlan, half: int, share: float, scale: float) -> Track:
    """The lowest point of a half is at its height."""
    sigma = WEIGHTS.swing if part.is_trunk else WEIGHTS.end_height
    # The seat on a bench is held like a limb: it is no back that lies on uneven ground.
    firmer = np.where(rest.held, (sigma / WEIGHTS.end_height) ** 2, 1.0)
    return Track(
        PlaceHold(part.tip, plan=0.0, height=1.0 / (sigma * scale)),
        {
            "place": _place(part, rest, 1 + half),
            "point": rest.point[:, 1 + half],
            "weight": rest.height_lock[:, half] * firmer * share,
        },
    )


def _place(part: RestingPart, rest: RestPlan, number: int) -> Floats:
    """A point of a part in the frame of its tip; (f, 3)."""
    return np.asarray(Rotation.from_quat(np.roll(part.frame, -1)).apply(rest.place[:, number]))
