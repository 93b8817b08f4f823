"""The list of unsupported constraints and limits.

Tests of: rig.goals.unsupported, ui_state.rig_check.
"""

from __future__ import annotations

import bpy
import pytest

from blender_bioik.ui_state.rig_check import is_checked

from ..builders.files import new_file
from ..builders.rigs import humanoid


@pytest.fixture
def rig() -> bpy.types.Object:
    made = humanoid()
    bpy.context.view_layer.objects.active = made
    return made


def found() -> list[tuple[str, str]]:
    listed = bpy.context.window_manager.bioik_rig_check.unsupported
    assert all(item.reason for item in listed)
    return [(item.name, item.constraint) for item in listed]


def test_what_cannot_be_kept_to_is_listed_by_bone_and_name(rig: bpy.types.Object) -> None:
    bones = rig.pose.bones
    bones["shin.L"].constraints.new("LIMIT_ROTATION").owner_space = "LOCAL"
    bones["foot.L"].constraints.new("LIMIT_ROTATION").owner_space = "WORLD"
    bones["chest"].constraints.new("STRETCH_TO").target = rig
    assert bpy.ops.bioik.check_rig() == {"FINISHED"}
    assert found() == [("chest", "Stretch To"), ("foot.L", "Limit Rotation")]


def test_a_check_is_of_one_rig_as_it_is(rig: bpy.types.Object) -> None:
    assert not is_checked(bpy.context, rig)
    bpy.ops.bioik.check_rig()
    assert is_checked(bpy.context, rig)
    assert found() == []
    other = humanoid("Other")
    assert not is_checked(bpy.context, other)
    constraint = rig.pose.bones["head"].constraints.new("TRANSFORM")
    assert not is_checked(bpy.context, rig)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.bioik.check_rig()
    assert len(found()) == 1
    constraint.mute = True
    assert not is_checked(bpy.context, rig)


def test_another_file_knows_nothing_of_a_check(rig: bpy.types.Object) -> None:
    rig.pose.bones["head"].constraints.new("TRANSFORM")
    bpy.ops.bioik.check_rig()
    new_file()
    assert not is_checked(bpy.context, humanoid())
