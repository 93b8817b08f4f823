"""Bakes, measured in the pose that Blender plays; bakes that are refused or cancelled.

Tests of: rig.goals.solve_setup, rig.problem.goals_problem, rig.result.keep,
rig.result.write_keys.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Euler, Vector

from blender_bioik.rig.bake.bake import BakeOptions, bake, read_goals, tip_of, write_goals
from blender_bioik.rig.blender import fcurves
from blender_bioik.rig.errors import Cancelled, RigError
from blender_bioik.rig.reading import drained
from blender_bioik.solver import CustomGoal, Position

from ...builders.bakes import (
    FRAMES,
    HAND,
    KEYED,
    OPTIONS,
    POINT,
    REACHED,
    add_goal,
    at_frame,
    distance,
    poses,
    run,
    tweaked_strip,
    waving,
)
from ...builders.curves import set_key
from ...builders.files import new_file
from ...builders.libraries import link_own_action
from ...builders.rigs import (
    humanoid,
    key_randomly,
    rotate,
    rotation_path,
)
from ...builders.snapshots import data_of, differences, file_data

# Blender combines quaternions of NLA strips by the arc cosine of a 32-bit number.
REACHED_BY_LAYER = 4e-3


def curves(rig: bpy.types.Object) -> dict[tuple[str, int], Any]:
    """The F-curves of the active action with every property of their keys."""
    container = fcurves.assigned_container(rig)
    assert container is not None
    return {(c.data_path, c.array_index): data_of(c) for c in container.fcurves}


def keys_at(curve: dict[str, Any], inside: bool) -> list[dict[str, Any]]:
    return [
        key
        for key in curve["keyframe_points"]
        if (FRAMES[0] <= float(key["co"][0]) <= FRAMES[-1]) == inside
    ]


# Written keys


@pytest.mark.parametrize("output", ["NEW_ACTION", "IN_PLACE", "LAYER"])
def test_baked_keys_reach_the_goal_in_every_rotation_mode(output: Any) -> None:
    rig = waving()
    report = run(rig, replace(OPTIONS, output=output))

    worst = max(distance(rig, frame) for frame in FRAMES)
    assert worst < (REACHED_BY_LAYER if output == "LAYER" else REACHED)
    assert (report.frames, report.missed) == (len(FRAMES), ())
    assert min(distance(rig, frame) for frame in (1, 5, 40)) > 10 * worst


def test_new_action_leaves_the_source_as_it_is_and_keeps_it() -> None:
    rig = waving()
    source = rig.animation_data.action
    before = data_of(source)

    report = run(rig)

    # The armature plays it no longer but remembers it as a source, and it is kept.
    changes = [change for change in differences(before, data_of(source)) if "/users" not in change]
    assert changes == ["/use_fake_user: 'False' -> 'True'"]
    assert rig.animation_data.action.name == report.written == source.name + "_bioik"


@pytest.mark.parametrize("output", ["NEW_ACTION", "IN_PLACE"])
def test_keys_outside_the_range_stay_in_every_property(output: Any) -> None:
    rig = waving()
    before = curves(rig)

    run(rig, replace(OPTIONS, output=output))

    after = curves(rig)
    assert before.keys() <= after.keys()
    for channel, curve in before.items():
        assert keys_at(after[channel], inside=False) == keys_at(curve, inside=False)


def test_keys_are_generated_on_every_frame_and_only_of_bones_that_changed() -> None:
    rig = waving()
    before = curves(rig)

    report = run(rig)

    after = curves(rig)
    changed = {channel for channel in after if after[channel] != before.get(channel)}
    bones = {path.split('"')[1] for path, _ in changed}
    assert bones <= {"hips", "chest", "arm.L", HAND}
    assert {"arm.L", HAND} <= bones
    assert report.bones == len(bones)
    for channel in changed:
        keys = keys_at(after[channel], inside=True)
        assert [float(key["co"][0]) for key in keys] == list(FRAMES)
        assert {key["type"] for key in keys} == {"'GENERATED'"}


def test_step_sets_the_frames_of_the_keys() -> None:
    rig = waving()
    run(rig, BakeOptions(10, 30, step=6))

    path = f'pose.bones["{HAND}"].{rotation_path(rig.pose.bones[HAND])}'
    keys = keys_at(curves(rig)[path, 0], inside=True)
    assert [float(key["co"][0]) for key in keys] == [10, 16, 22, 28]
    assert max(distance(rig, frame) for frame in (10, 16, 22, 28)) < REACHED


def test_a_bake_in_place_leaves_no_gap_of_keys_between_its_steps() -> None:
    rig = waving()
    run(rig, BakeOptions(10, 30, step=10, output="IN_PLACE"))
    path = f'pose.bones["{HAND}"].{rotation_path(rig.pose.bones[HAND])}'
    assert [float(k["co"][0]) for k in curves(rig)[path, 0]["keyframe_points"]] == [
        *(1, 10, 20, 30, 40)
    ]


@pytest.mark.parametrize("output", ["NEW_ACTION", "IN_PLACE", "LAYER"])
def test_blending_begins_and_ends_with_the_source(output: Any) -> None:
    rig = waving()
    source = poses(rig, [10, 30])
    run(rig, replace(OPTIONS, output=output, blend_in=6, blend_out=5))

    tolerance = 1e-5 if output != "LAYER" else 2e-3
    np.testing.assert_allclose(poses(rig, [10, 30]), source, atol=tolerance)
    whole = REACHED_BY_LAYER if output == "LAYER" else REACHED
    assert max(distance(rig, frame) for frame in range(16, 26)) < whole
    assert distance(rig, 11) > 0.02
    assert distance(rig, 29) > 0.02


def test_locked_channels_are_not_keyed() -> None:
    rig = waving(all_modes=False)
    rig.bioik.solver.move_root = True
    for name in ("hips", "chest", "arm.L", HAND):
        rig.pose.bones[name].rotation_mode = "XYZ"
    rig.pose.bones["arm.L"].lock_rotation = (False, True, False)
    rig.pose.bones["hips"].lock_location = (True, False, True)
    rig.pose.bones["chest"].lock_rotation = (True, True, True)
    rig.animation_data_clear()
    key_randomly(rig, list(KEYED), scaled=False)
    before = curves(rig)

    run(rig)

    after = curves(rig)
    changed = {channel for channel in after if after[channel] != before[channel]}
    own = {channel for channel in changed if channel[0].startswith('pose.bones["arm.L"]')}
    assert own == {('pose.bones["arm.L"].rotation_euler', i) for i in (0, 2)}
    assert ('pose.bones["hips"].location', 1) in changed
    assert not {('pose.bones["hips"].location', i) for i in (0, 2)} & changed
    assert not any("chest" in path for path, _ in changed)
    assert max(distance(rig, frame) for frame in FRAMES) < REACHED


def test_rotations_are_continuous_while_a_bone_turns_round() -> None:
    rig = humanoid()
    modes = {"hips": "QUATERNION", "chest": "AXIS_ANGLE", "arm.L": "QUATERNION", HAND: "ZYX"}
    for name, mode in modes.items():
        rig.pose.bones[name].rotation_mode = mode
    # Animation and wanted direction turn on and on, the one against the other.
    for frame in range(1, 62, 4):
        bone = rig.pose.bones["hips"]
        rotate(bone, Euler((0.0, 0.25 * frame, 0.0)).to_quaternion())
        bone.keyframe_insert("rotation_quaternion", frame=frame)
    target = bpy.data.objects.new("Target", None)
    bpy.context.scene.collection.objects.link(target)
    for frame in range(1, 62):
        target.location = (0.5 * math.cos(0.2 * frame), 0.5 * math.sin(0.2 * frame), 1.4)
        target.keyframe_insert("location", frame=frame)
    add_goal(rig, target=target, point=(0.0, 0.0, 0.0))

    run(rig, BakeOptions(1, 61))

    found = curves(rig)
    for name in modes:
        path = f'pose.bones["{name}"].{rotation_path(rig.pose.bones[name])}'
        channels = [curve for (p, _), curve in sorted(found.items()) if p == path]
        assert channels
        values = np.array([[float(k["co"][1]) for k in c["keyframe_points"]] for c in channels]).T
        if modes[name] == "QUATERNION":
            unit = values / np.linalg.norm(values, axis=1, keepdims=True)
            assert np.sum(unit[1:] * unit[:-1], axis=1).min() > 0.5
        else:
            assert np.abs(np.diff(values, axis=0)).max() < math.pi / 2


def test_nothing_is_written_where_nothing_has_to_change() -> None:
    rig = waving()
    rig.bioik.solver.smoothness = 0.0  # a second bake would smooth what the first left
    run(rig)
    bpy.ops.bioik.use_result_as_source()
    before = file_data()

    report = run(rig)

    assert differences(before, file_data()) == []
    assert (report.bones, report.written, report.missed) == (0, "", ())
    assert report.notes == ("Nothing had to change, so no keyframes were written.",)


def test_a_result_goes_where_nothing_has_to_change_any_more() -> None:
    rig = waving()
    before = rig.animation_data.action
    run(rig)
    rig.bioik.goals[0].influence = 0.0
    rig.bioik.solver.smoothness = 0.0
    report = run(rig)
    assert report.notes[-1] == (
        "Nothing has to change any more, so the earlier result was removed."
    )
    assert rig.animation_data.action == before
    assert list(bpy.data.actions) == [before]


@pytest.mark.parametrize("output", ["NEW_ACTION", "IN_PLACE", "LAYER"])
def test_no_f_curve_is_left_without_keys(output: Any) -> None:
    rig = waving()
    run(rig, replace(OPTIONS, output=output))
    for action in bpy.data.actions:
        for container in containers(action):
            assert all(len(curve.keyframe_points) for curve in container.fcurves)


def containers(action: bpy.types.Action) -> list[Any]:
    if not fcurves.LAYERED_ACTIONS:
        return [action]
    found = (fcurves.container_of(action, slot) for slot in action.slots)
    return [container for container in found if container is not None]


def test_a_scene_that_is_not_the_current_one() -> None:
    rig = waving()
    target = bpy.data.objects.new("Target", None)
    other = bpy.data.scenes.new("Other")
    other.collection.objects.link(rig)
    other.collection.objects.link(target)
    target.location = (0.0, 0.0, 0.1)
    target.driver_add("location", 1).driver.expression = "frame * 0.001"
    rig.bioik.goals[0].target = target
    curve = rig.driver_add(rig.bioik.goals[0].path_from_id("influence"))
    curve.driver.expression = "frame > 20"
    current = bpy.context.scene
    before = [scene.frame_current for scene in bpy.data.scenes]

    bake(other, rig, OPTIONS)

    assert bpy.context.scene == current
    assert [scene.frame_current for scene in bpy.data.scenes] == before
    for frame in (15, 21, 25, 30):
        # Not by the window, whose scene 4.2 does not survive to be changed without a screen.
        other.frame_set(frame)
        posed = rig.evaluated_get(other.view_layers[0].depsgraph)
        hand = posed.matrix_world @ posed.pose.bones[HAND].tail
        wanted = Vector(POINT) + Vector((0.0, frame * 0.001, 0.1))
        assert ((hand - wanted).length < REACHED) == (frame > 20)


# The same again


def test_the_same_seed_gives_the_same_keys_bit_for_bit() -> None:
    written = []
    for _ in range(2):
        new_file()
        rig = waving()
        rig.bioik.solver.strategy = "EVOLUTION"
        rig.bioik.solver.seed = 7
        run(rig, BakeOptions(10, 15))
        written.append(curves(rig))
    assert written[0] == written[1]


def test_the_number_of_threads_changes_nothing() -> None:
    rig = waving()
    options = BakeOptions(1, 300, output="IN_PLACE")
    problem = drained(read_goals(bpy.context.scene, rig, options))
    one, many = (
        replace(problem, settings=replace(problem.settings, threads=count)).poses()
        for count in (1, 4)
    )
    assert one.values.tobytes() == many.values.tobytes()


def test_reading_and_solving_change_nothing() -> None:
    rig = waving()
    rig.pose.bones["head"].location = (0.3, 0.2, 0.1)  # a pose that has not been keyed
    rig.bioik.goals[0].keyframe_insert("influence", frame=1)
    rig.bioik.goals[0].influence = 0.25
    rig["custom"] = rig.pose.bones["head"]['a "b"'] = 1.0
    rig.keyframe_insert('["custom"]', frame=1)
    rig.pose.bones["head"].keyframe_insert('["a \\"b\\""]', frame=1)
    rig["custom"] = rig.pose.bones["head"]['a "b"'] = 0.5
    rig.pose.bones["head"].constraints.new("COPY_SCALE").target = rig
    before = file_data()

    problem = drained(read_goals(bpy.context.scene, rig, OPTIONS))
    solution = problem.solve()

    assert differences(before, file_data()) == []
    assert write_goals(problem, solution, OPTIONS).written


# Custom goals


def test_custom_goals_move_a_rig_that_has_no_goals() -> None:
    rig = waving()
    rig.bioik.goals.clear()

    report = run(
        rig, more_goals=lambda model: [Position(tip_of(HAND, tail=True), POINT, tolerance=1e-5)]
    )

    assert report.goals == ()
    assert max(distance(rig, frame) for frame in FRAMES) < REACHED


def test_a_python_goal_next_to_a_goal_of_the_armature() -> None:
    rig = waving()

    class SameHeight(CustomGoal):
        """The elbow as high as the point."""

        rows = 1

        def residual(self, pose: Any) -> list[float]:
            return [pose.position(tip_of(HAND))[2] - POINT[2]]

    run(rig, BakeOptions(10, 14), more_goals=lambda model: [SameHeight(tolerance=1e-4)])

    for frame in range(10, 15):
        assert distance(rig, frame) < REACHED
        elbow = rig.matrix_world @ rig.pose.bones[HAND].head
        assert elbow.z == pytest.approx(POINT[2], abs=REACHED)


def test_an_error_in_a_custom_goal_is_raised_and_changes_nothing() -> None:
    rig = waving()
    before = file_data()

    def broken(_model: Any) -> Any:
        raise RuntimeError("of my own")

    with pytest.raises(RuntimeError, match="of my own"):
        run(rig, more_goals=broken)
    assert differences(before, file_data()) == []


# Influence


@pytest.mark.parametrize("way", ["keys", "strip"])
def test_animated_influence_is_followed(way: str) -> None:
    rig = waving()
    rig.bioik.solver.smoothness = 0.0  # otherwise frames before and after are changed too
    goal = rig.bioik.goals[0]
    for frame, value in ((1, 0.0), (15, 0.0), (20, 1.0), (40, 1.0)):
        goal.influence = value
        goal.keyframe_insert("influence", frame=frame)
    source = poses(rig, [12])
    if way == "strip":
        data = rig.animation_data
        action, slot = data.action, fcurves.assigned_slot(rig)
        fcurves.add_strip(data.nla_tracks.new(), "strip", action, slot, 1, 40)
        fcurves.assign_action(rig, None)
    at_frame(3)

    run(rig)

    np.testing.assert_allclose(poses(rig, [12]), source, atol=1e-5)
    assert max(distance(rig, frame) for frame in range(20, 31)) < REACHED


# Constraints are in test_constraints.py; here: refusals, which change nothing.


def no_goals(rig: bpy.types.Object) -> None:
    rig.bioik.goals.clear()


def disabled_goal(rig: bpy.types.Object) -> None:
    rig.bioik.goals[0].enabled = False


def missing_bone(rig: bpy.types.Object) -> None:
    rig.bioik.goals[0].bone = "wing"


def missing_target_bone(rig: bpy.types.Object) -> None:
    rig.bioik.goals[0].target = rig
    rig.bioik.goals[0].subtarget = "wing"


def muted_group(rig: bpy.types.Object) -> None:
    container = fcurves.assigned_container(rig)
    assert container is not None
    group = container.groups.get(HAND) or container.groups.new(HAND)  # 4.2 keys without groups
    for curve in container.fcurves:
        if HAND in curve.data_path:
            curve.group = group
    group.mute = True


def edit_mode(_rig: bpy.types.Object) -> None:
    bpy.ops.object.mode_set(mode="EDIT")


def number_that_is_none(rig: bpy.types.Object) -> None:
    set_key(rig, 'pose.bones["head"].location', math.nan)


def target_that_is_nowhere(rig: bpy.types.Object) -> None:
    target = bpy.data.objects.new("Target", None)
    bpy.context.scene.collection.objects.link(target)
    target.location.x = math.nan
    rig.bioik.goals[0].target = target


def too_many_elites(rig: bpy.types.Object) -> None:
    rig.bioik.solver.elites = rig.bioik.solver.population


def nothing_selected(rig: bpy.types.Object) -> None:
    bpy.ops.object.mode_set(mode="POSE")
    bpy.ops.pose.select_all(action="DESELECT")
    rig.bioik.solver.scope = "SELECTED"


def uneven_scale(rig: bpy.types.Object) -> None:
    rig.scale.x = 2.0


def only_driven_bones(rig: bpy.types.Object) -> None:
    rig.bioik.goals[0].chain_length = 1
    rig.pose.bones[HAND].driver_add(rotation_path(rig.pose.bones[HAND]), 0)


def switched_constraint(rig: bpy.types.Object) -> None:
    constraint = rig.pose.bones[HAND].constraints.new("COPY_ROTATION")
    constraint.target = rig
    constraint.keyframe_insert("mute", frame=1)


def animated_mode(rig: bpy.types.Object) -> None:
    rig.pose.bones[HAND].keyframe_insert("rotation_mode", frame=1)


def rest_position(rig: bpy.types.Object) -> None:
    rig.data.pose_position = "REST"


def target_that_moves(rig: bpy.types.Object) -> None:
    rig.bioik.goals[0].target = rig
    rig.bioik.goals[0].subtarget = "head"


def target_on_what_moves(rig: bpy.types.Object) -> None:
    held, beside = (bpy.data.objects.new(name, None) for name in ("Held", "Beside"))
    for target in (held, beside):
        bpy.context.scene.collection.objects.link(target)
    held.parent, held.parent_type, held.parent_bone = rig, "BONE", "head"
    beside.parent = held
    rig.bioik.goals[0].target = beside


REFUSED: list[tuple[Callable[[bpy.types.Object], None], str]] = [
    (no_goals, '"Rig" has no enabled goal: add or enable one'),
    (disabled_goal, '"Rig" has no enabled goal: add or enable one'),
    (missing_bone, 'goal "hand" refers to the bone "wing", which does not exist: choose'),
    (missing_target_bone, 'target "Rig" has no bone "wing": choose'),
    (tweaked_strip, 'strip of "Rig" is being tweaked: exit'),
    (muted_group, 'group "forearm.L" is muted.*: unmute it'),
    (edit_mode, '"Rig" is in Edit Mode: exit Edit Mode'),
    (number_that_is_none, 'bone "head" has invalid values .* at frame 1.: fix'),
    (target_that_is_nowhere, 'target of the goal "hand" has invalid values.*: fix'),
    (too_many_elites, "6 elites|12 elites in a population of 12: choose"),
    (nothing_selected, "None of the bones.*is selected: select"),
    (uneven_scale, "non-uniform scale.*: apply its scale"),
    (only_driven_bones, 'No bone of "Rig" can move: add a goal'),
    (switched_constraint, '"Copy Rotation" of bone "forearm.L" is enabled.*: animate'),
    (rest_position, '"Rig" is in Rest Position.*: switch it'),
    (target_that_moves, 'goal "hand" follows the bone "head", which this bake moves: shorten'),
    (target_on_what_moves, 'goal "hand" follows the bone "head", which this bake moves: shorten'),
    (animated_mode, 'rotation mode of bone "forearm.L" is animated: delete'),
]


# A layer covers muted strips below it.
CASES = [
    pytest.param(spoil, sentence, output, id=f"{spoil.__name__}-{output}")
    for spoil, sentence in REFUSED
    for output in ("NEW_ACTION", "IN_PLACE", "LAYER")
    if (spoil, output) != (muted_group, "LAYER")
]


@pytest.mark.parametrize(("spoil", "sentence", "output"), CASES)
def test_refused_with_a_sentence_and_nothing_changes(
    spoil: Callable[[bpy.types.Object], None], sentence: str, output: Any
) -> None:
    rig = waving()
    spoil(rig)
    mode = rig.mode
    before = file_data()

    with pytest.raises(RigError, match=sentence) as caught:
        run(rig, replace(OPTIONS, output=output))

    assert "\n" not in str(caught.value)
    assert rig.mode == mode
    assert differences(before, file_data()) == []


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (BakeOptions(10, 9), "end frame 9 is before the start frame 10: choose"),
        (BakeOptions(1, 9, step=0), "step must be at least 1, not 0"),
    ],
)
def test_invalid_frames(options: BakeOptions, sentence: str) -> None:
    rig = waving()
    before = file_data()
    with pytest.raises(RigError, match=sentence):
        run(rig, options)
    assert differences(before, file_data()) == []


def test_a_linked_action_is_not_changed_in_place(tmp_path: Path) -> None:
    rig = waving()
    name = link_own_action(rig, tmp_path / "library.blend").name
    before = file_data()

    with pytest.raises(RigError, match=f'action "{name}" is linked from .*: bake to a new action'):
        run(rig, replace(OPTIONS, output="IN_PLACE"))
    assert differences(before, file_data()) == []

    run(rig)
    assert rig.animation_data.action.library is None
    assert max(distance(rig, frame) for frame in FRAMES) < REACHED


def test_a_removed_armature_is_noticed_before_writing() -> None:
    rig = waving()
    problem = drained(read_goals(bpy.context.scene, rig, OPTIONS))
    solution = problem.solve()
    bpy.data.objects.remove(rig)
    before = file_data()

    with pytest.raises(RigError, match="removed in the meantime"):
        write_goals(problem, solution, OPTIONS)
    assert differences(before, file_data()) == []


def test_nothing_is_written_if_it_became_impossible_while_solving() -> None:
    rig = waving()
    problem = drained(read_goals(bpy.context.scene, rig, OPTIONS))
    solution = problem.solve()
    muted_group(rig)
    before = file_data()

    with pytest.raises(RigError, match="unmute it"):
        write_goals(problem, solution, OPTIONS)
    assert differences(before, file_data()) == []


# Cancelling


@pytest.mark.parametrize("asked", [1, 5, 30])
@pytest.mark.parametrize("plain", [True, False])
def test_cancelled_bakes_change_nothing(asked: int, plain: bool) -> None:
    rig = waving()
    rig.pose.bones["head"].location = (0.3, 0.2, 0.1)  # a pose that has not been keyed
    if not plain:  # read through the scene, frame by frame
        constraint = rig.pose.bones["shin.L"].constraints.new("IK")
        constraint.target = rig
    before = file_data()
    times = 0

    def cancelled() -> bool:
        nonlocal times
        times += 1
        return times == asked  # once is enough

    rig_options = BakeOptions(10, 600)
    if plain and asked > 1:
        rig.bioik.solver.strategy = "EVOLUTION"  # takes long enough to be asked
        rig.bioik.goals[0].point = (5.0, 5.0, 5.0)
        before = file_data()
    with pytest.raises(Cancelled):
        run(rig, rig_options, cancelled=cancelled)
    assert differences(before, file_data()) == []


def test_cancelled_when_all_frames_are_solved_already_is_cancelled_too() -> None:
    rig = waving()
    before = file_data()
    answers = iter([True])  # asked for the first time when two frames have long been solved
    with pytest.raises(Cancelled):
        run(rig, BakeOptions(10, 11), cancelled=lambda: next(answers, False))
    assert differences(before, file_data()) == []


def test_progress_ends_with_all_frames() -> None:
    rig = waving()
    seen: list[tuple[int, int]] = []
    run(rig, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (len(FRAMES), len(FRAMES))
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
