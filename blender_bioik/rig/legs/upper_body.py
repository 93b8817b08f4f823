"""The body above the legs in foot placement: pelvis, spine and hands.

The pelvis of a biped only rotates as far as the user allows, and its children rotate back.
The trunk of a body with more legs follows the slope of the ground.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import bpy
import numpy as np

from ...body_slots import SIDES
from ...motion.tuning import BODY
from ..clip.curve_only import bone_path
from ..clip.skeleton import Skeleton
from ..joints.joint_model import TipPlace
from ..joints.moving_bones import chain
from ..keys.keys import driven_channels
from ..mapping import Mapping

if TYPE_CHECKING:  # with it comes scipy, which a bake without feet works without
    from ..soles.soles import Sole


@dataclass(frozen=True)
class BodyOptions:
    """The user's options for the body above the legs.

    Attributes:
        tilt: How far the pelvis may turn about each of its axes, radians; 0 for not at all, which
            on more than two legs allows what the ground requires, within bounds.
        spine_shares: Whether the pelvis tilt is distributed along the whole spine.
        hands_stay: Whether hands stay in place in world space.
        sideways: Sideways pelvis movement allowed for comfort, metres; None for the default
            for the character's size.
        lean: Share of the ground's slope by which the upper body leans with it.
    """

    tilt: float = 0.0
    spine_shares: bool = False
    hands_stay: bool = False
    sideways: float | None = None
    lean: float = 0.0


def body_options(settings: bpy.types.PropertyGroup) -> BodyOptions:
    """The options among the settings of foot placement, `Object.bioik.feet`."""
    chosen = settings.is_property_set("pelvis_sideways")
    return BodyOptions(
        settings.pelvis_tilt,
        settings.spine_share,
        settings.hands == "WORLD",
        settings.pelvis_sideways if chosen else None,
        settings.lean,
    )


@dataclass(frozen=True)
class Arm:
    """Bones of an arm; the forearm is also the hand of an arm that ends with it."""

    upper: str
    lower: str
    hand: str

    @property
    def bones(self) -> tuple[str, ...]:
        """All of them."""
        return tuple(dict.fromkeys((self.upper, self.lower, self.hand)))

    @property
    def ends_with_forearm(self) -> bool:
        """Whether it has no hand."""
        return self.hand == self.lower


@dataclass(frozen=True)
class Leaning:
    """Bones that turn when the upper body leans, and the share of the ground's slope.

    Attributes:
        spine: The bone above the pelvis.
        head: The head, which looks ahead as before; None if it is not above the spine.
        share: The share.
    """

    spine: str
    head: str | None
    share: float

    @property
    def bones(self) -> tuple[str, ...]:
        """Both."""
        return (self.spine,) if self.head is None else (self.spine, self.head)


@dataclass(frozen=True)
class UpperBody:
    """Bones above the legs that move when feet are placed.

    Attributes:
        tilt: How far the root turns about each of its axes, radians.
        kept: Bones that keep their orientation in the world though the root turns.
        sharing: Bones between the root and a kept one that turn as well.
        head: The head of a body on more than two legs, which looks ahead though the body turns.
        arms: Arms whose hands stay in the world.
        sideways: As in `BodyOptions`.
        resting: Arms that rest on something in the clip.
        turns: Whether the trunk follows the slope below what rests.
        tail: Bones of a tail that rests on something, or that the ground would reach.
        leaning: How the upper body leans with the ground; None if it does not.
    """

    tilt: float = 0.0
    kept: tuple[str, ...] = ()
    sharing: tuple[str, ...] = ()
    head: str | None = None
    arms: tuple[Arm, ...] = ()
    sideways: float | None = None
    resting: tuple[Arm, ...] = ()
    turns: bool = False
    tail: tuple[str, ...] = ()
    leaning: Leaning | None = None

    @property
    def moving_arms(self) -> tuple[Arm, ...]:
        """All arms that move."""
        return tuple(dict.fromkeys((*self.arms, *self.resting)))

    @property
    def bones(self) -> list[str]:
        """All of them."""
        arms = [bone for arm in self.moving_arms for bone in arm.bones]
        leaning = self.leaning.bones if self.leaning else ()
        head = [self.head] if self.head else []
        return [*self.sharing, *self.kept, *head, *arms, *leaning, *self.tail]

    @property
    def turning(self) -> tuple[str, ...]:
        """Bones that turn with a tilting pelvis, or against it."""
        return (*self.sharing, *self.kept)

    @property
    def moves(self) -> bool:
        """Whether any of it moves, or turns with the root."""
        return len(self.bones) > len(self.tail) or self.turns or self.tilt > 0.0

    def tips(self) -> Iterator[TipPlace]:
        """Points that the bones' goals are about."""
        for bone in (*self.kept, *([self.head] if self.head else ())):
            yield TipPlace(kept_tip(bone), bone)
        for arm in self.arms:
            yield TipPlace(hand_tip(arm), arm.hand)


def kept_tip(bone: str) -> str:
    """Name of the tip of a bone that keeps its orientation."""
    return f"{bone}, kept"


def hand_tip(arm: Arm) -> str:
    """Name of the tip of a hand that stays."""
    return f"{arm.hand}, stays"


def upper_body(
    skeleton: Skeleton, mapping: Mapping, root: str, soles: Sequence[Sole], options: BodyOptions
) -> UpperBody:
    """Choose the moving bones above the legs.

    Args:
        skeleton: The armature's bones.
        mapping: Their body parts.
        root: The bone above all legs.
        soles: The feet.
        options: The user's options.
    """
    every = arms_beside_legs(skeleton, mapping, root, soles) if options.hands_stay else ()
    arms = tuple(arm for arm in every if not arm.ends_with_forearm)
    if len(soles) > 2:
        tilt, head = options.tilt or _steepest(), mapping.slots.get("head")
        below = head in skeleton.index and root in chain(skeleton, str(head))[1:]
        head = head if below else None
        return UpperBody(tilt, head=head, arms=arms, sideways=options.sideways)
    # Hands that stay in the world would let go.
    leaning = None if arms else leaning_bones(skeleton, mapping, root, soles, options.lean)
    if options.tilt == 0.0:
        return UpperBody(arms=arms, sideways=options.sideways, leaning=leaning)
    kept = _beside_legs(skeleton, root, soles)
    sharing: list[str] = []
    spine = [bone for bone in mapping.spine if bone in skeleton.index]
    first = next((bone for bone in kept if spine and bone in chain(skeleton, spine[-1])), None)
    if options.spine_shares and first is not None and spine[-1] != first:
        above = chain(skeleton, spine[-1])
        sharing = [bone for bone in reversed(above[: above.index(first) + 1]) if bone in spine]
        sharing = [bone for bone in dict.fromkeys((first, *sharing)) if bone != spine[-1]]
        kept = [spine[-1] if bone == first else bone for bone in kept]
    return UpperBody(
        options.tilt,
        tuple(kept),
        tuple(sharing),
        arms=arms,
        sideways=options.sideways,
        leaning=leaning,
    )


def leaning_bones(
    skeleton: Skeleton, mapping: Mapping, root: str, soles: Sequence[Sole], share: float
) -> Leaning | None:
    """The bones that turn when the upper body leans; None without a spine, or for no share."""
    head = mapping.slots.get("head")
    top = head if head in skeleton.index else next(iter(mapping.spine[::-1]), None)
    if share == 0.0 or top not in skeleton.index:
        return None
    above = chain(skeleton, str(top))
    hips = {bone for sole in soles for bone in chain(skeleton, sole.bones[0])}
    spine = next((bone for bone, parent in pairwise(above) if parent == root), None)
    if spine is None or spine == head or spine in hips:
        return None
    return Leaning(spine, head if head in above else None, share)


def are_keyed(armature_object: bpy.types.Object, bones: Sequence[str]) -> bool:
    """Whether nothing but keyframes turns some bones, and they may turn."""
    paths = {path for path, _ in driven_channels(armature_object)}
    for name in bones:
        bone = armature_object.pose.bones[name]
        driven = any(path.startswith(bone_path(name)) for path in paths)
        if driven or bone.constraints or any(bone.lock_rotation):
            return False
    return True


def resting_body(
    upper: UpperBody,
    skeleton: Skeleton,
    mapping: Mapping,
    root: str,
    soles: Sequence[Sole],
    resting: Collection[str],
    *,
    turns: bool,
) -> UpperBody:
    """The moving bones above the legs of a body of which other bones rest as well.

    If some rest on the floor, the trunk turns as that of bodies on more than two legs, unless the
    user says how far it may.
    """
    arms = tuple(
        arm
        for arm in arms_beside_legs(skeleton, mapping, root, soles)
        if not set(arm.bones).isdisjoint(resting)
    )
    turns &= upper.tilt == 0.0
    tilt = _steepest() if turns else upper.tilt
    below = [bone for bone in mapping.tail if bone in skeleton.index]
    tail = () if set(below).isdisjoint(resting) else tuple(below)
    # Arms that rest, or that the ground would reach, would be moved into it by a lean.
    leaning = None if arms else upper.leaning
    return replace(upper, tilt=tilt, resting=arms, turns=turns, tail=tail, leaning=leaning)


def _steepest() -> float:
    """How far a trunk tilts that goes with the ground, radians."""
    return float(np.arctan(BODY.steepest))


def _beside_legs(skeleton: Skeleton, root: str, soles: Sequence[Sole]) -> list[str]:
    """Children of the root, or of the bones between it and the legs, that turn with it."""
    hips = {skeleton.index[sole.bones[0]] for sole in soles}
    legs = {skeleton.index[bone] for s in soles for bone in (*s.bones, s.toe) if bone}
    between = {skeleton.index[root]}
    for hip in hips:
        above = chain(skeleton, skeleton.names[hip])[1:]
        between |= {skeleton.index[bone] for bone in above[: above.index(root)]}
    return [
        name
        for b, name in enumerate(skeleton.names)
        if int(skeleton.parent[b]) in between
        and b not in between | legs
        and skeleton.inherit_rotation[b]
    ]


def arms_beside_legs(
    skeleton: Skeleton, mapping: Mapping, root: str, soles: Sequence[Sole]
) -> Iterator[Arm]:
    """Arms below the root that do not stand on the ground."""
    legs = {bone for sole in soles for bone in sole.bones}
    for side in SIDES:
        bones = [mapping.slots.get(f"{part}.{side}") for part in ("upper_arm", "forearm", "hand")]
        if bones[2] is None:
            bones[2] = bones[1]
        if any(bone not in skeleton.index or bone in legs for bone in bones):
            continue
        upper, lower, hand = (str(bone) for bone in bones)
        above = chain(skeleton, hand)
        if upper in above and lower in above and root in above:
            yield Arm(upper, lower, hand)
