"""Constraints that would act on top of baked keys, and bakes of rigs with them."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Vector

from blender_bioik.rig.bake.bake import BakeOptions, bake
from blender_bioik.rig.blender import fcurves
from blender_bioik.rig.goals.constraints import acting_constraints, limited_bones, posed_bones

from ...builders.rigs import add_armature, humanoid, key_randomly

OPTIONS = BakeOptions(1, 12)
FRAMES = range(1, 13)
REACHED = 2e-4


def empty(name: str, place: tuple[float, ...] = (0.0, 0.0, 0.0)) -> bpy.types.Object:
    made = bpy.data.objects.new(name, None)
    made.location = place
    bpy.context.scene.collection.objects.link(made)
    return made


def constrain(rig: bpy.types.Object, bone: str, kind: str, **values: Any) -> Any:
    constraint = rig.pose.bones[bone].constraints.new(kind)
    for name, value in values.items():
        setattr(constraint, name, value)
    return constraint


def add_goal(rig: bpy.types.Object, bone: str, point: tuple[float, ...], **values: Any) -> Any:
    rig.bioik.solver.smoothness = 0.0
    goal = rig.bioik.goals.add()
    goal.type, goal.bone, goal.head_tail, goal.point = "POSITION", bone, 1.0, point
    for name, value in values.items():
        setattr(goal, name, value)
    return goal


def tail(rig: bpy.types.Object, bone: str, frame: int) -> Vector:
    """Where Blender has a bone's tail."""
    bpy.context.scene.frame_set(frame)
    posed = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return posed.matrix_world @ posed.pose.bones[bone].tail


def poses(rig: bpy.types.Object, bones: tuple[str, ...]) -> np.ndarray:
    """Blender's matrices of bones over the frames."""
    played = []
    for frame in FRAMES:
        bpy.context.scene.frame_set(frame)
        posed = rig.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones
        played.append([np.array(posed[bone].matrix) for bone in bones])
    return np.array(played)


def keyed_bones(rig: bpy.types.Object) -> set[str]:
    container = fcurves.assigned_container(rig)
    assert container is not None
    return {
        curve.data_path.split('"')[1]
        for curve in container.fcurves
        if any(key.type == "GENERATED" for key in curve.keyframe_points)
    }


# Which constraints


def chain_of_five() -> bpy.types.Object:
    rig = add_armature()
    bpy.ops.object.mode_set(mode="EDIT")
    parent = None
    for i in range(5):
        bone = rig.data.edit_bones.new("abcde"[i])
        bone.head, bone.tail, bone.parent = (0, 0.01 * (i % 2), i), (0, 0.01, i + 1), parent
        parent = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    return rig


@pytest.mark.parametrize("use_tail", [True, False])
@pytest.mark.parametrize("count", [0, 1, 3])
def test_bones_of_an_ik_chain_are_those_that_blender_moves(count: int, use_tail: bool) -> None:
    rig = chain_of_five()
    before = {bone.name: bone.matrix.copy() for bone in rig.pose.bones}
    constraint = constrain(
        rig, "e", "IK", target=empty("Target", (2, 1, 1)), chain_count=count, use_tail=use_tail
    )
    bpy.context.view_layer.update()

    def turn(name: str) -> float:
        """How far the constraint turned a bone against its parent."""
        now, then = (
            bones[name]
            if name == "a"
            else bones["abcde"["abcde".index(name) - 1]].inverted() @ bones[name]
            for bones in ({b.name: b.matrix for b in rig.pose.bones}, before)
        )
        return float((now.inverted() @ then).to_quaternion().angle)

    moved = {name for name in "abcde" if turn(name) > 1e-3}
    assert posed_bones(rig.pose.bones["e"], constraint) == moved


def test_constraints_of_other_bones_are_left_alone() -> None:
    rig = humanoid()
    constrain(rig, "foot.L", "COPY_ROTATION", target=rig)
    constrain(rig, "arm.L", "COPY_ROTATION", target=rig)
    assert acting_constraints(rig, ["arm.L"]) == ((("arm.L", "Copy Rotation"),), {"arm.L"})
    assert acting_constraints(rig, ["head"]) == ((), frozenset())


def test_constraints_that_pose_the_same_bones_go_together() -> None:
    rig = chain_of_five()
    target = empty("Target")
    constrain(rig, "c", "IK", target=target, chain_count=2)
    constrain(rig, "b", "COPY_SCALE", target=target)
    constrain(rig, "e", "COPY_SCALE", target=target)

    released = acting_constraints(rig, ["c"])

    assert set(released.constraints) == {("c", "IK"), ("b", "Copy Scale")}
    assert released.bones == {"b", "c"}


@pytest.mark.parametrize("way", ["now", "muted", "without", "keyed", "driven", "strip", "switched"])
def test_constraints_that_act_only_sometimes(way: str) -> None:
    rig = humanoid()
    constraint = constrain(rig, "arm.L", "COPY_ROTATION", target=rig, name='with "quotes"')
    constraint.influence = 0.0 if way in ("without", "keyed", "driven", "strip") else 1.0
    if way in ("keyed", "strip"):
        constraint.keyframe_insert("influence", frame=1)
    if way == "strip":
        data = rig.animation_data
        action, slot = data.action, fcurves.assigned_slot(rig)
        fcurves.add_strip(data.nla_tracks.new(), "strip", action, slot, 1, 9)
        fcurves.assign_action(rig, None)
    if way == "driven":
        constraint.driver_add("influence")
    constraint.mute = way in ("muted", "switched")
    if way == "switched":
        constraint.keyframe_insert("mute", frame=1)

    acting = way not in ("muted", "without")
    assert bool(acting_constraints(rig, ["arm.L"]).constraints) == acting


def test_limits_stay_unless_they_are_not_to_be_kept_to() -> None:
    rig = humanoid()
    constrain(rig, "arm.L", "LIMIT_ROTATION", owner_space="LOCAL", use_limit_x=True)
    constrain(rig, "head", "LIMIT_ROTATION", owner_space="WORLD", use_limit_x=True)
    faded = constrain(rig, "hips", "LIMIT_LOCATION", owner_space="LOCAL")
    faded.keyframe_insert("influence", frame=1)
    bones = ["arm.L", "head", "hips"]

    assert acting_constraints(rig, bones).bones == {"head", "hips"}
    assert limited_bones(rig, bones) == {"arm.L"}
    assert acting_constraints(rig, bones, use_limits=False).bones == set(bones)


# Bakes


def leg_on_ik(use_tail: bool = True) -> bpy.types.Object:
    """A person whose left foot follows an object by an IK constraint, and who is animated too."""
    rig = humanoid()
    key_randomly(rig, [1, 6, 12], scaled=False)
    target = empty("Foot Target")
    for frame in FRAMES:
        target.location = (0.1, -0.3 + 0.05 * frame, 0.25 + 0.1 * math.sin(0.5 * frame))
        target.keyframe_insert("location", frame=frame)
    owner, count = ("shin.L", 2) if use_tail else ("foot.L", 2)
    constrain(rig, owner, "IK", target=target, chain_count=count, use_tail=use_tail)
    return rig


@pytest.mark.parametrize("use_tail", [True, False])
def test_an_ik_chain_is_keyed_as_seen_and_its_constraint_muted(use_tail: bool) -> None:
    rig = leg_on_ik(use_tail)
    # One goal is about an arm; the other wants the leg where the constraint has it.
    leg = ("hips", "thigh.L", "shin.L", "foot.L")
    seen = poses(rig, leg)
    beside_the_chest = Vector((0.5, 0.45, 0.1))
    hand = add_goal(rig, "forearm.L", beside_the_chest, chain_length=2, target=rig)
    hand.subtarget = "chest"
    foot = add_goal(rig, "shin.L", (0.0, 0.0, 0.0), chain_length=2)
    foot.target = bpy.data.objects["Foot Target"]

    report = bake(bpy.context.scene, rig, OPTIONS)

    (constraint,) = (c for b in rig.pose.bones for c in b.constraints)
    assert constraint.mute
    assert any(' "IK"' in note and "Muted" in note for note in report.notes)
    assert {"thigh.L", "shin.L", "arm.L", "forearm.L"} <= keyed_bones(rig)
    np.testing.assert_allclose(poses(rig, leg), seen, atol=1e-3)
    for frame in FRAMES:
        found = tail(rig, "forearm.L", frame)
        assert (found - rig.pose.bones["chest"].matrix @ beside_the_chest).length < REACHED


def test_a_goal_takes_over_from_an_ik_constraint() -> None:
    rig = leg_on_ik()
    point = (0.15, -0.2, 0.3)
    add_goal(rig, "shin.L", point, chain_length=2)

    bake(bpy.context.scene, rig, OPTIONS)

    assert rig.pose.bones["shin.L"].constraints[0].mute
    worst = max((tail(rig, "shin.L", frame) - Vector(point)).length for frame in FRAMES)
    assert worst < REACHED


@pytest.mark.parametrize("rest_length", [0.5, 0.8])
def test_a_goal_below_a_bone_that_a_constraint_stretches(rest_length: float) -> None:
    """It shears the bones below, which is made up for pass by pass."""
    rig = humanoid()
    key_randomly(rig, [1, 6, 12], scaled=False)
    target = empty("Away")
    target.location = (1.0, 0.0, 1.5)
    constrain(rig, "arm.L", "STRETCH_TO", target=target, rest_length=rest_length)
    point = (0.4, -0.3, 1.3)
    add_goal(rig, "forearm.L", point, chain_length=3)

    bake(bpy.context.scene, rig, OPTIONS)

    worst = max((tail(rig, "forearm.L", frame) - Vector(point)).length for frame in FRAMES)
    assert worst < REACHED


def test_an_influence_that_is_off_now_and_on_later_is_keyed_as_seen() -> None:
    rig = leg_on_ik()
    constraint = rig.pose.bones["shin.L"].constraints[0]
    for frame, value in ((1, 0.0), (4, 0.0), (8, 1.0)):
        constraint.influence = value
        constraint.keyframe_insert("influence", frame=frame)
    bpy.context.scene.frame_set(1)
    assert constraint.influence == 0.0
    add_goal(rig, "shin.L", (0.15, -0.2, 0.3), chain_length=2)

    bake(bpy.context.scene, rig, OPTIONS)

    assert constraint.mute
    for frame in FRAMES:
        assert (tail(rig, "shin.L", frame) - Vector((0.15, -0.2, 0.3))).length < REACHED


def test_constraints_between_a_moving_bone_and_the_goal_are_muted_too() -> None:
    rig = humanoid()
    key_randomly(rig, [1, 6, 12], scaled=False)
    turned = empty("Turned")
    turned.rotation_euler = (0.4, 0.3, 0.2)
    constrain(rig, "forearm.L", "COPY_ROTATION", target=turned)
    add_goal(rig, "forearm.L", (0.3, -0.3, 1.5))
    rig.bioik.solver.scope = "SELECTED"
    bpy.ops.object.mode_set(mode="POSE")
    bpy.ops.pose.select_all(action="DESELECT")
    chosen = [rig.pose.bones[name] for name in ("hips", "chest", "arm.L")]
    for bone in chosen:
        (bone if bpy.app.version >= (5, 0, 0) else bone.bone).select = True

    report = bake(bpy.context.scene, rig, OPTIONS)

    # It cannot be reached everywhere; Blender must play the solved pose.
    assert rig.pose.bones["forearm.L"].constraints[0].mute
    far = [(tail(rig, "forearm.L", frame) - Vector((0.3, -0.3, 1.5))).length for frame in FRAMES]
    assert 1000.0 * max(far) == pytest.approx(report.goals[0].worst, abs=0.1)
    assert 1000.0 * float(np.mean(far)) == pytest.approx(report.goals[0].mean, abs=0.1)


def local_angles(rig: bpy.types.Object, bone: str) -> np.ndarray:
    """Blender's local angles of a bone after its constraints, XYZ."""
    angles = []
    for frame in FRAMES:
        bpy.context.scene.frame_set(frame)
        posed = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
        matrix = posed.convert_space(
            pose_bone=posed.pose.bones[bone],
            matrix=posed.pose.bones[bone].matrix,
            from_space="POSE",
            to_space="LOCAL",
        )
        angles.append(matrix.to_euler("XYZ"))
    return np.array(angles)


def limited_arm(use_limits: bool) -> tuple[bpy.types.Object, Any]:
    """An arm animated far beyond a Limit Rotation constraint, and pulled further by a goal."""
    rig = humanoid()
    bone = rig.pose.bones["arm.L"]
    bone.rotation_mode = "XYZ"
    for frame, angle in ((1, 0.2), (12, 1.2)):
        bone.rotation_euler = (angle, 0.1, 0.0)
        bone.keyframe_insert("rotation_euler", frame=frame)
    limit = constrain(
        rig, "arm.L", "LIMIT_ROTATION", owner_space="LOCAL", use_limit_x=True, use_limit_z=True
    )
    limit.min_x, limit.max_x, limit.min_z, limit.max_z = -0.5, 0.5, -0.3, 0.3
    rig.bioik.solver.use_limits = use_limits
    return rig, limit


def test_limit_constraints_stay_and_are_kept_to() -> None:
    rig, limit = limited_arm(use_limits=True)
    point = tuple(tail(rig, "forearm.L", 1) + Vector((-0.1, -0.1, 0.05)))
    add_goal(rig, "forearm.L", point, chain_length=2)

    report = bake(bpy.context.scene, rig, OPTIONS)

    assert not limit.mute
    assert report.missed == ()
    # The limits change nothing of the keys: the pose is the same without them.
    with_limit = poses(rig, ("arm.L", "forearm.L"))
    angles = local_angles(rig, "arm.L")
    limit.mute = True
    np.testing.assert_allclose(poses(rig, ("arm.L", "forearm.L")), with_limit, atol=1e-5)
    assert np.abs(angles[:, 0]).max() < 0.5 + 1e-4
    assert np.abs(angles[:, 2]).max() < 0.3 + 1e-4
    assert max((tail(rig, "forearm.L", f) - Vector(point)).length for f in FRAMES) < REACHED
    assert not any("widened" in note for note in report.notes)


def test_limit_constraints_are_muted_where_limits_are_not_used() -> None:
    rig, limit = limited_arm(use_limits=False)
    point = (0.35, -0.3, 1.6)
    add_goal(rig, "forearm.L", point, chain_length=2)

    bake(bpy.context.scene, rig, OPTIONS)

    assert limit.mute
    assert max((tail(rig, "forearm.L", f) - Vector(point)).length for f in FRAMES) < REACHED


def test_constraints_stay_on_where_that_is_wanted() -> None:
    rig = leg_on_ik()
    add_goal(rig, "shin.L", (0.15, -0.2, 0.3), chain_length=2)

    report = bake(bpy.context.scene, rig, replace(OPTIONS, mute_constraints=False))

    constraint = rig.pose.bones["shin.L"].constraints[0]
    assert not constraint.mute
    assert any("on top of the keyframes" in note and 'shin.L "IK"' in note for note in report.notes)
    target = bpy.data.objects["Foot Target"]
    for frame in FRAMES:  # Blender's IK has the last word
        found = tail(rig, "shin.L", frame)
        assert (found - target.matrix_world.translation).length < 0.01


def test_a_failed_bake_mutes_nothing() -> None:
    rig = leg_on_ik()
    add_goal(rig, "shin.L", (0.15, -0.2, 0.3), chain_length=2)
    rig.bioik.solver.elites = rig.bioik.solver.population
    with pytest.raises(ValueError, match="elites"):
        bake(bpy.context.scene, rig, OPTIONS)
    assert not rig.pose.bones["shin.L"].constraints[0].mute
