"""Which entries of a problem's normal equations can be filled: slots and the elimination tree.

See the tables SLOT and ANCESTORS in `kernels/arena.py`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..kernels.compiled import Ints


def slots(parent: Ints, owners: set[int]) -> tuple[Ints, Ints]:
    """Number the sets of tip goals that joints move; `owners` carry the tips of goals.

    The slot of each joint (-1: none), and of each slot the next one inwards (-1: none).
    """
    count = len(parent)
    below: list[set[int]] = [set() for _ in range(count)]
    slot = np.full(count, -1, dtype=np.int64)
    inner: list[int] = []
    for i in range(count - 1, -1, -1):
        if i in owners or len(below[i]) > 1:
            slot[i] = len(inner)
            inner.append(-1)
            for outer in below[i]:
                inner[outer] = int(slot[i])
        elif below[i]:
            slot[i] = next(iter(below[i]))
        if slot[i] >= 0 and parent[i] >= 0:
            below[parent[i]].add(int(slot[i]))
    return slot, np.array(inner, dtype=np.int64)


def elimination_tree(parent: Ints, slot: Ints, coupled: Sequence[Ints]) -> Ints:
    """Parents in the elimination tree of the normal equations, by symbolic elimination."""
    count = len(parent)
    structure: list[set[int]] = [set() for _ in range(count)]
    for i in range(count):
        if slot[i] >= 0 and parent[i] >= 0:
            structure[i] = structure[parent[i]] | {int(parent[i])}
    for joints in coupled:
        for position, joint in enumerate(joints):
            structure[joint].update(int(other) for other in joints[:position])
    elimination = np.full(count, -1, dtype=np.int64)
    for i in range(count - 1, -1, -1):
        if structure[i]:
            elimination[i] = max(structure[i])
            structure[elimination[i]] |= structure[i] - {int(elimination[i])}
    return elimination


def ancestor_rows(elimination: Ints) -> tuple[Ints, Ints]:
    """Depth of each joint in the elimination tree, and the path from the root to it."""
    paths: list[list[int]] = []
    for i, above in enumerate(elimination.tolist()):
        paths.append([*(paths[above] if above >= 0 else []), i])
    depth = np.array([len(path) - 1 for path in paths], dtype=np.int64)
    ancestors = np.full((len(paths), max(map(len, paths), default=0)), -1, dtype=np.int64)
    for row, path in zip(ancestors, paths, strict=True):
        row[: len(path)] = path
    return depth, ancestors
