"""Bones beside the body: IK targets, poles and what else hangs on nothing that moves."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

import zoo
from benchmarks.feet import grounds
from blender_bioik.rig.bake.bake import BakeOptions
from blender_bioik.rig.clip.sampling import Clip, sample_clip
from blender_bioik.rig.clip.skeleton import read_skeleton
from blender_bioik.rig.feet.place_feet import place_feet
from blender_bioik.rig.legs.loose_bones import loose_bones, loose_carriers
from blender_bioik.rig.transforms import Floats

FRAMES = range(1, 41)
SIDES = ("1.L", "1.R", "2.L", "2.R", "3.L", "3.R")
LEGS = [f"{part}{side}" for side in SIDES for part in ("thigh", "shin", "foot")]
LOOSE = {f"{part}{side}" for side in SIDES for part in ("ik", "pole")}


def robot() -> bpy.types.Object:
    """Six legs, with IK targets and poles on a root that stays where it is."""
    return zoo.build("six_legs", "walk").armature


def clip_of(rig: bpy.types.Object) -> Clip:
    return sample_clip(bpy.context.scene, rig, FRAMES)


def test_targets_and_poles_are_loose_and_what_carries_the_body_is_not() -> None:
    rig = robot()
    assert set(loose_bones(rig, read_skeleton(rig), ["hips"], LEGS)) == {"root", *LOOSE}


def test_bones_of_constraints_and_controls_are_left_to_these() -> None:
    rig = robot()
    reach = rig.pose.bones["shin1.L"].constraints.new("IK")
    reach.target, reach.subtarget = rig, "ik1.L"
    reach.pole_target, reach.pole_subtarget = rig, "pole1.L"
    rig.data.bones["pole2.L"].use_deform = False
    found = set(loose_bones(rig, read_skeleton(rig), ["hips"], LEGS))
    assert found == LOOSE - {"ik1.L", "pole1.L", "pole2.L"}


def test_bones_of_goals_are_left_to_these() -> None:
    rig = robot()
    goal = rig.bioik.goals.add()
    goal.type = "LOOK_AT"
    goal.bone, goal.target, goal.subtarget = "head", rig, "pole1.L"
    found = set(loose_bones(rig, read_skeleton(rig), ["hips"], LEGS))
    assert found == LOOSE - {"pole1.L"}  # and not the root, which carries it


def test_each_goes_with_the_bone_that_it_goes_with_in_the_clip() -> None:
    rig = robot()
    skeleton, clip = read_skeleton(rig), clip_of(rig)
    found = loose_carriers(skeleton, clip, ["root", *sorted(LOOSE)], LEGS, "hips")
    assert "root" not in found  # it stays where it is
    assert {bone: found[bone] for bone in LOOSE if bone.startswith("ik")} == {
        f"ik{side}": f"foot{side}" for side in SIDES
    }
    assert {found[f"pole{side}"] for side in SIDES} == {f"shin{side}" for side in SIDES}


def test_what_goes_with_no_leg_goes_with_the_body_and_what_stays_stays() -> None:
    rig = robot()
    skeleton, clip = read_skeleton(rig), clip_of(rig)
    clip.pose[:, skeleton.index["pole1.L"], 1, 3] += 0.3 * np.sin(np.arange(len(FRAMES)))
    clip.pose[:, skeleton.index["pole2.L"]] = clip.pose[:1, skeleton.index["pole2.L"]]
    found = loose_carriers(skeleton, clip, ["pole1.L", "pole2.L"], LEGS, "hips")
    assert found == {"pole1.L": "hips"}


def test_targets_stay_at_their_feet_and_poles_beside_their_knees_on_hills() -> None:
    rig = robot()
    before = clip_of(rig).pose[..., :3, 3]
    scene = bpy.context.scene
    things = grounds.GROUNDS["hills"](12.0, 6.0)
    for thing in things:
        scene.collection.objects.link(thing)
    bpy.context.view_layer.update()
    place_feet(scene, rig, BakeOptions(FRAMES[0], FRAMES[-1]), grounds=things)
    after = clip_of(rig).pose[..., :3, 3]
    assert np.abs(after - before).max() > 0.02
    skeleton = read_skeleton(rig)
    for bone, carrier in ((f"ik{s}", f"foot{s}") for s in SIDES):
        assert apart(skeleton.index, after, bone, carrier).max() < 1e-4
    for bone, carrier in ((f"pole{s}", f"shin{s}") for s in SIDES):
        was = apart(skeleton.index, before, bone, carrier)
        assert apart(skeleton.index, after, bone, carrier) == pytest.approx(was, abs=1e-4)


def apart(index: dict[str, int], heads: Floats, bone: str, other: str) -> Floats:
    """Distances of two bones over the frames, (f,)."""
    return np.linalg.norm(heads[:, index[bone]] - heads[:, index[other]], axis=-1)
