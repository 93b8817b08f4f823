"""Write a goal of your own: two hands carry a tray, which must stay level.

Shows `CustomGoal` with and without a derivative of its own, and `probe`, which checks it.
Run it with `python examples/05_custom_goal.py`; Blender is not needed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from blender_bioik.solver import (
    CustomGoal,
    Displacement,
    Joint,
    KinematicTree,
    Pose,
    Position,
    Tip,
    forward_kinematics,
    probe,
    solve_pose,
)


class Level(CustomGoal):
    """Two tips at the same height. Without a `jacobian`, differences are taken."""

    def residual(self, pose: Pose) -> list[float]:
        """Difference of the heights, metres."""
        return [pose.position("left")[2] - pose.position("right")[2]]


class FastLevel(Level):
    """The same with its derivative, which saves a call of `residual` for each joint."""

    def jacobian(self, pose: Pose) -> NDArray[np.float64]:
        """Derivative of the residual by the joint values, (1, joints)."""
        return (pose.tip_jacobian("left") - pose.tip_jacobian("right"))[2:3]


def arm(side: str, across: float) -> list[Joint]:
    """Shoulder and elbow, hanging beside the body, which bend forward (about Y)."""
    return [
        Joint(f"{side} shoulder", "body", axis=(0, 1, 0), position=(0, across, 0.5)),
        Joint(f"{side} elbow", f"{side} shoulder", axis=(0, 1, 0), position=(0, 0, -0.3)),
    ]


tree = KinematicTree(
    [Joint("body", None, axis=(1, 0, 0)), *arm("left", 0.2), *arm("right", -0.2)],
    [Tip(side, f"{side} elbow", position=(0.25, 0, -0.05)) for side in ("left", "right")],
)
seed = np.array([0.1, -0.2, -0.3, 0.1, -0.5])  # leans to one side
goals = [Position("left", (0.33, 0.2, 0.2)), Displacement("source", weight=0.001)]

for tray in (Level(rows=1, tolerance=1e-4), FastLevel(rows=1, tolerance=1e-4)):
    before = probe(tree, tray, seed)
    solution = solve_pose(tree, [*goals, tray], seed)
    left, right = forward_kinematics(tree, solution.values).tip_positions[0]
    print(f"{type(tray).__name__}: {solution.stop.value}")
    after = abs(left[2] - right[2])
    print(f"  tilted by {1e3 * before.error:.0f} mm before, {1e3 * after:.2f} mm after")
    print(f"  derivative by the joints at the start: {before.jacobian[0].round(3)}")
