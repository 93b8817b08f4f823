"""The operator `bioik.bake`: the same as the function, for users and scripts.

Tests of: frame_range, key_options.
"""

from __future__ import annotations

from typing import Any

import bpy
import pytest
from mathutils import Vector

from blender_bioik.rig.bake.bake import bake

from ...builders.bakes import HAND, POINT, both_ways, constrain, generated_frames, waving
from ...builders.snapshots import differences, file_data


@pytest.mark.parametrize(
    "how",
    [
        {},
        {"output": "IN_PLACE", "blend_in": 3, "blend_out": 4},
        {"output": "LAYER", "step": 2},
        {"mute_constraints": False},
    ],
    ids=lambda how: "-".join(map(str, how.values())) or "defaults",
)
def test_operator_and_function_write_the_same(how: dict[str, Any]) -> None:
    def build() -> bpy.types.Object:
        return constrain(waving(), **{"shin.L": "IK", HAND: "COPY_SCALE"})

    written = [
        file_data() for _ in both_ways(build, bpy.ops.bioik.bake, bake, frames=(5, 20), how=how)
    ]
    assert differences(written[0], written[1]) == []


def test_the_same_names_and_defaults_as_in_blenders_own_bake() -> None:
    ours = bpy.ops.bioik.bake.get_rna_type().properties
    blenders = bpy.ops.nla.bake.get_rna_type().properties
    for name in ("frame_start", "frame_end", "step"):
        assert (ours[name].name, ours[name].default) == (
            blenders[name].name,
            blenders[name].default,
        )
        assert type(ours[name]) is type(blenders[name])
    # Blender's default is a new action too.
    assert ours["output"].default == "NEW_ACTION"
    assert blenders["use_current_action"].default is False


# Ranges


def test_the_scenes_frames() -> None:
    rig = waving()
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 12, 16
    bpy.ops.bioik.bake(range="SCENE")
    assert generated_frames(rig) == list(range(12, 17))


def test_the_preview_range_where_it_is_on() -> None:
    rig = waving()
    scene = bpy.context.scene
    scene.use_preview_range = True
    scene.frame_preview_end = 16
    scene.frame_preview_start = 12
    bpy.ops.bioik.bake(range="SCENE")
    assert generated_frames(rig) == list(range(12, 17))


def test_the_clips_own_frames_are_the_default() -> None:
    rig = waving()
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 12, 16
    bpy.ops.bioik.bake()
    assert generated_frames(rig) == list(range(1, 41))


def test_the_actions_frames_with_fractions() -> None:
    rig = waving()
    rig.pose.bones["head"].keyframe_insert("location", frame=-3.5)
    rig.pose.bones["head"].keyframe_insert("location", frame=41.25)
    bpy.ops.bioik.bake(range="ACTION")
    assert generated_frames(rig) == list(range(-4, 43))


def test_a_custom_frame_range_with_a_step() -> None:
    rig = waving()
    bpy.ops.bioik.bake(range="CUSTOM", frame_start=-4, frame_end=10, step=5)
    assert generated_frames(rig) == [-4, 1, 6]


def test_a_script_that_gives_frames_means_them() -> None:
    rig = waving()
    rig.bioik.bake.frame_end = 40
    bpy.ops.bioik.bake(frame_start=38)
    assert generated_frames(rig) == [38, 39, 40]


def test_a_script_that_names_the_range_means_that() -> None:
    rig = waving()
    bpy.context.scene.frame_end = 3
    bpy.ops.bioik.bake(range="SCENE", frame_start=5, frame_end=9)
    assert generated_frames(rig) == [1, 2, 3]


def test_the_frames_of_no_action_are_refused() -> None:
    rig = waving()
    rig.animation_data_clear()
    before = file_data()
    with pytest.raises(RuntimeError, match='"Rig" has no animation: assign an action'):
        bpy.ops.bioik.bake(range="ACTION")
    assert differences(before, file_data()) == []


# When it can be called, and what it says


def test_errors_are_one_sentence_and_nothing_changes() -> None:
    rig = waving()
    rig.bioik.goals[0].name = "reach"
    rig.bioik.goals[0].bone = "wing"
    before = file_data()
    with pytest.raises(RuntimeError) as caught:
        bpy.ops.bioik.bake()
    assert str(caught.value).strip() == (
        'Error: The goal "reach" refers to the bone "wing", which does not exist: '
        "choose a bone of the armature."
    )
    assert differences(before, file_data()) == []


def test_a_bake_that_has_nothing_to_change_is_cancelled() -> None:
    waving().bioik.solver.smoothness = 0.0  # a second bake would smooth what the first left
    assert bpy.ops.bioik.bake(frame_start=1, frame_end=9) == {"FINISHED"}
    bpy.ops.bioik.use_result_as_source()
    before = file_data()
    assert bpy.ops.bioik.bake(frame_start=1, frame_end=9) == {"CANCELLED"}
    assert differences(before, file_data()) == []


def test_the_armature_of_an_active_mesh_is_meant() -> None:
    rig = waving()
    mesh = bpy.data.objects.new("Body", bpy.data.meshes.new("Body"))
    bpy.context.scene.collection.objects.link(mesh)
    mesh.modifiers.new("Armature", "ARMATURE").object = rig
    bpy.context.view_layer.objects.active = mesh
    assert bpy.ops.bioik.bake(frame_start=1, frame_end=3) == {"FINISHED"}
    assert generated_frames(rig) == [1, 2, 3]


def no_armature(rig: bpy.types.Object) -> None:
    bpy.data.objects.remove(rig)


def edit_mode(_rig: bpy.types.Object) -> None:
    bpy.ops.object.mode_set(mode="EDIT")


def no_goal(rig: bpy.types.Object) -> None:
    rig.bioik.goals.clear()


def goal_off(rig: bpy.types.Object) -> None:
    rig.bioik.goals[0].enabled = False


@pytest.mark.parametrize("spoil", [no_armature, edit_mode, no_goal, goal_off])
def test_it_cannot_be_called(spoil: Any) -> None:
    rig = waving()
    assert bpy.ops.bioik.bake.poll()
    spoil(rig)
    assert not bpy.ops.bioik.bake.poll()


@pytest.mark.parametrize("mode", ["OBJECT", "POSE"])
def test_mode_frame_and_selection_stay(mode: str) -> None:
    rig = waving()
    bpy.ops.object.mode_set(mode=mode)
    bpy.context.scene.frame_set(7, subframe=0.25)
    rig.data.bones.active = rig.data.bones["head"]
    before = file_data()

    bpy.ops.bioik.bake(frame_start=1, frame_end=9)

    after = file_data()
    for key in ("active", "selected", "scenes"):
        assert after[key] == before[key]
    bones = [data["objects/Rig"]["pose"]["bones"] for data in (before, after)]
    for name in ("select", "hide") if bpy.app.version >= (5, 0, 0) else ():
        assert [b[name] for b in bones[0]] == [b[name] for b in bones[1]]
    assert differences(before["armatures/Rig"], after["armatures/Rig"]) == []


def test_the_pose_shown_is_the_baked_one() -> None:
    rig = waving()
    bpy.context.scene.frame_set(5)
    bpy.ops.bioik.bake(frame_start=1, frame_end=9)
    bpy.context.view_layer.update()
    assert (rig.matrix_world @ rig.pose.bones[HAND].tail - Vector(POINT)).length < 2e-4


# Undo


@pytest.mark.parametrize("output", ["NEW_ACTION", "IN_PLACE", "LAYER"])
def test_one_undo_takes_all_of_it_back(output: str) -> None:
    rig = waving()
    rig.pose.bones["shin.L"].constraints.new("COPY_SCALE").target = rig
    goal = rig.bioik.goals.add()
    goal.type, goal.bone = "ORIENTATION", "shin.L"
    before = file_data()
    bpy.ops.ed.undo_push(message="Before")

    bpy.ops.bioik.bake("EXEC_DEFAULT", True, frame_start=5, frame_end=20, output=output)
    assert differences(before, file_data())
    bpy.ops.ed.undo()

    assert differences(before, file_data()) == []
