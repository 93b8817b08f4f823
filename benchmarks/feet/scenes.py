"""Scenes for foot placement: a clip over a ground, named like "walk.hills"."""

from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Matrix, Vector

from benchmarks.feet import (
    clips as feet_clips,
)
from benchmarks.feet import (
    grounds as feet_grounds,
)
from benchmarks.feet import (
    measure as feet_measure,
)
from benchmarks.feet.clips import Clip, Stand
from benchmarks.feet.ground_rays import GroundRays
from benchmarks.feet.mesh import SoleMesh
from benchmarks.feet.poses import Floats, Poses, sample
from benchmarks.feet.stands import Clearance
from demo import gait

FAR = 100.0  # metres; higher than any ground
MARGIN = 2.0  # ground beyond the path, metres
IN_PLACE_START = (0.0, 2.4)  # of the ground: who does not get anywhere stands amid the hills


@dataclass(frozen=True, eq=False)
class FeetScene:
    """A clip over a ground.

    Attributes:
        name: Clip and ground.
        scene: The scene; its frame range is the clip's.
        clip: What moves.
        grounds: Mesh objects, some may move.
        source: The poses of the clip before anything was done to it.
        clearance: Heights of the feet's points over the floor in a flat stand.
        stands: Where the balls are planted in the source.
        floor: Height of the source's floor below each foot in each frame; (feet, f).
        mesh: The meshes of its soles.
    """

    name: str
    scene: bpy.types.Scene
    clip: Clip
    grounds: list[bpy.types.Object]
    source: Poses
    clearance: Clearance
    stands: tuple[Stand, ...]
    floor: Floats
    mesh: SoleMesh


def available(name: str) -> bool:
    """Whether a scene can be made here: some clips need the shared data folder."""
    return name.split(".")[0] in feet_clips.clips()


def build(name: str) -> FeetScene:
    """Replace the open file by a scene and look at its source."""
    clip_name, ground_name = name.split(".")
    return _assemble(name, feet_clips.clips()[clip_name], ground_name)


def long_walk(frames: int) -> FeetScene:
    """Replace the open file by a walk of about so many frames over hills, bones only."""

    def walker(scene: bpy.types.Scene) -> Clip:
        strides = round(frames / gait.WALK.cycle_frames)
        clip = feet_clips.person(scene, gait.WALK, strides)
        # A mesh would be deformed in every frame that Blender evaluates: the rival's whole bake.
        for child in clip.armature.children:
            bpy.data.objects.remove(child)
        return clip

    return _assemble("long walk", walker, "hills")


def _assemble(name: str, maker: feet_clips.Maker, ground_name: str) -> FeetScene:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    clip = maker(scene)
    scene.frame_start, scene.frame_end = clip.first, clip.last
    source, mesh = sample(scene, clip), SoleMesh(scene, clip)
    clearance, stands, floor = feet_measure.look_at_source(clip, source)
    grounds = _put_ground(scene, ground_name, clip, source, float(floor[:, 0].mean()))
    if ground_name == "platform":
        feet_grounds.ride(grounds, clip.first, clip.last)
    scene.frame_set(clip.first)
    return FeetScene(name, scene, clip, grounds, source, clearance, stands, floor, mesh)


def _put_ground(
    scene: bpy.types.Scene, name: str, clip: Clip, source: Poses, floor: float
) -> list[bpy.types.Object]:
    """Make the ground, turn it along the path and put it where the clip starts."""
    pelvis = source.heads(clip.pelvis)[:, :2] / clip.height
    way = pelvis[-1] - pelvis[0]
    generated = clip.stands is not None
    # Generated clips start at the origin and go along -Y; their feet are ahead of the pelvis.
    if clip.in_place:
        start, turn = np.array(IN_PLACE_START), Matrix.Identity(4)
    elif generated:
        start, turn = np.zeros(2), Matrix.Identity(4)
    else:
        start = pelvis[0] + 0.3 * way / np.linalg.norm(way)
        turn = Matrix.Rotation(float(np.arctan2(way[0], -way[1])), 4, "Z")
    reach = np.linalg.norm(pelvis - start, axis=1).max() + MARGIN
    width = 4.2 if generated or clip.in_place else 2 * reach
    made = feet_grounds.GROUNDS[name](max(9.8, reach), width)
    place = Matrix.Translation(Vector((*(start * clip.height), floor)))
    for thing in made:
        scene.collection.objects.link(thing)
        if thing.animation_data is None:
            thing.matrix_world = place @ turn @ Matrix.Scale(clip.height, 4) @ thing.matrix_basis
    bpy.context.view_layer.update()
    if clip.in_place:
        rays = GroundRays(scene, made, [clip.first])
        below = np.array([*source.heads(clip.pelvis)[0, :2], 0.0]).reshape(1, 1, 1, 3)
        for thing in made:
            thing.location.z += floor - rays.heights(below, np.full((1, 1), FAR))[0].item()
    return made
