"""The goals of a problem as the kernels read them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..goals.base import Goal, Layout
from ..kernels.arena import DATA_LIST, GOAL_SCRATCH, GOALS, JOINT_LIST
from ..kernels.compiled import Floats, Ints
from ..kernels.goal_columns import (
    CALLED,
    CALLED_TIP,
    COLUMNS,
    DATA,
    DATA_END,
    DERIVE_AT,
    JOINTS,
    JOINTS_END,
    KIND,
    OTHER_TIP,
    ROW,
    ROW_END,
    SCORE_AT,
    SCRATCH,
    THIRD_TIP,
    TIP,
    VARIANT,
)
from ..kernels.layout import Arena
from ..kernels.together import compile_together


class GoalTable(NamedTuple):
    """Goals laid out, before their places in the arena are known.

    Attributes:
        goals: Integers of each goal; (goals, COLUMNS).
        data: Fixed numbers of all goals.
        joints: Joints of all goals, among the active ones.
        rows: Rows of the Jacobian.
        scratch: Numbers that goals keep while they are evaluated.
    """

    goals: Ints
    data: Floats
    joints: Ints
    rows: int
    scratch: int


def goal_table(layouts: Sequence[Layout], tip_number: dict[int, int], number: Ints) -> GoalTable:
    """Lay goals out; `tip_number` and `number` are those of tips and joints in the arena."""
    table = np.full((len(layouts), COLUMNS), -1, dtype=np.int64)
    data: list[Floats] = [np.empty(0)]
    joints: list[Ints] = [np.empty(0, np.int64)]
    row = scratch = 0
    for entry, layout in zip(table, layouts, strict=True):
        kept = layout.joints[number[layout.joints] >= 0]
        entry[VARIANT] = layout.variant
        for column, tip in zip((TIP, OTHER_TIP, THIRD_TIP), layout.tips, strict=False):
            entry[column] = tip_number.get(tip, -1)
        entry[DATA] = sum(map(len, data))
        entry[DATA_END] = entry[DATA] + len(layout.data)
        entry[JOINTS] = sum(map(len, joints))
        entry[JOINTS_END] = entry[JOINTS] + len(kept)
        entry[ROW], entry[ROW_END] = row, row + layout.rows
        entry[SCRATCH] = scratch
        row += layout.rows
        scratch += layout.scratch
        data.append(layout.data)
        joints.append(number[kept])
    return GoalTable(table, np.concatenate(data), np.concatenate(joints), row, scratch)


def link_goals(arena: Arena, wanted: Sequence[Goal], layouts: Sequence[Layout]) -> None:
    """Point the goals at their numbers, joints and scratch in the arena, and at their units."""
    compile_together([unit for goal in wanted for unit in goal.units() or ()])
    I = arena.ints
    table = I[I[GOALS] : I[GOALS] + COLUMNS * len(wanted)].reshape(len(wanted), COLUMNS)
    table[:, [DATA, DATA_END]] += I[DATA_LIST]
    table[:, [JOINTS, JOINTS_END]] += I[JOINT_LIST]
    table[:, SCRATCH] += I[GOAL_SCRATCH]
    for entry, goal, layout in zip(table, wanted, layouts, strict=True):
        by_tip = goal.kind == CALLED and layout.family == "tip"
        entry[KIND] = CALLED_TIP if by_tip else goal.kind
        units = goal.units()
        if units is not None:
            entry[SCORE_AT], entry[DERIVE_AT] = units[0].address(), units[1].address()
