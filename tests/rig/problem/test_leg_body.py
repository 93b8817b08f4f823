"""A character in the terms of foot placement.

Tests of: feet_model.
"""

from __future__ import annotations

from collections.abc import Sequence

import bpy
import numpy as np
import pytest

from benchmarks.feet import quadruped as feet_quadruped
from blender_bioik.motion.solve.body import Body
from blender_bioik.motion.solve.tuning import WEIGHTS
from blender_bioik.rig.clip.sampling import Clip, sample_clip
from blender_bioik.rig.clip.skeleton import Skeleton, read_skeleton
from blender_bioik.rig.joints.joint_model import JointModel
from blender_bioik.rig.joints.joints import build_joints, source_tracks
from blender_bioik.rig.legs.leg_joints import leg_setup, turn_axes
from blender_bioik.rig.legs.upper_body import BodyOptions
from blender_bioik.rig.mapping import detect
from blender_bioik.rig.mapping.read import read_bones
from blender_bioik.rig.problem.leg_body import briskness, make_body
from blender_bioik.rig.problem.tuning import INERTIA
from blender_bioik.rig.soles.soles import read_soles
from demo import character, walk

FRAMES = range(1, 27)


def person() -> bpy.types.Object:
    rig = character.build(bpy.context.scene.collection)
    walk.animate(rig, strides=1)
    return rig


def body_of(
    rig: bpy.types.Object,
    options: BodyOptions | None = None,
    *,
    rate: float = 24.0,
    scale: float = 1.0,
    aimed: Sequence[str] = (),
) -> tuple[Body, JointModel, Skeleton, Clip]:
    skeleton, mapping = read_skeleton(rig), detect(read_bones(rig))
    soles = read_soles(rig, skeleton, mapping)
    setup = leg_setup(rig, skeleton, soles, mapping, options or BodyOptions())
    clip = sample_clip(bpy.context.scene, rig, FRAMES)
    model = build_joints(
        skeleton,
        clip,
        source_tracks(skeleton, clip, ()),
        setup.bones,
        list(setup.tips()),
        {},
        sliding=[setup.root],
        turn_axes=turn_axes(setup, skeleton, clip),
        turn_bounds=setup.turn_bounds(),
    )
    floor = np.zeros((len(FRAMES), len(soles)))
    return (
        make_body(setup, skeleton, clip, model, (), rate, scale, floor, aimed),
        model,
        skeleton,
        clip,
    )


def joints_of(model: JointModel, bone: str) -> list[int]:
    moving = next(b for b in model.bones if model.skeleton.names[b.index] == bone)
    return [joint for _, joint in moving.turns]


def test_the_body_stands_as_in_the_source() -> None:
    rig = person()
    body, _, skeleton, clip = body_of(rig)
    tips = body.tip_places(np.asarray(body.clip.values))
    hips = clip.world_pose(skeleton.index["hips"])[:, :3, 3]
    assert np.allclose(tips[body.pelvis.tip], hips, atol=1e-6)
    assert np.allclose(body.pelvis.places, hips, atol=1e-6)
    assert [leg.foot for leg in body.legs] == ["leg.L foot", "leg.R foot"]


def test_carried_moves_everything_and_nothing_else() -> None:
    body, *_ = body_of(person())
    way = np.tile([0.1, -0.2, 0.3], (len(FRAMES), 1))
    before = body.tip_places(np.asarray(body.clip.values))
    for tip, places in body.tip_places(body.carried(way)).items():
        assert np.allclose(places, before[tip] + way, atol=1e-6), tip


def test_knees_are_bent_as_in_the_source() -> None:
    body, model, skeleton, clip = body_of(person())
    heads = (clip.world[:, None] @ clip.pose)[..., :3, 3]
    hip, knee, ankle = (heads[:, skeleton.index[f"{b}.L"]] for b in ("thigh", "shin", "foot"))
    one, other = knee - hip, ankle - knee
    cosine = np.einsum("fi,fi->f", one, other)
    bend = np.arccos(cosine / np.linalg.norm(one, axis=1) / np.linalg.norm(other, axis=1))
    ((joint, flexion),) = body.legs[0].knees
    assert model.tree.joint_index(joint) in joints_of(model, "shin.L")
    assert np.allclose(flexion, bend, atol=1e-4)


@pytest.mark.parametrize(
    ("metres", "seconds", "times"), [(0.02, 1.0, 1.0), (0.08, 0.5, 2.0), (0.02, 0.35, 1.0)]
)
def test_bodies_that_bounce_are_brisk(metres: float, seconds: float, times: float) -> None:
    def bouncing(rate: float, scale: float) -> float:
        at = np.arange(0.0, 4.0, 1.0 / rate)
        places = np.zeros((len(at), 3))
        places[:, 2] = scale * metres * np.sin(2.0 * np.pi * at / seconds)
        return briskness(places, rate, scale)

    found = bouncing(30.0, 1.0)
    assert found == pytest.approx(times, rel=0.1)
    assert bouncing(120.0, 1.0) == pytest.approx(found, rel=0.1)
    assert bouncing(30.0, 3.0) == pytest.approx(found)
    assert briskness(np.zeros((2, 3)), 30.0, 1.0) == 1.0


@pytest.mark.parametrize(("given", "metres"), [(None, 0.028), (0.02, 0.02), (0.3, 0.3)])
def test_the_pelvis_goes_aside_in_metres_or_as_is_usual_for_the_size(
    given: float | None, metres: float
) -> None:
    body, *_ = body_of(person(), BodyOptions(sideways=given), scale=2.0)
    assert body.pelvis.sideways == pytest.approx(metres)


def test_a_tilting_pelvis_is_bounded_and_costs_more_than_turning_back() -> None:
    body, model, *_ = body_of(person(), BodyOptions(tilt=0.1))
    hips, spine = joints_of(model, "hips"), joints_of(model, "spine")
    assert (body.tree.upper[hips] == 0.1).all()
    assert (body.inertia.stay[hips].min() > 1e3 * body.inertia.stay[spine]).all()
    (kept,) = body.kept
    assert kept.sigma == WEIGHTS.firm_turn
    assert np.allclose(np.linalg.norm(kept.turn, axis=1), 1.0)


def test_bones_that_own_goals_move_are_kept_less_firmly() -> None:
    body, *_ = body_of(person(), BodyOptions(tilt=0.1), aimed=("spine", "head"))
    assert [kept.sigma for kept in body.kept] == [INERTIA.joint_stay]


def test_hands_have_the_length_of_their_arms() -> None:
    rig = person()
    body, _, skeleton, clip = body_of(rig, BodyOptions(hands_stay=True))
    left, right = body.hands
    bones = rig.data.bones
    length = (bones["forearm.L"].head_local - bones["upper_arm.L"].head_local).length
    length += (bones["hand.L"].head_local - bones["forearm.L"].head_local).length
    assert left.length == pytest.approx(length, rel=1e-4)
    assert right.name == "hand.R"
    place = clip.world_pose(skeleton.index["hand.L"])[:, :3, 3]
    assert np.allclose(left.places, place, atol=1e-6)
    assert left.elbow is not None
    assert (left.elbow[1] > 0.0).all()


def test_twice_the_frames_cost_the_same() -> None:
    """A correction that lasts as long, and one that turns as quickly."""
    body, _, _, _ = body_of(person(), rate=24.0)
    slow, fast = body.inertia, body_of(person(), rate=48.0)[0].inertia
    assert np.allclose(2.0 * fast.stay, slow.stay)
    # Sliding aside: the same frames twice as fast are brisker.
    turning = body.tree.prismatic == 0
    assert np.allclose(fast.bend[turning], 8.0 * slow.bend[turning])


def test_four_legs_follow_the_slope() -> None:
    rig = feet_quadruped.build(bpy.context.scene.collection, strides=2)
    body, _, skeleton, clip = body_of(rig)
    assert body.follows_slope
    assert [kept.tip for kept in body.kept] == ["head, kept"]
    hips = [f"{leg}_thigh.{side}" for leg, side in feet_quadruped.legs()]
    heads = (clip.world[:, None] @ clip.pose)[..., :3, 3]
    middle = heads[:, [skeleton.index[hip] for hip in hips]].mean(axis=1)
    assert np.allclose(body.pelvis.places, middle, atol=1e-5)
    assert not body_of(person())[0].follows_slope
