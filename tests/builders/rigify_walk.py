"""Rigify's human on its IK controls, walking over hills in long, slow steps."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
from mathutils import Vector

from demo import ground

from .rigify import generated_human

SIDES = ("L", "R")
FIRST, LAST = 1, 37
CYCLE, STRIDE = 24, 1.1
STANCE = 0.6
# The first frame of a stance, and the one after its last, of the left foot.
STANDS = (26, 38)


def walking_human(path: Path, *, pole: bool = False, stretch: float = 1.0) -> bpy.types.Object:
    """The human of `generated_human`, with keys on torso, feet and hands, and hills below it."""
    rig = generated_human(path)
    scene, bones = bpy.context.scene, rig.pose.bones
    scene.frame_start, scene.frame_end = FIRST, LAST
    for side in SIDES:
        switches = bones[f"thigh_parent.{side}"]
        switches["pole_vector"], switches["IK_Stretch"] = pole, stretch
    rig.update_tag()
    for frame in range(FIRST, LAST + 1):
        time = (frame - FIRST) / CYCLE
        ahead = (0.0, -STRIDE * time, 0.0)
        _key(rig, "torso", frame, (0.0, ahead[1], -0.06))
        for side in SIDES:
            _key(rig, f"foot_ik.{side}", frame, _foot(side, time))
            _key(rig, f"hand_ik.{side}", frame, (0.0, ahead[1], 0.0))
            if pole:
                _key(rig, f"thigh_ik_target.{side}", frame, ahead)
    hills = ground.hills(ground.Hills())
    scene.collection.objects.link(hills)
    rig.bioik.feet.grounds.add().object = hills
    scene.frame_set(FIRST)
    return rig


def _foot(side: str, time: float) -> tuple[float, float, float]:
    """How far a foot is from where it is at rest."""
    phase = time + (0.5 if side == "R" else 0.0)
    share = float(np.clip((phase % 1.0 - STANCE) / (1.0 - STANCE), 0.0, 1.0))
    steps = np.floor(phase) + share * share * (3.0 - 2.0 * share)
    back = 0.5 * STRIDE if side == "R" else 0.0
    return 0.0, back - STRIDE * float(steps), 0.12 * float(np.sin(np.pi * share))


def _key(rig: bpy.types.Object, bone: str, frame: int, place: tuple[float, float, float]) -> None:
    axes = rig.data.bones[bone].matrix_local.to_3x3()
    rig.pose.bones[bone].location = axes.inverted() @ Vector(place)
    rig.pose.bones[bone].keyframe_insert("location", frame=frame)
