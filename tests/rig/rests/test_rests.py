"""Parts of generated characters that rest: found as the clip was made, and placed on slopes.

Tests of: rig.rests.resting_parts, rig.rests.read_rests, rig.rests.resting_legs,
rig.contacts.detected_contacts, rig.problem.resting_body.
"""

from __future__ import annotations

import bpy
import numpy as np
import pytest

import zoo
from blender_bioik.rig.bake.bake import BakeOptions
from blender_bioik.rig.errors import RigError
from blender_bioik.rig.feet.place_feet import place_feet
from blender_bioik.rig.mapping.mapping import Mapping
from blender_bioik.rig.rebake.rebake import rebake
from blender_bioik.rig.record.bake_record import stored_inputs
from blender_bioik.rig.report.foot_report import FootReport
from blender_bioik.rig.rests.resting_parts import Limb, part_bones, part_names
from blender_bioik.rig.watch.quick_changes import quick_inputs
from zoo.blender import Built

from ...builders.floor_clips import plane

SLOPE = 12.0
MILLIMETRE = 1e-3


def placed(clip: Built, *grounds: bpy.types.Object) -> FootReport:
    for ground in grounds:
        clip.armature.bioik.feet.grounds.add().object = ground
    clip.armature.bioik.feet.plot = clip.armature.bioik.feet.markers = False
    return place_feet(bpy.context.scene, clip.armature, BakeOptions(clip.first, clip.last))


def slope() -> bpy.types.Object:
    ground = plane()
    ground.rotation_euler.x = np.radians(-SLOPE)
    bpy.context.view_layer.update()
    return ground


def lowest_of(clip: Built, bone: str, frame: int) -> np.ndarray:
    """Vertices that a bone carries at a frame, in world space."""
    bpy.context.scene.frame_set(frame)
    depsgraph = bpy.context.evaluated_depsgraph_get()
    places = []
    for thing in clip.meshes:
        group = thing.vertex_groups.get(bone)
        if group is None:
            continue
        own = [
            vertex.index
            for vertex in thing.data.vertices
            if any(entry.group == group.index and entry.weight > 0.5 for entry in vertex.groups)
        ]
        evaluated = thing.evaluated_get(depsgraph)
        places += [evaluated.matrix_world @ evaluated.data.vertices[index].co for index in own]
    return np.array(places)


def stored(clip: Built) -> dict[str, list[tuple[int, int]]]:
    found: dict[str, list[tuple[int, int]]] = {}
    for contact in clip.armature.bioik.feet.contacts:
        found.setdefault(contact.foot, []).append((contact.frame_start, contact.frame_end))
    return {name: sorted(spans) for name, spans in found.items()}


@pytest.fixture
def crawl() -> Built:
    return zoo.build("plain", "crawl")


def test_parts_have_the_names_that_animators_use() -> None:
    slots = {"pelvis": "p", "forearm.L": "f", "hand.L": "h", "upper_arm.L": "u", "head": "k"}
    mapping = Mapping("made", 1.0, slots, spine=("a", "b"))
    legs = [Limb("leg.L", ("t", "s", "o")), Limb("front.R", ("1", "2", "3", "4"))]
    names = {part.bone: part.name for part in part_bones(mapping, legs)}
    assert [names[bone] for bone in "tso"] == ["thigh.L", "knee.L", "foot.L"]
    assert [names[bone] for bone in "1234"] == [
        "front.R thigh",
        "front.R knee",
        "front.R shank 1",
        "front.R foot",
    ]
    assert [names[bone] for bone in "ufh"] == ["upper arm.L", "elbow.L", "hand.L"]
    assert [names[bone] for bone in "pabk"] == ["seat", "back 1", "back 2", "head"]


def test_contacts_of_a_crawl_are_those_that_it_was_made_of(crawl: Built) -> None:
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = crawl.first, crawl.last
    bpy.context.view_layer.objects.active = crawl.armature
    bpy.ops.bioik.find_contacts()
    found = stored(crawl)
    assert set(found) == {"knee.L", "knee.R", "hand.L", "hand.R"}
    assert {contact.point for contact in crawl.armature.bioik.feet.contacts} == {"PART"}
    roles = {"shin": "knee", "hand": "hand"}
    for touch in crawl.truth.touches:
        if touch.stop - touch.first < 4:
            continue
        kind, side = touch.bone.split(".")
        spans = found[f"{roles[kind]}.{side}"]
        first, last = crawl.first + touch.first, crawl.first + touch.stop - 1
        assert any(abs(a - first) <= 4 and abs(b - last) <= 4 for a, b in spans)


def test_a_crawl_goes_up_a_slope_on_hands_and_knees(crawl: Built) -> None:
    report = placed(crawl, slope())
    assert {part.name for part in report.parts} == {"knee.L", "knee.R", "hand.L", "hand.R"}
    rise = -np.tan(np.radians(SLOPE))
    for touch in crawl.truth.touches:
        if touch.stop - touch.first < 10:
            continue
        gaps, heads = [], []
        for row in range(touch.first + 5, touch.stop - 5, 4):
            mesh = lowest_of(crawl, touch.bone, crawl.first + row)
            above = mesh[:, 2] - rise * mesh[:, 1]
            gaps.append(above.min())
            head = crawl.armature.pose.bones[touch.bone].head
            heads.append(np.array(crawl.armature.matrix_world @ head)[:2])
        assert np.min(gaps) > -5 * MILLIMETRE
        if touch.bone.startswith("hand"):
            assert np.max(gaps) < 10 * MILLIMETRE
        assert np.ptp(heads, axis=0).max() < 3 * MILLIMETRE


def test_without_body_contacts_only_feet_are_placed(crawl: Built) -> None:
    crawl.armature.bioik.feet.body_contacts = False
    report = placed(crawl, slope())
    assert report.parts == ()
    assert stored(crawl) == {}


def test_edited_contacts_of_parts_are_used(crawl: Built) -> None:
    feet = crawl.armature.bioik.feet
    bpy.context.view_layer.objects.active = crawl.armature
    bpy.context.scene.frame_set(crawl.first)
    bpy.ops.bioik.add_contact(foot="hand.L", frames=20)
    assert feet.contacts[0].point == "PART"
    report = placed(crawl, slope())
    assert [part.name for part in report.parts] == ["hand.L"]
    assert report.parts[0].quality.frames == 20
    assert feet.contacts[0].foot in part_names(crawl.armature)


def test_a_walk_has_no_other_contacts() -> None:
    clip = zoo.build("plain", "walk")
    report = placed(clip, plane())
    assert report.parts == ()
    assert set(stored(clip)) == {"leg.L", "leg.R"}


@pytest.mark.parametrize("character", ["plain", "bare"])
def test_a_push_up_rests_on_hands_and_feet(character: str) -> None:
    clip = zoo.build(character, "push_up")
    report = placed(clip, slope())
    assert {part.name for part in report.parts} == {"foot.L", "foot.R", "hand.L", "hand.R"}
    assert all(part.quality.drift.max() < MILLIMETRE for part in report.parts)
    assert all(part.quality.sinking.max() < 10 * MILLIMETRE for part in report.parts)
    assert "no foot is planted" not in report.summary()


def test_hands_stay_where_they_are_on_a_moving_deck() -> None:
    clip = zoo.build("plain", "push_up")
    deck = plane()
    for frame, x in ((clip.first, 0.0), (clip.last, 0.3)):
        deck.location.x = x
        deck.keyframe_insert("location", index=0, frame=frame)
    placed(clip, deck)
    offsets = []
    for frame in range(clip.first, clip.last, 10):
        bpy.context.scene.frame_set(frame)
        hand = clip.armature.matrix_world @ clip.armature.pose.bones["hand.L"].head
        offsets.append(hand.x - deck.matrix_world.translation.x)
    assert np.ptp(offsets) < MILLIMETRE


def test_nothing_has_changed_after_placing() -> None:
    clip = zoo.build("plain", "push_up")
    placed(clip, slope())
    before = stored_inputs(clip.armature)
    assert before is not None
    now = quick_inputs(bpy.context.scene, clip.armature, before)
    assert now is not None
    assert not before.changed(now).any()
    with pytest.raises(RigError, match="changed"):
        rebake(bpy.context.scene, clip.armature)


def test_a_moved_contact_of_a_part_is_a_change() -> None:
    clip = zoo.build("plain", "push_up")
    placed(clip, slope())
    before = stored_inputs(clip.armature)
    assert before is not None
    contact = next(c for c in clip.armature.bioik.feet.contacts if c.foot == "hand.L")
    contact.frame_end -= 30
    now = quick_inputs(bpy.context.scene, clip.armature, before)
    assert now is not None
    assert before.changed(now).any()
    report = rebake(bpy.context.scene, clip.armature)
    assert isinstance(report, FootReport)
    (hand,) = (part for part in report.parts if part.name == "hand.L")
    assert hand.quality.frames == len(before.frames) - 30
