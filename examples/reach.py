"""A two-armed robot reaches for two points and looks at a third: what the solver does, in print."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from blender_bioik.solver import (
    Displacement,
    KinematicTree,
    LookAt,
    Position,
    Track,
    find_poses,
    solve_clip,
    solve_pose,
)

MODEL = Path(__file__).parent.parent / "benchmarks" / "robots" / "val35.json"


def main() -> None:
    """Solve a pose, find alternatives to it, and solve a clip."""
    tree = KinematicTree.from_dict(json.loads(MODEL.read_text()))
    rest = tree.clipped(np.zeros(tree.size))
    goals = [
        Position("rightPalm", (0.45, -0.25, 0.30)),
        Position("leftPalm", (0.40, 0.30, 0.45)),
        LookAt("head", (0.45, -0.25, 0.30), axis=(1, 0, 0)),
        Displacement("source"),
    ]
    solution = solve_pose(tree, goals, rest)
    print(f"{tree.size} joints, {len(goals)} goals: {solution.stop.value}")
    for goal, error, reached in zip(goals, solution.errors, solution.reached, strict=True):
        unit = "degrees" if goal.unit == "rad" else "m"
        print(f"  {goal.label}: off by {error:.2g} {unit}{'' if reached else ', NOT reached'}")
    print(f"  {solution.evaluations} evaluations, {solution.iterations} generations")

    poses = find_poses(tree, goals, rest, count=4)
    print(f"{len(poses)} distinct poses to choose from:")
    for pose in poses:
        print(f"  mean change {np.degrees(np.abs(pose.values - rest).mean()):.1f} degrees")

    turn = np.linspace(0.0, 2.0 * np.pi, 240)
    circle = np.stack([0.45 + 0 * turn, -0.25 + 0.1 * np.cos(turn), 0.3 + 0.1 * np.sin(turn)], 1)
    hand = Track(Position("rightPalm", (0, 0, 0)), {"point": circle})
    clip = solve_clip(tree, [hand, *goals[1:]], np.tile(rest, (240, 1)))
    step = np.degrees(np.abs(np.diff(clip.values, axis=0)).max())
    share = clip.success.mean()
    print(f"A clip of 240 frames: {share:.0%} reached, largest step {step:.1f} degrees")


if __name__ == "__main__":
    main()
