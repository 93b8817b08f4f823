"""Several selected characters: ground, presets, settings and every bake act on all of them.

Tests of: ui_state.characters, panels.report.characters, grounds, rig.blender.ground_items,
operators.copy_settings, rig.steps.
"""

from __future__ import annotations

import json
from typing import Any

import bpy
import pytest

from blender_bioik.operators.bake.modal_bake import ReportedWork
from blender_bioik.panels.report.characters import BIOIK_PT_placed_characters
from blender_bioik.rig.blender import fcurves
from blender_bioik.rig.feet.place_feet import place_feet_steps
from blender_bioik.rig.legs.ground import chosen_grounds
from blender_bioik.rig.reading import drained
from blender_bioik.rig.source.options import BakeOptions
from blender_bioik.rig.steps import Part, Steps, together
from blender_bioik.ui_state.characters import chosen_characters
from blender_bioik.ui_state.result_state import result_state

from ...builders.bakes import add_goal
from ...builders.files import new_file
from ...builders.layouts import drawn
from ...builders.placements import FEW_FRAMES, stepping
from ...builders.snapshots import all_data, differences
from ...builders.walkers import keys_of
from ...builders.windows import ESC, GOES_ON, TIMER, Window

NAMES = ("Ann", "Bob", "Cid")


def crowd(*, shared: bool = False) -> list[bpy.types.Object]:
    """Three people above a plane, all selected; the first is active."""
    first = stepping()
    first.name = NAMES[0]
    made = [first]
    for number, name in enumerate(NAMES[1:], 1):
        other = first.copy()
        other.name = name
        bpy.context.scene.collection.objects.link(other)
        other.location.x = number
        if not shared:
            action = first.animation_data.action.copy()
            action.name = f"{name}Action"
            slot = fcurves.matching_slot(action, fcurves.assigned_slot(first))
            fcurves.assign_action(other, action, slot)
        made.append(other)
    for person in made:
        person.select_set(True)
    bpy.context.view_layer.objects.active = first
    bpy.context.view_layer.update()
    return made


def add_mesh(name: str, owner: bpy.types.Object | None = None) -> bpy.types.Object:
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata([(-1.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)], [], [(0, 1, 2)])
    made = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(made)
    if owner is not None:
        made.modifiers.new("Armature", "ARMATURE").object = owner
    made.select_set(True)
    return made


def names_of(grounds: Any) -> list[str | None]:
    return [ground.object and ground.object.name for ground in grounds]


def verdicts(people: list[bpy.types.Object]) -> list[str]:
    return [json.loads(person.bioik.bake.report)["verdict"] for person in people]


# Who is acted on


def test_all_selected_armatures_are_chosen_also_by_their_meshes() -> None:
    people = crowd()
    assert chosen_characters(bpy.context) == people
    people[2].select_set(False)
    assert chosen_characters(bpy.context) == people[:2]
    add_mesh("Body", people[2])
    assert chosen_characters(bpy.context) == people
    bpy.context.scene.bioik.armature = people[1]
    assert chosen_characters(bpy.context) == [people[1]]


def test_an_active_armature_that_is_not_selected_is_alone() -> None:
    people = crowd()
    people[0].select_set(False)
    assert chosen_characters(bpy.context) == people[:1]


# Bakes


def test_feet_are_placed_as_one_by_one() -> None:
    people = crowd()
    for person in people:
        for each in people:
            each.select_set(each == person)
        bpy.context.view_layer.objects.active = person
        assert bpy.ops.bioik.place_feet(**FEW_FRAMES) == {"FINISHED"}
    alone = {person.name: keys_of(person) for person in people}
    new_file()
    people = crowd()
    assert bpy.ops.bioik.place_feet(**FEW_FRAMES) == {"FINISHED"}
    assert {person.name: keys_of(person) for person in people} == alone
    assert all(verdicts(people))


@pytest.mark.parametrize("output", ["NEW_ACTION", "IN_PLACE", "LAYER"])
def test_again_and_removed(output: str) -> None:
    people = crowd()
    assert bpy.ops.bioik.place_feet(**FEW_FRAMES, output=output) == {"FINISHED"}
    names = sorted(action.name for action in bpy.data.actions)
    assert bpy.ops.bioik.place_feet(**FEW_FRAMES, output=output) == {"FINISHED"}
    assert sorted(action.name for action in bpy.data.actions) == names
    assert all(result_state(person).result for person in people)
    assert bpy.ops.bioik.remove_result() == {"FINISHED"}
    assert not any(result_state(person).result for person in people)


def test_people_that_share_an_action_get_one_each_but_not_in_place() -> None:
    people = crowd(shared=True)
    source = people[0].animation_data.action
    assert bpy.ops.bioik.place_feet(**FEW_FRAMES) == {"FINISHED"}
    played = [person.animation_data.action for person in people]
    assert len({action.name for action in played}) == len(people)
    assert {result_state(person).source for person in people} == {source.name}
    bpy.ops.bioik.remove_result()
    assert bpy.ops.bioik.place_feet(**FEW_FRAMES, output="IN_PLACE") == {"FINISHED"}
    assert [bool(person.bioik.bake.report) for person in people] == [True, False, False]


def test_one_undo_takes_all_back() -> None:
    crowd()
    before = all_data()
    bpy.ops.ed.undo_push(message="Before")
    bpy.ops.bioik.place_feet("EXEC_DEFAULT", True, **FEW_FRAMES)
    assert differences(before, all_data())
    bpy.ops.ed.undo()
    assert differences(before, all_data()) == []


def test_who_cannot_be_placed_is_told_and_the_others_are() -> None:
    people = crowd()
    people[1].location.x = 50.0  # beside the plane
    bpy.context.view_layer.update()
    assert bpy.ops.bioik.place_feet(**FEW_FRAMES) == {"FINISHED"}
    assert [bool(result_state(person).result) for person in people] == [True, False, True]
    for person in people:
        person.location.x = 50.0
    bpy.context.view_layer.update()
    before = all_data()
    with pytest.raises(RuntimeError, match='There is no ground under "Ann"'):
        bpy.ops.bioik.place_feet(**FEW_FRAMES)
    assert differences(before, all_data()) == []


def test_goals_are_baked_and_updated_for_all_that_have_some() -> None:
    people = crowd()
    for person in people[:2]:
        add_goal(person, chain_length=2)
    assert bpy.ops.bioik.bake(**FEW_FRAMES) == {"FINISHED"}
    assert [bool(result_state(person).result) for person in people] == [True, True, False]
    for person in people[:2]:
        person.bioik.goals[0].point.z += 0.1
    before = [keys_of(person) for person in people]
    assert bpy.ops.bioik.rebake() == {"FINISHED"}
    changed = [keys_of(person) != keys for person, keys in zip(people, before, strict=True)]
    assert changed == [True, True, False]


def test_the_clip_of_each_is_its_range() -> None:
    people = crowd()
    container = fcurves.assigned_container(people[1])
    assert container is not None
    for curve in container.fcurves:
        for key in curve.keyframe_points:
            key.co.x = 1.0 + 0.5 * (key.co.x - 1.0)
    bpy.ops.bioik.place_feet()
    assert [person.bioik.baked.frame_end for person in people] == [10, 6, 10]


class PlacingAll(ReportedWork):
    """Place the feet of several people, as the operator does."""

    bl_label = "Place Feet"
    preparing, doing = "Planning", "Placing {done} of {total}"
    cancelled = "Cancelled"

    def __init__(self, people: list[bpy.types.Object], output: Any) -> None:
        self.people, self.options = people, BakeOptions(1, 10, output=output)
        self.told: list[str] = []

    def report(self, _kinds: set[str], sentence: str) -> None:
        self.told.append(sentence)

    def steps(self, context: Any) -> Steps:
        scene = bpy.context.scene
        return self.steps_of_all(
            self.people, lambda person: place_feet_steps(scene, person, self.options)
        )


@pytest.mark.parametrize("output", ["NEW_ACTION", "IN_PLACE", "LAYER"])
@pytest.mark.parametrize("during", ["Reading", "Placing"])
def test_escape_leaves_all_as_they_were_also_their_results(output: str, during: str) -> None:
    people, window = crowd(), Window()
    assert bpy.ops.bioik.place_feet(**FEW_FRAMES, output=output) == {"FINISHED"}
    before = all_data()
    work = PlacingAll(people, output)
    assert work.invoke(window, None) == GOES_ON
    while not (window.status or "").startswith(during):
        assert work.modal(window, TIMER) == GOES_ON
    assert work.modal(window, ESC) == {"CANCELLED"}
    assert work.told == ["Cancelled"]
    assert differences(before, all_data()) == []


def test_in_a_window_all_are_placed() -> None:
    people, window = crowd(), Window()
    work = PlacingAll(people, "NEW_ACTION")
    result = work.invoke(window, None)
    while result == GOES_ON:
        result = work.modal(window, TIMER)
    assert result == {"FINISHED"}
    assert [told.partition(":")[0] for told in work.told] == list(NAMES)
    assert all(result_state(person).result for person in people)


def test_together_all_is_solved_before_anything_is_written() -> None:
    """Steps that are done together are all read and solved before any is written."""
    done: list[str] = []

    def steps(name: str) -> Steps:
        def reading() -> Any:
            yield 1, 2
            done.append(f"read {name}")
            return name

        def solve(_read: str, progress: Any = None, cancelled: Any = None) -> str:
            done.append(f"solve {name}")
            return name

        return Steps(reading(), solve, lambda *_: done.append(f"write {name}"))

    parts = [Part(name, lambda name=name: steps(name)) for name in "ab"]  # type: ignore[misc]
    work = together(parts)
    read = drained(work.reading)
    assert work.solve is not None
    solved = work.solve(read)
    assert done == ["read a", "read b", "solve a", "solve b"]
    work.write(read, solved)
    assert done[4:] == ["write a", "write b"]


def test_the_panel_has_the_verdict_on_each() -> None:
    people = crowd()
    assert BIOIK_PT_placed_characters.poll(bpy.context)
    people[1].location.x = 50.0
    bpy.context.view_layer.update()
    bpy.ops.bioik.place_feet(**FEW_FRAMES)
    labels = drawn(BIOIK_PT_placed_characters).labels()
    assert labels[0] == "3 characters"
    assert [label for label in labels if label in NAMES] == list(NAMES)
    assert len(labels) == 1 + 3 + 2  # no verdict on the one that was not placed
    good = [json.loads(person.bioik.bake.report)["good"] for person in (people[0], people[2])]
    assert [label for label in labels if label in ("Good", "Problems")] == [
        "Good" if each else "Problems" for each in good
    ]


# Ground, presets and settings


def test_ground_is_added_to_all_but_no_bodies() -> None:
    people = crowd()
    add_mesh("Hill")
    add_mesh("Body", people[1])
    bpy.ops.bioik.add_ground()
    assert [names_of(person.bioik.feet.grounds) for person in people] == [["Plane", "Hill"]] * 3
    bpy.ops.bioik.add_ground(bodies=True)
    lists = [names_of(person.bioik.feet.grounds) for person in people]
    assert lists[0] == lists[2] == ["Plane", "Hill", "Body"]
    assert "Body" not in lists[1]
    people[0].bioik.feet.active_ground = 1
    bpy.ops.bioik.remove_ground()
    assert not any("Hill" in names_of(person.bioik.feet.grounds) for person in people)


def test_bodies_in_a_collection_are_no_ground() -> None:
    people = crowd()
    body = add_mesh("Body", people[1])
    body.location.z = 0.5
    stage = bpy.data.collections.new("Stage")
    bpy.context.scene.collection.children.link(stage)
    for member in (bpy.data.objects["Plane"], body):
        stage.objects.link(member)
    first = people[0]
    for each in people[1:]:
        each.select_set(False)
    body.select_set(False)
    assert bpy.ops.bioik.place_feet(**FEW_FRAMES) == {"FINISHED"}
    keys = keys_of(first)
    ground = first.bioik.feet.grounds[0]
    ground.object, ground.collection = None, stage
    assert bpy.ops.bioik.place_feet(**FEW_FRAMES) == {"FINISHED"}
    assert keys_of(first) == keys


def test_ground_can_be_set_once_for_the_scene() -> None:
    people = crowd()
    plane = bpy.data.objects["Plane"]
    assert bpy.ops.bioik.share_ground() == {"FINISHED"}
    assert [len(person.bioik.feet.grounds) for person in people] == [0, 0, 0]
    assert [chosen_grounds(person) for person in people] == [[plane]] * 3
    assert bpy.ops.bioik.place_feet(**FEW_FRAMES) == {"FINISHED"}
    hill = add_mesh("Hill")
    bpy.ops.bioik.add_ground()
    assert names_of(bpy.context.scene.bioik.grounds) == ["Plane", "Hill"]
    assert bpy.ops.bioik.own_ground() == {"FINISHED"}
    assert [chosen_grounds(person) for person in people] == [[plane, hill]] * 3
    assert not bpy.ops.bioik.own_ground.poll()


def test_presets_are_applied_to_all() -> None:
    people = crowd()
    assert bpy.ops.bioik.apply_preset(kind="FEET", name="Stairs") == {"FINISHED"}
    assert {round(person.bioik.feet.swing, 3) for person in people} == {1.0}


def test_settings_are_copied_to_all() -> None:
    people = crowd()
    first = people[0].bioik
    first.feet.slope, first.feet.step_up, first.solver.seed = 0.25, 0.3, 9
    first.bake.output, first.feet.body_contacts = "LAYER", False
    people[1].bioik.feet.pelvis_sideways = 0.1
    assert bpy.ops.bioik.copy_settings() == {"FINISHED"}
    for person in people:
        rig = person.bioik
        assert (rig.feet.slope, rig.solver.seed, rig.bake.output) == (0.25, 9, "LAYER")
        assert rig.feet.step_up == pytest.approx(0.3)
        assert not rig.feet.body_contacts
        assert not rig.feet.is_property_set("pelvis_sideways")
    people[1].select_set(False)
    people[2].select_set(False)
    assert not bpy.ops.bioik.copy_settings.poll()
