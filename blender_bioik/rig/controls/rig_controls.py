"""The controls that pose a character's limbs, and how solved poses are written to them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import bpy

from .limbs import Controls, Handle, Limb, read_limb
from .posed_by import Chain, Rigging, read_rigging
from .switches import Switch, read_switches

# Where poses of limbs that IK moves are written.
WriteTo = Literal["CONTROLS", "FK"]


@dataclass(frozen=True)
class RigControls:
    """What has to be written so that an armature's limbs are posed as solved.

    Attributes:
        posed: Bones that controls pose: they are solved, but their own channels are not written.
        limbs: Limbs that IK moves.
        handles: Controls that turn single bones.
        switches: Properties that switch limbs to FK.
        from_rest: Bones, and those of which they copy what these have turned since the rest pose.
    """

    posed: tuple[str, ...]
    limbs: tuple[Limb, ...]
    handles: tuple[Handle, ...]
    switches: tuple[Switch, ...] = ()
    from_rest: frozenset[tuple[str, str]] = frozenset()

    @property
    def written(self) -> list[str]:
        """Bones that get keyframes."""
        ends = [bone for limb in self.limbs for bone in (limb.control, limb.pole) if bone]
        return list(dict.fromkeys([*ends, *(h.control for h in self.handles), *self.seeded]))

    @property
    def seeded(self) -> list[str]:
        """Bones whose own channels IK starts from."""
        return list(dict.fromkeys(bone for limb in self.limbs for bone in limb.seeded))


def read_controls(
    armature_object: bpy.types.Object,
    root: str,
    legs: Sequence[Sequence[str]],
    arms: Sequence[Sequence[str]],
    others: Collection[str],
    write_to: WriteTo,
) -> RigControls | None:
    """The controls of a character; None if no limb is moved by IK.

    Args:
        armature_object: The armature.
        root: The bone above all legs.
        legs: The bones of each leg, from the thigh to the toe.
        arms: The bones of each arm, from the upper arm to the hand.
        others: Other bones that are solved.
        write_to: Where poses of legs are written.
    """
    rigging = read_rigging(armature_object)
    if not any(rigging.moves_by_ik(bone) for limb in (*legs, *arms) for bone in limb):
        return None
    controls = Controls(armature_object, rigging)
    carried = set(controls.above(root))
    limbs: list[Limb] = []
    handles: list[Handle] = []
    posed: dict[str, None] = {}
    switched: list[str] = []
    of_ik_arms = {bone for arm in arms if any(map(rigging.moves_by_ik, arm)) for bone in arm}
    for bone in (root, *others):
        if rigging.copied(bone) and bone not in of_ik_arms:
            posed[bone] = None
            handles += _body_handle(controls, rigging, bone, moves=bone == root)
    for bones, is_leg in ((b, k) for group, k in ((legs, True), (arms, False)) for b in group):
        ik = next(filter(None, map(rigging.moves_by_ik, bones)), None)
        led = [bone for bone in bones if rigging.copied(bone)]
        if is_leg and write_to == "FK" and ik is not None:
            fk = list(_fk_handles(controls, rigging, led, ik, carried))
            if not fk:
                continue  # the chain's own bones get the keys
            handles += fk
            switched += led
            posed |= dict.fromkeys(led)
            continue
        if ik is None:
            continue
        others_above = (
            controls.above(other.target) for other in rigging.chains if other.target != ik.target
        )
        shared = carried.union(*others_above)
        found = read_limb(controls, rigging, ik, bones, shared)
        if found is None:
            continue
        limbs.append(found[0])
        handles += found[1]
        handles += _fk_handles(controls, rigging, led, ik, carried, counting=True)
        posed |= dict.fromkeys([*led, *(bone for bone in bones if bone in ik.bones)])
    switches = tuple(read_switches(armature_object, rigging, switched))
    from_rest = rigging.turns_from_rest()
    return RigControls(tuple(posed), tuple(limbs), _once(handles), switches, from_rest)


def _body_handle(
    controls: Controls, rigging: Rigging, bone: str, *, moves: bool
) -> Iterator[Handle]:
    """The control of a bone of the body that copies another one."""
    via = rigging.copied(bone)[-1]
    if control := controls.first(controls.above(via), slides=moves):
        yield Handle(control, bone, via, moves)


def _fk_handles(
    controls: Controls,
    rigging: Rigging,
    bones: Sequence[str],
    ik: Chain,
    carried: set[str],
    *,
    counting: bool = False,
) -> Iterator[Handle]:
    """FK controls that bones of a limb copy; only those with an effect in some frame, or all."""
    of_ik = {*ik.bones, *controls.above(ik.target)} - carried
    for bone in bones:
        for copy in rigging.copies[bone]:
            by_ik = not of_ik.isdisjoint(controls.above(copy.source))
            if by_ik or (counting and not copy.counts) or not controls.first([copy.source]):
                continue
            sizes = ik.stretches and copy.whole
            moves = rigging.mixes(bone) and copy.whole
            yield Handle(copy.source, bone, copy.source, moves, sizes)


def _once(handles: Sequence[Handle]) -> tuple[Handle, ...]:
    """One handle for each control."""
    return tuple({handle.control: handle for handle in handles}.values())
