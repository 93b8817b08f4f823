"""Fill slots from bone names: one family's table against one skeleton."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from ...body_slots import ARM_PARTS, LEG_PARTS, SIDES, TOTAL_WEIGHT, weight
from ..anatomy.bones import BoneTable
from .families import Family
from .names import canonical, canonical_forms

# Bones whose names begin so repeat the body's names, but are the rig's machinery.
MECHANISM_PREFIXES = frozenset({"org", "mch", "wgt", "vis", "ik", "tgt", "ctl", "tweak"})

_SEGMENTS = frozenset({"thigh", "shin", "upper_arm", "forearm"})

# Cost of a guessed name (ignoring a counter or namespace), as a share of the slot's weight.
_GUESS = 0.05
# Cost of a later name in a slot's list: enough to break ties, never to lose a slot.
_LATER = 0.001
# A pelvis found below the legs' parent counts only partly.
_UNNAMED = 0.5
# A prefix shared by fewer slots than two thighs, shins and feet is a coincidence.
_SHARED_BY = 6
_PREFIXES_TRIED = 4


@dataclass(frozen=True)
class NameMatch:
    """Slots filled from one family's names; bones are indices.

    Attributes:
        family: The family.
        slots: Bone per filled slot.
        spine: Bones of the spine, the pelvis' side first.
        neck: Bones of the neck, the chest's side first.
        notes: Sentences for the user.
        score: Share of the slots' weights that is filled, 0 to 1.
        likeness: `score`, plus a little for names and prefixes only this family has.
    """

    family: Family
    slots: Mapping[str, int]
    spine: tuple[int, ...]
    neck: tuple[int, ...]
    notes: tuple[str, ...]
    score: float
    likeness: float


@dataclass(frozen=True)
class _Candidate:
    """A bone that may fill a slot, and the share of the slot's weight it would earn."""

    bone: int
    worth: float


_Candidates = Mapping[str, Sequence[_Candidate]]


def match_family(bones: BoneTable, family: Family) -> NameMatch | None:
    """The best assignment of this family's names to slots, None if there is none."""
    tried = _candidates_by_prefix(bones, family)
    matches = [_Assignment(bones, family, prefix, found).match() for prefix, found in tried]
    # Ties go to the earlier prefix, the one that more slots share.
    return max(matches, key=lambda match: match.likeness, default=None)


@cache
def _aliases(family: Family) -> dict[str, list[tuple[str, int]]]:
    """Slots, with the place in the slot's list, for every canonical name of the family."""
    aliases: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for slot, patterns in family.slots.items():
        for order, pattern in enumerate(patterns):
            for suffix, name in _sided(family, pattern):
                aliases[canonical(name)].append((slot + suffix, order))
    return dict(aliases)


def _sided(family: Family, pattern: str) -> Iterator[tuple[str, str]]:
    if "{s}" not in pattern:
        yield "", pattern
        return
    for pair in family.sides:
        for side, text in zip(SIDES, pair, strict=True):
            yield f".{side}", pattern.replace("{s}", text)


def _candidates_by_prefix(
    bones: BoneTable, family: Family
) -> list[tuple[str, dict[str, list[_Candidate]]]]:
    """Candidates of every slot for the most likely shared prefixes, the likeliest first."""
    aliases = _aliases(family)
    longest = max(map(len, aliases))
    found: dict[str, dict[str, list[_Candidate]]] = defaultdict(lambda: defaultdict(list))
    for bone, name in enumerate(bones.names):
        for form, guess in canonical_forms(name):
            for start in range(max(0, len(form) - longest), len(form)):
                for slot, order in aliases.get(form[start:], ()):
                    worth = 1.0 - _GUESS * guess - _LATER * order
                    found[form[:start]][slot].append(_Candidate(bone, worth))
    shared = [
        (prefix, slots)
        for prefix, slots in found.items()
        if prefix not in MECHANISM_PREFIXES and len(slots) >= _SHARED_BY
    ]
    shared.sort(key=lambda item: (-len(item[1]), len(item[0]), item[0]))
    return shared[:_PREFIXES_TRIED]


class _Assignment:
    """Chooses among the candidates so that the bones' order in the hierarchy makes sense."""

    def __init__(
        self, bones: BoneTable, family: Family, prefix: str, candidates: _Candidates
    ) -> None:
        self.bones = bones
        self.family = family
        self.prefix = prefix
        self.candidates = candidates
        self.slots: dict[str, int] = {}
        self.earned = 0.0
        self.notes: list[str] = []

    def match(self) -> NameMatch:
        for side in SIDES:
            self._fill_chain([f"{part}.{side}" for part in LEG_PARTS])
        for side in SIDES:
            self._fill_chain([f"{part}.{side}" for part in ARM_PARTS])
        self._fill_head()
        self._fill_pelvis()
        self._drop_unattached_arms()
        spine = self._trunk("spine", above=None)
        neck = self._trunk("neck", above=spine[-1] if spine else None)
        self.notes += [
            sentence for bone, sentence in self.family.advice if bone in self.bones.index
        ]
        score = self.earned / TOTAL_WEIGHT
        return NameMatch(
            self.family,
            self.slots,
            spine,
            neck,
            tuple(self.notes),
            score,
            score + self._family_bonus(),
        )

    def _set(self, slot: str, choice: _Candidate, share: float = 1.0) -> None:
        self.slots[slot] = choice.bone
        self.earned += weight(slot) * choice.worth * share

    def _fill_chain(self, slots: Sequence[str]) -> None:
        """Fill the slots of a limb, unless its two main segments are not both there."""
        tight = [slot for slot in slots if slot.split(".")[0] not in self.family.loose]
        chain = dict(zip(tight, self._best_chain(tight), strict=True))
        if any(chain[slot] is None for slot in tight if slot.split(".")[0] in _SEGMENTS):
            return
        for slot, choice in chain.items():
            if choice is not None:
                self._set(slot, choice)
        for slot in slots:
            free = [c for c in self.candidates.get(slot, ()) if c.bone not in self.slots.values()]
            if slot not in tight and free:
                self._set(slot, max(free, key=lambda c: c.worth))

    def _best_chain(self, slots: Sequence[str]) -> list[_Candidate | None]:
        """The most valuable candidates of which each descends from the one before."""

        def best(at: int, above: int | None) -> tuple[float, list[_Candidate | None]]:
            if at == len(slots):
                return 0.0, []
            value, rest = best(at + 1, above)
            result: tuple[float, list[_Candidate | None]] = (value, [None, *rest])
            for choice in self.candidates.get(slots[at], ()):
                if choice.bone in taken:
                    continue
                if above is None or self.bones.is_ancestor(above, choice.bone):
                    value, rest = best(at + 1, choice.bone)
                    value += weight(slots[at]) * choice.worth
                    if value > result[0]:
                        result = (value, [choice, *rest])
            return result

        taken = set(self.slots.values())
        return best(0, None)[1]

    def _fill_head(self) -> None:
        limbs = set(self.slots.values())
        for choice in sorted(self.candidates.get("head", ()), key=lambda c: -c.worth):
            if not limbs & {choice.bone, *self.bones.ancestors(choice.bone)}:
                self._set("head", choice)
                return

    def _fill_pelvis(self) -> None:
        """Take the lowest named bone that carries both legs, if possible the upper body too."""
        thighs = [self.slots[slot] for slot in ("thigh.L", "thigh.R") if slot in self.slots]
        if "pelvis" in self.family.loose:
            thighs = []
        head = self.slots.get("head")
        carrying = [
            choice
            for choice in self.candidates.get("pelvis", ())
            if all(self.bones.is_ancestor(choice.bone, thigh) for thigh in thighs)
            and choice.bone not in self.slots.values()
        ]
        if carrying:
            self._set(
                "pelvis",
                max(
                    carrying,
                    key=lambda c: (
                        head is not None and self.bones.is_ancestor(c.bone, head),
                        c.worth > 1.0 - _GUESS,
                        self.bones.depth(c.bone),
                        c.worth,
                    ),
                ),
            )
        elif len(thighs) == 2:
            self._take_parent_of_legs(*thighs)

    def _take_parent_of_legs(self, left: int, right: int) -> None:
        parent = self.bones.common_ancestor(left, right)
        if parent is None or parent in self.slots.values():
            return
        heads = self.bones.heads
        shin = self.slots.get("shin.L", left)
        reach = np.linalg.norm(heads[shin] - heads[left])
        if np.linalg.norm(heads[parent] - (heads[left] + heads[right]) / 2) > 1.2 * reach:
            return
        self._set("pelvis", _Candidate(parent, 1.0), _UNNAMED)
        self.notes.append(
            f'No bone is named like a pelvis: using "{self.bones.names[parent]}", which carries '
            "both legs."
        )

    def _drop_unattached_arms(self) -> None:
        """Remove arms that are not children of the body."""
        pelvis, head = self.slots.get("pelvis"), self.slots.get("head")
        if "spine" in self.family.loose or pelvis is None or head is None:
            return
        body = self.bones.common_ancestor(pelvis, head)
        for side in SIDES:
            arm = self.slots.get(f"upper_arm.{side}")
            if arm is None or (body is not None and self.bones.is_ancestor(body, arm)):
                continue
            for part in ARM_PARTS:
                if self.slots.pop(f"{part}.{side}", None) is not None:
                    self.earned -= weight(part)

    def _trunk(self, slot: str, above: int | None) -> tuple[int, ...]:
        """Named bones on the way up to the head (or else to the arms), from the bottom."""
        top = [self.slots[s] for s in ("head", "upper_arm.L", "upper_arm.R") if s in self.slots][:1]
        pelvis = self.slots.get("pelvis")
        choices = {
            choice.bone: choice
            for choice in sorted(self.candidates.get(slot, ()), key=lambda c: c.worth)
            if choice.bone not in self.slots.values()
            and all(self.bones.is_ancestor(choice.bone, bone) for bone in top)
            and not (pelvis is not None and self.bones.is_ancestor(choice.bone, pelvis))
            and (above is None or self.bones.is_ancestor(above, choice.bone))
        }
        chain: list[int] = []
        for bone in sorted(choices, key=self.bones.depth):
            if not chain or self.bones.is_ancestor(chain[-1], bone):
                chain.append(bone)
        if chain:
            self.earned += weight(slot) * max(choices[bone].worth for bone in chain)
        return tuple(chain)

    def _family_bonus(self) -> float:
        forms = {form for name in self.bones.names for form, _ in canonical_forms(name)}
        marks = [name for mark in self.family.marks for _, name in _sided(self.family, mark)]
        seen = [self.prefix + canonical(name) in forms for name in marks]
        bonus = 0.01 * sum(seen) / len(seen) if seen else 0.0
        known = any(
            self.prefix.rstrip("0123456789") == prefix.rstrip("0123456789")
            for prefix in self.family.prefixes
        )
        return bonus + (0.02 if known else 0.0)
