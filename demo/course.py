"""The scene of foot placement: a walk made on a flat floor, over hills and stairs, and cameras.

The walk is the demo's own, some strides longer; it knows nothing of this ground. Metres.
"""

from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Vector

from . import character, ground, walk
from .body import material
from .following import Way, add_camera
from .gait import CYCLE_FRAMES, FPS
from .ground import Array, Hills, Stairs

STRIDES = 7
LAST_FRAME = walk.FIRST_FRAME + STRIDES * CYCLE_FRAMES

WIDTH = 2.1
BEHIND, LENGTH = 1.4, 10.5  # from where to where the ground goes
HILLS_END = 4.9  # where the stairs' mesh begins
HILLS = Hills(height=0.26, wavelength=2.3, begin=0.7, end=HILLS_END)
STAIRS = Stairs(begin=5.4)
BASE = -0.25  # how far down the sides go
SIDES = (0.62, 0.66, 0.72)  # sRGB

CAMERA_FROM, CAMERA_TO, CAMERA_ANGLE = (-5.2, 2.2, 1.75), (0.0, 0.2, 0.80), 23.0
# Of the picture that shows all of the way: how far it looks down, degrees; its middle and width.
PANORAMA_TILT, PANORAMA_MIDDLE, PANORAMA_WIDTH = 12.0, (0.0, -4.5, 1.06), 10.2


@dataclass(frozen=True)
class Course:
    """The scene and its parts that the demo needs.

    Attributes:
        scene: The scene; its frame range is the walk's.
        armature: The character, with the source walk as its action.
        grounds: The ground for the feet.
        panorama: A camera with a view of the whole way; the scene's own follows the walker.
    """

    scene: bpy.types.Scene
    armature: bpy.types.Object
    grounds: tuple[bpy.types.Object, ...]
    panorama: bpy.types.Object


def build() -> Course:
    """Replace the open file by the scene, in its first frame, without any goal."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps = FPS
    scene.frame_start, scene.frame_end = walk.FIRST_FRAME, LAST_FRAME
    linked = scene.collection
    armature = character.build(linked)
    walk.animate(armature, strides=STRIDES)
    grounds = (
        ground.hills(HILLS, HILLS_END, WIDTH, BEHIND),
        ground.stairs(STAIRS, LENGTH, WIDTH, -HILLS_END),
    )
    for made in (*grounds, _side()):
        linked.objects.link(made)
    add_camera(scene, Way(LAST_FRAME, even_height), CAMERA_FROM, CAMERA_TO, CAMERA_ANGLE)
    course = Course(scene, armature, grounds, _panorama(linked))
    scene.frame_set(walk.FIRST_FRAME)
    return course


def height_at(x: float | Array, y: float | Array) -> Array:
    """Return the height of the ground at points (x, y)."""
    return HILLS.at(x, y) + STAIRS.at(x, y)


def even_height(y: float) -> float:
    """Return the height of the way around a place, over about two steps."""
    around = y + np.linspace(-0.8, 0.8, 33)
    return float(np.average(height_at(0.0, around), weights=np.hanning(35)[1:-1]))


def _side() -> bpy.types.Object:
    """The side of the ground that the cameras see, as if it were cut out of the earth."""
    x = -WIDTH / 2
    ys = np.arange(-HILLS_END, BEHIND + 0.05, 0.1)
    top = [(BEHIND, 0.0), *((y, float(HILLS.at(x, y))) for y in ys[::-1])]
    for y, before, after in STAIRS.risers():
        top += [(y, before), (y, after)]
    top.append((-LENGTH, 0.0))
    corners = [(x, y, z) for y, z in top] + [(x, top[-1][0], BASE), (x, top[0][0], BASE)]
    mesh = bpy.data.meshes.new("Side")
    mesh.from_pydata(corners, [], [tuple(range(len(corners)))])
    mesh.materials.append(material("Side", SIDES))
    mesh.update()
    return bpy.data.objects.new("Side", mesh)


def _panorama(linked: bpy.types.Collection) -> bpy.types.Object:
    camera = bpy.data.objects.new("Panorama", bpy.data.cameras.new("Panorama"))
    linked.objects.link(camera)
    camera.data.type, camera.data.ortho_scale = "ORTHO", PANORAMA_WIDTH
    camera.data.display_size = 0.2
    camera.rotation_euler = (np.radians(90.0 - PANORAMA_TILT), 0.0, np.radians(-90.0))
    backwards = camera.rotation_euler.to_matrix().col[2]
    camera.location = Vector(PANORAMA_MIDDLE) + 15.0 * backwards
    return camera
