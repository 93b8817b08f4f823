"""How deep the meshes of a character are in the ground, from arrays alone."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ...motion.feet import Ints
from ...motion.measure.mesh_depth import Depths, Layer, mesh_depths
from ..clip.skeleton import Skeleton
from ..report.mesh_report import MeshReport
from .outcome import Outcome

# The sole and its edges: what comes this near to the lowest point of its foot, metres for a person.
SOLE_HEIGHT = 0.06
# Parts of the body that are never nearer to the ground are not measured; metres for a person.
NEAR_GROUND = 0.35
# In sampled frames one vertex of each cube of this size is measured, metres for a person: of a
# foot, and of the rest of the body.
CUBES = 0.006, 0.02
# Middles of edges count from this length on, metres for a person.
LONG_EDGE = 0.01


def skin_depths(outcome: Outcome, *, roughly: bool = False) -> MeshReport:
    """Measure all meshes that are simply carried by bones.

    Args:
        outcome: What is judged.
        roughly: Whether others count as well, as if bones carried them simply.
    """
    skin, read = outcome.skin, outcome.read
    exact = roughly | ~np.isin(skin.meshes, [read.names.index(name) for name in read.inexact])
    before, after = outcome.matrices
    depths = [
        mesh_depths(skin, before, after, layer, outcome.terrain, outcome.scale)
        for layer in skin_layers(outcome, exact)
    ]
    stood, body = carriers(outcome, depths[-2:])
    return MeshReport(tuple(depths[:-2]), depths[-2], depths[-1], stood, body, read.bare)


def carriers(outcome: Outcome, parts: list[Depths]) -> tuple[tuple[str, ...], ...]:
    """The bones that carry the deepest point of some parts in each frame."""
    names = np.array((*outcome.skeleton.names, ""), object)
    owner = outcome.skin.owner()
    return tuple(tuple(names[owner[part.vertex]]) for part in parts)


def skin_layers(
    outcome: Outcome, chosen: NDArray[np.bool_], *, everywhere: bool = False
) -> Iterator[Layer]:
    """All feet; other parts that the body stands on, such as hooves of loose bones; and the rest.

    Args:
        outcome: What is judged.
        chosen: Vertices that count; (n,).
        everywhere: Whether all of the body counts, not only what comes near the ground.
    """
    skin, scale, owner = outcome.skin, outcome.scale, outcome.skin.owner()
    frames = len(outcome.after)
    floor = np.full(frames, outcome.rests.floor)
    rest = chosen.copy()
    for foot in outcome.feet:
        own = _sole(outcome, rest & np.isin(owner, list(foot.bones)))
        rest &= ~own
        points = skin.points(own)
        knee = outcome.after[:, foot.leg[1], 2, 3]
        ankle = outcome.after[:, foot.leg[-1], :3, 3]
        yield Layer(points, _coarse(outcome, points, CUBES[0]), floor, knee, ankle)
    if not everywhere:
        rest &= _near_ground(outcome, owner)
    stood = {bone for each in outcome.rests.rests for bone in each.bones} - outcome.limbs
    stood |= {bone for foot in outcome.feet for bone in foot.bones}
    for own, cube in (
        (rest & np.isin(owner, list(stood)), CUBES[0]),
        (rest & ~np.isin(owner, list(stood)), CUBES[1]),
    ):
        points = skin.points(own)
        size = np.linalg.norm(skin.places[points[:, 0]] - skin.places[points[:, 1]], axis=1)
        points = points[(size == 0.0) | (outcome.unit * size > LONG_EDGE * scale)]
        coarse = _coarse(outcome, points, cube)
        yield Layer(points, coarse, floor, outcome.tops)


def _sole(outcome: Outcome, foot: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The vertices of a foot that are near its lowest point where the source has it lowest."""
    skin, before = outcome.skin, outcome.matrices[0]
    vertices = np.flatnonzero(foot)
    found = np.zeros(len(skin), bool)
    if not len(vertices):
        return found
    some = vertices[:: max(1, len(vertices) // 50)]
    height = skin.posed(before, np.stack([some, some], axis=1))[..., 2].mean(axis=1)
    lowest = np.argsort(height)[: max(1, len(height) // 10)]
    rows = lowest[[0, len(lowest) // 2, -1]]
    places = skin.posed(before[rows], np.stack([vertices, vertices], axis=1))[..., 2]
    low = places < places.min(axis=1, keepdims=True) + SOLE_HEIGHT * outcome.scale
    found[vertices[low.any(axis=0)]] = True
    return found


def _near_ground(outcome: Outcome, owner: Ints) -> NDArray[np.bool_]:
    """Vertices whose bones come near the ground."""
    skin, after, terrain = outcome.skin, outcome.after, outcome.terrain
    near = owner == len(outcome.skeleton)
    rows = np.arange(len(after))
    for bone in np.unique(owner[~near]):
        own = owner == bone
        local = _local(outcome.skeleton, int(bone), skin.places[own])
        centre = (local.min(axis=0) + local.max(axis=0)) / 2.0
        path = after[:, bone] @ np.append(centre, 1.0)
        size = np.cbrt(abs(np.linalg.det(after[:, bone, :3, :3])))
        reach = size * np.linalg.norm(local - centre, axis=1).max()
        ceiling = np.maximum(outcome.tops, path[:, 2])
        above = path[:, 2] - reach - terrain.below(path[:, :3], rows, ceiling).height
        near |= own & bool((above < NEAR_GROUND * outcome.scale).any())
    return near


def _local(skeleton: Skeleton, bone: int, places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Places in the rest pose along the axes of a bone."""
    inverse = np.linalg.inv(skeleton.rest[bone])
    return np.asarray(places @ inverse[:3, :3].T + inverse[:3, 3])


def _coarse(outcome: Outcome, points: Ints, size: float) -> Ints:
    """One point in each cube of a size, metres for a person; indices."""
    cube = size * outcome.scale / outcome.unit
    cubes = np.floor(outcome.skin.places[points].mean(axis=1) / cube).astype(np.int64)
    return np.unique(cubes, axis=0, return_index=True)[1]
