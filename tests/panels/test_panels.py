"""The contents of the sidebar, and that drawing it changes nothing.

Tests of: bake, contacts, feet, goal_details, progress, sidebar, ui_state.frame_range.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import bpy
import pytest

from blender_bioik import panels
from blender_bioik.goal_types import BUILT_IN
from blender_bioik.panels.bake import BIOIK_PT_bake
from blender_bioik.panels.contacts import BIOIK_PT_contacts, BIOIK_UL_contacts
from blender_bioik.panels.feet import (
    BIOIK_PT_feet,
    BIOIK_PT_feet_advanced,
    BIOIK_PT_feet_body,
    BIOIK_UL_grounds,
)
from blender_bioik.panels.goal_details import BIOIK_PT_goal_frames, BIOIK_PT_goal_reach
from blender_bioik.panels.goals import BIOIK_MT_goals, BIOIK_PT_goals, BIOIK_UL_goals
from blender_bioik.panels.overlay import BIOIK_PT_overlay_popover
from blender_bioik.panels.presets import PresetPopover
from blender_bioik.panels.report.characters import Characters
from blender_bioik.panels.rig.rig import BIOIK_PT_rig
from blender_bioik.panels.solver import BIOIK_PT_solver, BIOIK_PT_solver_search
from blender_bioik.rig.legs.source_feet import read_source_feet
from blender_bioik.ui_state.preset_folder import FOLDER_VARIABLE

from ..builders.bakes import add_goal
from ..builders.layouts import drawn, drawn_item, is_shown
from ..builders.reports import CLIMBING, REPORT
from ..builders.rigs import humanoid, key_randomly
from ..builders.snapshots import differences, file_data

POPOVERS = [
    cls for cls in panels.CLASSES if issubclass(cls, (PresetPopover, BIOIK_PT_overlay_popover))
]
PANELS = [cls for cls in panels.CLASSES if issubclass(cls, bpy.types.Panel) and cls not in POPOVERS]
MODES = ("OBJECT", "POSE", "EDIT")


@pytest.fixture
def rig() -> bpy.types.Object:
    """A person, active, with a ground, a contact and a goal of each kind."""
    made = humanoid()
    bpy.context.view_layer.objects.active = made
    feet = made.bioik.feet
    feet.grounds.add().object = bpy.data.objects.new("Hill", bpy.data.meshes.new("Hill"))
    contact = feet.contacts.add()
    contact.foot, contact.frame_start, contact.frame_end = "leg.L", 5, 9
    for kind in BUILT_IN:
        goal = made.bioik.goals.add()
        goal.type, goal.name = kind.identifier, kind.label
        goal.bone = made.data.bones[0].name
    made.bioik.bake.report = json.dumps(REPORT)
    return made


def goal_of(rig: bpy.types.Object, kind: str) -> Any:
    """The rig's goal of a kind, chosen in the list."""
    rig.bioik.active_goal = [goal.type for goal in rig.bioik.goals].index(kind)
    return rig.bioik.goals[rig.bioik.active_goal]


def draw_all(rig: bpy.types.Object) -> None:
    """Draw everything, with each goal chosen once."""
    for number in range(len(rig.bioik.goals)):
        rig.bioik.active_goal = number
        for cls in PANELS:
            assert is_shown(cls) or issubclass(cls, Characters)  # there is only one
            drawn(cls)
            for header in ("draw_header", "draw_header_preset"):
                if hasattr(cls, header):
                    drawn(cls, header)
    drawn(BIOIK_MT_goals)
    rig_properties = rig.bioik
    for cls, data, items in (
        (BIOIK_UL_goals, rig_properties, rig_properties.goals),
        (BIOIK_UL_grounds, rig_properties.feet, rig_properties.feet.grounds),
        (BIOIK_UL_contacts, rig_properties.feet, rig_properties.feet.contacts),
    ):
        for item in items:
            drawn_item(cls, data, item)


@pytest.mark.parametrize("mode", MODES)
def test_everything_is_drawn_in_every_mode(rig: bpy.types.Object, mode: str) -> None:
    bpy.ops.object.mode_set(mode=mode)
    draw_all(rig)


def test_drawing_changes_nothing(rig: bpy.types.Object) -> None:
    rig.bioik.active_goal = len(rig.bioik.goals) - 1  # as draw_all leaves it
    before = file_data()
    draw_all(rig)
    assert differences(before, file_data()) == []


def test_all_panels_are_in_the_tab_and_those_inside_another_are_closed() -> None:
    for cls in PANELS:
        place = cls.bl_space_type, cls.bl_region_type, cls.bl_category
        assert place == ("VIEW_3D", "UI", "Bio-IK")
        if hasattr(cls, "bl_parent_id"):
            assert {"DEFAULT_CLOSED", "HIDE_HEADER"} & cls.bl_options


def test_without_an_armature_one_line_is_shown() -> None:
    shown = [cls for cls in PANELS if is_shown(cls)]
    assert shown == [BIOIK_PT_rig]
    assert drawn(BIOIK_PT_rig).labels() == ["Select an armature"]


def test_a_mesh_shows_the_armature_that_deforms_it(rig: bpy.types.Object) -> None:
    body = bpy.data.objects.new("Body", bpy.data.meshes.new("Body"))
    bpy.context.scene.collection.objects.link(body)
    body.modifiers.new("Armature", "ARMATURE").object = rig
    bpy.context.view_layer.objects.active = body
    assert drawn(BIOIK_PT_rig).labels()[0] == rig.name
    assert all(is_shown(cls) for cls in PANELS if not issubclass(cls, Characters))


def test_edit_mode_is_named_as_the_reason_of_disabled_buttons(rig: bpy.types.Object) -> None:
    bpy.ops.object.mode_set(mode="EDIT")
    for cls in (BIOIK_PT_rig, BIOIK_PT_feet, BIOIK_PT_bake):
        assert "Exit Edit Mode first" in drawn(cls).labels()


def test_the_place_feet_button_says_why_it_is_disabled(rig: bpy.types.Object) -> None:
    assert drawn(BIOIK_PT_feet).labels() == [
        "Ground",
        '"Rig" has no animation: assign an action to it first.',
    ]
    assert not bpy.ops.bioik.place_feet.poll()
    key_randomly(rig, [1, 5], scaled=False)
    assert drawn(BIOIK_PT_feet).labels() == ["Ground", "Source: RigAction"]
    assert bpy.ops.bioik.place_feet.poll()
    rig.bioik.feet.grounds[0].object = None
    assert drawn(BIOIK_PT_feet).labels() == [
        "Ground",
        "Add an object or collection to Ground first",
        "Source: RigAction",
    ]
    assert not bpy.ops.bioik.place_feet.poll()


def test_an_unusual_size_is_told_before_feet_are_placed(rig: bpy.types.Object) -> None:
    key_randomly(rig, [1, 5], scaled=False)
    rig.scale = (100.0, 100.0, 100.0)
    bpy.context.view_layer.update()
    words = " ".join(drawn(BIOIK_PT_feet).labels())
    assert "unlike any person or animal" in words
    assert "scale it and the ground by 0.01" in words
    assert bpy.ops.bioik.place_feet.poll()


def test_the_bake_button_says_why_it_is_disabled(rig: bpy.types.Object) -> None:
    assert drawn(BIOIK_PT_bake).labels() == [
        '"Rig" has no animation: assign an action to it first.'
    ]
    assert not bpy.ops.bioik.bake.poll()
    key_randomly(rig, [1, 5], scaled=False)
    assert drawn(BIOIK_PT_bake).labels() == ["Source: RigAction"]
    assert bpy.ops.bioik.bake.poll()
    rig.bioik.goals.clear()
    assert drawn(BIOIK_PT_bake).labels() == ["Source: RigAction"]  # its tooltip says it
    assert not bpy.ops.bioik.bake.poll()


def play_result(rig: bpy.types.Object) -> None:
    """Bake the goal of a hand."""
    if rig.animation_data is None:
        key_randomly(rig, [1, 5], scaled=False)
    rig.bioik.goals.clear()
    add_goal(rig)
    assert bpy.ops.bioik.bake(frame_start=1, frame_end=3) == {"FINISHED"}


def test_source_and_result_are_named_at_both_buttons(rig: bpy.types.Object) -> None:
    key_randomly(rig, [1, 5], scaled=False)
    name = rig.animation_data.action.name
    for panel in (BIOIK_PT_bake, BIOIK_PT_feet):
        assert f"Source: {name}" in drawn(panel).labels()
    play_result(rig)
    for panel in (BIOIK_PT_bake, BIOIK_PT_feet):
        labels = drawn(panel).labels()
        assert f"Result of {name}" in labels
        assert f"Plays {name}_bioik" in labels
        assert "bioik.use_result_as_source" in drawn(panel).operators()
    bpy.data.actions.remove(rig.bioik.baked.source)
    words = " ".join(drawn(BIOIK_PT_bake).labels())
    assert f'The source "{name}" of this result was deleted' in words


def guess_of_nameless_bones(rig: bpy.types.Object) -> None:
    """Make the legs a guess: no names, no clip, no mesh, and no assignments."""
    rig.bioik.slots.clear()
    rig.animation_data_clear()
    for thing in [thing for thing in bpy.data.objects if thing.type == "MESH"]:
        if thing.find_armature() == rig or thing.parent == rig:
            bpy.data.objects.remove(thing)
    for number, bone in enumerate(rig.data.bones):
        bone.name = f"b{number}"
    bpy.context.view_layer.update()


def test_a_guess_is_shown_and_confirmed_by_its_button(rig: bpy.types.Object) -> None:
    guess_of_nameless_bones(rig)
    words = " ".join(drawn(BIOIK_PT_feet).labels())
    assert "It is not certain which bones are legs" in words
    assert not bpy.ops.bioik.place_feet.poll()
    assert bpy.ops.bioik.use_guess() == {"FINISHED"}
    key_randomly(rig, [1, 5], scaled=False)
    assert "not certain" not in " ".join(drawn(BIOIK_PT_feet).labels())
    assert bpy.ops.bioik.place_feet.poll()


def test_every_operator_has_a_button(
    rig: bpy.types.Object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    rig.bioik.slots.add().name = "spine"  # a part that was chosen, and may have several bones
    rig.bioik.feet.step_up = 0.3
    bpy.ops.bioik.save_preset(kind="GOALS", name="Mine")
    rig.bioik.bake.report = json.dumps(CLIMBING)
    shown = (*PANELS, *POPOVERS, BIOIK_MT_goals)
    found = {name for cls in shown for name in drawn(cls).operators()}
    play_result(rig)
    found |= set(drawn(BIOIK_PT_bake).operators())
    bpy.ops.bioik.share_ground()
    found |= set(drawn(BIOIK_PT_feet).operators())
    guess_of_nameless_bones(rig)
    found |= set(drawn(BIOIK_PT_feet).operators())
    assert found == {f"bioik.{name}" for name in dir(bpy.ops.bioik)}


def test_every_setting_of_feet_solver_and_bake_is_shown_once(rig: bpy.types.Object) -> None:
    feet, solver, bake = rig.bioik.feet, rig.bioik.solver, rig.bioik.bake
    feet.floor, bake.range, bake.keys = "HEIGHT", "CUSTOM", "FEW"
    shown = [given for cls in PANELS for given in drawn(cls).named("prop")]
    for settings in (feet, solver, bake):
        names = [given["property"] for given in shown if given["data"] == settings]
        lists = {"grounds", "active_ground", "contacts", "active_contact", "report", "known"}
        known = {p.identifier for p in settings.bl_rna.properties} - {"rna_type", "name"} - lists
        # These are drawn in the size of the character.
        lengths = (
            {p.identifier for p in rig.bioik.lengths.bl_rna.properties} if settings == feet else ()
        )
        assert sorted(names) == sorted(known.difference(lengths))
    for name in ("step_up", "pelvis_sideways"):
        assert [g["data"] for g in shown if g["property"] == name] == [rig.bioik.lengths]


def test_lengths_follow_the_size_of_the_character(rig: bpy.types.Object) -> None:
    feet, lengths = rig.bioik.feet, rig.bioik.lengths
    size = lengths.step_up / feet.step_up
    source = read_source_feet(bpy.context.scene, rig, [1, 2, 3])
    assert size == pytest.approx(source.scale, rel=1e-5)
    assert abs(size - 1.0) > 0.05
    assert lengths.pelvis_sideways == pytest.approx(size * feet.pelvis_sideways)
    rig.scale = (3.0, 3.0, 3.0)
    bpy.context.view_layer.update()
    assert lengths.step_up == pytest.approx(3.0 * size * feet.step_up)
    assert "bioik.fit_length" not in drawn(BIOIK_PT_feet).operators()
    lengths.step_up = 0.25
    assert feet.step_up == pytest.approx(0.25)
    assert lengths.step_up == pytest.approx(0.25)
    assert "bioik.fit_length" in drawn(BIOIK_PT_feet).operators()
    assert bpy.ops.bioik.fit_length(length="step_up") == {"FINISHED"}
    assert not feet.is_property_set("step_up")


def test_a_floor_that_is_found_has_no_height_to_set(rig: bpy.types.Object) -> None:
    assert "floor_height" not in drawn(BIOIK_PT_feet_advanced).properties()
    rig.bioik.feet.floor = "HEIGHT"
    assert "floor_height" in drawn(BIOIK_PT_feet_advanced).properties()


def test_the_spine_is_greyed_out_while_the_pelvis_does_not_tilt(rig: bpy.types.Object) -> None:
    assert not drawn(BIOIK_PT_feet_body).is_active("spine_share")
    rig.bioik.feet.pelvis_tilt = 0.1
    assert drawn(BIOIK_PT_feet_body).is_active("spine_share")


def test_a_ground_has_one_picker_once_it_is_chosen(rig: bpy.types.Object) -> None:
    def pickers() -> list[str]:
        return [n for n in drawn(BIOIK_PT_feet).properties() if n in ("object", "collection")]

    ground = rig.bioik.feet.grounds[0]
    assert pickers() == ["object"]
    assert drawn_item(BIOIK_UL_grounds, rig.bioik.feet, ground).labels() == ["Hill"]
    ground.object = None
    assert pickers() == ["object", "collection"]
    assert drawn_item(BIOIK_UL_grounds, rig.bioik.feet, ground).labels() == ["Not Set"]
    ground.collection = bpy.data.collections.new("Steps")
    assert pickers() == ["collection"]
    assert drawn_item(BIOIK_UL_grounds, rig.bioik.feet, ground).labels() == ["Steps"]


@pytest.mark.parametrize(("frame", "stands"), [(4, False), (5, True), (9, True), (10, False)])
def test_contacts_of_the_current_frame_are_marked(
    rig: bpy.types.Object, frame: int, stands: bool
) -> None:
    bpy.context.scene.frame_set(frame)
    item = drawn_item(BIOIK_UL_contacts, rig.bioik.feet, rig.bioik.feet.contacts[0])
    assert item.labels() == ["leg.L Ball", "5 - 9"]
    icons = [given.get("icon") for given in item.named("label")]
    assert icons[0] == ("DECORATE_KEYFRAME" if stands else "DECORATE_ANIMATE")


def test_contacts_are_listed_by_time(rig: bpy.types.Object) -> None:
    feet = rig.bioik.feet
    for start in (7, 1):
        added = feet.contacts.add()
        added.foot, added.frame_start, added.frame_end = "leg.R", start, 20
    listed = type("Listed", (), {"filter_name": "", "bitflag_filter_item": 1})()
    shown, places = BIOIK_UL_contacts.filter_items(listed, bpy.context, feet, "contacts")
    assert shown == []
    assert list(places) == [1, 2, 0]


def test_without_contacts_there_is_only_the_list(rig: bpy.types.Object) -> None:
    rig.bioik.feet.contacts.clear()
    assert drawn(BIOIK_PT_contacts).properties() == ["contacts_edited"]


@pytest.mark.parametrize("kind", BUILT_IN, ids=lambda kind: kind.identifier)
def test_a_goal_shows_only_what_its_kind_uses(rig: bpy.types.Object, kind: Any) -> None:
    goal_of(rig, kind.identifier)
    shown = drawn(BIOIK_PT_goals).properties()
    uses = [name for name in kind.uses if name != "subtarget"]
    assert shown == ["type", *uses, "weight", "influence"]


def test_bones_of_a_target_can_be_chosen_if_it_has_some(rig: bpy.types.Object) -> None:
    goal = goal_of(rig, "POSITION")
    goal.target = bpy.data.objects.new("Empty", None)
    assert "subtarget" not in drawn(BIOIK_PT_goals).properties()
    goal.target = humanoid("Other")
    bpy.context.view_layer.objects.active = rig
    searches = drawn(BIOIK_PT_goals).named("prop_search")
    assert [s["property"] for s in searches] == ["bone", "subtarget"]
    assert [s["search_data"] for s in searches] == [rig.data, goal.target.data]


def test_another_bone_is_in_place_of_a_target(rig: bpy.types.Object) -> None:
    goal = goal_of(rig, "DISTANCE")
    goal.other_bone = rig.data.bones[1].name
    assert not {"target", "subtarget", "point"} & set(drawn(BIOIK_PT_goals).properties())
    coupled = goal_of(rig, "JOINT_FUNCTION")
    coupled.other_bone = rig.data.bones[1].name
    assert {"other_bone", "ratio"} <= set(drawn(BIOIK_PT_goals).properties())


@pytest.mark.parametrize("name", ["bone", "other_bone", "subtarget"])
def test_a_bone_that_is_not_there_is_red(rig: bpy.types.Object, name: str) -> None:
    goal = goal_of(rig, "POSITION" if name == "subtarget" else "DISTANCE")
    goal.target = rig
    setattr(goal, name, rig.data.bones[1].name)
    assert not drawn(BIOIK_PT_goals).is_red(name)
    setattr(goal, name, "nobody")
    assert drawn(BIOIK_PT_goals).is_red(name)
    setattr(goal, name, "")
    assert drawn(BIOIK_PT_goals).is_red(name) is (name == "bone")


def test_a_deleted_target_is_red_and_reported(rig: bpy.types.Object) -> None:
    goal = rig.bioik.goals[0]
    goal.type, goal.target = "POSITION", bpy.data.objects.new("Target", None)
    bpy.context.scene.collection.objects.link(goal.target)
    told = "The target is not in the view layer: choose another one"
    assert told not in drawn(BIOIK_PT_goals).labels()
    bpy.context.scene.collection.objects.unlink(goal.target)
    assert told in drawn(BIOIK_PT_goals).labels()


def test_the_tolerance_has_the_unit_of_the_goal(rig: bpy.types.Object) -> None:
    goal_of(rig, "POSITION")
    assert drawn(BIOIK_PT_goal_reach).properties()[-1] == "tolerance"
    goal_of(rig, "LOOK_AT")
    assert drawn(BIOIK_PT_goal_reach).properties()[-1] == "tolerance_angle"


def test_preferences_have_no_tolerance_to_keep(rig: bpy.types.Object) -> None:
    goal = goal_of(rig, "POSITION")
    goal.is_preference = True
    assert not drawn(BIOIK_PT_goal_reach).is_active("tolerance")
    goal_of(rig, "POLE")
    assert "is_preference" not in drawn(BIOIK_PT_goal_reach).properties()


def test_frames_are_greyed_out_for_a_goal_of_all_frames(rig: bpy.types.Object) -> None:
    goal = goal_of(rig, "POSITION")
    assert drawn(BIOIK_PT_goal_frames, "draw_header").properties() == ["use_frame_range"]
    assert not drawn(BIOIK_PT_goal_frames).is_active("frame_start")
    goal.use_frame_range = True
    assert drawn(BIOIK_PT_goal_frames).is_active("frame_start")


@pytest.mark.parametrize("cls", [BIOIK_PT_goal_reach, BIOIK_PT_goal_frames])
def test_details_of_a_goal_need_one(rig: bpy.types.Object, cls: type[Any]) -> None:
    rig.bioik.active_goal = len(rig.bioik.goals)
    assert not cls.poll(bpy.context)
    assert drawn(BIOIK_PT_goals).properties() == []


def test_too_many_elites_are_reported(rig: bpy.types.Object) -> None:
    solver = rig.bioik.solver
    told = "Elites must be fewer than the population"
    assert told not in drawn(BIOIK_PT_solver_search).labels()
    solver.elites = solver.population
    search = drawn(BIOIK_PT_solver_search)
    assert search.is_red("elites")
    assert told in search.labels()


def test_settings_of_evolution_are_greyed_out_without_it(rig: bpy.types.Object) -> None:
    rig.bioik.solver.strategy = "LOCAL"
    assert not drawn(BIOIK_PT_solver_search).is_active("population")
    assert "strategy" not in drawn(BIOIK_PT_solver).properties()
