"""Benchmark robots, random reachable queries and the judge of every solver's answers.

Nothing here imports the solver under test: the forward kinematics below is written with plain
4x4 matrices, so that a mistake in a solver's own kinematics cannot hide itself.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

REVOLUTE = 0
PRISMATIC = 1
LOOK_TIP = "head"
"""A tip of this name is asked to look at a point instead of reaching a pose."""
LOOK_DISTANCE = 1.5
"""Distance in metres of the looked-at point along the local +x axis of the true pose."""
LIMIT_TOL = 1e-9
"""How far outside its limits a joint may be before an answer is rejected."""

_ROBOTS = Path(__file__).parents[1] / "robots"
_FLOAT_KEYS = ("pos", "rot", "axis", "lo", "hi", "tip_pos", "tip_rot")
_INT_KEYS = ("parent", "type", "tip_joint")


@dataclass(frozen=True)
class Robot:
    """A kinematic tree as plain numbers; joints are ordered parents first.

    Attributes:
        name: Name of the robot.
        names: Joint names.
        parent: Index of each joint's parent joint, -1 for the base.
        pos: Origin of each joint in its parent's frame, `[n, 3]`.
        rot: Rotation from each joint's frame to its parent's at zero, `[n, 3, 3]`.
        axis: Unit axis of each joint in its own frame, `[n, 3]`.
        type: `REVOLUTE` or `PRISMATIC` for each joint.
        lo: Lower joint limits.
        hi: Upper joint limits.
        tips: Tip names.
        tip_joint: Index of the joint that carries each tip.
        tip_pos: Position of each tip in its joint's frame, `[k, 3]`.
        tip_rot: Rotation of each tip in its joint's frame, `[k, 3, 3]`.
    """

    name: str
    names: tuple[str, ...]
    parent: Ints
    pos: Floats
    rot: Floats
    axis: Floats
    type: Ints
    lo: Floats
    hi: Floats
    tips: tuple[str, ...]
    tip_joint: Ints
    tip_pos: Floats
    tip_rot: Floats

    @classmethod
    def load(cls, name: str) -> Robot:
        """Load one of the robots listed by `robot_names`."""
        data = json.loads((_ROBOTS / f"{name}.json").read_text(encoding="utf-8"))
        arrays: dict[str, Any] = {}
        arrays |= {key: np.array(data[key], dtype=np.float64) for key in _FLOAT_KEYS}
        arrays |= {key: np.array(data[key], dtype=np.int64) for key in _INT_KEYS}
        return cls(data["name"], tuple(data["names"]), tips=tuple(data["tips"]), **arrays)

    @property
    def dof(self) -> int:
        """Number of joints."""
        return len(self.names)

    @property
    def window(self) -> tuple[Floats, Floats]:
        """Limits to draw random joint values from: at most half a turn each way if revolute."""
        turning = self.type == REVOLUTE
        lower = np.where(turning, np.maximum(self.lo, -math.pi), self.lo)
        upper = np.where(turning, np.minimum(self.hi, math.pi), self.hi)
        return lower, upper

    def looks(self, tip: int) -> bool:
        """Whether a tip has a look-at goal rather than a pose goal."""
        return self.tips[tip] == LOOK_TIP

    def sample(self, count: int, rng: np.random.Generator) -> Floats:
        """Draw `count` joint vectors uniformly from the sampling window."""
        lower, upper = self.window
        return lower + (upper - lower) * rng.random((count, self.dof))


@dataclass(frozen=True)
class Queries:
    """Reachable queries: what to reach, where to start, and one answer known to be right.

    Attributes:
        targets: Wanted tip poses, `[N, k, 4, 4]`. For a look-at tip this is the true pose, of
            which only `look_point` is asked.
        seeds: Joint values each solver starts from, `[N, n]`.
        truth: Joint values that made the targets, `[N, n]`.
    """

    targets: Floats
    seeds: Floats
    truth: Floats

    def __len__(self) -> int:
        return len(self.targets)


def robot_names() -> list[str]:
    """Names of the robots that `Robot.load` knows."""
    return sorted(path.stem for path in _ROBOTS.glob("*.json"))


def serial_chain(dof: int, limit: float = math.pi) -> Robot:
    """Make a hyper-redundant arm: `dof` equal links, 1 m in all, bending about x and y in turn."""
    link = 1.0 / dof
    pos = np.zeros((dof, 3))
    pos[1:, 2] = link
    return Robot(
        name=f"serial{dof}",
        names=tuple(f"joint_{i}" for i in range(dof)),
        parent=np.arange(-1, dof - 1, dtype=np.int64),
        pos=pos,
        rot=np.tile(np.eye(3), (dof, 1, 1)),
        axis=np.eye(3)[np.arange(dof) % 2],
        type=np.full(dof, REVOLUTE, dtype=np.int64),
        lo=np.full(dof, -limit),
        hi=np.full(dof, limit),
        tips=("tip",),
        tip_joint=np.array([dof - 1], dtype=np.int64),
        tip_pos=np.array([[0.0, 0.0, link]]),
        tip_rot=np.eye(3)[None],
    )


def forward(robot: Robot, q: Floats) -> Floats:
    """Poses of all tips for a batch of joint vectors.

    Args:
        robot: The robot.
        q: Joint values, `[N, n]`.

    Returns:
        Tip poses in the base frame, `[N, k, 4, 4]`.
    """
    frames: list[Floats] = []
    for i in range(robot.dof):
        local = _matrix(robot.pos[i], robot.rot[i]) @ _joint_motion(robot, i, q[:, i])
        parent = robot.parent[i]
        frames.append(local if parent < 0 else frames[parent] @ local)
    tips = np.empty((len(q), len(robot.tips), 4, 4))
    for k, joint in enumerate(robot.tip_joint):
        tips[:, k] = frames[joint] @ _matrix(robot.tip_pos[k], robot.tip_rot[k])
    return tips


def look_point(pose: Floats) -> Floats:
    """Point that a look-at tip of the given true pose `[..., 4, 4]` looks at."""
    return pose[..., :3, 3] + LOOK_DISTANCE * pose[..., :3, 0]


def random_queries(robot: Robot, count: int, rng: np.random.Generator) -> Queries:
    """Make reachable queries from random joint values, with random starting points."""
    truth = robot.sample(count, rng)
    return Queries(forward(robot, truth), robot.sample(count, rng), truth)


def smooth_clip(
    robot: Robot, frames: int, rng: np.random.Generator, period: float = 100.0
) -> Queries:
    """Make a cyclic motion of `frames` frames, each frame seeded by the one before.

    Every joint swings sinusoidally with a random phase through the middle 80 % of its sampling
    window, once (even joints) or twice (odd joints) in `period` frames.
    """
    lower, upper = robot.window
    phase = rng.uniform(0.0, 2.0 * math.pi, robot.dof)
    speed = 1 + np.arange(robot.dof) % 2
    angle = 2.0 * math.pi * np.arange(frames)[:, None] * speed / period + phase
    truth = 0.5 * (lower + upper) + 0.4 * (upper - lower) * np.sin(angle)
    return Queries(forward(robot, truth), np.vstack([truth[:1], truth[:-1]]), truth)


def judge(
    robot: Robot,
    queries: Queries,
    answers: Floats,
    position_tol: float = 1e-4,
    angle_tol: float = 1e-3,
) -> Bools:
    """Tell which answers `[N, n]` reach all goals within the tolerances and the joint limits.

    A missing answer is a row of NaN, which is never right.
    """
    tips = forward(robot, answers)
    good: Bools = np.all(
        (answers >= robot.lo - LIMIT_TOL) & (answers <= robot.hi + LIMIT_TOL), axis=1
    )
    for k in range(len(robot.tips)):
        if robot.looks(k):
            good &= _look_angle(tips[:, k], look_point(queries.targets[:, k])) <= angle_tol
        else:
            offset = tips[:, k, :3, 3] - queries.targets[:, k, :3, 3]
            good &= np.linalg.norm(offset, axis=1) <= position_tol
            good &= _turn_angle(tips[:, k], queries.targets[:, k]) <= angle_tol
    return good


def _matrix(position: Floats, rotation: Floats) -> Floats:
    """Build a 4x4 transform."""
    out = np.eye(4)
    out[:3, :3] = rotation
    out[:3, 3] = position
    return out


def _joint_motion(robot: Robot, joint: int, values: Floats) -> Floats:
    """Transforms `[N, 4, 4]` of one joint moved by `values`: Rodrigues' formula, or a slide."""
    axis = robot.axis[joint]
    out = np.tile(np.eye(4), (len(values), 1, 1))
    if robot.type[joint] == PRISMATIC:
        out[:, :3, 3] = values[:, None] * axis
        return out
    x, y, z = axis
    skew = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    sine, cosine = np.sin(values)[:, None, None], np.cos(values)[:, None, None]
    out[:, :3, :3] += sine * skew + (1.0 - cosine) * (skew @ skew)
    return out


def _turn_angle(first: Floats, second: Floats) -> Floats:
    """Angles between the rotations of two batches of poses, exact for small angles too."""
    chord = np.linalg.norm(first[:, :3, :3] - second[:, :3, :3], axis=(1, 2))
    half: Floats = np.arcsin(np.minimum(chord / math.sqrt(8.0), 1.0))
    return 2.0 * half


def _look_angle(tips: Floats, points: Floats) -> Floats:
    """Angles between the local +x axes of a batch of tips and their directions to points."""
    ahead = tips[:, :3, 0]
    wanted = points - tips[:, :3, 3]
    across = np.linalg.norm(np.cross(ahead, wanted), axis=1)
    angle: Floats = np.arctan2(across, np.sum(ahead * wanted, axis=1))
    return angle
