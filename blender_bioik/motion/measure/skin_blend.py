"""The compiled blend of a skin: many vertices in many frames at once."""

from __future__ import annotations

import numpy as np

from ...solver.kernels.compiled import Floats, Ints, entry


def blended(
    matrices: Floats,
    start: Ints,
    bone: Ints,
    weight: Floats,
    place: Ints,
    places: Floats,
    points: Ints,
) -> Floats:
    """Where points amid pairs of vertices are carried; (f, p, 3); see `blend_points`."""
    found = np.empty((len(matrices), len(points), 3))
    count = len(start) - 1
    number, posed = np.full(count, -1), np.empty((min(2 * len(points), count), 3))
    blend_points(
        np.ascontiguousarray(matrices),
        start,
        bone,
        weight,
        place,
        np.ascontiguousarray(places),
        np.ascontiguousarray(points),
        number,
        posed,
        found,
    )
    return found


@entry
def blend_points(
    matrices: Floats,
    start: Ints,
    bone: Ints,
    weight: Floats,
    place: Ints,
    places: Floats,
    points: Ints,
    number: Ints,
    posed: Floats,
    found: Floats,
) -> None:
    """Put points (f, p, 3) amid pairs of vertices where a skin's bones carry them.

    Args:
        matrices: What moves places into the world; (f, b, 4, 4).
        start: The first weight of each vertex, and of the one after the last; (n + 1,).
        bone: The bone of each weight; (w,).
        weight: The weights; (w,).
        place: The row in `places` that each weight moves; (w,).
        places: Places of the vertices in the rest pose, or along the axes of bones; (k, 3).
        points: Pairs of vertices; (p, 2).
        number: Work space, -1 throughout; (n,).
        posed: Work space, a row for each vertex that is used; (u, 3).
        found: The places; (f, p, 3).
    """
    count = 0
    used = number.copy()
    for i in range(len(points)):
        for end in range(2):
            vertex = points[i, end]
            if number[vertex] < 0:
                number[vertex] = count
                used[count] = vertex
                count += 1
    for frame in range(len(matrices)):
        for j in range(count):
            vertex = used[j]
            px, py, pz = 0.0, 0.0, 0.0
            for w in range(start[vertex], start[vertex + 1]):
                m = matrices[frame, bone[w]]
                at, share = place[w], weight[w]
                x, y, z = places[at, 0], places[at, 1], places[at, 2]
                px += share * (m[0, 0] * x + m[0, 1] * y + m[0, 2] * z + m[0, 3])
                py += share * (m[1, 0] * x + m[1, 1] * y + m[1, 2] * z + m[1, 3])
                pz += share * (m[2, 0] * x + m[2, 1] * y + m[2, 2] * z + m[2, 3])
            posed[j, 0], posed[j, 1], posed[j, 2] = px, py, pz
        for i in range(len(points)):
            one, other = number[points[i, 0]], number[points[i, 1]]
            for axis in range(3):
                found[frame, i, axis] = 0.5 * (posed[one, axis] + posed[other, axis])
