"""Feet that stand on their toes alone, and where feet point to whose bones do not tell."""

from __future__ import annotations

import numpy as np
import pytest

import zoo
from blender_bioik.motion.feet import HEEL, TIP
from blender_bioik.rig.clip.skeleton import Skeleton, read_skeleton
from blender_bioik.rig.mapping import Leg, Mapping
from blender_bioik.rig.soles.foot_bones import Stance, body_trunk
from blender_bioik.rig.soles.soles import Sole, read_soles
from blender_bioik.rig.transforms import Floats
from zoo.blender import Built, build_body
from zoo.characters.rex import rex
from zoo.characters.variants import bare, lying


def mapping_of(built: Built) -> Mapping:
    """The true legs, as bones from hip to toe with the foot that the truth names."""
    legs = [
        Leg(leg.name, (*leg.bones, leg.toe) if leg.toe else leg.bones, leg.foot, leg.toe)
        for leg in built.truth.legs
    ]
    return Mapping("structure", 1.0, {"head": "head"}, legs=tuple(legs))


def soles_of(built: Built) -> tuple[Skeleton, list[Sole]]:
    skeleton = read_skeleton(built.armature)
    return skeleton, read_soles(built.armature, skeleton, mapping_of(built))


def points(skeleton: Skeleton, sole: Sole) -> Floats:
    """Heel, ball and tip in the rest pose; (3, 3)."""
    rest = [skeleton.rest[skeleton.index[place.bone]] for place in sole.places]
    offsets = [[*place.offset, 1.0] for place in sole.places]
    return np.array([(m @ o)[:3] for m, o in zip(rest, offsets, strict=True)])


@pytest.mark.parametrize("character", ["quadruped", "detached", "hooves", "rex"])
def test_paws_are_feet_and_what_is_above_them_is_leg(character: str) -> None:
    built = zoo.build(character)
    skeleton, soles = soles_of(built)
    for sole, leg in zip(soles, built.truth.legs, strict=True):
        assert sole.bones == (*leg.bones, leg.toe)
        assert (sole.foot, sole.toe) == (leg.toe, None)
        assert {place.bone for place in (*sole.places, *sole.rim)} == {leg.toe}
        true = built.body.limb(leg.name).sole
        assert true is not None
        found = points(skeleton, sole)
        np.testing.assert_allclose(found[:, 2], 0.0, atol=1e-3)
        # The box of the paw reaches behind the point that the zoo calls its heel.
        assert found[HEEL, 1] > true[0][1] - 0.05
        assert found[TIP, 1] == pytest.approx(true[2][1], abs=0.02)


@pytest.mark.parametrize("character", ["plain", "boots", "shoes"])
def test_feet_with_heels_are_no_paws(character: str) -> None:
    built = zoo.build(character)
    for sole, leg in zip(soles_of(built)[1], built.truth.legs, strict=True):
        assert (sole.bones, sole.foot, sole.toe) == (leg.bones, leg.foot, leg.toe)
        assert sole.places[HEEL].bone == leg.foot


def test_bare_feet_stay_what_the_mapping_says() -> None:
    built = build_body(bare(rex()), None)
    for sole, leg in zip(soles_of(built)[1], built.truth.legs, strict=True):
        assert (sole.foot, sole.toe) == (leg.foot, leg.toe)


def stance_of(built: Built, up: Floats) -> Stance:
    skeleton = read_skeleton(built.armature)
    return Stance(skeleton.rest, up, body_trunk(skeleton, mapping_of(built)))


@pytest.mark.parametrize("character", ["quadruped", "six_legs", "eight_legs", "rex"])
def test_bodies_that_are_longer_than_high_face_forward(character: str) -> None:
    ahead = stance_of(zoo.build(character), np.array([0.0, 0.0, 1.0])).facing
    assert ahead @ [0.0, -1.0, 0.0] > 0.99 * np.linalg.norm(ahead) > 0.0


@pytest.mark.parametrize("character", ["plain", "boots"])
def test_upright_bodies_face_where_their_knees_say(character: str) -> None:
    assert not stance_of(zoo.build(character), np.array([0.0, 0.0, 1.0])).facing.any()


def test_a_lying_rest_pose_of_an_animal_faces_forward_too() -> None:
    built = build_body(lying(rex()), None)
    up, forward = (np.array(way) for way in (built.truth.up, built.truth.forward))
    ahead = stance_of(built, up).facing
    assert ahead @ forward > 0.99 * np.linalg.norm(ahead) > 0.0


def test_pegs_of_a_robot_point_where_it_faces() -> None:
    skeleton, soles = soles_of(zoo.build("six_legs"))
    for sole in soles:
        heel, _, tip = points(skeleton, sole)
        assert tip[1] < heel[1]
