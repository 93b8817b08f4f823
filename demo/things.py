"""Objects for the demo's character to look at, hold and avoid, as meshes. Metres."""

from __future__ import annotations

import bpy

from .body import COLOURS, Skin, material

DRONE_NAME, LANTERN_NAME, BALL_NAME = "Drone", "Lantern", "Ball"
BALL_RADIUS = 0.15


def drone(things: bpy.types.Collection) -> bpy.types.Object:
    """Make the drone, link it and return it."""
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
    made = _thing(DRONE_NAME, parts, colours, things)
    made.display.show_shadows = False  # it would darken the face
    return made


def lantern(things: bpy.types.Collection) -> bpy.types.Object:
    """Make the lantern, link it and return it; its origin is the grip, the light hangs below."""
    parts = Skin()
    parts.blob((0, 0, 0), (0.016, 0.062, 0.016), "metal", "")
    for y in (-0.058, 0.058):
        parts.blob((0, y, -0.060), (0.007, 0.007, 0.066), "metal", "")
    parts.blob((0, 0, -0.118), (0.074, 0.074, 0.020), "metal", "")
    parts.blob((0, 0, -0.190), (0.062, 0.062, 0.080), "light", "")
    parts.blob((0, 0, -0.262), (0.070, 0.070, 0.018), "metal", "")
    colours = {"metal": (0.32, 0.28, 0.26), "light": COLOURS["left glove"]}
    return _thing(LANTERN_NAME, parts, colours, things)


def ball(things: bpy.types.Collection) -> bpy.types.Object:
    """Make the ball, link it and return it."""
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
