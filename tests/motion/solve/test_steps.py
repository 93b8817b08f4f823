"""Steps of a whole clip and of parts of it: the rest stays."""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from blender_bioik.motion.feet import Floats
from blender_bioik.motion.solve.sole_ground import SoleGround
from blender_bioik.motion.solve.steps import Steps, _Knots
from blender_bioik.solver import Clip, Joint, KinematicTree, Tip, Track
from blender_bioik.solver.clips.open_clip import HELD, open_clip
from blender_bioik.solver.clips.whole_clip import Inertia
from blender_bioik.solver.goals.ground import Hold

from ...builders.motion.grounds import plate
from ...builders.motion.standing import FRAMES, at, standing_on

SUNK = -0.05


def test_a_part_that_is_all_of_it_steps_alike() -> None:
    with standing_on([plate()]) as (ground, opened):
        ground.soften(1.0)
        steps = Steps(opened, ground)
        whole = steps.step(at(z=SUNK))
        part = steps.part(0, FRAMES).step(at(z=SUNK))
        np.testing.assert_array_equal(part.values, whole.values)
        assert part.before == whole.before
        assert whole.after < whole.before


def test_rows_at_the_ends_of_a_part_are_held() -> None:
    with standing_on([plate()]) as (ground, opened):
        ground.soften(1.0)
        part = Steps(opened, ground).part(1, FRAMES)
        sunk = at(z=SUNK)[1:]
        found = part.step(sunk)
        np.testing.assert_array_equal(found.values[:HELD], sunk[:HELD])
        assert (found.values[HELD:, 2] > SUNK).all()
        assert found.after < found.before


def test_what_is_asked_of_the_clip_is_asked_of_its_parts() -> None:
    with standing_on([plate()]) as (ground, opened):
        steps = Steps(opened, ground)
        ground.update(at(z=SUNK), settle=True)
        assert ground.press().all()
        ground.soften(1.0)
        part = steps.part(1, 4)
        outside = ground.goals.outside
        weight = opened.weight(outside)
        np.testing.assert_array_equal(part._opened.weight(outside), weight[1:4])
        before = part.cost(at(z=SUNK)[1:4])
        weight[1:4, 0] *= 2.0
        assert part.cost(at(z=SUNK)[1:4]) > before


def test_settling_ends_when_it_is_cancelled() -> None:
    with standing_on([plate()]) as (ground, opened):
        ground.soften(1.0)
        steps = Steps(opened, ground)
        values, settled = steps.settle(at(z=SUNK), lambda: False)
        np.testing.assert_array_equal(values, at(z=SUNK))
        assert not settled
        _, settled = steps.settle(at(z=SUNK), lambda: True)
        assert settled


class _NoGround:
    """Nothing to stand on."""

    new_edges = 0

    def update(self, values: Floats, settle: bool) -> None:
        """Nothing changes."""


def test_limited_rows_do_not_hold_back_distant_ones() -> None:
    """An arm that has to turn by a quarter turn at first, and by a little later on."""
    tree = KinematicTree([Joint("arm", None, axis=(0, 0, 1))], [Tip("hand", "arm", (1, 0, 0))])
    turn = np.where(np.arange(100) < 20, 1.6, 0.05)
    points = np.stack([np.cos(turn), np.sin(turn), np.zeros(100)], axis=-1)
    track = Track(Hold("hand", (0.0, 0.0, 0.0)), {"point": points})
    inertia = Inertia(np.array([1e-6]), np.array([1e-6]))
    with open_clip(tree, [track], Clip(np.zeros((100, 1))), inertia) as opened:
        off = {}
        for spacing in (10, None):
            steps = Steps(opened, cast(SoleGround, _NoGround()), spacing)
            found = steps.step(np.zeros((100, 1)))
            assert found.after < found.before
            off[spacing] = float(np.abs(found.values[40:, 0] - 0.05).max())
        assert off[10] < 1e-3
        assert off[None] > 0.01


@given(
    arrays(float, st.integers(1, 50), elements=st.floats(0.0, 1e3)),
    st.one_of(st.none(), st.integers(1, 60)),
)
def test_knots_share_out_all_of_what_rows_have(values: Floats, spacing: int | None) -> None:
    knots = _Knots(len(values), spacing)
    sums = knots.sums(values)
    assert sums.sum() == pytest.approx(values.sum())
    assert knots.largest(values).max() == values.max()
    np.testing.assert_allclose(knots.between(np.ones(len(sums))), 1.0)
