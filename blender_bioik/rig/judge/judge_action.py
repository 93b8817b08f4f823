"""Judging an action that is there against the action it was made from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import bpy
import numpy as np
from numpy.typing import ArrayLike

from ...findings import ranked
from ..blender import fcurves
from ..blender.scene_state import frames_per_second
from ..clip.sampling import Clip, sample_clip
from ..clip.skeleton import read_skeleton
from ..controls.moved_bones import moved_mapping
from ..legs.ground import Ground, chosen_grounds, read_ground
from ..report.action_report import ActionReport
from ..soles.soles import leg_scale, read_soles
from ..transforms import Floats
from .evaluated_depths import with_evaluated
from .judge import judge
from .outcome import Outcome
from .source_outcome import source_outcome, world_pose
from .turned import turned_findings

# How far around the character the ground matters, metres for a person.
AROUND = 1.5


def judge_action(
    scene: bpy.types.Scene,
    armature_object: bpy.types.Object,
    source: bpy.types.Action,
    result: bpy.types.Action,
    frames: ArrayLike,
    *,
    grounds: Sequence[Ground] | None = None,
) -> ActionReport:
    """Measure an action against its source, with meshes as Blender evaluates them.

    Args:
        scene: The scene of the frames.
        armature_object: The character.
        source: The action that it was made from.
        result: The action.
        frames: Frame numbers, one after the other; (f,).
        grounds: The ground; None for the ground in the armature's settings.

    Raises:
        RigError: The armature has no legs, or cannot be sampled.
    """
    at = np.asarray(frames, float)
    with _playing(armature_object, source):
        before = sample_clip(scene, armature_object, at)
    with _playing(armature_object, result):
        after = sample_clip(scene, armature_object, at)
        chosen = chosen_grounds(armature_object) if grounds is None else list(grounds)
        outcome = _outcome(scene, armature_object, before, after, chosen)
        body = judge(outcome)
        if outcome.read.inexact:
            depth = np.stack([part.depth for part in body.meshes.feet], axis=1)
            meshes = with_evaluated(scene, armature_object, at, outcome, body.meshes, depth)
            body = replace(body, meshes=meshes)
    findings = (*body.findings(outcome.scale), *turned_findings(outcome))
    return ActionReport(source.name, result.name, at, outcome.scale, body, tuple(ranked(findings)))


def _outcome(
    scene: bpy.types.Scene,
    armature_object: bpy.types.Object,
    before: Clip,
    after: Clip,
    grounds: Sequence[Ground],
) -> Outcome:
    """What is judged of two clips of an armature."""
    skeleton = read_skeleton(armature_object)
    soles = read_soles(armature_object, skeleton, moved_mapping(armature_object))
    rate, scale = frames_per_second(scene), leg_scale(skeleton, before, soles)
    source = source_outcome(scene, armature_object, skeleton, before, soles, rate, scale)
    pose = world_pose(after)
    around = _around((source.before, pose), source.scale)
    terrain = read_ground(scene, grounds, after.frames, armature_object, around)
    return replace(source, after=pose, terrain=terrain)


def _around(poses: Sequence[Floats], scale: float) -> Floats:
    """Lowest and highest (x, y) of the ground that matters; (2, 2)."""
    heads = np.concatenate([pose[..., :2, 3].reshape(-1, 2) for pose in poses])
    margin = AROUND * scale
    return np.stack([heads.min(axis=0) - margin, heads.max(axis=0) + margin])


@contextmanager
def _playing(armature_object: bpy.types.Object, action: bpy.types.Action) -> Iterator[None]:
    """Play an action for a while, in place of the active one."""
    data = armature_object.animation_data or armature_object.animation_data_create()
    active, slot = data.action, fcurves.assigned_slot(armature_object)
    fcurves.assign_action(armature_object, action, _slot(action, armature_object))
    try:
        yield
    finally:
        fcurves.assign_action(armature_object, active, slot)


def _slot(
    action: bpy.types.Action, armature_object: bpy.types.Object
) -> bpy.types.ActionSlot | None:
    """The slot of an action that is made for objects: that of the armature, or the first one."""
    if not fcurves.LAYERED_ACTIONS:
        return None
    usable = (armature_object.id_type, "UNSPECIFIED")
    own = [slot for slot in action.slots if slot.target_id_type in usable]
    named = [slot for slot in own if slot.name_display == armature_object.name]
    return next(iter([*named, *own]), None)
