"""A character that walks over the ground, to place its feet, and where Blender has its soles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import bpy
import numpy as np

from blender_bioik.rig.blender import fcurves
from blender_bioik.rig.transforms import Floats
from demo import character, ground, walk
from demo.gait import CYCLE_FRAMES, FPS, WALK
from demo.skeleton import sole_points

STRIDES = 2
FIRST, LAST = walk.FIRST_FRAME, walk.FIRST_FRAME + STRIDES * CYCLE_FRAMES
SIDES = ("L", "R")


def walker(*, on: str = "stairs") -> bpy.types.Object:
    """The demo character on two strides over "stairs" or "hills", its ground; active."""
    scene = bpy.context.scene
    rig = character.build(scene.collection)
    walk.animate(rig, strides=STRIDES)
    scene.frame_start, scene.frame_end, scene.render.fps = FIRST, LAST, FPS
    made = ground.hills(ground.Hills()) if on == "hills" else ground.stairs(ground.Stairs())
    scene.collection.objects.link(made)
    rig.bioik.feet.grounds.add().object = made
    bpy.context.view_layer.objects.active = rig
    scene.frame_set(FIRST)
    return rig


def soles(rig: bpy.types.Object, point: str = "ball") -> dict[str, Floats]:
    """World paths (f, 3) of a point of both soles by Blender's own pose matrices."""
    scene = bpy.context.scene
    places = {side: sole_points(side)[point] for side in SIDES}
    bones = {side: rig.data.bones[bone] for side, (bone, _) in places.items()}
    local = {
        side: np.linalg.inv(np.array(bones[side].matrix_local)) @ (*rest, 1.0)
        for side, (_, rest) in places.items()
    }
    paths: dict[str, list[Floats]] = {side: [] for side in SIDES}
    for frame in range(FIRST, LAST + 1):
        scene.frame_set(frame)
        for side in SIDES:
            matrix = rig.matrix_world @ rig.pose.bones[bones[side].name].matrix
            paths[side].append((np.array(matrix, float) @ local[side])[:3])
    return {side: np.array(path) for side, path in paths.items()}


def stands(side: str) -> list[slice]:
    """Rows in which the ball of a foot stands in the source: the middle 70 % of each stand."""
    found = []
    for contact in walk.contacts(WALK, STRIDES):
        if (contact.side, contact.point) == (side, "ball"):
            first, stop = contact.first - FIRST, contact.last - FIRST + 1
            trim = round(0.15 * (stop - first))
            found.append(slice(first + trim, stop - trim))
    return found


def drift(path: Floats, rows: slice) -> float:
    """Largest distance in plan view from the mean, metres."""
    stand = path[rows, :2]
    return float(np.linalg.norm(stand - stand.mean(axis=0), axis=1).max())


def largest_drift(rig: bpy.types.Object) -> float:
    """Largest distance of a planted ball from its mean place in any stand, metres."""
    paths = soles(rig)
    return max(drift(paths[side], rows) for side in SIDES for rows in stands(side))


def keys_of(rig: bpy.types.Object) -> dict[Any, bytes]:
    """Every key the armature plays, bit for bit."""
    container = fcurves.assigned_container(rig)
    assert container is not None
    return {
        channel: np.ascontiguousarray(fcurves.read_keys(curve)["co"]).tobytes()
        for channel, curve in fcurves.curves_by_channel(container).items()
    }


def contacts(rig: bpy.types.Object) -> list[tuple[Any, ...]]:
    """The contacts kept on an armature."""
    kept: Sequence[Any] = rig.bioik.feet.contacts
    return [(c.foot, c.point, c.frame_start, c.frame_end, c.slides) for c in kept]
