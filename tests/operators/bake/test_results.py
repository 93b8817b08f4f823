"""Results: baking again starts from the source, and removing a result gives it back exactly.

Tests of: results, rig.keys.results, rig.keys.played_source, rig.result.give_back,
rig.result.new_result, rig.result.delete_generated, ui_state.result_state, panels.result,
properties.result.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import pytest

from blender_bioik.rig.blender import fcurves
from blender_bioik.rig.keys.results import played_result
from blender_bioik.ui_state.result_state import result_state

from ...builders.bakes import POINT, add_goal, waving
from ...builders.libraries import link_object, link_own_action, save_as_library
from ...builders.placements import stepping
from ...builders.snapshots import all_data, data_of, differences

OUTPUTS = ("NEW_ACTION", "IN_PLACE", "LAYER")
Make = Callable[[], bpy.types.Object]
FRAMES = {"frame_start": 1, "frame_end": 10}


def goals() -> bpy.types.Object:
    """A person whose left arm reaches for a point, with a constraint that a bake mutes."""
    rig = waving()
    rig.pose.bones["forearm.L"].constraints.new("COPY_SCALE").target = rig
    container = fcurves.assigned_container(rig)
    assert container is not None
    # Without keyframes: where the bone is posed is lost unless it is kept.
    paths = {c.data_path for c in container.fcurves if '"arm.L"' in c.data_path}
    fcurves.remove_curves(container, paths)
    rig.pose.bones["arm.L"].rotation_mode = "QUATERNION"
    rig.pose.bones["arm.L"].rotation_quaternion = (0.9, 0.1, 0.3, 0.2)
    bpy.context.scene.frame_set(3)
    return rig


def feet() -> bpy.types.Object:
    rig = stepping()
    rig.pose.bones["thigh.L"].location = (0.0, 0.01, 0.0)
    rig.pose.bones["thigh.L"].keyframe_insert("scale", frame=4)
    rig.pose.bones["thigh.R"].rotation_quaternion = (0.99, 0.05, 0.02, 0.03)
    return rig


MADE = {"goals": (goals, "bake"), "feet": (feet, "place_feet")}


def press(name: str, **how: Any) -> None:
    assert getattr(bpy.ops.bioik, name)(**(FRAMES | how)) == {"FINISHED"}


def action_names() -> list[str]:
    return sorted(action.name for action in bpy.data.actions)


def result_data(rig: bpy.types.Object) -> dict[str, Any]:
    """Everything, apart from the number of the bake, and names to tell of what is deleted."""
    data = all_data()
    for action in bpy.data.actions:
        data[f"actions/{action.name_full}"]["bioik"].pop("source_name")
    data[f"objects/{rig.name}"]["bioik"]["baked"].pop("run")
    return data


@pytest.mark.parametrize("kind", MADE)
@pytest.mark.parametrize("output", OUTPUTS)
def test_pressed_again_the_result_is_the_same_bit_for_bit(kind: str, output: str) -> None:
    make, button = MADE[kind]
    rig = make()
    press(button, output=output)
    once, names = result_data(rig), action_names()
    for _ in range(2):
        press(button, output=output)
        assert action_names() == names
        assert differences(once, result_data(rig)) == []


@pytest.mark.parametrize("output", OUTPUTS)
def test_few_keyframes_are_the_same_again(output: str) -> None:
    rig = feet()
    press("place_feet", output=output, keys="FEW")
    once = result_data(rig)
    press("place_feet", output=output, keys="FEW")
    assert differences(once, result_data(rig)) == []


@pytest.mark.parametrize("kind", MADE)
@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize("earlier", OUTPUTS)
def test_another_output_takes_the_place_of_the_result(kind: str, earlier: str, output: str) -> None:
    make, button = MADE[kind]
    rig = make()
    press(button, output=output)
    once = result_data(rig)
    assert bpy.ops.bioik.remove_result() == {"FINISHED"}
    press(button, output=earlier)
    press(button, output=output)
    assert differences(once, result_data(rig)) == []


@pytest.mark.parametrize("kind", MADE)
@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize("remove", ["remove_result", "delete_generated_keys"])
def test_removing_gives_the_source_back_exactly(kind: str, output: str, remove: str) -> None:
    make, button = MADE[kind]
    rig = make()
    if kind == "feet":  # detected contacts stay: they are settings
        bpy.ops.bioik.find_contacts(**FRAMES)
        rig.bioik.bake.known = ""
    before = result_data(rig)
    press(button, output=output)
    assert differences(before, result_data(rig))
    how = {} if remove == "remove_result" else FRAMES
    assert getattr(bpy.ops.bioik, remove)(**how) == {"FINISHED"}
    assert differences(before, result_data(rig)) == []


@pytest.mark.parametrize("output", OUTPUTS)
def test_the_state_is_named_until_the_result_is_the_source(output: str) -> None:
    rig = feet()
    source = rig.animation_data.action.name
    assert result_state(rig)[:2] == (source, "")
    assert not bpy.ops.bioik.remove_result.poll()
    assert not bpy.ops.bioik.use_result_as_source.poll()
    press("place_feet", output=output)
    result = source if output == "IN_PLACE" else f"{source}_bioik"
    state = result_state(rig)
    assert state.result == result
    assert state.source == (f"{source}_source" if output == "IN_PLACE" else source)
    assert state.feet
    assert bpy.ops.bioik.use_result_as_source() == {"FINISHED"}
    assert result_state(rig).result == ""
    assert not bpy.ops.bioik.use_result_as_source.poll()


def test_the_report_compares_with_the_source() -> None:
    rig = feet()
    press("place_feet")
    before = json.loads(rig.bioik.bake.report)["feet"]
    press("place_feet")
    again = json.loads(rig.bioik.bake.report)["feet"]
    assert again == before


def test_a_result_used_as_source_is_corrected_again() -> None:
    rig = feet()
    press("place_feet")
    first = rig.animation_data.action
    bpy.ops.bioik.use_result_as_source()
    bpy.data.objects["Plane"].location.z += 0.05
    press("place_feet")
    assert result_state(rig).source == first.name
    assert rig.animation_data.action != first


# Feet and goals


def test_goals_baked_on_placed_feet_keep_the_feet() -> None:
    rig = feet()
    press("place_feet")
    add_goal(rig, chain_length=2)
    press("bake")
    both, result = result_data(rig), played_result(rig)
    assert result is not None
    assert result.feet
    press("place_feet")
    assert differences(both, result_data(rig)) == []
    bpy.data.objects["Plane"].location.z += 0.05
    rig.bioik.feet.grounds.clear()
    with pytest.raises(RuntimeError, match="Add an object or collection to Ground first"):
        bpy.ops.bioik.bake(**FRAMES)


def test_feet_placed_after_goals_include_them() -> None:
    rig = feet()
    add_goal(rig, chain_length=2)
    press("place_feet")
    both = result_data(rig)
    bpy.ops.bioik.remove_result()
    press("bake")
    press("place_feet")
    assert differences(both, result_data(rig)) == []


# What happens to source and result meanwhile


@pytest.mark.parametrize("output", OUTPUTS)
def test_a_renamed_source_is_still_the_source(output: str) -> None:
    rig = goals()
    press("bake", output=output)
    result = played_result(rig)
    assert result is not None
    assert result.source is not None
    result.source.name = "Another Name"
    once, names = result_data(rig), action_names()
    assert result_state(rig).source == "Another Name"
    press("bake", output=output)
    if output == "NEW_ACTION":  # others have the name of the source in their copy or strip
        assert differences(once, result_data(rig)) == []
    if output != "IN_PLACE":
        assert action_names() == names


@pytest.mark.parametrize("output", OUTPUTS)
def test_a_deleted_source_is_told(output: str) -> None:
    rig = goals()
    press("bake", output=output)
    result = played_result(rig)
    assert result is not None
    assert result.source is not None
    name = result.source.name
    bpy.data.actions.remove(result.source)
    for button in ("bake", "remove_result", "delete_generated_keys"):
        assert not getattr(bpy.ops.bioik, button).poll()
        with pytest.raises(RuntimeError, match=f'The source "{name}" of this result was deleted'):
            getattr(bpy.ops.bioik, button)()
    assert bpy.ops.bioik.use_result_as_source() == {"FINISHED"}
    if output != "LAYER":  # whose only animation was deleted with it
        assert bpy.ops.bioik.bake.poll()


@pytest.mark.parametrize("output", OUTPUTS)
def test_saved_and_opened_it_is_the_same(output: str, tmp_path: Path) -> None:
    rig = feet()
    before = result_data(rig)
    press("place_feet", output=output)
    once, name = result_data(rig), rig.name
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "saved.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "saved.blend"))
    rig = bpy.data.objects[name]
    press("place_feet", output=output)
    assert differences(once, result_data(rig)) == []
    bpy.ops.bioik.remove_result()
    rig.bioik.feet.contacts.clear()
    assert differences(before, result_data(rig)) == []


@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize("button", ["place_feet", "remove_result", "use_result_as_source"])
def test_one_undo_takes_it_back(output: str, button: str) -> None:
    feet()
    press("place_feet", output=output)
    bpy.data.objects["Plane"].location.z += 0.05
    before = all_data()
    bpy.ops.ed.undo_push(message="Before")
    how = FRAMES | {"output": output} if button == "place_feet" else {}
    assert getattr(bpy.ops.bioik, button)("EXEC_DEFAULT", True, **how) == {"FINISHED"}
    assert differences(before, all_data())
    bpy.ops.ed.undo()
    assert differences(before, all_data()) == []
    press("place_feet", output=output)


def test_going_back_to_the_source_by_hand_replaces_the_result_too() -> None:
    rig = goals()
    source = rig.animation_data.action
    press("bake")
    names = action_names()
    slot = fcurves.assigned_slot(rig)
    fcurves.assign_action(rig, source, fcurves.matching_slot(source, slot))
    press("bake")
    assert action_names() == names


def test_each_clip_has_its_own_result() -> None:
    rig = goals()
    walk = rig.animation_data.action
    run = walk.copy()
    run.name = "Run"
    press("bake")
    walked = rig.animation_data.action
    slot = fcurves.assigned_slot(rig)
    fcurves.assign_action(rig, run, fcurves.matching_slot(run, slot))
    press("bake")
    assert rig.animation_data.action.name == "Run_bioik"
    fcurves.assign_action(rig, walked, fcurves.matching_slot(walked, slot))
    names = action_names()
    assert result_state(rig).source == walk.name
    press("bake")
    assert action_names() == names


def test_armatures_that_share_an_action_have_their_own_results() -> None:
    rig = goals()
    source = rig.animation_data.action
    other = rig.copy()
    bpy.context.scene.collection.objects.link(other)
    other.name = "Other"
    other.bioik.goals[0].point = (POINT[0], POINT[1], POINT[2] - 0.2)
    before = data_of(source)["slots"] if fcurves.LAYERED_ACTIONS else None
    for _ in range(2):
        for armature in (rig, other):
            bpy.context.view_layer.objects.active = armature
            press("bake")
    results = [armature.animation_data.action for armature in (rig, other)]
    assert [action.name for action in results] == [
        f"{source.name}_bioik",
        f"{source.name}_Other_bioik",
    ]
    assert [result_state(armature).source for armature in (rig, other)] == [source.name] * 2
    for armature in (rig, other):
        bpy.context.view_layer.objects.active = armature
        bpy.ops.bioik.remove_result()
        assert armature.animation_data.action == source
    assert action_names() == [source.name]
    assert before is None or data_of(source)["slots"] == before


def test_a_result_that_another_armature_plays_too_is_not_deleted() -> None:
    rig = goals()
    press("bake")
    result = rig.animation_data.action
    other = rig.copy()
    bpy.context.scene.collection.objects.link(other)
    keys = data_of(result)["layers"] if fcurves.LAYERED_ACTIONS else data_of(result)["fcurves"]
    press("bake")
    assert other.animation_data.action == result
    assert rig.animation_data.action != result
    now = data_of(result)["layers"] if fcurves.LAYERED_ACTIONS else data_of(result)["fcurves"]
    assert differences(keys, now) == []


def test_a_result_in_a_strip_is_told() -> None:
    rig = goals()
    press("bake")
    result, slot = rig.animation_data.action, fcurves.assigned_slot(rig)
    fcurves.add_strip(rig.animation_data.nla_tracks.new(), "pushed", result, slot, 1, 10)
    fcurves.assign_action(rig, None)
    with pytest.raises(RuntimeError, match="plays in an NLA strip"):
        bpy.ops.bioik.bake(**FRAMES)
    bpy.ops.bioik.use_result_as_source()
    assert bpy.ops.bioik.bake.poll()


def test_influence_keyed_in_the_result_counts_and_stays() -> None:
    rig = goals()
    press("bake")
    goal = rig.bioik.goals[0]
    for frame, influence in ((1, 0.0), (10, 1.0)):
        goal.influence = influence
        rig.keyframe_insert(goal.path_from_id("influence"), frame=frame)
    press("bake")
    once = result_data(rig)
    container = fcurves.assigned_container(rig)
    assert container is not None
    assert container.fcurves.find(goal.path_from_id("influence")) is not None
    press("bake")
    assert differences(once, result_data(rig)) == []


@pytest.mark.parametrize("output", OUTPUTS)
def test_what_a_re_bake_adds_is_removed_too(output: str) -> None:
    rig = goals()
    container = fcurves.assigned_container(rig)
    assert container is not None
    paths = {c.data_path for c in container.fcurves if '"thigh.R"' in c.data_path}
    fcurves.remove_curves(container, paths)
    rig.pose.bones["thigh.R"].rotation_mode = "QUATERNION"
    rig.pose.bones["thigh.R"].rotation_quaternion = (0.9, 0.3, 0.1, 0.2)
    if output == "NEW_ACTION":  # in place, such a rig cannot be updated in part
        rig.pose.bones["shin.R"].constraints.new("COPY_SCALE").target = rig
    bpy.context.scene.frame_set(3)
    before = result_data(rig)
    press("bake", output=output)
    add_goal(rig, name="foot", bone="shin.R", point=(-0.1, -0.2, 0.3), chain_length=2)
    before["objects/Rig"]["bioik"].pop("goals")
    if output == "LAYER":  # which refuses bones without keyframes below it
        with pytest.raises(RuntimeError, match="has no keyframes below the layer"):
            bpy.ops.bioik.rebake()
    else:
        assert bpy.ops.bioik.rebake() == {"FINISHED"}
    assert bpy.ops.bioik.remove_result() == {"FINISHED"}
    after = result_data(rig)
    after["objects/Rig"]["bioik"].pop("goals")
    assert differences(before, after) == []


def test_a_result_with_a_fake_user_keeps_it_and_is_kept_once_it_does_not_play() -> None:
    rig = goals()
    source = rig.animation_data.action
    press("bake")
    rig.animation_data.action.use_fake_user = True
    press("bake")
    kept = rig.animation_data.action
    assert kept.use_fake_user
    slot = fcurves.assigned_slot(rig)
    fcurves.assign_action(rig, source, fcurves.matching_slot(source, slot))
    press("bake")
    assert kept.name in bpy.data.actions
    assert rig.animation_data.action != kept


def test_in_place_other_keyframes_of_the_action_stay() -> None:
    rig = goals()
    press("bake", output="IN_PLACE")
    rig.pose.bones["shin.L"].location = (0.1, 0.2, 0.3)
    rig.pose.bones["shin.L"].keyframe_insert("location", frame=7)
    container = fcurves.assigned_container(rig)
    path = 'pose.bones["shin.L"].location'
    assert container is not None
    assert 7.0 in fcurves.key_frames(container.fcurves.find(path, index=1))
    press("bake", output="IN_PLACE")
    bpy.ops.bioik.remove_result()
    assert 7.0 in fcurves.key_frames(container.fcurves.find(path, index=1))


def test_contacts_are_detected_in_the_source() -> None:
    rig = feet()
    bpy.data.objects["Plane"].location.z = 0.3
    bpy.ops.bioik.find_contacts(**FRAMES)
    found = [(c.foot, c.point, c.frame_start, c.frame_end) for c in rig.bioik.feet.contacts]
    press("place_feet")
    bpy.ops.bioik.find_contacts(**FRAMES)
    assert found == [(c.foot, c.point, c.frame_start, c.frame_end) for c in rig.bioik.feet.contacts]


@pytest.mark.parametrize("output", ["NEW_ACTION", "LAYER"])
def test_a_linked_source_is_given_back(output: str, tmp_path: Path) -> None:
    rig = goals()
    link_own_action(rig, tmp_path / "library.blend")
    before = result_data(rig)
    press("bake", output=output)
    once = result_data(rig)
    press("bake", output=output)
    assert differences(once, result_data(rig)) == []
    bpy.ops.bioik.remove_result()
    assert differences(before, result_data(rig)) == []


@pytest.mark.parametrize("output", ["NEW_ACTION", "LAYER"])
def test_a_library_override_has_results(output: str, tmp_path: Path) -> None:
    name = goals().name
    path = save_as_library(tmp_path / "library.blend")
    rig = link_object(path, name).override_create(remap_local_usages=True)
    bpy.context.view_layer.objects.active = rig
    source = rig.animation_data.action
    assert source.library is not None
    press("bake", output=output)
    names = action_names()
    press("bake", output=output)
    assert action_names() == names
    bpy.ops.bioik.remove_result()
    assert rig.animation_data.action == source
    assert len(rig.animation_data.nla_tracks) == 0
    assert list(bpy.data.actions) == [source]
