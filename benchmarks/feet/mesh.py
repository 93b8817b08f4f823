"""How deep the meshes of feet are in the ground: what a viewer sees, whatever points were placed.

World space, metres, Z up; rows are frames.
"""

from __future__ import annotations

import bpy
import numpy as np
from numpy.typing import NDArray

from benchmarks.feet.clips import Clip, Foot
from benchmarks.feet.ground_rays import GroundRays

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

OWNED = 0.5  # share of a vertex that a foot's bones carry
SOLE_HEIGHT = 0.06  # metres above the foot's lowest vertex, for a person: the sole and its edges


class SoleMesh:
    """The soles of a clip's feet as their meshes have them, followed in the source.

    Attributes:
        source: Places of each foot's sole in the source, low vertices and middles of edges; each
            (f, n, 3), none without a mesh.
    """

    def __init__(self, scene: bpy.types.Scene, clip: Clip) -> None:
        self._scene, self._clip = scene, clip
        self._meshes = [
            thing
            for thing in scene.objects
            if thing.type == "MESH" and _is_bound(thing, clip.armature)
        ]
        scene.frame_set(clip.first)
        # Kept from here on: poses of toes change which vertices are the lowest.
        self._pairs = [
            [_sole_pairs(thing, clip, foot) for thing in self._meshes] for foot in clip.feet
        ]
        self.source = self._surfaces()

    def depth(self, rays: GroundRays, floor: Floats, knees: Floats) -> float:
        """How much deeper a foot's mesh gets into the ground than the source's into its floor.

        The way out is the shortest one: a toe in a riser is as deep as it is behind its face.

        Args:
            rays: What it walks on.
            floor: Height of the source's floor; (feet, f).
            knees: Heights of the knees now; (feet, f).
        """
        if not any(surface.size for surface in self.source):
            return 0.0
        deepest = 0.0
        for foot, surface in enumerate(self._surfaces()):
            ground, _ = rays.heights(surface[None], knees[[foot]])
            before = np.maximum(0.0, floor[foot, :, None] - self.source[foot][..., 2])
            depth = np.nan_to_num(ground[0] - surface[..., 2] - before, nan=0.0)
            for row, place in np.argwhere(depth > deepest):
                if depth[row, place] > deepest:
                    way_out = rays.way_out(row, surface[row, place])
                    deepest = max(deepest, min(float(depth[row, place]), way_out))
        return deepest

    def _surfaces(self) -> list[Floats]:
        """Places of each foot's sole as it plays now; each (f, n, 3)."""
        found: list[list[Floats]] = [[] for _ in self._clip.feet]
        for frame in range(self._clip.first, self._clip.last + 1):
            self._scene.frame_set(frame)
            depsgraph = bpy.context.evaluated_depsgraph_get()
            places = [_vertices(thing.evaluated_get(depsgraph)) for thing in self._meshes]
            for foot, pairs in enumerate(self._pairs):
                middles = [
                    place[own].mean(axis=1) for place, own in zip(places, pairs, strict=True)
                ]
                found[foot].append(np.concatenate([np.empty((0, 3)), *middles]))
        return [np.array(rows) for rows in found]


def _is_bound(thing: bpy.types.Object, armature: bpy.types.Object) -> bool:
    on_bone = thing.parent == armature and thing.parent_type == "BONE"
    return on_bone or any(m.type == "ARMATURE" for m in thing.modifiers)


def _sole_pairs(thing: bpy.types.Object, clip: Clip, foot: Foot) -> Ints:
    """Ends of edges on a foot's sole; a vertex has itself for both; (n, 2)."""
    bones = clip.armature.data.bones
    names = {foot.foot, *(bone.name for bone in bones[foot.foot].children_recursive)}
    carried = _carried(thing, names)
    if not carried.any():
        return np.empty((0, 2), int)
    # In the rest pose, which the first frame's bones tell the way to.
    pose = clip.armature.pose.bones[foot.foot]
    at_rest = pose.bone.matrix_local @ pose.matrix.inverted()
    to_rest = np.array(clip.armature.matrix_world @ at_rest @ clip.armature.matrix_world.inverted())
    places = _vertices(thing.evaluated_get(bpy.context.evaluated_depsgraph_get()))
    height = places @ to_rest[2, :3]
    low = carried & (height < height[carried].min() + SOLE_HEIGHT * clip.height)
    vertices = np.flatnonzero(low)
    edges = np.array([edge.vertices for edge in thing.data.edges], int).reshape(-1, 2)
    return np.concatenate([np.stack([vertices] * 2, axis=1), edges[low[edges].all(axis=1)]])


def _carried(thing: bpy.types.Object, bones: set[str]) -> NDArray[np.bool_]:
    """Which vertices of a mesh some bones carry; (n,)."""
    if thing.parent_type == "BONE":
        return np.full(len(thing.data.vertices), thing.parent_bone in bones)
    groups = {group.index for group in thing.vertex_groups if group.name in bones}
    weights = [
        sum(entry.weight for entry in vertex.groups if entry.group in groups)
        for vertex in thing.data.vertices
    ]
    return np.array(weights, float) > OWNED


def _vertices(evaluated: bpy.types.Object) -> Floats:
    """World places (n, 3) of an evaluated mesh's vertices."""
    flat = np.empty(3 * len(evaluated.data.vertices), np.float32)
    evaluated.data.vertices.foreach_get("co", flat)
    world = np.array(evaluated.matrix_world, float)
    return flat.reshape(-1, 3).astype(float) @ world[:3, :3].T + world[:3, 3]
