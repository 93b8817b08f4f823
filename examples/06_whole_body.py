"""Pose a whole body: feet stay, hands reach, the head looks, and the weight stays over the feet.

The model is NASA's Valkyrie with 35 joints, three of which move its pelvis.
Run it with `python examples/06_whole_body.py`; Blender is not needed.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from blender_bioik.solver import (
    Balance,
    Displacement,
    KinematicTree,
    LookAt,
    Orientation,
    Position,
    forward_kinematics,
    solve_pose,
)

VALKYRIE = Path(__file__).parent.parent / "benchmarks" / "robots" / "val35.json"
# Rough masses of the segments, kg, by the joint that moves each.
MASSES = {"torsoRoll": 50.0, "neckYaw": 5.0, "root_z": 12.0} | {
    f"{side}{part}": mass
    for side in ("left", "right")
    for part, mass in (
        ("ElbowPitch", 4.0),
        ("WristPitch", 3.0),
        ("HipPitch", 9.0),
        ("KneePitch", 7.0),
    )
}

tree = KinematicTree.from_dict(json.loads(VALKYRIE.read_text(encoding="utf-8")))
stand = np.zeros(tree.size)
for side in ("left", "right"):  # knees bent a little, so that they know which way to bend
    for part, angle in (("HipPitch", -0.4), ("KneePitch", 0.8), ("AnklePitch", -0.4)):
        stand[tree.joint_index(side + part)] = angle
standing = forward_kinematics(tree, tree.clipped(stand))
places = dict(zip(tree.tip_names, standing.tip_positions[0], strict=True))
between = (places["leftFoot"] + places["rightFoot"]) / 2.0
box = between + np.array([0.45, 0.0, 0.6])
across = np.array([0.0, 0.2, 0.0])

goals = [
    Position("leftFoot", places["leftFoot"], tolerance=1e-3),
    Position("rightFoot", places["rightFoot"], tolerance=1e-3),
    Orientation("leftFoot", (1, 0, 0, 0), tolerance=0.01),
    Orientation("rightFoot", (1, 0, 0, 0), tolerance=0.01),
    Position("leftPalm", box + across, tolerance=1e-3),
    Position("rightPalm", box - across, tolerance=1e-3),
    LookAt("head", box, axis=(1, 0, 0), tolerance=0.02),
    Balance(MASSES, point=between, tolerance=0.02),
    Displacement("source", weight=0.001),
]
solution = solve_pose(tree, goals, seed=stand)

print(f"{tree.size} joints: {solution.stop.value}.")
for goal, error, reached in zip(goals, solution.errors, solution.reached, strict=True):
    if goal.tolerance is None:
        continue  # a preference: it is never missed
    off = f"{error:.2f} degrees" if goal.unit_on(tree) == "rad" else f"{1e3 * error:.2f} mm"
    print(f"  {goal.label:28} {off:>14}  {'reached' if reached else 'MISSED'}")
pelvis = solution.values[tree.joint_index("root_z")]
knee = np.degrees(solution.values[tree.joint_index("leftKneePitch")])
print(f"The pelvis goes down by {-1e3 * pelvis:.0f} mm; the left knee bends by {knee:.0f} degrees.")
