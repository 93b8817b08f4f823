"""How many limbs the tool maps right without help, and how sure it is of those it maps wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import bpy

import zoo
from blender_bioik.rig.mapping.chosen import rig_mapping
from blender_bioik.rig.mapping.mapping import Mapping
from zoo.blender import build_body
from zoo.body import Body
from zoo.characters import variants
from zoo.characters.proportions import varied

# Whole bodies, and what is done to each of them.
BODIES = (
    *("plain", "boots", "bare", "shoes", "fingers", "costume", "quadruped", "detached", "hooves"),
    *("six_legs", "eight_legs", "rex", "wolf", "dragon", "centaur", "bird", "cloaked"),
)
# What is also looked at without a clip.
UNMOVED = ("as it is", "nameless", "long tails", "bare, long tails", "lying", "slanting")
Oddity = Callable[[Body], Body]
ODDITIES: dict[str, Oddity] = {
    "as it is": lambda body: body,
    "nameless": variants.meaningless,
    "long tails": lambda body: variants.long_tails(variants.meaningless(body)),
    "crossing tails": lambda body: variants.crossing_tails(variants.meaningless(body)),
    "lying": lambda body: variants.lying(variants.meaningless(body)),
    "Y up, scaled": lambda body: variants.scaled_object(variants.meaningless(body)),
    "bare": lambda body: variants.bare(variants.meaningless(body)),
    "bare, long tails": lambda body: variants.long_tails(variants.bare(variants.meaningless(body))),
    "slanting": lambda body: variants.slanting(variants.meaningless(body)),
    "branched": lambda body: variants.branched(variants.meaningless(body)),
    "tiny": lambda body: variants.sized(variants.meaningless(body), 0.005),
    "giant": lambda body: variants.sized(variants.meaningless(body), 100.0),
}


@dataclass(frozen=True)
class Limbs:
    """What became of a character's limbs.

    Attributes:
        name: Body and oddity.
        confidence: What the tool gives its mapping.
        limbs: How many there are.
        right: Those with the right bones.
        wrong: Those that are missing or have other bones, and what is taken for a limb and is none.
    """

    name: str
    confidence: float
    limbs: int
    right: int
    wrong: tuple[str, ...]


def all_limbs(seeds: Sequence[int] = (0,)) -> Iterator[Limbs]:
    """Every body with every oddity, playing a walk; seeds above 0 are of other proportions."""
    for seed in seeds:
        for body_name in BODIES:
            for oddity, change in ODDITIES.items():
                bpy.ops.wm.read_factory_settings(use_empty=True)
                plain = zoo.CHARACTERS[body_name]()
                body = change(varied(plain, seed) if seed else plain)
                built = build_body(body, zoo.CLIPS["walk"](body), body_name)
                yield judged(f"{body_name}, {oddity}, {seed}", built)
                if oddity in UNMOVED:
                    built.armature.animation_data_clear()
                    yield judged(f"{body_name}, {oddity} without a clip, {seed}", built)


def calibration(found: Sequence[Limbs]) -> list[tuple[float, int, int]]:
    """For each tenth of confidence: its beginning, characters, and those with all limbs right."""
    table = []
    for tenth in range(10):
        low = tenth / 10
        inside = [f for f in found if low <= min(f.confidence, 0.999) < low + 0.1]
        table.append((low, len(inside), sum(not legs_wrong(f) for f in inside)))
    return table


def legs_wrong(limbs: Limbs) -> list[str]:
    """What is wrong with the legs: what the confidence is about."""
    return [name for name in limbs.wrong if not name.startswith("arm")]


def judged(name: str, built: zoo.Built) -> Limbs:
    """Compare the tool's mapping of a character with the truth."""
    mapping = rig_mapping(built.armature)
    wrong = [*_wrong_legs(mapping, built.truth), *_wrong_arms(mapping, built.truth)]
    arms = sum(slot.startswith("hand.") for slot in built.truth.slots)
    limbs = len(built.truth.legs) + arms
    known = {leg.name for leg in built.truth.legs} | {"arm.L", "arm.R"}
    right = limbs - sum(limb in known for limb in wrong)
    return Limbs(name, mapping.confidence, limbs, right, tuple(wrong))


def _wrong_legs(mapping: Mapping, truth: zoo.Truth) -> Iterator[str]:
    """Legs without the right bones, by their true names, and the mapping's that are none."""
    mapped = {leg.name: leg for leg in mapping.legs}
    for leg in truth.legs:
        found = mapped.pop(leg.name, None)
        # An animal that walks on its toes has its foot where one takes it to be.
        feet = {leg.foot} if leg.flat else {leg.foot, leg.toe}
        if found is None or found.foot not in feet or not set(leg.bones) <= set(found.bones):
            yield leg.name
    for name in mapped:
        yield f"{name} of the mapping"


def _wrong_arms(mapping: Mapping, truth: zoo.Truth) -> Iterator[str]:
    for side in "LR":
        slots = [f"{part}.{side}" for part in ("upper_arm", "forearm", "hand")]
        true = [truth.slots.get(slot) for slot in slots]
        if true[-1] is not None and true != [mapping.slots.get(slot) for slot in slots]:
            yield f"arm.{side}"
