"""Limbs that IK moves, and the controls that pose each of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import bpy

from .posed_by import WHOLE, Chain, Rigging


@dataclass(frozen=True)
class Limb:
    """A limb that an IK constraint moves.

    Attributes:
        ik: Its IK chain.
        posed: For each bone of the chain, the bone whose pose it takes: itself or one that copies
            it.
        place: The bone, and the share of its length, whose place tells where the target would be
            without limits.
        control: The control that carries the target.
        led: The bone that turns with the control, such as the foot; empty if none does.
        via: The bone that `led` copies, or itself: the control carries it.
        carries: Whether the control also determines where `led` is.
        pole: The control that carries the pole; empty without one.
        seeded: Bones of the chain whose own channels IK starts from.
    """

    ik: Chain
    posed: tuple[str, ...]
    place: tuple[str, float]
    control: str
    led: str
    via: str
    carries: bool
    pole: str
    seeded: tuple[str, ...]


@dataclass(frozen=True)
class Handle:
    """A control that turns a bone.

    Attributes:
        control: The control.
        led: The bone.
        via: The bone that it copies, which the control carries.
        moves: Whether the control also moves the bone.
        sizes: Whether the control also scales the bone.
    """

    control: str
    led: str
    via: str
    moves: bool = False
    sizes: bool = False


class Controls:
    """Finds the controls of an armature's bones."""

    def __init__(self, armature_object: bpy.types.Object, rigging: Rigging) -> None:
        self._rig = armature_object
        self._bones = armature_object.pose.bones
        self._rigging = rigging
        self._shaped = any(bone.custom_shape for bone in self._bones)
        self._turned = {name for one in rigging.chains for name in one.bones}

    def above(self, bone: str) -> list[str]:
        """A bone, and all that carry it: parents, and the bones that these copy."""
        found: dict[str, None] = {}
        while bone and bone not in found:
            found[bone] = None
            copied = self._rigging.copied(bone)
            parent = self._bones[bone].parent
            bone = copied[-1] if copied else (parent.name if parent else "")
        return list(found)

    def first(self, bones: Iterable[str], *, slides: bool = False) -> str:
        """The first control among some bones; empty if there is none."""
        return next((bone for bone in bones if self._is_control(bone, slides)), "")

    def last(self, bones: Sequence[str], *, slides: bool = False) -> str:
        """The last control among some bones; empty if there is none."""
        return self.first(reversed(bones), slides=slides)

    def place(self, target: str) -> tuple[str, float]:
        """The bone that a target takes its place from before limits, and where along it."""
        copied = (c for c in self._bones[target].constraints if c.type == "COPY_LOCATION")
        for constraint in copied:
            own = constraint.target == self._rig and constraint.subtarget in self._bones
            if own and not constraint.mute and constraint.influence > WHOLE:
                return constraint.subtarget, constraint.head_tail
        return target, 0.0

    def _is_control(self, name: str, slides: bool) -> bool:
        bone = self._bones[name]
        if name in self._turned or self._rigging.copied(name):
            return False
        locked = any(bone.lock_location) or bone.bone.use_connect if slides else False
        locked = locked or (not slides and all(bone.lock_rotation))
        return not locked and (bool(bone.custom_shape) or not self._shaped)


def read_limb(
    controls: Controls,
    rigging: Rigging,
    ik: Chain,
    bones: Sequence[str],
    shared: set[str],
) -> tuple[Limb, list[Handle]] | None:
    """The limb of an IK chain with the controls of its end; None if no control carries its target.

    Args:
        controls: The controls of the rig.
        rigging: Its constraints.
        ik: The chain.
        bones: Bones of the limb in the order of a leg: thigh, shin, foot, toe.
        shared: Bones that carry more than this limb.
    """
    posed = tuple(_posed(rigging, name, bones) for name in ik.bones)
    above = _own(controls.above(ik.target), shared)
    control = controls.last(above, slides=True)
    if not control:
        return None
    ends = [bone for bone in bones if bone not in posed]
    led = [(bone, via) for bone in ends for via in _vias(rigging, bone)]
    led = [(bone, via) for bone, via in led if control in controls.above(via)]
    handles = list(_end_handles(controls, rigging, led, shared))
    carrying = led[:1]
    if len(led) > 1 and not any(handle.led == led[1][0] for handle in handles):
        # Nothing turns the toe alone: the control follows it, and a pivot below turns the foot.
        pivots = [b for b in controls.above(led[0][1]) if b not in controls.above(led[1][1])]
        if pivot := controls.first(pivots):
            carrying, handles = led[1:2], [Handle(pivot, *led[0])]
    leads, via = carrying[0] if carrying else ("", "")
    pole = controls.first(_own(controls.above(ik.pole), shared), slides=True) if ik.pole else ""
    carries = carrying == led[1:2]
    place = controls.place(ik.target)
    return Limb(ik, posed, place, control, leads, via, carries, pole, ik.bones), handles


def _posed(rigging: Rigging, bone: str, limb: Sequence[str]) -> str:
    """The bone of a limb that a bone of its IK chain poses."""
    followers = (name for name in limb if bone in rigging.copied(name))
    return bone if bone in limb else next(followers, bone)


def _vias(rigging: Rigging, bone: str) -> list[str]:
    """What poses a bone: those that it copies, or itself."""
    return rigging.copied(bone) or [bone]


def _own(bones: Sequence[str], shared: set[str]) -> list[str]:
    """The bones up to the first one that is shared."""
    stop = next((k for k, bone in enumerate(bones) if bone in shared), len(bones))
    return list(bones[:stop])


def _end_handles(
    controls: Controls, rigging: Rigging, led: Sequence[tuple[str, str]], shared: set[str]
) -> Iterator[Handle]:
    """Controls of the bones at the end of a limb that turn them alone, such as those of toes.

    Between IK and FK such bones also leave the places that they have in both.
    """
    for k, (bone, via) in enumerate(led[1:], start=1):
        if via == bone:
            continue  # it has its own channels
        others = set(chain.from_iterable(controls.above(other) for _, other in led[:k])) | shared
        alone = [name for name in controls.above(via) if name not in others]
        if control := controls.first(alone):
            yield Handle(control, bone, via, moves=rigging.mixes(bone))
