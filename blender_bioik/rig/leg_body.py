"""A character's body in the terms of foot placement: what its joints cost, what its legs allow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ..motion.placement import Body, LegTips
from ..solver import Goal, Poses, Track, forward_kinematics
from ..solver.whole_clip import Inertia
from .bone_frames import rotated
from .joint_model import JointModel, turn_name
from .leg_joints import PELVIS, Heads, LegSetup, bending, foot_tip
from .sampling import Clip
from .skeleton import Skeleton
from .soles import Sole
from .transforms import Floats

# A leg is not straightened further than this, radians, or than the source if that is straighter.
STRAIGHT = np.radians(8.0)
# What a correction may be, and its acceleration: sigmas, radians and radians / s^2.
STAY = {"hip": 0.3, "twist": 0.07, "knee": 0.3, "foot": 2.0, "toe": 0.2, "other": 0.3}
BEND = {"hip": 20.0, "twist": 20.0, "knee": 20.0, "foot": 30.0, "toe": 30.0, "other": 10.0}
# The same for sliding: metres and metres / s^2, for a character of 1.6 m.
SLIDE_STAY, SLIDE_BEND = 10.0, 0.5
RATE = 30.0


def make_body(
    setup: LegSetup,
    skeleton: Skeleton,
    clip: Clip,
    model: JointModel,
    goals: Sequence[Goal | Track],
    rate: float,
    scale: float,
    loop: bool,
) -> Body:
    """The character in the terms of `motion.placement`."""
    source = forward_kinematics(model.tree, model.clip.values, model.clip.rest)
    heads = Heads(skeleton, clip)
    legs = []
    for sole in setup.soles:
        foot = model.tree.tip_index(foot_tip(sole))
        heel, ball, tip = (place.name for place in sole.places)
        legs.append(
            LegTips(
                (heel, ball, tip),
                foot_tip(sole),
                source.tip_quaternions[:, foot],
                tuple(_knees(sole, heads, model)),
            )
        )
    pelvis = source.tip_positions[:, model.tree.tip_index(PELVIS)]
    inertia = _inertia(setup, model, rate, scale)
    return Body(
        model.tree,
        model.clip,
        inertia,
        (PELVIS, pelvis),
        tuple(legs),
        (),
        tuple(goals),
        loop,
        tuple(_slides(setup, model, source)),
    )


def _slides(setup: LegSetup, model: JointModel, source: Poses) -> Iterator[tuple[int, Floats]]:
    """Joints that slide the root, and their directions in the world."""
    for bone in model.bones:
        if model.skeleton.names[bone.index] == setup.root:
            for _, joint in bone.slides:
                axis = np.broadcast_to(model.tree.axis[joint], (len(source.joint_positions), 3))
                yield joint, rotated(source.joint_quaternions[:, joint], axis)


def _knees(sole: Sole, heads: Heads, model: JointModel) -> Iterator[tuple[str, Floats]]:
    """Hinges of a leg, and how far each may be straightened."""
    for upper, lower, end in zip(sole.bones, sole.bones[1:], sole.bones[2:], strict=False):
        bone = next((b for b in model.bones if model.skeleton.names[b.index] == lower), None)
        if bone is None or len(bone.axes) != 1 or not bone.turns:
            continue  # its own limits keep it
        normal, bend = bending(heads, upper, lower, end)
        sign = np.sign(heads.inside(lower, normal) @ np.array(bone.axes[0]))
        flexion = np.where(sign == 0.0, 1.0, sign) * bend
        yield turn_name(lower, "X"), np.minimum(flexion, STRAIGHT) - flexion


def _inertia(setup: LegSetup, model: JointModel, rate: float, scale: float) -> Inertia:
    """What corrections of all joints cost."""
    stay, bend = np.ones(model.tree.size), np.ones(model.tree.size)
    roles = {sole.bones[0]: "hip" for sole in setup.soles}
    for sole in setup.soles:
        roles |= dict.fromkeys(sole.bones[1:-1], "knee")
        roles[sole.foot] = "foot"
        if sole.toe:
            roles[sole.toe] = "toe"
    for bone in model.bones:
        role = roles.get(model.skeleton.names[bone.index], "other")
        for _, joint in bone.slides:
            stay[joint], bend[joint] = SLIDE_STAY * scale, SLIDE_BEND * scale
        for k, (_, joint) in enumerate(bone.turns):
            kind = "twist" if role == "hip" and k == 2 and bone.order is None else role
            stay[joint], bend[joint] = STAY[kind], BEND[kind]
    share = RATE / rate
    return Inertia(share / stay**2, share * rate**4 / bend**2)
