"""Turn neck and head to a moving target, each by its share.

Shows a look-at goal, a joint coupling that splits the turn between two bones, and a goal that is a
preference. Run it with `python examples/02_look_at.py`; Blender is not needed.
"""

from __future__ import annotations

import numpy as np

from blender_bioik.solver import (
    Displacement,
    Joint,
    JointFunction,
    KinematicTree,
    LookAt,
    Tip,
    solve_pose,
)

Y, Z = (0, 1, 0), (0, 0, 1)
NECK_LIMIT, HEAD_LIMIT = np.radians(40.0), np.radians(60.0)

# The face looks along X. Each bone turns to the side (about Z), then up and down (about Y).
tree = KinematicTree(
    [
        Joint("neck turn", None, axis=Z, lower=-NECK_LIMIT, upper=NECK_LIMIT),
        Joint("neck nod", "neck turn", axis=Y, lower=-NECK_LIMIT, upper=NECK_LIMIT),
        Joint("head turn", "neck nod", axis=Z, position=(0, 0, 0.12), lower=-1.0, upper=1.0),
        Joint("head nod", "head turn", axis=Y, lower=-HEAD_LIMIT, upper=HEAD_LIMIT),
    ],
    [Tip("eyes", "head nod", position=(0.09, 0, 0.08))],
)

pose = np.zeros(tree.size)
for degrees in (0, 30, 60, 90, 150):
    side = np.radians(degrees)
    target = (2.0 * np.cos(side), 2.0 * np.sin(side), 0.5)
    goals = [
        LookAt("eyes", target, axis=(1, 0, 0), tolerance=np.radians(0.5)),
        # The neck takes half of what the head turns, as far as the look-at allows.
        JointFunction("neck turn", {"head turn": 0.5}, weight=0.01, tolerance=None),
        Displacement("source", weight=0.001),
    ]
    solution = solve_pose(tree, goals, seed=pose)
    pose = solution.values  # the next target starts from here
    neck, head = np.degrees(pose[[0, 2]])
    seen = "sees it" if solution.success else f"{solution.errors[0]:.0f} degrees short"
    print(f"target at {degrees:3} degrees: neck {neck:5.1f}, head {head:5.1f}, {seen}")
