"""Presets on armatures: changed and unchanged settings, missing slots, and saving.

Tests of: active_preset, apply_preset, make_preset, named_settings, preset_slots.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import bpy
import pytest

from blender_bioik.goal_types import BUILT_IN
from blender_bioik.presets import (
    Preset,
    PresetGoal,
    PresetTarget,
    bundled_presets,
    preset_from_text,
)
from blender_bioik.presets.fields import (
    FEET,
    MOST,
    MOST_WHOLE,
    SOLVER,
    Choice,
    Field,
    Flag,
    Number,
    Text,
    Vector,
    Whole,
)
from blender_bioik.presets.goal_fields import goal_fields
from blender_bioik.rig.errors import RigError
from blender_bioik.rig.presets.active_preset import is_active
from blender_bioik.rig.presets.apply_preset import ApplyOptions, apply_preset
from blender_bioik.rig.presets.make_preset import make_preset

from ...builders.preset_rigs import bundled, mixamo, point, prop, standing
from ...builders.rigs import add_armature, add_chain, humanoid
from ...builders.snapshots import differences, file_data

BOX, SIZE = (0.05, -0.45, 1.0), (0.4, 0.25, 0.3)

# Not in presets: lists and their active items, settings of a clip or a rig, and those that follow
# from slots and targets.
NOT_IN_PRESETS = {
    "feet": {
        *("grounds", "active_ground", "contacts", "active_contact", "contacts_edited"),
        "write_to",
    },
    "solver": set(),
    "goal": {"bone", "other_bone", "target", "subtarget", "chain"},
}


def apply(rig: bpy.types.Object, preset: Preset, **options: Any) -> Any:
    return apply_preset(bpy.context, rig, preset, ApplyOptions(**options))


def owners(rig: bpy.types.Object) -> dict[str, tuple[Any, Mapping[str, Field]]]:
    goal = rig.bioik.goals.add()
    return {
        "feet": (rig.bioik.feet, FEET),
        "solver": (rig.bioik.solver, SOLVER),
        "goal": (goal, goal_fields()),
    }


@pytest.mark.parametrize("what", ["feet", "solver", "goal"])
def test_presets_know_all_properties_and_their_limits(what: str) -> None:
    owner, fields = owners(add_armature())[what]
    known = {p.identifier: p for p in owner.bl_rna.properties if p.identifier != "rna_type"}
    if what != "goal":
        del known["name"]
    assert set(known) - NOT_IN_PRESETS[what] == set(fields)
    for name, field in fields.items():
        agrees(known[name], field)


def agrees(known: Any, field: Field) -> None:
    """Whether a field accepts what Blender's property accepts, within reason."""
    if isinstance(field, Flag | Choice | Text):
        kind = {"Flag": "BOOLEAN", "Choice": "ENUM", "Text": "STRING"}[type(field).__name__]
        assert known.type == kind
        if isinstance(field, Choice):
            assert [item.identifier for item in known.enum_items] == list(field.words)
        return
    assert isinstance(field, Whole | Number | Vector)
    assert known.type == ("INT" if isinstance(field, Whole) else "FLOAT")
    assert known.array_length == (3 if isinstance(field, Vector) else 0)
    if isinstance(field, Vector):
        assert field.angle is (known.unit == "ROTATION")
        return
    unit = 1.0
    if isinstance(field, Number):
        assert field.angle is (known.unit == "ROTATION")
        unit = math.degrees(1.0) if field.angle else 1.0
    for ours, theirs in ((field.lowest, known.hard_min), (field.highest, known.hard_max)):
        if abs(theirs) < MOST:
            assert ours == pytest.approx(theirs * unit, rel=1e-4, abs=1e-4)
        else:
            assert abs(ours) <= MOST_WHOLE


def test_settings_that_a_preset_lacks_stay() -> None:
    rig = standing()
    solver = rig.bioik.solver
    solver.population, solver.seed, solver.smoothness = 33, 5, 4.0
    done = apply(rig, bundled("Fast Preview"))
    assert (solver.strategy, solver.smoothness) == ("LOCAL", 0.0)
    assert (solver.population, solver.seed) == (33, 5)
    assert (done.goals, done.notes, done.skipped) == (0, (), "")


def test_lengths_are_left_to_the_characters_size_and_angles_are_in_degrees() -> None:
    rig = standing()
    feet = rig.bioik.feet
    feet.step_up, feet.pelvis_sideways = 0.1, 0.3
    apply(rig, bundled("Stairs"))
    assert not feet.is_property_set("step_up")
    assert not feet.is_property_set("pelvis_sideways")
    assert math.degrees(feet.pelvis_tilt) == pytest.approx(4.0)
    assert (feet.slope, feet.swing, feet.spine_share) == (0.0, 1.0, True)


def test_a_second_time_nothing_is_doubled() -> None:
    rig = standing()
    apply(rig, bundled("Head Look-At"))
    done = apply(rig, bundled("Head Look-At"))
    assert (done.goals, done.kept, done.made) == (0, 1, ())
    assert len(rig.bioik.goals) == 1
    assert [o.name for o in bpy.data.objects if o.type == "EMPTY"] == ["Look At"]


def test_a_second_time_goals_follow_what_is_selected_now() -> None:
    rig = standing()
    first, second = prop(BOX, SIZE, "First"), prop((0.3, -0.5, 1.2), (0.1, 0.1, 0.1), "Second")
    for thing in (first, second):
        apply(rig, bundled("Two-Hand Reach"), selected=thing)
        assert {goal.target.parent for goal in rig.bioik.goals[:4]} == {thing}
        apply(rig, bundled("Head Look-At"), selected=thing)
        assert rig.bioik.goals[-1].target == thing
    assert len(rig.bioik.goals) == 5


def test_active_presets_are_those_whose_settings_and_goals_are_there() -> None:
    rig = standing()

    def active() -> set[str]:
        entries = bundled_presets()
        return {e.name for e in entries if e.preset and is_active(rig, e.preset)}

    assert active() == {"Walk on Terrain"}  # the defaults
    apply(rig, bundled("Fast Preview"))
    apply(rig, bundled("Head Look-At"))
    assert active() == {"Walk on Terrain", "Fast Preview", "Head Look-At"}
    apply(rig, bundled("Stairs"))
    assert "Stairs" in active()
    assert "Walk on Terrain" not in active()
    rig.bioik.feet.pelvis_tilt *= 2.0
    rig.bioik.solver.evaluations += 1
    rig.bioik.goals[0].enabled = False
    assert active() == set()


def test_set_ups_are_added_to_each_other_and_the_first_new_goal_is_chosen() -> None:
    rig = standing()
    rig.bioik.goals.add().type = "BALANCE"
    apply(rig, bundled("Head Look-At"))
    apply(rig, bundled("Two-Hand Reach"), selected=prop(BOX, SIZE))
    names = [goal.name for goal in rig.bioik.goals]
    assert names[:2] == ["Balance", "Look At"]
    assert names[2:] == ["Reach Left", "Palm Left", "Reach Right", "Palm Right"]
    assert rig.bioik.active_goal == 2


def test_replacing_keeps_the_targets_of_recreated_goals() -> None:
    rig = standing()
    apply(rig, bundled("Head Look-At"))
    goal = rig.bioik.goals[0]
    other = bpy.data.objects.new("Drone", None)
    goal.target, goal.weight, goal.point = other, 7.0, (0.0, 0.5, 0.0)
    rig.bioik.goals.add().type = "BALANCE"
    done = apply(rig, bundled("Head Look-At"), mode="REPLACE")
    (goal,) = rig.bioik.goals
    assert (goal.name, goal.target, goal.weight) == ("Look At", other, 1.0)
    assert tuple(goal.point) == (0.0, 0.5, 0.0)
    assert done.made == ()
    assert "Look At" in bpy.data.objects  # what the animator made is left alone


def test_a_set_up_replaces_another() -> None:
    rig = standing()
    apply(rig, bundled("VR Trackers"))
    apply(rig, bundled("Hand on Prop"), mode="REPLACE", selected=prop(BOX, SIZE))
    assert [goal.name for goal in rig.bioik.goals] == ["Grip Place", "Grip Turn"]
    assert len({goal.target for goal in rig.bioik.goals}) == 1


def test_the_selected_object_is_the_target_where_that_is_meant() -> None:
    rig = standing()
    drone = bpy.data.objects.new("Drone", None)
    done = apply(rig, bundled("Upper-Body Aim While Walking"), selected=drone)
    assert [goal.target for goal in rig.bioik.goals] == [drone, drone]
    assert done.made == ()


def test_without_new_targets_goals_stay_at_their_places() -> None:
    rig = standing()
    apply(rig, bundled("VR Trackers"), add_targets=False)
    assert not [o for o in bpy.data.objects if o.type == "EMPTY"]
    places = [goal for goal in rig.bioik.goals if goal.type == "POSITION"]
    assert len(places) == 5
    for goal in places:
        assert goal.target is None
        assert (point(rig, goal.bone) - type(point(rig, goal.bone))(goal.point)).length < 1e-6


def test_without_new_targets_hands_follow_the_object_itself() -> None:
    rig, box = standing(), prop(BOX, SIZE, turn=0.4)
    apply(rig, bundled("Hand on Prop"), add_targets=False, selected=box)
    made = [tuple(goal.point) for goal in rig.bioik.goals]
    assert [goal.target for goal in rig.bioik.goals] == [box, box]
    assert made[0] == made[1]
    assert max(map(abs, made[0])) == pytest.approx(0.5, abs=1e-5)  # on the box
    assert not [o for o in bpy.data.objects if o.type == "EMPTY"]


def test_slots_that_a_rig_lacks_are_named_and_the_rest_is_applied() -> None:
    rig = humanoid()  # its arms end at the forearms
    bpy.context.view_layer.objects.active = rig
    done = apply(rig, bundled("VR Trackers"))
    assert "has no hand.L, hand.R, so these were skipped: Left Hand Place," in done.skipped
    assert {goal.bone for goal in rig.bioik.goals} >= {"head", "foot.L", "hips", "chest"}


def test_a_preset_that_does_not_fit_at_all_changes_nothing() -> None:
    rig = humanoid()
    rig.bioik.goals.add().name = "Mine"
    before = file_data()
    with pytest.raises(RigError) as caught:
        apply(rig, bundled("Two-Hand Reach"), mode="REPLACE")
    assert str(caught.value) == (
        '"Two-Hand Reach" cannot be applied: "Rig" has no hand.L, hand.R, '
        "so these were skipped: Reach Left, Palm Left, Reach Right, Palm Right. "
        "Assign missing bones in Body Parts."
    )
    assert differences(before, file_data()) == []


def test_chosen_body_parts_count() -> None:
    rig = humanoid()
    for side in "LR":
        slot = rig.bioik.slots.add()
        slot.name, slot.bone = f"hand.{side}", f"forearm.{side}"
        slot = rig.bioik.slots.add()
        slot.name, slot.bone = f"forearm.{side}", ""
    apply(rig, bundled("Two-Hand Reach"), selected=prop(BOX, SIZE))
    assert {goal.bone for goal in rig.bioik.goals} == {"forearm.L", "forearm.R"}


def test_a_clean_up_without_legs_is_refused() -> None:
    rig = add_armature()
    add_chain(rig, 3)
    before = file_data()
    with pytest.raises(RigError):
        apply(rig, bundled("Mocap Clean-Up"))
    assert differences(before, file_data()) == []


def test_a_clean_up_keeps_the_ground_that_is_chosen() -> None:
    rig = standing()
    hill = bpy.data.objects.new("Hill", bpy.data.meshes.new("Hill"))
    rig.bioik.feet.grounds.add().object = hill
    done = apply(rig, bundled("Mocap Clean-Up"))
    assert done.notes == ("The existing ground is kept.",)
    assert [g.object for g in rig.bioik.feet.grounds] == [hill]


@pytest.mark.parametrize("kind", ["FEET", "SOLVER"])
def test_settings_come_back_as_they_were(kind: str) -> None:
    rig = standing()
    feet, solver = rig.bioik.feet, rig.bioik.solver
    feet.planting, feet.slope, feet.pelvis_tilt, feet.ease = "LOCKED", 0.3, 0.2, 0.05
    feet.pelvis_sideways, feet.hands, feet.plot = 0.05, "WORLD", False
    solver.strategy, solver.population, solver.displacement = "EVOLUTION", 60, 0.25
    preset = make_preset(rig, kind, "Mine")
    other = mixamo()
    apply(other, preset)
    owner, known = (feet, FEET) if kind == "FEET" else (solver, SOLVER)
    there = getattr(other.bioik, kind.lower())
    for name in known:
        assert getattr(there, name) == pytest.approx(getattr(owner, name)), name
    assert there.is_property_set("step_up") is False if kind == "FEET" else True


def test_goals_of_every_kind_come_back_as_they_were() -> None:
    rig = standing()
    target = bpy.data.objects.new("Thing", None)
    for number, kind in enumerate(BUILT_IN):
        goal = rig.bioik.goals.add()
        goal.type, goal.name, goal.weight = kind.identifier, kind.label, 0.5 + number
        goal.bone = ("shin.L", "hand.R", "index.02.L", "upper_chest")[number % 4]
        goal.other_bone = "head" if kind.identifier == "JOINT_FUNCTION" else ""
        goal.axis, goal.direction, goal.angle = (0.0, 0.6, 0.8), (1.0, 0.0, 0.0), 0.7
        goal.distance, goal.radius, goal.angle_value, goal.ratio = 0.4, 0.1, -1.2, 0.5
        goal.point, goal.rotation, goal.offset = (1.0, 2.0, 3.0), (0.1, 0.2, 0.3), (0.0, 0.1, 0.0)
        goal.chain_length = number % 3
        goal.target = target if number % 2 else None
        goal.use_frame_range, goal.frame_start, goal.blend_in = bool(number % 5), 7, 3
    rig.bioik.solver.move_root = True
    preset = make_preset(rig, "GOALS", "All")
    assert preset_from_text(preset.to_json()) == preset
    before = [values(goal) for goal in rig.bioik.goals]
    rig.bioik.solver.move_root = False
    rig.bioik.goals.clear()
    apply(rig, preset, selected=target)
    assert rig.bioik.solver.move_root
    for goal, wanted in zip(rig.bioik.goals, before, strict=True):
        assert values(goal) == pytest.approx(wanted), goal.name


def values(goal: Any) -> dict[str, Any]:
    """What matters to a goal; places at a target are those of that target."""
    uses = set(goal.kind.uses)
    follows = "target" in uses and goal.target is not None
    names = ({"name", "type", "weight", "chain_length"} | uses) - {"subtarget"}
    if follows:
        names -= {"point", "rotation"}
    names |= {"frame_start", "blend_in"} if goal.use_frame_range else set()
    found: dict[str, Any] = {}
    for name in names:
        value = getattr(goal, name)
        if hasattr(value, "__len__") and not isinstance(value, str):
            found |= {f"{name}{i}": number for i, number in enumerate(value)}
        else:
            found[name] = value if isinstance(value, int | float) else str(value)
    return found


def test_a_preset_saved_on_one_rig_fits_another() -> None:
    rig = standing()
    apply(rig, bundled("Upper-Body Aim While Walking"))
    finger = rig.bioik.goals.add()
    finger.type, finger.bone, finger.name = "POSITION", "index.02.L", "Point"
    preset = make_preset(rig, "GOALS", "Mine")
    other = mixamo()
    done = apply(other, preset)
    chest, head = other.bioik.goals
    assert (chest.bone, chest.chain_length) == ("mixamorig:Spine2", 3)
    assert (head.bone, head.chain_length) == ("mixamorig:Head", 2)
    world = (other.matrix_world @ other.data.bones[head.bone].matrix_local).to_3x3()
    assert (world @ type(world.col[0])(head.axis)).normalized().y == pytest.approx(-1.0, abs=1e-3)
    assert done.skipped.startswith('"Mixamo" has no index.02.L, so these were skipped: Point.')


def test_saving_without_goals_is_reported() -> None:
    with pytest.raises(RigError, match='"Walker" has no goals to save: add one first'):
        make_preset(standing(), "GOALS", "Mine")


def test_an_impossible_save_is_reported() -> None:
    rig = standing()
    rig.bioik.feet.floor_height = 1e9
    with pytest.raises(RigError, match=r'"Mine" cannot be saved: feet.floor_height must be from'):
        make_preset(rig, "FEET", "Mine")
    with pytest.raises(RigError, match='"a/b" cannot be saved: the name must not contain any of'):
        make_preset(rig, "SOLVER", "a/b")


def test_goals_that_share_a_target_share_the_new_one() -> None:
    rig = standing()
    goals = tuple(
        PresetGoal(kind, slot="head", target="a", values={"name": kind.title()})
        for kind in ("POSITION", "ORIENTATION")
    )
    apply(rig, Preset("Both", "GOALS", goals=goals, targets={"a": PresetTarget("Both")}))
    first, second = rig.bioik.goals
    assert first.target == second.target == bpy.data.objects["Both"]
    assert (first.target.location - point(rig, "head")).length < 1e-6
