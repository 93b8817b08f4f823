"""Solve a clip: a waving hand goes around a ball that flies through its way, without a jerk.

Shows a goal that changes over frames (`Track`), `solve_clip`, its progress, and what it does to
solve all frames together. Run it with `python examples/04_clip.py`; Blender is not needed.
"""

from __future__ import annotations

import numpy as np

from blender_bioik.solver import (
    Displacement,
    Distance,
    Joint,
    KinematicTree,
    Settings,
    Tip,
    Track,
    forward_kinematics,
    solve_clip,
)

FRAMES, RADIUS = 120, 0.12  # metres: ball and hand together

X, Y, Z = (1, 0, 0), (0, 1, 0), (0, 0, 1)
arm = KinematicTree(
    [
        Joint("shoulder swing", None, axis=Z),
        Joint("shoulder lift", "shoulder swing", axis=Y),
        Joint("elbow", "shoulder lift", axis=Z, position=(0.3, 0, 0), lower=0.0, upper=2.6),
        Joint("wrist", "elbow", axis=Y, position=(0.25, 0, 0)),
    ],
    [Tip("hand", "wrist", position=(0.1, 0, 0))],
)

wave = np.sin(2.0 * np.pi * np.arange(FRAMES) / 60.0)
source = np.stack([0.5 * wave, -0.1 + 0.1 * wave, 0.7 + 0.3 * wave, 0.0 * wave], axis=1)
way = forward_kinematics(arm, source).tip_positions[:, 0]
# The ball crosses the way of the hand, beside where the hand is at frame 60.
ball = way[60] + np.linspace(-0.4, 0.4, FRAMES)[:, None] * (0.3, 0.2, 0.9) + (0.03, 0.0, 0.0)

goals = [
    Track(Distance("hand", ball[0], minimum=RADIUS, activation=0.02), {"point": ball}),
    Displacement("source", weight=0.01),
]
print(
    f"Animated, the hand comes within {np.linalg.norm(way - ball, axis=1).min():.3f} m of the ball."
)

for smoothness, name in ((0.0, "frame by frame"), (1.0, "all together")):
    progress: list[int] = []
    clip = solve_clip(
        arm,
        goals,
        source,
        Settings(smoothness=smoothness),
        progress=lambda done, total, heard=progress: heard.append(done),
    )
    solved = forward_kinematics(arm, clip.values).tip_positions[:, 0]
    nearest = np.linalg.norm(solved - ball, axis=1).min()
    correction = np.degrees(clip.values - source)
    jolt = np.abs(np.diff(correction, n=2, axis=0)).max()
    print(f"Solved {name}: {progress[-1]} frames, goal reached in {clip.success.sum()}.")
    print(f"  The hand comes within {nearest:.3f} m of the ball.")
    print(f"  Joints are up to {np.abs(correction).max():.1f} degrees off the animation.")
    print(f"  Largest jolt of a joint: {jolt:.2f} degrees per frame squared.")
