"""The parts of a body in the solver's tree, against the poses that Blender evaluates."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from blender_bioik.rig.bake.bake import BakeOptions
from blender_bioik.rig.feet.read_feet import read_feet
from blender_bioik.rig.legs.ground import Ground
from blender_bioik.rig.problem.feet_problem import FeetProblem
from blender_bioik.rig.reading import drained
from blender_bioik.solver import forward_kinematics
from demo import character, walk


def floor() -> Ground:
    bpy.ops.mesh.primitive_plane_add(size=30.0)
    return bpy.context.object


def read_problem(armature: bpy.types.Object) -> FeetProblem:
    options = BakeOptions(1, 20)
    return drained(read_feet(bpy.context.scene, armature, options, grounds=[floor()])).feet


def person(scale: float = 1.0) -> bpy.types.Object:
    armature = character.build(bpy.context.scene.collection)
    walk.animate(armature, strides=1)
    armature.scale = (scale,) * 3
    bpy.context.view_layer.update()
    return armature


def test_only_what_may_reach_the_ground_is_a_part() -> None:
    parts = {part.hull.bone for part in read_problem(person()).body.parts}
    assert {"shin.L", "shin.R"} <= parts
    assert not parts & {"head", "chest", "hand.L"}


@pytest.mark.parametrize("scale", [1.0, 0.01])
def test_hulls_are_where_their_bones_are_in_every_frame(scale: float) -> None:
    feet = read_problem(person(scale))
    body, skeleton, clip = feet.body, feet.source.skeleton, feet.source.clip
    source = forward_kinematics(body.tree, body.clip.values, body.clip.rest)
    hulls = {hull.bone: hull for hull in feet.legs.hulls}
    assert len(body.parts) >= 4
    for part in body.parts:
        tip = body.tree.tip_index(part.tip)
        found = part.hull.lowest(source.tip_positions[:, tip], source.tip_quaternions[:, tip])
        matrices = clip.world_pose(skeleton.index[part.hull.bone])
        points = hulls[part.hull.bone].rings.reshape(-1, 3)
        heights = np.einsum("fj,nj->fn", matrices[:, 2, :3], points) + matrices[:, 2, 3:]
        np.testing.assert_allclose(found, heights.min(axis=1), atol=1e-5 * scale)
