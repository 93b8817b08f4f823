"""What rests besides feet, as the solver has it: parts of the body, feet on their sides, trunk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ...motion.feet import Contact
from ...motion.rests.part import Part
from ...motion.solve.body_ground import BodyPart
from ...motion.solve.rest_goals import RestingPart, Trunk
from ...solver import Poses
from ..joints.joint_model import JointModel
from ..legs.flesh import flesh_tip
from ..legs.leg_joints import PELVIS, LegSetup
from ..transforms import quaternion_inverse, quaternion_product
from .body_parts import hull_of_tip
from .tuning import INERTIA


def resting_parts(
    parts: Sequence[Part], model: JointModel, source: Poses
) -> Iterator[RestingPart]:
    """Parts of the body as tips."""
    for part in parts:
        tip = model.tree.tip_index(flesh_tip(part.bone))
        turn = source.tip_quaternions[:, tip]
        frame = quaternion_product(quaternion_inverse(turn[:1]), part.turn[:1])[0]
        yield RestingPart(flesh_tip(part.bone), frame, turn, part.limb is None)


def resting_feet(
    setup: LegSetup,
    parts: Sequence[Part],
    rests: Sequence[Contact],
    model: JointModel,
    source: Poses,
) -> Iterator[BodyPart]:
    """Feet that must stay out of the ground where they do not stand on their soles."""
    frames = len(source.tip_positions)
    for sole in setup.soles:
        number = next((k for k, part in enumerate(parts) if part.bone == sole.foot), None)
        if number is None:
            continue
        own = (contact for contact in rests if contact.foot == number)
        only = np.zeros(frames, bool)
        for contact in own:
            only[contact.first : contact.stop] = True
        only |= parts[number].free
        for hull in setup.foot_hulls:
            if hull.bone in (piece.hull.bone for piece in parts[number].pieces):
                yield BodyPart(flesh_tip(hull.bone), hull_of_tip(hull, model, source), only)


def resting_trunk(setup: LegSetup, model: JointModel, source: Poses) -> Trunk | None:
    """The trunk, if it turns with what rests below it."""
    if not setup.upper.turns:
        return None
    turn = source.tip_quaternions[:, model.tree.tip_index(PELVIS)]
    return Trunk(PELVIS, turn, INERTIA.kept_turn, INERTIA.head_turn)
