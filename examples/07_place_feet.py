"""Place the feet of a walk on hills, and read the report.

The character walks on a flat floor; the hills rise through its legs. Run it with Blender's Python
module: `python examples/07_place_feet.py [FOLDER]`. The result is saved into the folder.
"""

from __future__ import annotations

import json

import bpy
import scene

with scene.extension():
    armature = scene.add_walker()
    source = armature.animation_data.action

    # Everything that the sidebar shows is a property of the armature object.
    feet = armature.bioik.feet
    feet.grounds.add().object = scene.add_hills()
    feet.swing = 0.8  # steps keep more of their animated height than by default

    bpy.ops.bioik.place_feet()

    placed = armature.animation_data.action
    print(f'The character plays "{placed.name}"; "{source.name}" stays as it was.')
    report = json.loads(armature.bioik.bake.report)
    for foot in report["feet"]:
        before, after = foot["before"], foot["after"]
        print(f"{foot['name']} stands on the ground {after['contacts']} times:")
        for number, text in (
            ("penetration_worst_mm", "sinks in by up to"),
            ("drift_worst_mm", "slides while it is planted by up to"),
            ("slope_error_worst_deg", "is off the slope by up to"),
        ):
            unit = "degrees" if number.endswith("deg") else "mm"
            print(f"  {text} {after[number]:.1f} {unit} (was {before[number]:.1f})")
    for moment in report["worst"]:
        print(f"Frame {moment['frame']:.0f}: {moment['text']}")
    scene.save("feet_on_hills.blend")
