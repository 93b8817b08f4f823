"""The sole of a foot, measured on the vertices that it carries."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..transforms import Floats
from .foot_bones import FootBones, level
from .tuning import SOLE_MESH


class MeasuredSole(NamedTuple):
    """A sole on a mesh, in armature space.

    Attributes:
        points: Heel, ball and tip: the rear end, below the joint of the toe, the front end; (3, 3).
        rims: Vertices at both sides of heel, ball, tip and arch; (n, 3) each.
    """

    points: Floats
    rims: tuple[Floats, Floats, Floats, Floats]


def measure(foot: FootBones, vertices: Floats) -> MeasuredSole:
    """The sole of a foot that carries some vertices (n, 3), in its stance."""
    forward = _forward(foot, vertices)
    vertices = _lower_half(foot, vertices)
    along = vertices @ forward
    rear, front = float(along.min()), float(along.max())
    length = front - rear
    ball = float(foot.points[1] @ forward)
    middle = rear + SOLE_MESH.middle * length
    if not middle <= ball <= front:
        ball = rear + SOLE_MESH.ball_default * length
    behind = _sole_part(vertices[along <= middle], length, foot)
    before = _sole_part(vertices[along >= min(ball, front)], length, foot)
    heel, tip = _end(behind, -forward, length, foot), _end(before, forward, length, foot)
    share = (ball - heel @ forward) / max(float((tip - heel) @ forward), 1e-12)
    under = heel + np.clip(share, 0.0, 1.0) * (tip - heel)
    if foot.toe is not None and not foot.on_point:
        under = foot.points[1]
    between = np.stack([along, vertices @ foot.up], axis=-1)
    under = _lowered(under, _lowest_at(between, ball), foot.up)
    aside = np.asarray(np.cross(foot.up, forward), float)
    rear_rim = _corners(behind, -forward - foot.up, aside)
    ball_rim = _corners(before, -forward - foot.up, aside)
    tip_rim = _corners(before, forward - foot.up, aside)
    arch = vertices[(along > middle) & (along < ball)]
    arch_rim = (rear_rim + ball_rim) / 2.0  # coarse meshes are straight there
    if len(arch):
        arch_rim = _corners(_sole_part(arch, length, foot), -foot.up, aside)
    return MeasuredSole(np.stack([heel, under, tip]), (rear_rim, ball_rim, tip_rim, arch_rim))


def _lower_half(foot: FootBones, vertices: Floats) -> Floats:
    """Vertices nearer to the ground than to the ankle: a shaft is no part of the sole."""
    height = vertices @ foot.up
    over = height - height.min()
    middle = 0.5 * (float(foot.ankle @ foot.up) - float(height.min()))
    least = SOLE_MESH.sole_height * float(np.ptp(vertices, axis=0).max())
    return np.asarray(vertices[over <= max(middle, least)])


def _corners(sole: Floats, outward: Floats, aside: Floats) -> Floats:
    """The two vertices (2, 3) of a part of a sole that are furthest outward and to either side."""
    return np.stack([sole[(sole @ (outward + side)).argmax()] for side in (aside, -aside)])


def _forward(foot: FootBones, vertices: Floats) -> Floats:
    """Where the foot points to in plan view: along its bones, or as the knee does."""
    bones = level(foot.points[2] - foot.ankle, foot.up)
    flesh = level(vertices - foot.ankle, foot.up)
    if np.linalg.norm(bones) < SOLE_MESH.short_bones * np.linalg.norm(flesh, axis=1).max():
        bones = foot.knee if foot.knee.any() else flesh.mean(axis=0)
    return np.asarray(bones / max(float(np.linalg.norm(bones)), 1e-12))


def _sole_part(vertices: Floats, length: float, foot: FootBones) -> Floats:
    """Those vertices of a part of the foot that belong to its sole."""
    height = vertices @ foot.up
    return np.asarray(vertices[height <= height.min() + SOLE_MESH.sole_height * length])


def _end(sole: Floats, outward: Floats, length: float, foot: FootBones) -> Floats:
    """The end of a part of the sole."""
    along = sole @ outward
    edge = sole[along >= along.max() - SOLE_MESH.sole_height * length]
    middle = (edge.min(axis=0) + edge.max(axis=0)) / 2.0
    middle += (along.max() - middle @ outward) * outward
    return _lowered(middle, float((sole @ foot.up).min()), foot.up)


def _lowest_at(outline: Floats, at: float) -> float:
    """Height at which a plank below points (n, 2), given by way and height, would touch them.

    Between two points it is on the line that joins them, as coarse meshes are.
    """
    ordered = outline[np.lexsort((outline[:, 1], outline[:, 0]))]
    hull: list[Floats] = []
    for point in ordered:
        while len(hull) > 1 and _turns_down(hull[-2], hull[-1], point):
            hull.pop()
        hull.append(point)
    ways, heights = np.array(hull).T
    return float(np.interp(at, ways, heights))


def _turns_down(first: Floats, second: Floats, third: Floats) -> bool:
    """Whether the way from the first to the third point passes below the second."""
    one, other = second - first, third - first
    return bool(one[0] * other[1] - one[1] * other[0] <= 0.0)


def _lowered(point: Floats, height: float, up: Floats) -> Floats:
    """A point moved to a height."""
    return np.asarray(point + (height - point @ up) * up)
