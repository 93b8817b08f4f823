"""Scenes of the benchmark: a character, a clip and a ground, named like "boots.walk.hills"."""

from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Matrix, Vector

from benchmarks.characters import files, zoo_scenes
from benchmarks.characters.measure import Source, look_at_source
from benchmarks.characters.solid import Solid
from benchmarks.characters.subject import Subject
from benchmarks.feet import grounds as feet_grounds
from zoo import props

FAR = 50.0  # in sizes of the character: higher than any ground
MARGIN = 2.5  # ground beyond the path, for a person
AMID = (0.0, 2.4)  # of the ground: who does not get anywhere stands amid the hills
IN_PLACE = 0.5  # metres for a person: who gets less far
# Grounds with what the actor of a clip used, and how much higher it is there than in the clip,
# metres for a person.
PROPS = {
    "props": ("flat", 0.0),
    "raised": ("flat", 0.06),
    "lowered": ("flat", -0.05),
    "hill_props": ("hills", 0.05),
}


@dataclass(frozen=True, eq=False)
class Scene:
    """A subject over a ground.

    Attributes:
        name: Character, clip and ground.
        scene: Its frame range is the clip's.
        subject: Who moves.
        grounds: What the tool gets as ground.
        source: The clip before anything was done to it.
    """

    name: str
    scene: bpy.types.Scene
    subject: Subject
    grounds: list[bpy.types.Object]
    source: Source


def available(name: str) -> bool:
    """Whether a scene can be made here: some need the shared data folder."""
    who = name.split(".")[0]
    return files.available(who) if who in files.FILES or who in files.RECORDED else True


def build(name: str) -> Scene:
    """Replace the open file by a scene and look at its source."""
    who, clip, ground = name.split(".")
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    boxes: list[bpy.types.Object] = []
    if who in files.FILES:
        subject = files.character(who, clip)
    elif who in files.RECORDED:
        subject = files.recording(who)
    else:
        subject, built = zoo_scenes.build(who, clip)
        if ground in PROPS and built.motion is not None:
            boxes = props.add(built.motion)
    scene.frame_start, scene.frame_end = subject.first, subject.last
    source = look_at_source(scene, subject, boxes)
    kind, rise = PROPS.get(ground, (ground, 0.0))
    for box in boxes:
        box.location.z += rise * subject.size
    made = _put_ground(scene, kind, subject, source)
    scene.frame_set(subject.first)
    return Scene(name, scene, subject, [*made, *boxes], source)


def _put_ground(
    scene: bpy.types.Scene, name: str, subject: Subject, source: Source
) -> list[bpy.types.Object]:
    """Make the ground, turn it along the path and put it where the clip starts."""
    size = subject.size
    path = source.poses.heads(subject.pelvis)[:, :2] / size
    way = path[-1] - path[0]
    length = float(np.linalg.norm(way))
    goes = length > IN_PLACE
    turn = np.arctan2(way[0], -way[1]) if goes else 0.0
    reach = float(np.linalg.norm(path - path[0], axis=1).max()) + MARGIN
    made = feet_grounds.GROUNDS[name](max(9.8, reach), max(4.2, 2 * reach))
    start = Vector((*path[0], 0.0)) if goes else Vector((path[0, 0], path[0, 1] + AMID[1], 0.0))
    place = (
        Matrix.Translation(Vector((*(size * start)[:2], subject.floor)))
        @ Matrix.Rotation(float(turn), 4, "Z")
        @ Matrix.Scale(size, 4)
    )
    for thing in made:
        scene.collection.objects.link(thing)
        thing.matrix_world = place @ thing.matrix_basis
    bpy.context.view_layer.update()
    if not goes:
        below = Solid(made).height(size * np.array([*path[0], 0.0]), FAR * size)
        for thing in made:
            thing.location.z += subject.floor - below
        bpy.context.view_layer.update()
    return made
