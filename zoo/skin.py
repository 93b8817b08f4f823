"""The skin of a body: capsules and boxes around its bones, as vertices and faces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from .body import Body, Floats, Part

AROUND = 10  # vertices in a ring
CAP = (-1.0, -0.7, 0.0)  # rings of a capsule's end, in radii before the end's centre
EDGE = 0.12  # how much of a box its soft edges take


@dataclass(frozen=True, eq=False)
class Shell:
    """Vertices (n, 3), faces, and the bone of each vertex."""

    vertices: Floats
    faces: list[tuple[int, ...]]
    bones: list[str]


def shell(parts: Sequence[Part]) -> Shell:
    """The parts as one mesh; each part is closed."""
    return _shell(tuple(parts))


@cache
def _shell(parts: tuple[Part, ...]) -> Shell:
    vertices: list[Floats] = []
    faces: list[tuple[int, ...]] = []
    bones: list[str] = []
    for part in parts:
        rings = _box(part) if any(part.box) else _capsule(part)
        first, size = sum(len(ring) for ring in vertices), len(rings[0])
        faces += _faces(first, len(rings), size)
        vertices += rings
        bones += [part.bone] * (len(rings) * size)
    return Shell(np.concatenate(vertices), faces, bones)


def skin_weights(body: Body, surface: Shell) -> dict[str, dict[int, float]]:
    """Weights of vertices by the role of the bone that they follow.

    Near a joint they follow both of its bones, as automatic weights do, by up to a half each.
    """
    weights: dict[str, dict[int, float]] = {}
    children = {bone.name: [b for b in body.bones if b.parent == bone.name] for bone in body.bones}
    for vertex, (place, role) in enumerate(zip(surface.vertices, surface.bones, strict=True)):
        others: dict[str, float] = {}
        if body.soft:
            own = body.bone(role)
            joints = [(own.parent, own.head)] if own.parent else []
            joints += [(child.name, child.head) for child in children[role]]
            for other, joint in joints:
                away = float(np.linalg.norm(place - np.array(joint))) / body.soft
                others[other] = 0.5 * max(0.0, 1.0 - away)
        spread = min(1.0, 0.5 / max(sum(others.values()), 1e-9))
        for other, weight in others.items():
            if weight > 0.0:
                weights.setdefault(other, {})[vertex] = spread * weight
        weights.setdefault(role, {})[vertex] = 1.0 - spread * sum(others.values())
    return weights


def _capsule(part: Part) -> list[Floats]:
    start, end = np.array(part.start), np.array(part.end)
    way = end - start
    length = float(np.linalg.norm(way))
    along = way / length if length else np.array([0.0, 0.0, 1.0])
    aside = np.array([1.0, 0.0, 0.0]) if abs(along[0]) < 0.9 else np.array([0.0, 1.0, 0.0])
    x = np.cross(along, aside)
    x /= np.linalg.norm(x)
    y = np.cross(along, x)
    angle = np.linspace(0, 2 * np.pi, AROUND, endpoint=False)
    circle = np.cos(angle)[:, None] * x + np.sin(angle)[:, None] * y
    rings = []
    for centre, shares in ((start, CAP), (end, [-share for share in CAP[::-1]])):
        for share in shares:
            radius = part.radius * max(np.sqrt(1 - share**2), 0.05)
            rings.append(centre + share * part.radius * along + radius * circle)
    return rings


def _box(part: Part) -> list[Floats]:
    """Level rings from bottom to top between start and end, the lowest and highest one narrower."""
    low, high = np.minimum(part.start, part.end), np.maximum(part.start, part.end)
    low, high = low - part.box, high + part.box
    centre, half = (low + high) / 2, (high - low) / 2
    angle = np.linspace(0, 2 * np.pi, 2 * AROUND, endpoint=False)
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    square = np.sign(circle) * abs(circle) ** 0.35
    rings = []
    for height, share in ((-1.0, 1 - EDGE), (-1 + EDGE, 1.0), (0.0, 1.0), (1.0, 1 - EDGE)):
        ring = np.empty((2 * AROUND, 3))
        ring[:, :2] = centre[:2] + share * half[:2] * square
        ring[:, 2] = centre[2] + height * half[2]
        rings.append(ring)
    return rings


def _faces(first: int, rings: int, size: int) -> list[tuple[int, ...]]:
    made: list[tuple[int, ...]] = []
    for ring in range(rings - 1):
        low = first + ring * size
        for i in range(size):
            j = (i + 1) % size
            made.append((low + i, low + j, low + size + j, low + size + i))
    made.append(tuple(range(first, first + size))[::-1])
    last = first + (rings - 1) * size
    made.append(tuple(range(last, last + size)))
    return made
