"""A person whose hand has a target, to solve live."""

from __future__ import annotations

import bpy
from mathutils import Vector

from blender_bioik.rig.blender import fcurves

from .rigs import humanoid, key_randomly, use_all_rotation_modes

HAND = "forearm.L"


def reaching(*, keyed: bool = True) -> tuple[bpy.types.Object, bpy.types.Object]:
    """A person whose left hand has a target, and the target."""
    rig = humanoid()
    use_all_rotation_modes(rig)
    if keyed:
        key_randomly(rig, [1, 15, 27, 40], scaled=False)
    bpy.context.scene.frame_set(3)
    target = bpy.data.objects.new("Target", None)
    bpy.context.scene.collection.objects.link(target)
    target.location = hand(rig).lerp(shoulder(rig), 0.4)
    goal = rig.bioik.goals.add()
    goal.name, goal.type, goal.bone, goal.head_tail = "Reach", "POSITION", HAND, 1.0
    goal.target, goal.chain_length = target, 0  # all bones up to the root
    return rig, target


def hand(rig: bpy.types.Object) -> Vector:
    """Where Blender has the tip of the hand."""
    bpy.context.view_layer.update()
    evaluated = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return evaluated.matrix_world @ evaluated.pose.bones[HAND].tail


def shoulder(rig: bpy.types.Object) -> Vector:
    evaluated = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return evaluated.matrix_world @ evaluated.pose.bones["arm.L"].head


def off(rig: bpy.types.Object, target: bpy.types.Object) -> float:
    """How far the hand is from its target, metres."""
    return float((hand(rig) - target.matrix_world.translation).length)


def move(target: bpy.types.Object, by: tuple[float, float, float]) -> None:
    target.location = target.location + Vector(by)
    bpy.context.view_layer.update()


def own_handlers() -> list[str]:
    """Names of our handlers that are there only while something is solved live."""
    found = []
    for name in ("depsgraph_update_post", "frame_change_pre", "frame_change_post", "save_pre"):
        found += [
            f"{name} {handler.__name__}"
            for handler in getattr(bpy.app.handlers, name)
            if handler.__module__.endswith("live_handlers")
        ]
    return found


def keys_at(rig: bpy.types.Object, frame: float) -> set[tuple[str, int]]:
    """Channels that have a key at a frame."""
    curves = fcurves.curves_by_channel(fcurves.assigned_container(rig))
    return {channel for channel, curve in curves.items() if frame in fcurves.key_frames(curve)}
