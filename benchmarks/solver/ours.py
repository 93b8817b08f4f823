"""The solver under test, driven with the benchmark's robots and queries."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np
from scipy.spatial.transform import Rotation

from benchmarks.solver.robots import Floats, Queries, Robot, look_point
from blender_bioik.solver import (
    ClipSolution,
    Goal,
    KinematicTree,
    LookAt,
    Orientation,
    Position,
    Settings,
    Solution,
    Track,
    solve_clip,
    solve_pose,
)

LOOK_AXIS = (1.0, 0.0, 0.0)
"""Local axis a look-at tip looks along, as the judge measures it."""
BATCH = Settings(warm_start="source", threads=1)
"""Independent queries in one compiled call on one thread."""


class Ours:
    """A robot as our solver knows it.

    Args:
        robot: The robot.
        points: Tips of which only the position is asked.
    """

    def __init__(self, robot: Robot, points: Collection[str] = ()) -> None:
        self.robot = robot
        self.points = points
        self.tree = KinematicTree.from_dict(_as_dict(robot))
        if self.tree.names != robot.names:
            raise ValueError(f"The solver reordered the joints of {robot.name}.")

    def goals(self, targets: Floats) -> list[list[Goal]]:
        """Goals of every query with the given tip poses `[N, k, 4, 4]`."""
        quaternions = _quaternions(targets)
        looked_at = look_point(targets)
        return [
            self._goals(targets[i, :, :3, 3].tolist(), quaternions[i].tolist(), looked_at[i])
            for i in range(len(targets))
        ]

    def tracks(self, targets: Floats) -> list[Track]:
        """The same goals as tracks with one frame for every query."""
        quaternions = _quaternions(targets)
        tracks: list[Track] = []
        for k, tip in enumerate(self.robot.tips):
            if self.robot.looks(k):
                look = LookAt(tip, (0.0, 0.0, 0.0), axis=LOOK_AXIS)
                tracks.append(Track(look, {"point": look_point(targets[:, k])}))
                continue
            tracks.append(
                Track(Position(tip, (0.0, 0.0, 0.0)), {"point": targets[:, k, :3, 3].copy()})
            )
            if tip not in self.points:
                turned = Orientation(tip, (1.0, 0.0, 0.0, 0.0))
                tracks.append(Track(turned, {"quaternion_wxyz": quaternions[:, k]}))
        return tracks

    def solve_batch(
        self, tracks: Sequence[Track], seeds: Floats, settings: Settings = BATCH
    ) -> ClipSolution:
        """Solve independent queries in one call."""
        return solve_clip(self.tree, tracks, seeds, settings)

    def solve_one(
        self, goals: Sequence[Goal], seed: Floats, settings: Settings | None = None
    ) -> Solution:
        """Solve one query."""
        return solve_pose(self.tree, goals, seed, settings)

    def _goals(
        self,
        positions: list[list[float]],
        quaternions: list[list[float]],
        looked_at: Floats,
    ) -> list[Goal]:
        goals: list[Goal] = []
        for k, tip in enumerate(self.robot.tips):
            if self.robot.looks(k):
                x, y, z = looked_at[k].tolist()
                goals.append(LookAt(tip, (x, y, z), axis=LOOK_AXIS))
                continue
            x, y, z = positions[k]
            goals.append(Position(tip, (x, y, z)))
            if tip not in self.points:
                a, b, c, d = quaternions[k]
                goals.append(Orientation(tip, (a, b, c, d)))
        return goals


def with_tips(robot: Robot, tips: Sequence[str], name: str | None = None) -> Robot:
    """The robot asked for some of its tips only; joints that move none of them take no part."""
    kept = [robot.tips.index(tip) for tip in tips]
    return replace(
        robot,
        name=name or robot.name,
        tips=tuple(tips),
        tip_joint=robot.tip_joint[kept],
        tip_pos=robot.tip_pos[kept],
        tip_rot=robot.tip_rot[kept],
    )


def with_joint_tip(robot: Robot, joint: str, tip: str) -> Robot:
    """The robot with one more tip, at the origin of a joint."""
    return replace(
        robot,
        tips=(*robot.tips, tip),
        tip_joint=np.append(robot.tip_joint, robot.names.index(joint)),
        tip_pos=np.vstack([robot.tip_pos, np.zeros(3)]),
        tip_rot=np.concatenate([robot.tip_rot, np.eye(3)[None]]),
    )


def moving_joints(robot: Robot) -> int:
    """Number of joints that move any of the tips."""
    moving: set[int] = set()
    for tip_joint in robot.tip_joint.tolist():
        joint = tip_joint
        while joint >= 0:
            moving.add(joint)
            joint = int(robot.parent[joint])
    return len(moving)


def part(queries: Queries, first: int, last: int) -> Queries:
    """Some of the queries."""
    return Queries(
        queries.targets[first:last], queries.seeds[first:last], queries.truth[first:last]
    )


def _quaternions(targets: Floats) -> Floats:
    """Quaternions (w, x, y, z) of poses `[N, k, 4, 4]`."""
    matrices = targets[..., :3, :3].reshape(-1, 3, 3)
    xyzw = Rotation.from_matrix(matrices).as_quat()
    wxyz: Floats = np.roll(xyzw, 1, axis=-1).reshape(*targets.shape[:2], 4)
    return wxyz


def _as_dict(robot: Robot) -> dict[str, object]:
    """The robot in the format of the JSON models."""
    arrays = ("parent", "pos", "rot", "axis", "type", "lo", "hi", "tip_joint", "tip_pos", "tip_rot")
    data: dict[str, object] = {name: getattr(robot, name).tolist() for name in arrays}
    return data | {"names": list(robot.names), "tips": list(robot.tips)}
