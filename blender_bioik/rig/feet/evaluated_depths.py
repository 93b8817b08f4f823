"""How deep meshes are in the ground that only Blender can evaluate, on the written keyframes.

These are meshes with modifiers other than a plain Armature modifier, with animated shapes, or on
bones with constraints. Some frames are evaluated: evenly spread ones, and those in which the feet's
sole points are deepest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from ...motion.feet import Ints
from ...motion.measure.mesh_depth import Depths, Layer, depth_of, spread_rows
from ...motion.measure.skin import Skin, skin_matrices
from ...motion.plan.plan import Plan
from ..blender.scene_state import preserved_frame
from ..clip.sampling import evaluated_depsgraph
from ..report.mesh_report import MeshReport
from ..source_shown import source_shown
from ..transforms import Floats
from .foot_motion import source_pose
from .placement import Placement
from .skin_depths import carriers, skin_layers

# Evenly spread frames that are evaluated, and the worst ones by each foot's sole points.
SPREAD, WORST = 16, 2


@dataclass(frozen=True, eq=False)
class _Shown:
    """A mesh as Blender shows it in a frame.

    Attributes:
        places: Vertices, and then the middles of edges, in the world; (p, 3).
        ends: Both vertices of each of these; (p, 2).
    """

    places: Floats
    ends: Ints


def with_evaluated(
    placement: Placement, plan: Plan, measured: MeshReport, penetration: Floats
) -> MeshReport:
    """A report to which the meshes are added that Blender has to evaluate.

    Args:
        placement: What was read; the keyframes are written.
        plan: Its plan.
        measured: The report about all other meshes.
        penetration: Depth of the feet's sole points; (f, feet).
    """
    assert placement.skin is not None
    feet, read = placement.feet, placement.skin
    skin, source = read.skin, feet.source
    meshes = [read.names.index(name) for name in read.inexact]
    chosen = np.isin(skin.meshes, meshes)
    before = skin_matrices(source_pose(feet), source.skeleton.rest, source.clip.world)
    layers = list(skin_layers(feet, plan, skin, before, before, chosen, everywhere=True))
    found = _Found(skin, layers, placement, before)
    with source_shown():
        evaluated_depsgraph(source.scene)  # the current frame has the new keyframes
        with preserved_frame(source.scene):
            for row in _rows(len(source.frames), penetration):
                frame = float(source.frames[row])
                whole = int(np.floor(frame))
                source.scene.frame_set(whole, subframe=frame - whole)
                found.take(int(row), meshes)
    parts = [
        _deeper(*pair) for pair in zip((*measured.feet, measured.body), found.depths, strict=True)
    ]
    return MeshReport(tuple(parts[:-1]), parts[-1], carriers(skin, source.skeleton, parts[-1]))


def _rows(frames: int, penetration: Floats) -> Ints:
    """Rows to evaluate."""
    worst = np.argsort(-penetration, axis=0)[:WORST].ravel()
    return np.unique(np.concatenate([spread_rows(frames, SPREAD), worst]))


def _deeper(one: Depths, other: Depths) -> Depths:
    """The deeper of two parts in each frame."""
    return Depths(
        np.maximum(one.depth, other.depth),
        np.maximum(one.before, other.before),
        np.maximum(one.excess, other.excess),
        np.where(other.depth > one.depth, other.vertex, one.vertex),
    )


class _Found:
    """Depths of each layer, collected frame by frame."""

    def __init__(
        self, skin: Skin, layers: Sequence[Layer], placement: Placement, before: Floats
    ) -> None:
        self._skin, self._layers, self._before = skin, layers, before
        self._placement = placement
        self.depths = [Depths.none(len(before)) for _ in layers]
        self._nearest: dict[int, Ints] = {}

    def take(self, row: int, meshes: Sequence[int]) -> None:
        """Measure the meshes with these numbers in the frame that is evaluated now."""
        feet = self._placement.feet
        source, skin = feet.source, self._skin
        depsgraph = evaluated_depsgraph(source.scene)
        now = _bone_matrices(source.armature.evaluated_get(depsgraph), source.skeleton.names)
        for number in meshes:
            thing = source.scene.objects[self._placement.skin.names[number]]  # type: ignore[union-attr]
            shown = _shown(thing.evaluated_get(depsgraph))
            own = np.flatnonzero(skin.meshes == number)
            pairs = np.stack([own, own], axis=1)
            alone = source.clip.world[[row]]
            bulk = skin.posed(skin_matrices(now[None], source.skeleton.rest, alone), pairs)[0]
            vertices = self._vertices(number, own, bulk, shown)
            then = skin.posed(self._before[[row]], pairs)[0]
            for layer, depths in zip(self._layers, self.depths, strict=True):
                self._measure(row, layer, depths, shown, own, vertices, then - bulk)

    def _vertices(self, number: int, own: Ints, bulk: Floats, shown: _Shown) -> Ints:
        """The place in `own` of the vertex that each point's first end belongs to; (p,)."""
        count = int(shown.ends.max(initial=-1)) + 1
        if count == len(own):
            return shown.ends[:, 0]
        if number not in self._nearest or len(self._nearest[number]) != len(shown.places):
            self._nearest[number] = cKDTree(bulk).query(shown.places)[1]
        return self._nearest[number]

    def _measure(
        self,
        row: int,
        layer: Layer,
        depths: Depths,
        shown: _Shown,
        own: Ints,
        vertices: Ints,
        way_back: Floats,
    ) -> None:
        """Measure the points of a mesh that belong to a layer."""
        feet = self._placement.feet
        inside: NDArray[np.bool_] = np.isin(own, layer.points)[vertices]
        inside &= shown.places[:, 2] < layer.top[row]
        if not inside.any():
            return
        places, vertex = shown.places[inside], vertices[inside]
        depth, room = depth_of(
            places,
            np.full(len(places), row),
            np.full(len(places), layer.top[row]),
            feet.terrain,
            feet.scale,
            overhangs=layer.overhangs,
        )
        sunk = np.maximum(0.0, layer.floor[row] - (places + way_back[vertex])[:, 2])
        excess = np.where(depth > 0.0, np.minimum(depth, np.maximum(0.0, -room - sunk)), 0.0)
        deepest = int(depth.argmax())
        if depth[deepest] > depths.depth[row]:
            depths.depth[row] = depth[deepest]
            depths.vertex[row] = own[vertex[deepest]]
        depths.before[row] = max(depths.before[row], float(sunk.max()))
        depths.excess[row] = max(depths.excess[row], float(excess.max()))


def _bone_matrices(armature: bpy.types.Object, names: Sequence[str]) -> Floats:
    """World matrices of an evaluated armature's bones; (b, 4, 4)."""
    pose = np.array([armature.pose.bones[name].matrix for name in names], float)
    return np.asarray(np.array(armature.matrix_world, float) @ pose.reshape(-1, 4, 4))


def _shown(evaluated: bpy.types.Object) -> _Shown:
    """The vertices and middles of edges of an evaluated mesh."""
    mesh = evaluated.data
    flat = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.vertices.foreach_get("co", flat)
    world = np.array(evaluated.matrix_world, float)
    places = flat.reshape(-1, 3).astype(float) @ world[:3, :3].T + world[:3, 3]
    edges = np.empty(2 * len(mesh.edges), np.int32)
    mesh.edges.foreach_get("vertices", edges)
    pairs = edges.reshape(-1, 2).astype(np.int64)
    each = np.arange(len(places))
    return _Shown(
        np.concatenate([places, places[pairs].mean(axis=1)]),
        np.concatenate([np.stack([each, each], axis=1), pairs]),
    )
