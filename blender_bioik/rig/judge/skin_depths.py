"""How deep the meshes of a character are in the ground, from arrays alone."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ...motion.feet import Floats, Ints
from ...motion.measure.mesh_depth import Depths, Layer, mesh_depths
from ..report.mesh_report import MeshReport
from .outcome import Outcome

# Parts of the body that are never nearer to the ground are not measured; metres for a person.
NEAR_GROUND = 0.35
# In sampled frames one vertex of each cube of this size is measured, metres for a person: of a
# foot, and of the rest of the body.
CUBES = 0.006, 0.02
# Middles of edges count from this length on, metres for a person.
LONG_EDGE = 0.01


def skin_depths(outcome: Outcome) -> MeshReport:
    """Measure all meshes that are simply carried by bones."""
    skin, read = outcome.skin, outcome.read
    exact = ~np.isin(skin.meshes, [read.names.index(name) for name in read.inexact])
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
    owner = outcome.skin.owner
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
    owner = outcome.skin.owner
    yield from (_sole_layer(outcome, number, chosen) for number in range(len(outcome.feet)))
    rest = chosen & ~outcome.soles.any(axis=0)
    if not everywhere:
        rest &= _near_ground(outcome)
    stood = {bone for each in outcome.rests.rests for bone in each.bones} - outcome.limbs
    stood |= {bone for foot in outcome.feet for bone in foot.bones}
    for own, cube in (
        (rest & np.isin(owner, list(stood)), CUBES[0]),
        (rest & ~np.isin(owner, list(stood)), CUBES[1]),
    ):
        yield _body_layer(outcome, own, cube)


def leg_depths(outcome: Outcome) -> Floats:
    """How deep each foot, and its shin, is in the ground; metres; (f, feet).

    Meshes that bones do not simply carry are measured as if they did. Where the clip climbs, shins
    do not count: they pass rungs and edges that no higher foot keeps them from.
    """
    skin, (before, after) = outcome.skin, outcome.matrices
    every = np.ones(len(skin), bool)

    def depths(layer: Layer) -> Depths:
        return mesh_depths(skin, before, after, layer, outcome.terrain, outcome.scale)

    found = np.zeros((len(after), len(outcome.feet)))
    for number, foot in enumerate(outcome.feet):
        shin = (skin.owner == foot.leg[-2]) & ~outcome.soles.any(axis=0)
        excess = depths(_body_layer(outcome, shin, CUBES[1])).excess
        found[:, number] = np.maximum(
            depths(_sole_layer(outcome, number, every)).depth,
            np.where(outcome.climbs, 0.0, excess),
        )
    return found


def _sole_layer(outcome: Outcome, number: int, chosen: NDArray[np.bool_]) -> Layer:
    """The sole of the foot with this number, as far as its vertices are chosen (n,)."""
    foot, points = outcome.feet[number], outcome.skin.points(outcome.soles[number] & chosen)
    knee, ankle = outcome.after[:, foot.leg[1], 2, 3], outcome.after[:, foot.leg[-1], :3, 3]
    coarse = _coarse(outcome, points, CUBES[0])
    return Layer(points, coarse, _floor(outcome), knee, ankle)


def _body_layer(outcome: Outcome, own: NDArray[np.bool_], cube: float) -> Layer:
    """Any part of the body, with its vertices (n,); `cube` as in `CUBES`."""
    skin = outcome.skin
    points = skin.points(own)
    size = np.linalg.norm(skin.places[points[:, 0]] - skin.places[points[:, 1]], axis=1)
    points = points[(size == 0.0) | (outcome.unit * size > LONG_EDGE * outcome.scale)]
    return Layer(points, _coarse(outcome, points, cube), _floor(outcome), outcome.tops)


def _floor(outcome: Outcome) -> Floats:
    """The height of the source's floor in each frame; (f,)."""
    return np.full(len(outcome.after), outcome.rests.floor)


def _near_ground(outcome: Outcome) -> NDArray[np.bool_]:
    """Vertices whose bones come near the ground; (n,)."""
    skin, terrain, matrices = outcome.skin, outcome.terrain, outcome.matrices[1]
    order = np.argsort(skin.owner, kind="stable")
    bones, first = np.unique(skin.owner[order], return_index=True)
    places = skin.places[order]
    low, high = np.minimum.reduceat(places, first), np.maximum.reduceat(places, first)
    centre = (low + high) / 2.0
    size = np.diff(first, append=len(places))
    apart = np.linalg.norm(places - np.repeat(centre, size, axis=0), axis=1)
    carried = matrices[:, bones]
    path = np.einsum("fbij,bj->fbi", carried[..., :3, :3], centre) + carried[..., :3, 3]
    reach = np.cbrt(abs(np.linalg.det(carried[..., :3, :3]))) * np.maximum.reduceat(apart, first)
    at = np.broadcast_to(np.arange(len(path))[:, None], path.shape[:2]).ravel()
    ceiling = np.maximum(outcome.tops[at], path[..., 2].ravel())
    height = terrain.below(path.reshape(-1, 3), at, ceiling).height.reshape(reach.shape)
    above = path[..., 2] - reach - height
    near = bones[(above < NEAR_GROUND * outcome.scale).any(axis=0)]
    return np.isin(skin.owner, [*near, len(outcome.skeleton)])


def _coarse(outcome: Outcome, points: Ints, size: float) -> Ints:
    """One point in each cube of a size, metres for a person; indices."""
    if not len(points):
        return np.empty(0, int)
    cube = size * outcome.scale / outcome.unit
    cubes = np.floor(outcome.skin.places[points].mean(axis=1) / cube).astype(np.int64)
    cubes -= cubes.min(axis=0)
    numbers = np.ravel_multi_index(tuple(cubes.T), tuple(cubes.max(axis=0) + 1))
    return np.unique(numbers, return_index=True)[1]
