"""What moves for a goal by default: the limb of its bone, and the body where the limb is too short.

A hand has its arm, a foot its leg, the head its neck; fingers and what a hand holds have the arm
too. Every other bone, such as those of a tail, has its chain up to the body or the head, at most up
to where the skeleton branches.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ...body_slots import SIDES
from ..clip.skeleton import Skeleton
from ..mapping import Leg, Mapping
from .limits import BoneLimits

ARM = ("upper_arm", "forearm", "hand")


@dataclass(frozen=True)
class Help:
    """What of the body helps limbs that do not reach.

    Attributes:
        bones: Bones above the limbs that turn.
        legs: Bones of the legs that these carry.
        feet: Ends of these legs, which stay in place.
        sliding: The bone that may also change its location, if there is one.
        limits: Limits of all these bones.
        always: Whether limbs themselves carry legs, so that they need the help to keep these.
    """

    bones: tuple[str, ...] = ()
    legs: tuple[str, ...] = ()
    feet: tuple[str, ...] = ()
    sliding: tuple[str, ...] = ()
    limits: dict[str, BoneLimits] = field(default_factory=dict)
    always: bool = False

    @property
    def moving(self) -> tuple[str, ...]:
        """All bones that it moves."""
        return (*self.bones, *self.legs)

    def without(self, bones: Collection[str]) -> Help:
        """The same without some bones of the body, and without legs: their feet are in place."""
        left = tuple(bone for bone in self.bones if bone not in bones)
        return Help(left, limits={bone: self.limits[bone] for bone in left})


NO_HELP = Help()


class Reach:
    """The chains of a character's goals that say nothing about them."""

    def __init__(self, skeleton: Skeleton, mapping: Mapping) -> None:
        """Of a skeleton whose body parts are known as far as they were recognised."""
        self._skeleton, self._mapping = skeleton, mapping

    def limb(self, bone: str) -> list[str]:
        """The bones that move for a goal on a bone, from that bone up."""
        above = self._chain(bone)
        if bone in self._trunk:
            last = self._mapping.spine[0] if bone in self._mapping.spine else bone
            return above[: above.index(last) + 1]
        if bone in self._neck:
            return above[: above.index(self._neck[0]) + 1]
        for place, name in enumerate(above):
            if name in self._tops:
                return above[: place + 1]
            if name in self._trunk or name in self._neck:
                return above[: min(place, self._branch(above))]
        return above[: self._branch(above)]

    def is_back(self, bone: str) -> bool:
        """Whether a bone is one of the spine."""
        return bone in self._mapping.spine

    def help(self, bones: Iterable[str], busy: Collection[str], fixed: Collection[str]) -> Help:
        """What helps the goals of some bones; without limits.

        Args:
            bones: The bones of the goals.
            busy: Bones that move for goals anyway.
            fixed: Bones that something else poses.
        """
        limbs = {bone: self.limb(bone) for bone in bones}
        idle = [leg for leg in self._mapping.legs if not set(busy) & set(leg.bones)]
        helping: dict[str, None] = {}
        for bone, limb in limbs.items():
            rest = self._chain(bone)[len(limb) :]
            top = rest.index(self._root) + 1 if self._root in rest else 0
            wanted = rest[:top] if self._trunk else rest
            if self._root in limb:
                wanted = [self._root]
            helping |= dict.fromkeys(wanted)
        turned = [
            bone
            for bone in helping
            if bone not in fixed
            and all(self._is_free(leg, fixed) for leg in self._carried(bone, idle))
        ]
        moved = {*turned, *(bone for limb in limbs.values() for bone in limb)}
        legs = [leg for leg in idle if moved & set(self._chain(leg.bones[0]))]
        legs = [leg for leg in legs if self._is_free(leg, fixed)]
        carrying = {bone for limb in limbs.values() for bone in limb}
        return Help(
            tuple(bone for bone in turned if bone not in busy),
            tuple(bone for leg in legs for bone in self._to_foot(leg)),
            tuple(self._to_foot(leg)[0] for leg in legs),
            tuple(bone for bone in turned if bone == self._root and legs),
            always=any(carrying & set(self._chain(leg.bones[0])) for leg in legs),
        )

    @cached_property
    def _trunk(self) -> frozenset[str]:
        """Pelvis, spine and shoulders."""
        slots = self._mapping.slots
        names = ("pelvis", *(f"shoulder.{side}" for side in SIDES))
        return frozenset((*self._mapping.spine, *(slots[name] for name in names if name in slots)))

    @cached_property
    def _tops(self) -> frozenset[str]:
        """Where arms and legs begin, seen from the body."""
        mapping = self._mapping
        tops = [leg.bones[0] for leg in mapping.legs if leg.bones]
        for side in SIDES:
            parts = [mapping.slots.get(f"{part}.{side}") for part in ARM]
            tops += [bone for bone in parts if bone][:1]
        return frozenset(tops)

    @cached_property
    def _neck(self) -> list[str]:
        """Neck and head."""
        return [bone for bone in (*self._mapping.neck, self._mapping.slots.get("head")) if bone]

    @cached_property
    def _root(self) -> str:
        """The lowest bone that carries pelvis and legs; "" if there are none."""
        pelvis = self._mapping.slots.get("pelvis")
        ends = [leg.bones[0] for leg in self._mapping.legs if leg.bones]
        if not ends:
            return pelvis or ""
        chains = [self._chain(bone)[1:] for bone in ends]
        chains += [self._chain(pelvis)] if pelvis else []
        common = set(chains[0]).intersection(*chains[1:])
        return next((bone for bone in chains[0] if bone in common), "")

    def _carried(self, bone: str, legs: Sequence[Leg]) -> list[Leg]:
        return [leg for leg in legs if bone in self._chain(leg.bones[0])[1:]]

    def _is_free(self, leg: Leg, fixed: Collection[str]) -> bool:
        """Whether a leg can keep its foot in place: its bones hang together, and move."""
        bones = self._to_foot(leg)
        return bool(bones) and not set(bones) & set(fixed)

    def _to_foot(self, leg: Leg) -> list[str]:
        """All bones from a leg's foot up to its hip, none where these do not hang together."""
        chain = self._chain(leg.foot or leg.bones[-1])
        return chain[: chain.index(leg.bones[0]) + 1] if leg.bones[0] in chain else []

    def _branch(self, above: Sequence[str]) -> int:
        """How many bones of a chain there are up to where the skeleton branches."""
        for place, name in enumerate(above[1:], start=1):
            if self._children[name] > 1:
                return place
        return len(above)

    @cached_property
    def _children(self) -> dict[str, int]:
        counts = dict.fromkeys(self._skeleton.names, 0)
        for parent in self._skeleton.parent:
            if parent >= 0:
                counts[self._skeleton.names[parent]] += 1
        return counts

    def _chain(self, bone: str) -> list[str]:
        names, parents = self._skeleton.names, self._skeleton.parent
        chain, b = [], self._skeleton.index[bone]
        while b >= 0:
            chain.append(names[b])
            b = int(parents[b])
        return chain


def is_by_part(goal: Any) -> bool:
    """Whether the bones of a goal follow from the part of the body that its bone is."""
    return bool(goal.chain == "AUTO") and "bone" in goal.kind.uses
