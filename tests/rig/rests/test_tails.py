"""Tails that drag over or lie on the source's floor, or that the ground would reach."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
import pytest

import zoo
from blender_bioik.rig.bake.bake import BakeOptions
from blender_bioik.rig.controls.moved_bones import moved_mapping
from blender_bioik.rig.feet.place_feet import place_feet
from blender_bioik.rig.report.foot_report import FootReport
from zoo.blender import Built

from ...builders.floor_clips import plane
from ...builders.walkers import keys_of

MILLIMETRE = 1e-3
TAIL = tuple(f"tail{number}" for number in range(1, 7))
LOW = TAIL[2:]


def placed(clip: Built, slope: float, first: int, last: int) -> FootReport:
    """The clip on a slope that goes down ahead, degrees."""
    ground = plane()
    ground.rotation_euler.x = np.radians(slope)
    settings = clip.armature.bioik.feet
    settings.plot = settings.markers = False
    settings.grounds.clear()
    settings.grounds.add().object = ground
    bpy.context.view_layer.update()
    return place_feet(bpy.context.scene, clip.armature, BakeOptions(first, last))


def gaps(clip: Built, bones: tuple[str, ...], slope: float, frame: int) -> list[float]:
    """How far the lowest vertex of each bone is above a slope."""
    bpy.context.scene.frame_set(frame)
    depsgraph = bpy.context.evaluated_depsgraph_get()
    (skin,) = clip.meshes
    evaluated = skin.evaluated_get(depsgraph)
    rise = np.tan(np.radians(slope))
    found = []
    for bone in bones:
        group = skin.vertex_groups[bone].index
        own = [
            evaluated.matrix_world @ evaluated.data.vertices[vertex.index].co
            for vertex in skin.data.vertices
            if any(each.group == group and each.weight > 0.5 for each in vertex.groups)
        ]
        found.append(min(float(co.z - rise * co.y) for co in own) * np.cos(np.radians(slope)))
    return found


@pytest.mark.parametrize(
    ("character", "tail"),
    [
        ("plain", ()),
        ("quadruped", ("tail1", "tail2")),
        ("lizard", TAIL),
        ("rex", TAIL[:5]),
        ("cloaked", ()),
    ],
)
def test_tails_are_found(character: str, tail: tuple[str, ...]) -> None:
    assert moved_mapping(zoo.build(character).armature).tail == tail


def test_a_tail_without_a_name_is_found_behind_four_legs() -> None:
    clip = zoo.build("quadruped_nameless")
    names = tuple(clip.body.named(role) for role in ("tail1", "tail2"))
    assert moved_mapping(clip.armature).tail == names


def test_bones_of_a_tail_can_be_chosen_and_left_out() -> None:
    armature = zoo.build("lizard").armature
    for bone in TAIL[:3]:
        entry = armature.bioik.slots.add()
        entry.name, entry.bone = "tail", bone
    assert moved_mapping(armature).tail == TAIL[:3]
    armature.bioik.slots.clear()
    armature.bioik.slots.add().name = "tail"
    assert moved_mapping(armature).tail == ()
    armature.bioik.slots.clear()
    entry = armature.bioik.slots.add()
    entry.name, entry.bone = "neck", TAIL[3]
    assert moved_mapping(armature).tail == TAIL[:3]


@pytest.mark.parametrize("slope", [-12.0, 12.0])
def test_a_tail_that_drags_goes_with_the_slope(slope: float) -> None:
    clip = zoo.build("lizard", "walk")
    before = {frame: gaps(clip, LOW[1:], 0.0, frame) for frame in range(1, 121, 20)}
    report = placed(clip, slope, clip.first, clip.last)
    assert {part.name for part in report.parts} == {f"tail {number}" for number in range(3, 7)}
    found = {contact.foot: contact for contact in clip.armature.bioik.feet.contacts}
    assert found["tail 6"].slides
    assert found["tail 6"].point == "PART"
    for frame, expected in before.items():
        assert gaps(clip, LOW[1:], slope, frame) == pytest.approx(expected, abs=5 * MILLIMETRE)


def test_the_body_of_a_character_does_not_rest_on_its_tail() -> None:
    """With and without its tail, the body is at the same place."""
    heads = []
    for tail in (True, False):
        clip = zoo.build("lizard", "walk")
        clip.armature.bioik.feet.body_contacts = tail
        placed(clip, -12.0, clip.first, clip.last)
        bpy.context.scene.frame_set(60)
        heads.append(np.array(clip.armature.pose.bones["chest"].head))
        bpy.data.objects.remove(clip.armature)
    assert heads[0] == pytest.approx(heads[1], abs=6 * MILLIMETRE)


def test_a_tail_that_lies_still_is_held() -> None:
    clip = zoo.build("lizard")
    armature = clip.armature
    bone = armature.pose.bones["chest"]
    for frame in (1, 40):
        bone.keyframe_insert("location", frame=frame)
    report = placed(clip, 10.0, 1, 40)
    assert {part.name for part in report.parts} >= {"tail 5", "tail 6"}
    assert not any(c.slides for c in armature.bioik.feet.contacts if c.foot.startswith("tail"))
    assert gaps(clip, LOW, 10.0, 20) == pytest.approx([0.01] * 4, abs=8 * MILLIMETRE)


@pytest.mark.parametrize("slope", [-15.0, 15.0])
def test_a_tail_that_is_no_contact_is_kept_out_of_the_ground(slope: float) -> None:
    clip = zoo.build("lizard", "walk")
    clip.armature.bioik.feet.body_contacts = False
    report = placed(clip, slope, clip.first, clip.last)
    assert report.parts == ()
    for frame in range(1, 121, 20):
        assert min(gaps(clip, TAIL, slope, frame)) > -5 * MILLIMETRE


def test_a_tail_high_in_the_air_keeps_its_keys() -> None:
    clip = zoo.build("quadruped", "walk")
    before = tail_keys(clip)
    report = placed(clip, 8.0, clip.first, clip.last)
    assert report.parts == ()
    assert tail_keys(clip) == before


def tail_keys(clip: Built) -> dict[tuple[str, int], Any]:
    return {name: keys for name, keys in keys_of(clip.armature).items() if "tail" in name[0]}
