"""Known misses of a resting part are measured as such."""

from __future__ import annotations

import numpy as np
import pytest

from blender_bioik.motion.feet import BALL, Contact
from blender_bioik.motion.measure.rest_quality import measure_rest
from blender_bioik.motion.rests.part_plan import PartPlanner

from ...builders.motion.gaits import foot_along
from ...builders.motion.grounds import plan_on, plate
from ...builders.motion.parts import RATE, capsule, lying

FRAMES = 60


def test_a_part_that_is_moved_slides_floats_and_sinks_by_that() -> None:
    part = capsule("hand", lying(FRAMES))
    plan = plan_on([plate()], [foot_along("leg", lying(FRAMES, z=0.5))], [])
    planner = PartPlanner(plan.underfoot, np.zeros(FRAMES), np.zeros((FRAMES, 3)), RATE, 1.0)
    rest = planner.plan(part, [Contact(0, BALL, 0, FRAMES)])
    good = measure_rest(rest, part.place, part.turn)
    assert good.frames == FRAMES
    assert max(good.drift.max(), good.floating.max(), good.sinking.max()) < 1e-6
    moved = part.place.copy()
    moved[20] += [0.003, 0.004, 0.02]
    moved[40] -= [0.0, 0.0, 0.03]
    found = measure_rest(rest, moved, part.turn)
    assert found.drift[20] == pytest.approx(0.005)
    assert found.floating[20] == pytest.approx(0.02)
    assert found.sinking[40] == pytest.approx(0.03)
