"""Positions of goals in the current frame."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Vector

from blender_bioik.goal_types import BUILT_IN
from blender_bioik.rig.report.goal_errors import GoalError, forget_errors, keep_errors
from blender_bioik.rig.trace.goal_places import GoalPlace, goal_places

from ...builders.rigs import humanoid

MOVED = (5.0, 0.0, 0.0)


@pytest.fixture(autouse=True)
def no_errors_stay() -> Iterator[None]:
    yield
    forget_errors()


@pytest.fixture
def rig() -> bpy.types.Object:
    """A person that stands five metres aside."""
    made = humanoid()
    made.location = MOVED
    bpy.context.view_layer.update()
    return made


def goal(rig: bpy.types.Object, kind: str, bone: str = "forearm.L", **settings: Any) -> Any:
    made = rig.bioik.goals.add()
    made.type, made.bone, made.name = kind, bone, kind
    for name, value in settings.items():
        setattr(made, name, value)
    return made


def place(rig: bpy.types.Object, frame: float = 1) -> GoalPlace:
    (found,) = goal_places(rig, frame)
    return found


def assert_at(found: Vector | None, wanted: Any) -> None:
    assert found is not None
    np.testing.assert_allclose(found, wanted, atol=1e-5)


def test_a_position_goal_leads_from_its_point_on_the_bone_to_the_target(
    rig: bpy.types.Object,
) -> None:
    target = bpy.data.objects.new("Target", None)
    target.matrix_world = Matrix.Translation((1.0, 2.0, 3.0))
    bpy.context.scene.collection.objects.link(target)
    goal(rig, "POSITION", head_tail=1.0, target=target, point=(0.0, 0.0, 1.0))
    bpy.context.view_layer.update()

    found = place(rig)

    assert_at(found.start, Vector(MOVED) + Vector((0.7, -0.02, 1.45)))
    assert_at(found.end, (1.0, 2.0, 4.0))


def test_a_goal_follows_a_bone_of_its_target(rig: bpy.types.Object) -> None:
    goal(rig, "POSITION", target=rig, subtarget="head")

    assert_at(place(rig).end, Vector(MOVED) + Vector((0.0, 0.0, 1.55)))


def test_planes_and_lines_are_reached_on_the_shortest_way(rig: bpy.types.Object) -> None:
    goal(rig, "PLANE", "head", point=(0.0, 0.0, 1.0), direction=(0.0, 0.0, 2.0))
    goal(rig, "LINE", "head", point=(0.0, 0.0, 1.0), direction=(0.0, 0.0, 2.0))
    goal(rig, "TOUCH", "head", point=(0.0, 0.0, 1.0), direction=(0.0, 0.0, 2.0), radius=0.1)

    plane, line, touch = goal_places(rig, 1)

    assert_at(plane.end, (5.0, 0.0, 1.0))
    assert_at(line.end, (0.0, 0.0, 1.55))
    assert_at(touch.start, (5.0, 0.0, 1.55))
    assert_at(touch.end, (5.0, 0.0, 1.1))


@pytest.mark.parametrize(("turned", "height"), [(False, 1.0), (True, 1.55)])
def test_a_plane_turns_with_its_target_only_if_it_shall(
    rig: bpy.types.Object, turned: bool, height: float
) -> None:
    target = bpy.data.objects.new("Target", None)
    target.matrix_world = Matrix.Rotation(np.pi / 2.0, 4, "X")
    bpy.context.scene.collection.objects.link(target)
    goal(rig, "ABOVE", "head", target=target, point=(0.0, 0.0, 1.0), use_target_rotation=turned)
    bpy.context.view_layer.update()

    assert place(rig).end.z == pytest.approx(height)


def test_a_distance_is_to_another_bone_if_there_is_one(rig: bpy.types.Object) -> None:
    goal(rig, "DISTANCE", other_bone="head", point=(9.0, 9.0, 9.0))

    assert_at(place(rig).end, (5.0, 0.0, 1.55))


def test_directions_begin_at_the_bone_and_are_as_long(rig: bpy.types.Object) -> None:
    goal(rig, "DIRECTION", "head", direction=(0.0, 3.0, 0.0))

    found = place(rig)

    assert_at(found.start, (5.0, 0.0, 1.55))
    assert_at(found.end, (5.0, 0.25, 1.55))


@pytest.mark.parametrize(
    "settings",
    [
        {"enabled": False},
        {"weight": 0.0},
        {"influence": 0.0},
        {"use_frame_range": True, "frame_start": 10, "frame_end": 20},
        {"bone": "nobody"},
        {"bone": ""},
    ],
)
def test_goals_that_do_not_act_have_no_place(
    rig: bpy.types.Object, settings: dict[str, Any]
) -> None:
    goal(rig, "POSITION", **settings)

    assert goal_places(rig, 5) == []


def test_a_goal_is_shown_while_it_blends(rig: bpy.types.Object) -> None:
    goal(rig, "POSITION", use_frame_range=True, frame_start=10, frame_end=20, blend_out=4)

    assert [len(goal_places(rig, frame)) for frame in (9, 10, 24, 25)] == [0, 1, 1, 0]


def test_every_goal_type_can_be_built(rig: bpy.types.Object) -> None:
    for kind in BUILT_IN:
        goal(rig, kind.identifier)
        goal(rig, kind.identifier, target=rig)
        goal(rig, kind.identifier, target=rig, subtarget="gone")

    found = goal_places(rig, 1)

    assert all(np.isfinite(one.end).all() for one in found)
    assert len(found) > 10


def test_errors_and_tolerances_come_in_the_same_unit(rig: bpy.types.Object) -> None:
    goal(rig, "POSITION", tolerance=0.002)
    goal(rig, "LOOK_AT", tolerance_angle=np.radians(3.0))
    error = GoalError(4.0, "mm", False)
    keep_errors(rig, [("POSITION", error)])

    position, look_at = goal_places(rig, 1)

    assert position.error == error
    assert position.tolerance == pytest.approx(2.0)
    assert look_at.error is None
    assert look_at.tolerance == pytest.approx(3.0)
