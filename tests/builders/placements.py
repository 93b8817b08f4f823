"""Characters whose feet are placed, and their goals besides."""

from __future__ import annotations

import math
from typing import Any

import bpy
from mathutils import Vector

from blender_bioik.rig.bake.bake import BakeOptions
from blender_bioik.rig.feet.place_feet import place_feet
from blender_bioik.rig.keys.few_keys import Tolerance

from .rigs import humanoid
from .walkers import FIRST, LAST, walker

FEW = BakeOptions(1, 10)
# The same for operators.
FEW_FRAMES = {"frame_start": 1, "frame_end": 10}
BLEND = 4


def stepping() -> bpy.types.Object:
    """A small person who sways above a plane, which is its ground."""
    rig = humanoid()
    hips = rig.pose.bones["hips"]
    for frame, x in ((1, 0.0), (10, 0.1)):
        hips.location = (x, 0.0, 0.0)
        hips.keyframe_insert("location", frame=frame)
        rig.pose.bones["shin.L"].keyframe_insert("rotation_quaternion", frame=frame)
    mesh = bpy.data.meshes.new("Plane")
    corners = [(-5.0, -5.0, 0.1), (5.0, -5.0, 0.1), (5.0, 5.0, 0.1), (-5.0, 5.0, 0.1)]
    mesh.from_pydata(corners, [], [(0, 1, 2, 3)])
    plane = bpy.data.objects.new("Plane", mesh)
    bpy.context.scene.collection.objects.link(plane)
    rig.bioik.feet.grounds.add().object = plane
    bpy.context.scene.frame_set(1)
    return rig


def look_at(rig: bpy.types.Object, place: tuple[float, float, float]) -> Any:
    target = bpy.data.objects.new("Bird", None)
    target.location = place
    bpy.context.scene.collection.objects.link(target)
    goal = rig.bioik.goals.add()
    goal.type, goal.bone, goal.target, goal.axis = "LOOK_AT", "head", target, (0.0, 0.0, 1.0)
    goal.chain_length, goal.name = 3, "eyes"
    return goal


def off_sight(rig: bpy.types.Object, goal: Any) -> float:
    """Largest angle between the head's axis and its way to the target, degrees, by Blender."""
    worst = 0.0
    for frame in range(FIRST, LAST + 1):
        bpy.context.scene.frame_set(frame)
        head = rig.matrix_world @ rig.pose.bones["head"].matrix
        axis = head.to_3x3() @ Vector(goal.axis)
        way = goal.target.matrix_world.translation - head.translation
        worst = max(worst, math.degrees(axis.angle(way)))
    return worst


def placed(output: Any = "NEW_ACTION", few_keys: Tolerance | None = None) -> bpy.types.Object:
    """The demo character on hills, its feet placed."""
    rig = walker(on="hills")
    rig.bioik.bake.rebake_blend = BLEND
    rig.bioik.feet.plot = rig.bioik.feet.markers = False
    rig.bioik.feet.lean = 0.0
    options = BakeOptions(FIRST, LAST, output=output, few_keys=few_keys)
    place_feet(bpy.context.scene, rig, options)
    return rig


def last_contact(rig: bpy.types.Object) -> Any:
    balls = [c for c in rig.bioik.feet.contacts if c.point == "BALL" and c.foot == "leg.L"]
    return max(balls, key=lambda contact: contact.frame_start)
