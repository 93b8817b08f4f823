"""Feet of Rigify's human: placed through its IK controls, or its FK controls.

Tests of: posing, rig_controls.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

from blender_bioik.rig.feet.place_feet import place_feet
from blender_bioik.rig.source.options import BakeOptions

from ...builders.posed_legs import Posed, posed_legs
from ...builders.rigify_walk import FIRST, LAST, STANDS, walking_human
from ...builders.walkers import keys_of

OPTIONS = BakeOptions(LAST - 12, LAST)
SIDES = "LR"
ORG = [f"ORG-{part}.{side}" for part in ("thigh", "shin", "foot") for side in SIDES]
ARMS = [f"ORG-{part}.{side}" for part in ("upper_arm", "forearm", "hand") for side in SIDES]
TOES = [f"ORG-toe.{side}" for side in SIDES]


def deforming_off(posed: Posed) -> float:
    """Largest distance of a deform bone's head from the head of the bone it belongs to, mm."""
    found = []
    for part in ("thigh", "shin", "foot", "toe"):
        for side in SIDES:
            led, solved = (posed.names.index(f"{kind}-{part}.{side}") for kind in ("DEF", "ORG"))
            apart = posed.played.pose[:, led, :3, 3] - posed.wanted[:, solved, :3, 3]
            found.append(np.linalg.norm(apart, axis=-1).max())
    return 1000.0 * float(max(found))


@pytest.mark.parametrize(
    "how",
    [{}, {"pole": True}, {"stretch": 0.0}, {"pole": True, "stretch": 0.0}],
    ids=lambda how: "+".join(how) or "stock",
)
def test_ik_controls_pose_the_legs_as_solved(rigify_file: Path, how: dict[str, Any]) -> None:
    rig = walking_human(rigify_file, **how)
    posed = posed_legs(rig, OPTIONS)
    assert posed.moved("ORG-foot.L") > 20.0
    assert posed.off("torso", *ORG, *ARMS) < 0.05
    # In the source, IK leaves the foot a little off the control, which carries the toe.
    assert posed.off(*TOES) < 1.0
    assert deforming_off(posed) < 1.0
    assert not any(finding.kind == "controls_off" for finding in posed.report.findings)
    assert rig.pose.bones["thigh_parent.L"]["IK_FK"] == 0.0


def test_the_feet_stand_still_on_the_hills(rigify_file: Path) -> None:
    """By Blender's own matrices of the bones that deform the mesh."""
    rig = walking_human(rigify_file)
    report = place_feet(bpy.context.scene, rig, BakeOptions(FIRST, LAST))
    assert max(foot.penetration.worst for foot in report.change.after.feet) < 1e-3
    places = []
    for frame in range(*STANDS):
        bpy.context.scene.frame_set(frame)
        places.append(rig.matrix_world @ rig.pose.bones["DEF-toe.L"].head)
    stand = np.array(places)
    assert np.linalg.norm(stand - stand.mean(axis=0), axis=1).max() < 2e-3
    (hills,) = (ground.object for ground in rig.bioik.feet.grounds)
    found, hit, *_ = hills.ray_cast((*stand[0][:2], 5.0), (0.0, 0.0, -1.0))
    assert found
    above = rig.data.bones["DEF-toe.L"].head_local.z
    assert stand[0][2] - hit.z == pytest.approx(above, abs=0.02)


def test_the_animators_own_controls_get_the_keys(rigify_file: Path) -> None:
    rig = walking_human(rigify_file, pole=True)
    before = keys_of(rig)
    report = place_feet(bpy.context.scene, rig, OPTIONS)
    changed = {path for (path, _), keys in keys_of(rig).items() if keys != before.get((path, _))}
    for bone in ("torso", "foot_ik.L", "hand_ik.L", "thigh_ik_target.L"):
        assert f'pose.bones["{bone}"].location' in changed
    assert not any('"ORG-' in path or '"DEF-' in path for path in changed)
    (note,) = [note for note in report.notes if "let IK start" in note]
    assert "MCH-shin_ik.L" in note


def test_a_keyed_switch_plays_what_was_solved_in_ik_and_in_fk(rigify_file: Path) -> None:
    rig = walking_human(rigify_file)
    for side in SIDES:
        parent = rig.pose.bones[f"thigh_parent.{side}"]
        for frame, value in ((LAST - 12, 0.0), (LAST - 6, 0.4), (LAST, 1.0)):
            parent["IK_FK"] = value
            parent.keyframe_insert('["IK_FK"]', frame=frame)
    posed = posed_legs(rig, OPTIONS)
    assert posed.off(*ORG) < 0.05
    assert posed.off(*TOES) < 1.0


def test_legs_can_be_written_to_fk_with_the_switch(rigify_file: Path) -> None:
    rig = walking_human(rigify_file)
    rig.bioik.feet.write_to = "FK"
    posed = posed_legs(rig, OPTIONS)
    assert posed.off(*ORG, *ARMS) < 0.05
    assert deforming_off(posed) < 1.0
    assert rig.pose.bones["thigh_parent.L"]["IK_FK"] == 1.0
    paths = {path for path, _ in keys_of(rig)}
    assert 'pose.bones["thigh_parent.L"]["IK_FK"]' in paths
    assert 'pose.bones["thigh_fk.L"].rotation_quaternion' in paths


def test_legs_that_fk_moves_are_placed_through_the_fk_controls(rigify_file: Path) -> None:
    rig = walking_human(rigify_file)
    for side in SIDES:
        rig.pose.bones[f"thigh_parent.{side}"]["IK_FK"] = 1.0
    rig.update_tag()
    bpy.context.view_layer.update()
    posed = posed_legs(rig, OPTIONS)
    # The legs copy the FK controls.
    controls = [f"{part}_fk.{side}" for part in ("thigh", "shin", "foot") for side in SIDES]
    assert posed.off("torso", *controls) < 0.05
    for control in controls:
        led = posed.names.index(f"ORG-{control.replace('_fk', '')}")
        solved = posed.names.index(control)
        apart = posed.played.pose[:, led, :3, 3] - posed.wanted[:, solved, :3, 3]
        assert np.linalg.norm(apart, axis=-1).max() < 1e-3
