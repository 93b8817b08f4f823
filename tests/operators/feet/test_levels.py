"""One click places feet again with another choice for climbs; what is known before placing.

Tests of: levels, rig.judge.known, rig.judge.clip_findings.
"""

from __future__ import annotations

import json

import bpy

from blender_bioik.panels.feet import BIOIK_PT_feet
from demo import ground
from zoo import build

from ...builders.layouts import drawn


def test_a_click_puts_a_ladder_on_the_ground_and_back() -> None:
    built = build("plain", "ladder")
    floor = ground.flat()
    bpy.context.scene.collection.objects.link(floor)
    bpy.context.view_layer.objects.active = built.armature
    built.armature.bioik.feet.grounds.add().object = floor
    assert not bpy.ops.bioik.choose_levels.poll()
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = built.first, built.last
    assert bpy.ops.bioik.place_feet() == {"FINISHED"}

    def verdict() -> str:
        return str(json.loads(built.armature.bioik.bake.report)["verdict"])

    def highest() -> float:
        heights = []
        for frame in range(built.first, built.last + 1, 5):
            bpy.context.scene.frame_set(frame)
            bone = built.armature.pose.bones[built.body.named(built.body.root)]
            heights.append((built.armature.matrix_world @ bone.head).z)
        return max(heights)

    kept = highest()
    assert "Levels: the clip climbs" in verdict()
    assert "keep that height" in verdict()
    assert bpy.ops.bioik.choose_levels(levels="PUT") == {"FINISHED"}
    assert built.armature.bioik.feet.levels == "PUT"
    assert "feet are put on the ground" in verdict()
    assert highest() < kept - 0.5
    assert bpy.ops.bioik.choose_levels(levels="KEEP") == {"FINISHED"}
    assert abs(highest() - kept) < 0.02


def test_detecting_contacts_says_what_kind_of_clip_it_is() -> None:
    built = build("plain", "crawl")
    floor = ground.flat()
    bpy.context.scene.collection.objects.link(floor)
    built.armature.bioik.feet.grounds.add().object = floor
    bpy.context.view_layer.objects.active = built.armature
    bpy.ops.bioik.find_contacts()
    text = " ".join(drawn(BIOIK_PT_feet).labels())
    assert "the body lies, sits or crawls on the floor in" in text
    # Another clip is not spoken of.
    built.armature.animation_data.action = None
    assert "crawls" not in " ".join(drawn(BIOIK_PT_feet).labels())
