"""Give a walking character goals: the head looks at a ball, the left hand holds a lantern.

Shows goals with a target, chain lengths, a range of frames with blending, and an influence with
keys. Run it with Blender's Python module: `python examples/08_goals.py [FOLDER]`.
"""

from __future__ import annotations

import json

import bpy
import scene
from mathutils import Vector


def add_target(name: str, start: Vector, end: Vector) -> bpy.types.Object:
    """An empty that moves evenly from the first frame of the scene to the last."""
    target = bpy.data.objects.new(name, None)
    bpy.context.scene.collection.objects.link(target)
    for frame, place in ((first, start), (last, end)):
        target.location = place
        target.keyframe_insert("location", frame=frame)
    return target


def distance(armature: bpy.types.Object, frame: int, target: bpy.types.Object) -> float:
    """How far the tip of the left hand is from a target, metres, as Blender shows it."""
    bpy.context.scene.frame_set(frame)
    hand = armature.matrix_world @ armature.pose.bones["hand.L"].tail
    return (hand - target.matrix_world.translation).length


with scene.extension():
    armature = scene.add_walker()
    first, last = bpy.context.scene.frame_start, bpy.context.scene.frame_end
    middle = (first + last) // 2
    way = Vector((0.0, -3 * scene.STRIDE, 0.0))  # the walker's own, in three strides

    look = armature.bioik.goals.add()
    look.name, look.type = "Look at the ball", "LOOK_AT"
    look.bone, look.axis = "head", (0.0, 0.0, 1.0)  # the axis of the bone that looks
    look.target = add_target("Ball", Vector((1.0, -2.0, 2.0)), Vector((-1.0, -2.0, 1.4)) + way)
    look.chain_length = 2  # head and neck
    look.tolerance_angle = 0.01

    hold = armature.bioik.goals.add()
    hold.name, hold.type = "Hold the lantern", "POSITION"
    hold.bone, hold.head_tail = "hand.L", 1.0  # the tip of the hand
    hold.target = add_target(
        "Lantern", Vector((0.36, 0.06, 1.16)), Vector((0.36, 0.06, 1.16)) + way
    )
    hold.chain_length = 3  # hand, forearm and upper arm
    hold.tolerance = 0.001
    hold.use_frame_range, hold.frame_start, hold.frame_end = True, middle - 10, middle + 10
    hold.blend_in = hold.blend_out = 12

    print(f"Before: hand {distance(armature, middle, hold.target):.3f} m from the lantern")
    bpy.ops.bioik.bake()
    print(f"After: hand {distance(armature, middle, hold.target):.3f} m from the lantern")
    for goal in json.loads(armature.bioik.bake.report)["goals"]:
        print(f"{goal['name']}: reached in {goal['reached']} of {goal['frames']} frames")
    scene.save("goals.blend")
