"""Parts of generated characters that rest above the floor: on rails, tables, walls and benches.

Tests of: motion.rests.resting, rig.contacts.read_resting, rig.problem.resting_body,
rig.judge.turned.
"""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from numpy.typing import NDArray

import zoo
from blender_bioik.rig.bake.bake import BakeOptions
from blender_bioik.rig.blender import fcurves
from blender_bioik.rig.feet.place_feet import place_feet
from blender_bioik.rig.judge.judge_action import judge_action
from blender_bioik.rig.record.bake_record import stored_inputs
from blender_bioik.rig.report.foot_report import FootReport
from blender_bioik.rig.watch.quick_changes import quick_inputs
from zoo import props
from zoo.blender import Built

from ...builders.floor_clips import plane

MILLIMETRE = 1e-3
# Vertices of a hull stand for the mesh, and hands are as far from things as in the clip.
NEAR = 4 * MILLIMETRE


def scene(clip: Built, rise: float) -> list[bpy.types.Object]:
    """A floor with what the actor used, higher or lower than in the clip."""
    assert clip.motion is not None
    boxes = props.add(clip.motion)
    for box in boxes:
        box.location.z = rise * clip.truth.height / 1.6
    return [plane(), *boxes]


def placed(clip: Built, *grounds: bpy.types.Object) -> FootReport:
    settings = clip.armature.bioik.feet
    settings.plot = settings.markers = False
    bpy.context.view_layer.update()
    options = BakeOptions(clip.first, clip.last)
    settings.grounds.clear()
    for ground in grounds:
        settings.grounds.add().object = ground
    return place_feet(bpy.context.scene, clip.armature, options)


def vertices(clip: Built, bone: str, row: int) -> NDArray[np.float64]:
    """World places of the vertices that a bone carries, as Blender evaluates them."""
    bpy.context.scene.frame_set(clip.first + row)
    depsgraph = bpy.context.evaluated_depsgraph_get()
    found = []
    for thing in clip.meshes:
        group = thing.vertex_groups.get(bone)
        if group is None:
            continue
        evaluated = thing.evaluated_get(depsgraph)
        found += [
            evaluated.matrix_world @ evaluated.data.vertices[vertex.index].co
            for vertex in thing.data.vertices
            if any(each.group == group.index and each.weight > 0.5 for each in vertex.groups)
        ]
    return np.array(found)


def apart(clip: Built, bone: str, row: int, boxes: list[bpy.types.Object]) -> float:
    """Distance of what a bone carries from boxes, metres; negative inside of one."""
    points = vertices(clip, bone, row)
    least = np.inf
    for box in boxes:
        corners = np.array([box.matrix_world @ vertex.co for vertex in box.data.vertices])
        low, high = corners.min(axis=0), corners.max(axis=0)
        outside = np.maximum(low - points, points - high)
        away = np.linalg.norm(np.maximum(outside, 0.0), axis=1)
        signed = np.where((outside < 0.0).all(axis=1), outside.max(axis=1), away)
        least = min(least, float(signed.min()))
    return least


def head(clip: Built, bone: str, row: int) -> NDArray[np.float64]:
    bpy.context.scene.frame_set(clip.first + row)
    return np.array(clip.armature.matrix_world @ clip.armature.pose.bones[bone].head)


def keys(clip: Built) -> dict[tuple[str, int], NDArray[np.float32]]:
    container = fcurves.assigned_container(clip.armature)
    assert container is not None
    found = {}
    for curve in container.fcurves:
        values = np.empty(2 * len(curve.keyframe_points), np.float32)
        curve.keyframe_points.foreach_get("co", values)
        found[curve.data_path, curve.array_index] = values
    return found


def middles(clip: Built, bone: str) -> list[range]:
    """Rows amid the touches of a bone."""
    touches = [touch for touch in clip.truth.touches if touch.bone == bone]
    found = []
    for touch in touches:
        cut = (touch.stop - touch.first) // 5 + 1
        found.append(range(touch.first + cut, touch.stop - cut, 3))
    return [rows for rows in found if len(rows)]


def check_touches(clip: Built, bone: str, boxes: list[bpy.types.Object], size: float) -> None:
    """A bone's mesh touches boxes, is not in them, and stays where it is."""
    assert middles(clip, bone)
    for rows in middles(clip, bone):
        gaps = [apart(clip, bone, row, boxes) for row in rows]
        assert max(gaps) < NEAR * size
        assert min(gaps) > -NEAR * size
        places = np.array([head(clip, bone, row) for row in rows])
        assert np.ptp(places[:, :2], axis=0).max() < MILLIMETRE * size


@pytest.mark.parametrize(
    ("motion", "rise", "bones"),
    [
        ("hand_on_rail", 0.07, ("hand.L",)),
        ("hand_on_rail", -0.06, ("hand.L",)),
        ("hand_along_rail", 0.05, ("hand.L",)),
        ("hands_on_table", 0.08, ("hand.L", "hand.R")),
        ("hands_on_table", -0.04, ("hand.L", "hand.R")),
        ("hand_on_wall", 0.0, ("hand.R",)),
        ("ladder", 0.05, ("hand.L", "hand.R")),
    ],
)
def test_hands_go_to_what_the_scene_has(motion: str, rise: float, bones: tuple[str, ...]) -> None:
    clip = zoo.build("plain", motion)
    ground, *boxes = scene(clip, rise)
    report = placed(clip, ground, *boxes)
    assert {part.name for part in report.parts} == set(bones)
    for bone in bones:
        check_touches(clip, bone, boxes, 1.0)


@pytest.mark.parametrize(("character", "rise"), [("tiny", 0.06), ("giant", -0.05)])
def test_it_is_in_proportion_to_the_character(character: str, rise: float) -> None:
    clip = zoo.build(character, "hand_on_rail")
    ground, *boxes = scene(clip, rise)
    ground.scale *= max(1.0, clip.truth.height)
    placed(clip, ground, *boxes)
    check_touches(clip, clip.body.named("hand.L"), boxes, clip.truth.height / 1.6)


@pytest.mark.parametrize("rise", [0.06, -0.05])
def test_a_seat_goes_to_a_higher_or_lower_bench(rise: float) -> None:
    clip = zoo.build("plain", "sit")
    rows = range(60, 90, 5)
    before = [vertices(clip, "chest", row).mean(axis=0) for row in rows]
    ground, *boxes = scene(clip, rise)
    report = placed(clip, ground, *boxes)
    assert {part.name for part in report.parts} == {"seat"}
    assert abs(max(apart(clip, "hips", row, boxes) for row in rows)) < NEAR
    assert min(apart(clip, "hips", row, boxes) for row in rows) > -NEAR
    after = [vertices(clip, "chest", row).mean(axis=0) for row in rows]
    assert np.array(after) - before == pytest.approx(
        np.tile([0.0, 0.0, rise], (len(before), 1)), abs=NEAR
    )
    for row in range(10, 90, 10):
        assert vertices(clip, "foot.L", row)[:, 2].min() == pytest.approx(0.0, abs=NEAR)


def test_without_things_near_by_nothing_changes() -> None:
    clip = zoo.build("plain", "hand_on_rail")
    ground, *boxes = scene(clip, 0.3)
    source = clip.armature.animation_data.action
    report = placed(clip, ground, *boxes)
    assert report.parts == ()
    found = keys(clip)
    clip.armature.animation_data.action = source
    clip.armature.bioik.feet.body_contacts = False
    placed(clip, ground)
    only_feet = keys(clip)
    assert found.keys() == only_feet.keys()
    assert all((found[name] == only_feet[name]).all() for name in found)


def test_hands_stay_with_the_body_without_body_contacts() -> None:
    clip = zoo.build("plain", "hand_on_rail")
    before = head(clip, "hand.L", 50)
    clip.armature.bioik.feet.body_contacts = False
    report = placed(clip, *scene(clip, 0.06))
    assert report.parts == ()
    assert head(clip, "hand.L", 50) == pytest.approx(before, abs=MILLIMETRE)


@pytest.mark.parametrize("motion", ["walk", "sit"])
def test_hands_that_hang_hold_nothing(motion: str) -> None:
    """A wall passes the hand of a walk, and a bench is beside those of somebody who sits."""
    clip = zoo.build("plain", motion)
    ground, *boxes = scene(clip, 0.0)
    wall = plane()
    wall.matrix_world = [[0, 0, 1, 0.36], [0, 1, 0, 0], [-1, 0, 0, 0], [0, 0, 0, 1]]
    report = placed(clip, ground, wall, *boxes)
    assert not {part.name for part in report.parts} & {"hand.L", "hand.R"}


def test_a_hand_goes_along_with_a_moving_rail() -> None:
    """A deck moves with all that is on it."""
    clip = zoo.build("plain", "hand_on_rail")
    grounds = scene(clip, 0.06)
    for thing in grounds:
        thing.location.x = 0.0
        thing.keyframe_insert("location", index=0, frame=clip.first)
        thing.location.x = 0.3
        thing.keyframe_insert("location", index=0, frame=clip.last)
    placed(clip, *grounds)
    offsets = []
    for row in range(10, 90, 10):
        assert abs(apart(clip, "hand.L", row, grounds[1:])) < NEAR
        offsets.append(head(clip, "hand.L", row)[0] - grounds[1].matrix_world.translation.x)
    assert np.ptp(offsets) < MILLIMETRE


def test_what_rests_is_told_and_judged() -> None:
    clip = zoo.build("plain", "hand_on_rail")
    source = clip.armature.animation_data.action
    report = placed(clip, *scene(clip, 0.06))
    assert report.good
    assert any("hand.L rests" in line and "above the floor" in line for line in report.lines())
    contacts = clip.armature.bioik.feet.contacts
    assert {contact.point for contact in contacts if contact.foot == "hand.L"} == {"PART"}
    frames = range(clip.first, clip.last + 1)
    result = clip.armature.animation_data.action
    judged = judge_action(bpy.context.scene, clip.armature, source, result, frames)
    assert judged.good


def test_nothing_has_changed_after_placing() -> None:
    clip = zoo.build("plain", "hand_on_rail")
    placed(clip, *scene(clip, 0.06))
    before = stored_inputs(clip.armature)
    assert before is not None
    now = quick_inputs(bpy.context.scene, clip.armature, before)
    assert now is not None
    assert not before.changed(now).any()


def test_edited_contacts_are_held_where_they_are_said_to_be() -> None:
    clip = zoo.build("plain", "hand_along_rail")
    grounds = scene(clip, 0.06)
    source = clip.armature.animation_data.action
    placed(clip, *grounds)
    clip.armature.animation_data.action = source
    settings = clip.armature.bioik.feet
    for number in reversed(range(len(settings.contacts))):
        if settings.contacts[number].foot == "hand.L" and settings.contacts[number].frame_end > 25:
            settings.contacts.remove(number)
    settings.contacts_edited = True
    report = placed(clip, *grounds)
    (hand,) = report.parts
    assert hand.quality.held == hand.quality.frames < 25
    assert abs(apart(clip, "hand.L", 8, grounds[1:])) < NEAR
    assert apart(clip, "hand.L", 65, grounds[1:]) < -NEAR
