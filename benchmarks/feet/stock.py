"""What an animator does without us: shrink-wrapped IK targets, then `nla.bake`.

An empty for each foot and one for the pelvis have the source's path; Shrinkwrap projects them onto
the ground and keeps the height that the source has over its floor. IK of thigh and shin and Copy
Rotation of the foot follow the empties of the feet, Copy Location of the pelvis its own.
"""

from __future__ import annotations

from itertools import pairwise

import bpy
import numpy as np
from mathutils import Matrix

from benchmarks import nla_bake
from benchmarks.feet.clips import Foot
from benchmarks.feet.poses import Floats
from benchmarks.feet.scenes import FeetScene
from blender_bioik.rig.blender import fcurves

# From far above, so that no hill is above it; and not exactly onto an edge between two faces, where
# the projection would miss both.
ASIDE = (1.3e-5, 1.7e-5, 50.0)


def bake(built: FeetScene) -> float:
    """Bake a scene the stock way; returns the seconds of `nla.bake` alone."""
    clip, armature = built.clip, built.clip.armature
    made = [_plant(built, foot, built.floor[number]) for number, foot in enumerate(clip.feet)]
    body = _empty(built, clip.pelvis, built.floor.mean(axis=0))
    armature.pose.bones[clip.pelvis].constraints.new("COPY_LOCATION").target = body
    bpy.context.view_layer.objects.active = armature
    for thing in bpy.context.selected_objects:
        thing.select_set(False)
    armature.select_set(True)
    seconds = nla_bake.bake(clip.last, first=clip.first)
    for thing in (*made, body):
        bpy.data.objects.remove(thing)
    return seconds


def _plant(built: FeetScene, foot: Foot, floor: Floats) -> bpy.types.Object:
    """Let a leg follow an empty on the ground."""
    target = _empty(built, foot.foot, floor)
    bones = built.clip.armature.pose.bones
    reach = bones[foot.shin].constraints.new("IK")
    reach.target, reach.chain_count = target, 2
    bones[foot.foot].constraints.new("COPY_ROTATION").target = target
    return target


def _empty(built: FeetScene, bone: str, floor: Floats) -> bpy.types.Object:
    """An empty with a bone's path, shrink-wrapped to the ground."""
    made = bpy.data.objects.new(f"{bone} target", None)
    built.scene.collection.objects.link(made)
    made.rotation_mode = "QUATERNION"
    path = built.source.heads(bone)
    turns = [Matrix(axes).to_quaternion() for axes in built.source.rotations(bone)]
    for before, turn in pairwise(turns):
        turn.make_compatible(before)
    channels: dict[str, Floats] = {
        "location": np.add(path, ASIDE),
        "rotation_quaternion": np.array(turns),
    }
    # One constraint for each ground: where it misses, it leaves the empty to the next.
    for ground in built.grounds:
        wrap = made.constraints.new("SHRINKWRAP")
        wrap.target, wrap.shrinkwrap_type = ground, "PROJECT"
        wrap.project_axis, wrap.project_axis_space = "NEG_Z", "WORLD"
        channels[f'constraints["{wrap.name}"].distance'] = (path[:, 2] - floor)[:, None]
    _key(made, channels, built.clip.first)
    return made


def _key(thing: bpy.types.Object, channels: dict[str, Floats], first: int) -> None:
    action = fcurves.new_action(thing.name, thing)
    slot = fcurves.ensure_slot(action, thing)
    container = fcurves.ensure_container(action, slot)
    for path, values in channels.items():
        for index, column in enumerate(values.T):
            curve = fcurves.ensure_curve(container, path, index)
            frames = np.arange(first, first + len(column))
            fcurves.write_keys(curve, frames, column, key_type="KEYFRAME")
    fcurves.assign_action(thing, action, slot)
