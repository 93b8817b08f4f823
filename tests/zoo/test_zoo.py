"""Characters of the zoo stand on the floor, and rig oddities do not change their motion."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import bpy
import numpy as np
import pytest
from mathutils import Vector

import zoo
from zoo import rigify
from zoo.body import Body
from zoo.posing import Motion

from ..builders.rigify import generated_human


def vertices(thing: bpy.types.Object) -> np.ndarray:
    evaluated = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
    flat = np.empty(3 * len(evaluated.data.vertices), np.float32)
    evaluated.data.vertices.foreach_get("co", flat)
    world = np.array(evaluated.matrix_world)
    return flat.reshape(-1, 3) @ world[:3, :3].T + world[:3, 3]


@pytest.mark.parametrize("name", zoo.CHARACTERS)
def test_a_walk_stays_on_the_floor_and_its_bones_are_where_the_motion_has_them(name: str) -> None:
    built = zoo.build(name, "walk")
    for frame in range(built.first, built.last + 1, 7):
        bpy.context.scene.frame_set(frame)
        lowest = min((float(vertices(mesh)[:, 2].min()) for mesh in built.meshes), default=0.0)
        # Where shins pull at the sole, a foot that rolls dips into the floor.
        deepest = 0.004 * built.body.height + 0.05 * built.body.soft
        assert -deepest < lowest < 0.01 * built.body.height
    assert built.motion is not None
    for frame in (built.first, built.first + 10, built.first + 23):
        bpy.context.scene.frame_set(frame)
        for bone in built.body.bones:
            pose = built.armature.pose.bones[built.body.named(bone.name)]
            expected = built.motion.heads[bone.name][frame - built.first]
            head = built.armature.matrix_world @ pose.head
            assert np.allclose(head, expected, atol=2e-5 * built.body.height), bone.name


@pytest.mark.parametrize("name", zoo.CHARACTERS)
def test_the_truth_names_bones_and_soles(name: str) -> None:
    built = zoo.build(name)
    bones = built.armature.data.bones
    truth = built.truth
    named = {*truth.slots.values(), *truth.spine, *truth.neck}
    named |= {bone for leg in truth.legs for bone in leg.bones}
    assert named <= set(bones.keys())
    for leg in truth.legs:
        places = [
            vertices(bpy.data.objects[mesh])[list(indices)] for mesh, indices in leg.sole.items()
        ]
        if built.meshes:
            up = built.armature.matrix_world.to_3x3().normalized() @ Vector(truth.up)
            heights = np.concatenate(places) @ up
            assert len(heights) >= 8
            assert abs(heights).max() < 0.02 * built.body.height


def two_steps(body: Body) -> Motion:
    """The first 48 frames of the walk: each of them takes many evaluations of the rig."""
    walk = zoo.CLIPS["walk"](body)
    turns, heads = (
        {role: rows[:48] for role, rows in each.items()} for each in (walk.turns, walk.heads)
    )
    return replace(walk, turns=turns, heads=heads, touches=())


@pytest.mark.parametrize("name", ["rigify_ik", "rigify_fk"])
def test_rigify_walks_on_its_controls(name: str, rigify_file: Path) -> None:
    built = rigify.build_on(generated_human(rigify_file), name, two_steps)
    (mesh,) = built.meshes
    assert built.motion is not None
    for frame in (built.first, built.first + 9, built.first + 47):
        bpy.context.scene.frame_set(frame)
        assert abs(vertices(mesh)[:, 2].min()) < 0.002
        for role in ("spine", "foot.L", "toe.R"):
            pose = built.armature.pose.bones[f"ORG-{role}"]
            expected = built.motion.heads[role][frame - built.first]
            assert np.allclose(pose.head, expected, atol=1e-3), role
