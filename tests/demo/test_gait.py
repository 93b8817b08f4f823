"""The run, judged by numbers: those of a run rather than of a fast walk."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from demo import gait, walk


def test_run_flies_between_steps_and_never_has_both_feet_down() -> None:
    down: dict[str, set[int]] = {"L": set(), "R": set()}
    for contact in walk.contacts(gait.RUN, strides=3):
        down[contact.side] |= set(range(contact.first, contact.last + 1))
    frames = set(range(1, 3 * gait.RUN.cycle_frames + 2))
    assert not down["L"] & down["R"]
    assert len(frames - down["L"] - down["R"]) > 0.2 * len(frames)


def test_run_bends_the_knee_within_reach_and_smoothly() -> None:
    run = gait.stride(gait.RUN)
    frames = np.arange(gait.RUN.cycle_frames)
    leg = run.ankle["L"] - gait.hip_position(gait.RUN, frames, "L")
    knee = np.degrees(gait.knee_flexion(np.linalg.norm(leg, axis=1)))
    assert np.isfinite(knee).all()
    assert knee.min() > 15
    assert 85 < knee.max() < 110
    around = np.r_[knee, knee[:2]]
    assert abs(np.diff(around, n=2)).max() < 6.0


@pytest.mark.parametrize("chosen", [gait.WALK, gait.RUN], ids=lambda chosen: chosen.name)
def test_both_sides_are_half_a_cycle_apart(chosen: gait.Gait) -> None:
    made, half = gait.stride(chosen), chosen.cycle_frames // 2
    left: NDArray[np.float64] = made.ankle["L"] * [-1, 1, 1]
    left[:, 1] -= chosen.stride / 2
    np.testing.assert_allclose(made.ankle["R"][half:], left[:half], atol=1e-12)
