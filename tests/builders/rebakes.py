"""A baked hand that follows a target, changes of what it was baked from, and its keys."""

from __future__ import annotations

from typing import Any

import bpy
from mathutils import Vector

from blender_bioik.rig.bake.bake import BakeOptions, bake
from blender_bioik.rig.blender import fcurves

from .bakes import POINT, add_goal, waving

FIRST, LAST, BLEND = 1, 60, 4


def reaching(
    output: Any = "NEW_ACTION", smoothness: float = 1.0, **options: Any
) -> bpy.types.Object:
    """A person whose left hand follows a target with a key in every tenth frame; baked."""
    rig = waving()
    rig.bioik.solver.smoothness = smoothness
    target = bpy.data.objects.new("Target", None)
    bpy.context.scene.collection.objects.link(target)
    for frame in range(FIRST, LAST + 1, 10):
        target.location = Vector(POINT) + Vector((0.0, 0.001 * frame, 0.0))
        target.keyframe_insert("location", frame=frame)
    for curve in container_of(target).fcurves:
        for key in curve.keyframe_points:
            key.interpolation = "LINEAR"
    goal = rig.bioik.goals[0]
    goal.target, goal.point = target, (0.0, 0.0, 0.0)
    rig.bioik.bake.rebake_blend = BLEND
    bake(bpy.context.scene, rig, BakeOptions(FIRST, LAST, output=output, **options))
    return rig


def container_of(object_: bpy.types.Object) -> Any:
    return fcurves.assigned_container(object_)


def move_target(at: int = 31, by: float = 0.1) -> None:
    """Move a key of the target, which changes frames 22 to 40, up to the neighbouring keys."""
    curve = container_of(bpy.data.objects["Target"]).fcurves.find("location", index=2)
    key = next(key for key in curve.keyframe_points if round(key.co.x) == at)
    key.co.y += by
    curve.update()


def key_bytes(rig: bpy.types.Object) -> dict[tuple[str, int], dict[float, bytes]]:
    """Every key of the result, bit for bit, by channel and frame."""
    result = rig.bioik.baked.result
    owner = container_of(rig)
    if rig.animation_data.action != result:
        strips = [s for track in rig.animation_data.nla_tracks for s in track.strips]
        owner = fcurves.strip_container(next(s for s in strips if s.action == result))
    found = {}
    for curve in owner.fcurves:
        keys = fcurves.read_keys(curve)
        rows = zip(*(keys[name] for name in ("co", "type", "interpolation")), strict=True)
        found[curve.data_path, curve.array_index] = {
            float(co[0]): co.tobytes() + bytes([kind, way]) for co, kind, way in rows
        }
    return found


def frames_changed(before: Any, after: Any) -> list[float]:
    return sorted(
        {
            frame
            for channel in before.keys() | after.keys()
            for frame in before.get(channel, {}).keys() | after.get(channel, {}).keys()
            if before.get(channel, {}).get(frame) != after.get(channel, {}).get(frame)
        }
    )


def source_edited(rig: bpy.types.Object) -> tuple[int, int]:
    """Edit the source action: another interpolation, and a key of the hips."""
    source = rig.bioik.baked.source
    slot = fcurves.matching_slot(source, fcurves.assigned_slot(rig))
    container = fcurves.container_of(source, slot)
    assert container is not None
    for curve in container.fcurves:
        for key in curve.keyframe_points:
            key.interpolation = "LINEAR"
        if curve.data_path.startswith('pose.bones["hips"].location'):
            curve.keyframe_points[2].co.y += 0.05
    return 2, 39  # between the keys at 1 and 40: they are linear now


def goal_added(rig: bpy.types.Object) -> tuple[int, int]:
    """A goal of another limb, for some frames."""
    goal = add_goal(rig, name="foot", bone="shin.R", point=(-0.1, -0.2, 0.3), chain_length=2)
    goal.use_frame_range, goal.frame_start, goal.frame_end = True, 30, 36
    goal.blend_in = goal.blend_out = 3
    return 28, 38


def influence_keyed(rig: bpy.types.Object) -> tuple[int, int]:
    """Keys of the influence in the action that plays: it goes down from 41 on."""
    goal = rig.bioik.goals[0]
    for frame, value in ((40, 1.0), (50, 0.5)):
        goal.influence = value
        rig.keyframe_insert(goal.path_from_id("influence"), frame=frame)
    for curve in container_of(rig).fcurves:
        if "influence" in curve.data_path:
            for key in curve.keyframe_points:
                key.interpolation = "LINEAR"
    return 41, 60


def weight_changed(rig: bpy.types.Object) -> tuple[int, int]:
    rig.bioik.goals[0].weight = 3.0
    return FIRST, LAST


def solver_changed(rig: bpy.types.Object) -> tuple[int, int]:
    rig.bioik.solver.smoothness = 2.0
    return FIRST, LAST
