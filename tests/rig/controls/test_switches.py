"""Legs written to FK controls, and the property that switches them."""

from __future__ import annotations

from typing import Any

import bpy
import pytest

from blender_bioik.rig.blender import fcurves
from blender_bioik.rig.feet.place_feet import place_feet
from blender_bioik.rig.rebake.rebake import rebake
from blender_bioik.rig.report.foot_report import FootReport
from blender_bioik.rig.result.give_back import give_source_back
from blender_bioik.rig.source.options import BakeOptions

from ...builders.control_rigs import controlled_walker
from ...builders.placements import last_contact
from ...builders.posed_legs import posed_legs
from ...builders.walkers import LAST, SIDES, keys_of

START = LAST - 15
LEGS = [f"{part}.{side}" for part in ("thigh", "shin", "foot", "toe") for side in SIDES]
SWITCH = 'pose.bones["hips"]["fk"]'


def switched_walker(**how: Any) -> bpy.types.Object:
    rig = controlled_walker(copied=True, **how)
    rig.bioik.feet.write_to = "FK"
    return rig


@pytest.mark.parametrize("output", ["NEW_ACTION", "IN_PLACE", "LAYER"])
@pytest.mark.parametrize("keyed", [False, True])
def test_fk_controls_get_the_keys_and_the_switch_is_keyed(output: Any, keyed: bool) -> None:
    rig = switched_walker()
    if keyed:
        for frame, value in ((START, 0.0), (LAST, 1.0)):
            rig.pose.bones["hips"]["fk"] = value
            rig.pose.bones["hips"].keyframe_insert('["fk"]', frame=frame)
    posed = posed_legs(rig, BakeOptions(START, LAST, output=output))
    assert posed.moved("foot.L") > 20.0
    assert posed.off(*LEGS) < (1.0 if output == "LAYER" else 0.05)
    for frame in (START, LAST):
        bpy.context.scene.frame_set(frame)
        assert rig.pose.bones["hips"]["fk"] == 1.0
    assert not rig.pose.bones["shin_chain.L"].constraints["IK"].mute


def test_the_switch_is_as_it_was_until_keys_are_written() -> None:
    rig = switched_walker()
    place_feet(bpy.context.scene, rig, BakeOptions(START, LAST, output="NEW_ACTION"))
    assert (SWITCH, 0) in keys_of(rig)
    assert rig.bioik.baked.source is not None
    rig.animation_data.action = rig.bioik.baked.source
    assert (SWITCH, 0) not in keys_of(rig)


def test_feet_written_to_fk_can_be_placed_again() -> None:
    """The source is read with the legs in IK again."""
    rig = switched_walker()
    place_feet(bpy.context.scene, rig, BakeOptions(START, LAST))
    last_contact(rig).slides = True
    report = rebake(bpy.context.scene, rig)
    assert isinstance(report, FootReport)
    assert "had changed and were re-baked" in report.notes[0]
    assert not any(finding.kind == "controls_off" for finding in report.findings)


@pytest.mark.parametrize("write_to", ["FK", "CONTROLS"])
@pytest.mark.parametrize("output", ["NEW_ACTION", "IN_PLACE", "LAYER"])
def test_placed_twice_the_keys_are_the_same(output: Any, write_to: str) -> None:
    rig = controlled_walker(copied=True)
    rig.bioik.feet.write_to = write_to
    rig.bioik.feet.contacts_edited = False
    switch = rig.pose.bones["hips"]["fk"]
    source, keys = rig.animation_data.action, keys_of(rig)
    written = []
    for _ in range(2):
        place_feet(bpy.context.scene, rig, BakeOptions(START, LAST, output=output))
        written.append({action.name: curves_of(action) for action in bpy.data.actions})
    assert written[0] == written[1]
    give_source_back(bpy.context.scene, rig)
    assert rig.animation_data.action == source
    assert keys_of(rig) == keys
    assert rig.pose.bones["hips"]["fk"] == switch


def curves_of(action: bpy.types.Action) -> list[Any]:
    """Every key of an action, bit for bit."""
    slots = action.slots if fcurves.LAYERED_ACTIONS else [None]
    return [
        (curve.data_path, curve.array_index, fcurves.read_keys(curve)["co"].tobytes())
        for slot in slots
        for container in [fcurves.container_of(action, slot)]
        if container is not None
        for curve in container.fcurves
    ]
