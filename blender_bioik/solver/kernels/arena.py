"""Memory of a solve: one array of integers and one of floats that every kernel works in.

numba passes an array as seven or more scalars, and a tuple of thirty arrays as hundreds, through
every call: compiling took minutes and calls cost more than the numbers in them. So a problem is
laid out once in two flat arrays: `I` (header, then integer tables) and `F` (float tables and all
scratch space). The header says where each table starts; a kernel reads `F[I[FRAMES] + 10 * i]`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .compiled import Floats, Ints

# Header: counts.
JOINT_COUNT, TIP_COUNT, GOAL_COUNT, SLOT_COUNT, ROW_COUNT = range(5)
# Header: settings of the solve.
POPULATION, ELITES, EVALUATIONS, ITERATIONS, EXPLOITATION, PAPER = range(5, 11)
PREFERENCES, MEAN_ERROR, PYTHON_GOALS, FRAME = range(11, 15)
# Header: starts of the tables in I. `SLOT` is, for each joint, the set of tip goals it moves (-1:
# none); joints of one slot share a 6 x 6 matrix. Slots are numbered outer before inner, INNER_SLOT
# leads inwards. The normal equations are stored by the elimination tree, which is the kinematic
# tree made longer by goals that tie branches together: the row of a joint has its ancestors from
# the root to itself, so DEPTH is where a joint stands in the rows of all that descend from it.
# ANCESTORS names them, WIDTH entries for each joint.
PARENT, PRISMATIC, DEPTH, SLOT, INNER_SLOT, TIP_JOINT, GOALS, JOINT_LIST = range(15, 23)
# Header: starts of the fixed tables in F, in joint or tip order.
LOWER, UPPER, SOFTNESS, TIP_POSE, REACH, DATA_LIST = range(23, 29)
# Header: starts of what changes with the frame.
PARAMETERS, REST, PREVIOUS, SOURCE = range(29, 33)
# Header: starts of the scratch tables; see evaluate.py.
FRAMES, TIPS, RESIDUAL, ERROR, LOSS, TWIST, MATRICES, GRADIENT, STEP, FROZEN = range(33, 43)
HESSIAN, FACTOR, JACOBIAN, ROW_RESIDUAL, TIP_ROWS, SUPPORT, POLE_ROW = range(43, 50)
# Header: starts of poses kept by the solvers.
POSE, TRIAL, BEST, ELITE, KEPT, SNAPPED = range(50, 56)
# Header: starts of the memory of the L-BFGS search.
BFGS_STEPS, BFGS_CHANGES, BFGS_INVERSE, BFGS_SHARE, BFGS_GRADIENT = range(56, 61)
BFGS_NEXT, BFGS_DIRECTION = range(61, 63)
# Header: addresses of the solver's units, how they shall work (exact derivatives; preferences left
# out), and where the pose in question starts.
EVALUATE_AT, LINEARISE_AT, LBFGSB_AT, EXACT, HARD_ONLY, AT = range(63, 69)
# Header: starts of the results of units. SCORE: sum of squares, fitness, demands met (0 or 1).
# GOAL_SCORE: a goal's sum of squares, loss and error; when deriving, the goal's weight.
SCORE, GOAL_SCORE = range(69, 71)
# Header: the table of ancestors in I, and the length of its rows.
ANCESTORS, WIDTH = range(71, 73)
# Header: lengths of I and F, for those who need them as true arrays.
INT_LENGTH, FLOAT_LENGTH = range(73, 75)
# Header: set where only the gradient is wanted; more addresses of units.
GRADIENT_ONLY, SEARCH_AT, POLISH_AT, SOLVE_AT = range(75, 79)
# Header: how a frame is solved, what to solve in a clip, and the state of the random numbers.
STRATEGY, CONTINUOUS, CHAINED, SEED, RANDOM = range(79, 84)
FIRST_FRAME, LAST_FRAME, PARAMETER_ROWS, REST_ROWS, BEFORE_ROWS = range(84, 89)
# Header: how a frame ended; frames done; set from outside to stop a solve.
STOP, USED, GENERATIONS, DONE, CANCEL = range(89, 94)
# Header: starts of the evolution's tables; see evolution.py. ORDER and POOL are in I.
FIRST_POPULATION, SECOND_POPULATION, WINDOW, LIMBS, ELITE_FITNESS, ORDER, POOL = range(94, 101)
# Header: start of the fittest pose of a local search that meets all demands; whether there is one.
MET, MET_SEEN = range(101, 103)
HEADER = 103

# Rows of the tables.
FRAME_SIZE = 10  # world position (3), quaternion (4), joint axis (3)
POSE_SIZE = 7  # position (3) and quaternion (4), or rest quaternion (4) and position (3)
REACH_SIZE = 4  # chain length, root position (3)
MATRIX_SIZE = 27  # upper triangle of a symmetric 6 x 6 matrix by rows (21), wrench (6)
BFGS_MEMORY = 6


class Arena(NamedTuple):
    """A problem laid out: its integers, its fixed floats, and the length of the float array."""

    ints: Ints
    fixed: Floats
    length: int

    def arrays(self) -> tuple[Ints, Floats]:
        """`I` and `F` for one solve; only the fixed tables are filled in."""
        floats = np.empty(self.length)
        floats[: len(self.fixed)] = self.fixed
        return self.ints.copy(), floats

    def with_population(self, population: int, elites: int) -> Arena:
        """The same with room for an evolution at the end."""
        n, slots = int(self.ints[JOINT_COUNT]), int(self.ints[SLOT_COUNT])
        ints = np.concatenate([self.ints, np.zeros(2 * population, np.int64)])
        ints[[POPULATION, ELITES]] = population, elites
        ints[[ORDER, POOL]] = len(self.ints), len(self.ints) + population
        end = self.length
        for entry, size in (
            (FIRST_POPULATION, population * (2 * n + 2)),
            (SECOND_POPULATION, population * (2 * n + 2)),
            (WINDOW, 2 * n),
            (LIMBS, slots),
            (ELITE_FITNESS, elites),
        ):
            ints[entry] = end
            end += size
        ints[INT_LENGTH], ints[FLOAT_LENGTH] = len(ints), end
        return Arena(ints, self.fixed, end)


class Tables(NamedTuple):
    """Everything fixed about a problem, before it is laid out."""

    parent: Ints
    prismatic: Ints
    depth: Ints
    ancestors: Ints
    slot: Ints
    inner_slot: Ints
    tip_joint: Ints
    goals: Ints
    joint_list: Ints
    lower: Floats
    upper: Floats
    softness: Floats
    rest: Floats
    tip_pose: Floats
    reach: Floats
    data_list: Floats
    rows: int
    parameters: int


def lay_out(tables: Tables) -> Arena:
    """Lay the tables of a problem out, with room for all scratch space."""
    n, tips, goals = len(tables.parent), len(tables.tip_joint), len(tables.goals)
    slots = len(tables.inner_slot)
    header = np.zeros(HEADER, dtype=np.int64)
    header[[JOINT_COUNT, TIP_COUNT, GOAL_COUNT, SLOT_COUNT, ROW_COUNT]] = [
        n,
        tips,
        goals,
        slots,
        tables.rows,
    ]
    header[WIDTH] = tables.ancestors.shape[1]
    ints = {
        PARENT: tables.parent,
        PRISMATIC: tables.prismatic,
        DEPTH: tables.depth,
        ANCESTORS: tables.ancestors,
        SLOT: tables.slot,
        INNER_SLOT: tables.inner_slot,
        TIP_JOINT: tables.tip_joint,
        GOALS: tables.goals,
        JOINT_LIST: tables.joint_list,
    }
    floats = {
        LOWER: tables.lower,
        UPPER: tables.upper,
        SOFTNESS: tables.softness,
        REST: tables.rest,
        TIP_POSE: tables.tip_pose,
        REACH: tables.reach,
        DATA_LIST: tables.data_list,
    }
    scratch = {
        PARAMETERS: goals * tables.parameters,
        FRAMES: n * FRAME_SIZE,
        TIPS: tips * POSE_SIZE,
        RESIDUAL: goals * 3,
        ERROR: goals,
        LOSS: goals,
        TWIST: n * 6,
        MATRICES: (slots + 1) * MATRIX_SIZE,  # the last for tips that nothing moves
        HESSIAN: tables.ancestors.size,
        FACTOR: tables.ancestors.size,
        JACOBIAN: tables.rows * n,
        ROW_RESIDUAL: tables.rows,
        SCORE: 3,
        GOAL_SCORE: 3,
        TIP_ROWS: 18,
        SUPPORT: 9,
        POLE_ROW: 9,
        BFGS_STEPS: BFGS_MEMORY * n,
        BFGS_CHANGES: BFGS_MEMORY * n,
        BFGS_INVERSE: BFGS_MEMORY,
        BFGS_SHARE: BFGS_MEMORY,
    }
    for pose in (PREVIOUS, SOURCE, GRADIENT, STEP, FROZEN, MET, *range(POSE, SNAPPED + 1)):
        scratch[pose] = n
    for pose in (BFGS_GRADIENT, BFGS_NEXT, BFGS_DIRECTION):
        scratch[pose] = n
    end = HEADER
    for entry, ints_table in ints.items():
        header[entry] = end
        end += ints_table.size
    header[INT_LENGTH] = end
    end = 0
    for entry, table in floats.items():
        header[entry] = end
        end += table.size
    for entry, size in scratch.items():
        header[entry] = end
        end += size
    header[FLOAT_LENGTH] = end
    return Arena(
        np.concatenate([header, *(table.ravel() for table in ints.values())]),
        np.concatenate([table.ravel() for table in floats.values()]),
        end,
    )
