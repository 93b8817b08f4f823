"""Placing the feet of the demo's character on hills and stairs."""

from __future__ import annotations

import blender_bioik

from . import course


def place(built: course.Course) -> list[str]:
    """Place the feet, in a new action that the character then plays; the report's lines."""
    blender_bioik.register()
    try:
        from blender_bioik.rig.bake.bake import BakeOptions
        from blender_bioik.rig.feet.place_feet import place_feet

        for ground in built.grounds:
            built.armature.bioik.feet.grounds.add().object = ground
        frames = BakeOptions(built.scene.frame_start, built.scene.frame_end)
        report = place_feet(built.scene, built.armature, frames)
        return [*report.lines(), report.summary()]
    finally:
        blender_bioik.unregister()
