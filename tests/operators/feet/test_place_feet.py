"""The operators that place feet and choose the ground, for users and scripts."""

from __future__ import annotations

import threading
from functools import partial
from typing import Any

import bpy
import pytest

from blender_bioik.rig.bake.bake import BakeOptions
from blender_bioik.rig.errors import Cancelled
from blender_bioik.rig.feet.place_feet import place_feet, solve_feet
from blender_bioik.rig.feet.read_feet import read_feet
from blender_bioik.rig.reading import drained
from blender_bioik.rig.report.metric_curves import METRICS
from blender_bioik.ui_state.solving import Solving

from ...builders.bakes import both_ways, constrain, generated_frames
from ...builders.placements import FEW_FRAMES, stepping
from ...builders.snapshots import all_data, differences, file_data
from ...builders.walkers import keys_of


@pytest.mark.parametrize(
    "how",
    [
        {},
        {"output": "IN_PLACE", "blend_in": 2, "blend_out": 3},
        {"output": "LAYER", "step": 3},
        {"mute_constraints": False},
    ],
    ids=lambda how: "-".join(map(str, how.values())) or "defaults",
)
def test_operator_and_function_write_the_same(how: dict[str, Any]) -> None:
    def build() -> bpy.types.Object:
        return constrain(stepping(), **{"shin.L": "COPY_SCALE"})

    operator = bpy.ops.bioik.place_feet
    written = [all_data() for _ in both_ways(build, operator, place_feet, frames=(1, 10), how=how)]
    assert differences(written[0], written[1]) == []


def test_it_has_the_options_of_the_bake() -> None:
    ours = bpy.ops.bioik.place_feet.get_rna_type().properties
    bakes = bpy.ops.bioik.bake.get_rna_type().properties
    assert [(p.identifier, p.name, p.description) for p in ours] == [
        (p.identifier, p.name, p.description) for p in bakes
    ]


def test_the_scenes_frames_and_the_settings_on_the_armature() -> None:
    rig = stepping()
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 2, 8
    rig.bioik.feet.plot = rig.bioik.feet.markers = False
    bpy.ops.bioik.place_feet(range="SCENE")
    assert generated_frames(rig) == [2, 3, 4, 5, 6, 7, 8]
    assert not any(metric.name in rig for metric in METRICS.values())


def test_errors_are_one_sentence_and_nothing_changes() -> None:
    stepping()
    bpy.data.objects["Plane"].location.x = 50.0
    before = all_data()
    with pytest.raises(RuntimeError) as caught:
        bpy.ops.bioik.place_feet(**FEW_FRAMES)
    assert str(caught.value).strip() == (
        'Error: There is no ground under "Rig" in any frame: '
        "move the ground under its path, or choose another one."
    )
    assert differences(before, all_data()) == []


def no_armature(rig: bpy.types.Object) -> None:
    bpy.data.objects.remove(rig)


def edit_mode(_rig: bpy.types.Object) -> None:
    bpy.ops.object.mode_set(mode="EDIT")


def no_ground(rig: bpy.types.Object) -> None:
    rig.bioik.feet.grounds.clear()


def empty_ground(rig: bpy.types.Object) -> None:
    rig.bioik.feet.grounds[0].object = None


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (no_armature, "Select an armature"),
        (edit_mode, "Exit Edit Mode first"),
        (no_ground, "Add an object or collection to Ground first"),
        (empty_ground, "Add an object or collection to Ground first"),
    ],
)
def test_it_cannot_be_called(spoil: Any, reason: str) -> None:
    rig = stepping()
    assert bpy.ops.bioik.place_feet.poll()
    spoil(rig)
    assert not bpy.ops.bioik.place_feet.poll()
    with pytest.raises(RuntimeError, match=reason):
        bpy.ops.bioik.place_feet()


def test_a_collection_is_ground_too() -> None:
    rig = stepping()
    rocks = bpy.data.collections.new("Rocks")
    bpy.context.scene.collection.children.link(rocks)
    rocks.objects.link(bpy.data.objects["Plane"])
    rig.bioik.feet.grounds[0].object, rig.bioik.feet.grounds[0].collection = None, rocks
    assert bpy.ops.bioik.place_feet(**FEW_FRAMES) == {"FINISHED"}


@pytest.mark.parametrize("output", ["NEW_ACTION", "IN_PLACE", "LAYER"])
def test_one_undo_takes_all_of_it_back(output: str) -> None:
    rig = stepping()
    rig.pose.bones["shin.L"].constraints.new("COPY_SCALE").target = rig
    before = all_data()
    bpy.ops.ed.undo_push(message="Before")

    bpy.ops.bioik.place_feet("EXEC_DEFAULT", True, **FEW_FRAMES, output=output)
    assert differences(before, all_data())
    bpy.ops.ed.undo()

    assert differences(before, all_data()) == []


@pytest.mark.parametrize("mode", ["OBJECT", "POSE"])
def test_mode_frame_and_selection_stay(mode: str) -> None:
    rig = stepping()
    bpy.ops.object.mode_set(mode=mode)
    bpy.context.scene.frame_set(7, subframe=0.25)
    rig.data.bones.active = rig.data.bones["head"]
    before = file_data()
    bpy.ops.bioik.place_feet(**FEW_FRAMES)
    after = file_data()
    for key in ("active", "selected", "scenes"):
        assert after[key] == before[key]
    assert differences(before["armatures/Rig"], after["armatures/Rig"]) == []


# Beside Blender's main thread


def test_solving_in_a_thread_finds_the_same() -> None:
    rig, options = stepping(), BakeOptions(1, 10)
    placement = drained(read_feet(bpy.context.scene, rig, options))
    solving = Solving(placement, partial(solve_feet, options=options))
    found = solving.solution().solution.placed.values
    assert not solving.is_running()
    assert 0 < solving.done < solving.total
    assert (found == placement.problem.solve().placed.values).all()


def test_cancelling_ends_the_thread_and_nothing_changes() -> None:
    rig = stepping()
    before = all_data()
    placement = drained(read_feet(bpy.context.scene, rig, BakeOptions(1, 10)))
    begun, go_on = threading.Event(), threading.Event()

    def solve(placement: Any, *, progress: Any, cancelled: Any) -> Any:
        def note(done: int, total: int) -> None:
            progress(done, total)
            if done == 2:
                begun.set()
                go_on.wait()

        return placement.problem.solve(note, cancelled)

    solving = Solving(placement, solve)
    begun.wait()
    threading.Timer(0.05, go_on.set).start()
    solving.cancel()
    with pytest.raises(Cancelled):
        solving.solution()
    assert solving.done == 2
    assert differences(before, all_data()) == []


# The list of grounds, and the report's curves


def add_mesh(name: str) -> bpy.types.Object:
    made = bpy.data.objects.new(name, bpy.data.meshes.new(name))
    bpy.context.scene.collection.objects.link(made)
    return made


def chosen(rig: bpy.types.Object) -> list[str | None]:
    return [ground.object and ground.object.name for ground in rig.bioik.feet.grounds]


def test_selected_meshes_become_grounds_except_the_character_and_existing_grounds() -> None:
    rig = stepping()
    rocks = [add_mesh("Rock"), add_mesh("Stone")]
    body, lamp = add_mesh("Body"), bpy.data.objects.new("Empty", None)
    bpy.context.scene.collection.objects.link(lamp)
    body.modifiers.new("Armature", "ARMATURE").object = rig
    for selected in (rig, body, lamp, bpy.data.objects["Plane"], *rocks):
        selected.select_set(True)
    assert bpy.ops.bioik.add_ground() == {"FINISHED"}
    assert chosen(rig) == ["Plane", "Rock", "Stone"]
    assert rig.bioik.feet.active_ground == 2


def test_without_selected_meshes_an_empty_ground_is_added_with_a_name_of_its_own() -> None:
    rig = stepping()
    bpy.ops.bioik.add_ground()
    bpy.ops.bioik.add_ground()
    assert chosen(rig) == ["Plane", None, None]
    names = [ground.name for ground in rig.bioik.feet.grounds]
    assert len(set(names)) == 3


def test_the_active_ground_is_removed() -> None:
    rig = stepping()
    for name in ("Rock", "Stone"):
        rig.bioik.feet.grounds.add().object = add_mesh(name)
    rig.bioik.feet.active_ground = 1
    bpy.ops.bioik.remove_ground()
    assert (chosen(rig), rig.bioik.feet.active_ground) == (["Plane", "Stone"], 1)
    bpy.ops.bioik.remove_ground()
    assert (chosen(rig), rig.bioik.feet.active_ground) == (["Plane"], 0)
    bpy.ops.bioik.remove_ground()
    assert not bpy.ops.bioik.remove_ground.poll()


def test_the_reports_curves_and_markers_go_and_the_keys_stay() -> None:
    rig = stepping()
    bpy.data.objects["Plane"].location.z = 0.5  # a step too high, which is marked
    bpy.context.scene.timeline_markers.new("mine", frame=3)
    bpy.ops.bioik.place_feet(**FEW_FRAMES)
    paths = {metric.data_path for metric in METRICS.values()}
    keys = {channel: key for channel, key in keys_of(rig).items() if channel[0] not in paths}
    assert len(keys_of(rig)) > len(keys)
    without_mesh = METRICS.keys() - {"mesh_depth", "body_depth"}
    assert all(METRICS[name].name in rig for name in without_mesh)
    bpy.ops.bioik.remove_quality()
    assert keys_of(rig) == keys
    assert not any(metric.name in rig for metric in METRICS.values())
    assert [marker.name for marker in bpy.context.scene.timeline_markers] == ["mine"]
