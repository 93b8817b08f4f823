"""Goals that move in the list keep their animation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import pytest

from blender_bioik.rig.blender import fcurves
from blender_bioik.rig.goals.goal_order import copy_goal, move_goal, remove_goal

from ...builders.libraries import link_own_action
from ...builders.rigs import humanoid
from ...builders.snapshots import data_of, differences


@pytest.fixture
def rig() -> bpy.types.Object:
    """Five goals, each with a key of its own influence; the second is driven too."""
    made = humanoid()
    for number in range(5):
        goal = made.bioik.goals.add()
        goal.name = f"g{number}"
        goal.influence = number / 10
        goal.keyframe_insert("influence", frame=1)
    made.driver_add("bioik.goals[1].weight").driver.expression = "1.0"
    return made


def influences(rig: bpy.types.Object) -> dict[str, float]:
    """What the keys say of each goal that has some."""
    container = fcurves.assigned_container(rig)
    curves = fcurves.curves_by_channel(container)
    return {
        goal.name: round(curves[path].keyframe_points[0].co.y, 3)
        for goal in rig.bioik.goals
        if (path := (goal.path_from_id("influence"), 0)) in curves
    }


def driven(rig: bpy.types.Object) -> list[str]:
    paths = [driver.data_path.rpartition(".")[0] for driver in rig.animation_data.drivers]
    return [rig.path_resolve(path).name for path in paths]


@pytest.mark.parametrize(("number", "place"), [(0, 1), (1, 0), (0, 4), (4, 0), (3, 1), (2, 2)])
def test_a_moved_goal_takes_its_keys_along(rig: bpy.types.Object, number: int, place: int) -> None:
    before = influences(rig)
    assert before == {f"g{k}": k / 10 for k in range(5)}
    move_goal(rig, number, place)
    assert rig.bioik.goals[place].name == f"g{number}"
    assert influences(rig) == before
    assert driven(rig) == ["g1"]


@pytest.mark.parametrize("number", range(5))
def test_a_removed_goal_takes_only_its_own_keys(rig: bpy.types.Object, number: int) -> None:
    before = influences(rig)
    remove_goal(rig, number)
    del before[f"g{number}"]
    assert influences(rig) == before
    assert driven(rig) == ([] if number == 1 else ["g1"])


@pytest.mark.parametrize(
    ("operator", "options"),
    [("remove_goal", {}), ("move_goal", {"direction": "DOWN"}), ("duplicate_goal", {})],
)
def test_goals_animated_in_a_linked_action_stay_as_they_are(
    rig: bpy.types.Object, operator: str, options: dict[str, str], tmp_path: Path
) -> None:
    action = link_own_action(rig, tmp_path / "library.blend")
    rig.bioik.active_goal = 1
    before = data_of(rig)

    with pytest.raises(RuntimeError) as caught:
        getattr(bpy.ops.bioik, operator)(**options)

    assert f'animated by their index in "{action.name}", which is linked' in str(caught.value)
    assert differences(before, data_of(rig)) == []


def test_a_copy_is_below_and_not_animated(rig: bpy.types.Object) -> None:
    before = influences(rig)
    rig.bioik.goals[1].bone = "head"
    copy: Any = copy_goal(rig, 1)
    assert (copy.name, copy.bone, rig.bioik.goals[2]) == ("g1.001", "head", copy)
    assert influences(rig) == before


def test_keys_of_strips_move_too(rig: bpy.types.Object) -> None:
    data = rig.animation_data
    action, slot = data.action, fcurves.assigned_slot(rig)
    track = data.nla_tracks.new()
    strip = track.strips.new("Strip", 1, action)
    if slot is not None:
        strip.action_slot = slot
    data.action = None
    move_goal(rig, 0, 4)
    curves = fcurves.curves_by_channel(fcurves.strip_container(strip))
    found = {path: curve.keyframe_points[0].co.y for (path, _), curve in curves.items()}
    assert found["bioik.goals[4].influence"] == 0.0
    assert found["bioik.goals[0].influence"] == pytest.approx(0.1)
