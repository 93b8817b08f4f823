"""Re-baking feet: all frames are solved, and those around changed ones are written.

A footstep may depend on steps far away.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import bpy
import numpy as np

from ..clip.sampling import Clip
from ..errors import RigError
from ..feet.feet_record import feet_ground, feet_inputs, feet_record
from ..feet.keep_feet import keep_feet
from ..feet.measured_feet import MeasuredFeet, measured_feet
from ..feet.posed_feet import pose_feet, posed_keys
from ..feet.read_feet import Placement, read_feet
from ..reading import Cancel, Progress, Reading
from ..record.bake_record import BakeInputs
from ..record.changed_rows import Window, window_around
from ..report.foot_report import FootReport
from ..source_shown import live_waits
from ..steps import Steps
from .last_bake import (
    NOTHING_CHANGED,
    again_played,
    blended_again,
    clip_of_posed,
    faded_again,
    known_inputs,
    read_existing,
    reading_options,
    rebaked_note,
    write_again,
)
from .taken import taken_rows


@dataclass(frozen=True, eq=False)
class FeetAgain:
    """Everything read for re-baking feet.

    Attributes:
        placement: All frames with the present inputs.
        before: The inputs of the existing result.
        now: The present inputs, without the ground.
        existing: The existing result.
        blend: Frames over which the old result becomes the new.
    """

    placement: Placement
    before: BakeInputs
    now: BakeInputs
    existing: Clip
    blend: int

    @property
    def shown(self) -> Clip:
        """The existing result, with channels that give the poses of bones that controls pose."""
        return clip_of_posed(self.placement.source, self.existing, self.placement.feet.legs.posed)

    @live_waits()
    def solve(
        self, progress: Progress | None = None, cancelled: Cancel | None = None
    ) -> SolvedAgain:
        """Place the feet, and find the frames to write. Does not access Blender.

        Raises:
            RigError: Nothing has changed, or feet cannot be placed.
            Cancelled: `cancelled` returned true.
        """
        started = time.perf_counter()
        feet, before, existing = self.placement.feet, self.before, self.shown
        solution = self.placement.solve(progress, cancelled)
        ground = feet_ground(feet)
        changed = before.changed(replace(self.now, ground=ground))
        if not changed.any():
            raise RigError(NOTHING_CHANGED)
        result = faded_again(feet.source, solution.tracks, before)
        # A loop continues at its other end, so it is not blended at the ends.
        taken = (
            np.ones_like(changed)
            if feet.loop
            else taken_rows(feet.source, existing, result, changed)
        )
        window = window_around(taken, self.blend)
        assert window is not None
        tracks = blended_again(feet.source, result, before, existing, window.weights)
        return SolvedAgain(measured_feet(self.placement, solution, tracks, ground, started), window)


class SolvedAgain(NamedTuple):
    """Re-baked feet: the resulting clip, and which part of it is new."""

    feet: MeasuredFeet
    window: Window


def feet_again_steps(scene: bpy.types.Scene, armature_object: bpy.types.Object) -> Steps:
    """The steps of re-baking feet."""
    return Steps(
        read_feet_again(scene, armature_object), FeetAgain.solve, write_feet_again, pose_again
    )


def read_feet_again(
    scene: bpy.types.Scene, armature_object: bpy.types.Object
) -> Reading[FeetAgain]:
    """Read the present inputs of a foot placement.

    Raises:
        RigError: It cannot be done; says why.
    """
    before = known_inputs(armature_object)
    options = reading_options(before)
    played = again_played(scene, armature_object, before)
    placement = yield from read_feet(scene, armature_object, options, played=played)
    now = feet_inputs(placement, options, before.ground, bones=before.bones)
    existing = yield from read_existing(scene, armature_object, before.frames)
    blend = armature_object.bioik.bake.rebake_blend
    return FeetAgain(placement, before, now, existing, blend)


def pose_again(again: FeetAgain, solved: SolvedAgain) -> Reading[SolvedAgain]:
    """Find the channels of controls; see `pose_feet`."""
    feet = yield from pose_feet(again.placement, solved.feet, again.existing)
    return solved._replace(feet=feet)


def write_feet_again(again: FeetAgain, solved: SolvedAgain) -> FootReport:
    """Write the new frames into the result, and store record and report.

    Raises:
        RigError: The result cannot be written; nothing has been changed.
    """
    started = time.perf_counter()
    placement, before, window = again.placement, again.before, solved.window
    source, options = placement.source, before.options
    tracks, controls = posed_keys(placement, solved.feet, options.output)
    written = write_again(source, tracks, again.existing, window.weights, options, controls)
    seconds = time.perf_counter() - started
    record = partial(feet_record, placement, options, solved.feet.ground, before)
    notes = (rebaked_note(before, window),)
    return keep_feet(placement, solved.feet, written, record, seconds, notes, again=True)
