"""Constraints read as goals, against Blender's evaluation of the constraints.

Tests of: constraint_kinds.
"""

from __future__ import annotations

import math
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from blender_bioik.properties.goal import BioIKGoal
from blender_bioik.rig.bake.bake import BakeOptions, bake
from blender_bioik.rig.goals.constraint_goals import (
    GOAL_DEFAULTS,
    ConstraintGoal,
    constraint_goals,
    followed_influence,
)
from blender_bioik.rig.report.report import BakeReport
from blender_bioik.rig.transforms import Floats

from ...builders.rigs import add_armature, humanoid

HEIGHT = 1.8
CLOSE = 1e-4 * HEIGHT
FRAMES = (1, 4, 7)
# How far down the test's own goal takes the hips, metres.
DOWN = 0.12


def person() -> bpy.types.Object:
    """The humanoid with hands, one connected and one not, and turned in its first frames."""
    rig = humanoid()
    bpy.ops.object.mode_set(mode="EDIT")
    for side, x in (("L", 1.0), ("R", -1.0)):
        hand = rig.data.edit_bones.new(f"hand.{side}")
        hand.head, hand.tail = (0.7 * x, -0.02, 1.45), (0.85 * x, -0.02, 1.45)
        hand.parent = rig.data.edit_bones[f"forearm.{side}"]
        hand.use_connect = side == "R"
    bpy.ops.object.mode_set(mode="OBJECT")
    rig.location, rig.rotation_euler = (0.3, -0.2, 0.1), (0.0, 0.0, 0.4)
    for frame, turn in zip(FRAMES, (0.0, 0.2, -0.1), strict=True):
        for name in ("hips", "chest", "arm.L", "arm.R"):
            bone = rig.pose.bones[name]
            bone.rotation_mode = "XYZ"
            bone.rotation_euler = (turn, 0.5 * turn, -turn)
            bone.keyframe_insert("rotation_euler", frame=frame)
    bpy.context.view_layer.update()
    return rig


def empty(name: str, rig: bpy.types.Object, *places: tuple[float, ...]) -> bpy.types.Object:
    """A turned empty, keyed at places of the rig's own space, one for each of the frames."""
    made = bpy.data.objects.new(name, None)
    bpy.context.scene.collection.objects.link(made)
    for frame, place in zip(FRAMES, places, strict=False):
        made.location = rig.matrix_world @ Matrix.Translation(place).translation
        made.rotation_euler = (0.3, 0.2 + 0.05 * frame, -0.4)
        made.keyframe_insert("location", frame=frame)
        made.keyframe_insert("rotation_euler", frame=frame)
    return made


FOOT_PLACES = ((0.15, -0.1, 0.15), (0.12, -0.25, 0.2), (0.1, 0.1, 0.12))
POLE_PLACES = ((0.3, -1.5, 0.6), (0.1, -1.5, 0.5), (-0.1, -1.5, 0.6))
LOOK_PLACES = ((0.5, -2.0, 1.5), (0.2, -2.0, 1.9), (-0.6, -2.0, 1.4))
HAND_PLACES = ((0.45, -0.3, 1.3), (0.5, -0.25, 1.4), (0.4, -0.35, 1.25))


def constrain(rig: bpy.types.Object, bone: str, kind: str, **settings: Any) -> bpy.types.Constraint:
    constraint = rig.pose.bones[bone].constraints.new(kind)
    for name, value in settings.items():
        setattr(constraint, name, value)
    bpy.context.view_layer.update()
    return constraint


def straight_pole_angle(rig: bpy.types.Object, lower: str) -> float:
    """The pole angle at which the limb bends towards its pole, from its rest pose."""
    lower_bone = rig.data.bones[lower]
    upper = lower_bone.parent
    along = (lower_bone.tail_local - upper.head_local).normalized()
    axes = upper.matrix_local.to_3x3()
    bend = lower_bone.head_local - upper.head_local
    bend -= along * bend.dot(along)
    # Both axes are seen along the limb; the wanted side is the mix of them that is the bend.
    x, z = (axis - along * axis.dot(along) for axis in (axes.col[0], axes.col[2]))
    mix = np.linalg.lstsq(np.array([x, z]).T, np.array(bend), rcond=None)[0]
    return math.atan2(mix[1], mix[0])


def leg_ik(rig: bpy.types.Object) -> bpy.types.Constraint:
    return constrain(
        rig,
        "shin.L",
        "IK",
        target=empty("ankle", rig, *FOOT_PLACES),
        pole_target=empty("knee", rig, *POLE_PLACES),
        pole_angle=straight_pole_angle(rig, "shin.L"),
        chain_count=2,
    )


def poses(rig: bpy.types.Object, *bones: str) -> Floats:
    """Blender's world matrices of bones in each of the frames; (bones, f, 4, 4)."""
    scene = bpy.context.scene
    found = np.empty((len(bones), len(FRAMES), 4, 4))
    for f, frame in enumerate(FRAMES):
        scene.frame_set(frame)
        evaluated = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
        for b, bone in enumerate(bones):
            found[b, f] = evaluated.matrix_world @ evaluated.pose.bones[bone].matrix
    return found


def tails(rig: bpy.types.Object, bone: str, matrices: Floats) -> Floats:
    return np.asarray(matrices[:, :3, 3] + matrices[:, :3, 1] * rig.data.bones[bone].length)


def target_matrices(target: bpy.types.Object) -> Floats:
    found = []
    for frame in FRAMES:
        bpy.context.scene.frame_set(frame)
        found.append(np.array(target.matrix_world))
    return np.array(found)


def bend_beside_pole(rig: bpy.types.Object, upper: str, lower: str) -> float:
    """The largest angle about a limb between its bend and its pole target, degrees."""
    first, second = poses(rig, upper, lower)
    root, knee, tip = first[:, :3, 3], second[:, :3, 3], tails(rig, lower, second)
    along = (tip - root) / np.linalg.norm(tip - root, axis=-1, keepdims=True)
    pole = target_matrices(bpy.data.objects["knee"])[:, :3, 3]
    sides = []
    for point in (knee, pole):
        side = point - root - along * np.sum((point - root) * along, axis=-1, keepdims=True)
        sides.append(side / np.linalg.norm(side, axis=-1, keepdims=True))
    cosine = np.clip(np.sum(sides[0] * sides[1], axis=-1), -1.0, 1.0)
    return float(np.degrees(np.arccos(cosine)).max())


def lower_the_hips(rig: bpy.types.Object) -> None:
    """A goal that takes the hips down, and the whole body with them."""
    x, y, z = rig.matrix_world @ rig.data.bones["hips"].head_local
    goal = rig.bioik.goals.add()
    goal.name, goal.type, goal.bone, goal.chain_length = "hips", "POSITION", "hips", 1
    goal.point = (x, y, z - DOWN)
    rig.bioik.solver.move_root = True


def bake_all(rig: bpy.types.Object) -> BakeReport:
    return bake(bpy.context.scene, rig, BakeOptions(FRAMES[0], FRAMES[-1], 3))


def bake_as_goals(rig: bpy.types.Object) -> BakeReport:
    rig.bioik.solver.read_constraints = True
    return bake_all(rig)


def change_by_unmuting(rig: bpy.types.Object, owner: str, name: str, *bones: str) -> float:
    """How far Blender's constraint would still move bones: heads and tips of axes, metres."""
    constraint = rig.pose.bones[owner].constraints[name]
    assert constraint.mute
    baked = poses(rig, *bones)
    constraint.mute = False
    again = poses(rig, *bones)
    constraint.mute = True
    lengths = np.array([rig.data.bones[bone].length for bone in bones])[:, None, None, None]
    heads = np.abs(baked[..., :3, 3] - again[..., :3, 3]).max()
    axes = np.abs((baked - again)[..., :3, :3] * lengths).max()
    return float(max(heads, axes))


def test_constraint_goals_have_every_property_of_goals_with_its_default() -> None:
    real = add_armature().bioik.goals.add()
    real.chain = "LENGTH"  # constraints have chains of their own
    read = ConstraintGoal("bone", "IK", True, {})
    names = {p.identifier for p in BioIKGoal.bl_rna.properties} - {"rna_type"}
    assert set(GOAL_DEFAULTS) == names
    for name in names:
        value, wanted = getattr(read, name), getattr(real, name)
        if hasattr(wanted, "__len__") and not isinstance(wanted, str):
            value, wanted = tuple(value), tuple(wanted)
        assert value == pytest.approx(wanted), name
    methods = {name for name, value in vars(BioIKGoal).items() if isinstance(value, property)}
    for name in methods:
        assert getattr(read, name) == getattr(real, name), name


def test_properties_that_goals_do_not_have_are_refused() -> None:
    with pytest.raises(TypeError, match="Goals have no colour"):
        ConstraintGoal("bone", "IK", True, {"colour": 1})


def test_leg_ik_with_a_pole_holds_the_foot_and_the_knee_while_the_hips_sink() -> None:
    rig = person()
    constraint = leg_ik(rig)
    assert bend_beside_pole(rig, "thigh.L", "shin.L") < 0.01
    lower_the_hips(rig)
    source = poses(rig, "shin.L", "hips")
    wanted = tails(rig, "shin.L", source[0])
    report = bake_as_goals(rig)
    baked = poses(rig, "shin.L", "hips")
    assert (source[1] - baked[1])[:, 2, 3].min() > 0.5 * DOWN
    assert constraint.mute
    assert np.abs(tails(rig, "shin.L", baked[0]) - wanted).max() < CLOSE
    assert bend_beside_pole(rig, "thigh.L", "shin.L") < 0.2
    assert not report.missed
    assert any('shin.L "IK"' in note for note in report.notes)


def test_without_reading_constraints_the_foot_sinks_with_the_hips() -> None:
    rig = person()
    leg_ik(rig)
    lower_the_hips(rig)
    goal = rig.bioik.goals.add()  # moves the leg, so that its constraint is released
    goal.type, goal.bone, goal.chain_length = "DIRECTION", "thigh.L", 1
    goal.direction, goal.weight = (0.0, -1.0, 0.0), 1e-6
    wanted = tails(rig, "shin.L", poses(rig, "shin.L")[0])
    bake_all(rig)
    assert np.abs(tails(rig, "shin.L", poses(rig, "shin.L")[0]) - wanted).max() > 0.3 * DOWN


@pytest.mark.parametrize("track_axis", ["TRACK_Y", "TRACK_NEGATIVE_Z", "TRACK_X"])
@pytest.mark.parametrize("kind", ["DAMPED_TRACK", "TRACK_TO"])
def test_head_goes_on_looking_while_the_hips_sink(kind: str, track_axis: str) -> None:
    rig = person()
    settings = {"up_axis": "UP_X" if track_axis != "TRACK_X" else "UP_Y"}
    target = empty("look", rig, *LOOK_PLACES)
    constraint = constrain(
        rig,
        "head",
        kind,
        target=target,
        track_axis=track_axis,
        **(settings if kind == "TRACK_TO" else {}),
    )
    lower_the_hips(rig)
    assert not bake_as_goals(rig).missed
    assert constraint.mute
    (head,) = poses(rig, "head")
    line = target_matrices(target)[:, :3, 3] - head[:, :3, 3]
    line /= np.linalg.norm(line, axis=-1, keepdims=True)
    axis = head[:, :3, "XYZ".index(track_axis[-1])] * (-1.0 if "NEGATIVE" in track_axis else 1.0)
    assert np.degrees(np.arccos(np.clip(np.sum(line * axis, axis=-1), -1.0, 1.0))).max() < 0.06
    if kind == "DAMPED_TRACK":
        assert change_by_unmuting(rig, "head", constraint.name, "head") < CLOSE


@pytest.mark.parametrize("kind", ["COPY_LOCATION", "COPY_TRANSFORMS"])
def test_hand_stays_at_its_target_while_the_hips_sink(kind: str) -> None:
    rig, hand = person(), "hand.L"
    target = empty("grip", rig, *HAND_PLACES)
    constraint = constrain(rig, hand, kind, target=target)
    lower_the_hips(rig)
    assert not bake_as_goals(rig).missed
    assert constraint.mute
    (baked,) = poses(rig, hand)
    wanted = target_matrices(target)
    assert np.abs(baked[:, :3, 3] - wanted[:, :3, 3]).max() < CLOSE
    if kind == "COPY_TRANSFORMS":
        assert np.abs(baked[:, :3, :3] - wanted[:, :3, :3]).max() < 2e-3
        assert change_by_unmuting(rig, hand, constraint.name, hand) < 2 * CLOSE


@pytest.mark.parametrize(
    ("kind", "types"),
    [("COPY_LOCATION", []), ("LIMIT_DISTANCE", []), ("COPY_TRANSFORMS", ["ORIENTATION"])],
)
def test_place_of_a_connected_bone_is_listed_because_blender_does_not_move_it(
    kind: str, types: list[str]
) -> None:
    rig = person()
    before = poses(rig, "hand.R")
    constrain(rig, "hand.R", kind, target=empty("grip", rig, *HAND_PLACES))
    assert np.abs(poses(rig, "hand.R")[..., 3] - before[..., 3]).max() < 1e-6
    goals, unsupported = constraint_goals(rig)
    assert [goal.type for goal in goals] == types
    (missing,) = unsupported
    assert "connected to its parent" in missing.reason


def test_copied_rotation_is_kept_while_the_hips_sink() -> None:
    rig = person()
    constraint = constrain(rig, "foot.L", "COPY_ROTATION", target=empty("turn", rig, *FOOT_PLACES))
    lower_the_hips(rig)
    assert not bake_as_goals(rig).missed
    assert change_by_unmuting(rig, "foot.L", constraint.name, "foot.L") < CLOSE


@pytest.mark.parametrize(
    ("mode", "distance"),
    [
        ("LIMITDIST_INSIDE", 0.5),
        ("LIMITDIST_OUTSIDE", 0.3),
        ("LIMITDIST_ONSURFACE", 0.4),
    ],
)
def test_distance_is_limited_while_the_hips_sink(mode: str, distance: float) -> None:
    rig = person()
    target = empty("ball", rig, *HAND_PLACES)
    constraint = constrain(
        rig, "hand.L", "LIMIT_DISTANCE", target=target, distance=distance, limit_mode=mode
    )
    lower_the_hips(rig)
    bake_as_goals(rig)
    assert change_by_unmuting(rig, "hand.L", constraint.name, "hand.L") < 5 * CLOSE


@pytest.mark.parametrize("lock_axis", ["LOCK_X", "LOCK_Y", "LOCK_Z"])
@pytest.mark.parametrize("track_axis", ["TRACK_Y", "TRACK_NEGATIVE_Z", "TRACK_X"])
def test_head_goes_on_turning_about_one_axis_while_the_hips_sink(
    track_axis: str, lock_axis: str
) -> None:
    if track_axis[-1] == lock_axis[-1]:
        pytest.skip("no axis turns about itself")
    rig = person()
    constraint = constrain(
        rig,
        "head",
        "LOCKED_TRACK",
        target=empty("look", rig, *LOOK_PLACES),
        track_axis=track_axis,
        lock_axis=lock_axis,
    )
    lower_the_hips(rig)
    assert not bake_as_goals(rig).missed
    assert change_by_unmuting(rig, "head", constraint.name, "head") < CLOSE


def test_locked_track_as_a_goal_of_the_armature_turns_as_blender_does() -> None:
    rig = person()
    target = empty("look", rig, *LOOK_PLACES)
    constrain(rig, "head", "LOCKED_TRACK", target=target, track_axis="TRACK_X", lock_axis="LOCK_Y")
    wanted = poses(rig, "head")
    as_goals_of_the_armature(rig)
    assert np.abs(poses(rig, "head") - wanted).max() > 0.3
    assert not bake_all(rig).missed
    assert np.abs(poses(rig, "head") - wanted).max() < 2e-3


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("side", ["FLOOR_Z", "FLOOR_NEGATIVE_Y", "FLOOR_X"])
@pytest.mark.parametrize("offset", [0.05, -0.1])
def test_floor_holds_the_hand_up_but_lets_it_go_up(side: str, offset: float, turned: bool) -> None:
    rig = person()
    target = empty("floor", rig, *HAND_PLACES)
    settings = {"floor_location": side, "offset": offset, "use_rotation": turned}
    constraint = constrain(rig, "hand.L", "FLOOR", target=target, **settings)
    ((goal,), _) = constraint_goals(rig)
    wanted = poses(rig, "hand.L")
    lower_the_hips(rig)
    assert not bake_as_goals(rig).missed
    assert constraint.mute
    assert change_by_unmuting(rig, "hand.L", constraint.name, "hand.L") < 2 * CLOSE
    axes, place = target_matrices(target)[:, :3, :3], target_matrices(target)[:, :3, 3]
    if not turned:
        axes = np.tile(np.eye(3), (len(FRAMES), 1, 1))
    up = axes @ np.array(goal.direction)
    plane = place + axes @ np.array(goal.point)
    before, after = (
        np.sum((pose[:, :3, 3] - plane) * up, axis=-1)
        for pose in (wanted[0], poses(rig, "hand.L")[0])
    )
    assert after.min() > -2 * CLOSE
    # Where it is far above, the floor pulls at nothing: the hand moves with the body only.
    assert (np.abs(before - after)[before > 2 * DOWN] < 1.2 * DOWN).all()


def as_goals_of_the_armature(rig: bpy.types.Object) -> None:
    """The operator, and then every constraint muted by hand: nothing but goals is left."""
    assert bpy.ops.bioik.goals_from_constraints() == {"FINISHED"}
    for bone in rig.pose.bones:
        for constraint in bone.constraints:
            assert not constraint.mute
            constraint.mute = True


def test_goals_added_from_constraints_bring_bones_where_blender_does() -> None:
    rig = person()
    leg_ik(rig)
    constrain(rig, "head", "DAMPED_TRACK", target=empty("look", rig, *LOOK_PLACES))
    constrain(rig, "hand.L", "COPY_TRANSFORMS", target=empty("grip", rig, *HAND_PLACES))
    wanted = poses(rig, "shin.L", "thigh.L", "head", "hand.L")
    as_goals_of_the_armature(rig)
    assert np.abs(poses(rig, "shin.L")[0] - wanted[0]).max() > 0.05
    report = bake_all(rig)
    assert not report.missed
    baked = poses(rig, "shin.L", "thigh.L", "head", "hand.L")
    assert np.abs(tails(rig, "shin.L", baked[0]) - tails(rig, "shin.L", wanted[0])).max() < CLOSE
    assert bend_beside_pole(rig, "thigh.L", "shin.L") < 0.5  # a preference among others
    assert np.abs(baked[3][:, :3, 3] - wanted[3][:, :3, 3]).max() < CLOSE
    assert np.abs(baked[3][:, :3, :3] - wanted[3][:, :3, :3]).max() < 2e-3
    look = target_matrices(bpy.data.objects["look"])[:, :3, 3] - baked[2][:, :3, 3]
    look /= np.linalg.norm(look, axis=-1, keepdims=True)
    assert np.abs(baked[2][:, :3, 1] - look).max() < 1e-3


def test_operator_adds_each_goal_once_and_reports_the_rest() -> None:
    rig = person()
    leg_ik(rig)
    constrain(rig, "head", "CHILD_OF", target=bpy.data.objects["ankle"])
    assert bpy.ops.bioik.goals_from_constraints() == {"FINISHED"}
    assert [goal.type for goal in rig.bioik.goals] == ["POSITION", "POLE"]
    assert bpy.ops.bioik.goals_from_constraints() == {"CANCELLED"}
    assert len(rig.bioik.goals) == 2


def test_operator_needs_a_constraint() -> None:
    person()
    assert not bpy.ops.bioik.goals_from_constraints.poll()


def read_one(kind: str, bone: str = "hand.L", **settings: Any) -> tuple[list[Any], list[str]]:
    """Goals of a constraint and the reasons why others are missing."""
    rig = person()
    settings = {"target": empty("aim", rig, HAND_PLACES[0]), **settings}
    if kind not in WITHOUT_TARGET:
        constrain(rig, bone, kind, **settings)
    else:
        constrain(rig, bone, kind, **{k: v for k, v in settings.items() if k != "target"})
    goals, unsupported = constraint_goals(rig)
    for missing in unsupported:
        assert missing.bone == bone
        assert missing.constraint == rig.pose.bones[bone].constraints[0].name
    return goals, [missing.reason for missing in unsupported]


WITHOUT_TARGET = ("ARMATURE", "TRANSFORM_CACHE", "LIMIT_SCALE", "MAINTAIN_VOLUME", "CAMERA_SOLVER")


@pytest.mark.parametrize(
    ("kind", "settings", "reason"),
    [
        ("CHILD_OF", {}, "no goal type for Child Of"),
        ("ARMATURE", {}, "no goal type for Armature"),
        ("STRETCH_TO", {}, "no goal type for Stretch To"),
        ("ACTION", {}, "no goal type for Action"),
        ("TRANSFORM", {}, "no goal type for Transformation"),
        ("SPLINE_IK", {"target": None}, "no goal type for Spline IK"),
        ("COPY_SCALE", {}, "no goal type for Copy Scale"),
        ("SHRINKWRAP", {"target": None}, "no goal type for Shrinkwrap"),
        ("FLOOR", {"influence": 0.5}, "its influence is not 1"),
        ("FLOOR", {"owner_space": "LOCAL"}, "its owner space is Local Space"),
        (
            "LOCKED_TRACK",
            {"track_axis": "TRACK_NEGATIVE_Z", "lock_axis": "LOCK_Z"},
            "its track axis is its locked axis",
        ),
        ("TRACK_TO", {"track_axis": "TRACK_Y", "up_axis": "UP_Y"}, "its track axis is its up"),
        ("COPY_LOCATION", {"target": None}, "it has no target"),
        ("COPY_LOCATION", {"use_x": False}, "only some axes"),
        ("COPY_LOCATION", {"invert_y": True}, "inverts axes"),
        ("COPY_LOCATION", {"use_offset": True}, "offset"),
        ("COPY_LOCATION", {"owner_space": "LOCAL"}, "its owner space is Local Space"),
        ("COPY_LOCATION", {"target_space": "LOCAL"}, "its target space is Local Space"),
        ("COPY_ROTATION", {"use_z": False}, "only some axes"),
        ("COPY_ROTATION", {"mix_mode": "ADD"}, "its mix mode is Add"),
        ("COPY_TRANSFORMS", {"mix_mode": "BEFORE"}, "its mix mode is Before"),
        (
            "LIMIT_DISTANCE",
            {"distance": 1.0, "limit_mode": "LIMITDIST_OUTSIDE", "influence": 0.5},
            "its influence is not 1",
        ),
        ("IK", {"use_location": False}, "neither location nor rotation"),
    ],
)
def test_constraints_without_a_goal_type_are_listed(
    kind: str, settings: dict[str, Any], reason: str
) -> None:
    goals, reasons = read_one(kind, **settings)
    assert not goals
    (given,) = reasons
    assert reason in given


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"ik_type": "DISTANCE"}, "its iTaSC type is Distance"),
        ({"lock_location_y": False}, "it follows only some axes"),
        ({"lock_location_y": False, "use_location": False, "use_rotation": True}, ""),
    ],
)
def test_itasc_is_read_only_if_it_copies_all_axes(settings: dict[str, Any], reason: str) -> None:
    rig = person()
    rig.pose.ik_solver = "ITASC"
    constrain(rig, "hand.L", "IK", target=empty("grip", rig, *HAND_PLACES), **settings)

    goals, unsupported = constraint_goals(rig)

    assert len(goals) == (not reason)
    assert len(unsupported) == (reason != "")
    assert all(reason in missing.reason for missing in unsupported)


def test_ik_of_a_bone_without_a_parent_has_no_chain_to_move() -> None:
    rig = person()
    constrain(rig, "hips", "IK", target=empty("grip", rig, *HAND_PLACES), use_tail=False)

    goals, (missing,) = constraint_goals(rig)

    assert not goals
    assert missing.reason == "the bone has no parent to move"


def test_the_goal_of_a_stretching_chain_is_read_with_a_note() -> None:
    rig = person()
    rig.pose.bones["forearm.L"].ik_stretch = 0.3
    constrain(rig, "hand.L", "IK", target=empty("grip", rig, *HAND_PLACES), chain_count=3)

    (goal,), (missing,) = constraint_goals(rig)

    assert (goal.type, goal.chain_length) == ("POSITION", 3)
    assert missing.reason == "its chain stretches, but goals keep the animated lengths of bones"


def test_the_pole_of_a_straight_limb_is_not_read() -> None:
    rig = person()
    bpy.ops.object.mode_set(mode="EDIT")
    bones = rig.data.edit_bones
    knee = bones["thigh.L"].head.lerp(bones["shin.L"].tail, 0.5)
    bones["thigh.L"].tail = bones["shin.L"].head = knee
    bpy.ops.object.mode_set(mode="OBJECT")
    leg_ik(rig)

    goals, (missing,) = constraint_goals(rig)

    assert "POLE" not in [goal.type for goal in goals]
    assert "the limb is straight at rest" in missing.reason


def test_vertex_groups_and_bendy_bones_cannot_be_followed() -> None:
    rig = person()
    mesh = bpy.data.objects.new("Skin", bpy.data.meshes.new("Skin"))
    bpy.context.scene.collection.objects.link(mesh)
    mesh.vertex_groups.new(name="Tip")
    constrain(rig, "hand.L", "COPY_LOCATION", target=mesh, subtarget="Tip")
    other = bpy.data.objects.new("Other", rig.data.copy())
    bpy.context.scene.collection.objects.link(other)
    other.data.bones["head"].bbone_segments = 4
    bend = {"subtarget": "head", "head_tail": 0.5, "use_bbone_shape": True}
    constrain(rig, "foot.L", "DAMPED_TRACK", target=other, **bend)

    goals, unsupported = constraint_goals(rig)

    assert not goals
    assert {missing.bone: missing.reason for missing in unsupported} == {
        "hand.L": (
            'its target is the vertex group "Tip", and only objects and bones can be followed'
        ),
        "foot.L": 'it follows the curve of the bendy bone "head"',
    }


@pytest.mark.parametrize(
    "settings", [{"mute": True}, {"influence": 0.0}], ids=["muted", "no influence"]
)
def test_constraints_that_do_nothing_are_neither_read_nor_listed(settings: dict[str, Any]) -> None:
    assert read_one("COPY_LOCATION", **settings) == ([], [])


def test_limits_are_no_business_of_goals() -> None:
    rig = person()
    constrain(rig, "head", "LIMIT_ROTATION", use_limit_x=True)
    assert constraint_goals(rig) == ([], [])


def test_up_axis_of_track_to_is_listed_beside_its_goal() -> None:
    goals, reasons = read_one("TRACK_TO", track_axis="TRACK_NEGATIVE_Z", up_axis="UP_Y")
    (goal,) = goals
    assert (goal.type, tuple(goal.axis), goal.chain_length) == ("LOOK_AT", (0, 0, -1), 1)
    assert "up axis Y" in reasons[0]


def test_ik_of_the_bone_above_and_its_rotation() -> None:
    goals, reasons = read_one("IK", use_tail=False, use_rotation=True, chain_count=2, weight=0.5)
    assert not reasons
    assert [(g.type, g.bone, g.chain_length) for g in goals] == [
        ("POSITION", "forearm.L", 2),
        ("ORIENTATION", "forearm.L", 2),
    ]
    assert (goals[0].head_tail, goals[0].weight) == (1.0, 0.5)


def test_distance_that_blender_has_not_measured_yet_is_listed() -> None:
    rig = person()
    constraint = rig.pose.bones["hand.L"].constraints.new("LIMIT_DISTANCE")
    constraint.target = empty("aim", rig, HAND_PLACES[0])
    goals, unsupported = constraint_goals(rig)
    assert not goals
    assert unsupported[0].reason == "its distance is not set"


def test_vertex_groups_are_listed() -> None:
    cube = bpy.data.objects.new("cube", bpy.data.meshes.new("cube"))
    bpy.context.scene.collection.objects.link(cube)
    cube.vertex_groups.new(name="corner")
    goals, reasons = read_one("COPY_LOCATION", target=cube, subtarget="corner")
    assert not goals
    assert 'vertex group "corner"' in reasons[0]


def test_pole_beside_the_bend_is_listed_with_its_angle() -> None:
    rig = person()
    leg_ik(rig).pole_angle += math.radians(30.0)
    goals, unsupported = constraint_goals(rig)
    assert [goal.type for goal in goals] == ["POSITION"]
    (missing,) = unsupported
    assert missing.reason.startswith("its pole angle bends the limb 30 degrees")


def test_pole_of_a_long_chain_is_listed() -> None:
    rig = person()
    leg_ik(rig).chain_count = 3
    goals, unsupported = constraint_goals(rig)
    assert [(goal.type, goal.chain_length) for goal in goals] == [("POSITION", 3)]
    assert "3 bones" in unsupported[0].reason


def test_point_along_a_target_bone() -> None:
    rig, other = person(), humanoid("Other")
    other.location = (0.2, -0.4, 0.1)
    other.pose.bones["chest"].rotation_euler = (0.4, 0.1, 0.2)
    other.pose.bones["chest"].rotation_mode = "XYZ"
    constrain(rig, "hand.L", "COPY_LOCATION", target=other, subtarget="chest", head_tail=0.7)
    bpy.context.view_layer.objects.active = rig
    wanted = poses(rig, "hand.L")[0][:, :3, 3]
    ((goal,), _) = constraint_goals(rig)
    bpy.context.view_layer.update()
    place = other.matrix_world @ other.pose.bones["chest"].matrix @ Matrix.Translation(goal.point)
    assert np.abs(np.array(place.translation) - wanted).max() < 1e-5


def control(rig: bpy.types.Object, name: str, parent: str | None, head: tuple[float, ...]) -> None:
    """Another bone of the rig, to be a target."""
    bpy.ops.object.mode_set(mode="EDIT")
    bone = rig.data.edit_bones.new(name)
    bone.head = head
    bone.tail = (head[0], head[1], head[2] + 0.1)
    bone.parent = rig.data.edit_bones[parent] if parent else None
    bpy.ops.object.mode_set(mode="OBJECT")


def test_a_chain_ends_below_the_bone_that_carries_its_target() -> None:
    rig = person()
    control(rig, "grip", "chest", (0.5, -0.3, 1.3))
    constrain(rig, "hand.L", "COPY_LOCATION", target=rig, subtarget="grip")
    ((goal,), unsupported) = constraint_goals(rig)
    assert not unsupported
    assert goal.chain_length == 3  # hand, forearm, arm; not the chest, which carries the target


def test_targets_that_goals_move_are_listed() -> None:
    rig = person()
    control(rig, "deform", None, (0.5, 0.0, 1.0))
    constrain(rig, "deform", "COPY_TRANSFORMS", target=rig, subtarget="hand.L")
    assert len(constraint_goals(rig)[0]) == 2
    goals, unsupported = constraint_goals(rig, moving=["forearm.L"])
    assert not goals
    assert [(m.bone, m.constraint) for m in unsupported] == [("deform", "Copy Transforms")]
    # The same when a goal read from another constraint moves the target.
    constrain(rig, "hand.L", "COPY_ROTATION", target=empty("turn", rig, *FOOT_PLACES))
    goals, unsupported = constraint_goals(rig)
    assert [goal.owner for goal in goals] == ["hand.L"]
    assert [missing.bone for missing in unsupported] == ["deform"]


def test_target_that_hangs_on_the_bone_is_listed() -> None:
    rig = person()
    constrain(rig, "arm.L", "DAMPED_TRACK", target=rig, subtarget="hand.L")
    goals, unsupported = constraint_goals(rig)
    assert not goals
    assert "depends on the bone itself" in unsupported[0].reason


def test_only_constraints_of_the_named_bones_are_read() -> None:
    rig = person()
    target = empty("aim", rig, HAND_PLACES[0])
    for bone in ("hand.L", "hand.R"):
        constrain(rig, bone, "DAMPED_TRACK", target=target)
    goals, _ = constraint_goals(rig, ["hand.R"])
    assert [goal.owner for goal in goals] == ["hand.R"]


def test_earlier_constraint_that_a_later_one_changes_is_listed() -> None:
    rig = person()
    target = empty("aim", rig, HAND_PLACES[0])
    constrain(rig, "hand.L", "COPY_TRANSFORMS", target=target)
    constrain(rig, "hand.L", "COPY_ROTATION", target=target, use_x=False)
    goals, unsupported = constraint_goals(rig)
    assert [goal.type for goal in goals] == ["POSITION"]
    assert [missing.constraint for missing in unsupported] == ["Copy Transforms", "Copy Rotation"]
    assert 'the constraint "Copy Rotation"' in unsupported[0].reason


def test_rotation_that_ik_overrides_is_listed() -> None:
    rig = person()
    leg_ik(rig)
    constrain(rig, "thigh.L", "COPY_ROTATION", target=bpy.data.objects["knee"])
    goals, unsupported = constraint_goals(rig)
    assert [goal.type for goal in goals] == ["POSITION", "POLE"]
    assert [(m.bone, m.constraint) for m in unsupported] == [("thigh.L", "Copy Rotation")]


def test_animation_of_anything_but_the_influence_is_listed() -> None:
    rig = person()
    constraint = constrain(rig, "hand.L", "COPY_LOCATION", target=empty("aim", rig, HAND_PLACES[0]))
    constraint.keyframe_insert("influence", frame=1)
    assert len(constraint_goals(rig)[0]) == 1
    constraint.keyframe_insert("head_tail", frame=1)
    goals, unsupported = constraint_goals(rig)
    assert not goals
    assert '"head_tail" is animated' in unsupported[0].reason


def test_switching_between_two_constraints_is_followed() -> None:
    rig = person()
    first = empty("first", rig, *HAND_PLACES)
    second = empty("second", rig, *((x, y - 0.1, z + 0.1) for x, y, z in HAND_PLACES))
    constrain(rig, "hand.L", "COPY_LOCATION", name="A", target=first)
    switch = constrain(rig, "hand.L", "COPY_LOCATION", name="B", target=second)
    for frame, influence in zip(FRAMES, (0.0, 0.5, 1.0), strict=True):
        switch.influence = influence
        switch.keyframe_insert("influence", frame=frame)
    bpy.context.scene.frame_set(1)
    wanted = poses(rig, "hand.L")[0][:, :3, 3]
    middle = 0.5 * (target_matrices(first) + target_matrices(second))[1, :3, 3]
    assert np.abs(wanted[1] - middle).max() < CLOSE
    lower_the_hips(rig)
    bpy.context.scene.frame_set(1)
    bake_as_goals(rig)
    assert all(constraint.mute for constraint in rig.pose.bones["hand.L"].constraints)
    assert np.abs(poses(rig, "hand.L")[0][:, :3, 3] - wanted).max() < CLOSE


def test_influence_holds_the_source_where_a_constraint_acts_in_part() -> None:
    goal = ConstraintGoal("hand", "A", True, {"type": "POSITION"})
    later = ConstraintGoal("hand", "B", True, {"type": "POSITION"})
    elsewhere = ConstraintGoal("foot", "B", True, {"type": "POSITION"})
    half = np.array([0.0, 0.5, 1.0, 1.0])
    switched = np.array([0.0, 0.0, 0.0, 0.2])
    followed = followed_influence([goal, elsewhere, later, object()], [half, half, switched, half])
    np.testing.assert_allclose(followed[0], [0.0, 0.0, 1.0, 0.0], atol=1e-6)
    np.testing.assert_allclose(followed[1], [0.0, 0.0, 1.0, 1.0], atol=1e-6)
    assert (followed[0] > 0.0).tolist() == [False, True, True, False]
    assert followed[3] is half


def test_unsupported_constraints_are_in_the_notes_of_the_bake_and_stay() -> None:
    rig = person()
    leg_ik(rig)
    pivot = constrain(rig, "hand.L", "PIVOT", target=bpy.data.objects["ankle"])
    report = bake_as_goals(rig)
    assert any(
        note.startswith('The constraint "Pivot" of bone "hand.L" is not fully supported: ')
        for note in report.notes
    )
    assert not pivot.mute


def test_a_bake_of_constraints_alone_keys_the_pose_shown_by_blender() -> None:
    rig = person()
    leg_ik(rig)
    wanted = poses(rig, "thigh.L", "shin.L", "foot.L")
    report = bake_as_goals(rig)
    assert rig.pose.bones["shin.L"].constraints["IK"].mute
    assert np.abs(poses(rig, "thigh.L", "shin.L", "foot.L") - wanted).max() < 10 * CLOSE
    assert report.bones == 2
