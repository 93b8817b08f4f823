"""Checks of input numbers; each error is one sentence that names the culprit."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from .errors import AxisError, GoalError, NotFiniteError, ShapeError
from .kernels.compiled import Floats


def finite(value: ArrayLike, shape: tuple[int | None, ...], what: str) -> Floats:
    """`value` as a float array of the given shape (None = any length), every number finite."""
    try:
        array = np.array(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ShapeError(f"{what} must be numbers, not {value!r}.") from error
    # Almost all input passes here: a sum of squares is cheap, and finite only if all numbers are.
    if array.shape == shape and math.isfinite(np.vdot(array, array)):
        return array
    fits = array.ndim == len(shape) and all(
        wanted is None or wanted == found for wanted, found in zip(shape, array.shape, strict=True)
    )
    if not fits:
        wanted_text = (
            " x ".join("any" if size is None else str(size) for size in shape) or "one number"
        )
        found_text = " x ".join(str(size) for size in array.shape) or "one number"
        raise ShapeError(f"{what} must have the shape {wanted_text}, not {found_text}.")
    if not np.isfinite(array).all():
        raise NotFiniteError(f"{what} must be finite, but contains NaN or infinity.")
    return array


def not_negative(value: ArrayLike, shape: tuple[int | None, ...], what: str) -> Floats:
    """Like `finite`, with no number below zero."""
    array = finite(value, shape, what)
    if (array < 0.0).any():
        raise GoalError(f"{what} must not be negative.")
    return array


def half_turn(value: ArrayLike, shape: tuple[int | None, ...], what: str) -> Floats:
    """Like `finite`, with angles from 0 to pi radians."""
    array = finite(value, shape, what)
    if (array < 0.0).any() or (array > np.pi).any():
        raise GoalError(f"{what} must be 0 to pi radians.")
    return array


def unit_length(value: ArrayLike, shape: tuple[int | None, ...], what: str) -> Floats:
    """Like `finite`, with the last axis scaled to length one."""
    array = finite(value, shape, what)
    length = np.linalg.norm(array, axis=-1, keepdims=True)
    if (length < 1e-12).any():
        raise AxisError(f"{what} must not have zero length.")
    return np.asarray(array / length)
