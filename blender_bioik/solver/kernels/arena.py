"""Memory of a solve: one array of integers and one of floats, used by every kernel.

numba passes an array as seven or more scalars, and a tuple of thirty arrays as hundreds, through
every call: compiling took minutes and calls cost more than the numbers in them. So a problem is
laid out once in two flat arrays: `I` (the header, then tables of integers) and `F` (tables of
floats). The header's words are numbered here, in this order. The word of a table says where the
table starts: a kernel reads `F[I[FRAMES] + FRAME_SIZE * i]`. To add a word or a table, add a line.

Lengths are in metres and angles in radians; values of joints are in either, by the joint.
"""

from __future__ import annotations

from .declaration import (
    Counts,
    Numbering,
    Tables,
    exactly,
    per_ancestor,
    per_goal,
    per_joint,
    per_tip,
)
from .goal_columns import COLUMNS, PARAMETER_COUNT

_header = Numbering()
_word = _header.one
# A problem gives the numbers of fixed tables, kernels write those of scratch tables; both are as
# large as the problem. The evolution's tables also grow with the population.
fixed_ints, fixed_floats, scratch_floats = Tables(_header), Tables(_header), Tables(_header)
evolution_ints, evolution_floats = Tables(_header), Tables(_header)
_fixed_ints, _fixed, _scratch = fixed_ints.table, fixed_floats.table, scratch_floats.table
_evolution_ints, _evolution = evolution_ints.table, evolution_floats.table

# Rows of the tables.
FRAME_SIZE = 10  # world position (3), quaternion (4), joint axis (3)
POSE_SIZE = 7  # position (3) and quaternion (4), or rest quaternion (4) and position (3)
REACH_SIZE = 4  # chain length, root position (3)
MATRIX_SIZE = 27  # upper triangle of a symmetric 6 x 6 matrix by rows (21), wrench (6)
TWIST_SIZE = 6  # velocity of the point at the origin (3), angular velocity (3)
BFGS_MEMORY = 6  # steps that the L-BFGS search remembers
# A row of a population: genes (the joints' values) and momenta, fitness and extinction factor.
PER_GENE, PER_INDIVIDUAL = 2, 2


def _rows_of_individuals(counts: Counts) -> int:
    return counts.population * (PER_GENE * counts.joints + PER_INDIVIDUAL)


# --- Words ---

# Counts.
JOINT_COUNT = _word()
TIP_COUNT = _word()
GOAL_COUNT = _word()
SLOT_COUNT = _word()
WIDTH = _word()  # length of the rows by joint and ancestor
INT_LENGTH = _word()  # of I and of F, for goals in Python, which get arrays
FLOAT_LENGTH = _word()

# Settings.
POPULATION = _word()
ELITES = _word()
EVALUATIONS = _word()  # budget of a frame
ITERATIONS = _word()  # of one local search
EXPLOITATION = _word()  # BY_LM or BY_LBFGSB
STRATEGY = _word()  # LOCAL, MEMETIC or EVOLUTION
PAPER = _word()  # whether the evolution is the paper's
MEAN_ERROR = _word()  # whether the fitness is the mean of the losses
SEED = _word()

# The task.
PREFERENCES = _word()  # whether any goal is a preference
PYTHON_GOALS = _word()  # number under which goals in Python can be called
FIRST_FRAME = _word()
LAST_FRAME = _word()  # the one after the last
PARAMETER_ROWS = _word()  # rows of a clip's tables: one for all frames, or one for each
REST_ROWS = _word()
BEFORE_ROWS = _word()  # whether there is a pose before the first frame
CHAINED = _word()  # whether a frame starts from the pose of the one before

# Addresses of the solver's units.
SOLVE_AT = _word()
SEARCH_AT = _word()
POLISH_AT = _word()
LBFGSB_AT = _word()
EVALUATE_AT = _word()
LINEARISE_AT = _word()

# State of a solve.
FRAME = _word()  # number of the frame
AT = _word()  # where the pose in question starts
RANDOM = _word()  # of the generator of random numbers
CONTINUOUS = _word()  # whether the frame continues from another one's pose
EXACT = _word()  # whether derivatives are exact
GRADIENT_ONLY = _word()  # whether the Hessian is not needed
HARD_ONLY = _word()  # whether preferences are left out
MET_SEEN = _word()  # whether there is a pose at MET
DONE = _word()  # frames solved
CANCEL = _word()  # set from outside to stop a solve
STATUS_SIZE = 3
STOP, USED, GENERATIONS = _header.block(STATUS_SIZE)  # why it ended, evaluations, generations

# --- Fixed tables of integers ---

PARENT = _fixed_ints(per_joint())  # -1: none
PRISMATIC = _fixed_ints(per_joint())  # 1: slides, 0: turns
# The normal equations are stored by the elimination tree, which is the kinematic tree made longer
# by goals that tie branches together: the row of a joint has its ancestors from the root to itself.
DEPTH = _fixed_ints(per_joint())  # a joint's place in its own row and in those of its descendants
ANCESTORS = _fixed_ints(per_ancestor)  # a joint's ancestors, and itself
# The set of tip goals that a joint moves (-1: none); joints of one slot share a 6 x 6 matrix.
SLOT = _fixed_ints(per_joint())
# The next slot inwards (-1: none); outer slots are numbered before inner ones.
INNER_SLOT = _fixed_ints(lambda counts: counts.slots)
TIP_JOINT = _fixed_ints(per_tip())  # -1: fixed in the world
GOALS = _fixed_ints(per_goal(COLUMNS))  # see goal_columns.py
JOINT_LIST = _fixed_ints(lambda counts: counts.goal_joints)

# --- Fixed tables of floats ---

LOWER = _fixed(per_joint())  # limits, radians or metres; infinite: none
UPPER = _fixed(per_joint())
SOFTNESS = _fixed(per_joint())  # 1 - stiffness
REST = _fixed(per_joint(POSE_SIZE))  # static transform; a clip may have its own in every frame
TIP_POSE = _fixed(per_tip(POSE_SIZE))  # on its segment
REACH = _fixed(lambda counts: REACH_SIZE * (counts.tips + 1))  # the last row: longest chain
DATA_LIST = _fixed(lambda counts: counts.goal_numbers)

# --- Scratch tables ---

# Input of a frame.
PARAMETERS = _scratch(per_goal(PARAMETER_COUNT))  # see goal_columns.py
PREVIOUS = _scratch(per_joint())  # pose of the frame before
SOURCE = _scratch(per_joint())  # the clip's own pose

# A pose in question; see evaluate.py.
FRAMES = _scratch(per_joint(FRAME_SIZE))
TIPS = _scratch(per_tip(POSE_SIZE))  # in the world
ERROR = _scratch(per_goal())  # metres or radians
LOSS = _scratch(per_goal())  # eq. 15
SCORE = _scratch(exactly(3))  # sum of squares, fitness, demands met (0 or 1)
# A goal's sum of squares, loss and error; when deriving, the goal's weight.
GOAL_SCORE = _scratch(exactly(3))
GOAL_SCRATCH = _scratch(lambda counts: counts.goal_scratch)

# Derivatives: of goals of single tips, then of goals over rows, then of all.
RESIDUAL = _scratch(per_goal(3))
TIP_ROWS = _scratch(exactly(3 * TWIST_SIZE))  # a residual's, by the tip's motion
TWIST = _scratch(per_joint(TWIST_SIZE))
# One for each slot; the last for tips that nothing moves.
MATRICES = _scratch(lambda counts: MATRIX_SIZE * (counts.slots + 1))
ROW_RESIDUAL = _scratch(lambda counts: counts.rows)
JACOBIAN = _scratch(lambda counts: counts.rows * counts.joints)
GRADIENT = _scratch(per_joint())
HESSIAN = _scratch(per_ancestor)
FACTOR = _scratch(per_ancestor)
STEP = _scratch(per_joint())
FROZEN = _scratch(per_joint())  # 1: does not move

# Poses kept by the searches.
POSE = _scratch(per_joint())  # the solve's: seed, then result
TRIAL = _scratch(per_joint())
BEST = _scratch(per_joint())
ELITE = _scratch(per_joint())
KEPT = _scratch(per_joint())
SNAPPED = _scratch(per_joint())
MET = _scratch(per_joint())  # the fittest that meets all demands

# The L-BFGS search: its memory, then the vectors of a step.
BFGS_STEPS = _scratch(per_joint(BFGS_MEMORY))
BFGS_CHANGES = _scratch(per_joint(BFGS_MEMORY))
BFGS_INVERSE = _scratch(exactly(BFGS_MEMORY))
BFGS_SHARE = _scratch(exactly(BFGS_MEMORY))
BFGS_GRADIENT = _scratch(per_joint())
BFGS_NEXT = _scratch(per_joint())
BFGS_DIRECTION = _scratch(per_joint())

# --- Tables of the evolution; see evolution.py ---

ORDER = _evolution_ints(lambda counts: counts.population)  # individuals, fittest first
POOL = _evolution_ints(lambda counts: counts.population)  # individuals that may mate
FIRST_POPULATION = _evolution(_rows_of_individuals)
SECOND_POPULATION = _evolution(_rows_of_individuals)
WINDOW = _evolution(per_joint(2))  # lowest genes, then highest
LIMBS = _evolution(lambda counts: counts.slots)
ELITE_FITNESS = _evolution(lambda counts: counts.elites)

HEADER = _header.count
