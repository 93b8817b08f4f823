"""The ground under the body: parts that are in it are pushed out, those that are not stay free.

A pose is looked at once it has settled. Where a part is deeper in the ground than it is in the
source's floor, its deepest point gets a plane to stay above: that of the ground, or at an edge one
across the bone, through the edge. Poses that keep out of the ground by themselves are not changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...solver.clips.goal_list import GoalHandle
from ...solver.clips.open_clip import OpenClip
from ..body.hull import Hull, rotation_matrices
from ..feet import Floats, Ints
from ..ground.underfoot import Underfoot
from ..tuning import BODY
from .tuning import DESCENT, GROUND

Mask = NDArray[np.bool_]

# Goals of a part: one for each half of it.
HALVES = 2
# Halvings of the way between two places with an edge between them: to a thirtieth of it.
HALVINGS = 5


@dataclass(frozen=True, eq=False)
class BodyPart:
    """A part of the body that must stay out of the ground.

    Attributes:
        tip: A tip on its bone.
        hull: Its surface, in the frame of the tip, metres.
        only: Rows in which it must; None for all of them; (f,). Feet have soles in the others.
    """

    tip: str
    hull: Hull
    only: Mask | None = None

    def rows(self, rows: slice) -> BodyPart:
        """The same over some of the rows."""
        return self if self.only is None else BodyPart(self.tip, self.hull, self.only[rows])


class _Depths(NamedTuple):
    """How deep places of a part are in the ground, (r, n) in r of the rows.

    Attributes:
        depth: Along the normal, metres; -inf where there is no ground.
        place: Along the axes of the part's tip; (r, n, 3).
        normal: Of the plane to stay above; (r, n, 3).
        level: That plane's points have this product with the normal.
    """

    depth: Floats
    place: Floats
    normal: Floats
    level: Floats


class BodyGround:
    """Finds parts of the body that are in the ground, and sets the goals that push them out."""

    def __init__(
        self,
        opened: OpenClip,
        goals: GoalHandle,
        parts: Sequence[BodyPart],
        floor: Floats,
        underfoot: Underfoot,
        scale: float,
    ) -> None:
        """Take over the goals, which stay without weight until a part is in the ground.

        Args:
            opened: The clip.
            goals: `HALVES` goals for each part, in order.
            parts: The parts.
            floor: Height of the source's floor under the body; (f,).
            underfoot: The ground.
            scale: Size of the character relative to one of 1.6 m.
        """
        self._opened, self._goals, self._parts = opened, goals, parts
        self._tips = [opened.tip_numbers[part.tip] for part in parts]
        self._floor, self._underfoot, self._scale = floor, underfoot, scale
        weight = opened.weight(goals)
        self._weight = weight.copy()
        weight[:] = 0.0
        self._left = np.full((len(opened.stretch.source), len(parts)), np.inf)
        self.too_deep = 0.0

    def push(self, values: Floats) -> Mask:
        """Push parts of poses (f, n) out of the ground; returns the rows (f,) concerned.

        Rows in which this has not helped before are not among them.
        """
        rows = np.zeros(len(values), bool)
        self.too_deep = 0.0
        if not self._parts:
            return rows
        tips = self._opened.frames.tips(self._opened.stretch, values)
        for number, (part, tip) in enumerate(zip(self._parts, self._tips, strict=True)):
            rows |= self._push_part(number, part, tips[:, tip], tip)
        return rows

    def _push_part(self, number: int, part: BodyPart, poses: Floats, tip: int) -> Mask:
        """Push a part at poses (f, 7) of its tip; returns its rows in the ground (f,)."""
        pushed, hull = np.zeros(len(poses), bool), part.hull
        turn, place = rotation_matrices(poses[:, 3:]), poses[:, :3]
        lowest = hull.lowest_of_rings(turn)
        heights = place[:, None, 2] + np.einsum("fj,fkj->fk", turn[:, 2], lowest)
        low = heights.min(axis=1) < self._underfoot.ceiling[: len(poses)]
        rows = np.flatnonzero(low if part.only is None else low & part.only)
        if not len(rows):
            return pushed
        found = self._depths(hull, lowest[rows], turn[rows], place[rows], rows)
        if found.depth.max() <= GROUND.body_depth * self._scale:
            return pushed
        excess = found.depth - self._allowed(hull, tip)[rows, None]
        deepest = excess.max(axis=1)
        self.too_deep = max(
            self.too_deep, float(deepest.max()) / (GROUND.body_depth * self._scale) - 1.0
        )
        is_deep = deepest > GROUND.body_depth * self._scale
        pushed[rows] = is_deep & (deepest < DESCENT.helped * self._left[rows, number])
        self._left[rows[is_deep], number] = deepest[is_deep]
        if is_deep.any():
            self._put_planes(number, found, excess, rows)
        return pushed

    def _put_planes(self, number: int, found: _Depths, excess: Floats, rows: Ints) -> None:
        """Put planes under the deepest places of both halves of a part near the ground."""
        goals, weight = self._goals, self._opened.weight(self._goals)
        near = excess > -BODY.edge * self._scale
        count = (found.depth.shape[1] + 1) // 2  # rings, then the edges between them
        along = np.concatenate(
            [np.linspace(0, 1, count), (np.arange(count - 1) + 0.5) / (count - 1)]
        )
        for half in range(HALVES):
            own = np.where((along < 0.5) == (half == 0), excess, -np.inf)
            best = own.argmax(axis=1)
            at = np.arange(len(rows))
            chosen = near[at, best] & np.isfinite(own[at, best])
            to, goal = rows[chosen], HALVES * number + half
            pick = at[chosen], best[chosen]
            weight[to, goal] = self._weight[to, goal]
            self._opened.field(goals, "place")[to, goal] = found.place[pick]
            self._opened.field(goals, "normal")[to, goal] = found.normal[pick]
            allowed = found.depth[pick] - excess[pick]
            self._opened.field(goals, "level")[to, goal] = found.level[pick] - allowed

    def _allowed(self, hull: Hull, tip: int) -> Floats:
        """How deep a part is in the source's floor, metres; (f,)."""
        stretch = self._opened.stretch
        poses = self._opened.frames.tips(stretch, stretch.source)[:, tip]
        return np.maximum(0.0, self._floor - hull.lowest(poses[:, :3], poses[:, 3:]))

    def _depths(
        self, hull: Hull, lowest: Floats, turn: Floats, place: Floats, rows: Ints
    ) -> _Depths:
        """Depths of the lowest points (r, k, 3) of rings and of the edges between them."""
        points = place[:, None] + np.einsum("fij,fkj->fki", turn, lowest)
        across = _across(points)
        ground = self._underfoot.at(points, rows[:, None])
        height = np.where(ground.triangle < 0, -np.inf, ground.height)
        upward = _upward(ground.slope)
        # In the middle of a part, the shortest way out may be across it.
        sideways = ~hull.ends & (across[:, None, 2] < upward[..., 2])
        normal = np.where(sideways[..., None], across[:, None], upward)
        rise = np.where(np.isfinite(height), height - points[..., 2], -np.inf)
        depth = rise * normal[..., 2]
        touched = points + np.where(np.isfinite(rise), rise, 0.0)[..., None] * [0.0, 0.0, 1.0]
        level = np.einsum("rki,rki->rk", normal, touched)
        flat = _Depths(depth, lowest, normal, level)
        edges = self._edge_depths(points, lowest, height, ground.slope, across, rows)
        return _Depths(*(np.concatenate(pair, axis=1) for pair in zip(flat, edges, strict=True)))

    def _edge_depths(
        self,
        points: Floats,
        lowest: Floats,
        height: Floats,
        slope: Floats,
        across: Floats,
        rows: Ints,
    ) -> _Depths:
        """Depths of edges of the ground between neighbouring places (r, k, 3) of a part."""
        way = np.diff(points, axis=1)
        expected = height[:, :-1] + (slope[:, :-1] * way[..., :2]).sum(axis=-1)
        with np.errstate(invalid="ignore"):
            rise = height[:, 1:] - expected
        jumps = np.isfinite(rise) & (np.abs(rise) > BODY.edge * self._scale)
        shape = jumps.shape
        depth, level = np.full(shape, -np.inf), np.zeros(shape)
        normal = np.broadcast_to(across[:, None], (*shape, 3)).copy()
        share = np.full(shape, 0.5)
        row, part = np.nonzero(jumps)
        if len(row):
            # From the upper end towards the lower one, up to the edge.
            up = rise[row, part] > 0.0
            upper, lower = np.where(up, 1.0, 0.0), np.where(up, 0.0, 1.0)
            start, along = points[row, part], way[row, part]
            top = np.where(up, height[row, part + 1], height[row, part])
            for _ in range(HALVINGS):
                middle = (upper + lower) / 2.0
                here = self._underfoot.at(start + middle[:, None] * along, rows[row]).height
                is_upper = top - here < np.abs(rise[row, part]) / 2.0
                upper, lower = np.where(is_upper, middle, upper), np.where(is_upper, lower, middle)
                top = np.where(is_upper, here, top)
            at = start + upper[:, None] * along
            edge = at.copy()
            edge[:, 2] = top
            share[row, part] = upper
            depth[row, part] = (top - at[:, 2]) * across[row, 2]
            level[row, part] = np.einsum("ni,ni->n", across[row], edge)
        place = lowest[:, :-1] + share[..., None] * np.diff(lowest, axis=1)
        return _Depths(depth, place, normal, level)


def _upward(slope: Floats) -> Floats:
    """Normals (..., 3) of slopes (..., 2)."""
    normal = np.concatenate([-slope, np.ones((*slope.shape[:-1], 1))], axis=-1)
    return np.asarray(normal / np.linalg.norm(normal, axis=-1, keepdims=True))


def _across(points: Floats) -> Floats:
    """Upward directions (r, 3) across the axes of parts whose points are (r, k, 3)."""
    along = points[:, -1] - points[:, 0]
    along /= np.maximum(np.linalg.norm(along, axis=-1, keepdims=True), 1e-12)
    upward = np.asarray([0.0, 0.0, 1.0] - along[:, 2:] * along)
    size = np.linalg.norm(upward, axis=-1, keepdims=True)
    return np.asarray(np.where(size > 1e-6, upward / np.maximum(size, 1e-12), 0.0))
