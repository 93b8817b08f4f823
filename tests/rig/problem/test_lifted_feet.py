"""Feet are placed with their meshes out of the ground, also where other bones pull at them."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from benchmarks.characters.solid import Solid
from benchmarks.characters.surfaces import vertices
from blender_bioik.rig.feet.place_feet import place_feet
from blender_bioik.rig.feet.read_feet import read_feet
from blender_bioik.rig.feet.skin_depths import mesh_depth
from blender_bioik.rig.problem.lifted_feet import LEAST
from blender_bioik.rig.reading import drained
from blender_bioik.rig.source.options import BakeOptions
from demo import ground
from zoo import Built, build

DEEP = 0.005  # metres


def on_hills(name: str) -> tuple[Built, bpy.types.Object]:
    built = build(name, "walk")
    hills = ground.hills(ground.Hills())
    bpy.context.scene.collection.objects.link(hills)
    built.armature.bioik.feet.grounds.add().object = hills
    bpy.context.view_layer.update()
    return built, hills


def options(built: Built) -> BakeOptions:
    return BakeOptions(built.first, built.last)


def evaluated_depth(built: Built, hills: bpy.types.Object) -> float:
    """How deep the deepest vertex of the feet and shins is in any frame, by rays."""
    solid, deepest = Solid([hills]), 0.0
    low = [vertex.co.z < 0.3 for vertex in built.meshes[0].data.vertices]
    for frame in range(built.first, built.last + 1, 2):
        bpy.context.scene.frame_set(frame)
        depsgraph = bpy.context.evaluated_depsgraph_get()
        places = vertices(built.meshes[0].evaluated_get(depsgraph))[low]
        deepest = max(deepest, float(solid.depths(places).max()))
    return deepest


@pytest.mark.parametrize("name", ["soft", "soft_boots"])
def test_soft_skins_are_out_of_the_ground(name: str) -> None:
    built, hills = on_hills(name)
    placement = drained(read_feet(bpy.context.scene, built.armature, options(built)))
    depth = mesh_depth(placement.feet, placement.skin)
    # As soles alone have it, the mesh is in the ground: otherwise this shows nothing.
    assert depth(placement.problem.solve()).max() > DEEP
    assert depth(placement.solve()).max() < DEEP
    place_feet(bpy.context.scene, built.armature, options(built))
    assert evaluated_depth(built, hills) < DEEP


def test_rigid_feet_are_solved_once() -> None:
    built, _ = on_hills("plain")
    placement = drained(read_feet(bpy.context.scene, built.armature, options(built)))
    once, lifted = placement.problem.solve(), placement.solve()
    assert mesh_depth(placement.feet, placement.skin)(once).max() < LEAST * placement.feet.scale
    for one, other in zip(once.tracks, lifted.tracks, strict=True):
        assert np.array_equal(one, other)
