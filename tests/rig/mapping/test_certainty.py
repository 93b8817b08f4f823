"""How certain mappings are, and what is asked where they are not.

Tests of: certainty, guess.
"""

from __future__ import annotations

import bpy
import pytest

import zoo
from blender_bioik.findings import Severity
from blender_bioik.rig.bake.bake import BakeOptions
from blender_bioik.rig.errors import RigError
from blender_bioik.rig.feet.place_feet import place_feet
from blender_bioik.rig.mapping.certainty import CERTAIN, SURE
from blender_bioik.rig.mapping.chosen import rig_mapping
from blender_bioik.rig.mapping.guess import (
    guess_findings,
    guess_problem,
    guess_text,
    guessed_slots,
    refuse_guess,
)
from zoo.blender import Built, build_body
from zoo.body import Body
from zoo.characters import variants


def built(body: Body, *, clip: bool = True) -> Built:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    return build_body(body, zoo.CLIPS["walk"](body) if clip else None)


def test_names_that_structure_confirms_are_certain() -> None:
    mapping = rig_mapping(built(zoo.CHARACTERS["mixamo"]()).armature)
    assert mapping.confidence > CERTAIN
    assert guess_problem(mapping) == ""
    assert guess_findings(mapping) == []


def test_a_clip_and_flesh_confirm_what_has_no_names() -> None:
    body = zoo.CHARACTERS["nameless"]()
    moving = rig_mapping(built(body).armature)
    still = rig_mapping(built(body, clip=False).armature)
    bare = rig_mapping(built(variants.bare(body), clip=False).armature)
    assert moving.confidence > still.confidence > bare.confidence
    assert SURE < moving.confidence < CERTAIN
    (finding,) = guess_findings(moving)
    assert finding.severity == Severity.WARNING
    assert guess_text(moving) in finding.text


def test_a_guess_is_refused_until_it_is_confirmed() -> None:
    armature = built(variants.bare(zoo.CHARACTERS["nameless"]()), clip=False).armature
    guess = rig_mapping(armature)
    assert guess.confidence < SURE
    with pytest.raises(RigError, match=guess.legs[0].bones[0]):
        refuse_guess(armature)
    with pytest.raises(RigError, match="not certain which bones are legs"):
        place_feet(bpy.context.scene, armature, BakeOptions(1, 10))
    for slot, bone in guessed_slots(guess):
        added = armature.bioik.slots.add()
        added.name, added.bone = slot, bone
    assert rig_mapping(armature).confidence == 1.0
    assert rig_mapping(armature).legs == guess.legs
    refuse_guess(armature)


def test_legs_may_be_chosen_where_none_was_found() -> None:
    body = zoo.CHARACTERS["six_legs_nameless"]()
    mapping = rig_mapping(built(body).armature)
    chosen = {leg.name: [body.named(role) for role in leg.bones] for leg in body.legs[:2]}
    other = mapping.with_overrides({f"front.{name[-1]}": bones for name, bones in chosen.items()})
    assert {leg.name for leg in other.legs} == {
        "front.L", "front.R", "leg2.L", "leg2.R", "leg3.L", "leg3.R"
    }  # fmt: skip
    assert other.confidence == mapping.confidence  # the others are still guessed
    with pytest.raises(RigError, match=r"leg3\.R"):
        mapping.with_overrides({"fin.L": "x"})
