"""Arms that end with their forearms, as those of some robots: they rest and bend, too."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from numpy.typing import NDArray

import zoo
from blender_bioik.rig.bake.bake import BakeOptions
from blender_bioik.rig.feet.place_feet import place_feet
from blender_bioik.rig.report.foot_report import FootReport
from zoo import props
from zoo.blender import Built

from ...builders.floor_clips import plane

MILLIMETRE = 1e-3
FOREARMS = ("forearm.L", "forearm.R")


def without_hands(motion: str) -> Built:
    """The plain biped, of which hands and what they carry are removed."""
    clip = zoo.build("plain", motion)
    (skin,) = clip.meshes
    hands = {skin.vertex_groups[f"hand.{side}"].index for side in "LR"}
    gone = [
        vertex.index
        for vertex in skin.data.vertices
        if any(each.group in hands and each.weight > 0.5 for each in vertex.groups)
    ]
    bpy.context.view_layer.objects.active = skin
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="DESELECT")
    bpy.ops.object.mode_set(mode="OBJECT")
    for index in gone:
        skin.data.vertices[index].select = True
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.delete(type="VERT")
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.context.view_layer.objects.active = clip.armature
    bpy.ops.object.mode_set(mode="EDIT")
    for side in "LR":
        clip.armature.data.edit_bones.remove(clip.armature.data.edit_bones[f"hand.{side}"])
    bpy.ops.object.mode_set(mode="OBJECT")
    return clip


def placed(clip: Built, rise: float = 0.0, slope: float = 0.0) -> FootReport:
    assert clip.motion is not None
    boxes, ground = props.add(clip.motion), plane()
    ground.rotation_euler.x = np.radians(-slope)
    for box in boxes:
        box.location.z = rise
    settings = clip.armature.bioik.feet
    settings.plot = settings.markers = False
    for thing in (ground, *boxes):
        settings.grounds.add().object = thing
    bpy.context.view_layer.update()
    return place_feet(bpy.context.scene, clip.armature, BakeOptions(clip.first, clip.last))


def ends(clip: Built, row: int) -> NDArray[np.float64]:
    """Where the forearms end; (2, 3)."""
    bpy.context.scene.frame_set(clip.first + row)
    world, bones = clip.armature.matrix_world, clip.armature.pose.bones
    return np.array([world @ bones[name].tail for name in FOREARMS])


def test_forearms_rest_on_a_slope() -> None:
    clip = without_hands("crawl")
    touches = [touch for touch in clip.truth.touches if touch.bone == "hand.L"]
    touch = max(touches, key=lambda each: each.stop - each.first)
    row = (touch.first + touch.stop) // 2
    before = ends(clip, row)[0]
    report = placed(clip, slope=12.0)
    assert {part.name for part in report.parts} >= set(FOREARMS)
    assert all(part.quality.drift.max() < MILLIMETRE for part in report.parts if "arm" in part.name)
    after = ends(clip, row)[0]
    rise = -np.tan(np.radians(12.0))
    assert after[2] - rise * after[1] == pytest.approx(before[2], abs=25 * MILLIMETRE)


@pytest.mark.parametrize("rise", [-0.04, 0.05])
def test_forearms_rest_on_a_table(rise: float) -> None:
    clip = without_hands("hands_on_table")
    before = ends(clip, 60)
    report = placed(clip, rise=rise)
    assert {part.name for part in report.parts} == set(FOREARMS)
    assert all(part.quality.held for part in report.parts)
    moved = ends(clip, 60) - before
    assert moved[:, 2] == pytest.approx([rise] * 2, abs=25 * MILLIMETRE)
    places = np.array([ends(clip, row) for row in range(45, 80, 5)])
    assert np.ptp(places, axis=0).max() < 10 * MILLIMETRE
