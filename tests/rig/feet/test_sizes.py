"""Placed feet of characters of all sizes: in proportion they are the same."""

from __future__ import annotations

from functools import cache

import bpy
import numpy as np
import pytest

import zoo
from benchmarks.feet import grounds
from blender_bioik.rig.bake.bake import BakeOptions
from blender_bioik.rig.feet.place_feet import place_feet
from blender_bioik.rig.transforms import Floats
from zoo.blender import build_body
from zoo.characters.variants import sized

FRAMES = (1, 50)
PERSON = 1.6
AGREE = 1e-3  # of the height


def placed(character: str, ground: str, height: float) -> Floats:
    """Places of all joints of a placed walk, in heights of the character; (f, bones, 3)."""
    for thing in list(bpy.data.objects):
        bpy.data.objects.remove(thing)
    scene = bpy.context.scene
    body = zoo.CHARACTERS[character]()
    size = height / body.height
    body = sized(body, height)
    armature = build_body(body, zoo.CLIPS["walk"](body)).armature
    things = grounds.GROUNDS[ground](12.0, 6.0)
    for thing in things:
        scene.collection.objects.link(thing)
        thing.scale = (size, size, size)
        thing.location *= size
    bpy.context.view_layer.update()
    place_feet(scene, armature, BakeOptions(*FRAMES), grounds=things)
    found = []
    for frame in range(FRAMES[0], FRAMES[1] + 1):
        scene.frame_set(frame)
        found.append([bone.matrix.translation[:] for bone in armature.pose.bones])
    return np.array(found) / height


@cache
def usual(character: str, ground: str) -> Floats:
    return placed(character, ground, PERSON)


@pytest.mark.parametrize("height", [0.005, 100.0])
@pytest.mark.parametrize(("character", "ground"), [("plain", "stairs"), ("quadruped", "hills")])
def test_small_and_large_characters_are_placed_in_proportion(
    character: str, ground: str, height: float
) -> None:
    expected = usual(character, ground)
    np.testing.assert_allclose(placed(character, ground, height), expected, atol=AGREE)
