"""The arena: every table has its own memory, of the declared size.

Tests of: arena, declaration, goal_columns.
"""

from __future__ import annotations

import numpy as np
import pytest

from blender_bioik.solver import Balance, Joint, KinematicTree, Pole, Position, Tip
from blender_bioik.solver.kernels import arena
from blender_bioik.solver.kernels.declaration import Counts, Numbering, Tables, per_joint
from blender_bioik.solver.kernels.goal_columns import COLUMNS, SCRATCH
from blender_bioik.solver.kernels.layout import lay_out
from blender_bioik.solver.poses.problem import compile_problem

COUNTS = Counts(5, 3, 4, slots=2, rows=6, width=4, goal_joints=7, goal_numbers=8, goal_scratch=9)
GROUPS = (
    (arena.fixed_ints, arena.evolution_ints),
    (arena.fixed_floats, arena.scratch_floats, arena.evolution_floats),
)


def test_numbers_follow_the_declaration() -> None:
    numbering = Numbering()
    tables = Tables(numbering)
    first, (second, third), fourth = (
        numbering.one(),
        numbering.block(2),
        tables.table(per_joint(3)),
    )
    assert [first, second, third, fourth, numbering.one()] == [0, 1, 2, 3, 4]
    assert tables.sizes[fourth](COUNTS) == 15


NO_WORDS = {"HEADER", "COLUMNS", "PARAMETER_COUNT", "BFGS_MEMORY", "PER_GENE", "PER_INDIVIDUAL"}


def test_every_header_word_has_one_name() -> None:
    words = [
        value
        for name, value in vars(arena).items()
        if name.isupper() and not name.endswith("_SIZE") and name not in NO_WORDS
    ]
    assert sorted(words) == list(range(arena.HEADER))


@pytest.mark.parametrize("kind", [0, 1])
def test_tables_fill_the_memory_without_overlap(kind: int) -> None:
    laid_out = lay_out(COUNTS, {}).with_population(6, 2)
    header = laid_out.ints
    counts = COUNTS._replace(population=6, elites=2)
    end = (arena.HEADER, 0)[kind]
    for tables in GROUPS[kind]:
        for word, size in tables.sizes.items():
            assert header[word] == end
            end += size(counts)
    lengths = (len(header), laid_out.length)
    assert lengths[kind] == end
    assert tuple(header[[arena.INT_LENGTH, arena.FLOAT_LENGTH]]) == lengths


def test_fixed_tables_are_filled_and_must_have_their_size() -> None:
    lower = np.arange(5.0)
    ints, floats = lay_out(COUNTS, {arena.LOWER: lower}).arrays()
    start = ints[arena.LOWER]
    np.testing.assert_array_equal(floats[start : start + 5], lower)
    with pytest.raises(ValueError, match="5 numbers, not 4"):
        lay_out(COUNTS, {arena.LOWER: lower[:4]})


def test_every_goal_has_scratch_of_its_own() -> None:
    tree = KinematicTree(
        [Joint("a"), Joint("b", "a", position=(1, 0, 0))],
        [Tip("root", "a"), Tip("middle", "b"), Tip("end", "b", (1, 0, 0))],
    )
    pole = Pole("root", "middle", "end", (0, 0, 1))
    goals = [pole, Position("end", (1, 1, 0)), Balance({"a": 1.0}), pole]
    sizes = [goal.layout(tree).scratch for goal in goals]
    assert sizes == [9, 0, 9, 9]
    laid_out = compile_problem(tree, goals).arena
    table = laid_out.ints[laid_out.ints[arena.GOALS] :][: COLUMNS * 4].reshape(4, COLUMNS)
    starts = table[:, SCRATCH] - laid_out.ints[arena.GOAL_SCRATCH]
    np.testing.assert_array_equal(starts, [0, 9, 9, 18])
    assert laid_out.counts.goal_scratch == 27
