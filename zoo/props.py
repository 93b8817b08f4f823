"""What the actor of a clip stepped on or held, as objects in Blender's current scene."""

from __future__ import annotations

import bpy

from .posing import Motion

CORNERS = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
FACES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]


def add(motion: Motion) -> list[bpy.types.Object]:
    """Make the boxes of a clip and link them to the scene."""
    made = []
    for number, prop in enumerate(motion.props, 1):
        name = f"{motion.name} prop {number}"
        mesh = bpy.data.meshes.new(name)
        places = [(prop.centre + prop.half * corner).tolist() for corner in CORNERS]
        mesh.from_pydata(places, [], FACES)
        thing = bpy.data.objects.new(name, mesh)
        bpy.context.scene.collection.objects.link(thing)
        made.append(thing)
    return made
