"""What is true about bones: ends, flesh, motion, axes and detached feet, on the zoo.

Tests of: axes, bones, ends, flesh, joined, motion.
"""

from __future__ import annotations

from collections.abc import Callable

import bpy
import numpy as np
import pytest

import zoo
from blender_bioik.rig.anatomy.bones import BoneTable
from blender_bioik.rig.anatomy.flesh import DIRECTIONS, outermost
from blender_bioik.rig.anatomy.joined import joined
from blender_bioik.rig.mapping.read import read_bones
from zoo.blender import build_body
from zoo.body import Body
from zoo.characters import variants


@pytest.fixture(autouse=True)
def empty_file() -> None:
    bpy.ops.wm.read_factory_settings(use_empty=True)


def table(body: Body, clip: str | None = "walk") -> BoneTable:
    motion = zoo.CLIPS[clip](body) if clip else None
    return read_bones(build_body(body, motion).armature)


@pytest.mark.parametrize("change", [variants.long_tails, variants.crossing_tails])
def test_invented_tails_do_not_move_ends(change: Callable[[Body], Body]) -> None:
    body = zoo.CHARACTERS["plain"]()
    true, odd = table(body), table(change(body))
    for bone in ("thigh.L", "shin.R", "upper_arm.L", "foot.R"):
        np.testing.assert_allclose(
            odd.ends[odd.index[bone]], true.tails[true.index[bone]], atol=1e-5
        )
    # Where no child is, the flesh says it.
    toe = odd.index["toe.L"]
    assert np.linalg.norm(odd.ends[toe] - true.tails[true.index["toe.L"]]) < 0.03


def test_tails_without_children_count_where_the_others_are_true() -> None:
    bare = table(variants.bare(zoo.CHARACTERS["plain"]()), None)
    np.testing.assert_allclose(bare.ends, bare.tails, atol=1e-5)
    odd = table(variants.long_tails(variants.bare(zoo.CHARACTERS["plain"]())), None)
    assert not odd.ends_known[odd.index["toe.L"]]
    assert np.linalg.norm(odd.ends[odd.index["toe.L"]] - odd.heads[odd.index["toe.L"]]) < 0.1


def test_outermost_points_are_those_of_each_bone() -> None:
    places = np.array([[0.0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, -3], [9, 9, 9]])
    found = outermost(places, np.array([0, 0, 0, 0, 2]), 3)
    lowest = found[0, np.argmin(DIRECTIONS @ [0.0, 0, 1] + np.abs(DIRECTIONS[:, :2]).sum(axis=1))]
    assert tuple(lowest) == (0, 0, -3)
    assert np.isnan(found[1]).all()
    assert (found[2] == 9.0).all()


def test_flesh_of_parented_meshes_is_read() -> None:
    shoes = table(zoo.CHARACTERS["shoes"]())
    for side in "LR":
        foot = shoes.index[f"foot.{side}"]
        assert abs(np.nanmin(shoes.flesh[foot][:, 2])) < 0.01


def test_a_path_is_where_the_bone_goes() -> None:
    body = zoo.CHARACTERS["plain"]()
    built = build_body(body, zoo.CLIPS["walk"](body))
    bones = read_bones(built.armature)
    hips = bones.index["hips"]
    assert bones.motion is not None
    path = bones.motion.path(hips, bones.heads[hips])
    for frame, place in ((built.first, path[0]), (built.last, path[-1])):
        bpy.context.scene.frame_set(frame)
        posed = built.armature.matrix_world @ built.armature.pose.bones["hips"].head
        np.testing.assert_allclose(posed, place, atol=1e-4)


def test_up_is_what_the_clip_says_where_the_rest_pose_lies() -> None:
    body = variants.lying(zoo.CHARACTERS["plain"]())
    bones = table(body)
    assert bones.motion is not None
    up = bones.motion.upward(bones.index["chest"])
    assert up @ (body.to_rig() @ [0.0, 0.0, 1.0]) > 0.9


def test_sides_of_a_slanting_body() -> None:
    body = variants.slanting(zoo.CHARACTERS["quadruped"]())
    way = table(body, None).across
    assert abs(way @ (body.to_rig() @ [1.0, 0.0, 0.0])) > 0.99


@pytest.mark.parametrize("name", ["detached", "hooves", "wolf"])
@pytest.mark.parametrize("clip", ["walk", None])
def test_detached_feet_are_joined_to_their_shins(name: str, clip: str | None) -> None:
    body = variants.meaningless(zoo.CHARACTERS[name]())
    bones = table(body, clip)
    _, shins = joined(bones)
    found = {bones.names[foot]: bones.names[shin] for foot, shin in shins.items()}
    assert found == {body.named(leg.bones[2]): body.named(leg.bones[1]) for leg in body.legs}


@pytest.mark.parametrize("name", ["plain", "six_legs", "fingers", "costume", "rex"])
def test_other_bones_are_not_joined(name: str) -> None:
    for body in (zoo.CHARACTERS[name](), variants.bare(zoo.CHARACTERS[name]())):
        bpy.ops.wm.read_factory_settings(use_empty=True)
        assert joined(table(body))[1] == {}


def test_only_flesh_is_solid() -> None:
    bones = table(zoo.CHARACTERS["six_legs"]())
    solid = bones.solid()
    assert not any(name.startswith(("ik", "pole")) for name in solid.names)
    assert {"hips", "foot1.L", "thigh3.R"} <= set(solid.names)
