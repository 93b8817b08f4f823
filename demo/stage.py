"""The scene of the goals: the walking character, objects to look at, hold and avoid, a camera.

The source walk ignores these objects. Offsets are seen from the walker: to its left,
ahead, and above the floor. Metres.
"""

from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np

from . import character, ground, things, walk
from .following import Way, add_camera, fly
from .gait import FPS

CAMERA_FROM = (3.2, 5.3, 2.5)
CAMERA_TO = (0.0, 0.06, 1.05)
CAMERA_ANGLE = 20.0


@dataclass(frozen=True)
class Stage:
    """The scene and its parts that the demo needs.

    Attributes:
        scene: The scene; its frame range is the walk's.
        armature: The character, with the source walk as its action.
        drone: Target of the head's gaze, at its origin.
        lantern: Held by the left hand at its origin, the grip of its handle.
        ball: The right hand stays BALL_RADIUS away from its origin.
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
    linked = scene.collection
    armature = character.build(linked)
    walk.animate(armature)
    linked.objects.link(ground.flat(length=10.5, width=56.0, behind=35.0))
    stage = Stage(
        scene, armature, things.drone(linked), things.lantern(linked), things.ball(linked)
    )
    way = Way(walk.LAST_FRAME)
    fly(stage.drone, way, drone_offset)
    fly(stage.lantern, way, lantern_offset)
    fly(stage.ball, way, ball_offset)
    add_camera(scene, way, CAMERA_FROM, CAMERA_TO, CAMERA_ANGLE)
    scene.frame_set(walk.FIRST_FRAME)
    return stage


def drone_offset(share: float) -> tuple[float, float, float]:
    """Return where the drone is at a share (0 to 1) of the walk: it circles before the face."""
    turn = 2 * np.pi * share
    return (
        0.13 + 0.39 * np.sin(1.5 * turn + 0.4),
        0.62 + 0.06 * np.cos(turn),
        2.01 + 0.05 * np.sin(2 * turn + 1.0),
    )


def lantern_offset(share: float) -> tuple[float, float, float]:
    """Return the position of the lantern's grip: next to the left elbow, rising and falling."""
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
