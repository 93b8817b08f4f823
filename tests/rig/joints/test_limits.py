"""Limits and locks: how they are read, and that bakes respect them as Blender does."""

from __future__ import annotations

import math
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Euler

from blender_bioik.rig.bake.bake import BakeOptions, bake
from blender_bioik.rig.joints.limits import FREE, read_limits
from blender_bioik.rig.report.report import BakeReport
from blender_bioik.rig.transforms import EULER_AXES, ROTATION_MODES, Floats

from ...builders.files import new_file
from ...builders.rigs import (
    add_armature,
    add_chain,
    humanoid,
    key_randomly,
    rotate,
    rotation_path,
)

FRAMES = range(1, 12)
FAR = (6.0, -2.0, 4.0)
LIMITED = ("arm.L", "forearm.L")
# Keys are 32-bit numbers.
ANGLE = 1e-5


def calm_person(mode: str = "QUATERNION") -> bpy.types.Object:
    """A person with small rotations, its left arm in a rotation mode."""
    rig = humanoid()
    random = np.random.default_rng(3)
    for name in LIMITED:
        rig.pose.bones[name].rotation_mode = mode
    for frame in (1, 6, 11):
        for bone in rig.pose.bones:
            rotate(bone, Euler(random.normal(size=3) * 0.05).to_quaternion())
            bone.keyframe_insert(rotation_path(bone), frame=frame)
    rig.bioik.solver.smoothness = 0.0
    return rig


def pull(rig: bpy.types.Object, **values: Any) -> BakeReport:
    """Bake with a goal that pulls the hand away as far as it goes."""
    goal = rig.bioik.goals.add()
    goal.bone, goal.head_tail, goal.point, goal.chain_length = "forearm.L", 1.0, FAR, 3
    for name, value in values.items():
        setattr(goal, name, value)
    return bake(bpy.context.scene, rig, BakeOptions(FRAMES[0], FRAMES[-1]))


def evaluated(rig: bpy.types.Object, frame: int) -> bpy.types.Object:
    bpy.context.scene.frame_set(frame)
    return rig.evaluated_get(bpy.context.evaluated_depsgraph_get())


def channels(rig: bpy.types.Object, bone: str, name: str) -> Floats:
    """A property of a bone over the frames, as Blender evaluates it."""
    return np.array([list(getattr(evaluated(rig, f).pose.bones[bone], name)) for f in FRAMES])


def angles(rig: bpy.types.Object, bone: str) -> Floats:
    """Euler angles of a bone's channels over the frames, in its order or XYZ."""
    rows = []
    for frame in FRAMES:
        posed = evaluated(rig, frame).pose.bones[bone]
        if posed.rotation_mode in EULER_AXES:
            rows.append(list(posed.rotation_euler))
        else:
            rows.append(list(posed.matrix_basis.to_euler("XYZ")))
    return np.array(rows)


def distances(rig: bpy.types.Object) -> Floats:
    """How far Blender has the hand from the point, metres."""
    hands = [
        (posed := evaluated(rig, f)).matrix_world @ posed.pose.bones["forearm.L"].tail
        for f in FRAMES
    ]
    return np.linalg.norm(np.array(hands) - FAR, axis=-1)


def is_as_solved(rig: bpy.types.Object, report: BakeReport) -> None:
    """Blender shows the pose that was solved: it has the errors that were reported."""
    (goal,) = report.goals
    apart = distances(rig)
    assert apart.max() * 1000.0 == pytest.approx(goal.worst, abs=0.1)
    assert apart.mean() * 1000.0 == pytest.approx(goal.mean, abs=0.1)


def set_ik_limits(bone: bpy.types.PoseBone, *ranges: tuple[float, float] | None) -> None:
    for axis, limits in zip("xyz", ranges, strict=True):
        if limits is not None:
            setattr(bone, f"use_ik_limit_{axis}", True)
            setattr(bone, f"ik_min_{axis}", limits[0])
            setattr(bone, f"ik_max_{axis}", limits[1])


def add_limit(
    bone: bpy.types.PoseBone, kind: str, low: float, high: float, axes: str = "xyz"
) -> Any:
    constraint = bone.constraints.new(kind)
    constraint.owner_space = "LOCAL"
    for axis in axes:
        if kind == "LIMIT_ROTATION":
            setattr(constraint, f"use_limit_{axis}", True)
        else:
            setattr(constraint, f"use_min_{axis}", True)
            setattr(constraint, f"use_max_{axis}", True)
        setattr(constraint, f"min_{axis}", low)
        setattr(constraint, f"max_{axis}", high)
    return constraint


def assert_within(values: Floats, low: float, high: float, tolerance: float = ANGLE) -> None:
    assert values.min() >= low - tolerance
    assert values.max() <= high + tolerance


# What bakes keep to


@pytest.mark.parametrize("mode", ROTATION_MODES)
def test_ik_limits_hold(mode: str) -> None:
    rig = calm_person(mode)
    for name in LIMITED:
        set_ik_limits(rig.pose.bones[name], (-0.3, 0.3), (-0.2, 0.25), (-0.4, 0.35))
    before = distances(rig)
    report = pull(rig)
    for name in LIMITED:
        baked = angles(rig, name)
        for k, (low, high) in enumerate(((-0.3, 0.3), (-0.2, 0.25), (-0.4, 0.35))):
            assert_within(baked[:, k], low, high)
        edges = np.abs(baked - [-0.3, -0.2, -0.4]), np.abs(baked - [0.3, 0.25, 0.35])
        assert np.min(edges) < 1e-3  # the pull is strong enough to reach a limit
    assert (distances(rig) < before).all()
    is_as_solved(rig, report)
    assert not any("widened" in note for note in report.notes)


@pytest.mark.parametrize("mode", ROTATION_MODES)
@pytest.mark.parametrize("axis", range(3))
def test_locked_channels_stay_as_they_are(mode: str, axis: int) -> None:
    """One rotation channel of Euler angles; of quaternions, all four numbers together."""
    rig = calm_person(mode)
    for name in LIMITED:
        rig.pose.bones[name].lock_rotation[axis] = True
    property_ = rotation_path(rig.pose.bones["arm.L"])
    locked = {name: channels(rig, name, property_) for name in LIMITED}
    report = pull(rig)
    for name in LIMITED:
        baked = channels(rig, name, property_)
        kept = [axis] if mode in EULER_AXES else range(4)
        np.testing.assert_array_equal(baked[:, kept], locked[name][:, kept])
        if mode in EULER_AXES:
            assert np.abs(baked - locked[name]).max() > 0.03  # the others do move
    is_as_solved(rig, report)


@pytest.mark.parametrize("mode", ["QUATERNION", "AXIS_ANGLE"])
@pytest.mark.parametrize("axis", range(3))
def test_locks_of_quaternions_as_euler_angles(mode: str, axis: int) -> None:
    rig = calm_person(mode)
    for name in LIMITED:
        bone = rig.pose.bones[name]
        bone.lock_rotations_4d = False
        bone.lock_rotation[axis] = True
    locked = {name: angles(rig, name) for name in LIMITED}
    report = pull(rig)
    for name in LIMITED:
        baked = angles(rig, name)
        np.testing.assert_allclose(baked[:, axis], locked[name][:, axis], atol=1e-5)
    assert np.abs(angles(rig, "arm.L") - locked["arm.L"]).max() > 0.1
    is_as_solved(rig, report)


def test_locked_w_locks_the_rotation() -> None:
    rig = calm_person()
    rig.pose.bones["arm.L"].lock_rotation_w = True
    before = channels(rig, "arm.L", "rotation_quaternion")
    is_as_solved(rig, pull(rig))
    np.testing.assert_array_equal(channels(rig, "arm.L", "rotation_quaternion"), before)


def test_ik_locks_keep_the_animated_angle() -> None:
    rig = calm_person("ZXY")
    for name in LIMITED:
        rig.pose.bones[name].lock_ik_x = rig.pose.bones[name].lock_ik_y = True
    before = {name: angles(rig, name) for name in LIMITED}
    is_as_solved(rig, pull(rig))
    for name in LIMITED:
        after = angles(rig, name)
        np.testing.assert_allclose(after[:, :2], before[name][:, :2], atol=1e-5)
    assert np.abs(angles(rig, "arm.L")[:, 2] - before["arm.L"][:, 2]).max() > 0.1


def test_without_limits_only_channel_locks_count() -> None:
    rig = calm_person("XYZ")
    arm = rig.pose.bones["arm.L"]
    set_ik_limits(arm, (-0.1, 0.1), (-0.1, 0.1), (-0.1, 0.1))
    arm.lock_ik_z = True
    arm.lock_rotation[0] = True
    before = channels(rig, "arm.L", "rotation_euler")
    rig.bioik.solver.use_limits = False
    pull(rig, point=(0.2, -6.0, 1.5), chain_length=2)
    after = channels(rig, "arm.L", "rotation_euler")
    np.testing.assert_array_equal(after[:, 0], before[:, 0])
    assert np.abs(after[:, 2]).max() > 0.5


def test_stiff_bones_turn_less() -> None:
    def turned(stiffness: float) -> float:
        new_file()
        rig = calm_person("XYZ")
        bone = rig.pose.bones["arm.L"]
        bone.ik_stiffness_x = bone.ik_stiffness_y = bone.ik_stiffness_z = stiffness
        before = angles(rig, "arm.L")
        rig.bioik.solver.displacement = 0.05
        pull(rig, point=(0.5, -0.3, 1.6), chain_length=2, is_preference=True)
        return float(np.abs(angles(rig, "arm.L") - before).mean())

    assert turned(0.95) < 0.7 * turned(0.0)


@pytest.mark.parametrize("mode", ["QUATERNION", "XYZ", "ZYX"])
def test_limit_rotation_constraints_hold_and_stay(mode: str) -> None:
    rig = calm_person(mode)
    for name in LIMITED:
        add_limit(rig.pose.bones[name], "LIMIT_ROTATION", -0.25, 0.3)
    report = pull(rig)
    for name in LIMITED:
        assert not rig.pose.bones[name].constraints[0].mute
        assert_within(angles(rig, name), -0.25, 0.3)
    is_as_solved(rig, report)


def test_limit_rotation_clamps_a_source_that_exceeds_it() -> None:
    """The constraint already keeps the pose within its limits, so the result starts from there."""
    rig = calm_person("XYZ")
    constraint = add_limit(rig.pose.bones["arm.L"], "LIMIT_ROTATION", -0.02, 0.02)
    assert np.abs(angles(rig, "arm.L")).max() > 0.03
    report = pull(rig)
    assert_within(angles(rig, "arm.L"), -0.02, 0.02)
    assert not constraint.mute
    assert not any("widened" in note for note in report.notes)
    is_as_solved(rig, report)


@pytest.mark.parametrize("object_scale", [1.0, 2.5])
def test_limit_location_constraints_hold(object_scale: float) -> None:
    rig = calm_person()
    rig.scale = [object_scale] * 3
    constraint = add_limit(rig.pose.bones["hips"], "LIMIT_LOCATION", -0.05, 0.08, axes="xz")
    rig.pose.bones["hips"].lock_location[1] = True
    rig.bioik.solver.move_root = True
    report = pull(rig, chain_length=0)
    hips = channels(rig, "hips", "location")
    assert_within(hips[:, [0, 2]], -0.05, 0.08)
    assert np.abs(hips[:, 0]).max() > 0.04
    np.testing.assert_array_equal(hips[:, 1], np.zeros(len(FRAMES)))
    assert not constraint.mute
    is_as_solved(rig, report)


@pytest.mark.parametrize("locked", range(3))
def test_locked_locations_of_a_sliding_root(locked: int) -> None:
    rig = calm_person()
    rig.pose.bones["hips"].lock_location[locked] = True
    rig.bioik.solver.move_root = True
    is_as_solved(rig, pull(rig, chain_length=0))
    hips = channels(rig, "hips", "location")
    np.testing.assert_array_equal(hips[:, locked], np.zeros(len(FRAMES)))
    assert np.abs(np.delete(hips, locked, axis=1)).max() > 1.0


def test_driven_locations_of_a_sliding_root_stay() -> None:
    rig = calm_person()
    rig.pose.bones["hips"].driver_add("location", 1).driver.expression = "frame / 100"
    rig.bioik.solver.move_root = True
    is_as_solved(rig, pull(rig, chain_length=0))
    hips = channels(rig, "hips", "location")
    np.testing.assert_allclose(hips[:, 1], np.array(FRAMES) / 100.0, atol=1e-6)
    assert np.abs(hips[:, [0, 2]]).max() > 0.1


def test_source_beyond_its_limits_widens_them() -> None:
    rig = calm_person("XYZ")
    before = angles(rig, "arm.L")
    low, high = before.min(axis=0), before.max(axis=0)
    set_ik_limits(rig.pose.bones["arm.L"], (-0.01, 0.01), (-1.0, 1.0), None)
    report = pull(rig)
    after = angles(rig, "arm.L")
    assert low[0] < -0.011 or high[0] > 0.011
    assert_within(after[:, 0], min(low[0], -0.01), max(high[0], 0.01))
    (note,) = (note for note in report.notes if "widened" in note)
    assert "arm.L" in note
    is_as_solved(rig, report)


@pytest.mark.parametrize("mode", ["QUATERNION", "YZX"])
def test_whole_turns_do_not_exceed_limits(mode: str) -> None:
    """A bone that spins about one axis keeps to the limits of another, turn after turn."""
    rig = calm_person(mode)
    bone = rig.pose.bones["arm.L"]
    for frame in FRAMES:
        turn = Euler((0.01, 0.0, 0.0)).to_matrix() @ Euler((0.0, 1.4 * frame, 0.0)).to_matrix()
        if mode == "QUATERNION":
            bone.rotation_quaternion = turn.to_quaternion()
        else:
            bone.rotation_euler = turn.to_euler(mode, bone.rotation_euler)
        bone.keyframe_insert(rotation_path(bone), frame=frame)
    set_ik_limits(bone, (-0.2, 0.2), None, (-0.2, 0.2))
    report = pull(rig)
    assert not any("widened" in note for note in report.notes)
    is_as_solved(rig, report)


@pytest.mark.parametrize("turned", [(2 * math.pi, 0, -4 * math.pi), (math.pi, "middle", -math.pi)])
def test_equal_angles_do_not_exceed_limits(turned: tuple[Any, ...]) -> None:
    """Channels a whole turn off, or of the other set that means the same rotation."""
    rig = calm_person("XYZ")
    bone = rig.pose.bones["arm.L"]
    for frame in (1, 6, 11):
        x, y, z = 0.02 * frame, -0.01 * frame, 0.1
        y = math.pi - y if turned[1] == "middle" else y
        bone.rotation_euler = (x + turned[0], y, z + turned[2])
        bone.keyframe_insert("rotation_euler", frame=frame)
    set_ik_limits(bone, *[(-0.3, 0.3)] * 3)
    report = pull(rig)
    assert not any("widened" in note for note in report.notes)
    for frame in FRAMES:
        shown = evaluated(rig, frame).pose.bones["arm.L"].matrix_basis.to_euler("XYZ")
        assert_within(np.array(shown), -0.3, 0.3)
    is_as_solved(rig, report)


# What cannot be saved to


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"owner_space": "WORLD"}, "owner space is World"),
        ({"influence": 0.5}, "influence is not 1"),
        ({"euler_order": "ZYX"}, "Euler order is ZYX, but the bone's is XYZ"),
        ({"use_legacy_behavior": True, "max_x": 4.0}, "Legacy Behavior"),
        ({"use_legacy_behavior": True, "min_z": 0.5}, "Legacy Behavior"),
    ],
)
def test_constraints_that_are_not_kept_to_are_named(change: dict[str, Any], words: str) -> None:
    rig = calm_person("XYZ")
    constraint = add_limit(rig.pose.bones["arm.L"], "LIMIT_ROTATION", -0.2, 0.2)
    constraint.name = "Shoulder"
    for name, value in change.items():
        setattr(constraint, name, value)
    report = pull(rig)
    (note,) = (note for note in report.notes if "not fully supported" in note)
    assert "arm.L" in note
    assert '"Shoulder"' in note
    assert words in note
    assert constraint.mute
    is_as_solved(rig, report)


@pytest.mark.parametrize("kind", ["LIMIT_ROTATION", "LIMIT_LOCATION"])
def test_muted_constraints_and_affect_transform_do_not_matter(kind: str) -> None:
    rig = calm_person("XYZ")
    arm = rig.pose.bones["arm.L"]
    constraint = add_limit(arm, kind, -0.2, 0.2)
    limits = read_limits(rig, ["arm.L"]).bones["arm.L"]
    assert limits.turn_limited or limits.slide_limited
    constraint.use_transform_limit = not constraint.use_transform_limit
    assert read_limits(rig, ["arm.L"]).bones["arm.L"] == limits
    constraint.mute = True
    without = read_limits(rig, ["arm.L"])
    assert without.bones["arm.L"].turn == without.bones["arm.L"].slide == (FREE,) * 3
    assert without.unsupported == ()


# The same limits in Blender


@pytest.mark.parametrize("legacy", [False, True])
@pytest.mark.parametrize("mode", ["QUATERNION", "AXIS_ANGLE", "XYZ", "ZXY", "YXZ"])
def test_limits_are_those_that_blender_applies(mode: str, legacy: bool) -> None:
    """A bone turned about one axis shows the angle nearest to the limits that were read."""
    rig = add_armature()
    (name,) = add_chain(rig, 1)
    bone = rig.pose.bones[name]
    bone.rotation_mode = mode
    add_limit(bone, "LIMIT_ROTATION", -0.4, 0.7, axes="xz")
    add_limit(bone, "LIMIT_ROTATION", -0.1, 1.2, axes="z")
    for constraint in bone.constraints:
        constraint.use_legacy_behavior = legacy
    limits = read_limits(rig, [name]).bones[name]
    assert limits.turn[1] == FREE
    for axis in range(3):
        for angle in np.linspace(-1.5, 1.5, 13):
            turn = [0.0, 0.0, 0.0]
            turn[axis] = angle
            rotate(bone, Euler(turn).to_quaternion())
            bpy.context.view_layer.update()
            posed = rig.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones[name]
            shown = (bone.bone.matrix_local.inverted() @ posed.matrix).to_euler(limits.order)
            low, high = limits.turn[axis]
            assert shown[axis] == pytest.approx(min(max(angle, low), high), abs=1e-5)


@pytest.mark.parametrize(
    ("first", "second"),
    [((-0.4, 0.1), (0.3, 0.6)), ((0.3, 0.6), (-0.4, 0.1)), ((-1.0, 1.0), (0.5, -0.5))],
)
def test_limits_that_exclude_each_other(
    first: tuple[float, float], second: tuple[float, float]
) -> None:
    """Whatever the bone is turned to, Blender shows the one angle that was read."""
    rig = add_armature()
    (name,) = add_chain(rig, 1)
    bone = rig.pose.bones[name]
    bone.rotation_mode = "XYZ"
    add_limit(bone, "LIMIT_ROTATION", *first, axes="x")
    add_limit(bone, "LIMIT_ROTATION", *second, axes="x")
    low, high = read_limits(rig, [name]).bones[name].turn[0]
    assert low == high
    for angle in (-0.7, 0.0, 0.4, 0.9):
        bone.rotation_euler = (angle, 0.0, 0.0)
        bpy.context.view_layer.update()
        posed = rig.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones[name]
        shown = (bone.bone.matrix_local.inverted() @ posed.matrix).to_euler("XYZ")
        assert shown.x == pytest.approx(low, abs=1e-5)


def test_location_limits_are_those_that_blender_applies() -> None:
    rig = add_armature()
    names = add_chain(rig, 2)
    key_randomly(rig, [1], scaled=False)
    bone = rig.pose.bones[names[1]]
    constraint = add_limit(bone, "LIMIT_LOCATION", -0.1, 0.2, axes="xy")
    constraint.use_max_y = False
    limits = read_limits(rig, names).bones[names[1]]
    assert limits.slide == (
        pytest.approx((-0.1, 0.2)),
        pytest.approx((-0.1, math.inf)),
        FREE,
    )
    rig.animation_data_clear()
    for location in np.random.default_rng(0).normal(size=(10, 3)) * 0.4:
        bone.location = location
        bpy.context.view_layer.update()
        posed = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
        shown = posed.convert_space(
            pose_bone=posed.pose.bones[names[1]],
            matrix=posed.pose.bones[names[1]].matrix,
            from_space="POSE",
            to_space="LOCAL",
        ).translation
        clipped = np.clip(location, *np.array(limits.slide).T)
        np.testing.assert_allclose(shown, clipped, atol=1e-5)
