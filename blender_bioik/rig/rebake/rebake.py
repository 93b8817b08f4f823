"""Re-baking only what has changed, into the existing result.

The source is read again and compared with the inputs of the last bake. Only the frames around
differences are written, with the old result blended into the new one on both sides. All other
keyframes are unchanged, bit for bit, including edits by the animator.
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
    """Update the last bake or foot placement in the frames that have changed since.

    Args:
        scene: The scene whose frames are used.
        armature_object: The armature with the result.
        progress: Called with the work done and the total work.
        cancelled: Called regularly; once it returns true, nothing is written.

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
