"""Few keyframes as users ask for them: in the panel's settings, by operator, in proportion."""

from __future__ import annotations

import bpy
import pytest

from blender_bioik.rig.blender import fcurves

from ...builders.walkers import FIRST, LAST, walker


def placed(**options: object) -> int:
    """Place the walker's feet; how many keyframes its legs have."""
    rig = walker(on="hills")
    rig.bioik.feet.plot = rig.bioik.feet.markers = False
    for name, value in options.items():
        setattr(rig.bioik.bake, name, value)
    bpy.ops.bioik.place_feet()
    curves = fcurves.curves_by_channel(fcurves.assigned_container(rig))
    return sum(len(curve.keyframe_points) for (path, _), curve in curves.items() if "shin" in path)


def test_the_settings_on_the_armature_count(registered: None) -> None:
    every, few = placed(), placed(keys="FEW")
    loose = placed(keys="FEW", tolerance=0.005, tolerance_angle=0.02)
    assert every == 2 * 4 * (LAST - FIRST + 1)
    assert loose < few < 0.8 * every
    # What is not set is in proportion to this character, which is about as tall as a person.
    assert placed(keys="FEW", tolerance=0.0005) == pytest.approx(few, rel=0.2)


def test_the_report_says_how_many_there_are(registered: None) -> None:
    placed(keys="FEW")
    report = bpy.context.object.bioik.bake.report
    assert "keyframes instead of" in report
