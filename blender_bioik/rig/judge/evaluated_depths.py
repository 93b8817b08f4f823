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
from ...motion.measure.skin import skin_matrices
from ..blender.scene_state import preserved_frame
from ..clip.sampling import evaluated_depsgraph
from ..report.mesh_report import MeshReport
from ..source_shown import source_shown
from ..transforms import Floats
from .outcome import Outcome
from .skin_depths import carriers, skin_layers

# Evenly spread frames that are evaluated, and those in which each foot's sole points or the
# outermost points of the body are deepest.
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
    scene: bpy.types.Scene,
    armature: bpy.types.Object,
    frames: Floats,
    outcome: Outcome,
    measured: MeshReport,
    penetration: Floats,
) -> MeshReport:
    """A report to which the meshes are added that Blender has to evaluate.

    Args:
        scene: The scene; the armature plays the result.
        armature: The character.
        frames: The frames; (f,).
        outcome: What is judged.
        measured: The report about all other meshes.
        penetration: Depth of points by which frames are chosen; (f, n).
    """
    skin, read = outcome.skin, outcome.read
    meshes = [read.names.index(name) for name in read.inexact]
    chosen = np.isin(skin.meshes, meshes)
    layers = list(skin_layers(outcome, chosen, everywhere=True))
    found = _Found(scene, armature, layers, outcome)
    with source_shown():
        evaluated_depsgraph(scene)  # the current frame has the new keyframes
        with preserved_frame(scene):
            for row in _rows(len(frames), penetration):
                frame = float(frames[row])
                whole = int(np.floor(frame))
                scene.frame_set(whole, subframe=frame - whole)
                found.take(int(row), meshes)
    exact = (*measured.feet, measured.stood, measured.body)
    parts = [_deeper(*pair) for pair in zip(exact, found.depths, strict=True)]
    stood, body = carriers(outcome, parts[-2:])
    return MeshReport(tuple(parts[:-2]), parts[-2], parts[-1], stood, body, read.bare)


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
        self,
        scene: bpy.types.Scene,
        armature: bpy.types.Object,
        layers: Sequence[Layer],
        outcome: Outcome,
    ) -> None:
        self._scene, self._armature = scene, armature
        self._layers, self._outcome = layers, outcome
        self.depths = [Depths.none(len(outcome.before)) for _ in layers]
        self._nearest: dict[int, Ints] = {}

    def take(self, row: int, meshes: Sequence[int]) -> None:
        """Measure the meshes with these numbers in the frame that is evaluated now."""
        outcome, skin = self._outcome, self._outcome.skin
        skeleton, before = outcome.skeleton, outcome.matrices[0]
        depsgraph = evaluated_depsgraph(self._scene)
        now = _bone_matrices(self._armature.evaluated_get(depsgraph), skeleton.names)
        for number in meshes:
            thing = self._scene.objects[outcome.read.names[number]]
            shown = _shown(thing.evaluated_get(depsgraph))
            own = np.flatnonzero(skin.meshes == number)
            pairs = np.stack([own, own], axis=1)
            alone = outcome.world[[row]]
            bulk = skin.posed(skin_matrices(now[None], skeleton.inverse_rest, alone), pairs)[0]
            vertices = self._vertices(number, own, bulk, shown)
            then = skin.posed(before[[row]], pairs)[0]
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
        inside: NDArray[np.bool_] = np.isin(own, layer.points)[vertices]
        inside &= shown.places[:, 2] < layer.top[row]
        if not inside.any():
            return
        places, vertex = shown.places[inside], vertices[inside]
        depth, room = depth_of(
            places,
            np.full(len(places), row),
            np.full(len(places), layer.top[row]),
            self._outcome.terrain,
            self._outcome.scale,
            layer.hangs_on,
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
