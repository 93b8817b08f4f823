"""Legs in parts that hang elsewhere: they are placed as if they hung together.

Tests of: rig.legs.leg_joints, rig.joints.joint_model.
"""

from __future__ import annotations

from functools import cache

import bpy
import numpy as np
import pytest

import zoo
from benchmarks.feet import grounds
from blender_bioik.rig.bake.bake import BakeOptions
from blender_bioik.rig.blender import fcurves
from blender_bioik.rig.feet.place_feet import place_feet
from blender_bioik.rig.transforms import Floats
from zoo.blender import build_body
from zoo.body import Body

from ...builders.loose_limbs import apart, assign_legs

FRAMES = (1, 50)
SAME = 1e-3  # metres, for a person of 1.8 m: solved again, in another order of joints
GAP = 0.05  # metres, by which feet leave their shins


def posed(rig: bpy.types.Object) -> dict[str, Floats]:
    """Heads of all bones over the frames, (f, 3)."""
    scene = bpy.context.scene
    found: dict[str, list[tuple[float, ...]]] = {bone.name: [] for bone in rig.pose.bones}
    for frame in range(FRAMES[0], FRAMES[1] + 1):
        scene.frame_set(frame)
        for bone in rig.pose.bones:
            found[bone.name].append(bone.matrix.translation[:])
    return {name: np.array(heads) for name, heads in found.items()}


def walking(body: Body) -> bpy.types.Object:
    for thing in list(bpy.data.objects):
        bpy.data.objects.remove(thing)
    rig = build_body(body, zoo.CLIPS["walk"](body)).armature
    assign_legs(rig)
    return rig


def placed(rig: bpy.types.Object) -> dict[str, Floats]:
    things = grounds.GROUNDS["hills"](12.0, 6.0)
    for thing in things:
        bpy.context.scene.collection.objects.link(thing)
    bpy.context.view_layer.update()
    rig.bioik.feet.lean = 0.0  # only rigs whose bones alone pose the spine lean
    place_feet(bpy.context.scene, rig, BakeOptions(*FRAMES), grounds=things)
    return posed(rig)


@cache
def whole() -> dict[str, Floats]:
    """A placed walk of legs that hang together."""
    return placed(walking(zoo.CHARACTERS["plain"]()))


@pytest.mark.parametrize(
    ("joints", "parent"),
    [
        ((2,), "root"),
        ((2,), ""),
        ((2,), "hips"),
        ((3,), "root"),
        ((1, 2), "root"),
        ((0,), ""),
        ((0, 1, 2, 3), ""),
    ],
    ids=["feet", "free feet", "feet on the hips", "toes", "shins and feet", "hips", "all"],
)
def test_legs_in_parts_are_placed_as_if_they_hung_together(
    joints: tuple[int, ...], parent: str
) -> None:
    found = placed(walking(apart(zoo.CHARACTERS["plain"](), joints, parent)))
    for bone, heads in whole().items():
        np.testing.assert_allclose(found[bone], heads, atol=SAME, err_msg=bone)


def test_a_gap_that_changes_in_the_source_is_kept() -> None:
    rig = walking(apart(zoo.CHARACTERS["plain"](), (2,)))
    container = fcurves.assigned_container(rig)
    path = rig.pose.bones["foot.L"].path_from_id("location")
    curve = fcurves.curves_by_channel(container)[(path, 1)]
    keys = fcurves.read_keys(curve)["co"].reshape(-1, 2)
    moved = keys[:, 1] + GAP * np.sin(0.3 * keys[:, 0])
    fcurves.write_keys(curve, keys[:, 0], moved, key_type="KEYFRAME")
    before, after = posed(rig), placed(rig)
    gaps = [np.linalg.norm(p["foot.L"] - p["shin.L"], axis=-1) for p in (before, after)]
    assert np.ptp(gaps[0]) > 0.5 * GAP
    np.testing.assert_allclose(gaps[1], gaps[0], atol=1e-4)


def test_feet_that_ik_reaches_for_keep_their_shins() -> None:
    rig = walking(apart(zoo.CHARACTERS["plain"](), (2,)))
    for side in "LR":
        reach = rig.pose.bones[f"shin.{side}"].constraints.new("IK")
        reach.target, reach.subtarget = rig, f"foot.{side}"
        reach.chain_count, reach.use_stretch = 2, False
    before, after = posed(rig), placed(rig)
    for side in "LR":
        gaps = [
            np.linalg.norm(p[f"foot.{side}"] - p[f"shin.{side}"], axis=-1) for p in (before, after)
        ]
        np.testing.assert_allclose(gaps[1], gaps[0], atol=SAME)
    for bone, heads in whole().items():
        np.testing.assert_allclose(after[bone], heads, atol=5 * SAME, err_msg=bone)
