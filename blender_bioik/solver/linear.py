"""Damped normal equations with frozen joints, solved by a branch-sparse factorisation.

The Hessian's row of a joint holds its ancestors in the elimination tree, from the root to the joint
itself. L^T D L factorisation along such rows (Featherstone, "Rigid Body Dynamics Algorithms",
section 6.5) works only where a branch couples, and there on contiguous numbers.
"""

from __future__ import annotations

from .arena import (
    ANCESTORS,
    DEPTH,
    FACTOR,
    FROZEN,
    GRADIENT,
    HESSIAN,
    JOINT_COUNT,
    SOFTNESS,
    STEP,
    WIDTH,
)
from .compiled import Floats, Ints, kernel

SMALLEST_PIVOT = 1e-14


@kernel
def factorise(I: Ints, F: Floats, damping: float) -> None:
    """Factor H + damping / softness^2, with frozen joints taken out."""
    n, width, frozen = I[JOINT_COUNT], I[WIDTH], I[FROZEN]
    for i in range(n):
        row, source = I[FACTOR] + width * i, I[HESSIAN] + width * i
        depth = I[I[DEPTH] + i]
        if F[frozen + i] != 0.0:
            for k in range(depth):
                F[row + k] = 0.0
            F[row + depth] = 1.0
            continue
        ancestors = I[ANCESTORS] + width * i
        for k in range(depth):
            F[row + k] = F[source + k] * (1.0 - F[frozen + I[ancestors + k]])
        softness = F[I[SOFTNESS] + i]
        F[row + depth] = F[source + depth] + damping / (softness * softness)
    for i in range(n - 1, -1, -1):
        row = I[FACTOR] + width * i
        depth = I[I[DEPTH] + i]
        inverse = 1.0 / max(F[row + depth], SMALLEST_PIVOT)
        ancestors = I[ANCESTORS] + width * i
        for k in range(depth - 1, -1, -1):
            a = F[row + k] * inverse
            if a != 0.0:
                above = I[FACTOR] + width * I[ancestors + k]
                for m in range(k + 1):
                    F[above + m] -= a * F[row + m]
            F[row + k] = a


@kernel
def solve_damped(I: Ints, F: Floats, damping: float) -> None:
    """Solve (H + damping / softness^2) step = -gradient, frozen joints not moving."""
    factorise(I, F, damping)
    n, width, step = I[JOINT_COUNT], I[WIDTH], I[STEP]
    for i in range(n):
        F[step + i] = 0.0 if F[I[FROZEN] + i] != 0.0 else -F[I[GRADIENT] + i]
    for i in range(n - 1, -1, -1):
        row, ancestors = I[FACTOR] + width * i, I[ANCESTORS] + width * i
        s = F[step + i]
        for k in range(I[I[DEPTH] + i]):
            F[step + I[ancestors + k]] -= F[row + k] * s
    for i in range(n):
        row, ancestors = I[FACTOR] + width * i, I[ANCESTORS] + width * i
        depth = I[I[DEPTH] + i]
        s = F[step + i] / max(F[row + depth], SMALLEST_PIVOT)
        for k in range(depth):
            s -= F[row + k] * F[step + I[ancestors + k]]
        F[step + i] = s


@kernel
def add_column(I: Ints, F: Floats, i: int, change: float) -> None:
    """Add to the gradient what a joint's change does to it: the joint's column of H."""
    width, depth = I[WIDTH], I[I[DEPTH] + i]
    row, ancestors = I[HESSIAN] + width * i, I[ANCESTORS] + width * i
    for k in range(depth + 1):
        F[I[GRADIENT] + I[ancestors + k]] += F[row + k] * change
    for j in range(i + 1, I[JOINT_COUNT]):
        if I[I[DEPTH] + j] > depth and I[I[ANCESTORS] + width * j + depth] == i:
            F[I[GRADIENT] + j] += F[I[HESSIAN] + width * j + depth] * change
