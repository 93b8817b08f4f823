"""Goals and settings on armature objects: their kinds, their properties, their registration.

Tests of: goal, goal_names, search_undo.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import bpy
import pytest

import blender_bioik
from blender_bioik import properties, registration, solver
from blender_bioik.goal_types import BUILT_IN, GoalType, goal_type
from blender_bioik.solver import goals as solver_goals

from ..builders.rigs import add_armature, add_chain

# Goals of the solver that are no wish of an animator's: one is made in Python.
NOT_KINDS = {"CustomGoal"}


def own_properties(cls: Any) -> dict[str, bpy.types.Property]:
    """Properties that a class declares itself."""
    # The last of a name: a base class has a `name` too.
    found = {prop.identifier: prop for prop in cls.bl_rna.properties}
    return {name: found[name] for name in cls.__annotations__}


def test_every_goal_of_the_solver_can_be_chosen() -> None:
    of_solver = {
        name
        for name in solver.__all__
        if isinstance(getattr(solver, name), type)
        and issubclass(getattr(solver, name), solver_goals.base.Goal)
        and getattr(solver, name) is not solver_goals.base.Goal
    } - NOT_KINDS
    chosen = {"".join(part.title() for part in kind.identifier.split("_")) for kind in BUILT_IN}
    assert chosen == of_solver


def test_kinds_are_the_items_of_the_type_in_the_same_order() -> None:
    items = properties.BioIKGoal.bl_rna.properties["type"].enum_items
    assert [item.identifier for item in items] == [kind.identifier for kind in BUILT_IN]
    # Files keep the number of an item: a new kind must come last or have its own.
    assert [item.value for item in items] == list(range(len(BUILT_IN)))


@pytest.mark.parametrize("kind", BUILT_IN, ids=lambda kind: kind.identifier)
def test_a_kind_uses_properties_that_exist_and_an_icon_that_blender_has(kind: GoalType) -> None:
    assert set(kind.uses) <= own_properties(properties.BioIKGoal).keys()
    icons = bpy.types.UILayout.bl_rna.functions["prop"].parameters["icon"].enum_items
    assert kind.icon in icons
    assert kind.label
    assert kind.description
    assert not kind.description.endswith(".")


def test_every_property_of_some_kind_is_there_for_a_reason() -> None:
    used = {name for kind in BUILT_IN for name in kind.uses}
    common = {
        *("name", "type", "enabled", "weight", "influence", "tolerance", "tolerance_angle"),
        *("is_preference", "chain", "chain_length", "use_frame_range", "frame_start", "frame_end"),
        *("blend_in", "blend_out"),
    }
    assert own_properties(properties.BioIKGoal).keys() == used | common


def properties_inside(cls: type[Any]) -> Iterator[Any]:
    """All properties stored on an armature; others are on data without overrides."""
    for prop in own_properties(cls).values():
        yield prop
        inside = getattr(prop, "fixed_type", None)
        for other in properties.CLASSES:
            if inside is not None and inside.identifier == other.__name__:
                yield from properties_inside(other)


def test_everything_is_described_as_blender_does_and_can_be_overridden() -> None:
    found = [prop for cls in properties.CLASSES for prop in own_properties(cls).values()]
    assert len(found) > 40
    for prop in found:
        assert prop.description, prop.identifier
        assert not prop.description.endswith("."), prop.identifier
    for prop in properties_inside(properties.BioIKRig):
        assert prop.is_overridable, prop.identifier


def test_only_the_influence_is_meant_to_be_animated() -> None:
    rig = add_armature()
    add_chain(rig, 1)
    goal = rig.bioik.goals.add()
    assert goal.keyframe_insert("influence", frame=1)
    assert goal.path_from_id("influence") == "bioik.goals[0].influence"


def test_a_new_goal_is_as_simple_as_can_be() -> None:
    goal = add_armature().bioik.goals.add()
    assert (goal.type, goal.enabled, goal.weight, goal.influence) == ("POSITION", True, 1.0, 1.0)
    assert (goal.target, goal.bone, goal.chain_length) == (None, "", 0)
    assert not goal.use_frame_range
    assert goal.kind is goal_type("POSITION")
    assert not goal.is_soft
    goal.type = "POLE"
    assert goal.is_soft


def test_settings_have_the_solvers_own_defaults() -> None:
    ours = add_armature().bioik.solver
    defaults = {field.name: field.default for field in dataclasses.fields(solver.Settings)}
    for name in ("population", "elites", "seed"):
        assert getattr(ours, name) == defaults[name]
    assert ours.strategy.lower() == defaults["strategy"]


def test_a_pointer_to_a_removed_object_is_empty() -> None:
    goal = add_armature().bioik.goals.add()
    target = bpy.data.objects.new("Target", None)
    goal.target = target
    bpy.data.objects.remove(target)
    assert goal.target is None


def test_goals_get_names_of_their_own() -> None:
    goals = add_armature().bioik.goals
    for wanted in ("hand", "hand", "hand.001", "", ""):
        goals.add().name = wanted
    assert [goal.name for goal in goals] == ["hand", "hand.001", "hand.002", "", ""]
    goals[0].name = "foot"
    goals[1].name = "hand"
    goals[2].name = "hand"
    assert [goal.name for goal in goals][:3] == ["foot", "hand", "hand.001"]


def traces() -> dict[str, Any]:
    return {
        "types": set(dir(bpy.types)),
        "operators": set(dir(bpy.ops.bioik)),
        "object": set(bpy.types.Object.bl_rna.properties.keys()),
        "manager": set(bpy.types.WindowManager.bl_rna.properties.keys()),
        "registered": {cls.is_registered for cls in registration.CLASSES},
    }


def test_nothing_is_left_after_unregistering() -> None:
    there = traces()
    blender_bioik.unregister()
    try:
        gone = traces()
        assert "bioik" not in gone["object"]
        assert gone["operators"] == set()
        assert gone["registered"] == {False}
        assert not [name for name in gone["types"] if "bioik" in name.lower()]
        assert not [name for name in gone["manager"] if "bioik" in name]
    finally:
        blender_bioik.register()
    assert traces() == there
