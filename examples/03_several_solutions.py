"""Find all the ways in which a robot arm of six joints reaches one place.

There are eight: shoulder left or right, elbow up or down, wrist turned over or not. Shows
`find_poses`, forward kinematics, and a robot stored as JSON.
Run it with `python examples/03_several_solutions.py`; Blender is not needed.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from blender_bioik.solver import (
    KinematicTree,
    Orientation,
    Position,
    find_poses,
    forward_kinematics,
)

UR5 = Path(__file__).parent.parent / "benchmarks" / "robots" / "ur5.json"
START = np.radians([20.0, -70.0, 90.0, -60.0, -80.0, 10.0])
ELBOW = 2  # number of the joint

robot = json.loads(UR5.read_text(encoding="utf-8"))
# Its joints turn twice around; with one turn each, the same pose is not found twice.
robot["lo"], robot["hi"] = [-np.pi] * 6, [np.pi] * 6
tree = KinematicTree.from_dict(robot)

at_start = forward_kinematics(tree, START)
tool = tree.tip_names[0]
goals = [
    Position(tool, at_start.tip_positions[0, 0]),
    Orientation(tool, at_start.tip_quaternions[0, 0]),
]
poses = find_poses(tree, goals, START, count=12)

print(f"{len(poses)} poses put the tool at {at_start.tip_positions[0, 0].round(3)}:")
for number, pose in enumerate(poses, 1):
    angles = " ".join(f"{angle:6.0f}" for angle in np.degrees(pose.values))
    elbow = forward_kinematics(tree, pose.values).joint_positions[0, ELBOW, 2]
    print(f"{number:2}: {angles} degrees, elbow {elbow:5.2f} m high, reached: {pose.success}")

highest = max(
    poses, key=lambda pose: forward_kinematics(tree, pose.values).joint_positions[0, ELBOW, 2]
)
print("Highest elbow:", np.degrees(highest.values).round(0) + 0.0)
