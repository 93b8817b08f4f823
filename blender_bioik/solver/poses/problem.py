"""Goals on a tree, compiled into the arrays of a solve: only the joints that can matter."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from ..errors import GoalError
from ..goals.base import (
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
    PARAMETER_COUNT,
    ROW,
    ROW_END,
    SCORE_AT,
    THIRD_TIP,
    TIP,
    VARIANT,
    WHOLE_POSE,
    Goal,
    Layout,
)
from ..goals.custom import PythonGoal
from ..kernels.arena import (
    DATA_LIST,
    ERROR,
    GOAL_COUNT,
    GOALS,
    JOINT_COUNT,
    JOINT_LIST,
    LOWER,
    PARAMETERS,
    POSE,
    POSE_SIZE,
    REACH,
    REST,
    SCORE,
    SOURCE,
    TIP_POSE,
    UPPER,
    Arena,
    Tables,
    lay_out,
)
from ..kernels.compiled import Floats, Ints
from ..kernels.together import compile_together
from ..kinematics.forward import packed_rest, packed_tips
from ..kinematics.tree import KinematicTree

# A stiffness of one still needs a finite softness; this one keeps a joint still.
LEAST_SOFTNESS = 1e-6
DEGREES = 180.0 / math.pi
# Problems remembered for a tree before the oldest is dropped.
REMEMBERED = 64


class Places(NamedTuple):
    """Where a single solve puts its numbers in F, and finds them."""

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

    So do those on a tree like it, where only the numbers of joints and tips are written anew. Only
    joints that goals move take part, unless `all_joints` are wanted.
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
    python_goals = any(_runs_in_python(layout) for layout in layouts)
    involved = [_involved_joints(tree, layout) for layout in layouts]
    active = np.arange(tree.size) if all_joints else _active_joints(tree, layouts, involved)
    number = np.full(tree.size, -1, dtype=np.int64)
    number[active] = np.arange(len(active))
    tips = list(range(len(tree.tip_names)))
    if not python_goals:
        tips = sorted({tip for layout in layouts for tip in layout.tips if tip >= 0})
    parent = _renumbered(tree.parent[active], number)
    tip_joint = _renumbered(tree.tip_joint[tips], number)
    goals, data, joints = _goal_table(layouts, {tip: k for k, tip in enumerate(tips)}, number)
    owners = [goals[g, TIP] for g, layout in enumerate(layouts) if layout.family == "tip"]
    slot, inner_slot = _slots(parent, {int(tip_joint[tip]) for tip in owners})
    coupled = [
        number[joints_of]
        for layout, joints_of in zip(layouts, involved, strict=True)
        if layout.family == "rows"
    ]
    rest = flat_rest(packed_rest(tree), active)
    placed = _placed_tables(tree, active, tips, rest)
    depth, ancestors = _ancestors(_elimination_tree(parent, slot, coupled))
    arena = lay_out(
        Tables(
            parent=parent,
            prismatic=tree.prismatic[active],
            depth=depth,
            ancestors=ancestors,
            slot=slot,
            inner_slot=inner_slot,
            tip_joint=tip_joint,
            goals=goals,
            joint_list=joints,
            lower=placed[LOWER],
            upper=placed[UPPER],
            softness=np.maximum(1.0 - tree.stiffness[active], LEAST_SOFTNESS),
            rest=placed[REST],
            tip_pose=placed[TIP_POSE],
            reach=placed[REACH],
            data_list=data,
            rows=sum(layout.rows for layout in layouts),
            parameters=PARAMETER_COUNT,
        )
    )
    _link(arena, wanted, layouts)
    readable = tuple(DEGREES if goal.unit_on(tree) == "rad" else 1.0 for goal in wanted)
    whole = len(active) == tree.size
    wants = np.zeros((len(wanted), len(active)), dtype=bool)
    for row, layout, joints_of in zip(wants, layouts, involved, strict=True):
        row[number[joints_of]] = layout.moves
    places = _places(arena)
    return Problem(
        tree, active, whole, arena, rest, python_goals, readable, places, tuple(tips), wants
    )


def _placed_tables(
    tree: KinematicTree, active: Ints, tips: Sequence[int], rest: Floats
) -> dict[int, Floats]:
    """The tables that depend on where joints and tips stand and on limits, by arena entry."""
    return {
        LOWER: tree.lower[active],
        UPPER: tree.upper[active],
        REST: rest[0],
        TIP_POSE: packed_tips(tree)[list(tips)],
        REACH: _reach(tree, tips),
    }


def _on_tree(problem: Problem, tree: KinematicTree) -> Problem:
    """A problem for another tree that is like its own."""
    rest = flat_rest(packed_rest(tree), problem.active)
    fixed = problem.arena.fixed.copy()
    for entry, table in _placed_tables(tree, problem.active, problem.tips, rest).items():
        start = problem.arena.ints[entry]
        fixed[start : start + table.size] = table.ravel()
    arena = problem.arena._replace(fixed=fixed)
    return replace(problem, tree=tree, arena=arena, rest=rest, held={})


def _places(arena: Arena) -> Places:
    I = arena.ints
    n, goals = int(I[JOINT_COUNT]), int(I[GOAL_COUNT])

    def place(table: int, size: int) -> slice:
        return slice(int(I[table]), int(I[table]) + size)

    return Places(
        parameters=place(PARAMETERS, goals * PARAMETER_COUNT),
        source=place(SOURCE, n),
        pose=place(POSE, n),
        error=place(ERROR, goals),
        fitness=int(I[SCORE]) + 1,
    )


def _link(arena: Arena, wanted: Sequence[Goal], layouts: Sequence[Layout]) -> None:
    """Point the goals at their numbers and joints in the arena, and at their units."""
    compile_together([unit for goal in wanted for unit in goal.units() or ()])
    I = arena.ints
    table = I[I[GOALS] : I[GOALS] + COLUMNS * len(wanted)].reshape(len(wanted), COLUMNS)
    table[:, [DATA, DATA_END]] += I[DATA_LIST]
    table[:, [JOINTS, JOINTS_END]] += I[JOINT_LIST]
    for entry, goal, layout in zip(table, wanted, layouts, strict=True):
        by_tip = goal.kind == CALLED and layout.family == "tip"
        entry[KIND] = CALLED_TIP if by_tip else goal.kind
        units = goal.units()
        if units is not None:
            entry[SCORE_AT], entry[DERIVE_AT] = units[0].address(), units[1].address()


def _runs_in_python(layout: Layout) -> bool:
    return layout.family == "rows" and layout.variant == WHOLE_POSE


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
    if _runs_in_python(layout):
        return list(range(tree.size))
    joints = set(layout.joints.tolist())
    carriers = [int(tree.tip_joint[tip]) for tip in layout.tips if tip >= 0]
    if layout.rows == 3:  # a balance: what carries the masses moves them
        carriers += layout.joints.tolist()
    for joint in carriers:
        joints.update(tree.chain(joint))
    return sorted(joints)


def _active_joints(
    tree: KinematicTree, layouts: Sequence[Layout], involved: Sequence[list[int]]
) -> Ints:
    """Joints that some goal wants to move, with all that carry them.

    A displacement from the seed, the previous frame or the source asks nothing of a joint that no
    other goal moves.
    """
    active: set[int] = set()
    for layout, joints in zip(layouts, involved, strict=True):
        if not layout.moves:
            continue
        for joint in joints:
            active.update(tree.chain(joint))
    return np.array(sorted(active), dtype=np.int64)


def _goal_table(
    layouts: Sequence[Layout], tip_number: dict[int, int], number: Ints
) -> tuple[Ints, Floats, Ints]:
    """The goals' integers, and the tables of numbers and joints they point into."""
    table = np.full((len(layouts), COLUMNS), -1, dtype=np.int64)
    data: list[Floats] = [np.empty(0)]
    joints: list[Ints] = [np.empty(0, np.int64)]
    row = 0
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
        row += layout.rows
        data.append(layout.data)
        joints.append(number[kept])
    return table, np.concatenate(data), np.concatenate(joints)


def _slots(parent: Ints, owners: set[int]) -> tuple[Ints, Ints]:
    """Number the sets of tip goals that joints move; see arena.py. `owners` carry goals' tips."""
    count = len(parent)
    below: list[set[int]] = [set() for _ in range(count)]
    slot = np.full(count, -1, dtype=np.int64)
    inner: list[int] = []
    for i in range(count - 1, -1, -1):
        if i in owners or len(below[i]) > 1:
            slot[i] = len(inner)
            inner.append(-1)
            for outer in below[i]:
                inner[outer] = int(slot[i])
        elif below[i]:
            slot[i] = next(iter(below[i]))
        if slot[i] >= 0 and parent[i] >= 0:
            below[parent[i]].add(int(slot[i]))
    return slot, np.array(inner, dtype=np.int64)


def _elimination_tree(parent: Ints, slot: Ints, coupled: Sequence[Ints]) -> Ints:
    """Parents in the elimination tree of the normal equations, by symbolic elimination."""
    count = len(parent)
    structure: list[set[int]] = [set() for _ in range(count)]
    for i in range(count):
        if slot[i] >= 0 and parent[i] >= 0:
            structure[i] = structure[parent[i]] | {int(parent[i])}
    for joints in coupled:
        for position, joint in enumerate(joints):
            structure[joint].update(int(other) for other in joints[:position])
    elimination = np.full(count, -1, dtype=np.int64)
    for i in range(count - 1, -1, -1):
        if structure[i]:
            elimination[i] = max(structure[i])
            structure[elimination[i]] |= structure[i] - {int(elimination[i])}
    return elimination


def _ancestors(elimination: Ints) -> tuple[Ints, Ints]:
    """Depth of each joint in the elimination tree, and the path from the root to it."""
    paths: list[list[int]] = []
    for i, above in enumerate(elimination.tolist()):
        paths.append([*(paths[above] if above >= 0 else []), i])
    depth = np.array([len(path) - 1 for path in paths], dtype=np.int64)
    ancestors = np.full((len(paths), max(map(len, paths), default=0)), -1, dtype=np.int64)
    for row, path in zip(ancestors, paths, strict=True):
        row[: len(path)] = path
    return depth, ancestors


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
    """A length to divide by: one metre stands in for a chain of no length."""
    return length if length > 1e-9 else 1.0


def stack_parameters(goals: Sequence[Goal]) -> Floats:
    """Parameters (goals * columns) of goals that hold for a single frame."""
    return np.frombuffer(b"".join([goal.packed for goal in goals]))


def python_goals_of(goals: Sequence[Goal]) -> Sequence[PythonGoal]:
    """The goals as the kernels call them; only those with custom layouts are ever asked."""
    return cast("Sequence[PythonGoal]", goals)
