"""Objects that follow the walker: flying things, and the camera.

Offsets are seen from the walker: to its left, ahead, and above the ground. Metres.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import bpy
import numpy as np
from mathutils import Vector

from . import walk
from .body import linear
from .gait import CYCLE_FRAMES, STRIDE

KEY_EVERY = 5  # frames between keyframes of followers; about five per stride
BACKGROUND = (0.86, 0.88, 0.91)  # sRGB

Offset = tuple[float, float, float]


class Way(NamedTuple):
    """The walker's way along -Y.

    Attributes:
        last_frame: The last frame of the walk.
        height: Height of the way at a y, without its small steps.
    """

    last_frame: int
    height: Callable[[float], float] = lambda y: 0.0

    def walker_at(self, frame: float) -> tuple[float, float, float]:
        """Return the point of the way the walker passes evenly, near below the pelvis."""
        y = STRIDE * (0.20 - (frame - walk.FIRST_FRAME) / CYCLE_FRAMES)
        return (0.0, y, self.height(y))

    def share(self, frame: float) -> float:
        """Return how much of the walk (0 to 1) is over."""
        return (frame - walk.FIRST_FRAME) / (self.last_frame - walk.FIRST_FRAME)

    def key_frames(self) -> range:
        """Return the frames with keys; the curves ease out only beyond the walk."""
        margin = 2 * KEY_EVERY
        return range(walk.FIRST_FRAME - margin, self.last_frame + margin + 1, KEY_EVERY)


def fly(thing: bpy.types.Object, way: Way, offset: Callable[[float], Offset]) -> None:
    """Animate the path of a thing next to the walker.

    Args:
        thing: The flying object.
        way: The walker's way.
        offset: Where it is, seen from the walker, at a share (0 to 1) of the walk.
    """
    for frame in way.key_frames():
        thing.location = Vector(way.walker_at(frame)) + _seen(offset(way.share(frame)))
        thing.keyframe_insert("location", frame=frame)


def add_camera(
    scene: bpy.types.Scene, way: Way, stands: Offset, looks: Offset, angle: float
) -> None:
    """Add a camera that follows the walker, and a plain background.

    Args:
        scene: The scene.
        way: The walker's way.
        stands: Where the camera is, seen from the walker.
        looks: The point it looks at, seen from the walker.
        angle: Vertical angle of view, degrees.
    """
    dolly = bpy.data.objects.new("Dolly", None)
    dolly.empty_display_size = 0.2
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    for thing in (dolly, camera):
        scene.collection.objects.link(thing)
    fly(dolly, way, lambda share: (0.0, 0.0, 0.0))
    camera.parent = dolly
    camera.location = _seen(stands)
    aim = _seen(looks) - camera.location
    camera.rotation_euler = aim.to_track_quat("-Z", "Y").to_euler()
    camera.data.sensor_fit = "VERTICAL"
    camera.data.angle = np.radians(angle)
    scene.camera = camera
    scene.world = bpy.data.worlds.new("Studio")
    scene.world.color = linear(BACKGROUND)


def _seen(offset: Offset) -> Vector:
    left, ahead, above = offset
    return Vector((left, -ahead, above))
