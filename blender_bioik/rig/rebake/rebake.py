"""Baking again only what has changed, into the result that is there.

The source is read anew and compared with what the last bake was made from. Only the frames around
those that differ are written, and the old result goes over into the new one on both sides. All
other keys stay as they are, bit for bit; also what an animator has changed by hand there.
"""

from __future__ import annotations

import bpy

from ..reading import Cancel, Progress
from ..record.bake_record import stored_inputs
from ..report.foot_report import FootReport
from ..report.report import BakeReport
from ..steps import Steps, done
from .feet_again import feet_again_steps
from .goals_again import goals_again_steps


def rebake(
    scene: bpy.types.Scene,
    armature_object: bpy.types.Object,
    *,
    progress: Progress | None = None,
    cancelled: Cancel | None = None,
) -> BakeReport | FootReport:
    """Bake goals or place feet again in the frames that have changed since that was done.

    Args:
        scene: The scene whose frames are meant.
        armature_object: The armature with the result.
        progress: Called with the work done and all work.
        cancelled: Asked now and then; once it returns true nothing is written.

    Raises:
        RigError: Nothing has changed, or something stands in the way.
        Cancelled: `cancelled` returned true.
    """
    report: BakeReport | FootReport = done(
        rebake_steps(scene, armature_object), progress, cancelled
    )
    return report


def rebake_steps(scene: bpy.types.Scene, armature_object: bpy.types.Object) -> Steps:
    """The steps of `rebake`."""
    inputs = stored_inputs(armature_object)
    again = feet_again_steps if inputs is not None and inputs.feet else goals_again_steps
    return again(scene, armature_object)
