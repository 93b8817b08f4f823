"""Placing again where what hands and other parts rest on has moved; the rest stays.

Tests of: rig.record.ground_sketches.
"""

from __future__ import annotations

import bpy
import numpy as np
import pytest

import zoo
from blender_bioik.rig.bake.bake import BakeOptions
from blender_bioik.rig.errors import RigError
from blender_bioik.rig.feet.place_feet import place_feet
from blender_bioik.rig.rebake.last_bake import NOTHING_CHANGED
from blender_bioik.rig.rebake.rebake import rebake
from blender_bioik.rig.report.foot_report import FootReport
from blender_bioik.rig.transforms import Floats
from zoo import props
from zoo.blender import Built

from ...builders.floor_clips import box, plane
from ...builders.rebakes import frames_changed, key_bytes

RISE = 0.03
MILLIMETRE = 1e-3


def placed(motion: str, *more: bpy.types.Object) -> tuple[Built, list[bpy.types.Object]]:
    """A clip that is placed on a floor and more ground, and what its actor used."""
    clip = zoo.build("plain", motion)
    assert clip.motion is not None
    boxes = props.add(clip.motion)
    settings = clip.armature.bioik.feet
    settings.plot = settings.markers = False
    for thing in (plane(), *more, *boxes):
        settings.grounds.add().object = thing
    bpy.context.view_layer.update()
    place_feet(bpy.context.scene, clip.armature, BakeOptions(clip.first, clip.last))
    return clip, boxes


def path(clip: Built, bone: str) -> Floats:
    """Where a bone is in each frame; (f, 3)."""
    places = []
    for frame in range(clip.first, clip.last + 1):
        bpy.context.scene.frame_set(frame)
        places.append(clip.armature.matrix_world @ clip.armature.pose.bones[bone].head)
    return np.array(places)


@pytest.mark.parametrize(
    ("motion", "bone", "row"),
    [("hand_on_rail", "hand.L", 50), ("hands_on_table", "hand.R", 60), ("sit", "hips", 80)],
)
def test_what_is_held_has_moved(motion: str, bone: str, row: int) -> None:
    clip, boxes = placed(motion)
    before, keys = path(clip, bone), key_bytes(clip.armature)
    boxes[0].location.z += RISE
    bpy.context.view_layer.update()
    report = rebake(bpy.context.scene, clip.armature)
    assert isinstance(report, FootReport)
    assert report.good
    assert path(clip, bone)[row, 2] == pytest.approx(before[row, 2] + RISE, abs=3 * MILLIMETRE)
    assert frames_changed(keys, key_bytes(clip.armature))
    with pytest.raises(RigError, match=NOTHING_CHANGED):
        rebake(bpy.context.scene, clip.armature)


def test_what_moves_away_is_let_go() -> None:
    clip, boxes = placed("hands_on_table")
    boxes[0].location.z -= 0.5
    bpy.context.view_layer.update()
    report = rebake(bpy.context.scene, clip.armature)
    assert isinstance(report, FootReport)
    assert report.parts == ()


def test_a_rail_that_moves_only_at_the_end_leaves_the_hand_on_it_before() -> None:
    clip, (rail,) = placed("hand_on_rail")
    before, keys = path(clip, "hand.L"), key_bytes(clip.armature)
    for frame, height in ((clip.first + 70, 0.0), (clip.last, RISE)):
        rail.location.z = height
        rail.keyframe_insert("location", index=2, frame=frame)
    rebake(bpy.context.scene, clip.armature)
    after = path(clip, "hand.L")
    rails = []
    for frame in range(clip.first, clip.last + 1):
        bpy.context.scene.frame_set(frame)
        rails.append(rail.matrix_world.translation.z)
    assert np.abs(after - before - np.outer(rails, [0.0, 0.0, 1.0])).max() < 3 * MILLIMETRE
    assert frames_changed(keys, key_bytes(clip.armature))[0] > clip.first + 30


def test_what_is_below_hands_far_from_the_feet_matters() -> None:
    """Push-ups with the hands on a low box; around the feet, nothing changes."""
    low = box((0.0, -0.5, 0.0), (0.5, 0.3, 0.02))
    clip, _ = placed("push_up", low)
    before = path(clip, "hand.L")
    low.location.z += RISE
    bpy.context.view_layer.update()
    report = rebake(bpy.context.scene, clip.armature)
    assert isinstance(report, FootReport)
    rise = path(clip, "hand.L")[60, 2] - before[60, 2]
    assert rise == pytest.approx(RISE, abs=3 * MILLIMETRE)
