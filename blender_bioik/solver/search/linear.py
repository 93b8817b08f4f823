"""Damped normal equations with frozen joints, solved by a branch-sparse factorisation.

The Hessian's row of a joint holds its ancestors in the elimination tree, from the root to the joint
itself. L^T D L factorisation along such rows (Featherstone, "Rigid Body Dynamics Algorithms",
section 6.5) works only where a branch couples, and there on contiguous numbers.
"""

from __future__ import annotations

from ..kernels.arena import (
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
from ..kernels.compiled import Floats, Ints, kernel

SMALLEST_PIVOT = 1e-14


@kernel
def load_factor(I: Ints, F: Floats, damping: float) -> None:
    """Copy H + damping / softness^2 and -gradient to where they are factored, frozen joints out."""
    width, frozen = I[WIDTH], I[FROZEN]
    for i in range(I[JOINT_COUNT]):
        row, source, ancestors = (
            I[FACTOR] + width * i,
            I[HESSIAN] + width * i,
            I[ANCESTORS] + width * i,
        )
        depth = I[I[DEPTH] + i]
        free = 1.0 - F[frozen + i]
        for k in range(depth):
            F[row + k] = F[source + k] * free * (1.0 - F[frozen + I[ancestors + k]])
        softness = F[I[SOFTNESS] + i]
        pivot = F[source + depth] + damping / (softness * softness)
        F[row + depth] = max(pivot, SMALLEST_PIVOT) if free != 0.0 else 1.0
        F[I[STEP] + i] = -F[I[GRADIENT] + i] * free


@kernel
def solve_damped(I: Ints, F: Floats, damping: float) -> None:
    """Solve (H + damping / softness^2) step = -gradient, frozen joints not moving."""
    load_factor(I, F, damping)
    n, width, step = I[JOINT_COUNT], I[WIDTH], I[STEP]
    for i in range(n - 1, -1, -1):
        if F[I[FROZEN] + i] != 0.0:
            continue
        row, ancestors = I[FACTOR] + width * i, I[ANCESTORS] + width * i
        depth = I[I[DEPTH] + i]
        inverse = 1.0 / max(F[row + depth], SMALLEST_PIVOT)
        for k in range(depth - 1, -1, -1):
            a = F[row + k] * inverse
            above = I[ancestors + k]
            F[step + above] -= a * F[step + i]
            into = I[FACTOR] + width * above
            m = 0
            while m < k:  # two at a time: these loops are too short for vectors
                x, y = F[row + m], F[row + m + 1]
                F[into + m] -= a * x
                F[into + m + 1] -= a * y
                m += 2
            if m == k:
                F[into + m] -= a * F[row + m]
        F[row + depth] = inverse
    for i in range(n):
        if F[I[FROZEN] + i] != 0.0:
            continue
        row, ancestors = I[FACTOR] + width * i, I[ANCESTORS] + width * i
        depth = I[I[DEPTH] + i]
        s = F[step + i]
        for k in range(depth):
            s -= F[row + k] * F[step + I[ancestors + k]]
        F[step + i] = s * F[row + depth]


@kernel
def add_column(I: Ints, F: Floats, i: int, change: float) -> None:
    """Add the effect of a joint's change to the gradient: the joint's column of H."""
    width, depth = I[WIDTH], I[I[DEPTH] + i]
    row, ancestors = I[HESSIAN] + width * i, I[ANCESTORS] + width * i
    for k in range(depth + 1):
        F[I[GRADIENT] + I[ancestors + k]] += F[row + k] * change
    for j in range(i + 1, I[JOINT_COUNT]):
        if I[I[DEPTH] + j] > depth and I[I[ANCESTORS] + width * j + depth] == i:
            F[I[GRADIENT] + j] += F[I[HESSIAN] + width * j + depth] * change
