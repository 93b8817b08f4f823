"""The list of goals."""

from __future__ import annotations

from typing import Any

import bpy
import pytest

from blender_bioik.panels.goals import BIOIK_MT_goals, BIOIK_UL_goals, error_text
from blender_bioik.rig.report.goal_errors import GoalError, forget_errors, keep_errors

from ..builders.layouts import Layout, drawn, drawn_item
from ..builders.rigs import humanoid


@pytest.fixture
def goal() -> Any:
    """A goal of the active armature."""
    rig = humanoid()
    bpy.context.view_layer.objects.active = rig
    made = rig.bioik.goals.add()
    made.name, made.bone = "Reach", "forearm.L"
    return made


def row(goal: Any) -> Layout:
    return drawn_item(BIOIK_UL_goals, goal.id_data.bioik, goal)


def test_a_goal_shows_kind_name_bone_weight_and_whether_it_is_solved(goal: Any) -> None:
    shown = row(goal)
    assert shown.properties() == ["name", "weight", "enabled"]
    assert shown.named("prop")[0]["icon"] == goal.kind.icon
    assert shown.labels() == ["forearm.L"]


def test_a_bone_in_the_name_is_not_repeated(goal: Any) -> None:
    goal.name = "Reach with forearm.L"
    assert row(goal).labels() == []
    goal.name = ""
    assert row(goal).labels() == []
    goal.type, goal.name = "BALANCE", "Balance"
    assert row(goal).labels() == []


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        *((0.04, "mm", "0.0 mm"), (3.25, "mm", "3.2 mm"), (12.6, "mm", "13 mm")),
        *((1234.0, "mm", "1.23 m"), (4.04, "degrees", "4.0°")),
    ],
)
def test_errors_are_short(value: float, unit: str, text: str) -> None:
    assert error_text(GoalError(value, unit, reached=True)) == text


@pytest.mark.parametrize("reached", [True, False])
def test_after_a_solve_errors_are_shown_in_red_if_missed(goal: Any, reached: bool) -> None:
    keep_errors(goal.id_data, [("Reach", GoalError(12.0, "mm", reached))])
    shown = row(goal)
    assert shown.labels() == ["forearm.L", "12 mm"]
    (at,) = (at for _, given, at in shown.calls if given.get("text") == "12 mm")
    assert at.state["alert"] is not reached
    forget_errors()
    assert row(goal).labels() == ["forearm.L"]


def test_the_menu_has_the_rarer_operators() -> None:
    names = ["duplicate_goal", "mirror_goal", "goals_from_constraints"]
    assert drawn(BIOIK_MT_goals).operators() == [f"bioik.{name}" for name in names]
