"""Live solving of the current frame: what it shows, what it leaves alone, and how it ends.

Tests of: live_handlers, sessions, rig.blender.pose_channels, rig.source_shown.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Quaternion, Vector

from blender_bioik.rig.bake.bake import BakeOptions, bake
from blender_bioik.rig.blender.pose_channels import read_channels
from blender_bioik.rig.errors import RigError
from blender_bioik.rig.live.live_handlers import begin_live, end_live
from blender_bioik.rig.live.sessions import SESSIONS, live_session
from blender_bioik.rig.report.goal_errors import error_of
from blender_bioik.rig.source_shown import live_waits, source_shown

from ...builders.files import new_file
from ...builders.live_rigs import HAND, hand, move, off, own_handlers, reaching, shoulder
from ...builders.rigs import humanoid
from ...builders.snapshots import actions, data_of


def live(rig: bpy.types.Object) -> Any:
    return begin_live(bpy.context.scene, rig)


@pytest.mark.parametrize("keyed", [True, False], ids=["keyed", "unkeyed"])
def test_the_hand_follows_its_target_and_off_restores_the_pose_exactly(keyed: bool) -> None:
    rig, target = reaching(keyed=keyed)
    before, action = read_channels(rig), actions()
    live(rig)
    for by in ((0.1, -0.1, 0.1), (-0.2, -0.1, 0.0), (0.0, 0.05, -0.2)):
        move(target, by)
        assert off(rig, target) < 1e-3
    assert not np.array_equal(read_channels(rig), before)
    assert actions() == action
    end_live(rig)
    bpy.context.view_layer.update()
    assert np.array_equal(read_channels(rig), before)
    assert actions() == action


def test_no_handler_is_there_while_nothing_is_solved_live() -> None:
    rig, target = reaching()
    assert own_handlers() == []
    live(rig)
    handlers = own_handlers()
    assert handlers
    live(rig)
    assert own_handlers() == handlers
    end_live(rig)
    end_live(rig)
    assert own_handlers() == []
    pose = read_channels(rig)
    move(target, (0.1, 0.0, 0.0))
    assert np.array_equal(read_channels(rig), pose)


def test_keys_written_by_live_solving_do_not_trigger_it() -> None:
    rig, target = reaching()
    other = bpy.data.objects.new("Other", None)
    bpy.context.scene.collection.objects.link(other)
    session = live(rig)
    solves: list[bool] = []
    update = session._solve

    def counted(*args: Any) -> bool:
        solves.append(update(*args))
        return solves[-1]

    session._solve = counted
    move(target, (0.1, 0.0, 0.1))
    assert solves == [True]
    bpy.context.view_layer.update()
    move(other, (0.1, 0.0, 0.0))
    assert not any(solves[1:])


def test_scrubbing_solves_each_frame_from_its_own_animation() -> None:
    rig, target = reaching()
    scene = bpy.context.scene
    frames = (3, 9, 22, 9)
    animated = {}
    for frame in frames:
        scene.frame_set(frame)
        animated[frame] = read_channels(rig)
    live(rig)
    poses: dict[int, Any] = {}
    for frame in frames:
        scene.frame_set(frame)
        bpy.context.view_layer.update()
        pose = read_channels(rig)
        assert np.array_equal(poses.setdefault(frame, pose), pose)
    move(target, (0.1, -0.1, 0.1))
    assert off(rig, target) < 1e-3
    end_live(rig)
    assert np.array_equal(read_channels(rig), animated[9])


def test_channels_without_keys_do_not_carry_a_solved_pose_to_another_frame() -> None:
    rig, target = reaching(keyed=False)
    before = read_channels(rig)
    live(rig)
    move(target, (0.0, -0.2, 0.2))
    bpy.context.scene.frame_set(20)
    assert off(rig, target) < 1e-3
    end_live(rig)
    assert np.array_equal(read_channels(rig), before)


def test_a_bone_posed_by_hand_is_where_the_solve_starts_from() -> None:
    rig, target = reaching()
    live(rig)
    chest = rig.pose.bones["chest"]
    chest.rotation_mode = "QUATERNION"
    before = Quaternion(chest.rotation_quaternion)
    chest.rotation_quaternion = before @ Quaternion((0.0, 0.0, 1.0), 0.4)
    bpy.context.view_layer.update()
    assert off(rig, target) < 1e-3
    assert before.rotation_difference(chest.rotation_quaternion).angle > 0.2


def test_a_cancelled_transform_leaves_the_source_as_it_was() -> None:
    rig, target = reaching()
    source = read_channels(rig)
    session = live(rig)
    move(target, (0.1, -0.1, 0.1))
    bone = rig.pose.bones["hips"]
    solved = tuple(bone.location)
    for place in ((0.1, 0.0, 0.0), (0.2, 0.0, 0.1), solved):
        bone.location = place
        bpy.context.view_layer.update()
    assert np.array_equal(session.source_channels(), source)


def test_goals_that_change_are_solved_as_they_are_now() -> None:
    rig, target = reaching()
    live(rig)
    rig.bioik.goals[0].head_tail = 0.0
    rig.bioik.goals[0].point = (0.05, 0.0, 0.0)
    rig.update_tag(refresh={"DATA"})
    bpy.context.view_layer.update()
    elbow = rig.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones[HAND].head
    assert (elbow - (target.location + Vector((0.05, 0.0, 0.0)))).length < 1e-3


def test_goals_may_be_added_and_removed_while_it_runs() -> None:
    rig, target = reaching()
    session = live(rig)
    for number in range(20):
        goal = rig.bioik.goals.add()
        goal.name, goal.type, goal.bone, goal.target = f"Look {number}", "LOOK_AT", "head", target
        move(target, (0.005, 0.0, 0.0))
    assert session.problem == ""
    assert error_of(rig, "Look 19") is not None
    rig.bioik.goals.clear()
    move(target, (0.01, 0.0, 0.0))
    assert "no enabled goal" in session.problem
    assert np.array_equal(read_channels(rig), session.source_channels())


def test_errors_are_kept_for_the_list() -> None:
    rig, target = reaching()
    live(rig)
    reached = error_of(rig, "Reach")
    assert reached is not None
    assert reached.reached
    move(target, (3.0, 0.0, 0.0))
    missed = error_of(rig, "Reach")
    assert missed is not None
    assert not missed.reached
    assert missed.value == pytest.approx(1000.0 * off(rig, target), rel=1e-2)
    assert missed.unit == "mm"
    end_live(rig)
    assert error_of(rig, "Reach") is None


def test_moving_to_and_fro_does_not_drift() -> None:
    rig, target = reaching()
    live(rig)
    move(target, (0.1, -0.05, 0.05))
    first = read_channels(rig)
    for _ in range(20):
        for by in ((0.05, 0.0, 0.1), (-0.1, -0.1, 0.0), (0.05, 0.1, -0.1)):
            move(target, by)
    assert np.abs(read_channels(rig) - first).max() < 0.02


def test_the_same_moves_give_the_same_poses() -> None:
    poses = []
    for _ in range(2):
        new_file()
        rig, target = reaching()
        live(rig)
        for by in ((0.1, -0.1, 0.1), (1.0, 0.0, 0.0), (-1.1, 0.1, -0.1)):
            move(target, by)
        poses.append(read_channels(rig))
    assert np.array_equal(poses[0], poses[1])


def test_locked_channels_stay() -> None:
    rig, target = reaching()
    arm = rig.pose.bones["arm.L"]
    arm.rotation_mode = "XYZ"
    bpy.context.view_layer.update()
    arm.lock_rotation[1] = True
    before = arm.rotation_euler[1]
    live(rig)
    move(target, (0.1, -0.1, 0.1))
    assert arm.rotation_euler[1] == before
    assert off(rig, target) < 1e-3


def test_a_constraint_within_the_chain_is_refused_by_name() -> None:
    rig, target = reaching()
    constraint = rig.pose.bones[HAND].constraints.new("IK")
    constraint.name, constraint.target = "Arm IK", target
    before = read_channels(rig)
    with pytest.raises(RigError, match='"Arm IK" of bone "forearm'):
        live(rig)
    assert not SESSIONS
    assert np.array_equal(read_channels(rig), before)
    assert rig.bioik.live.source == ""
    constraint.mute = True
    live(rig)
    move(target, (0.1, -0.1, 0.1))
    assert off(rig, target) < 1e-3


def test_limits_by_constraint_are_kept_to() -> None:
    rig, target = reaching()
    arm = rig.pose.bones["forearm.L"]
    limit = arm.constraints.new("LIMIT_ROTATION")
    limit.owner_space = "LOCAL"
    limit.use_limit_x = limit.use_limit_y = limit.use_limit_z = True
    limit.min_x = limit.min_y = limit.min_z = -0.2
    limit.max_x = limit.max_y = limit.max_z = 0.2
    target.location = hand(rig)
    live(rig)
    for by in ((-0.02, 0.0, -0.05), (0.0, 0.03, 0.05), (-0.03, 0.0, 0.05)):
        move(target, by)
        assert off(rig, target) < 1e-3


def test_what_holds_the_body_may_be_constrained() -> None:
    rig, target = reaching(keyed=False)
    holder = bpy.data.objects.new("Holder", None)
    bpy.context.scene.collection.objects.link(holder)
    rig.pose.bones["hips"].constraints.new("COPY_LOCATION").target = holder
    holder.location = (0.0, 0.0, 1.1)
    rig.bioik.goals[0].chain_length = 3
    target.location = hand(rig).lerp(shoulder(rig), 0.1)
    live(rig)
    for _ in range(3):
        holder.location.x += 0.03
        move(target, (0.02, -0.05, 0.02))
        assert off(rig, target) < 1e-3


def test_a_moved_armature_still_reaches() -> None:
    rig, target = reaching()
    live(rig)
    rig.location = (0.1, 0.1, -0.1)
    rig.rotation_euler = (0.0, 0.0, 0.4)
    bpy.context.view_layer.update()
    assert off(rig, target) < 1e-3


def test_a_renamed_armature_goes_on_and_a_deleted_one_ends() -> None:
    rig, target = reaching()
    live(rig)
    rig.name = "Somebody Else"
    move(target, (0.1, -0.1, 0.1))
    assert off(rig, target) < 1e-3
    bpy.data.objects.remove(rig)
    move(target, (0.1, 0.0, 0.0))
    assert not SESSIONS
    assert own_handlers() == []


def test_renamed_bones_have_their_pose_back_when_it_ends() -> None:
    rig, target = reaching()
    before = read_channels(rig)
    live(rig)
    move(target, (0.1, -0.1, 0.1))
    bones = rig.data.bones
    bones["arm.L"].name = "was left"
    bones["arm.R"].name, bones["was left"].name = "arm.L", "arm.R"
    move(target, (0.02, 0.0, 0.0))
    assert off(rig, target) < 1e-3
    end_live(rig)
    assert np.array_equal(read_channels(rig), before)


def test_a_deleted_scene_ends_it() -> None:
    rig, target = reaching()
    before, first = read_channels(rig), bpy.context.scene
    live(rig)
    move(target, (0.1, -0.1, 0.1))
    other = bpy.data.scenes.new("Other")
    for linked in (rig, target):
        other.collection.objects.link(linked)
    bpy.context.window.scene = other
    bpy.data.scenes.remove(first)
    move(target, (0.02, 0.0, 0.0))
    assert not SESSIONS
    assert own_handlers() == []
    assert np.array_equal(read_channels(rig), before)


def test_another_scene_leaves_it_alone_until_the_animator_is_back() -> None:
    rig, target = reaching()
    first, other = bpy.context.scene, bpy.data.scenes.new("Other")
    live(rig)
    move(target, (0.1, -0.1, 0.1))
    shown = read_channels(rig)
    bpy.context.window.scene = other
    other.frame_set(5)
    assert np.array_equal(read_channels(rig), shown)
    bpy.context.window.scene = first
    move(target, (0.02, 0.0, 0.0))
    assert off(rig, target) < 1e-3


def test_a_target_deleted_while_it_runs_does_no_harm() -> None:
    rig, target = reaching()
    before = read_channels(rig)
    session = live(rig)
    move(target, (0.1, -0.1, 0.1))
    shown = read_channels(rig)
    bpy.context.scene.collection.objects.unlink(target)  # what the goal refers to, stays there
    bpy.context.view_layer.update()
    assert np.array_equal(read_channels(rig), shown)
    bpy.data.objects.remove(target)
    bpy.context.view_layer.update()
    assert (session.problem, rig.bioik.goals[0].target) == ("", None)
    end_live(rig)
    assert np.array_equal(read_channels(rig), before)


def test_another_file_ends_it() -> None:
    rig, target = reaching()
    live(rig)
    move(target, (0.1, -0.1, 0.1))
    new_file()
    assert not SESSIONS
    assert own_handlers() == []


def test_saved_files_have_the_pose_without_live_solving(tmp_path: Path) -> None:
    rig, target = reaching(keyed=False)
    before = read_channels(rig)
    live(rig)
    move(target, (0.1, -0.1, 0.1))
    shown = read_channels(rig)
    path = str(tmp_path / "live.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    assert np.array_equal(read_channels(rig), shown)
    move(target, (0.05, 0.0, 0.0))
    assert off(rig, target) < 1e-3
    bpy.ops.wm.open_mainfile(filepath=path)
    opened = bpy.data.objects["Rig"]
    assert np.array_equal(read_channels(opened), before)
    assert opened.bioik.live.source == ""


def test_a_file_that_cannot_be_saved_does_not_stop_live_solving(tmp_path: Path) -> None:
    rig, target = reaching(keyed=False)
    live(rig)
    shown = read_channels(rig)
    with pytest.raises(RuntimeError):
        bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "no such folder" / "file.blend"))
    assert np.array_equal(read_channels(rig), shown)
    move(target, (0.05, 0.0, 0.0))
    assert off(rig, target) < 1e-3


def test_two_armatures_are_solved_side_by_side() -> None:
    rig, target = reaching()
    first = read_channels(rig)
    other = humanoid("Other")
    goal = other.bioik.goals.add()
    goal.type, goal.bone, goal.head_tail, goal.target = "POSITION", HAND, 1.0, target
    live(rig)
    live(other)
    move(target, (0.05, -0.1, 0.1))
    assert off(rig, target) < 1e-3
    assert off(other, target) < 1e-3
    end_live(rig)
    move(target, (0.02, 0.0, 0.0))
    assert np.array_equal(read_channels(rig), first)
    assert off(other, target) < 1e-3


def test_a_copy_shows_its_source_and_can_be_solved_live_itself() -> None:
    rig, target = reaching(keyed=False)
    source = read_channels(rig)
    live(rig)
    move(target, (0.1, -0.1, 0.1))
    solved = read_channels(rig)
    assert not np.array_equal(solved, source)
    rig.select_set(True)
    bpy.ops.object.duplicate()
    bpy.context.view_layer.update()
    copy = bpy.data.objects[f"{rig.name}.001"]
    assert np.array_equal(read_channels(copy), source)
    assert copy.bioik.live.source == ""
    assert np.array_equal(read_channels(rig), solved)
    assert live_session(copy) is None
    live(copy)
    move(target, (0.05, 0.0, 0.0))
    assert off(copy, target) < 1e-3
    assert off(rig, target) < 1e-3
    end_live(copy)
    assert np.array_equal(read_channels(copy), source)


def test_a_bake_reads_the_animation_and_not_the_live_pose() -> None:
    baked = []
    for on in (False, True):
        new_file()
        rig, target = reaching(keyed=False)
        rig.pose.bones["hips"].keyframe_insert("location", frame=1)
        move(target, (0.1, -0.1, 0.1))
        if on:
            live(rig)
            assert live_session(rig) is not None
        bake(bpy.context.scene, rig, BakeOptions(1, 5))
        baked.append(data_of(rig.animation_data.action))
    assert baked[0] == baked[1]


def test_readers_inside_of_readers_see_the_source_until_the_last_one_ends() -> None:
    rig, target = reaching()
    source = read_channels(rig)
    live(rig)
    move(target, (0.1, -0.1, 0.1))
    shown = read_channels(rig)
    with source_shown():
        with source_shown():
            assert np.array_equal(read_channels(rig), source)
        assert np.array_equal(read_channels(rig), source)
    assert np.array_equal(read_channels(rig), shown)


def test_it_waits_while_a_bake_is_solved() -> None:
    rig, target = reaching()
    live(rig)
    with live_waits():
        shown = read_channels(rig)
        move(target, (0.1, -0.1, 0.1))
        assert np.array_equal(read_channels(rig), shown)
    move(target, (0.0, 0.0, 0.01))
    assert off(rig, target) < 1e-3


def test_renders_see_the_animation_and_are_not_held_up(tmp_path: Path) -> None:
    rig, _ = reaching()
    scene = bpy.context.scene
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(camera)
    scene.camera, scene.render.engine, scene.cycles.samples = camera, "CYCLES", 1
    scene.render.resolution_x = scene.render.resolution_y = 4
    scene.render.filepath = str(tmp_path / "frame")
    scene.frame_start, scene.frame_end = 1, 2
    session = live(rig)
    bpy.context.view_layer.update()
    solves: list[float] = []
    solve = session._solve

    def counted(*args: Any) -> bool:
        solves.append(scene.frame_current)
        return bool(solve(*args))

    session._solve = counted
    posed: list[Any] = []
    bpy.app.handlers.frame_change_post.append(
        lambda scene, graph: posed.append((graph.mode, len(solves)))
    )
    bpy.ops.render.render(animation=True)
    bpy.app.handlers.frame_change_post.pop()
    assert [solved for mode, solved in posed if mode == "RENDER"] == [0, 0]
    assert live_session(rig) is session


def test_keys_that_the_animator_sets_are_kept_when_it_ends() -> None:
    rig, target = reaching()
    live(rig)
    move(target, (0.1, -0.1, 0.1))
    arm = rig.pose.bones["arm.L"]
    shown = read_channels(rig)
    for name in ("rotation_quaternion", "rotation_euler", "rotation_axis_angle"):
        arm.keyframe_insert(name)
    bpy.context.view_layer.update()
    end_live(rig)
    row = rig.pose.bones.find("arm.L")
    assert read_channels(rig)[row] == pytest.approx(shown[row], abs=1e-6)


def test_undo_of_a_move_solves_again_and_undo_of_the_toggle_ends_it() -> None:
    rig, target = reaching()
    before = read_channels(rig)
    bpy.ops.ed.undo_push(message="before")
    live(rig)
    bpy.ops.ed.undo_push(message="live")
    first = read_channels(rig)
    move(target, (0.1, -0.1, 0.1))
    bpy.ops.ed.undo_push(message="moved")
    moved = read_channels(rig)

    bpy.ops.ed.undo()
    rig, target = bpy.data.objects["Rig"], bpy.data.objects["Target"]
    bpy.context.view_layer.update()
    assert off(rig, target) < 1e-3
    assert np.abs(read_channels(rig) - first).max() < 0.02
    move(target, (0.05, 0.0, 0.0))
    assert off(rig, target) < 1e-3

    bpy.ops.ed.undo()
    rig = bpy.data.objects["Rig"]
    assert not SESSIONS
    assert own_handlers() == []
    assert np.array_equal(read_channels(rig), before)

    bpy.ops.ed.redo()
    bpy.ops.ed.redo()
    rig, target = bpy.data.objects["Rig"], bpy.data.objects["Target"]
    bpy.context.view_layer.update()
    assert live_session(rig) is not None
    assert np.abs(read_channels(rig) - moved).max() < 0.02
    end_live(rig)
    assert np.array_equal(read_channels(rig), before)
