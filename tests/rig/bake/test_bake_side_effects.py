"""Side effects of a bake outside of its frames and its armature; bakes without scipy.

Tests of: rig.result.side_effects.
"""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

from blender_bioik.rig.blender import fcurves

from ...builders.bakes import FRAMES, OPTIONS, REACHED, add_goal, distance, poses, run, waving
from ...builders.rigs import humanoid

OUTPUTS = ("NEW_ACTION", "IN_PLACE", "LAYER")
ROOT = Path(__file__).parents[3]
OUTSIDE = [*range(1, 10), *range(31, 61)]


def repeat(curve: bpy.types.FCurve) -> None:
    curve.modifiers.new("CYCLES")


def lead_on(curve: bpy.types.FCurve) -> None:
    curve.extrapolation = "LINEAR"


def stay(_curve: bpy.types.FCurve) -> None:
    pass


@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize("beyond", [repeat, lead_on, stay])
def test_frames_outside_of_the_range_stay_or_are_reported(beyond: Any, output: Any) -> None:
    rig = humanoid()
    arm = rig.pose.bones["arm.L"]
    for frame, turn in ((12, 0.1), (17, 0.5), (22, 0.1)):
        arm.rotation_quaternion.x = turn
        arm.keyframe_insert("rotation_quaternion", frame=frame)
    container = fcurves.assigned_container(rig)
    assert container is not None
    for curve in container.fcurves:
        beyond(curve)
    add_goal(rig, chain_length=2)
    # The correction is none at the ends, where the curves without keys of their own end too.
    options = replace(OPTIONS, output=output, blend_in=4, blend_out=4)
    before = poses(rig, OUTSIDE)

    report = run(rig, options)

    changed = float(np.abs(poses(rig, OUTSIDE) - before).max()) > 1e-3
    told = any("arm.L repeat or extrapolate" in note for note in report.notes)
    assert told == (beyond is not stay and output != "LAYER")
    assert told or not changed


def bezier(_curve: bpy.types.FCurve) -> None:
    pass


def linear(curve: bpy.types.FCurve) -> None:
    for point in curve.keyframe_points:
        point.interpolation = "LINEAR"


def constant(curve: bpy.types.FCurve) -> None:
    for point in curve.keyframe_points:
        point.interpolation = "CONSTANT"


@pytest.mark.parametrize("blend", [0, 5])
@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize("between", [bezier, linear, constant])
def test_sparse_curves_keep_their_shape_outside_or_a_note_names_them(
    between: Any, output: Any, blend: int
) -> None:
    """Keys far from the range, which has none of its own or some."""
    rig = waving(all_modes=False)
    container = fcurves.assigned_container(rig)
    assert container is not None
    for curve in container.fcurves:
        between(curve)
    before = poses(rig, OUTSIDE)

    report = run(rig, replace(OPTIONS, output=output, blend_in=blend, blend_out=blend))

    changed = float(np.abs(poses(rig, OUTSIDE) - before).max()) > 1e-3
    assert changed == (output != "LAYER" and blend == 0)
    assert any("Frames next to the range" in note for note in report.notes) == changed


@pytest.mark.parametrize("by_strip", [False, True])
@pytest.mark.parametrize("output", OUTPUTS)
def test_other_animated_objects_stay_or_are_reported(output: Any, by_strip: bool) -> None:
    rig = waving()
    twin = rig.copy()
    twin.name = "Twin"
    bpy.context.scene.collection.objects.link(twin)
    if by_strip:
        data = twin.animation_data
        action, slot = data.action, fcurves.assigned_slot(twin)
        fcurves.add_strip(data.nla_tracks.new(), "strip", action, slot, 1, 40)
        fcurves.assign_action(twin, None)
    before = poses(twin, FRAMES)

    report = run(rig, replace(OPTIONS, output=output))

    moved = float(np.abs(poses(twin, FRAMES) - before).max()) > 1e-3
    assert moved == (output == "IN_PLACE")
    assert any('"Twin"' in note for note in report.notes) == moved


@pytest.mark.skipif(not fcurves.LAYERED_ACTIONS, reason="actions have slots from Blender 4.4 on")
@pytest.mark.parametrize("output", OUTPUTS)
def test_keys_of_a_slot_that_is_not_used_stay_without_effect(output: Any) -> None:
    rig = waving()
    rig.bioik.goals[0].chain_length = 2
    rig.animation_data.action_slot = None
    rig.driver_add("hide_render")  # else it is refused: nothing animates it
    head = list(rig.pose.bones.keys()).index("head")
    before = poses(rig, FRAMES)[:, head]

    run(rig, replace(OPTIONS, output=output))

    np.testing.assert_allclose(poses(rig, FRAMES)[:, head], before, atol=1e-6)
    assert max(distance(rig, frame) for frame in FRAMES) < 4e-3


def test_without_scipy_frames_are_solved_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == "scipy"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delitem(sys.modules, "blender_bioik.solver.clips.smoothing", raising=False)
    monkeypatch.setitem(sys.modules, "scipy", None)
    rig = waving()
    assert rig.bioik.solver.smoothness > 0.0

    report = run(rig)

    assert any("scipy" in note for note in report.notes)
    assert max(distance(rig, frame) for frame in FRAMES) < REACHED


@pytest.mark.skipif(bool(bpy.app.binary_path), reason="its Python has no bpy to import")
def test_baking_is_imported_without_scipy_and_numba() -> None:
    script = (
        "import os, sys; sys.modules['scipy'] = sys.modules['numba'] = None; "
        "import bpy, blender_bioik.rig.bake.bake; os._exit(0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("output", OUTPUTS)
def test_f_curves_that_hold_samples(output: Any) -> None:
    rig = waving()
    container = fcurves.assigned_container(rig)
    assert container is not None
    for curve in container.fcurves:
        curve.convert_to_samples(1, 41)
    before = poses(rig, [3, 35])

    run(rig, replace(OPTIONS, output=output))

    assert max(distance(rig, frame) for frame in FRAMES) < 4e-3
    np.testing.assert_allclose(poses(rig, [3, 35]), before, atol=1e-4)
