"""Legs of control rigs: feet are placed through the controls that move them.

Tests of: read_legs.
"""

from __future__ import annotations

import bpy
import pytest
from mathutils import Quaternion

from blender_bioik.rig.bake.bake import BakeOptions
from blender_bioik.rig.errors import RigError
from blender_bioik.rig.feet.place_feet import place_feet
from blender_bioik.rig.legs.read_legs import read_legs
from blender_bioik.rig.legs.source_feet import read_source_feet
from demo import ground

from ...builders.rigs import humanoid

PARTS = ("thigh", "shin", "foot")
FRAMES = (1, 10)


def controlled() -> bpy.types.Object:
    """A small person who sways, with controls that its legs follow, on a flat ground."""
    rig = humanoid()
    bpy.ops.object.mode_set(mode="EDIT")
    bones = rig.data.edit_bones
    for side in "LR":
        for part, parent in zip(PARTS, ("hips", *(f"{p}_fk.{side}" for p in PARTS)), strict=False):
            led = bones[f"{part}.{side}"]
            control = bones.new(f"{part}_fk.{side}")
            control.head, control.tail, control.roll = led.head, led.tail, led.roll
            control.parent, control.use_deform = bones[parent], False
    bpy.ops.object.mode_set(mode="OBJECT")
    for side in "LR":
        for part in PARTS:
            follow = rig.pose.bones[f"{part}.{side}"].constraints.new("COPY_TRANSFORMS")
            follow.target, follow.subtarget = rig, f"{part}_fk.{side}"
            slot = rig.bioik.slots.add()
            slot.name, slot.bone = f"{part}.{side}", f"{part}_fk.{side}"
    sway(rig, "hips")
    made = ground.flat()
    bpy.context.scene.collection.objects.link(made)
    rig.bioik.feet.grounds.add().object = made
    return rig


def sway(rig: bpy.types.Object, bone: str) -> None:
    for frame, aside in zip(FRAMES, (0.0, 0.1), strict=True):
        rig.pose.bones[bone].location = (aside, 0.0, 0.0)
        rig.pose.bones[bone].keyframe_insert("location", frame=frame)


def placed(rig: bpy.types.Object) -> str:
    return place_feet(bpy.context.scene, rig, BakeOptions(*FRAMES)).written


def test_controls_that_move_the_legs_get_keys() -> None:
    rig = controlled()
    assert read_legs(rig).soles[0].foot == "foot_fk.L"
    assert placed(rig) == "RigAction_bioik"


def test_controls_that_the_legs_do_not_follow_are_refused() -> None:
    rig = controlled()
    for part in PARTS:
        rig.pose.bones[f"{part}.R"].constraints[0].influence = 0.0
    rig.pose.bones["thigh.R"].rotation_quaternion = (0.9, 0.4, 0.0, 0.0)
    sentence = (
        'leg "leg.R" of "Rig" does not follow "foot_fk.R" at frame 1 .*: switch to this control'
    )
    with pytest.raises(RigError, match=sentence):
        placed(rig)
    with pytest.raises(RigError, match=sentence):
        read_source_feet(bpy.context.scene, rig, range(1, 11))


@pytest.mark.parametrize(("share", "follows"), [(0.015, True), (0.03, False)])
def test_a_leg_that_is_where_its_control_is_follows_it(share: float, follows: bool) -> None:
    """Within a hundredth of its length or so, as with retargeted rigs whose joints differ."""
    rig = controlled()
    for part in PARTS:
        rig.pose.bones[f"{part}.R"].constraints[0].influence = 0.0
    thigh = Quaternion((1.0, 0.0, 0.0), share)  # the ankle is off by that share of the leg
    rig.pose.bones["thigh.R"].rotation_quaternion = thigh
    if follows:
        assert placed(rig)
    else:
        with pytest.raises(RigError, match=r'does not follow "foot_fk\.R"'):
            placed(rig)


@pytest.mark.parametrize(("bone", "switch"), [("thigh.L", "IK_FK"), ("foot.L", "ik_fk_switch")])
def test_a_switch_to_ik_is_named_also_where_the_controls_are_at_the_same_place(
    bone: str, switch: str
) -> None:
    rig = controlled()
    rig.pose.bones[bone][switch] = 0.0
    said = f'leg "leg.L" of "Rig" is moved by IK, .* "{switch}" of bone "{bone}"'
    with pytest.raises(RigError, match=said):
        placed(rig)
    rig.pose.bones[bone][switch] = 1.0
    assert placed(rig)


def test_an_animated_switch_decides_nothing() -> None:
    """What the frames show does."""
    rig = controlled()
    bone = rig.pose.bones["thigh.L"]
    bone["IK_FK"] = 1.0
    bone.keyframe_insert('["IK_FK"]', frame=1)
    bone["IK_FK"] = 0.0
    assert placed(rig)


def test_switches_of_other_limbs_do_not_matter() -> None:
    rig = controlled()
    rig.pose.bones["arm.L"]["IK_FK"] = 0.0
    assert placed(rig)
