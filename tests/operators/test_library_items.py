"""Lists of an override: items from the library stay, added ones can be removed.

Tests of: rig.blender.library_items.
"""

from __future__ import annotations

from pathlib import Path

import bpy
import pytest

from blender_bioik.motion.feet import BALL, Contact
from blender_bioik.rig.legs.contact_store import store_contacts

from ..builders.libraries import link_object, save_as_library
from ..builders.rigs import humanoid


@pytest.fixture
def override(tmp_path: Path) -> bpy.types.Object:
    """An override of a person that has a goal, a ground and a contact in its library; active."""
    made = humanoid("Person")
    bpy.context.view_layer.objects.active = made
    for kind in ("BALANCE", "CENTRE_JOINTS"):
        bpy.ops.bioik.add_goal(type=kind)
    bpy.ops.bioik.add_ground()
    bpy.ops.bioik.choose_part(slot="spine")
    store_contacts(made.bioik.feet, [Contact(0, BALL, 0, 3)], ["leg.L"], range(1, 5))
    linked = link_object(save_as_library(tmp_path / "library.blend"), "Person")
    changed = linked.override_create(remap_local_usages=True)
    bpy.context.view_layer.objects.active = changed
    return changed


def test_library_items_can_neither_be_removed_nor_moved(
    override: bpy.types.Object,
) -> None:
    for name in ("remove_goal", "move_goal", "remove_ground", "remove_contact"):
        operator = getattr(bpy.ops.bioik, name)
        assert not operator.poll()
        with pytest.raises(RuntimeError, match=r"(is|comes) from the library"):
            operator()


def test_goals_from_the_library_can_be_duplicated(override: bpy.types.Object) -> None:
    rig = override.bioik
    rig.active_goal = 0
    assert bpy.ops.bioik.duplicate_goal() == {"FINISHED"}
    assert [goal.name for goal in rig.goals] == ["Balance", "Balance.001", "Center Joints"]
    assert bpy.ops.bioik.remove_goal() == {"FINISHED"}
    assert len(rig.goals) == 2


def test_parts_of_the_body_are_chosen_and_cleared(override: bpy.types.Object) -> None:
    assert bpy.ops.bioik.choose_part(slot="head") == {"FINISHED"}
    with pytest.raises(RuntimeError, match="from the library"):
        bpy.ops.bioik.clear_part(slot="spine")
    assert bpy.ops.bioik.clear_parts() == {"FINISHED"}
    assert {slot.name for slot in override.bioik.slots} == {"spine"}
    assert not bpy.ops.bioik.clear_parts.poll()


def test_a_replacing_preset_disables_goals_from_the_library(
    override: bpy.types.Object, capfd: pytest.CaptureFixture[str]
) -> None:
    bpy.ops.bioik.add_goal(type="AVOID_LIMITS")
    look = {"kind": "GOALS", "name": "Head Look-At"}
    assert bpy.ops.bioik.apply_preset(**look, mode="REPLACE") == {"FINISHED"}
    left = [(goal.type, goal.enabled) for goal in override.bioik.goals]
    assert left == [("BALANCE", False), ("CENTRE_JOINTS", False), ("LOOK_AT", True)]
    assert "they come from the library: Balance, Center Joints." in capfd.readouterr().out


def test_added_items_can_be_removed_and_moved(override: bpy.types.Object) -> None:
    rig = override.bioik
    assert bpy.ops.bioik.add_goal(type="AVOID_LIMITS") == {"FINISHED"}
    assert bpy.ops.bioik.move_goal(direction="UP") == {"FINISHED"}
    assert [goal.type for goal in rig.goals] == ["BALANCE", "AVOID_LIMITS", "CENTRE_JOINTS"]
    assert bpy.ops.bioik.remove_goal() == {"FINISHED"}
    assert bpy.ops.bioik.add_ground() == {"FINISHED"}
    assert bpy.ops.bioik.remove_ground() == {"FINISHED"}
    assert bpy.ops.bioik.add_contact() == {"FINISHED"}
    assert bpy.ops.bioik.remove_contact() == {"FINISHED"}
    counts = len(rig.goals), len(rig.feet.grounds), len(rig.feet.contacts)
    assert counts == (2, 1, 1)
