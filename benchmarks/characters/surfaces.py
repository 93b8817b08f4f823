"""What a viewer sees of a character, frame by frame: places of the vertices of its meshes.

Bare bones have none: their joints stand for them. World space, metres; rows are frames.
"""

from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import NDArray

from benchmarks.characters.subject import Subject
from benchmarks.feet.poses import Poses

Floats = NDArray[np.float64]

MOST_VERTICES = 4_000  # of a character; meshes with more are thinned out evenly, feet are not
MOST_ROWS = 90


@dataclass(frozen=True, eq=False)
class Surface:
    """Vertices over frames.

    Attributes:
        rows: Rows of the clip that were looked at.
        places: Of each vertex in each of these rows, (r, n, 3).
        bones: The bone that carries most of each vertex.
    """

    rows: NDArray[np.int64]
    places: Floats
    bones: tuple[str, ...]

    def carried(self, bones: set[str]) -> NDArray[np.bool_]:
        """Which vertices some bones carry."""
        return np.array([bone in bones for bone in self.bones], bool)


def look(scene: bpy.types.Scene, subject: Subject, poses: Poses) -> Surface:
    """The surface as the armature plays now."""
    frames = subject.last - subject.first + 1
    rows = np.unique(np.linspace(0, frames - 1, min(frames, MOST_ROWS)).round().astype(int))
    if not subject.meshes:
        return _joints(subject, poses, rows)
    owners = [owner_of_vertices(thing, subject.armature) for thing in subject.meshes]
    kept = _thinned([owner for own in owners for owner in own], subject.feet)
    bones = tuple(np.concatenate([np.array(own, object) for own in owners])[kept])
    places = np.empty((len(rows), len(kept), 3))
    for at, row in enumerate(rows):
        scene.frame_set(subject.first + int(row))
        depsgraph = bpy.context.evaluated_depsgraph_get()
        found = [vertices(thing.evaluated_get(depsgraph)) for thing in subject.meshes]
        places[at] = np.concatenate(found)[kept]
    return Surface(rows, places, bones)


def owner_of_vertices(thing: bpy.types.Object, armature: bpy.types.Object) -> list[str]:
    """The bone with the largest weight of each vertex of a mesh; "" where no bone has any."""
    count = len(thing.data.vertices)
    if thing.parent_type == "BONE":
        return [thing.parent_bone] * count
    bones = armature.data.bones
    names = {group.index: group.name for group in thing.vertex_groups if group.name in bones}
    found = []
    for vertex in thing.data.vertices:
        weights = [(entry.weight, names[entry.group]) for entry in vertex.groups
                   if entry.group in names]  # fmt: skip
        found.append(max(weights)[1] if weights else "")
    return found


def vertices(evaluated: bpy.types.Object) -> Floats:
    """World places (n, 3) of an evaluated mesh's vertices."""
    flat = np.empty(3 * len(evaluated.data.vertices), np.float32)
    evaluated.data.vertices.foreach_get("co", flat)
    world = np.array(evaluated.matrix_world, float)
    return flat.reshape(-1, 3).astype(float) @ world[:3, :3].T + world[:3, 3]


def _thinned(owners: list[str], feet: set[str]) -> NDArray[np.int64]:
    """Vertices to look at: all of the feet, and not too many others."""
    on_foot = np.array([owner in feet for owner in owners], bool)
    others = np.flatnonzero(~on_foot)
    step = max(1, len(others) // MOST_VERTICES)
    return np.sort(np.concatenate([np.flatnonzero(on_foot), others[::step]]))


def _joints(subject: Subject, poses: Poses, rows: NDArray[np.int64]) -> Surface:
    """Heads and tails of all bones, but for tails that are further away than any limb is long."""
    heads = poses.matrices[rows][:, :, :3, 3]
    tails = heads + poses.lengths[:, None] * poses.matrices[rows][:, :, :3, 1]
    near = poses.lengths < 0.4 * subject.height
    bones = (*poses.names, *np.array(poses.names, object)[near])
    return Surface(rows, np.concatenate([heads, tails[:, near]], axis=1), tuple(bones))
