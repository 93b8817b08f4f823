"""A person that waves, with a goal for its hand, and what Blender plays after a bake."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import bpy
import numpy as np
from mathutils import Vector

from blender_bioik.rig.bake.bake import BakeOptions, bake
from blender_bioik.rig.blender import fcurves

from .files import new_file
from .rigs import humanoid, key_randomly, use_all_rotation_modes

HAND = "forearm.L"
POINT = (0.35, -0.25, 1.55)
FRAMES = range(10, 31)
OPTIONS = BakeOptions(10, 30)
KEYED = (1, 15, 27, 40)
# Goals are solved to 0.1 mm, keys are 32-bit numbers.
REACHED = 2e-4


def waving(*, all_modes: bool = True) -> bpy.types.Object:
    """A person with keys at a few frames, and a goal for the tip of the left arm."""
    rig = humanoid()
    if all_modes:
        use_all_rotation_modes(rig)
    key_randomly(rig, list(KEYED), scaled=False)
    bpy.context.scene.frame_set(3)
    add_goal(rig)
    return rig


def add_goal(rig: bpy.types.Object, **values: Any) -> Any:
    goal = rig.bioik.goals.add()
    defaults = {"name": "hand", "type": "POSITION", "bone": HAND, "head_tail": 1.0, "point": POINT}
    defaults["chain_length"] = 0  # all bones up to the root
    for name, value in (defaults | values).items():
        setattr(goal, name, value)
    return goal


def run(rig: bpy.types.Object, options: BakeOptions = OPTIONS, **how: Any) -> Any:
    return bake(bpy.context.scene, rig, options, **how)


def at_frame(frame: float) -> None:
    whole = math.floor(frame)
    bpy.context.scene.frame_set(whole, subframe=frame - whole)


def distance(rig: bpy.types.Object, frame: float, bone: str = HAND) -> float:
    """How far Blender has the tail of a bone from the point, metres."""
    at_frame(frame)
    posed = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return float((posed.matrix_world @ posed.pose.bones[bone].tail - Vector(POINT)).length)


def poses(rig: bpy.types.Object, frames: Any) -> np.ndarray:
    """Pose matrices of all bones as Blender plays them."""
    played = []
    for frame in frames:
        at_frame(frame)
        bones = rig.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones
        played.append([np.array(bone.matrix) for bone in bones])
    return np.array(played)


def tweaked_strip(rig: bpy.types.Object) -> None:
    data = rig.animation_data
    action, slot = data.action, fcurves.assigned_slot(rig)
    strip = fcurves.add_strip(data.nla_tracks.new(), "strip", action, slot, 1, 40)
    fcurves.assign_action(rig, None)
    data.nla_tracks[0].select = strip.select = True
    data.nla_tracks.active = data.nla_tracks[0]
    data.use_tweak_mode = True


def both_ways(
    build: Callable[[], bpy.types.Object],
    operator: Callable[..., set[str]],
    function: Callable[..., Any],
    frames: tuple[int, int],
    how: dict[str, Any],
) -> Iterator[str]:
    """Have an operator and its function write the same thing, each in a file of its own."""
    for way in ("operator", "function"):
        new_file()
        rig = build()
        if way == "operator":
            assert operator(frame_start=frames[0], frame_end=frames[1], **how) == {"FINISHED"}
        else:
            function(bpy.context.scene, rig, BakeOptions(*frames, **how))
        yield way


def constrain(rig: bpy.types.Object, **kinds: str) -> bpy.types.Object:
    """Give bones constraints of some kinds, all with the same target."""
    target = bpy.data.objects.new("Target", None)
    bpy.context.scene.collection.objects.link(target)
    for bone, kind in kinds.items():
        rig.pose.bones[bone].constraints.new(kind).target = target
    return rig


def generated_frames(rig: bpy.types.Object) -> list[int]:
    """Frames of the generated keys of the active action."""
    container = fcurves.assigned_container(rig)
    assert container is not None
    return sorted(
        {
            int(key.co.x)
            for curve in container.fcurves
            for key in curve.keyframe_points
            if key.type == "GENERATED"
        }
    )
