"""Goals on a tree, compiled into the arrays of a solve: only the joints that matter."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from ..errors import GoalError
from ..goals.base import Goal, Layout
from ..goals.custom import PythonGoal
from ..kernels.arena import (
    ANCESTORS,
    DATA_LIST,
    DEPTH,
    ERROR,
    GOALS,
    INNER_SLOT,
    JOINT_LIST,
    LOWER,
    PARAMETERS,
    PARENT,
    POSE,
    POSE_SIZE,
    PRISMATIC,
    REACH,
    REST,
    SCORE,
    SLOT,
    SOFTNESS,
    SOURCE,
    TIP_JOINT,
    TIP_POSE,
    UPPER,
)
from ..kernels.compiled import Floats, Ints
from ..kernels.declaration import Counts
from ..kernels.goal_columns import PARAMETER_COUNT, TIP
from ..kernels.layout import Arena, lay_out
from ..kinematics.forward import packed_rest, packed_tips
from ..kinematics.tree import KinematicTree
from .goal_table import goal_table, link_goals
from .sparsity import ancestor_rows, elimination_tree, slots

# A stiffness of one still needs a finite softness; this one keeps a joint still.
LEAST_SOFTNESS = 1e-6
DEGREES = 180.0 / math.pi
# Problems remembered for a tree before the oldest is dropped.
REMEMBERED = 64


class Places(NamedTuple):
    """Places of a single solve's inputs and results in F."""

    parameters: slice
    source: slice
    pose: slice
    error: slice
    fitness: int


@dataclass(frozen=True)
class Problem:
    """A tree with goals on it, ready for the kernels.

    `active` are the tree's joints that take part, in order; the arena and `rest` are over those.
    The other joints keep their values.
    """

    tree: KinematicTree
    active: Ints
    whole: bool
    arena: Arena
    rest: Floats
    python_goals: bool
    # For each goal, the factor from its error in metres or radians to metres or degrees.
    readable: tuple[float, ...]
    places: Places
    # The tree's tips that take part, in the arena's order.
    tips: tuple[int, ...]
    # Which active joints each goal wants to move, (goals, n).
    wants: NDArray[np.bool_]
    # The workspace last used; kept by solve.py.
    held: dict[str, object] = field(default_factory=dict)


def compile_problem(
    tree: KinematicTree, goals: Sequence[Goal], all_joints: bool = False
) -> Problem:
    """Compile goals for a tree; goals with the same layout find the problem already compiled.

    So do goals on a tree of the same structure, where only the places of joints and tips are
    replaced. Only joints that goals move take part, unless `all_joints` is set.
    """
    for goal in goals:
        if not isinstance(goal, Goal):
            raise GoalError(f"A goal must be one of the solver's goals, not {goal!r}.")
    key = (all_joints, *[goal.key for goal in goals])
    problem = cast("Problem | None", tree.compiled.get(key))
    if problem is None:
        problem = _compile(tree, goals, all_joints)
        while len(tree.compiled) >= REMEMBERED:
            tree.compiled.pop(next(iter(tree.compiled)))
    elif problem.tree is not tree:
        problem = _on_tree(problem, tree)
    if not problem.python_goals:
        tree.compiled[key] = problem
    return problem


def _compile(tree: KinematicTree, wanted: Sequence[Goal], all_joints: bool) -> Problem:
    layouts = [goal.layout(tree) for goal in wanted]
    python_goals = any(layout.in_python for layout in layouts)
    involved = [_involved_joints(tree, layout) for layout in layouts]
    active = np.arange(tree.size) if all_joints else _active_joints(tree, layouts, involved)
    tips = list(range(len(tree.tip_names)))
    if not python_goals:
        tips = sorted({tip for layout in layouts for tip in layout.tips if tip >= 0})
    number = np.full(tree.size, -1, dtype=np.int64)
    number[active] = np.arange(len(active))
    taking_part = [number[[joint for joint in joints if number[joint] >= 0]] for joints in involved]
    rest = flat_rest(packed_rest(tree), active)
    arena = _arena(tree, layouts, taking_part, active, number, tips, rest)
    link_goals(arena, wanted, layouts)
    wants = np.zeros((len(wanted), len(active)), dtype=bool)
    for row, layout, joints in zip(wants, layouts, taking_part, strict=True):
        row[joints] = layout.moves
    return Problem(
        tree,
        active,
        len(active) == tree.size,
        arena,
        rest,
        python_goals,
        tuple(DEGREES if goal.unit_on(tree) == "rad" else 1.0 for goal in wanted),
        _places(arena),
        tuple(tips),
        wants,
    )


def _arena(
    tree: KinematicTree,
    layouts: Sequence[Layout],
    involved: Sequence[Ints],
    active: Ints,
    number: Ints,
    tips: Sequence[int],
    rest: Floats,
) -> Arena:
    """Lay goals out for the kernels.

    Args:
        tree: The tree.
        layouts: The goals.
        involved: The joints that each goal depends on, among the active ones.
        active: The joints that take part.
        number: The number of every joint of the tree among these, -1 for the others.
        tips: The tips that take part.
        rest: Static transforms of the active joints.
    """
    parent = _renumbered(tree.parent[active], number)
    tip_joint = _renumbered(tree.tip_joint[tips], number)
    table = goal_table(layouts, {tip: k for k, tip in enumerate(tips)}, number)
    owners = [table.goals[g, TIP] for g, layout in enumerate(layouts) if layout.family == "tip"]
    slot, inner_slot = slots(parent, {int(tip_joint[tip]) for tip in owners})
    coupled = [
        joints for layout, joints in zip(layouts, involved, strict=True) if layout.family == "rows"
    ]
    depth, ancestors = ancestor_rows(elimination_tree(parent, slot, coupled))
    counts = Counts(
        joints=len(active),
        tips=len(tips),
        goals=len(layouts),
        slots=len(inner_slot),
        rows=table.rows,
        width=ancestors.shape[1],
        goal_joints=len(table.joints),
        goal_numbers=len(table.data),
        goal_scratch=table.scratch,
    )
    return lay_out(
        counts,
        {
            PARENT: parent,
            PRISMATIC: tree.prismatic[active],
            DEPTH: depth,
            ANCESTORS: ancestors,
            SLOT: slot,
            INNER_SLOT: inner_slot,
            TIP_JOINT: tip_joint,
            GOALS: table.goals,
            JOINT_LIST: table.joints,
            SOFTNESS: np.maximum(1.0 - tree.stiffness[active], LEAST_SOFTNESS),
            DATA_LIST: table.data,
            **_placed_tables(tree, active, tips, rest),
        },
    )


def _placed_tables(
    tree: KinematicTree, active: Ints, tips: Sequence[int], rest: Floats
) -> dict[int, Floats]:
    """The tables that depend on where joints and tips are, and on limits."""
    return {
        LOWER: tree.lower[active],
        UPPER: tree.upper[active],
        REST: rest[0],
        TIP_POSE: packed_tips(tree)[list(tips)],
        REACH: _reach(tree, tips),
    }


def _on_tree(problem: Problem, tree: KinematicTree) -> Problem:
    """The same problem for another tree of the same structure."""
    rest = flat_rest(packed_rest(tree), problem.active)
    fixed = problem.arena.fixed.copy()
    for entry, table in _placed_tables(tree, problem.active, problem.tips, rest).items():
        start = problem.arena.ints[entry]
        fixed[start : start + table.size] = table.ravel()
    arena = problem.arena._replace(fixed=fixed)
    return replace(problem, tree=tree, arena=arena, rest=rest, held={})


def _places(arena: Arena) -> Places:
    I, n, goals = arena.ints, arena.counts.joints, arena.counts.goals

    def place(table: int, size: int) -> slice:
        return slice(int(I[table]), int(I[table]) + size)

    return Places(
        parameters=place(PARAMETERS, goals * PARAMETER_COUNT),
        source=place(SOURCE, n),
        pose=place(POSE, n),
        error=place(ERROR, goals),
        fitness=int(I[SCORE]) + 1,
    )


def flat_rest(rest: Floats, active: Ints) -> Floats:
    """Static transforms (frames or 1, 7 n) of the active joints."""
    return np.ascontiguousarray(rest[:, active].reshape(len(rest), POSE_SIZE * len(active)))


def _renumbered(joints: Ints, number: Ints) -> Ints:
    """Joint indices among the active joints; -1 stays -1."""
    found = np.full(len(joints), -1, dtype=np.int64)
    found[joints >= 0] = number[joints[joints >= 0]]
    return found


def _involved_joints(tree: KinematicTree, layout: Layout) -> list[int]:
    """Joints a goal depends on, parents before children."""
    if layout.in_python:
        return list(range(tree.size))
    joints = set(layout.joints.tolist())
    carriers = [int(tree.tip_joint[tip]) for tip in layout.tips if tip >= 0]
    if layout.carried:
        carriers += layout.joints.tolist()
    for joint in carriers:
        joints.update(tree.chain(joint))
    return sorted(joints)


def _active_joints(
    tree: KinematicTree, layouts: Sequence[Layout], involved: Sequence[list[int]]
) -> Ints:
    """Joints that some goal wants to move, with all that carry them.

    A displacement from the seed, the previous frame or the source leaves joints alone that no other
    goal moves.
    """
    active: set[int] = set()
    for layout, joints in zip(layouts, involved, strict=True):
        if not layout.moves:
            continue
        for joint in joints:
            active.update(tree.chain(joint))
    return np.array(sorted(active), dtype=np.int64)


def _reach(tree: KinematicTree, tips: Sequence[int]) -> Floats:
    """Chain length and root of each tip; the last row has the longest chain of the tree."""
    rows = []
    for tip in tips:
        chain = tree.chain(int(tree.tip_joint[tip]))
        root = tree.rest_position[chain[-1]] if chain else np.zeros(3)
        rows.append([_positive(tree.chain_length(tip)), *root])
    longest = max((tree.chain_length(tip) for tip in range(len(tree.tip_names))), default=0.0)
    if longest == 0.0:
        longest = float(np.linalg.norm(tree.rest_position, axis=-1).sum())
    rows.append([_positive(longest), 0.0, 0.0, 0.0])
    return np.array(rows)


def _positive(length: float) -> float:
    """A length to divide by; one metre for a chain of zero length."""
    return length if length > 1e-9 else 1.0


def stack_parameters(goals: Sequence[Goal]) -> Floats:
    """Parameters (goals * columns) of goals that hold for a single frame."""
    return np.frombuffer(b"".join([goal.packed for goal in goals]))


def python_goals_of(goals: Sequence[Goal]) -> Sequence[PythonGoal]:
    """The goals as the kernels call them; only those that run in Python are called."""
    return cast("Sequence[PythonGoal]", goals)
