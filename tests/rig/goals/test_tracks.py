"""Every goal type in a bake, measured in the pose that Blender shows.

Tests of: goal_in_clip, goal_bones, goal_targets, goal_types.balance, goal_types.channels,
goal_types.distances, goal_types.places, goal_types.pole, goal_types.rotations,
goal_types.vectors, goal_types.views, goal_types.whole_pose, rig.joints.masses.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mathutils import Euler, Matrix, Quaternion, Vector

from blender_bioik.goal_types import BUILT_IN
from blender_bioik.rig.bake.bake import BakeOptions, bake
from blender_bioik.rig.clip.skeleton import read_skeleton
from blender_bioik.rig.errors import RigError
from blender_bioik.rig.goals.tracks import range_weights
from blender_bioik.rig.joints.masses import segment_masses
from blender_bioik.rig.report.report import BakeReport
from blender_bioik.rig.transforms import Floats

from ...builders.rigs import add_armature, add_chain, humanoid, key_randomly, rotate

FRAMES = (1, 6, 11)
# Goals are solved to 0.1 mm and 0.06 degrees, keys are 32-bit numbers.
METRES = 2e-4
DEGREES = 0.1


@pytest.fixture
def rig() -> bpy.types.Object:
    """A person that moves, on a turned and scaled armature object."""
    person = humanoid()
    key_randomly(person, [1, 11], scaled=False)
    person.scale = (1.3, 1.3, 1.3)
    person.rotation_euler = (0.1, -0.2, 0.6)
    person.location = (0.5, -0.3, 0.2)
    person.bioik.solver.smoothness = 0.0  # frames that goals do not act in keep their poses
    return person


def add_goal(rig: bpy.types.Object, type_: str, **values: Any) -> Any:
    goal = rig.bioik.goals.add()
    goal.type = type_
    for name, value in values.items():
        setattr(goal, name, value)
    return goal


def run(rig: bpy.types.Object, first: int = 1, last: int = 11, step: int = 5) -> BakeReport:
    return bake(bpy.context.scene, rig, BakeOptions(first, last, step))


def evaluated(rig: bpy.types.Object, frame: float) -> bpy.types.Object:
    whole = math.floor(frame)
    bpy.context.scene.frame_set(whole, subframe=frame - whole)
    return rig.evaluated_get(bpy.context.evaluated_depsgraph_get())


class Body:
    """A rig as Blender shows it in a frame, in the world."""

    def __init__(self, rig: bpy.types.Object, frame: float) -> None:
        posed = evaluated(rig, frame)
        self.matrix = {
            bone.name: np.array(posed.matrix_world @ bone.matrix) for bone in posed.pose.bones
        }
        self.euler = {
            bone.name: np.array(
                bone.rotation_euler
                if len(bone.rotation_mode) == 3
                else bone.rotation_quaternion.to_euler("XYZ")
            )
            for bone in posed.pose.bones
        }
        self.length = {bone.name: bone.bone.length for bone in posed.pose.bones}

    def point(self, bone: str, along: float = 0.0, offset: Any = (0.0, 0.0, 0.0)) -> Floats:
        """A point of a bone, from its head (0) to its tail (1)."""
        local = np.array(offset, float) + np.array([0.0, along * self.length[bone], 0.0])
        return np.asarray(self.matrix[bone][:3, :3] @ local + self.matrix[bone][:3, 3])

    def axis(self, bone: str, axis: Any) -> Floats:
        turned = self.matrix[bone][:3, :3] @ np.array(axis, float)
        return np.asarray(turned / np.linalg.norm(turned))

    def centre_of_mass(self, shares: dict[str, float]) -> Floats:
        total = sum(share * self.point(bone, 0.5) for bone, share in shares.items())
        return np.asarray(total) / sum(shares.values())


def degrees_between(a: Any, b: Any) -> float:
    a, b = np.array(a, float), np.array(b, float)
    return math.degrees(math.atan2(float(np.linalg.norm(np.cross(a, b))), float(a @ b)))


@dataclass(frozen=True)
class Case:
    """A goal, and how far a body is from fulfilling it: metres or degrees, zero when it is met."""

    type: str
    values: dict[str, Any]
    missing: Callable[[Body], float]
    tolerance: float
    at_most: bool = False


POINT = np.array([0.9, -0.9, 2.0])
UP = np.array([0.0, 0.0, 1.0])
UP_LEFT = np.array([0.6, 0.0, 0.8])
OFFSET = (0.02, 0.05, -0.03)
TURN = Euler((0.4, -0.3, 0.8))
ON_HAND = {"bone": "forearm.L", "head_tail": 0.5, "offset": OFFSET}


def hand(body: Body) -> Floats:
    return body.point("forearm.L", 0.5, OFFSET)


def angle_to_rotation(body: Body) -> float:
    posed = Matrix(body.matrix["head"]).to_quaternion()
    return math.degrees(posed.rotation_difference(TURN.to_quaternion()).angle)


def angle_about_the_heads_z(body: Body) -> float:
    """Between the head's Y axis and the way to the point, both seen along the head's Z axis."""
    along, sight = body.axis("head", (0, 0, 1)), POINT - body.point("head")
    return degrees_between(body.axis("head", (0, 1, 0)), sight - along * (sight @ along))


def lowest_of_foot(body: Body) -> float:
    ends = body.point("foot.L"), body.point("foot.L", 1.0)
    return abs(min(float((end - POINT) @ UP_LEFT) for end in ends) - 0.05)


CASES = [
    Case(
        "POSITION",
        ON_HAND | {"point": POINT},
        lambda body: float(np.linalg.norm(hand(body) - POINT)),
        METRES,
    ),
    Case("ORIENTATION", {"bone": "head", "rotation": TURN}, angle_to_rotation, DEGREES),
    Case(
        "LOOK_AT",
        {"bone": "head", "axis": (0.0, 0.6, 0.8), "point": POINT, "chain_length": 1},
        lambda body: degrees_between(body.axis("head", (0, 0.6, 0.8)), POINT - body.point("head")),
        DEGREES,
    ),
    Case(
        "LOCKED_LOOK_AT",
        {"bone": "head", "lock_axis": (0.0, 0.0, 2.0), "point": POINT, "chain_length": 1},
        angle_about_the_heads_z,
        DEGREES,
    ),
    Case(
        "DIRECTION",
        {"bone": "arm.L", "axis": (1.0, 2.0, 0.0), "direction": UP_LEFT},
        lambda body: degrees_between(body.axis("arm.L", (1, 2, 0)), UP_LEFT),
        DEGREES,
    ),
    Case(
        "CONE",
        {"bone": "arm.L", "direction": -UP_LEFT, "angle": math.radians(20.0)},
        lambda body: max(degrees_between(body.axis("arm.L", (0, 1, 0)), -UP_LEFT) - 20.0, 0.0),
        DEGREES,
        at_most=True,
    ),
    Case(
        "PLANE",
        ON_HAND | {"point": POINT, "direction": UP_LEFT},
        lambda body: abs(float((hand(body) - POINT) @ UP_LEFT)),
        METRES,
    ),
    Case(
        "LINE",
        ON_HAND | {"point": POINT, "direction": UP_LEFT},
        lambda body: float(np.linalg.norm(np.cross(hand(body) - POINT, UP_LEFT))),
        METRES,
    ),
    Case(
        "TOUCH",
        {"bone": "foot.L", "radius": 0.05, "point": POINT, "direction": UP_LEFT},
        lowest_of_foot,
        METRES,
    ),
    Case(
        "ABOVE",
        ON_HAND | {"point": POINT, "direction": UP_LEFT},
        lambda body: max(-float((hand(body) - POINT) @ UP_LEFT), 0.0),
        METRES,
        at_most=True,
    ),
    Case(
        "MAX_DISTANCE",
        ON_HAND | {"point": POINT, "distance": 0.1},
        lambda body: max(float(np.linalg.norm(hand(body) - POINT)) - 0.1, 0.0),
        METRES,
        at_most=True,
    ),
    Case(
        "JOINT_VALUE",
        {"bone": "arm.L", "joint_axis": "Z", "angle_value": 1.1},
        lambda body: abs(math.degrees(body.euler["arm.L"][2] - 1.1)),
        DEGREES,
    ),
    Case(
        "JOINT_FUNCTION",
        {
            "bone": "arm.L",
            "joint_axis": "X",
            "other_bone": "arm.R",
            "other_axis": "Y",
            "ratio": -0.5,
            "angle_value": 0.7,
        },
        lambda body: abs(math.degrees(body.euler["arm.L"][0] + 0.5 * body.euler["arm.R"][1] - 0.7)),
        DEGREES,
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.type)
@pytest.mark.parametrize("influence", [1.0, 0.5, 0.0])
def test_goal_is_met_as_far_as_its_influence(
    rig: bpy.types.Object, case: Case, influence: float
) -> None:
    rig.pose.bones["arm.L"].rotation_mode = "XYZ"
    before = [case.missing(Body(rig, frame)) for frame in FRAMES]
    add_goal(rig, case.type, influence=influence, **case.values)
    report = run(rig)
    after = [case.missing(Body(rig, frame)) for frame in FRAMES]
    assert min(before) > 30.0 * case.tolerance
    wanted = (1.0 - influence) * np.array(before)
    if case.at_most:  # beyond the limit on the allowed side, any distance is fine
        assert (after <= wanted + case.tolerance).all()
        assert (after >= 0.8 * wanted).all()
    else:
        np.testing.assert_allclose(after, wanted, atol=case.tolerance)
    (reported,) = report.goals
    assert reported.frames == (len(FRAMES) if influence else 0)
    assert not report.missed


@pytest.mark.parametrize("turns", [True, False])
def test_plane_to_keep_above_turns_with_its_target_or_not(
    rig: bpy.types.Object, turns: bool
) -> None:
    target = bpy.data.objects.new("Floor", None)
    bpy.context.scene.collection.objects.link(target)
    target.rotation_euler = (0.0, 0.6, 0.3)
    up = np.array(target.rotation_euler.to_matrix()) @ UP if turns else UP
    target.location = hand(Body(rig, 6)) + 0.05 * up
    values = {"point": (0.0, 0.0, 0.1), "use_target_rotation": turns}
    add_goal(rig, "ABOVE", **ON_HAND, target=target, **values)
    run(rig)
    plane = np.array(target.location) + 0.1 * up
    heights = [float((hand(Body(rig, frame)) - plane) @ up) for frame in FRAMES]
    assert min(heights) > -METRES
    assert heights[1] < 0.03


@pytest.mark.parametrize("type_", ["JOINT_VALUE", "JOINT_FUNCTION"])
def test_angles_go_the_shorter_way(rig: bpy.types.Object, type_: str) -> None:
    """From a channel that has turned once, half way to 0.5 is 0.4 and a turn, not half a turn."""
    arm = rig.pose.bones["arm.L"]
    arm.rotation_mode = "XYZ"
    rig.animation_data_clear()
    arm.rotation_euler = (2.0 * math.pi + 0.3, 0.1, 0.2)
    add_goal(rig, type_, bone="arm.L", other_bone="arm.R", angle_value=0.5, influence=0.5)
    rig.pose.bones["arm.R"].rotation_quaternion = (1.0, 0.0, 0.0, 0.0)
    run(rig)
    turned, followed = Body(rig, 6).euler["arm.L"][0], Body(rig, 6).euler["arm.R"][0]
    assert turned - followed == pytest.approx(2.0 * math.pi + 0.4, abs=2e-3)


def test_all_kinds_of_goals_are_tested() -> None:
    tested = {case.type for case in CASES}
    tested |= {"DISTANCE", "POLE", "BALANCE", "DISPLACEMENT", "CENTRE_JOINTS", "AVOID_LIMITS"}
    assert tested == {kind.identifier for kind in BUILT_IN}


@pytest.mark.parametrize("influence", [1.0, 0.5])
def test_keeping_away_from_a_point(rig: bpy.types.Object, influence: float) -> None:
    point = Body(rig, 6).point("forearm.L", 1.0) + np.array([0.05, 0.0, 0.02])
    before = [float(np.linalg.norm(Body(rig, f).point("forearm.L", 1.0) - point)) for f in FRAMES]
    add_goal(
        rig,
        "DISTANCE",
        bone="forearm.L",
        head_tail=1.0,
        point=point,
        distance=0.3,
        activation=0.05,
        influence=influence,
    )
    run(rig)
    assert before[1] < 0.1
    for frame, was in zip(FRAMES, before, strict=True):
        apart = float(np.linalg.norm(Body(rig, frame).point("forearm.L", 1.0) - point))
        least = min(was, 0.3) + influence * (0.3 - min(was, 0.3))
        # The margin pushes a little further.
        assert least - METRES <= apart <= max(least + 0.1, was)


def test_distances_between_two_bones(rig: bpy.types.Object) -> None:
    add_goal(rig, "MAX_DISTANCE", bone="forearm.L", other_bone="head", distance=0.45)
    add_goal(rig, "DISTANCE", bone="forearm.R", other_bone="forearm.L", distance=0.8)
    run(rig)
    for frame in FRAMES:
        body = Body(rig, frame)
        near = np.linalg.norm(body.point("forearm.L") - body.point("head"))
        away = np.linalg.norm(body.point("forearm.R") - body.point("forearm.L"))
        assert near <= 0.45 + METRES
        assert away >= 0.8 - METRES


@pytest.mark.parametrize("influence", [1.0, 0.5])
def test_pole_turns_the_knee(rig: bpy.types.Object, influence: float) -> None:
    """The foot goes a little, the knee turns about the line from hip to foot."""
    rig.animation_data_clear()
    rotate(rig.pose.bones["thigh.L"], Euler((-0.6, 0.0, 0.0)).to_quaternion())
    rotate(rig.pose.bones["shin.L"], Euler((1.2, 0.0, 0.0)).to_quaternion())
    source = Body(rig, 1)
    hip, foot = source.point("thigh.L"), source.point("shin.L", 1.0)
    knee = source.point("shin.L")
    place = foot + np.array([0.005, 0.0, 0.0])

    def bend(body: Body, point: Floats) -> float:
        axis = (foot - hip) / np.linalg.norm(foot - hip)
        a, b = (v - axis * (v @ axis) for v in (body.point("shin.L") - hip, point - hip))
        return degrees_between(a, b)

    turn = np.array(Quaternion(tuple(foot - hip), math.radians(70.0)).to_matrix())
    target = hip + turn @ (knee - hip)
    chain = {"bone": "shin.L", "chain_length": 2}
    add_goal(rig, "POSITION", head_tail=1.0, point=place, **chain)
    add_goal(rig, "POLE", point=target, influence=influence, **chain)
    assert bend(source, target) == pytest.approx(70.0, abs=0.1)
    run(rig, 1, 3, 1)
    body = Body(rig, 2)
    assert np.linalg.norm(body.point("shin.L", 1.0) - place) <= METRES
    # A preference, so staying as animated pulls it back by a little.
    assert bend(body, target) == pytest.approx(70.0 * (1.0 - influence), abs=2.0)


@pytest.mark.parametrize("influence", [1.0, 0.5])
def test_balance_over_a_target(rig: bpy.types.Object, influence: float) -> None:
    shares = segment_masses(read_skeleton(rig))
    assert shares["thigh.L"] == 0.1  # recognised as a human body
    before = [Body(rig, frame).centre_of_mass(shares) for frame in FRAMES]
    target = bpy.data.objects.new("Support", None)
    bpy.context.scene.collection.objects.link(target)
    target.location = before[0] + np.array([0.1, -0.06, -1.0])
    add_goal(rig, "BALANCE", target=target, influence=influence)
    run(rig)
    for frame, was in zip(FRAMES, before, strict=True):
        wanted = was + influence * (np.array(target.location) - was)
        is_ = Body(rig, frame).centre_of_mass(shares)
        np.testing.assert_allclose(is_[:2], wanted[:2], atol=METRES)


def test_balance_over_the_feet_as_animated(rig: bpy.types.Object) -> None:
    shares = segment_masses(read_skeleton(rig))
    sources = [Body(rig, frame) for frame in FRAMES]
    feet = [0.5 * (b.point("foot.L", 0.5) + b.point("foot.R", 0.5)) for b in sources]
    off = [b.centre_of_mass(shares) - f for b, f in zip(sources, feet, strict=True)]
    assert min(np.linalg.norm(o[:2]) for o in off) > 0.02
    add_goal(rig, "BALANCE")
    rig.bioik.solver.move_root = True
    run(rig)
    for frame, wanted in zip(FRAMES, feet, strict=True):
        centre = Body(rig, frame).centre_of_mass(shares)
        np.testing.assert_allclose(centre[:2], wanted[:2], atol=METRES)


def test_staying_near_the_animation_opposes_a_preference(rig: bpy.types.Object) -> None:
    def left_over(weight: float) -> float:
        person = bpy.data.objects["Rig"]
        person.bioik.goals.clear()
        add_goal(person, "POSITION", is_preference=True, **ON_HAND, point=POINT)
        add_goal(person, "DISPLACEMENT", weight=weight)
        source = person.animation_data.action
        run(person)
        apart = float(np.linalg.norm(hand(Body(person, 6)) - POINT))
        person.animation_data.action = source
        return apart

    free, held = left_over(1e-6), left_over(3.0)
    assert free < 0.02
    assert held > 0.1


@pytest.mark.parametrize("type_", ["CENTRE_JOINTS", "AVOID_LIMITS"])
def test_preferences_for_the_middle_of_limits(rig: bpy.types.Object, type_: str) -> None:
    """Of the many ways to reach a point, one with angles nearer to the middle of their limits."""
    rig.animation_data_clear()
    for name in ("arm.L", "forearm.L"):
        bone = rig.pose.bones[name]
        bone.rotation_mode = "XYZ"
        for axis in "xyz":
            setattr(bone, f"use_ik_limit_{axis}", True)
            setattr(bone, f"ik_min_{axis}", -1.5)
            setattr(bone, f"ik_max_{axis}", 1.5)
        bone.rotation_euler = (0.3, 1.4, 0.4)
    place = Body(rig, 1).point("forearm.L", 1.0) - np.array([0.02, 0.0, 0.0])
    rig.bioik.solver.displacement = 0.0
    add_goal(rig, "POSITION", bone="forearm.L", head_tail=1.0, point=place, chain_length=2)
    add_goal(rig, type_, weight=0.3)
    run(rig, 1, 3, 1)
    body = Body(rig, 2)
    angles = np.abs([body.euler["arm.L"], body.euler["forearm.L"]])
    assert angles.max() < 1.3
    assert np.linalg.norm(body.point("forearm.L", 1.0) - place) <= METRES


# Frames in which a goal acts


def range_of(
    start: int = 5, end: int = 8, blend_in: int = 4, blend_out: int = 2, on: bool = True
) -> Any:
    class Range:
        use_frame_range, frame_start, frame_end = on, start, end

    Range.blend_in, Range.blend_out = blend_in, blend_out  # type: ignore[attr-defined]
    return Range


@given(
    start=st.integers(-20, 20),
    length=st.integers(0, 20),
    blend_in=st.integers(0, 10),
    blend_out=st.integers(0, 10),
)
def test_weights_are_one_inside_the_range_zero_outside_and_smooth_between(
    start: int, length: int, blend_in: int, blend_out: int
) -> None:
    end = start + length
    frames = np.arange(-40.0, 60.0, 0.25, dtype=float)
    weight = range_weights(range_of(start, end, blend_in, blend_out), frames)
    assert (weight[(frames >= start) & (frames <= end)] == 1.0).all()
    assert (weight[(frames <= start - blend_in) & (frames < start)] == 0.0).all()
    assert (weight[(frames >= end + blend_out) & (frames > end)] == 0.0).all()
    assert (np.diff(weight[frames <= start]) >= 0.0).all()
    assert (np.diff(weight[frames >= end]) <= 0.0).all()
    if blend_in:  # the steepest slope of the ramp is 1.5 over its length, and its ends are flat
        rising = np.diff(weight[frames <= start])
        assert rising.max() <= 1.5 * 0.25 / blend_in + 1e-12
        assert rising[-1] <= 3.0 * (0.25 / blend_in) ** 2 + 1e-12


def test_frame_range_with_blend(rig: bpy.types.Object) -> None:
    before = {frame: hand(Body(rig, frame)) for frame in range(1, 12)}
    values = {"frame_start": 5, "frame_end": 7, "blend_in": 2, "blend_out": 4}
    add_goal(rig, "POSITION", use_frame_range=True, point=POINT, **ON_HAND, **values)
    report = run(rig, step=1)
    weights = {1: 0, 2: 0, 3: 0, 4: 0.5, 5: 1, 6: 1, 7: 1, 8: 0.84375, 9: 0.5, 10: 0.15625, 11: 0}
    for frame, weight in weights.items():
        wanted = before[frame] + weight * (POINT - before[frame])
        np.testing.assert_allclose(hand(Body(rig, frame)), wanted, atol=METRES)
    assert report.goals[0].frames == sum(weight > 0 for weight in weights.values())


def test_animated_influence(rig: bpy.types.Object) -> None:
    before = {frame: hand(Body(rig, frame)) for frame in (1, 6, 11)}
    goal = add_goal(rig, "POSITION", point=POINT, **ON_HAND)
    for frame, influence in ((1, 0.0), (6, 0.3), (11, 1.0)):
        goal.influence = influence
        rig.keyframe_insert("bioik.goals[0].influence", frame=frame)
    run(rig)
    for frame, influence in ((1, 0.0), (6, 0.3), (11, 1.0)):
        wanted = before[frame] + influence * (POINT - before[frame])
        np.testing.assert_allclose(hand(Body(rig, frame)), wanted, atol=METRES)


def test_driven_influence(rig: bpy.types.Object) -> None:
    before = {frame: hand(Body(rig, frame)) for frame in (1, 6, 11)}
    add_goal(rig, "POSITION", point=POINT, **ON_HAND)
    rig["reach"] = 0.0
    for frame, value in ((1, 0.0), (11, 1.0)):
        rig["reach"] = value
        rig.keyframe_insert('["reach"]', frame=frame)
    driver = rig.driver_add("bioik.goals[0].influence").driver
    variable = driver.variables.new()
    variable.name, variable.targets[0].id = "reach", rig
    variable.targets[0].data_path = '["reach"]'
    driver.expression = "reach * 0.5"
    run(rig)
    for frame, influence in ((1, 0.0), (6, 0.25), (11, 0.5)):
        wanted = before[frame] + influence * (POINT - before[frame])
        np.testing.assert_allclose(hand(Body(rig, frame)), wanted, atol=METRES)


# Targets


def moving_target(scale: float = 1.0) -> bpy.types.Object:
    target = bpy.data.objects.new("Target", None)
    bpy.context.scene.collection.objects.link(target)
    target.scale = (scale, scale, scale)
    for frame, x in ((1, 0.6), (11, 0.9)):
        target.location = (x, -0.9, 1.9)
        target.rotation_euler = (0.3, x, -0.5)
        target.keyframe_insert("location", frame=frame)
        target.keyframe_insert("rotation_euler", frame=frame)
    return target


def test_animated_target_with_a_point_in_its_own_space(rig: bpy.types.Object) -> None:
    target = moving_target(scale=1.5)
    add_goal(rig, "POSITION", target=target, point=(0.1, 0.05, -0.1), **ON_HAND)
    run(rig)
    for frame in FRAMES:
        body = Body(rig, frame)
        matrix = np.array(evaluated(target, frame).matrix_world)
        wanted = (matrix @ [0.1, 0.05, -0.1, 1.0])[:3]
        np.testing.assert_allclose(hand(body), wanted, atol=METRES)


def test_orientation_and_direction_of_a_scaled_target(rig: bpy.types.Object) -> None:
    target = moving_target(scale=0.4)
    turn = Euler((0.2, 0.5, -0.4))
    add_goal(rig, "ORIENTATION", bone="head", target=target, rotation=turn)
    add_goal(rig, "DIRECTION", bone="arm.L", target=target, direction=(0, -1, 1), chain_length=2)
    run(rig)
    for frame in FRAMES:
        body = Body(rig, frame)
        matrix = evaluated(target, frame).matrix_world
        wanted = matrix.to_quaternion() @ turn.to_quaternion()
        head = Matrix(body.matrix["head"]).to_quaternion()
        assert math.degrees(head.rotation_difference(wanted).angle) <= DEGREES
        direction = matrix.to_3x3() @ Vector((0, -1, 1))
        assert degrees_between(body.axis("arm.L", (0, 1, 0)), direction) <= DEGREES


def test_bone_of_another_armature_as_target(rig: bpy.types.Object) -> None:
    other = add_armature("Other")
    names = add_chain(other, 2)
    other.location = (0.8, -0.9, 1.3)
    key_randomly(other, [1, 11], seed=5, scaled=False)
    add_goal(rig, "POSITION", target=other, subtarget=names[1], point=(0.0, 0.2, 0.0), **ON_HAND)
    run(rig)
    for frame in FRAMES:
        body = Body(rig, frame)
        posed = evaluated(other, frame)
        matrix = np.array(posed.matrix_world @ posed.pose.bones[names[1]].matrix)
        wanted = (matrix @ [0.0, 0.2, 0.0, 1.0])[:3]
        np.testing.assert_allclose(hand(body), wanted, atol=METRES)


# Rigs that Blender moves in its own way


def test_goals_below_bones_that_do_not_inherit_rotation(rig: bpy.types.Object) -> None:
    """The head goes where the chest carries it, and looks from there."""
    rig.data.bones["head"].use_inherit_rotation = False
    rig.data.bones["arm.L"].use_inherit_rotation = False
    add_goal(rig, "POSITION", bone="forearm.R", head_tail=1.0, point=(-0.3, -0.7, 1.9))
    add_goal(rig, "LOOK_AT", bone="head", point=POINT)
    add_goal(rig, "POSITION", bone="forearm.L", head_tail=1.0, point=POINT - [0.3, 0.0, 0.0])
    for goal in rig.bioik.goals:
        goal.chain_length = 0  # up to the root
    before = Body(rig, 6).point("head")
    report = run(rig)
    assert np.linalg.norm(Body(rig, 6).point("head") - before) > 0.02
    for frame in FRAMES:
        body = Body(rig, frame)
        line = POINT - body.point("head")
        assert degrees_between(body.axis("head", (0, 1, 0)), line) <= DEGREES
        hand_place = body.point("forearm.L", 1.0)
        np.testing.assert_allclose(hand_place, POINT - [0.3, 0.0, 0.0], atol=METRES)
    # The bones above them are turned for their goals as well, so there is nothing to tell.
    assert not {'"head"', '"arm.L"'} & {note.split()[0] for note in report.notes}


def test_goals_below_unevenly_scaled_bones(rig: bpy.types.Object) -> None:
    for frame, scale in ((1, (1.0, 1.3, 0.8)), (11, (1.2, 1.0, 1.0))):
        for name in ("chest", "arm.L"):
            rig.pose.bones[name].scale = scale
            rig.pose.bones[name].keyframe_insert("scale", frame=frame)
    add_goal(rig, "POSITION", bone="forearm.L", head_tail=1.0, point=POINT)
    report = run(rig)
    for frame in FRAMES:
        place = Body(rig, frame).point("forearm.L", 1.0)
        np.testing.assert_allclose(place, POINT, atol=METRES)
    assert any('"chest" has non-uniform scale' in note for note in report.notes)


# Reports


def test_the_report_agrees_with_the_pose_shown_by_blender(rig: bpy.types.Object) -> None:
    """Errors in millimetres and degrees, the worst frame, and preferences as such."""
    far = POINT + np.array([2.0, 0.0, 0.0])
    add_goal(rig, "POSITION", name="far", point=far, **ON_HAND)
    add_goal(rig, "LOOK_AT", name="look", bone="head", point=POINT, is_preference=True)
    add_goal(rig, "DISPLACEMENT", name="stay")
    add_goal(rig, "POSITION", name="never", bone="head", influence=0.0)
    report = run(rig)
    position, look, stay, never = report.goals
    bodies = [Body(rig, frame) for frame in FRAMES]
    apart = [1000.0 * float(np.linalg.norm(hand(body) - far)) for body in bodies]
    assert position.unit == "mm"
    assert position.mean == pytest.approx(np.mean(apart), abs=0.1)
    assert position.worst == pytest.approx(max(apart), abs=0.1)
    assert position.worst_frame == FRAMES[int(np.argmax(apart))]
    assert position.reached == 0
    off = [degrees_between(b.axis("head", (0, 1, 0)), POINT - b.point("head")) for b in bodies]
    assert look.unit == stay.unit == "degrees"
    assert look.worst == pytest.approx(max(off), abs=0.02)
    assert "look: a preference" in str(look)
    assert str(never) == "never: inactive in all frames"
    assert report.missed == (position,)
    assert "far: missed in 3 of 3 frames" in report.summary()
    assert [str(goal) for goal in report.goals] == report.lines()[1:5]


# Goals that cannot be solved


@pytest.mark.parametrize(
    ("type_", "values", "sentence"),
    [
        ("POSITION", {}, 'The goal "reach" has no bone: choose a bone'),
        ("POSITION", {"bone": "tail"}, 'refers to the bone "tail", which does not exist'),
        (
            "DISTANCE",
            {"bone": "head", "other_bone": "tail"},
            'the other bone "tail", which does not',
        ),
        ("JOINT_FUNCTION", {"bone": "head"}, "no other bone: choose the bone to follow"),
        ("POLE", {"bone": "hips"}, 'The bone "hips" of the goal "reach" has no parent'),
        ("LOOK_AT", {"bone": "head", "axis": (0, 0, 0)}, 'The Axis of the goal "reach" is a zero'),
        ("PLANE", {"bone": "head", "direction": (0, 0, 0)}, "The Direction of the goal"),
        (
            "POSITION",
            {"bone": "head", "use_frame_range": True, "frame_start": 9, "frame_end": 4},
            "ends at frame 4, before it starts at frame 9",
        ),
        ("JOINT_VALUE", {"bone": "shin.L", "joint_axis": "Y"}, 'the Y rotation of "shin.L"'),
    ],
)
def test_refusals_name_the_goal(
    rig: bpy.types.Object, type_: str, values: dict[str, Any], sentence: str
) -> None:
    rig.pose.bones["shin.L"].lock_ik_y = True
    action = rig.animation_data.action
    add_goal(rig, type_, name="reach", **values)
    with pytest.raises(RigError, match=sentence) as error:
        run(rig)
    assert "reach" in str(error.value)
    assert rig.animation_data.action is action


def test_balance_without_feet_needs_a_target() -> None:
    rig = add_armature()
    add_chain(rig, 3)
    add_goal(rig, "BALANCE", name="stand")
    with pytest.raises(RigError, match='"stand" has no target, and no feet'):
        run(rig)
