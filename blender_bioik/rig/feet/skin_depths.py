"""How deep the meshes of a placed character are in the ground, from arrays alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from ...motion.feet import Ints
from ...motion.measure.mesh_depth import Depths, Layer, mesh_depths
from ...motion.measure.skin import Skin, skin_matrices
from ...motion.plan.plan import Plan
from ..clip.skeleton import Skeleton
from ..legs.leg_joints import LegSetup
from ..problem.feet_problem import FeetProblem
from ..problem.feet_solution import FeetSolution
from ..report.mesh_report import MeshReport
from ..skin.read_skin import ReadSkin, read_skin
from ..source.source import Source
from ..transforms import Floats
from .foot_motion import solved_pose, source_pose

# The sole and its edges: what comes this near to the lowest point of its foot, metres for a person.
SOLE_HEIGHT = 0.06
# Parts of the body that are never nearer to the ground are not measured; metres for a person.
NEAR_GROUND = 0.35
# In sampled frames one vertex of each cube of this size is measured, metres for a person: of a
# foot, and of the rest of the body.
CUBES = 0.006, 0.02
# Middles of edges count from this length on, metres for a person.
LONG_EDGE = 0.01


def character_skin(source: Source, legs: LegSetup) -> ReadSkin | None:
    """The skin of a character, with each foot as a part of its own; None without a mesh."""
    parts = [set(_foot_bones(source, sole.foot, sole.toe)) for sole in legs.soles]
    return read_skin(source.scene, source.armature, source.skeleton, parts, source.moved)


def skin_depths(
    feet: FeetProblem,
    plan: Plan,
    read: ReadSkin,
    before: Floats,
    after: Floats,
    *,
    roughly: bool = False,
) -> MeshReport:
    """Measure all meshes that are simply carried by bones.

    Args:
        feet: The foot placement problem.
        plan: Its plan.
        read: The skin.
        before: World matrices of the source's bones; (f, b, 4, 4).
        after: The same of the result.
        roughly: Whether others count as well, as if bones carried them simply.
    """
    skeleton, skin, world = feet.source.skeleton, read.skin, feet.source.clip.world
    exact = roughly | ~np.isin(skin.meshes, [read.names.index(name) for name in read.inexact])
    then, now = (skin_matrices(pose, skeleton.rest, world) for pose in (before, after))
    layers = list(skin_layers(feet, plan, skin, then, now, exact))
    depths = [mesh_depths(skin, then, now, layer, feet.terrain, feet.scale) for layer in layers]
    return MeshReport(tuple(depths[:-1]), depths[-1], carriers(skin, skeleton, depths[-1]))


def mesh_depth(feet: FeetProblem, read: ReadSkin | None) -> Callable[[FeetSolution], Floats]:
    """A function that measures how deep meshes of feet and shins are in a solution; (f, feet)."""
    nowhere = np.zeros((len(feet.source.frames), len(feet.feet)))
    if read is None:
        return lambda solution: nowhere
    before = source_pose(feet)

    def measure(solution: FeetSolution) -> Floats:
        after = solved_pose(feet, solution.tracks)
        report = skin_depths(feet, solution.plan, read, before, after, roughly=True)
        depth = np.stack([part.depth for part in report.feet], axis=1)
        for number, sole in enumerate(feet.legs.soles):
            own = np.isin(report.bones, sole.bones[-2:])
            depth[own, number] = np.maximum(depth[own, number], report.body.excess[own])
        return depth

    return measure


def carriers(skin: Skin, skeleton: Skeleton, depths: Depths) -> tuple[str, ...]:
    """The bone that carries the deepest point in each frame."""
    names = (*skeleton.names, "")
    return tuple(names[number] for number in skin.owner()[depths.vertex])


def skin_layers(
    feet: FeetProblem,
    plan: Plan,
    skin: Skin,
    before: Floats,
    after: Floats,
    chosen: NDArray[np.bool_],
    *,
    everywhere: bool = False,
) -> Iterator[Layer]:
    """The soles of all feet, and then the rest of the body.

    Args:
        feet: The foot placement problem.
        plan: Its plan.
        skin: The skin.
        before: Skin matrices of the source; (f, b + 1, 4, 4).
        after: The same of the result.
        chosen: Vertices that count; (n,).
        everywhere: Whether all of the body counts, not only what comes near the ground.
    """
    soles, scale = np.zeros(len(skin), bool), feet.scale
    unit = float(np.cbrt(abs(np.linalg.det(feet.source.clip.world[0, :3, :3]))))
    for number, sole in enumerate(feet.legs.soles):
        own = _sole(skin, before, chosen & (skin.parts == number), scale)
        soles |= own
        knee = feet.source.skeleton.index[sole.bones[1]]
        # A bone's head is where its rest head is carried to.
        head = feet.source.skeleton.rest[knee, :, 3]
        points = skin.points(own)
        yield Layer(
            points,
            _coarse(skin, points, CUBES[0] * scale / unit),
            feet.floor[:, number],
            (after[:, knee] @ head)[:, 2],
        )
    rest = chosen & ~soles
    if not everywhere:
        rest &= _near_ground(skin, after, plan, scale)
    points = skin.points(rest)
    size = np.linalg.norm(skin.places[points[:, 0]] - skin.places[points[:, 1]], axis=1)
    points = points[(size == 0.0) | (unit * size > LONG_EDGE * scale)]
    yield Layer(
        points,
        _coarse(skin, points, CUBES[1] * scale / unit),
        feet.floor.min(axis=1),
        plan.underfoot.ceiling,
        overhangs=True,
    )


def _foot_bones(source: Source, foot: str, toe: str | None) -> Iterator[str]:
    """The foot, its toe and all bones below them."""
    skeleton = source.skeleton
    found = {skeleton.index[bone] for bone in (foot, toe) if bone is not None}
    for number, name in enumerate(skeleton.names):
        if number in found or int(skeleton.parent[number]) in found:
            found.add(number)
            yield name


def _sole(skin: Skin, before: Floats, foot: NDArray[np.bool_], scale: float) -> NDArray[np.bool_]:
    """The vertices of a foot that are near its lowest point where the source has it lowest."""
    vertices = np.flatnonzero(foot)
    found = np.zeros(len(skin), bool)
    if not len(vertices):
        return found
    some = vertices[:: max(1, len(vertices) // 50)]
    height = skin.posed(before, np.stack([some, some], axis=1))[..., 2].mean(axis=1)
    lowest = np.argsort(height)[: max(1, len(height) // 10)]
    rows = lowest[[0, len(lowest) // 2, -1]]
    places = skin.posed(before[rows], np.stack([vertices, vertices], axis=1))[..., 2]
    low = places < places.min(axis=1, keepdims=True) + SOLE_HEIGHT * scale
    found[vertices[low.any(axis=0)]] = True
    return found


def _near_ground(skin: Skin, after: Floats, plan: Plan, scale: float) -> NDArray[np.bool_]:
    """Vertices whose bones come near the ground."""
    owner = skin.owner()
    near = np.zeros(len(skin), bool)
    rows = np.arange(len(after))
    for bone in np.unique(owner):
        own = owner == bone
        places = skin.places[own]
        centre = (places.min(axis=0) + places.max(axis=0)) / 2.0
        path = after[:, bone] @ np.append(centre, 1.0)
        size = np.cbrt(abs(np.linalg.det(after[:, bone, :3, :3])))
        reach = size * np.linalg.norm(places - centre, axis=1).max()
        above = path[:, 2] - reach - plan.underfoot.at(path[:, :2], rows).height
        near |= own & bool((above < NEAR_GROUND * scale).any())
    return near


def _coarse(skin: Skin, points: Ints, cube: float) -> Ints:
    """One point in each cube of a size in the armature's units; indices."""
    cubes = np.floor(skin.places[points].mean(axis=1) / cube).astype(np.int64)
    return np.unique(cubes, axis=0, return_index=True)[1]
