"""The upper body leans with the ground, and nothing else does, as Blender shows it.

Tests of: motion.plan.lean, rig.legs.lean_tracks.
"""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.characters import scenes
from blender_bioik.motion.feet import Floats
from blender_bioik.rig.feet.place_feet import place_feet
from blender_bioik.rig.report.foot_report import FootReport
from blender_bioik.rig.source.options import BakeOptions

STEEP = 12.0  # degrees, the grounds "slope" and "slope_down" of the benchmark


def turned(scene: scenes.Scene, names: tuple[str, ...]) -> Floats:
    """World axes of bones; (f, bones, 3, 3)."""
    subject, found = scene.subject, []
    for frame in range(subject.first, subject.last + 1, 8):
        scene.scene.frame_set(frame)
        matrices = [subject.armature.pose.bones[name].matrix.to_3x3() for name in names]
        found.append([np.array(matrix.normalized()) for matrix in matrices])
    return np.array(found)


def placed(scene: scenes.Scene, lean: float) -> FootReport:
    subject = scene.subject
    subject.armature.bioik.feet.lean = lean
    options = BakeOptions(subject.first, subject.last)
    return place_feet(scene.scene, subject.armature, options, grounds=scene.grounds)


def forward(axes: Floats, before: Floats) -> Floats:
    """By how many degrees bones turn about the axis to the right of who walks along -y; (f,)."""
    turn = axes @ before.swapaxes(-1, -2)
    return np.degrees(np.arcsin(0.5 * (turn[..., 2, 1] - turn[..., 1, 2])))


@pytest.mark.parametrize(("ground", "sign"), [("slope", 1.0), ("slope_down", -1.0)])
def test_it_leans_forward_uphill_and_back_downhill(
    registered: None, ground: str, sign: float
) -> None:
    scene = scenes.build(f"plain.walk.{ground}")
    before = turned(scene, ("chest", "hips", "head"))
    report = placed(scene, 0.5)
    after = turned(scene, ("chest", "hips", "head"))
    chest, *others = forward(after, before).T
    assert np.allclose(chest, sign * 0.5 * STEEP, atol=0.2)
    # Pelvis and head stay as they were.
    assert np.abs(others).max() < 0.05
    assert any("leans with the slope" in note for note in report.notes)


def test_at_zero_and_on_flat_ground_the_upper_body_has_no_keyframes(registered: None) -> None:
    for ground, lean in (("slope", 0.0), ("flat", 0.5)):
        scene = scenes.build(f"plain.walk.{ground}")
        before = turned(scene, ("chest", "spine", "head"))
        placed(scene, lean)
        assert np.array_equal(turned(scene, ("chest", "spine", "head")), before)


def test_feet_are_placed_the_same_with_and_without_it(registered: None) -> None:
    legs = ("thigh.L", "shin.L", "foot.L", "foot.R")
    found = []
    for lean in (0.0, 0.6):
        scene = scenes.build("plain.walk.hills")
        placed(scene, lean)
        found.append(turned(scene, legs))
    assert np.abs(found[0] - found[1]).max() < 1e-5


def test_who_crawls_does_not_lean(registered: None) -> None:
    scene = scenes.build("plain.crawl.hills")
    report = placed(scene, 1.0)
    assert not any("leans" in note for note in report.notes)


def test_it_changes_smoothly_over_hills(registered: None) -> None:
    scene = scenes.build("plain.walk.hills")
    before = turned(scene, ("chest",))
    placed(scene, 0.3)
    angles = forward(turned(scene, ("chest",)), before)[:, 0]
    assert np.ptp(angles) > 4.0
    assert np.abs(np.diff(angles)).max() < 2.0  # over 8 frames
