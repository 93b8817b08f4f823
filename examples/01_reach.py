"""Reach for a point with a human arm, and see what is reported where it is too far away.

Shows a joint model, goals with tolerances and a preference, and what a solution holds.
Run it with `python examples/01_reach.py`; Blender is not needed.
"""

from __future__ import annotations

import numpy as np

from blender_bioik.solver import (
    Displacement,
    Joint,
    KinematicTree,
    LookAt,
    Position,
    Tip,
    solve_pose,
)

X, Y, Z = (1, 0, 0), (0, 1, 0), (0, 0, 1)

# A left arm along X: upper arm 0.3 m, forearm 0.25 m, hand 0.1 m. Limits are in radians.
arm = KinematicTree(
    [
        Joint("shoulder swing", None, axis=Z, lower=-2.0, upper=2.0),
        Joint("shoulder lift", "shoulder swing", axis=Y, lower=-1.5, upper=1.5),
        Joint("shoulder twist", "shoulder lift", axis=X, lower=-1.5, upper=1.5),
        Joint("elbow", "shoulder twist", axis=Z, position=(0.3, 0, 0), lower=0.0, upper=2.6),
        Joint("forearm twist", "elbow", axis=X, lower=-1.5, upper=1.5),
        Joint("wrist", "forearm twist", axis=Y, position=(0.25, 0, 0), lower=-1.2, upper=1.2),
    ],
    [Tip("hand", "wrist", position=(0.1, 0, 0))],
)
rest = np.zeros(arm.size)

for name, point in {"a cup": (0.40, 0.25, -0.15), "the moon": (0.90, 0.25, 0.60)}.items():
    goals = [
        Position("hand", point, tolerance=1e-3),
        # Preferences have no tolerance: they decide only what the other goals leave open.
        LookAt("hand", (0.8, 0.4, -0.15), axis=X, weight=0.01, tolerance=None),
        Displacement("source", weight=0.001),
    ]
    solution = solve_pose(arm, goals, seed=rest)
    print(f"The hand reaches for {name}: {solution.stop.value}.")
    print(f"  {1e3 * solution.errors[0]:.2f} mm away, reached: {solution.reached[0]}")
    for joint, angle in zip(arm.names, np.degrees(solution.values), strict=True):
        print(f"  {joint:14} {angle:6.1f} degrees")
