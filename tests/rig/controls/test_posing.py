"""Feet placed through the controls of rigs made by hand: Blender evaluates what was solved.

Tests of: limb_points, limbs, rig_controls, shown_pose, rig.feet.posed_feet.
"""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
import pytest

from blender_bioik.rig.blender import fcurves
from blender_bioik.rig.errors import Cancelled
from blender_bioik.rig.feet.place_feet import place_feet, place_feet_steps
from blender_bioik.rig.reading import drained
from blender_bioik.rig.source.options import BakeOptions

from ...builders.control_rigs import controlled_walker
from ...builders.posed_legs import posed_legs
from ...builders.snapshots import all_data, differences
from ...builders.walkers import FIRST, LAST, SIDES, keys_of, largest_drift

START = LAST - 15
FEW = BakeOptions(START, LAST)
LEGS = [f"{part}.{side}" for part in ("thigh", "shin", "foot", "toe") for side in SIDES]
ARMS = [f"{part}.{side}" for part in ("upper_arm", "forearm", "hand") for side in SIDES]


@pytest.mark.parametrize(
    "how",
    [
        {},
        {"pole": False},
        {"stretch": 0.1},
        {"stretch": 0.1, "pole": False},
        {"roll": True, "stretch": 0.1},
        {"held": True},
        {"arms": True, "roll": True},
        {"toes": True},
        {"rolled_toes": True},
        {"copied": True},
        {"from_rest": True},
    ],
    ids=lambda how: "+".join(how) or "pole",
)
def test_legs_are_posed_as_solved(how: dict[str, Any]) -> None:
    rig = controlled_walker(**how)
    posed = posed_legs(rig, FEW)
    assert posed.moved("foot.L") > 20.0
    assert posed.off("hips", *LEGS, *ARMS) < 0.05
    assert not any(finding.kind == "controls_off" for finding in posed.report.findings)


def test_feet_stand_on_the_hills_and_do_not_slide() -> None:
    rig = controlled_walker()
    report = place_feet(bpy.context.scene, rig, BakeOptions(FIRST, LAST))
    assert largest_drift(rig) < 1e-3
    assert max(foot.penetration.worst for foot in report.change.after.feet) < 1e-3


def test_the_controls_get_the_keys_and_ik_stays_in_use() -> None:
    rig = controlled_walker(roll=True)
    pivots = keys_of(rig)['pose.bones["ball_pivot.L"].rotation_euler', 0]
    report = place_feet(bpy.context.scene, rig, FEW)
    assert not rig.pose.bones["shin.L"].constraints["IK"].mute
    assert keys_of(rig)['pose.bones["ball_pivot.L"].rotation_euler', 0] == pivots
    paths = {path for path, _ in _generated(rig)}
    for bone in ("hips", "foot_ik.L", "shin_pole.L"):
        assert f'pose.bones["{bone}"].location' in paths
    assert 'pose.bones["foot.L"].rotation_quaternion' not in paths
    assert any("let IK start from the solved bend." in note for note in report.notes)


def test_arms_that_ik_moves_go_along_with_the_body() -> None:
    rig = controlled_walker(arms=True)
    posed = posed_legs(rig, FEW)
    hips, hand = (posed.names.index(bone) for bone in ("hips", "hand.L"))
    lifted = posed.played.pose[:, hips, :3, 3] - posed.source.pose[:, hips, :3, 3]
    carried = posed.played.pose[:, hand, :3, 3] - posed.source.pose[:, hand, :3, 3]
    np.testing.assert_allclose(carried, lifted, atol=1e-5)
    assert np.abs(lifted[:, 2]).max() > 0.02


@pytest.mark.parametrize("output", ["NEW_ACTION", "IN_PLACE", "LAYER"])
def test_every_output_plays_what_was_solved(output: Any) -> None:
    options = BakeOptions(START, LAST, output=output)
    # Layers turn by quaternions only to 4e-4 radians; see `layer_channels`.
    assert posed_legs(controlled_walker(), options).off(*LEGS) < 1.0


def test_a_blend_begins_and_ends_at_the_source() -> None:
    rig = controlled_walker()
    options = BakeOptions(START, LAST, blend_in=5, blend_out=5)
    posed = posed_legs(rig, options)
    assert posed.off(*LEGS) < 0.05
    for row in (0, -1):
        np.testing.assert_allclose(posed.played.pose[row], posed.source.pose[row], atol=2e-6)


def test_a_keyed_influence_plays_what_was_solved_in_ik_and_in_fk() -> None:
    rig = controlled_walker()
    for side in SIDES:
        ik = rig.pose.bones[f"shin.{side}"].constraints["IK"]
        for frame, influence in ((START, 1.0), (START + 8, 0.3), (LAST, 0.0)):
            ik.influence = influence
            ik.keyframe_insert("influence", frame=frame)
    posed = posed_legs(rig, FEW)
    assert posed.off(*LEGS) < 0.05


def test_muted_constraints_are_left_alone() -> None:
    rig = controlled_walker()
    for side in SIDES:
        rig.pose.bones[f"shin.{side}"].constraints["IK"].mute = True
        rig.pose.bones[f"foot.{side}"].constraints[0].mute = True
    place_feet(bpy.context.scene, rig, FEW)
    assert 'pose.bones["foot_ik.L"].location' not in {path for path, _ in _generated(rig)}


def test_cancelling_changes_nothing() -> None:
    rig = controlled_walker()
    bpy.context.scene.frame_set(START + 3)
    rig.pose.bones["foot_ik.L"].location.x += 0.1  # without a key
    before = all_data()
    steps = place_feet_steps(bpy.context.scene, rig, FEW)
    placement = drained(steps.reading)
    assert steps.solve is not None
    assert steps.pose is not None
    posing = steps.pose(placement, steps.solve(placement))
    for _ in range(4):
        next(posing)
    posing.close()
    assert differences(before, all_data()) == []
    with pytest.raises(Cancelled):
        drained(steps.pose(placement, steps.solve(placement)), cancelled=lambda: True)
    assert differences(before, all_data()) == []


def test_generated_keys_can_be_deleted_again() -> None:
    rig = controlled_walker()
    before = keys_of(rig)
    place_feet(bpy.context.scene, rig, FEW)
    assert bpy.ops.bioik.delete_generated_keys() == {"FINISHED"}
    container = fcurves.assigned_container(rig)
    assert container is not None
    assert not _generated(rig)
    assert keys_of(rig).keys() <= before.keys()


def test_controls_that_cannot_follow_are_named_with_their_frames() -> None:
    rig = controlled_walker()
    for side in SIDES:
        stop = rig.pose.bones[f"foot_ik.{side}"].constraints.new("LIMIT_LOCATION")
        stop.use_max_z, stop.max_z = True, 0.1
    report = place_feet(bpy.context.scene, rig, FEW)
    (found,) = [finding for finding in report.findings if finding.kind == "controls_off"]
    assert (found.row, found.last) == (0, 15)
    assert "the rig's controls are " in report.summary()


def test_fk_mutes_a_constraint_of_the_legs_own_bones() -> None:
    rig = controlled_walker()
    rig.bioik.feet.write_to = "FK"
    posed = posed_legs(rig, FEW)
    assert posed.off(*LEGS) < 0.05
    assert rig.pose.bones["shin.L"].constraints["IK"].mute


def _generated(rig: bpy.types.Object) -> list[tuple[str, int]]:
    """F-curves with generated keys."""
    container = fcurves.assigned_container(rig)
    assert container is not None
    return [
        channel
        for channel, curve in fcurves.curves_by_channel(container).items()
        if any(point.type == "GENERATED" for point in curve.keyframe_points)
    ]
