"""Contacts that are detected, listed and edited, with those above the floor."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

import zoo
from blender_bioik.rig.bake.bake import BakeOptions
from blender_bioik.rig.blender import fcurves
from blender_bioik.rig.feet.place_feet import place_feet
from blender_bioik.rig.report.foot_report import FootReport
from blender_bioik.rig.transforms import Floats
from zoo import props
from zoo.blender import Built

from ...builders.floor_clips import plane

Listed = list[tuple[str, str, int, int, bool]]


def on_ground(clip: Built, rise: float) -> list[bpy.types.Object]:
    """Choose a floor and what the actor used, higher or lower, as ground."""
    assert clip.motion is not None
    boxes = props.add(clip.motion)
    for box in boxes:
        box.location.z = rise
    settings = clip.armature.bioik.feet
    settings.plot = settings.markers = False
    for thing in (plane(), *boxes):
        settings.grounds.add().object = thing
    bpy.context.view_layer.update()
    return boxes


def detected(clip: Built) -> Listed:
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = clip.first, clip.last
    bpy.context.view_layer.objects.active = clip.armature
    bpy.ops.bioik.find_contacts()
    return listed(clip)


def listed(clip: Built) -> Listed:
    contacts = clip.armature.bioik.feet.contacts
    return [(c.foot, c.point, c.frame_start, c.frame_end, c.slides) for c in contacts]


def placed(clip: Built) -> FootReport:
    return place_feet(bpy.context.scene, clip.armature, BakeOptions(clip.first, clip.last))


def keys(clip: Built) -> dict[tuple[str, int], Floats]:
    container = fcurves.assigned_container(clip.armature)
    assert container is not None
    frames = np.arange(clip.first, clip.last + 1, dtype=float)
    return fcurves.sample_curves(container, frames, lambda path: True)


def head(clip: Built, bone: str, row: int) -> Floats:
    bpy.context.scene.frame_set(clip.first + row)
    return np.array(clip.armature.matrix_world @ clip.armature.pose.bones[bone].head)


@pytest.mark.parametrize(
    ("motion", "rise", "parts"),
    [
        ("hand_on_rail", 0.06, {"hand.L"}),
        ("hand_along_rail", 0.05, {"hand.L"}),
        ("hands_on_table", -0.04, {"hand.L", "hand.R"}),
        ("ladder", 0.05, {"hand.L", "hand.R"}),
        ("sit", 0.06, {"seat"}),
    ],
)
def test_what_placing_holds_is_listed_before_and_after(
    motion: str, rise: float, parts: set[str]
) -> None:
    clip = zoo.build("plain", motion)
    on_ground(clip, rise)
    source = clip.armature.animation_data.action
    before = detected(clip)
    assert {foot for foot, *_ in before} == parts | {"leg.L", "leg.R"}
    placed(clip)
    assert listed(clip) == before
    free = keys(clip)
    clip.armature.animation_data.action = source
    clip.armature.bioik.feet.contacts_edited = True
    placed(clip)
    assert listed(clip) == before
    told = keys(clip)
    assert told.keys() == free.keys()
    assert all(told[name] == pytest.approx(free[name], abs=1e-6) for name in told)


def test_without_a_ground_only_contacts_with_the_floor_are_listed() -> None:
    clip = zoo.build("plain", "hand_on_rail")
    assert {foot for foot, *_ in detected(clip)} == {"leg.L", "leg.R"}


def test_with_an_unusable_ground_contacts_with_the_floor_are_listed() -> None:
    clip = zoo.build("plain", "hand_on_rail")
    empty = bpy.data.objects.new("Empty", None)
    bpy.context.scene.collection.objects.link(empty)
    clip.armature.bioik.feet.grounds.add().object = empty
    assert {foot for foot, *_ in detected(clip)} == {"leg.L", "leg.R"}


def test_a_hold_that_is_removed_from_the_list_is_none() -> None:
    clip = zoo.build("plain", "hand_on_rail")
    before = head(clip, "hand.L", 50)
    on_ground(clip, 0.06)
    listing = detected(clip)
    settings = clip.armature.bioik.feet
    settings.active_contact = [foot for foot, *_ in listing].index("hand.L")
    bpy.ops.bioik.remove_contact()
    report = placed(clip)
    assert report.parts == ()
    assert head(clip, "hand.L", 50) == pytest.approx(before, abs=1e-3)


def test_a_hold_that_is_added_to_the_list_is_held() -> None:
    clip = zoo.build("plain", "hand_on_rail")
    before = head(clip, "hand.L", 50)
    on_ground(clip, 0.06)
    listing = detected(clip)
    settings = clip.armature.bioik.feet
    settings.contacts.remove([foot for foot, *_ in listing].index("hand.L"))
    bpy.context.scene.frame_set(clip.first + 40)
    bpy.ops.bioik.add_contact(foot="hand.L", frames=20)
    report = placed(clip)
    (hand,) = report.parts
    assert hand.quality.held == hand.quality.frames == 20
    assert head(clip, "hand.L", 50) == pytest.approx(before + np.array([0.0, 0.0, 0.06]), abs=5e-3)


def test_a_hold_that_slides_stays_where_what_it_holds_moves() -> None:
    """The rail moves on a floor that does not: a hand that holds it goes along."""
    ways = {}
    for slides in (False, True):
        clip = zoo.build("plain", "hand_on_rail")
        (rail,) = on_ground(clip, 0.06)
        for frame, place in ((clip.first, 0.0), (clip.last, 0.2)):
            rail.location.y = place
            rail.keyframe_insert("location", index=1, frame=frame)
        detected(clip)
        for contact in clip.armature.bioik.feet.contacts:
            if contact.foot == "hand.L":
                contact.slides = slides
        placed(clip)
        hands, rails = [], []
        for row in range(10, 90, 10):
            hands.append(head(clip, "hand.L", row)[1])
            rails.append(rail.matrix_world.translation.y)
        ways[slides] = np.ptp(hands), np.ptp(np.subtract(hands, rails))
        clip.armature.animation_data_clear()
    assert ways[False][1] < 1e-3
    assert ways[True][0] < 0.03
