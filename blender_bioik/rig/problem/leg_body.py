"""A character's body for foot placement: the cost of its joints, and the range of its legs."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

import numpy as np

from ...motion.solve.body import Body, LegTips
from ...motion.solve.body_goals import Hand, Kept, Pelvis
from ...motion.solve.tuning import WEIGHTS
from ...solver import Goal, Poses, Track, forward_kinematics
from ...solver.clips.whole_clip import Inertia
from ..clip.bone_frames import rotated
from ..clip.sampling import Clip
from ..clip.skeleton import Skeleton
from ..joints.joint_model import JointModel, turn_name
from ..legs.leg_joints import PELVIS, Heads, LegSetup, bending, foot_tip
from ..legs.upper_body import Arm, hand_tip, kept_tip
from ..transforms import Floats
from .body_parts import body_parts
from .tuning import INERTIA

RATE = 30.0


def make_body(
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
    """The character as `motion.solve` describes it.

    Args:
        setup: What moves.
        skeleton: The bones.
        clip: Their animation.
        model: The joints.
        goals: The user's goals.
        rate: Frames per second.
        scale: Size of the character relative to one of 1.6 m.
        floor: Height of the source's floor under each foot; (f, feet).
        aimed: Bones that the user's goals move.
    """
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
                tuple(hinges(sole.bones, heads, model)),
                tuple(place.name for place in sole.rim),
            )
        )
    places = source.tip_positions[:, model.tree.tip_index(PELVIS)]
    many = len(setup.soles) > 2
    sideways = setup.upper.sideways or WEIGHTS.pelvis_plan * scale
    lowest = np.asarray(floor.min(axis=1), float)
    inertia = _inertia(setup, model, rate, scale, briskness(places, rate, scale))
    return Body(
        model.tree,
        model.clip,
        inertia,
        Pelvis(PELVIS, places, sideways),
        tuple(legs),
        tuple(_kept(setup, model, source, aimed)),
        tuple(_hand(arm, heads, model, source) for arm in setup.upper.arms),
        tuple(goals),
        slides=tuple(_slides(setup, model, source)),
        parts=tuple(body_parts(setup.hulls, model, source, lowest, scale)),
        floor=lowest,
        follows_slope=many,
    )


def _slides(setup: LegSetup, model: JointModel, source: Poses) -> Iterator[tuple[int, Floats]]:
    """Joints that slide the root, and their directions in the world."""
    for bone in model.bones:
        if model.skeleton.names[bone.index] == setup.root:
            for _, joint in bone.slides:
                axis = np.broadcast_to(model.tree.axis[joint], (len(source.joint_positions), 3))
                yield joint, rotated(source.joint_quaternions[:, joint], axis)


def _kept(
    setup: LegSetup, model: JointModel, source: Poses, aimed: Collection[str]
) -> Iterator[Kept]:
    """Bones that keep their orientation in world space."""
    upper = setup.upper
    for bone in (*upper.kept, *([upper.head] if upper.head else ())):
        sigma = WEIGHTS.firm_turn if bone in upper.kept else INERTIA.head_turn
        tip = kept_tip(bone)
        turn = source.tip_quaternions[:, model.tree.tip_index(tip)]
        yield Kept(tip, turn, INERTIA.joint_stay if bone in aimed else sigma)


def _hand(arm: Arm, heads: Heads, model: JointModel, source: Poses) -> Hand:
    """A hand that stays in place in world space."""
    tip = model.tree.tip_index(hand_tip(arm))
    joints = [heads.place(bone) for bone in (arm.upper, arm.lower, arm.hand)]
    lengths = [np.linalg.norm(b - a, axis=-1).mean() for a, b in pairwise(joints)]
    return Hand(
        arm.hand,
        hand_tip(arm),
        source.tip_positions[:, tip],
        source.tip_quaternions[:, tip],
        joints[0],
        float(sum(lengths)),
        next(hinges((arm.upper, arm.lower, arm.hand), heads, model), None),
    )


def hinges(bones: Sequence[str], heads: Heads, model: JointModel) -> Iterator[tuple[str, Floats]]:
    """Hinges of a leg or an arm, and how far the source bends each, radians; (f,)."""
    for upper, lower, end in zip(bones, bones[1:], bones[2:], strict=False):
        bone = next((b for b in model.bones if model.skeleton.names[b.index] == lower), None)
        if bone is None or len(bone.axes) != 1 or not bone.turns or bone.order is not None:
            continue  # limited by the bone's own limits
        normal, bend = bending(heads, upper, lower, end)
        sign = np.sign(heads.inside(lower, normal) @ np.array(bone.axes[0]))
        flexion = np.where(sign == 0.0, 1.0, sign) * bend
        yield turn_name(lower, "X"), flexion


def briskness(places: Floats, rate: float, scale: float) -> float:
    """How much faster than in a walk the pelvis accelerates along places (f, 3), as a factor.

    Sampled every thirtieth of a second, so that noise of recordings at a higher rate does not
    count.
    """
    step = max(1, round(rate / RATE))
    if len(places) < 3 * step:
        return 1.0
    thrown = np.linalg.norm(np.diff(places[::step], n=2, axis=0), axis=-1) * (rate / step) ** 2
    return float(np.clip(np.median(thrown) / (INERTIA.brisk * scale), 1.0, INERTIA.most_brisk))


def _inertia(
    setup: LegSetup, model: JointModel, rate: float, scale: float, brisk: float
) -> Inertia:
    """The cost of corrections of all joints, for that factor."""
    stay, bend = np.ones(model.tree.size), np.ones(model.tree.size)
    upper = setup.upper
    roles = dict.fromkeys(upper.kept, "kept") | dict.fromkeys(upper.sharing, "spine")
    if upper.sharing:
        roles |= dict.fromkeys(upper.kept, "spine")
    for arm in upper.resting if upper.turns else ():  # its hand bears like a foot
        roles |= {arm.hand: "foot", arm.upper: "hip", arm.lower: "knee"}
    held = upper.arms if upper.turns else upper.moving_arms
    roles |= {bone: "arm" for arm in held for bone in arm.bones}
    roles |= dict.fromkeys(upper.tail, "arm")
    roles[setup.root] = "pelvis" if len(setup.soles) <= 2 else "trunk"
    for sole in setup.soles:
        roles[sole.bones[0]] = "hip"
        roles |= dict.fromkeys(sole.bones[1:-1], "knee")
        roles[sole.foot] = "foot"
        if sole.toe:
            roles[sole.toe] = "toe"
    stays = INERTIA.stays | {"pelvis": INERTIA.tilt_stay * max(upper.tilt, 1e-3)}
    for bone in model.bones:
        role = roles.get(model.skeleton.names[bone.index], "other")
        for _, joint in bone.slides:
            stay[joint], bend[joint] = (
                INERTIA.loose_stay * scale,
                INERTIA.slide_bend * brisk * scale,
            )
        for k, (_, joint) in enumerate(bone.turns):
            kind = "twist" if role == "hip" and k == 2 and bone.order is None else role
            stay[joint], bend[joint] = stays[kind], INERTIA.bends[kind]
    share = RATE / rate
    return Inertia(share / stay**2, share * rate**4 / bend**2)
