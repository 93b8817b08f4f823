"""Placing feet on the ground: read the rig and the ground, plan and solve, write keys and a report.

As in `bake.py`, the steps are independent: reading and writing touch Blender and belong to its main
thread, planning and solving touch only arrays. Nothing is changed before writing.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial

import bpy

from ..keys.played_source import own_source_played
from ..legs.ground import Ground
from ..reading import Cancel, Progress, Reading
from ..report.foot_report import FootReport
from ..result.write_keys import faded_tracks, write_keys
from ..source.options import BakeOptions
from ..source_shown import live_waits
from ..steps import Steps, done
from .feet_record import feet_ground, feet_record
from .held_feet import held_feet
from .keep_feet import keep_feet
from .measured_feet import MeasuredFeet, measured_feet
from .placement import Placement
from .posed_feet import pose_feet, posed_keys
from .read_feet import read_feet

__all__ = ["BakeOptions", "place_feet", "place_feet_steps"]


def place_feet(
    scene: bpy.types.Scene,
    armature_object: bpy.types.Object,
    options: BakeOptions,
    *,
    grounds: Sequence[Ground] | None = None,
    progress: Progress | None = None,
    cancelled: Cancel | None = None,
) -> FootReport:
    """Put a character's feet on the ground and write the result as keys.

    Args:
        scene: The scene whose frames are used.
        armature_object: The character; its goals and settings are in `Object.bioik`.
        options: The frames, and where to write the keyframes.
        grounds: The ground; None for the ground in its settings.
        progress: Called with the work done and the total work.
        cancelled: Called regularly; once it returns true, nothing is written.

    Raises:
        RigError: It cannot be done; one sentence that says how to fix it.
        Cancelled: `cancelled` returned true.
    """
    steps = place_feet_steps(scene, armature_object, options, grounds)
    report: FootReport = done(steps, progress, cancelled)
    return report


def place_feet_steps(
    scene: bpy.types.Scene,
    armature_object: bpy.types.Object,
    options: BakeOptions,
    grounds: Sequence[Ground] | None = None,
) -> Steps:
    """The steps of `place_feet`."""
    return Steps(
        read_feet(scene, armature_object, options, grounds=grounds),
        partial(solve_feet, options=options),
        partial(write_feet, options=options),
        pose_placed,
    )


def pose_placed(placement: Placement, solved: MeasuredFeet) -> Reading[MeasuredFeet]:
    """Find the channels of controls, on the source; see `pose_feet`."""
    with own_source_played(placement.source.scene, placement.source.armature):
        return (yield from pose_feet(placement, solved))


@live_waits()
def solve_feet(
    placement: Placement,
    options: BakeOptions,
    progress: Progress | None = None,
    cancelled: Cancel | None = None,
) -> MeasuredFeet:
    """Solve what was read and measure the result. Does not access Blender.

    Raises:
        RigError: There is no ground under the character, or the solver cannot solve it.
        Cancelled: `cancelled` returned true.
    """
    started = time.perf_counter()
    solution = placement.solve(progress, cancelled)
    feet, source = placement.feet, placement.source
    result = faded_tracks(source, solution.tracks, options)
    return measured_feet(placement, solution, result, feet_ground(feet), started)


def write_feet(placement: Placement, solved: MeasuredFeet, options: BakeOptions) -> FootReport:
    """Write the keyframes, the detected contacts, and the report's curves and markers.

    If no bone had to change, nothing is written.

    Raises:
        RigError: The result cannot be written; nothing has been changed.
    """
    started = time.perf_counter()
    tracks, controls = posed_keys(placement, solved, options.output)
    held = held_feet(placement.feet, solved.solution.plan)
    written = write_keys(placement.source, tracks, options, controls=controls, held=held, feet=True)
    seconds = time.perf_counter() - started
    record = partial(feet_record, placement, options, solved.ground)
    return keep_feet(placement, solved, written, record, seconds)
