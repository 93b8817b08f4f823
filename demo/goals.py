"""The goals of the demo, and their bake."""

from __future__ import annotations

import blender_bioik

from . import stage, things

# From the middle of the palm to the fingertips.
HAND_RADIUS = 0.1


def bake(built: stage.Stage) -> list[str]:
    """Bake the goals to a new action, and return the report."""
    blender_bioik.register()
    try:
        from blender_bioik.rig.bake.bake import BakeOptions
        from blender_bioik.rig.bake.bake import bake as bake_goals

        add_goals(built)
        frames = BakeOptions(built.scene.frame_start, built.scene.frame_end)
        return bake_goals(built.scene, built.armature, frames).lines()
    finally:
        blender_bioik.unregister()


def add_goals(built: stage.Stage) -> None:
    """The head looks at the drone, the left hand holds the lantern, the right avoids the ball."""
    goals = built.armature.bioik.goals
    look = goals.add()
    look.name, look.type = "Look at the drone", "LOOK_AT"
    look.bone, look.axis, look.target = "head", (0.0, 0.0, 1.0), built.drone
    look.chain_length = 2  # head and neck
    hold = goals.add()
    hold.name, hold.type = "Hold the lantern", "POSITION"
    hold.bone, hold.head_tail, hold.target = "hand.L", 1.0, built.lantern
    hold.chain_length = 3  # hand, forearm and upper arm
    avoid = goals.add()
    avoid.name, avoid.type = "Avoid the ball", "DISTANCE"
    avoid.bone, avoid.head_tail, avoid.target = "hand.R", 1.0, built.ball
    avoid.distance = things.BALL_RADIUS + HAND_RADIUS
    avoid.chain_length = 3
