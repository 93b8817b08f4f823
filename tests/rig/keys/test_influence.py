"""Influence of goals over frames: a value, F-curves, drivers and strips, as Blender has it."""

from __future__ import annotations

import bpy
import numpy as np

from blender_bioik.rig.blender import fcurves
from blender_bioik.rig.keys.influence import sample_influence
from blender_bioik.rig.reading import drained
from blender_bioik.rig.transforms import Floats

from ...builders.bakes import add_goal, tweaked_strip
from ...builders.rigs import humanoid

FRAMES = np.array([1.0, 4.5, 10.0])


def sampled(rig: bpy.types.Object) -> Floats:
    """Influences (goals, frames)."""
    goals = list(rig.bioik.goals)
    return np.array(drained(sample_influence(bpy.context.scene, rig, goals, FRAMES)))


def blenders(rig: bpy.types.Object) -> Floats:
    """The same by Blender, frame by frame."""
    found = []
    for frame in FRAMES:
        bpy.context.scene.frame_set(int(frame), subframe=frame % 1.0)
        evaluated = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
        found.append([goal.influence for goal in evaluated.bioik.goals])
    return np.array(found).T


def key_influence(rig: bpy.types.Object, number: int) -> None:
    goal = rig.bioik.goals[number]
    for frame, value in ((1, 0.2), (10, 0.9)):
        goal.influence = value
        rig.keyframe_insert(goal.path_from_id("influence"), frame=frame)


def test_without_animation_it_is_the_value() -> None:
    rig = humanoid()
    add_goal(rig, influence=0.25)
    assert sampled(rig).tolist() == [[0.25] * 3]


def test_keyed_and_unkeyed_goals() -> None:
    rig = humanoid()
    add_goal(rig)
    add_goal(rig, influence=0.5)
    key_influence(rig, 0)
    found = sampled(rig)
    np.testing.assert_allclose(found, blenders(rig), atol=1e-6)
    assert found[0, 0] < found[0, 1] < found[0, 2]
    assert found[1].tolist() == [0.5] * 3


def test_curves_beyond_one_count_as_one() -> None:
    rig = humanoid()
    add_goal(rig)
    key_influence(rig, 0)
    container = fcurves.assigned_container(rig)
    assert container is not None
    (curve,) = container.fcurves
    for key, value in zip(curve.keyframe_points, (-1.0, 2.0), strict=True):
        key.co.y = value
    curve.update()
    found = sampled(rig)
    assert (found[0, 0], found[0, 2]) == (0.0, 1.0)


def test_drivers_decide() -> None:
    rig = humanoid()
    goal = add_goal(rig)
    driver = rig.driver_add(goal.path_from_id("influence")).driver
    driver.type, driver.expression = "SCRIPTED", "frame / 20"
    found = sampled(rig)
    np.testing.assert_allclose(found, [FRAMES / 20], atol=1e-6)


def test_strips_decide() -> None:
    rig = humanoid()
    add_goal(rig)
    key_influence(rig, 0)
    tweaked_strip(rig)
    rig.animation_data.use_tweak_mode = False
    rig.animation_data.nla_tracks[0].strips[0].influence = 0.5
    rig.animation_data.nla_tracks[0].strips[0].use_animated_influence = False
    np.testing.assert_allclose(sampled(rig), blenders(rig), atol=1e-6)
