"""What poses bones besides their channels, and which bones that makes the legs.

Tests of: moved_bones, rig.legs.leg_controls.
"""

from __future__ import annotations

import bpy

from blender_bioik.rig.controls.moved_bones import moved_mapping
from blender_bioik.rig.controls.posed_by import Rigging, read_rigging

from ...builders.control_rigs import controlled_walker


def test_a_chain_has_its_bones_target_and_pole() -> None:
    rig = controlled_walker(stretch=0.1)
    chain = read_rigging(rig).moves_by_ik("shin.L")
    assert chain is not None
    assert (chain.owner, chain.bones) == ("shin.L", ("thigh.L", "shin.L"))
    assert (chain.target, chain.pole) == ("foot_target.L", "shin_pole.L")
    assert (chain.stretches, chain.mixed) == (True, False)


def test_bones_that_copy_a_chain_are_moved_by_it_while_its_influence_counts() -> None:
    rig = controlled_walker(copied=True)
    rigging = read_rigging(rig)
    found = [(copy.source, copy.counts) for copy in rigging.copies["thigh.L"]]
    assert found == [("thigh_fk.L", False), ("thigh_chain.L", True)]
    rig.pose.bones["hips"]["fk"] = 1.0
    rig.update_tag()
    rigging = _evaluated(rig)
    found = [(copy.source, copy.counts) for copy in rigging.copies["thigh.L"]]
    assert found == [("thigh_fk.L", True), ("thigh_chain.L", False)]
    assert rigging.moves_by_ik("thigh.L") is None


def test_a_keyed_switch_lets_both_count() -> None:
    rig = controlled_walker(copied=True)
    rig.pose.bones["hips"].keyframe_insert('["fk"]', frame=1)
    rigging = read_rigging(rig)
    assert all(copy.counts for copy in rigging.copies["thigh.L"])


def test_followers_of_idle_fk_controls_are_the_legs() -> None:
    rig = controlled_walker(copied=True)
    for side in "LR":
        for part in ("thigh", "shin", "foot"):
            slot = rig.bioik.slots.add()
            slot.name, slot.bone = f"{part}.{side}", f"{part}_fk.{side}"
    assert moved_mapping(rig).slots["thigh.L"] == "thigh.L"
    rig.pose.bones["hips"]["fk"] = 1.0
    rig.update_tag()
    _evaluated(rig)
    assert moved_mapping(rig).slots["thigh.L"] == "thigh_fk.L"


def _evaluated(rig: bpy.types.Object) -> Rigging:
    bpy.context.view_layer.update()
    return read_rigging(rig)
