"""Steps of a clip and of parts of it: the rest stays, and what is asked is shared."""

from __future__ import annotations

import numpy as np

from blender_bioik.motion.steps import HELD, Steps
from blender_bioik.solver.goals.base import WEIGHT

from .grounds import plate
from .test_sole_ground import FRAMES, at, standing_on

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
        np.testing.assert_array_equal(part._opened.table, opened.table[1:4])
        before = part.cost(at(z=SUNK)[1:4])
        opened.table[1:4, 0, WEIGHT] *= 2.0
        assert part.cost(at(z=SUNK)[1:4]) > before


def test_settling_ends_when_nobody_goes_on() -> None:
    with standing_on([plate()]) as (ground, opened):
        ground.soften(1.0)
        steps = Steps(opened, ground)
        values, settled = steps.settle(at(z=SUNK), lambda: False)
        np.testing.assert_array_equal(values, at(z=SUNK))
        assert not settled
        _, settled = steps.settle(at(z=SUNK), lambda: True)
        assert settled
