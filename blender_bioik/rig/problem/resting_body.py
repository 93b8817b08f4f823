"""A body with what rests besides its feet: parts of the body, feet on their sides, the trunk."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from ...motion.rests.part import Part
from ...motion.rests.resting import NOTHING, Resting
from ...motion.solve.body import Body
from ...motion.solve.body_ground import BodyPart
from ...motion.solve.rest_goals import RestingPart, Trunk
from ...motion.solve.tuning import WEIGHTS
from ...solver import Goal, Poses, Track, forward_kinematics
from ..clip.sampling import Clip
from ..clip.skeleton import Skeleton
from ..joints.joint_model import JointModel
from ..legs.flesh import flesh_tip
from ..legs.leg_joints import PELVIS, Heads, LegSetup
from ..transforms import Floats, quaternion_inverse, quaternion_product
from .body_parts import hull_of_tip
from .leg_body import hinges, make_body

__all__ = ["NOTHING", "Resting", "whole_body"]


def whole_body(
    resting: Resting,
    setup: LegSetup,
    skeleton: Skeleton,
    clip: Clip,
    model: JointModel,
    goals: Sequence[Goal | Track],
    rate: float,
    scale: float,
    floor: Floats,
    aimed: Collection[str] = (),
) -> Body:
    """The character as `motion.solve` describes it, with what rests besides its feet.

    The other arguments are those of `make_body`.
    """
    body = make_body(setup, skeleton, clip, model, goals, rate, scale, floor, aimed)
    elbows = tuple(_elbows(setup, Heads(skeleton, clip), model))
    if not resting.contacts:
        return replace(body, elbows=elbows)
    source = forward_kinematics(model.tree, model.clip.values, model.clip.rest)
    return replace(
        body,
        parts=(
            *_above_feet(body.parts, setup, resting, rate),
            *_feet(setup, resting, model, source),
        ),
        resting=tuple(_parts(resting.parts, model, source)),
        trunk=_trunk(setup, model, source),
        elbows=elbows,
    )


def _above_feet(
    parts: Sequence[BodyPart], setup: LegSetup, resting: Resting, rate: float
) -> Iterator[BodyPart]:
    """Parts that must stay out of the ground: not thighs while the seat is on a bench."""
    sits = resting.sits(len(resting.parts[0].free), rate)
    thighs = {flesh_tip(sole.bones[0]) for sole in setup.soles}
    for part in parts:
        if part.tip in thighs and sits.any():
            only = ~sits if part.only is None else part.only & ~sits
            yield BodyPart(part.tip, part.hull, only)
        else:
            yield part


def _parts(parts: Sequence[Part], model: JointModel, source: Poses) -> Iterator[RestingPart]:
    """Parts of the body as tips."""
    for part in parts:
        tip = model.tree.tip_index(flesh_tip(part.bone))
        turn = source.tip_quaternions[:, tip]
        frame = quaternion_product(quaternion_inverse(turn[:1]), part.turn[:1])[0]
        yield RestingPart(flesh_tip(part.bone), frame, turn, part.limb is None)


def _feet(
    setup: LegSetup, resting: Resting, model: JointModel, source: Poses
) -> Iterator[BodyPart]:
    """Feet that must stay out of the ground where they do not stand on their soles."""
    hulls = {hull.bone: hull for hull in setup.foot_hulls}
    for number, part in enumerate(resting.parts):
        if not part.is_foot:
            continue
        only = part.free.copy()
        for contact in resting.contacts:
            if contact.foot == number:
                only[contact.first : contact.stop] = True
        for piece in part.pieces:
            own = hull_of_tip(hulls[piece.hull.bone], model, source)
            yield BodyPart(flesh_tip(own.bone), own, only)


def _elbows(setup: LegSetup, heads: Heads, model: JointModel) -> Iterator[tuple[str, Floats]]:
    """Hinges of arms that rest, and how far the source bends each, radians; (f,)."""
    for arm in setup.upper.resting:
        yield from hinges((arm.upper, arm.lower, arm.hand), heads, model)


def _trunk(setup: LegSetup, model: JointModel, source: Poses) -> Trunk | None:
    """The trunk, if it turns with what rests below it."""
    if not setup.upper.turns:
        return None
    turn = source.tip_quaternions[:, model.tree.tip_index(PELVIS)]
    return Trunk(PELVIS, turn, WEIGHTS.firm_turn)
