"""Skinning in bulk against the meshes that Blender evaluates, frame by frame.

Tests of: read_skin, bound_meshes, motion.measure.skin.
"""

from __future__ import annotations

from collections.abc import Callable

import bpy
import numpy as np
import pytest

from blender_bioik.motion.feet import Floats
from blender_bioik.motion.measure.skin import skin_matrices
from blender_bioik.rig.clip.sampling import sample_clip
from blender_bioik.rig.clip.skeleton import read_skeleton
from blender_bioik.rig.skin.read_skin import ReadSkin, read_skin
from zoo import Built, build

FRAMES = (1, 7, 12)
CLOSE = 1e-5  # of the size


def read(built: Built) -> ReadSkin:
    skeleton = read_skeleton(built.armature)
    moved = range(len(skeleton)) if built.body.controls else ()
    found = read_skin(bpy.context.scene, built.armature, skeleton, moved)
    assert found is not None
    return found


def in_bulk(built: Built) -> Floats:
    """World places of all vertices; (frames, n, 3)."""
    found = read(built)
    skeleton = read_skeleton(built.armature)
    clip = sample_clip(bpy.context.scene, built.armature, FRAMES)
    matrices = skin_matrices(clip.world[:, None] @ clip.pose, skeleton.inverse_rest, clip.world)
    points = np.repeat(np.arange(len(found.skin))[:, None], 2, axis=1)
    return found.skin.posed(matrices, points)


def evaluated(built: Built) -> Floats:
    """The same as Blender has them."""
    rows = []
    for frame in FRAMES:
        bpy.context.scene.frame_set(frame)
        depsgraph = bpy.context.evaluated_depsgraph_get()
        meshes = []
        for thing in sorted(built.meshes, key=lambda mesh: mesh.name):
            shown = thing.evaluated_get(depsgraph)
            flat = np.empty(3 * len(shown.data.vertices), np.float32)
            shown.data.vertices.foreach_get("co", flat)
            world = np.array(shown.matrix_world, float)
            meshes.append(flat.reshape(-1, 3) @ world[:3, :3].T + world[:3, 3])
        rows.append(np.concatenate(meshes))
    return np.array(rows)


def assert_same(built: Built) -> None:
    found, truth = in_bulk(built), evaluated(built)
    assert found.shape == truth.shape
    assert np.abs(found - truth).max() < CLOSE * built.truth.height


@pytest.mark.parametrize(
    "name", ["plain", "boots", "shoes", "lying", "ik_legs", "tiny", "giant", "detached", "rex"]
)
def test_vertices_are_where_blender_has_them(name: str) -> None:
    assert_same(build(name, "walk"))


def blended(built: Built) -> bpy.types.Object:
    """Weights on several bones, whose sums differ from one; some vertices have none."""
    (thing,) = built.meshes
    noise = np.random.default_rng(1)
    for group in list(thing.vertex_groups):
        for vertex in range(len(thing.data.vertices)):
            if noise.random() < 0.1:
                group.add([vertex], float(noise.uniform(0.0, 0.7)), "REPLACE")
    for group in thing.vertex_groups:
        group.remove([0, 5, 9])
    thing.vertex_groups.new(name="of no bone").add([0, 1, 2], 1.0, "REPLACE")
    return thing


def test_weights_on_several_bones_are_blended() -> None:
    built = build("plain", "walk")
    blended(built)
    built.armature.data.bones[built.truth.slots["head"]].use_deform = False
    assert_same(built)


def test_armature_and_mesh_may_have_places_of_their_own() -> None:
    built = build("plain", "walk")
    thing = blended(built)
    built.armature.location, built.armature.rotation_euler = (1.0, 2.0, 0.5), (0.1, 0.2, 0.3)
    built.armature.scale = 1.2, 1.2, 1.2
    thing.location, thing.scale = (0.1, 0.0, -0.2), (0.9, 1.1, 1.0)
    bpy.context.view_layer.update()
    assert_same(built)
    thing.parent = None
    bpy.context.view_layer.update()
    assert_same(built)
    assert read(built).inexact == {}


def test_shoes_may_hang_on_another_object_of_the_bone() -> None:
    built = build("shoes", "walk")
    thing = next(mesh for mesh in built.meshes if mesh.parent_type == "BONE")
    between = bpy.data.objects.new("Between", None)
    bpy.context.collection.objects.link(between)
    between.parent, between.parent_type = built.armature, "BONE"
    between.parent_bone, between.location = thing.parent_bone, (0.1, 0.2, 0.3)
    thing.parent, thing.parent_type = between, "OBJECT"
    bpy.context.view_layer.update()
    assert_same(built)
    assert read(built).inexact == {}


def subdivided(built: Built) -> None:
    built.meshes[0].modifiers.new("Smooth", "SUBSURF")


def preserving(built: Built) -> None:
    built.meshes[0].modifiers[0].use_deform_preserve_volume = True


def bending(built: Built) -> None:
    built.armature.data.bones[built.truth.legs[0].bones[1]].bbone_segments = 4


def constrained(built: Built) -> None:
    bone = built.armature.pose.bones[built.truth.slots["head"]]
    bone.constraints.new("COPY_ROTATION")


def with_shape(built: Built) -> None:
    built.meshes[0].shape_key_add(name="Basis")
    key = built.meshes[0].shape_key_add(name="Fat")
    key.data[3].co.z += 0.1
    key.value = 0.5


def animated_shape(built: Built) -> None:
    with_shape(built)
    key = built.meshes[0].data.shape_keys.key_blocks["Fat"]
    key.value = 0.0
    key.keyframe_insert("value", frame=1)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (subdivided, 'modifier "Smooth"'),
        (preserving, 'modifier "Armature"'),
        (bending, "bendy bone"),
        (constrained, "bone"),
        (with_shape, "shape keys"),
        (animated_shape, "animated shape keys"),
    ],
)
def test_meshes_that_need_blender_are_told_from_others(
    change: Callable[[Built], None], reason: str
) -> None:
    built = build("plain", "walk")
    assert read(built).inexact == {}
    change(built)
    (found,) = read(built).inexact.values()
    assert found.startswith(reason)


def test_shape_keys_at_rest_do_no_harm() -> None:
    built = build("plain", "walk")
    with_shape(built)
    built.meshes[0].data.shape_keys.key_blocks["Fat"].value = 0.0
    assert read(built).inexact == {}
    assert_same(built)


def test_vertices_belong_to_the_bone_that_carries_most_of_them() -> None:
    built = build("shoes", "walk")
    found, index = read(built), read_skeleton(built.armature).index
    for leg in built.truth.legs:
        feet = [index[bone] for bone in (leg.foot, leg.toe) if bone is not None]
        own = np.flatnonzero(np.isin(found.skin.owner, feet))
        assert len(own)
        names = {found.names[mesh] for mesh in found.skin.meshes[own]}
        assert leg.sole.keys() <= names


def test_bare_bones_have_no_skin() -> None:
    built = build("bare", "walk")
    assert read_skin(bpy.context.scene, built.armature, read_skeleton(built.armature)) is None


def test_hidden_meshes_do_not_count() -> None:
    built = build("shoes", "walk")
    built.meshes[0].hide_viewport = True
    assert built.meshes[0].name not in read(built).names
