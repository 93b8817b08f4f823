"""Limbs reach alone as far as they can; beyond, the body helps and feet stay in place.

Through operators, on generated characters that walk.

Tests of: body_help, goals_problem, rig.goals.body_help, rig.goals.setup_joints,
rig.source.without_scipy.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

import bpy
import numpy as np
import pytest
from mathutils import Matrix

import zoo
from blender_bioik.rig.live.sessions import live_session
from blender_bioik.rig.transforms import Floats

FRAMES = range(1, 25)
WAY = np.array([0.3, -1.0, -0.2]) / np.linalg.norm([0.3, -1.0, -0.2])
WITHIN, BEYOND = 0.95, 1.3
# Millimetres on a character of 1.6 m.
HELD, REACHED = 0.1, 0.2

Pose = dict[str, Floats]


class Reaching(NamedTuple):
    """A character with a goal for the end of a limb, whose target is so far away.

    Attributes:
        rig: Its armature.
        limb: The bones of the limb, its end first.
        feet: Bones of the other feet.
        target: What the goal follows.
        source: World matrices of the bones before, by frame.
        mm: Millimetres of a character of 1.6 m in a metre of this one.
    """

    rig: bpy.types.Object
    limb: list[str]
    feet: list[str]
    target: bpy.types.Object
    source: list[Pose]
    mm: float

    def baked(self, **how: Any) -> list[Pose]:
        assert bpy.ops.bioik.bake(range="SCENE", **how) == {"FINISHED"}
        return poses(self.rig)

    def missed(self, result: list[Pose]) -> float:
        end, far = self.limb[0], 0.0
        for frame, pose in zip(FRAMES, result, strict=True):
            bpy.context.scene.frame_set(frame)
            place = np.array(self.target.matrix_world.translation)
            far = max(far, float(np.linalg.norm(pose[end][:3, 3] - place)))
        return self.mm * far

    def feet_off(self, result: list[Pose]) -> float:
        moved = [off(a[foot], b[foot]) for a, b in self.pairs(result) for foot in self.feet]
        return self.mm * max(moved)

    def pairs(self, result: list[Pose]) -> list[tuple[Pose, Pose]]:
        return list(zip(self.source, result, strict=True))

    def changed(self, result: list[Pose]) -> set[str]:
        """Bones that are not bit for bit where they were."""
        return {
            name
            for before, after in self.pairs(result)
            for name in before
            if not np.array_equal(before[name], after[name])
        }

    def carried(self) -> set[str]:
        """Bones of the limb, and all below them."""
        limb = set(self.limb)
        return {
            bone.name
            for bone in self.rig.data.bones
            if limb & {bone.name, *(above.name for above in bone.parent_recursive)}
        }


def poses(rig: bpy.types.Object) -> list[Pose]:
    found = []
    for frame in FRAMES:
        bpy.context.scene.frame_set(frame)
        found.append({b.name: np.array(rig.matrix_world @ b.matrix) for b in rig.pose.bones})
    return found


def off(one: Floats, other: Floats) -> float:
    return float(np.linalg.norm(one[:3, 3] - other[:3, 3]))


def reaching(
    character: str, part: str, reach: Callable[[float], float], way: Floats = WAY
) -> Reaching:
    """A goal made by the operator, with its defaults.

    Args:
        character: One of the zoo's.
        part: "hand.L", "head", or the name of a leg.
        reach: How far its target is from where the limb begins, in lengths of the limb, by the
            share of the clip.
        way: Where to.
    """
    built = zoo.build(character, "walk")
    rig, truth, scene = built.armature, built.truth, bpy.context.scene
    scene.frame_start, scene.frame_end = FRAMES[0], FRAMES[-1]
    for other in bpy.context.view_layer.objects:
        other.select_set(other is rig)
    bpy.context.view_layer.objects.active = rig
    source = poses(rig)
    legs = {leg.name: leg for leg in truth.legs}
    if part in legs:
        end, first = legs[part].foot, legs[part].bones[0]
    elif part == "head":
        end, first = truth.slots["head"], truth.neck[0]
    else:
        end, first = truth.slots[part], truth.slots[part.replace("hand", "upper_arm")]
    limb = [end, *(bone.name for bone in rig.data.bones[end].parent_recursive)]
    limb = limb[: limb.index(first) + 1]
    length = sum(off(source[0][a], source[0][b]) for a, b in pairwise(limb))
    target = bpy.data.objects.new("Target", None)
    scene.collection.objects.link(target)
    for number, (frame, pose) in enumerate(zip(FRAMES, source, strict=True)):
        share = number / (len(FRAMES) - 1)
        target.location = pose[first][:3, 3] + length * reach(share) * way
        target.keyframe_insert("location", frame=frame)
    scene.frame_set(FRAMES[0])
    target.select_set(True)
    rig.data.bones.active = rig.data.bones[end]
    bpy.ops.bioik.add_goal(type="POSITION")
    feet = [leg.foot for leg in truth.legs if leg.foot != end]
    return Reaching(rig, limb, feet, target, source, 1600.0 / truth.height)


BIPEDS = ("plain", "mixamo", "bare", "bare_nameless", "lying", "fingers", "ik_legs", "root_motion")
SIZES = ("tiny", "giant", "large_units")
FEET = (("plain", "leg.R"), ("quadruped_nameless", "front.L"), ("centaur", "hind.R"))
PARTS = pytest.mark.parametrize(
    ("character", "part"), [*((one, "hand.L") for one in (*BIPEDS, *SIZES)), *FEET]
)


@PARTS
def test_a_limb_that_reaches_moves_alone(character: str, part: str) -> None:
    made = reaching(character, part, lambda _: WITHIN)
    result = made.baked()
    assert made.missed(result) < REACHED
    assert made.changed(result) <= made.carried()
    assert made.limb[1] in made.changed(result)


@PARTS
def test_beyond_the_body_helps_and_feet_stay(character: str, part: str) -> None:
    made = reaching(character, part, lambda _: BEYOND if part == "hand.L" else 1.1)
    result = made.baked()
    assert made.missed(result) < REACHED
    assert made.feet_off(result) < HELD
    assert made.changed(result) - made.carried()


def test_a_target_out_of_all_reach_does_not_pull_at_the_feet() -> None:
    made = reaching("plain", "hand.L", lambda _: 12.0)
    result = made.baked()
    assert made.missed(result) > 1000.0
    assert made.feet_off(result) < HELD
    # It leans towards it as far as a body does, and does not fall over.
    hips = made.rig.data.bones[made.feet[0]].parent_recursive[2].name
    assert max(made.mm * off(a[hips], b[hips]) for a, b in made.pairs(result)) < 600.0


def test_the_head_bends_its_neck_and_the_spine_follows() -> None:
    made = reaching("plain", "head", lambda _: 1.2, way=np.array([0.0, -0.5, 0.866]))
    result = made.baked()
    assert made.missed(result) < REACHED
    assert made.feet_off(result) < HELD


def test_the_body_begins_to_help_smoothly() -> None:
    made = reaching("plain", "hand.L", lambda share: 0.6 + 0.8 * share)
    result = made.baked()
    chest = made.rig.data.bones[made.limb[-1]].parent.name
    moved = np.array([made.mm * off(a[chest], b[chest]) for a, b in made.pairs(result)])
    assert moved[: len(moved) // 4].max() < 0.5  # it does not help before it has to
    assert moved[-1] > 50.0
    # No frame in which it starts at full speed, and none in which it goes back much.
    speed = np.diff(moved)
    assert np.abs(np.diff(speed)).max() < 0.5 * speed.max()
    assert speed.min() > -0.1 * speed.max()


@pytest.mark.parametrize(
    ("character", "part", "kind"),
    [
        ("plain", "pelvis", "POSITION"),
        ("plain", "pelvis", "ORIENTATION"),
        ("quadruped", "chest", "POSITION"),  # it carries the front legs
    ],
)
def test_what_carries_legs_moves_over_feet_that_stay(character: str, part: str, kind: str) -> None:
    built = zoo.build(character, "walk")
    rig, truth, scene = built.armature, built.truth, bpy.context.scene
    bpy.context.view_layer.objects.active = rig
    bone = truth.slots["pelvis"] if part == "pelvis" else truth.spine[-1]
    source, mm = poses(rig), 1600.0 / truth.height
    target = bpy.data.objects.new("Target", None)
    scene.collection.objects.link(target)
    for frame, pose in zip(FRAMES, source, strict=True):
        turned = Matrix(pose[bone].tolist()) @ Matrix.Rotation(0.2, 4, "Y")
        target.matrix_world = Matrix.Translation((0.03, 0.0, -0.06)) @ turned
        target.keyframe_insert("location", frame=frame)
        target.keyframe_insert("rotation_euler", frame=frame)
    goal = rig.bioik.goals.add()
    goal.type, goal.bone, goal.target = kind, bone, target
    goal.tolerance, goal.tolerance_angle = 1e-3, 0.01
    ends = FRAMES[0], FRAMES[-1]
    assert bpy.ops.bioik.bake(range="CUSTOM", frame_start=ends[0], frame_end=ends[1]) == {
        "FINISHED"
    }
    result = poses(rig)
    pairs = list(zip(source, result, strict=True))
    assert mm * max(off(a[leg.foot], b[leg.foot]) for a, b in pairs for leg in truth.legs) < HELD
    assert max(np.abs(a[bone] - b[bone]).max() for a, b in pairs) > 0.05


def test_what_the_animator_sets_wins() -> None:
    made = reaching("plain", "hand.L", lambda _: BEYOND)
    goal = made.rig.bioik.goals[0]
    assert goal.chain == "AUTO"
    goal.chain_length = 2
    assert goal.chain == "LENGTH"
    assert made.changed(made.baked()) <= made.carried()
    goal.chain = "AUTO"
    assert not goal.is_property_set("chain_length")
    goal.chain = "LENGTH"
    assert goal.chain_length == 0  # up to the root
    made.rig.bioik.solver.move_root = True
    goal.chain = "AUTO"
    result = made.baked()
    assert made.feet_off(result) > 10.0  # the root moves, with all that hangs on it


def test_old_files_keep_the_chains_that_they_have() -> None:
    """A chain of zero bones that was set, in a file or by a script, goes up to the root."""
    made = reaching("plain", "hand.L", lambda _: WITHIN)
    made.rig.bioik.goals[0].chain_length = 0
    assert made.changed(made.baked()) - made.carried()


def test_bones_that_constraints_pose_do_not_help() -> None:
    made = reaching("plain", "hand.L", lambda _: BEYOND)
    spine = made.rig.data.bones[made.limb[-1]].parent_recursive[1]
    limit = made.rig.pose.bones[spine.name].constraints.new("LIMIT_ROTATION")
    limit.owner_space = "LOCAL"
    result = made.baked()
    assert not limit.mute
    for before, after in made.pairs(result):
        own = [np.linalg.inv(p[spine.parent.name]) @ p[spine.name] for p in (before, after)]
        np.testing.assert_allclose(own[0], own[1], atol=1e-5)
    assert made.changed(result) - made.carried()
    assert made.feet_off(result) < HELD


def test_live_is_the_same() -> None:
    made = reaching("plain", "hand.L", lambda _: WITHIN)
    made.target.animation_data_clear()
    before = made.source[0]
    shoulder = before[made.limb[-1]][:3, 3]
    length = sum(off(before[a], before[b]) for a, b in pairwise(made.limb))
    assert bpy.ops.bioik.toggle_live() == {"FINISHED"}
    helped = []
    for reach in (0.5, 0.9, 0.99, 1.01, 1.05, 1.2, 1.05, 0.99, 0.5):
        made.target.location = shoulder + length * reach * WAY
        bpy.context.view_layer.update()
        session = live_session(made.rig)
        assert session is not None
        assert session.problem == ""
        now = {b.name: np.array(made.rig.matrix_world @ b.matrix) for b in made.rig.pose.bones}
        place = np.array(made.target.matrix_world.translation)
        assert made.mm * np.linalg.norm(now[made.limb[0]][:3, 3] - place) < REACHED
        assert made.mm * max(off(before[foot], now[foot]) for foot in made.feet) < HELD
        outside = now.keys() - made.carried()
        helped.append(max(made.mm * off(before[bone], now[bone]) for bone in outside))
    assert bpy.ops.bioik.toggle_live() == {"FINISHED"}
    np.testing.assert_array_equal(np.array(helped)[[0, 1, 2, 7, 8]], 0.0)
    assert 0.0 < helped[3] < helped[4] < helped[5]
    assert helped[3] < 20.0  # it begins where the arm ends


def test_solutions_have_the_body_where_limbs_do_not_reach() -> None:
    made = reaching("plain", "hand.L", lambda _: BEYOND)
    bpy.context.scene.frame_set(FRAMES[0])
    assert bpy.ops.bioik.browse_solutions(count=2, key=False) == {"FINISHED"}
    rig, before = made.rig, made.source[0]
    now = {b.name: np.array(rig.matrix_world @ b.matrix) for b in rig.pose.bones}
    place = np.array(made.target.matrix_world.translation)
    assert made.mm * np.linalg.norm(now[made.limb[0]][:3, 3] - place) < REACHED
    assert made.mm * max(off(before[foot], now[foot]) for foot in made.feet) < 1.0


def test_baking_again_gives_the_same_bits() -> None:
    results = []
    for _ in range(2):
        bpy.ops.wm.read_factory_settings(use_empty=True)
        made = reaching("plain", "hand.L", lambda _: BEYOND)
        results.append(made.baked())
    for one, other in zip(*results, strict=True):
        for name in one:
            np.testing.assert_array_equal(one[name], other[name])
