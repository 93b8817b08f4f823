"""The body above the legs: pelvis aside and tilted, a spine that shares, hands in the world.

Tests of: rig.problem.leg_body.
"""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Vector

from benchmarks.feet import child as feet_child
from benchmarks.feet import scenes as feet_scenes
from benchmarks.feet.measure import upper_bones
from benchmarks.feet.poses import Poses, sample
from benchmarks.feet.scenes import FeetScene
from blender_bioik.rig.bake.bake import BakeOptions
from blender_bioik.rig.feet.place_feet import place_feet
from blender_bioik.rig.report.foot_report import FootReport
from blender_bioik.rig.transforms import Floats

HANDS = ("hand.L", "hand.R")


def placed(name: str, **settings: Any) -> tuple[FeetScene, Poses, FootReport]:
    """A scene whose feet are placed with some settings, its poses then, and the report."""
    built = feet_scenes.build(name)
    for setting, value in ({"lean": 0.0} | settings).items():
        setattr(built.clip.armature.bioik.feet, setting, value)
    options = BakeOptions(built.clip.first, built.clip.last)
    report = place_feet(built.scene, built.clip.armature, options, grounds=built.grounds)
    return built, sample(built.scene, built.clip), report


def turns(source: Poses, result: Poses, bone: str) -> Floats:
    """Degrees (f,) by which a bone is turned in the world."""
    chord = np.linalg.norm(source.rotations(bone) - result.rotations(bone), axis=(1, 2))
    return np.degrees(2.0 * np.arcsin(chord / np.sqrt(8.0)))


def own_turns(armature: bpy.types.Object, source: Poses, result: Poses, bone: str) -> Floats:
    """Degrees (f,) by which a bone is turned against its parent."""
    parent = armature.data.bones[bone].parent.name
    against = [p.rotations(parent).swapaxes(1, 2) @ p.rotations(bone) for p in (source, result)]
    chord = np.linalg.norm(against[0] - against[1], axis=(1, 2))
    return np.degrees(2.0 * np.arcsin(chord / np.sqrt(8.0)))


def sideways(built: FeetScene, result: Poses) -> Floats:
    way = result.heads("hips") - built.source.heads("hips")
    return np.linalg.norm(way[:, :2], axis=1)


def test_the_pelvis_moves_aside_as_far_as_it_may() -> None:
    shifts = {}
    for much in (0.002, 0.2):
        built, result, _ = placed("walk.stairs", pelvis_sideways=much)
        shifts[much] = sideways(built, result).max()
        assert turns(built.source, result, "hips").max() < 0.01  # it does not tilt, by default
    assert shifts[0.002] < 0.006
    assert shifts[0.002] < 0.2 * shifts[0.2]


def test_the_pelvis_tilts_within_bounds_and_the_body_above_stays() -> None:
    most = 4.0
    built, result, _ = placed("walk.stairs", pelvis_tilt=np.radians(most))
    tilt = turns(built.source, result, "hips")
    assert 1.0 < tilt.max() < 1.02 * np.sqrt(3.0) * most
    for bone in upper_bones(built.clip):
        assert turns(built.source, result, bone).max() < 0.1, bone
    feet = feet_child.judge(built)
    assert feet.unreached == 0
    assert feet.drift < 0.3
    assert feet.drift_worst < 1.0
    assert feet.penetration < 1.0
    assert feet.height < 3.0


def test_without_share_only_the_first_bone_of_the_spine_turns_back() -> None:
    built, result, _ = placed("walk.stairs", pelvis_tilt=np.radians(8.0))
    armature = built.clip.armature
    assert own_turns(armature, built.source, result, "spine").max() > 1.0
    for bone in ("chest", "upper_chest", "neck", "thigh.L"):
        turn = own_turns(armature, built.source, result, bone).max()
        assert (turn > 1.0) == (bone == "thigh.L"), bone


def test_the_spine_shares_the_turn_of_the_pelvis() -> None:
    built, result, _ = placed("walk.stairs", pelvis_tilt=np.radians(8.0), spine_share=True)
    armature = built.clip.armature
    tilt = turns(built.source, result, "hips")
    at = int(tilt.argmax())
    assert tilt[at] > 1.0
    for bone in ("spine", "chest", "upper_chest"):
        share = own_turns(armature, built.source, result, bone)[at] / tilt[at]
        assert 0.25 < share < 0.45, bone
    for bone in ("upper_chest", "neck", "head", "hand.L"):
        assert turns(built.source, result, bone).max() < 0.1, bone


def test_a_user_goal_still_turns_the_spine() -> None:
    """The bones above a tilting pelvis are kept, but not against what the user asks for."""
    built = feet_scenes.build("walk.flat")
    armature = built.clip.armature
    armature.bioik.feet.pelvis_tilt = np.radians(5.0)
    goal = armature.bioik.goals.add()
    goal.type, goal.bone = "ORIENTATION", "upper_chest"
    target = bpy.data.objects.new("Wanted", None)
    built.scene.collection.objects.link(target)
    wanted = armature.matrix_world @ armature.data.bones["upper_chest"].matrix_local
    target.matrix_world = Matrix.Rotation(0.3, 4, Vector((0.0, 0.0, 1.0))) @ wanted
    goal.target = target
    options = BakeOptions(built.clip.first, built.clip.last)
    place_feet(built.scene, armature, options, grounds=built.grounds)
    result = sample(built.scene, built.clip)
    assert turns(built.source, result, "upper_chest").mean() > 8.0


def on_a_floor_at(height: float, hands: str) -> tuple[FeetScene, Poses, FootReport]:
    """The walk on a floor that is higher or lower than the source's."""
    built = feet_scenes.build("walk.flat")
    built.grounds[0].location.z = height
    built.clip.armature.bioik.feet.hands = hands
    options = BakeOptions(built.clip.first, built.clip.last)
    report = place_feet(built.scene, built.clip.armature, options, grounds=built.grounds)
    return built, sample(built.scene, built.clip), report


def test_hands_go_with_the_body() -> None:
    built, result, _ = on_a_floor_at(-0.08, "BODY")
    for hand in HANDS:
        way = result.heads(hand) - built.source.heads(hand)
        assert np.allclose(way, (0.0, 0.0, -0.08), atol=0.005)
        assert own_turns(built.clip.armature, built.source, result, hand).max() < 0.01


def test_hands_stay_in_the_world_where_arms_reach() -> None:
    built, result, report = on_a_floor_at(-0.08, "WORLD")
    assert np.allclose((result.heads("hips") - built.source.heads("hips"))[:, 2], -0.08, atol=0.005)
    for hand in HANDS:
        away = np.linalg.norm(result.heads(hand) - built.source.heads(hand), axis=1)
        assert away.max() < 0.004
        assert turns(built.source, result, hand).max() < 2.0
    assert not any("hand" in note for note in report.notes)


def test_hands_out_of_reach_are_reported_by_name_and_do_not_disturb_the_feet() -> None:
    built, result, report = on_a_floor_at(0.5, "WORLD")
    assert np.allclose((result.heads("hips") - built.source.heads("hips"))[:, 2], 0.5, atol=0.03)
    for hand in HANDS:
        assert any(hand in note and "too short" in note for note in report.notes)
    feet = feet_child.judge(built)
    assert feet.drift < 0.3
    assert feet.penetration < 1.0
    assert feet.height < 3.0
    assert feet.acceleration < 1.25


def test_an_animal_turns_with_a_slope_gently_and_still_looks_ahead() -> None:
    built, result, _ = placed("trot.slope")
    head, trunk = (turns(built.source, result, bone) for bone in ("head", "pelvis"))
    assert trunk.min() > 10.0
    assert np.all((head > 0.0) & (head < 0.2 * trunk))
    jolts = [np.abs(np.diff(poses.heads("head"), n=2, axis=0)) for poses in (built.source, result)]
    assert jolts[1].max() < 1.05 * jolts[0].max()
