"""Columns of a goal: its integers in I, and its parameters in F."""

from __future__ import annotations

from .declaration import Numbering

_integers = Numbering()
KIND = _integers.one()  # how the kernels score and derive it: POSITION, ..., see below
VARIANT = _integers.one()  # which of several formulas of its class
TIP, OTHER_TIP, THIRD_TIP = _integers.block(3)  # its tips, -1: none
DATA, DATA_END = _integers.block(2)  # its fixed numbers: from, to, in F
JOINTS, JOINTS_END = _integers.block(2)  # its joints: from, to, in I
ROW, ROW_END = _integers.block(2)  # its rows of the Jacobian: from, to
SCRATCH = _integers.one()  # where it keeps numbers while it is evaluated, in F
SCORE_AT, DERIVE_AT = _integers.block(2)  # addresses of its two units
COLUMNS = _integers.count

# The goals almost every solve has are part of the solver's own kernels; all others are called.
# CALLED_TIP stands for those that derive by the motion of one tip (their rows at TIP_ROWS).
_kinds = Numbering()
POSITION = _kinds.one()
ORIENTATION = _kinds.one()
LOOK_AT = _kinds.one()
CALLED, CALLED_TIP = _kinds.block(2)  # the last ones

# Parameters may change from frame to frame.
WEIGHT, TOLERANCE, FIELDS = range(3)  # tolerance: infinite for a preference; fields: the rest
PARAMETER_COUNT = FIELDS + 8  # the goal with the most fields has eight numbers
