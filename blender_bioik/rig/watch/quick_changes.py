"""Which frames have changed since the last bake, as far as F-curves and settings show.

Evaluates and changes nothing, so it can run at any time. With drivers, constraints or NLA strips,
only reading the scene frame by frame would show it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import bpy
import numpy as np

from ...motion.feet import Contact
from ..blender import fcurves
from ..blender.fcurves import Channel
from ..blender.scene_state import frames_per_second
from ..clip.curve_only import bone_path, plain_reason
from ..clip.sampling import Clip, plain_clip, plain_matrices
from ..clip.skeleton import Skeleton, read_skeleton
from ..goals.solve_setup import SolveSetup, read_setup
from ..goals.tracks import plan_goals, targets_of
from ..legs.leg_joints import LegSetup
from ..record.bake_inputs import (
    contact_digests,
    goal_digests,
    place_sketches,
    settings_digest,
)
from ..record.bake_record import BakeInputs
from ..source.source_goals import goal_influence
from ..transforms import Floats


def quick_inputs(
    scene: bpy.types.Scene, armature_object: bpy.types.Object, before: BakeInputs
) -> BakeInputs | None:
    """The present inputs of the last bake, without the ground; None if they are not known.

    Raises:
        RigError: It could not be baked now.
    """
    if before.muted or before.output == "LAYER" or plain_reason(armature_object, scene):
        return None
    skeleton = read_skeleton(armature_object)
    legs, contacts, names = _legs(armature_object, before.frames) if before.feet else (None, [], [])
    setup = read_setup(
        armature_object, skeleton, needs_goal=legs is None, more=legs.bones if legs else ()
    )
    goals = _planned_goals(scene, armature_object, setup, before.frames)
    if goals is None:
        return None
    clip, count = _source(skeleton, armature_object, before), len(before.frames)
    choices = goal_digests(skeleton, goals, setup, count)
    if legs is not None:
        choices = choices + contact_digests(contacts, names, count)
    rate = frames_per_second(scene)
    return replace(
        before,
        settings=settings_digest(armature_object, before.options, rate, feet=before.feet),
        choices=choices,
        places=place_sketches(skeleton, clip, before.bones, goals),
    )


def _legs(
    armature_object: bpy.types.Object, frames: Floats
) -> tuple[LegSetup, list[Contact], list[str]]:
    """The legs, and the stored contacts with the names of what they are of."""
    # Imported here because it is slow, and goals do not need it.
    from ..legs.read_legs import read_legs
    from ..rests.resting_legs import stored_resting_legs

    return stored_resting_legs(armature_object, read_legs(armature_object), frames)


def _planned_goals(
    scene: bpy.types.Scene,
    armature_object: bpy.types.Object,
    setup: SolveSetup,
    frames: Floats,
) -> Sequence[Any] | None:
    """The goals over frames, None if one of them requires evaluating the scene."""
    reading = goal_influence(scene, armature_object, setup.goals, frames)
    try:
        next(reading)
    except StopIteration as end:
        influence = end.value
    else:
        reading.close()
        return None
    targets = plain_matrices(scene, targets_of(setup.goals), frames)
    return None if targets is None else plan_goals(setup.goals, frames, targets, influence)


def _source(skeleton: Skeleton, armature_object: bpy.types.Object, before: BakeInputs) -> Clip:
    """The source of a bake, also while its result plays; other bones have arbitrary values."""
    frames, baked = before.frames, armature_object.bioik.baked
    counts = tuple(bone_path(bone) for bone in before.bones)
    container = fcurves.assigned_container(armature_object)
    if before.output != "IN_PLACE":
        source, slot = baked.source, fcurves.assigned_slot(armature_object)
        same = fcurves.matching_slot(source, slot) if source is not None else None
        container = fcurves.container_of(source, same) if source is not None else None
    curves: dict[Channel, Floats] = {
        (path, index): np.full(len(frames), value)
        for path, values in before.held.items()
        for index, value in enumerate(values)
    }
    curves |= fcurves.sample_curves(container, frames, lambda path: path.startswith(counts))
    return plain_clip(skeleton, armature_object, frames, curves)
