"""What counts as missed while a clip is solved."""

from __future__ import annotations

import numpy as np
import pytest

from blender_bioik.motion.solve.descent import off_places
from blender_bioik.solver import Clip, Joint, KinematicTree, Tip, Track
from blender_bioik.solver.clips.goal_list import GoalList
from blender_bioik.solver.clips.open_clip import open_clip
from blender_bioik.solver.clips.whole_clip import Inertia
from blender_bioik.solver.goals.ground import Hold

FIRM, SOFT = 1e4, 1e2


@pytest.mark.parametrize(
    ("shares", "expected"),
    [
        ([[FIRM, FIRM, FIRM]] * 5, 0.003),
        ([[0.0, 0.0, FIRM]] * 5, 0.0),
        ([[SOFT, SOFT, SOFT]] + [[FIRM, FIRM, FIRM]] * 4, 0.00003),
    ],
    ids=["planted", "sliding", "eased"],
)
def test_only_planted_balls_are_off_their_places(
    shares: list[list[float]], expected: float
) -> None:
    tree = KinematicTree(
        [Joint("way", None, kind="prismatic", axis=(1, 0, 0))], [Tip("ball", "way")]
    )
    goals = GoalList()
    lock = goals.add(Track(Hold("ball", (0, 0, 0)), {"share": np.array(shares)}))
    source = np.zeros((5, 1))
    with open_clip(tree, goals.goals, Clip(source), Inertia(np.ones(1), np.ones(1))) as opened:
        values = source.copy()
        values[0] = 0.003
        assert off_places(opened, [lock], values) == pytest.approx(expected)
