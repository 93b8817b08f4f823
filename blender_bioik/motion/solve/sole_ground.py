"""The ground under all sole points while their feet are being solved: planes that follow them.

In each evaluation the ground is sampled under every sole point, and the point must stay above the
plane that touches it there. A point that crosses an edge (of a stair, of a rock) in a step would be
pushed up and fall back forever, so the upper side of an edge is remembered.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...solver.clips.goal_list import GoalHandle
from ...solver.clips.open_clip import OpenClip
from ..feet import BALL, RIM, Floats, Foot
from ..ground.underfoot import Ground
from ..plan.plan import Plan
from ..plan.swing_bumps import find_bumps
from ..plan.tuning import SOLES, SWINGS
from ..tilt import upright_share
from ..tuning import BODY
from .sole_edges import depth_between, sole_parts
from .tuning import DESCENT, GROUND

Mask = NDArray[np.bool_]


# What `SoleGround` keeps for each row.
_BY_ROW = (
    *("_rows", "_swing", "_lift", "_margin", "_free", "_bumps", "_firm", "_weight"),
    *("_press", "_edge", "_edge_plan", "_forgotten", "_depth", "_away", "_bridge"),
)


class GroundGoals(NamedTuple):
    """Ground goals; each handle is for all sole points, feet in order.

    Attributes:
        outside: Sole points do not penetrate the ground; then rim points.
        above: Sole points swing above it.
    """

    outside: GoalHandle
    above: GoalHandle


class SoleGround:
    """Keeps the ground goals up to date with the poses."""

    def __init__(
        self,
        opened: OpenClip,
        goals: GroundGoals,
        plan: Plan,
        feet: Sequence[Foot],
        soles: Sequence[int],
        rims: Sequence[Sequence[int]],
        scale: float,
    ) -> None:
        """Take over the ground goals.

        Args:
            opened: The clip.
            goals: Its ground goals.
            plan: The plan of the feet.
            feet: The feet of the source.
            soles: Numbers of the tips of their sole points.
            rims: Of each foot the numbers of the tips at the sides of its sole.
            scale: Size of the character relative to one of 1.6 m.
        """
        self._opened, self.goals, self._underfoot = opened, goals, plan.underfoot
        self._tips = [*soles, *(tip for rim in rims for tip in rim)]
        frames, count = len(opened.stretch.source), len(self._tips)
        beside = count - len(soles)
        self._soles = slice(0, len(soles))
        self._rows = np.broadcast_to(np.arange(frames)[:, None], (frames, count))
        self._lift = _of_points([foot.lift for foot in plan.feet], [len(rim) for rim in rims])
        self._clearance = np.pad(np.concatenate([foot.clearance for foot in feet]), (0, beside))
        self._swing = np.concatenate([foot.swing for foot in plan.feet], axis=1)
        locked = np.stack([foot.height_lock > 0.0 for foot in plan.feet], axis=1)
        swinging = ~locked.any(axis=2) & np.array([not rim for rim in rims])
        self._margin = np.pad(
            SWINGS.step * scale * np.repeat(swinging, 3, axis=1), ((0, 0), (0, beside))
        )
        # Planted feet have planned positions, so edges next to them do not matter: not where one of
        # their points has left, or those beside it would be raised all of a sudden.
        held = np.stack([foot.plan_lock > 0.0 for foot in plan.feet], axis=1).any(axis=2)
        planted = np.repeat(held, 3, axis=1)
        planted[:, BALL::3] |= locked[..., BALL]
        self._free = np.ones((frames, count), bool)
        self._free[:, self._soles] = ~planted
        self._bumps = np.full((frames, count), -np.inf)
        self._bumps[:, self._soles] = find_bumps(plan, feet, scale)
        self._parts = sole_parts([len(rim) for rim in rims])
        self._bridge = _bridges(plan, [len(rim) for rim in rims], frames)
        # Ground that leans more than an ankle can penetrates the sides of a planted ball at any
        # weight: more weight would only lift the ball.
        yielding = np.zeros((frames, count), bool)
        yielding[:, len(soles) :] = _beside_planted(locked[..., BALL], rims)
        self._firm = ~yielding
        self._weight = opened.weight(goals.outside).copy()
        self._press = np.ones_like(self._weight)
        self._edge = np.full_like(self._weight, -np.inf)
        self._edge_plan = np.zeros((*self._weight.shape, 2))
        self._scale = scale
        self._forgotten = np.zeros(self._weight.shape, bool)
        self._last: tuple[Floats, Floats, Floats] | None = None
        self._depth = np.zeros_like(self._weight)
        self._away = np.zeros(self._weight.shape, bool)
        self.remembers_edges = False
        self.new_edges = 0

    def soften(self, times: float) -> None:
        """Scale the penetration that points are allowed."""
        self._opened.weight(self.goals.outside)[:] = self._weight * self._press / times**2

    @property
    def allowed(self) -> float:
        """How far points may be from where they belong, metres."""
        return SOLES.lift * self._scale

    @property
    def too_deep(self) -> float:
        """Excess penetration of the deepest point, as a share of what is allowed."""
        return max(0.0, float(self._depth.max()) / self.allowed - 1.0)

    def part(self, opened: OpenClip, first: int, stop: int) -> SoleGround:
        """The ground of some of the rows, of which the open clip is a part; in the same memory."""
        part, rows = copy(self), slice(first, stop)
        part._opened, part._last = opened, None
        for name in _BY_ROW:
            setattr(part, name, getattr(self, name)[rows])
        return part

    def press(self) -> Mask:
        """Raise the weight of points in the ground; returns their rows (f,)."""
        deep = self._depth > SOLES.lift * self._scale
        self._press[deep] = np.minimum(self._press[deep] * DESCENT.stiffer, DESCENT.stiffest)
        return np.asarray(deep.any(axis=1))

    def lift(self, values: Floats) -> Mask:
        """Raise points with an edge between them, in poses (f, n); returns their rows (f,)."""
        points, ground = self._look(values)
        bottoms = points.copy()
        bottoms[..., 2] -= self._clearance * upright_share(_walkable(ground.slope)) + self._lift
        rows = self._rows[:, 0]
        depth = depth_between(self._parts, bottoms, rows, ground, self._underfoot, self._scale)
        deep = self._free & self._firm & (depth > SOLES.lift * self._scale)
        self._bumps[deep] = np.maximum(self._bumps, bottoms[..., 2] + depth)[deep]
        return np.asarray(deep.any(axis=1))

    def forget_edges(self) -> Mask:
        """Forget edges that points have left behind, once for each; returns their rows (f,)."""
        leaving = self._away & ~self._forgotten
        self._edge[leaving] = -np.inf
        self._forgotten |= leaving
        return np.asarray(leaving.any(axis=1))

    def forget_all_edges(self) -> None:
        """Forget all edges."""
        self._edge[:] = -np.inf

    def update(self, values: Floats, *, settle: bool) -> None:
        """Move the planes under the sole points of poses.

        Args:
            values: The poses; (f, n).
            settle: Whether steps will start from these poses, so that edges are crossed from here.
        """
        points, ground = self._look(values)
        height, slope = ground.height, _walkable(ground.slope)
        if self.remembers_edges and self._last is not None:
            self._remember(points, height)
        if settle or self._last is None:
            self._last = height, slope, points[..., :2].copy()
        on_edge = self._edge > height
        self._away = on_edge & (
            np.linalg.norm(points[..., :2] - self._edge_plan, axis=-1)
            > GROUND.edge_reach * self._scale
        )
        height = np.where(on_edge, self._edge, height)
        on_edge |= self._bumps > height
        height = np.maximum(height, self._bumps)
        slope = np.where(on_edge[..., None], 0.0, slope)
        clearance = self._clearance * upright_share(slope)
        steep = np.minimum(1.0, np.linalg.norm(slope, axis=-1) / BODY.steepest)
        top = height + clearance + self._lift
        self._depth = np.where(self._firm, top - points[..., 2], -np.inf)
        outside = top + SOLES.lift * self._scale + self._margin * steep
        self._put_planes(self.goals.outside, points, outside, slope)
        soles = self._soles
        swing = top[:, soles] + self._swing
        self._put_planes(self.goals.above, points[:, soles], swing, slope[:, soles])

    def _look(self, values: Floats) -> tuple[Floats, Ground]:
        """Places (f, points, 3) of all points of poses (f, n), and the ground under them."""
        points = self._opened.frames.tips(self._opened.stretch, values)[:, self._tips, :3]
        ground = self._underfoot.at(points, self._rows)
        bridged = (ground.triangle < 0) & ~np.isnan(self._bridge)
        return points, ground._replace(height=np.where(bridged, self._bridge, ground.height))

    def _put_planes(self, goals: GoalHandle, points: Floats, height: Floats, slope: Floats) -> None:
        """Move goals' planes below points (f, n, 3): their heights there (f, n), and slopes."""
        point, normal = (self._opened.field(goals, name) for name in ("point", "normal"))
        point[..., :2] = points[..., :2]
        point[..., 2] = height
        # Not of unit length, because the height over the ground counts.
        normal[..., :2] = -slope
        normal[..., 2] = 1.0

    def _remember(self, points: Floats, height: Floats) -> None:
        """Note the upper sides of edges between the poses settled on and these."""
        assert self._last is not None
        before, slope, plan = self._last
        expected = before + (slope * (points[..., :2] - plan)).sum(axis=-1)
        jump = height - expected
        edge, known = BODY.edge * self._scale, SOLES.lift * self._scale
        up, down = self._free & (jump > edge), self._free & (jump < -edge)
        self.new_edges += int((up & (height > self._edge + known)).sum())
        upper = np.where(up, height, np.where(down, before, -np.inf))
        higher = upper > self._edge
        self._edge[higher] = upper[higher]
        self._edge_plan[higher] = np.where(up[..., None], points[..., :2], plan)[higher]


def _bridges(plan: Plan, rims: Sequence[int], frames: int) -> Floats:
    """Heights of feet planted over a hole, metres, which serve as their ground; (f, n).

    The bridge of the body's path keeps rising over a hole if the ground behind it is higher.
    """
    soles = np.full((frames, 3 * len(rims)), np.nan)
    beside = [np.full((frames, count), np.nan) for count in rims]
    for i, foot in enumerate(plan.feet):
        for step in foot.footsteps:
            if step.over_hole:
                rows = slice(step.contact.first, step.contact.stop)
                for heights in (soles[:, 3 * i : 3 * i + 3], beside[i]):
                    heights[rows] = step.place[:, 2:]
    return np.concatenate([soles, *beside], axis=1)


def _of_points(values: Sequence[Floats], rims: Sequence[int]) -> Floats:
    """Values of feet (f,) for each of their sole points, feet in order, then rim points; (f, n)."""
    feet = np.stack(values, axis=1)
    return np.concatenate([np.repeat(feet, 3, axis=1), np.repeat(feet, rims, axis=1)], axis=1)


def _beside_planted(planted: Mask, rims: Sequence[Sequence[int]]) -> Mask:
    """Which rim points of all feet are next to balls while these are planted (f, feet); (f, n)."""
    beside = [np.array(RIM[: len(rim)]) == BALL for rim in rims]
    return np.concatenate([planted[:, [i]] & which for i, which in enumerate(beside)], axis=1)


def _walkable(slope: NDArray[np.float64]) -> Floats:
    """Slopes for use in steps: the steeper the ground beyond walking, the more level it counts."""
    size = np.linalg.norm(slope, axis=-1, keepdims=True)
    return np.asarray(slope * np.minimum(1.0, (BODY.steepest / np.maximum(size, 1e-9)) ** 2))
