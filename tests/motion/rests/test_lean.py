"""A body leans as far as its arm is too short for what the hand holds, and no further."""

from __future__ import annotations

import numpy as np
import pytest

from blender_bioik.motion.feet import BALL, Contact, Floats
from blender_bioik.motion.rests.find_holds import arm_length
from blender_bioik.motion.rests.lean import leaning
from blender_bioik.motion.rests.part_plan import PartPlanner

from ...builders.motion.gaits import foot_along
from ...builders.motion.grounds import plan_on, plate
from ...builders.motion.parts import RATE, capsule, lying

FRAMES, LENGTH = 120, 0.6
STAYS = np.zeros((FRAMES, 3))


def lean(down: float) -> Floats:
    """For a straight arm that hangs, and whose hand holds what is so much further down."""
    shoulder = lying(FRAMES, z=1.4)
    parts = [
        capsule("upper", shoulder, limb=None, following="lower"),
        capsule("lower", shoulder - [0.0, 0.0, 0.5 * LENGTH], limb="arm", following="hand"),
        capsule("hand", shoulder - [0.0, 0.0, LENGTH], limb="arm", holds=True),
    ]
    assert arm_length(parts) == pytest.approx(LENGTH)
    hold = Contact(2, BALL, 50, 70, held=(0.0, 0.0, -down))
    underfoot = plan_on([plate()], [foot_along("leg", lying(FRAMES))], []).underfoot
    planner = PartPlanner(underfoot, np.zeros(FRAMES), STAYS, RATE, 1.0)
    rests = [planner.plan(part, [hold] if part.name == "hand" else []) for part in parts]
    return leaning(parts, rests, STAYS, RATE)


def test_it_goes_down_to_what_is_out_of_reach_and_comes_back() -> None:
    found = lean(0.03)
    assert found[50:70, 2] == pytest.approx(-0.03, abs=0.002)
    assert np.abs(found[:, :2]).max() < 1e-6
    assert np.abs(found[[0, -1]]).max() < 1e-6
    assert np.abs(np.diff(found[:, 2], n=2)).max() < 0.002


def test_what_is_in_reach_does_not_move_the_body() -> None:
    assert np.abs(lean(-0.05)).max() == 0.0
