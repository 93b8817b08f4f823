"""Placing feet again where a contact, the ground or the source has changed; the rest stays.

Tests of: rig.feet.feet_record.
"""

from __future__ import annotations

import bpy
import pytest

from blender_bioik.rig.errors import RigError
from blender_bioik.rig.rebake.last_bake import NOTHING_CHANGED
from blender_bioik.rig.rebake.rebake import rebake
from blender_bioik.rig.record.bake_record import rebake_problem
from blender_bioik.rig.report.foot_report import FootReport

from ...builders.placements import last_contact, placed
from ...builders.rebakes import frames_changed, key_bytes
from ...builders.snapshots import all_data, differences
from ...builders.walkers import FIRST

BLEND = 5


def test_an_unchanged_bake_is_reported_and_changes_nothing() -> None:
    rig = placed()
    before = all_data()
    with pytest.raises(RigError, match=NOTHING_CHANGED):
        rebake(bpy.context.scene, rig)
    assert differences(before, all_data()) == []


@pytest.mark.parametrize("output", ["NEW_ACTION", "LAYER"])
def test_an_edited_contact_is_placed_again_and_the_rest_stays(output: str) -> None:
    rig = placed(output)
    before = key_bytes(rig)
    contact = last_contact(rig)
    first = contact.frame_start
    contact.slides = True
    report = rebake(bpy.context.scene, rig)
    changed = frames_changed(before, key_bytes(rig))
    assert changed
    # The clip is solved as a whole: beside the contact it changes for a second at most.
    assert changed[0] >= first - 24 - BLEND - 1
    assert changed[0] > FIRST
    assert "had changed and were re-baked" in report.notes[0]
    with pytest.raises(RigError, match=NOTHING_CHANGED):
        rebake(bpy.context.scene, rig)


def test_raised_ground_is_stood_upon() -> None:
    rig = placed()
    ground = rig.bioik.feet.grounds[0].object
    ground.location.z += 0.05
    bpy.context.view_layer.update()
    report = rebake(bpy.context.scene, rig)
    assert isinstance(report, FootReport)
    assert max(foot.penetration.worst for foot in report.change.after.feet) < 1e-3
    assert report.notes[0].startswith(f"Frames {FIRST} to ")


def test_hand_made_keys_elsewhere_stay() -> None:
    rig = placed()
    contact = last_contact(rig)
    rig.pose.bones["head"].location = (0.0, 0.01, 0.0)
    rig.pose.bones["head"].keyframe_insert("location", frame=FIRST + 2)
    hips = key_bytes(rig)['pose.bones["hips"].location', 2]
    contact.slides = True
    rebake(bpy.context.scene, rig)
    after = key_bytes(rig)
    assert after['pose.bones["head"].location', 1][FIRST + 2.0]
    assert after['pose.bones["hips"].location', 2][FIRST + 1.0] == hips[FIRST + 1.0]


def test_feet_placed_in_place_cannot_be_placed_again_in_part() -> None:
    rig = placed("IN_PLACE")
    assert rebake_problem(rig) == "The last bake cannot be updated in part: bake everything"
