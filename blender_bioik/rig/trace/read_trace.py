"""Making traces: of a bake when it is written, or later from the actions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import bpy
import numpy as np
from numpy.typing import ArrayLike

from ..blender.scene_state import frames_per_second
from ..clip.curve_only import plain_reason
from ..clip.sampling import Clip, sample_clip
from ..clip.skeleton import Skeleton, read_skeleton, replaced_pose
from ..controls.moved_bones import moved_mapping
from ..errors import RigError
from ..keys.keys import BoneTracks
from ..keys.played_source import own_source_played
from ..keys.results import played_result
from ..source.source import Source
from ..transforms import Floats
from .trace import Trace, TracedPart, TracedParts, ghost_bones, make_trace

# Number of frames times bones that is read within about 0.2 s.
QUICK = 50_000


def baked_trace(source: Source, result: BoneTracks) -> Callable[[], Trace]:
    """A function that makes the trace of a bake, from its source and the written channels.

    Matrices of all bones take as long as writing the keyframes, so they are made on demand.
    """
    skeleton, clip, moving = source.skeleton, source.clip, source.moved
    written = [channels[:, moving] for channels in result]
    parts = traced_parts(source.armature, skeleton, clip, source.rate)

    def make() -> Trace:
        played = clip.world[:, None] @ replaced_pose(skeleton, clip.pose, moving, written)
        return make_trace(skeleton, parts(), clip.frames, played, _world(clip))

    return make


def read_trace(scene: bpy.types.Scene, armature_object: bpy.types.Object) -> Trace:
    """The trace of what an armature plays, sampled again, with its source if known.

    Raises:
        RigError: The armature cannot be sampled.
    """
    frames = np.arange(*_frames(scene, armature_object), dtype=float)
    skeleton = read_skeleton(armature_object)
    if not len(skeleton):
        raise RigError(f'"{armature_object.name}" has no bones: add some first.')
    played = sample_clip(scene, armature_object, frames)
    source = _source_clip(scene, armature_object, frames)
    parts = traced_parts(armature_object, skeleton, source or played, _rate(scene, frames))()
    return make_trace(
        skeleton, parts, frames, _world(played), None if source is None else _world(source)
    )


def reread_trace(scene: bpy.types.Scene, armature_object: bpy.types.Object, trace: Trace) -> Trace:
    """A trace with what is played now, after its keys were edited; the source stays as it is.

    Raises:
        RigError: The armature cannot be sampled, or has lost bones.
    """
    skeleton, parts = read_skeleton(armature_object), trace.parts
    bones = {parts.pelvis, *(place.bone for sole in parts.soles for place in sole.places)}
    bones |= {bone for part in parts.others for bone in part[1:] if bone}
    if not bones <= skeleton.index.keys():
        raise RigError(f'"{armature_object.name}" has lost bones: update its paths first.')
    played = sample_clip(scene, armature_object, trace.frames)
    now = make_trace(skeleton, parts, trace.frames, _world(played), None)
    return replace(now, source_pelvis=trace.source_pelvis, ghost=trace.ghost)


def traced_parts(
    armature_object: bpy.types.Object, skeleton: Skeleton, clip: Clip, rate: float
) -> Callable[[], TracedParts]:
    """A function that returns the bones of a trace; without legs, the topmost bone is the pelvis.

    The rig is read now; the height of the feet in the clip is measured when it is called.
    """
    from ..legs.flesh import carriers
    from ..rests.resting_parts import Limb, part_bones
    from ..soles.soles import foot_points, leg_scale, soles_in_clip

    ghost = ghost_bones(armature_object, skeleton)
    top = skeleton.names[0]
    try:
        mapping = moved_mapping(armature_object)
        soles = soles_in_clip(armature_object, skeleton, mapping, clip, rate)[0]
    except RigError:
        # A rig without legs, which still has a path and a ghost.
        return lambda: TracedParts(top, (), np.zeros((0, 3)), ghost, _size(skeleton, clip))
    pelvis = mapping.slots.get("pelvis") or top
    ends = carriers(skeleton, mapping, soles).following
    others = tuple(
        TracedPart(part.name, part.bone, ends.get(part.bone))
        for part in part_bones(mapping, [Limb(sole.name, sole.bones) for sole in soles])
    )

    def measure() -> TracedParts:
        feet = foot_points(skeleton, clip, soles, rate)
        clearance = np.stack([foot.clearance for foot in feet])
        scale = leg_scale(skeleton, clip, soles)
        return TracedParts(pelvis, tuple(soles), clearance, ghost, scale, others)

    return measure


def is_quick(scene: bpy.types.Scene, armature_object: bpy.types.Object) -> bool:
    """Whether a trace can be read immediately: from F-curves alone, and from few enough frames."""
    first, stop = _frames(scene, armature_object)
    size = (stop - first) * len(armature_object.data.bones)
    return size <= QUICK and plain_reason(armature_object, scene) is None


def _source_clip(
    scene: bpy.types.Scene, armature_object: bpy.types.Object, frames: ArrayLike
) -> Clip | None:
    """The clip that was baked, None if no result plays or its source is gone."""
    result = played_result(armature_object)
    if result is None or result.is_lost:
        return None
    with own_source_played(scene, armature_object):
        return sample_clip(scene, armature_object, frames)


def _frames(scene: bpy.types.Scene, armature_object: bpy.types.Object) -> tuple[int, int]:
    """First frame and the one after the last: those of the bake, or else the scene's."""
    baked = armature_object.bioik.baked
    if baked.result is not None and baked.frame_end > baked.frame_start:
        return baked.frame_start, baked.frame_end + 1
    if scene.use_preview_range:
        return scene.frame_preview_start, scene.frame_preview_end + 1
    return scene.frame_start, scene.frame_end + 1


def _rate(scene: bpy.types.Scene, frames: Floats) -> float:
    """Rows of a clip a second."""
    step = float(frames[1] - frames[0]) if len(frames) > 1 else 1.0
    return frames_per_second(scene) / step


def _size(skeleton: Skeleton, clip: Clip) -> float:
    """Size of a rig without legs, relative to a character of 1.6 m."""
    unit = float(np.cbrt(np.abs(np.linalg.det(clip.world[0, :3, :3]))))
    return skeleton.height * unit / 1.6


def _world(clip: Clip) -> Floats:
    return np.asarray(clip.world[:, None] @ clip.pose)
