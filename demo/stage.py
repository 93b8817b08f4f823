"""The demo scene: the walking character, what it shall look at, hold and avoid, and a camera.

The source walk knows nothing of these things. Metres; offsets are seen from the walker: to its
left, ahead, and above the floor.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Vector

from . import character, ground, walk
from .body import COLOURS, Skin, linear, material
from .gait import CYCLE_FRAMES, FPS, STRIDE

DRONE_NAME, LANTERN_NAME, BALL_NAME = "Drone", "Lantern", "Ball"
BALL_RADIUS = 0.15
KEY_EVERY = 5  # frames between keys of what moves along; about five keys a stride

BACKGROUND = (0.86, 0.88, 0.91)  # sRGB
CAMERA_FROM = (3.2, 5.3, 2.5)  # to the left, ahead, above the floor
CAMERA_TO = (0.0, 0.06, 1.05)


@dataclass(frozen=True)
class Stage:
    """The scene and what the demo needs of it.

    Attributes:
        scene: The scene; its frame range is the walk's.
        armature: The character, with the source walk as its action.
        drone: The head shall look at its origin.
        lantern: The left hand shall hold its origin, the grip of its handle.
        ball: The right hand shall stay BALL_RADIUS away from its origin.
    """

    scene: bpy.types.Scene
    armature: bpy.types.Object
    drone: bpy.types.Object
    lantern: bpy.types.Object
    ball: bpy.types.Object


def build() -> Stage:
    """Replace the open file by the demo scene, in its first frame, without any goal."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps = FPS
    scene.frame_start, scene.frame_end = walk.FIRST_FRAME, walk.LAST_FRAME
    things = scene.collection
    armature = character.build(things)
    walk.animate(armature)
    things.objects.link(ground.flat(length=10.5, width=56.0, behind=35.0))
    stage = Stage(scene, armature, _drone(things), _lantern(things), _ball(things))
    _fly(stage.drone, drone_offset)
    _fly(stage.lantern, lantern_offset)
    _fly(stage.ball, ball_offset)
    _add_camera(scene)
    scene.frame_set(walk.FIRST_FRAME)
    return stage


def walker_at(frame: float) -> tuple[float, float, float]:
    """Return the point of the floor the walker passes evenly, near below the pelvis."""
    return (0.0, STRIDE * (0.20 - (frame - walk.FIRST_FRAME) / CYCLE_FRAMES), 0.0)


def drone_offset(share: float) -> tuple[float, float, float]:
    """Return where the drone is at a share (0 to 1) of the walk: it circles before the face."""
    turn = 2 * np.pi * share
    return (
        0.13 + 0.39 * np.sin(1.5 * turn + 0.4),
        0.62 + 0.06 * np.cos(turn),
        2.01 + 0.05 * np.sin(2 * turn + 1.0),
    )


def lantern_offset(share: float) -> tuple[float, float, float]:
    """Return where the lantern's grip is: beside the left elbow, rising and falling."""
    turn = 2 * np.pi * share
    return (
        0.40 + 0.06 * np.sin(turn),
        0.22 + 0.07 * np.cos(1.5 * turn),
        1.16 + 0.13 * np.sin(2 * turn - 0.6),
    )


def ball_offset(share: float) -> tuple[float, float, float]:
    """Return where the ball is: on the right, drifting back through the swing of the hand."""
    turn = 2 * np.pi * share
    return (-0.33 + 0.02 * np.sin(turn), 0.26 - 0.34 * share, 0.86 + 0.04 * np.sin(2 * turn))


def _key_frames() -> range:
    """Return the frames with keys; the curves ease out only beyond the walk."""
    margin = 2 * KEY_EVERY
    return range(walk.FIRST_FRAME - margin, walk.LAST_FRAME + margin + 1, KEY_EVERY)


def _fly(thing: bpy.types.Object, offset: Callable[[float], tuple[float, float, float]]) -> None:
    """Key the path of a thing that goes along with the walker."""
    for frame in _key_frames():
        share = (frame - walk.FIRST_FRAME) / (walk.LAST_FRAME - walk.FIRST_FRAME)
        thing.location = _beside(walker_at(frame), offset(share))
        thing.keyframe_insert("location", frame=frame)


def _beside(walker: Sequence[float], offset: Sequence[float]) -> Vector:
    left, ahead, above = offset
    return Vector((walker[0] + left, walker[1] - ahead, above))


def _add_camera(scene: bpy.types.Scene) -> None:
    dolly = bpy.data.objects.new("Dolly", None)
    dolly.empty_display_size = 0.2
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    for thing in (dolly, camera):
        scene.collection.objects.link(thing)
    for frame in _key_frames():
        dolly.location = walker_at(frame)
        dolly.keyframe_insert("location", frame=frame)
    camera.parent = dolly
    camera.location = _beside((0.0, 0.0), CAMERA_FROM)
    aim = _beside((0.0, 0.0), CAMERA_TO) - camera.location
    camera.rotation_euler = aim.to_track_quat("-Z", "Y").to_euler()
    camera.data.sensor_fit = "VERTICAL"
    camera.data.angle = np.radians(20.0)
    scene.camera = camera
    scene.world = bpy.data.worlds.new("Studio")
    scene.world.color = linear(BACKGROUND)


def _drone(things: bpy.types.Collection) -> bpy.types.Object:
    parts = Skin()
    parts.blob((0, 0, 0), (0.050, 0.050, 0.032), "body", "")
    parts.blob((0, 0.030, -0.010), (0.020, 0.026, 0.020), "eye", "")
    for x in (-0.085, 0.085):
        for y in (-0.085, 0.085):
            parts.blob((x, y, 0.020), (0.062, 0.062, 0.006), "rotor", "")
            parts.blob((x, y, 0.008), (0.012, 0.012, 0.016), "arm", "")
            parts.blob((x / 2, y / 2, 0.004), (0.040, 0.040, 0.008), "arm", "")
    colours = {
        "body": (0.62, 0.36, 0.72),
        "eye": (0.10, 0.10, 0.12),
        "rotor": (0.80, 0.66, 0.86),
        "arm": (0.36, 0.24, 0.42),
    }
    drone = _thing(DRONE_NAME, parts, colours, things)
    drone.display.show_shadows = False  # it would darken the face
    return drone


def _lantern(things: bpy.types.Collection) -> bpy.types.Object:
    """Its origin is the grip; the light hangs below."""
    parts = Skin()
    parts.blob((0, 0, 0), (0.016, 0.062, 0.016), "metal", "")
    for y in (-0.058, 0.058):
        parts.blob((0, y, -0.060), (0.007, 0.007, 0.066), "metal", "")
    parts.blob((0, 0, -0.118), (0.074, 0.074, 0.020), "metal", "")
    parts.blob((0, 0, -0.190), (0.062, 0.062, 0.080), "light", "")
    parts.blob((0, 0, -0.262), (0.070, 0.070, 0.018), "metal", "")
    colours = {"metal": (0.32, 0.28, 0.26), "light": COLOURS["left glove"]}
    return _thing(LANTERN_NAME, parts, colours, things)


def _ball(things: bpy.types.Collection) -> bpy.types.Object:
    parts = Skin()
    parts.blob((0, 0, 0), (BALL_RADIUS,) * 3, "ball", "")
    return _thing(BALL_NAME, parts, {"ball": (0.45, 0.80, 0.90)}, things, alpha=0.45)


def _thing(
    name: str,
    parts: Skin,
    colours: dict[str, tuple[float, float, float]],
    things: bpy.types.Collection,
    alpha: float = 1.0,
) -> bpy.types.Object:
    mesh = parts.mesh(name, {part: material(f"{name} {part}", colour, alpha)
                             for part, colour in colours.items()})  # fmt: skip
    thing = bpy.data.objects.new(name, mesh)
    things.objects.link(thing)
    return thing
