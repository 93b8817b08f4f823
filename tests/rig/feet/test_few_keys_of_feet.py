"""Placed feet on few keyframes: what stands stays, and re-bakes keep keyframes elsewhere.

Tests of: rig.feet.held_feet, rig.result.thinned.
"""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from blender_bioik.rig.keys.few_keys import Tolerance
from blender_bioik.rig.rebake.rebake import rebake
from blender_bioik.rig.report.foot_report import FootReport

from ...builders.placements import last_contact, placed
from ...builders.rebakes import frames_changed, key_bytes
from ...builders.walkers import FIRST, LAST

DISTANCE = 1e-3
TOLERANCE = Tolerance(DISTANCE, np.radians(0.2))


def toes(rig: bpy.types.Object) -> np.ndarray:
    """Where the heads of both feet are; (f, 2, 3)."""
    found = []
    for frame in range(FIRST, LAST + 1):
        bpy.context.scene.frame_set(frame)
        found.append(
            [rig.matrix_world @ rig.pose.bones[name].head for name in ("foot.L", "foot.R")]
        )
    return np.array(found)


@pytest.mark.parametrize("output", ["NEW_ACTION", "LAYER"])
def test_feet_are_where_they_are_with_a_keyframe_on_every_frame(output: str) -> None:
    every = toes(placed(output))
    rig = placed(output, few_keys=TOLERANCE)
    assert np.linalg.norm(toes(rig) - every, axis=-1).max() < 2.0 * DISTANCE


def test_a_rebake_writes_few_keyframes_and_keeps_those_elsewhere() -> None:
    rig = placed(few_keys=TOLERANCE)
    before = key_bytes(rig)
    contact = last_contact(rig)
    contact.slides = True
    report = rebake(bpy.context.scene, rig)
    assert isinstance(report, FootReport)
    after = key_bytes(rig)
    changed = frames_changed(before, after)
    assert changed
    assert changed[0] > FIRST
    # The new part has few, too.
    counts = [len(rows) for channel, rows in after.items() if "rotation" in channel[0]]
    assert min(counts) < 0.8 * (LAST - FIRST + 1)
