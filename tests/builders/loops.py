"""Loops on a slope, and whether their ends meet."""

from __future__ import annotations

import bpy
import numpy as np

from blender_bioik.rig.blender import fcurves
from blender_bioik.rig.transforms import Floats
from demo import character, ground, walk
from demo.gait import FPS, WALK
from demo.skeleton import bones

CYCLE = WALK.cycle_frames
SLOPE = np.tan(np.radians(12.0))


def stage(loop: str = "AUTO") -> bpy.types.Object:
    """The demo character above a slope."""
    scene = bpy.context.scene
    scene.render.fps = FPS
    rig = character.build(scene.collection)
    made = ground.grid("Slope", (-4.0, 4.0), 4.0, 0.5, lambda x, y: -SLOPE * y)
    scene.collection.objects.link(made)
    rig.bioik.feet.grounds.add().object = made
    rig.bioik.feet.loop = loop
    return rig


def walking(rolled: int = 0, frames: int = CYCLE + 1, loop: str = "AUTO") -> bpy.types.Object:
    """A walk in place that begins some frames later in its cycle."""
    rig = stage(loop)
    turns, hips = walk.body_turns(WALK)
    rows = (np.arange(frames) + rolled) % CYCLE
    still = hips.copy()
    still[:, 1] += WALK.stride * np.arange(CYCLE) / CYCLE
    still[:, 1] -= still[:, 1].mean()
    turned = {name: turn[rows] for name, turn in turns.items()}
    walk.key_turns(rig, bones(), turned, still[rows], "In Place")
    return rig


def channels(rig: bpy.types.Object) -> dict[tuple[str, int], Floats]:
    """Values of every keyed channel that changes."""
    curves = fcurves.curves_by_channel(fcurves.assigned_container(rig))
    keyed = {channel: fcurves.read_keys(curve)["co"] for channel, curve in curves.items()}
    values = {channel: keys.reshape(-1, 2)[:, 1].astype(float) for channel, keys in keyed.items()}
    return {
        channel: each
        for channel, each in values.items()
        if len(each) > 3 and np.ptp(each) > 1e-6 and "pose.bones" in channel[0]
    }


def assert_ends_meet(rig: bpy.types.Object) -> None:
    found = channels(rig)
    assert len(found) > 12
    for channel, values in found.items():
        assert abs(values[-1] - values[0]) < 2e-6, channel
        usual = np.abs(np.diff(values, n=2)).max()
        seam = (values[1] - values[0]) - (values[-1] - values[-2])
        assert abs(seam) < max(1.5 * usual, 1e-5), channel
