"""A skeleton as names, parents and rest positions: all that the detection looks at."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import RigError
from .axes import across
from .ends import true_ends
from .motion import Motion

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class BoneTable:
    """Bones in any order, in armature space at rest.

    Attributes:
        names: Bone names, each once.
        parent: Index of every bone's parent, -1 for roots, (n,).
        heads: Rest positions of the heads, (n, 3), in the armature's units.
        tails: Rest positions of the tails, (n, 3), in the armature's units; importers invent them.
        flesh: Outermost points of what every bone carries, (n, k, 3), NaN without any.
        motion: How the bones move in the clip; None if that is not known.
        upright: What is up in the scene, (3,).
    """

    names: tuple[str, ...]
    parent: Ints
    heads: Floats
    tails: Floats
    flesh: Floats
    motion: Motion | None = None
    upright: Floats = field(default_factory=lambda: np.array([0.0, 0.0, 1.0]))

    @classmethod
    def build(
        cls,
        names: Iterable[str],
        parent: Sequence[int],
        heads: ArrayLike,
        tails: ArrayLike,
        flesh: ArrayLike | None = None,
        motion: Motion | None = None,
        upright: ArrayLike = (0.0, 0.0, 1.0),
    ) -> BoneTable:
        """Convert lists to a checked table.

        Raises:
            RigError: There is no bone, a name appears twice, a parent does not exist, bones are
                each other's ancestors, or a position is missing or not a finite number.
        """
        table = cls(
            tuple(names),
            np.asarray(parent, dtype=np.int64),
            np.asarray(heads, dtype=np.float64),
            np.asarray(tails, dtype=np.float64),
            np.full((len(parent), 1, 3), np.nan) if flesh is None else np.asarray(flesh, float),
            motion,
            np.asarray(upright, dtype=np.float64),
        )
        table._check()
        return table

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def index(self) -> dict[str, int]:
        """Index of every name."""
        return {name: i for i, name in enumerate(self.names)}

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """Indices of every bone's children."""
        lists: list[list[int]] = [[] for _ in self.names]
        for i, parent in enumerate(self.parent):
            if parent >= 0:
                lists[parent].append(i)
        return tuple(tuple(children) for children in lists)

    @cached_property
    def roots(self) -> tuple[int, ...]:
        """Indices of the bones without a parent."""
        return tuple(int(i) for i in np.flatnonzero(self.parent < 0))

    @property
    def ends(self) -> Floats:
        """Where every bone ends, confirmed by a child, by its flesh, or extrapolated; (n, 3)."""
        return self._ends[0]

    @property
    def ends_known(self) -> NDArray[np.bool_]:
        """Whether the end of every bone is more than an extrapolation; (n,)."""
        return self._ends[1]

    @cached_property
    def across(self) -> Floats:
        """The direction from side to side: that in which bones of equal branches differ; (3,)."""
        return across(self)

    @cached_property
    def fleshy(self) -> NDArray[np.bool_]:
        """Whether every bone carries flesh; (n,)."""
        return np.asarray(np.isfinite(self.flesh).any(axis=(1, 2)))

    def with_parents(self, parent: Ints) -> BoneTable:
        """The same bones in another hierarchy."""
        return replace(self, parent=parent)

    def turned(self, turn: Floats) -> BoneTable:
        """The rest pose turned, (3, 3), without its motion."""
        return replace(
            self,
            heads=self.heads @ turn.T,
            tails=self.tails @ turn.T,
            flesh=self.flesh @ turn.T,
            upright=turn @ self.upright,
            motion=None,
        )

    def only(self, kept: Sequence[int]) -> BoneTable:
        """Some of the bones; what hung on another one hangs on the next above that is kept."""
        place = {bone: i for i, bone in enumerate(kept)}
        above = (next((a for a in self.ancestors(bone) if a in place), -1) for bone in kept)
        rows = list(kept)
        return BoneTable(
            tuple(self.names[bone] for bone in kept),
            np.array([place.get(bone, -1) for bone in above], np.int64),
            self.heads[rows],
            self.tails[rows],
            self.flesh[rows],
            self.motion and self.motion.only(rows),
            self.upright,
        )

    def lowest(self, bones: Sequence[int], up: Floats) -> float:
        """How far down some bones and their flesh reach in the rest pose."""
        rows = list(bones)
        points = np.concatenate(
            [self.heads[rows], self.ends[rows], self.flesh[rows].reshape(-1, 3)]
        )
        return float(np.nanmin(points @ up))

    def rests(self, bone: int, up: Floats, height: float) -> bool:
        """Whether the flesh of a bone reaches down to a height; not if it has none."""
        return bool(self.fleshy[bone]) and float((self.flesh[bone] @ up).min()) < height

    def solid(self) -> BoneTable:
        """The bones that carry flesh themselves or below them; all, if none does."""
        kept = [bone for bone in range(len(self)) if self.fleshy[self.subtree(bone)].any()]
        return self.only(kept) if kept else self

    @cached_property
    def _ends(self) -> tuple[Floats, NDArray[np.bool_]]:
        return true_ends(self.parent, self.children, self.heads, self.tails, self.flesh)

    def ancestors(self, bone: int) -> list[int]:
        """The bone's parent, its parent's parent and so on up to the root."""
        found = []
        parent = int(self.parent[bone])
        while parent >= 0:
            found.append(parent)
            parent = int(self.parent[parent])
        return found

    def is_ancestor(self, ancestor: int, bone: int) -> bool:
        """Whether `ancestor` lies strictly above `bone`."""
        first, last = self._tour
        return ancestor != bone and first[ancestor] <= first[bone] <= last[ancestor]

    def common_ancestor(self, first: int, second: int) -> int | None:
        """The lowest bone that carries both bones (or is one of them), None if there is none."""
        above = [first, *self.ancestors(first)]
        return next((a for a in above if a == second or self.is_ancestor(a, second)), None)

    def subtree(self, bone: int) -> list[int]:
        """The bone and everything below it, parents before children."""
        found = [bone]
        for i in found:
            found.extend(self.children[i])
        return found

    def depth(self, bone: int) -> int:
        """Number of bones above the bone."""
        return len(self.ancestors(bone))

    @cached_property
    def _tour(self) -> tuple[list[int], list[int]]:
        """Number of each bone, and of its last descendant, in a walk that visits whole branches."""
        first, last = [0] * len(self), [0] * len(self)
        stack = [(root, False) for root in reversed(self.roots)]
        count = 0
        while stack:
            bone, left = stack.pop()
            if left:
                last[bone] = count - 1
                continue
            first[bone] = count
            count += 1
            stack.append((bone, True))
            stack.extend((child, False) for child in reversed(self.children[bone]))
        return first, last

    def _check(self) -> None:
        n = len(self.names)
        if n == 0:
            raise RigError("The armature has no bones: choose another armature.")
        shapes = (self.parent.shape, self.heads.shape, self.tails.shape)
        if shapes != ((n,), (n, 3), (n, 3)):
            raise RigError(f"{n} bones need {n} parents, heads and tails; got shapes {shapes}.")
        twice = next((name for i, name in enumerate(self.names) if self.index[name] != i), None)
        if twice is not None:
            raise RigError(f'Bone "{twice}" exists twice: rename one of them.')
        for name, parent, head, tail in zip(
            self.names, self.parent, self.heads, self.tails, strict=True
        ):
            if not -1 <= parent < n:
                raise RigError(f'Bone "{name}" has a parent that does not exist.')
            if not (np.isfinite(head).all() and np.isfinite(tail).all()):
                raise RigError(
                    f'Bone "{name}" has an invalid rest position (NaN/inf): fix it in Edit Mode.'
                )
        reached = [bone for root in self.roots for bone in self.subtree(root)]
        if len(reached) < n:
            lost = self.names[min(set(range(n)) - set(reached))]
            raise RigError(f'Bone "{lost}" is its own ancestor: give it another parent.')
