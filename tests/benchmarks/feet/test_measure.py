"""The measure of foot placement: errors of known size are what it finds."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

import bpy
import numpy as np
import pytest

from benchmarks.feet import child as feet_child
from benchmarks.feet import scenes as feet_scenes
from benchmarks.feet.ground_rays import GroundRays
from benchmarks.feet.measure import Feet, upper_bones
from benchmarks.feet.poses import BALL, sole_points
from benchmarks.feet.scenes import FeetScene
from benchmarks.feet.stands import find_stands
from blender_bioik.rig.blender import fcurves

RATIOS = ("jerk", "jerk_legs", "acceleration", "acceleration_legs", "knee", "swing")


def key_way(thing: Any, way: float, first: int, last: int) -> None:
    """Let an object move along X at an even pace."""
    for frame, x in ((first, 0.0), (last, way)):
        thing.location.x = x
        thing.keyframe_insert("location", index=0, frame=frame)
    for curve in fcurves.curves_by_channel(fcurves.assigned_container(thing)).values():
        for key in curve.keyframe_points:
            key.interpolation = "LINEAR"


@pytest.fixture
def walk() -> FeetScene:
    return feet_scenes.build("walk.flat")


@pytest.fixture
def carried_walk(walk: FeetScene) -> tuple[FeetScene, Any]:
    """The walk on the flat floor, carried by an empty that can be moved without keys."""
    carrier = bpy.data.objects.new("Carrier", None)
    walk.scene.collection.objects.link(carrier)
    walk.clip.armature.parent = carrier
    return walk, carrier


@pytest.mark.parametrize("clip", ["walk", "run", "trot"])
def test_an_unchanged_clip_on_its_own_floor_has_no_errors(clip: str) -> None:
    found = feet_child.judge(feet_scenes.build(f"{clip}.flat"))
    assert {name: getattr(found, name) for name in RATIOS} == pytest.approx(
        dict.fromkeys(RATIOS, 1.0), abs=1e-4
    )
    for name in (
        "drift",
        "drift_all_worst",
        "penetration",
        "mesh",
        "height",
        "yaw",
        "pelvis",
        "upper",
    ):
        assert getattr(found, name) < 0.01, name
    assert found.legs == found.unreached == found.off_ground == 0
    assert found.stands >= 8


def test_sunk_feet(carried_walk: tuple[FeetScene, Any]) -> None:
    built, carrier = carried_walk
    carrier.location.z = -0.005
    found = feet_child.judge(built)
    assert found.penetration == pytest.approx(5.0, abs=0.01)
    assert found.mesh == pytest.approx(5.0, abs=0.01)
    assert found.height == pytest.approx(5.0, abs=0.01)
    assert found.drift_worst < 0.01
    assert found.jerk == pytest.approx(1.0, abs=1e-4)


def test_meshes_are_in_what_sole_points_are_beside(walk: FeetScene) -> None:
    """A thin post amid the path of a foot, and a riser that toes are a little behind."""
    last = max(stand.stop for stand in walk.stands)
    place = walk.mesh.source[0][min(last, len(walk.mesh.source[0]) - 1)]
    lowest = place[place[:, 2].argmin()]
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=(*lowest[:2], 0.0))
    post = bpy.context.object
    post.scale = (0.004, 0.004, 0.06)
    bpy.context.view_layer.update()
    found = feet_child.judge(replace(walk, grounds=[*walk.grounds, post]))
    # The shortest way out of it is sideways.
    assert 0.0 < found.mesh <= 2.0


def test_floating_feet_do_not_penetrate(carried_walk: tuple[FeetScene, Any]) -> None:
    built, carrier = carried_walk
    carrier.location.z = 0.005
    found = feet_child.judge(built)
    assert found.penetration == 0.0
    assert found.height == pytest.approx(5.0, abs=0.01)


def test_sliding_feet(carried_walk: tuple[FeetScene, Any]) -> None:
    built, carrier = carried_walk
    rows = len(built.source.matrices)
    key_way(carrier, 0.0005 * (rows - 1), built.clip.first, built.clip.last)
    found = feet_child.judge(built)
    # A stand of twelve frames is judged without two at each end: seven steps of half a millimetre.
    assert found.drift_worst == pytest.approx(0.5 * 7 * 0.5, abs=0.01)
    assert found.drift == pytest.approx(found.drift_worst, rel=0.05)


def test_feet_that_move_with_the_ground_do_not_slide(
    carried_walk: tuple[FeetScene, Any],
) -> None:
    built, carrier = carried_walk
    key_way(carrier, 0.3, built.clip.first, built.clip.last)
    key_way(built.grounds[0], 0.3, built.clip.first, built.clip.last)
    found = feet_child.judge(built)
    assert found.drift_worst < 0.01
    assert found.penetration < 0.01


def test_a_turned_and_shifted_body(carried_walk: tuple[FeetScene, Any]) -> None:
    built, carrier = carried_walk
    carrier.location.x = 0.02
    found = feet_child.judge(built)
    assert found.pelvis == pytest.approx(20.0, abs=0.01)
    assert max(found.upper, found.yaw) < 1e-6
    carrier.rotation_euler.z = np.radians(3.0)
    found = feet_child.judge(built)
    assert found.yaw == pytest.approx(3.0, abs=0.01)
    assert found.upper == pytest.approx(3.0, abs=0.01)
    assert found.legs == pytest.approx(3.0, abs=0.01)


def test_size_scales_motion_but_not_angles(
    carried_walk: tuple[FeetScene, Any],
) -> None:
    built, carrier = carried_walk
    carrier.scale = (0.5, 0.5, 0.5)
    found = feet_child.judge(built)
    expected = dict.fromkeys(RATIOS, 0.5) | {"knee": 1.0}
    measured = {name: getattr(found, name) for name in RATIOS}
    assert measured == pytest.approx(expected, abs=1e-4)


def test_a_shaken_knee_shows_in_the_ratios(walk: FeetScene) -> None:
    before = feet_child.judge(walk)
    shin = walk.clip.armature.pose.bones["shin.L"]
    shake = shin.constraints.new("TRANSFORM")
    shake.target, shake.map_to, shake.use_motion_extrapolate = walk.grounds[0], "ROTATION", True
    shake.owner_space = "LOCAL"
    for frame in range(walk.clip.first, walk.clip.last + 1):
        shake.influence = float(frame % 2)
        shake.keyframe_insert("influence", frame=frame)
    shake.to_min_x_rot = np.radians(2.0)
    found = feet_child.judge(walk)
    assert found.knee > before.knee * 1.05
    assert found.jerk_legs > 1.5
    assert 1.02 < found.jerk < found.jerk_legs
    assert found.upper == 0.0


def test_upper_body_is_everything_that_hangs_on_the_pelvis_but_the_legs(walk: FeetScene) -> None:
    upper = upper_bones(walk.clip)
    assert {"spine", "head", "hand.L", "thumb.02.R"} <= set(upper)
    assert not {"hips", "thigh.L", "toe.R"} & set(upper)


def test_legs_that_are_too_short_are_distinguished_from_sliding_ones() -> None:
    placed = feet_child.place("walk.slope", feet_child.PLACERS["stock"])
    assert placed.feet.unreached > 5
    assert placed.feet.drift_all_worst > 5.0
    assert placed.feet.penetration > 10.0
    assert placed.feet.knee > 2.0


def test_where_it_is_deepest(walk: FeetScene) -> None:
    stone = bpy.data.meshes.new("Stone")
    x, y = sole_points(walk.clip, walk.source)[0, 8, BALL, :2]
    corners = [(x + dx, y + dy, 0.04) for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    middle = np.array([x, y, 0.04])
    corners = [tuple(middle + 0.01 * (np.array(corner) - middle)) for corner in corners]
    stone.from_pydata(corners, [], [(0, 1, 2, 3)])
    walk.grounds.append(bpy.data.objects.new("Stone", stone))
    walk.scene.collection.objects.link(walk.grounds[-1])
    found = feet_child.judge(walk)
    assert found.penetration == pytest.approx(40.0, abs=0.01)
    assert found.deepest[1:] == ("leg.L", "ball")
    assert walk.clip.first + 3 <= found.deepest[0] < walk.clip.first + 15


def test_ground_is_what_is_below_the_knee(walk: FeetScene) -> None:
    roof = walk.grounds[0].copy()
    roof.location.z = 2.2
    walk.scene.collection.objects.link(roof)
    found = feet_child.judge(replace(walk, grounds=[*walk.grounds, roof]))
    assert asdict(found) == asdict(feet_child.judge(walk))


def test_rays_follow_a_lift() -> None:
    built = feet_scenes.build("walk.lift")
    first, last = built.clip.first, built.clip.last
    rays = GroundRays(built.scene, built.grounds, [first, (first + last) // 2 + 13, last])
    below = np.array([[[[0.0, -4.0, 1.0]]] * 3]).reshape(1, 3, 1, 3)
    heights, index = rays.heights(below, np.full((1, 3), 1.0))
    assert heights[0, 0, 0] == pytest.approx(0.0)
    assert 0.05 < heights[0, 1, 0] < 0.45
    assert heights[0, 2, 0] == pytest.approx(0.5)
    assert set(index.ravel()) == {1}


def test_a_path_without_ground_is_counted(carried_walk: tuple[FeetScene, Any]) -> None:
    built, carrier = carried_walk
    carrier.location.x = 100.0
    found = feet_child.judge(built)
    assert found.off_ground == 2 * 3 * len(built.source.matrices)
    assert found.height == np.inf


class TestStands:
    @pytest.mark.parametrize("clip", ["walk", "run"])
    def test_those_of_generated_clips(self, clip: str) -> None:
        built = feet_scenes.build(f"{clip}.flat")
        points = sole_points(built.clip, built.source)
        for number in range(2):
            found = find_stands(points[number, :, BALL], built.source.fps, 1.0)
            exact = [(s.first, s.stop) for s in built.stands if s.foot == number]
            assert len(found) >= len(exact)
            for first, stop in exact:
                assert any(abs(a - first) <= 3 and abs(b - stop) <= 3 for a, b in found), (
                    first,
                    stop,
                    found,
                )

    def test_noise_does_not_cut_them(self) -> None:
        path, exact = self.steps(np.random.default_rng(1).normal(0.0, 0.001, (400, 3)))
        found = find_stands(path, 120.0, 1.0)
        assert len(found) == len(exact)
        assert np.abs(np.array(found) - exact).max() <= 6

    def test_a_floor_that_rises_does_not_hide_them(self) -> None:
        rising = np.zeros((400, 3))
        rising[:, 2] = np.linspace(0.0, 0.07, 400)
        path, exact = self.steps(rising)
        assert len(find_stands(path, 120.0, 1.0)) == len(exact)

    def test_a_foot_that_slides_or_hovers_does_not_stand(self) -> None:
        sliding = np.zeros((240, 3))
        sliding[:, 0] = np.linspace(0.0, 1.0, 240)
        assert find_stands(sliding, 120.0, 1.0) == []
        hovering = np.zeros((400, 3))
        hovering[150:250, 2] = 0.1
        assert all(stop <= 152 or first >= 248 for first, stop in find_stands(hovering, 120.0, 1.0))

    @staticmethod
    def steps(noise: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Stands of 70 frames with swings of 40 between them."""
        path, exact, at = noise.copy(), [], 0.0
        for first in range(0, 400, 110):
            stop = min(first + 70, 400)
            path[first:stop, 0] += at
            exact.append((first, stop))
            share = (np.arange(min(40, max(0, 400 - stop))) + 1) / 41
            path[stop : stop + 40, 0] += at + 1.2 * share**2 * (3 - 2 * share)
            path[stop : stop + 40, 2] += 0.1 * np.sin(np.pi * share)
            at += 1.2
        return path, np.array(exact)


def test_feet_are_plain_numbers(walk: FeetScene) -> None:
    found = feet_child.judge(walk)
    assert isinstance(found, Feet)
    for name, value in asdict(found).items():
        assert isinstance(value, int | float | tuple), name
