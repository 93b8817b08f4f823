"""Directions over frames."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ..solver.kernels.compiled import Floats

# Directions shorter than this have no direction.
SHORT = 1e-12


def unit(vectors: Floats) -> Floats:
    """Vectors (f, 3) of length one, or of none."""
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), SHORT)


def across(vectors: Floats, axes: Floats) -> Floats:
    """The parts of vectors (f, 3) across axes of length one."""
    return vectors - axes * np.sum(vectors * axes, axis=-1, keepdims=True)


def turned_towards(start: Floats, end: Floats, factor: Floats) -> Floats:
    """Directions part of the way from one to another along the arc between them; (f, 3)."""
    cosine = np.clip(np.sum(start * end, axis=-1), -1.0, 1.0)
    angle = np.arccos(cosine)
    sine = np.sin(angle)
    near = sine < 1e-6  # along a straight line the arc and its chord are the same
    safe = np.where(near, 1.0, sine)
    a = np.where(near, 1.0 - factor, np.sin((1.0 - factor) * angle) / safe)
    b = np.where(near, factor, np.sin(factor * angle) / safe)
    blend = a[:, None] * start + b[:, None] * end
    length = np.linalg.norm(blend, axis=-1, keepdims=True)
    return np.where(length < SHORT, end, blend / np.maximum(length, SHORT))
