"""Legs as joints: which bones move, about which axes, and how far."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from benchmarks.feet import quadruped as feet_quadruped
from blender_bioik.rig.clip.sampling import sample_clip
from blender_bioik.rig.clip.skeleton import read_skeleton
from blender_bioik.rig.errors import RigError
from blender_bioik.rig.joints.joints import TipPlace, build_joints, source_tracks
from blender_bioik.rig.legs.leg_joints import LegSetup, leg_setup, turn_axes
from blender_bioik.rig.legs.upper_body import Arm, BodyOptions
from blender_bioik.rig.mapping import detect
from blender_bioik.rig.mapping.read import read_bones
from blender_bioik.rig.soles.soles import read_soles
from demo import character, walk

LEGS = {f"{part}.{side}" for part in ("thigh", "shin", "foot", "toe") for side in "LR"}


def person() -> bpy.types.Object:
    rig = character.build(bpy.context.scene.collection)
    walk.animate(rig, strides=1)
    return rig


def setup_of(rig: bpy.types.Object, options: BodyOptions | None = None) -> LegSetup:
    skeleton, mapping = read_skeleton(rig), detect(read_bones(rig))
    soles = read_soles(rig, skeleton, mapping)
    return leg_setup(rig, skeleton, soles, mapping, options or BodyOptions())


def add_bone(rig: bpy.types.Object, name: str, parent: str) -> bpy.types.Bone:
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    bone = rig.data.edit_bones.new(name)
    bone.parent = rig.data.edit_bones[parent]
    bone.head = bone.parent.head
    bone.tail = bone.head + bone.parent.vector.orthogonal()
    bpy.ops.object.mode_set(mode="OBJECT")
    return rig.data.bones[name]


def test_legs_and_the_bone_above_them_move_and_nothing_else() -> None:
    setup = setup_of(person())
    assert setup.root == "hips"
    assert set(setup.leg_bones) == LEGS
    assert set(setup.bones) == LEGS | {"hips"}
    assert setup.turn_bounds() == {}


def test_the_mapped_pelvis_slides_though_other_bones_are_between_it_and_the_legs() -> None:
    rig = person()
    add_bone(rig, "tweak", "hips")
    bpy.ops.object.mode_set(mode="EDIT")
    for side in "LR":
        thigh = rig.data.edit_bones[f"thigh.{side}"]
        thigh.use_connect, thigh.parent = False, rig.data.edit_bones["tweak"]
    bpy.ops.object.mode_set(mode="OBJECT")
    assert setup_of(rig).root == "hips"
    rig.pose.bones["hips"].lock_location = (True, True, True)
    assert setup_of(rig).root == "tweak"


def test_a_locked_root_is_refused_by_name() -> None:
    rig = person()
    rig.pose.bones["hips"].lock_location = (False, False, True)
    with pytest.raises(RigError, match='"hips" is connected or locked'):
        setup_of(rig)


def test_knees_and_toes_are_hinges_across_the_way() -> None:
    rig = person()
    skeleton, clip = read_skeleton(rig), sample_clip(bpy.context.scene, rig, range(1, 27))
    axes = turn_axes(setup_of(rig), skeleton, clip)
    assert axes["hips"] == ()
    for side in "LR":
        assert "foot." + side not in axes
        assert len(axes[f"thigh.{side}"]) == 3
        assert np.allclose(np.linalg.norm(axes[f"thigh.{side}"], axis=1), 1.0)
        for bone in (f"shin.{side}", f"toe.{side}"):
            (axis,) = axes[bone]
            world = clip.pose[5, skeleton.index[bone], :3, :3] @ np.array(axis)
            assert abs(world[0]) > 0.95, bone  # the walk is along Y


def test_what_hangs_on_a_pelvis_that_tilts_is_kept() -> None:
    rig = person()
    add_bone(rig, "tail", "hips")
    add_bone(rig, "pocket", "thigh.L")
    add_bone(rig, "level", "hips").use_inherit_rotation = False
    setup = setup_of(rig, BodyOptions(tilt=0.1))
    assert set(setup.upper.kept) == {"spine", "tail"}
    assert setup.upper.sharing == ()
    assert setup.turn_bounds() == {"hips": 0.1}


def test_bones_between_the_pelvis_and_legs_turn_along() -> None:
    rig = person()
    add_bone(rig, "socket", "hips")
    bpy.ops.object.mode_set(mode="EDIT")
    rig.data.edit_bones["thigh.L"].parent = rig.data.edit_bones["socket"]
    bpy.ops.object.mode_set(mode="OBJECT")
    add_bone(rig, "holster", "socket")
    setup = setup_of(rig, BodyOptions(tilt=0.1))
    assert setup.root == "hips"
    assert set(setup.upper.kept) == {"spine", "holster"}


def test_a_spine_that_shares_keeps_the_chest() -> None:
    setup = setup_of(person(), BodyOptions(tilt=0.1, spine_shares=True))
    assert setup.upper.sharing == ("spine", "chest")
    assert setup.upper.kept == ("upper_chest",)


def test_a_spine_shares_nothing_of_a_pelvis_that_does_not_turn() -> None:
    setup = setup_of(person(), BodyOptions(spine_shares=True))
    assert set(setup.bones) == LEGS | {"hips"}


def test_arms_move_if_hands_stay() -> None:
    setup = setup_of(person(), BodyOptions(hands_stay=True))
    assert setup.upper.arms == tuple(
        Arm(f"upper_arm.{side}", f"forearm.{side}", f"hand.{side}") for side in "LR"
    )
    assert {"upper_arm.L", "forearm.L", "hand.L"} < set(setup.bones)


def test_a_trunk_on_four_legs_turns_with_the_ground_but_for_its_head() -> None:
    rig = feet_quadruped.build(bpy.context.scene.collection, strides=1)
    setup = setup_of(rig)
    assert setup.root == "pelvis"
    assert setup.upper.kept == ()
    assert setup.upper.head == "head"
    assert setup.turn_bounds() == {
        "pelvis": pytest.approx(np.arctan(0.7))
    }  # as the steepest ground
    place = np.array(rig.data.bones["pelvis"].matrix_local) @ (*setup.middle, 1.0)
    assert np.allclose(place[:3], (0.0, 0.01, 0.57), atol=1e-5)


def test_turns_are_bounded() -> None:
    rig = person()
    skeleton, clip = read_skeleton(rig), sample_clip(bpy.context.scene, rig, range(1, 6))
    moving = ["hips", "spine"]
    model = build_joints(
        skeleton,
        clip,
        source_tracks(skeleton, clip, ()),
        moving,
        [TipPlace("top", "spine")],
        {},
        turn_bounds={"hips": 0.2},
    )
    for bone in model.bones:
        joints = [joint for _, joint in bone.turns]
        most = 0.2 if skeleton.names[bone.index] == "hips" else np.inf
        assert (model.tree.upper[joints] == most).all()
        assert (model.tree.lower[joints] == -most).all()
