"""The sole of a foot, measured on the vertices that it carries."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...motion.tuning import BODY
from ..transforms import Floats
from .foot_bones import FootBones, level
from .tuning import SOLE_MESH

# Places of vertices that differ by less, as a share of the foot, are the same: meshes and poses are
# 32-bit numbers.
ROUNDING = float(np.sqrt(np.finfo(np.float32).eps))


# So few points are looked at one by one.
FEW_POINTS = 32


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
    along = vertices @ forward
    outline = _Outline(along, vertices @ foot.up)
    rear, front = outline.ends()
    length = front - rear
    middle = rear + SOLE_MESH.middle * length
    ball = float(foot.points[1] @ forward)
    is_joint = middle <= ball <= rear + 0.5 * (1.0 + SOLE_MESH.ball_default) * length
    if not is_joint:
        ball = rear + SOLE_MESH.ball_default * length
    behind = _sole_part(vertices[(along >= rear) & (along <= middle)], length, foot)
    before = _sole_part(vertices[(along >= ball) & (along <= front)], length, foot)
    heel, tip = _end(behind, -forward, length, foot), _end(before, forward, length, foot)
    share = (ball - heel @ forward) / max(float((tip - heel) @ forward), 1e-12)
    under = heel + np.clip(share, 0.0, 1.0) * (tip - heel)
    if foot.toe is not None and is_joint:
        under = foot.points[1]
    under = _lowered(under, outline.height_at(ball), foot.up)
    aside = np.asarray(np.cross(foot.up, forward), float)
    rear_rim = _corners(behind, -forward - foot.up, aside)
    ball_rim = _corners(before, -forward - foot.up, aside)
    tip_rim = _corners(before, forward - foot.up, aside)
    arch = vertices[(along > middle) & (along < ball)]
    arch_rim = (rear_rim + ball_rim) / 2.0  # coarse meshes are straight there
    if len(arch):
        arch_rim = _corners(_sole_part(arch, length, foot), -foot.up, aside)
    return MeasuredSole(np.stack([heel, under, tip]), (rear_rim, ball_rim, tip_rim, arch_rim))


def rear_end(foot: FootBones, vertices: Floats) -> NDArray[np.intp]:
    """Indices of the two of some vertices (n, 3) at both sides of the sole's rear end."""
    ends = measure(foot, vertices).rims[0]
    apart = np.linalg.norm(vertices - ends[:, None], axis=-1)
    return np.asarray(apart.argmin(axis=1), np.intp)


class _Outline:
    """The lower outline of a foot from the side: planks below it would touch it there.

    Between two vertices it is straight, as coarse meshes are.
    """

    def __init__(self, along: Floats, height: Floats) -> None:
        points = np.stack([along, height], axis=-1)
        hull: list[Floats] = []
        for point in _lowest(points[np.lexsort((height, along))]):
            while len(hull) > 1 and _turns_down(hull[-2], hull[-1], point):
                hull.pop()
            hull.append(point)
        self._along, self._height = np.array(hull).T

    def ends(self) -> tuple[float, float]:
        """Where the sole ends in the rear and in front: where it rises as no ground does."""
        lowest = int(self._height.argmin())
        rounding = ROUNDING * np.ptp(self._along)
        steep = np.abs(np.diff(self._height)) > BODY.steepest * np.diff(self._along) + rounding
        behind, before = np.flatnonzero(steep[:lowest]), np.flatnonzero(steep[lowest:])
        first = int(behind[-1]) + 1 if len(behind) else 0
        last = lowest + int(before[0]) if len(before) else len(steep)
        return float(self._along[first]), float(self._along[last])

    def height_at(self, along: float) -> float:
        """Its height at a place along the foot."""
        return float(np.interp(along, self._along, self._height))


def _lowest(points: Floats) -> Floats:
    """Points (n, 2) in order, without most of those above the way between their neighbours.

    Meshes have tens of thousands of vertices, and an outline few.
    """
    while len(points) > FEW_POINTS:
        one, other = points[1:-1] - points[:-2], points[2:] - points[:-2]
        above = one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0] <= 0.0
        above &= np.any(one != 0.0, axis=1)  # of equal points one stays
        if not above.any():
            break
        points = points[np.concatenate([[True], ~above, [True]])]
    return points


def _turns_down(first: Floats, second: Floats, third: Floats) -> bool:
    """Whether the way from the first to the third point passes below the second."""
    one, other = second - first, third - first
    return bool(one[0] * other[1] - one[1] * other[0] <= 0.0)


def _corners(sole: Floats, outward: Floats, aside: Floats) -> Floats:
    """The two vertices (2, 3) of a part of a sole that are furthest outward and to either side.

    Of vertices that are equally far but for rounding it is the first.
    """
    far = [sole @ (outward + side) for side in (aside, -aside)]
    rounding = ROUNDING * np.ptp(sole, axis=0).max()
    return np.stack([sole[(each >= each.max() - rounding).argmax()] for each in far])


def _forward(foot: FootBones, vertices: Floats) -> Floats:
    """Where the foot points to in plan view: along its bones, or as body or knee do."""
    bones = level(foot.points[2] - foot.ankle, foot.up)
    flesh = level(vertices - foot.ankle, foot.up)
    if np.linalg.norm(bones) < SOLE_MESH.middle * np.linalg.norm(flesh, axis=1).max():
        bones = foot.ahead if foot.ahead.any() else flesh.mean(axis=0)
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


def _lowered(point: Floats, height: float, up: Floats) -> Floats:
    """A point moved to a height."""
    return np.asarray(point + (height - point @ up) * up)
