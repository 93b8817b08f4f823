"""Placing feet again only where something has changed, into the result that is there.

All frames are planned and solved, because where a foot stands may depend on steps far away. Only
frames around those that have changed are written, and the old result goes over into the new one.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

import bpy
import numpy as np
from numpy.typing import NDArray

from ..bake.bake import reading_influence
from ..bake.bake_keys import channel_source
from ..bake.rebake import (
    NOTHING_CHANGED,
    again_played,
    as_before,
    known_inputs,
    options_of,
    rebaked_note,
    write_blended,
)
from ..clip.sampling import Clip, sampling
from ..clip.skeleton import read_skeleton
from ..errors import RigError
from ..goals.solve_setup import read_setup
from ..keys.keys import BoneTracks, blended, fade_weights
from ..reading import Cancel, Progress, Reading, drained
from ..record.bake_record import BakeInputs
from ..record.changed_rows import Window, grown, window_around
from ..report.foot_report import FootReport
from ..source_shown import source_shown
from ..transforms import quaternion_angle
from .place_feet import (
    PlacedFeet,
    PlacementPlan,
    finish_placement,
    measured,
    read_legs,
    reading_placement,
    solve_placement,
)
from .placement_inputs import inputs_of_placement, keep_placement_inputs

# Beside the changed frames, those are taken too in which bones are this far from the old result:
# parts of the rig's height, and radians; but for no longer than this, seconds.
FAR, TURNED, LONGEST = 1e-3, 0.005, 1.0


@dataclass(frozen=True, eq=False)
class RefootPlan:
    """Everything read for placing feet again.

    Attributes:
        placement: All frames, as they are made now.
        existing: The result as it is.
        before: What it was made from.
        now: What it is made from now, but for the ground.
        blend: Frames over which the old result becomes the new.
    """

    placement: PlacementPlan
    existing: Clip
    before: BakeInputs
    now: BakeInputs
    blend: int


@dataclass(frozen=True, eq=False)
class ReplacedFeet:
    """Feet placed again: all of the clip, what of it is taken, and the clip that results."""

    solved: PlacedFeet
    window: Window
    tracks: BoneTracks


def replace_feet(
    scene: bpy.types.Scene,
    armature_object: bpy.types.Object,
    *,
    progress: Progress | None = None,
    cancelled: Cancel | None = None,
) -> FootReport:
    """Place feet again in the frames around those that have changed since they were placed.

    Raises:
        RigError: Nothing has changed, or something stands in the way.
        Cancelled: `cancelled` returned true.
    """
    plan = drained(reading_refoot(scene, armature_object), cancelled=cancelled)
    return write_refoot(plan, solve_refoot(plan, progress=progress, cancelled=cancelled))


def reading_refoot(
    scene: bpy.types.Scene, armature_object: bpy.types.Object
) -> Reading[RefootPlan]:
    """Read what feet were placed from as it is now."""
    before = known_inputs(armature_object)
    skeleton, legs = read_skeleton(armature_object), read_legs(armature_object)
    with again_played(scene, armature_object, before):
        goals = read_setup(armature_object, skeleton, needs_goal=False, more=legs.bones).goals
    with source_shown():
        influence = yield from reading_influence(scene, armature_object, goals, before.frames)
        existing, _ = yield from sampling(scene, armature_object, before.frames)
    with again_played(scene, armature_object, before):
        plan = yield from reading_placement(
            scene, armature_object, options_of(before), influence=influence
        )
        now = inputs_of_placement(plan, before.ground, bones=before.bones)
    plan = replace(plan, bake=as_before(plan.bake, before))
    return RefootPlan(plan, existing, before, now, armature_object.bioik.bake.rebake_blend)


def solve_refoot(
    plan: RefootPlan, *, progress: Progress | None = None, cancelled: Cancel | None = None
) -> ReplacedFeet:
    """Place the feet and find what of it is taken. Touches nothing of Blender.

    Raises:
        RigError: Nothing has changed, or feet cannot be placed.
        Cancelled: `cancelled` returned true.
    """
    placement, before = plan.placement, plan.before
    solved = solve_placement(placement, progress=progress, cancelled=cancelled)
    changed = before.changed(replace(plan.now, ground=solved.ground))
    if not changed.any():
        raise RigError(NOTHING_CHANGED)
    fades = fade_weights(before.frames, before.blend_in, before.blend_out)
    result = blended(channel_source(placement.bake), solved.tracks, fades)
    # A loop goes on at its other end: there is no end to blend at.
    changed = np.ones_like(changed) if placement.loop else _taken(plan, changed, result)
    window = window_around(changed, plan.blend)
    assert window is not None
    tracks = blended(plan.existing, result, window.weights)
    change = measured(placement, solved.plan, solved.placed.values, tracks)
    return ReplacedFeet(replace(solved, change=change), window, tracks)


def write_refoot(plan: RefootPlan, replaced: ReplacedFeet) -> FootReport:
    """Write the frames that are taken into the result, and keep the report.

    Raises:
        RigError: The result cannot be written; nothing has been changed.
    """
    started = time.perf_counter()
    placement, solved, window = plan.placement, replaced.solved, replaced.window
    notes = (rebaked_note(plan.before, window), *placement.bake.notes, *solved.plan.notes)
    bake = replace(placement.bake, notes=(*notes, *solved.notes))
    written = write_blended(
        bake, plan.before, plan.existing, replaced.tracks, window.weights, window.written
    )
    report = finish_placement(placement, solved, written, started)
    keep_placement_inputs(placement, solved.ground, plan.before)
    return report


def _taken(plan: RefootPlan, changed: NDArray[np.bool_], result: BoneTracks) -> NDArray[np.bool_]:
    """Changed rows, and those beside them in which the new result is another one."""
    bake, existing = plan.placement.bake, plan.existing
    moved = np.linalg.norm(result.location - existing.location, axis=-1)
    turned = quaternion_angle(result.rotation, existing.rotation)
    far = (moved > FAR * bake.skeleton.height) | (turned > TURNED)
    different = far[:, bake.moved].any(axis=1)
    rows = np.flatnonzero(changed)
    near = int(LONGEST * plan.placement.rate)
    different[: max(0, int(rows[0]) - near)] = False
    different[int(rows[-1]) + near + 1 :] = False
    return grown(changed, different)
