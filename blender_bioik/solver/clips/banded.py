"""Solving banded systems without Python's global lock, so that the window stays responsive.

scipy holds the lock while LAPACK factorises, up to a twentieth of a second for a long clip. Blender
takes it again for every panel that it draws, so a redraw would wait many times over. scipy also
exports the addresses of the same routines, and `ctypes` calls these without the lock: results are
equal, bit for bit. If scipy's routines have other signatures, scipy is called as usual.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cho_solve_banded, cholesky_banded, cython_lapack

Floats = NDArray[np.float64]
_INT, _FLOATS = ctypes.POINTER(ctypes.c_int), ctypes.c_void_p


def solve_banded_spd(band: Floats, right: Floats) -> Floats:
    """Solve a symmetric positive definite system by its Cholesky factors.

    Args:
        band: The lower band, (reach + 1, n) with its columns one after the other in memory;
            overwritten.
        right: The right side, (n,); overwritten.

    Raises:
        LinAlgError: It is not positive definite.
    """
    if _DPBTRF is None or _DPBTRS is None:
        factor = cholesky_banded(band, overwrite_ab=True, lower=True, check_finite=False)
        solved = cho_solve_banded((factor, True), right, overwrite_b=True, check_finite=False)
        return np.asarray(solved)
    if not band.flags.f_contiguous or not right.flags.c_contiguous:
        band, right = np.asfortranarray(band), np.ascontiguousarray(right)
    rows, count = (ctypes.c_int(size) for size in band.shape)
    reach, one, info = ctypes.c_int(band.shape[0] - 1), ctypes.c_int(1), ctypes.c_int(0)
    _DPBTRF(b"L", count, reach, band.ctypes.data, rows, info)
    if info.value:
        raise LinAlgError(f"The matrix is not positive definite: minor {info.value}.")
    _DPBTRS(b"L", count, reach, one, band.ctypes.data, rows, right.ctypes.data, count, info)
    return right


def _routine(name: str, *arguments: Any) -> Callable[..., None] | None:
    """A LAPACK routine that scipy exports for compiled code; None if its arguments differ."""
    capsule = cython_lapack.__pyx_capi__.get(name)
    if capsule is None:
        return None
    name_of = ctypes.pythonapi.PyCapsule_GetName
    name_of.restype, name_of.argtypes = ctypes.c_char_p, [ctypes.py_object]
    address_of = ctypes.pythonapi.PyCapsule_GetPointer
    address_of.restype, address_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    signature = name_of(capsule)
    # Capsules are named by what they take: "void (char *, int *, ...)".
    taken = [part.strip() for part in signature.decode().partition("(")[2].split(",")]
    sizes = [part.rstrip(" *)") == "int" for part in taken]
    if sizes != [argument is _INT for argument in arguments]:
        return None
    return ctypes.CFUNCTYPE(None, *arguments)(address_of(capsule, signature))


_DPBTRF = _routine("dpbtrf", ctypes.c_char_p, _INT, _INT, _FLOATS, _INT, _INT)
_DPBTRS = _routine("dpbtrs", ctypes.c_char_p, _INT, _INT, _INT, _FLOATS, _INT, _FLOATS, _INT, _INT)
