"""Solving banded systems without Python's lock, so that a window stays alive meanwhile.

scipy holds the lock while LAPACK factorises, up to a twentieth of a second for a long clip. Blender
asks for it again for every panel that it draws, so a redraw would wait many times over. scipy also
hands out the addresses of the same routines, and `ctypes` calls these without the lock: the numbers
are the same, bit for bit.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cython_lapack

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
    if not band.flags.f_contiguous or not right.flags.c_contiguous:
        band, right = np.asfortranarray(band), np.ascontiguousarray(right)
    rows, count = (ctypes.c_int(size) for size in band.shape)
    reach, one, info = ctypes.c_int(band.shape[0] - 1), ctypes.c_int(1), ctypes.c_int(0)
    _DPBTRF(b"L", count, reach, band.ctypes.data, rows, info)
    if info.value:
        raise LinAlgError(f"The matrix is not positive definite: minor {info.value}.")
    _DPBTRS(b"L", count, reach, one, band.ctypes.data, rows, right.ctypes.data, count, info)
    return right


def _routine(name: str, *arguments: Any) -> Callable[..., None]:
    """A routine of LAPACK that scipy hands out for compiled code."""
    capsule = cython_lapack.__pyx_capi__[name]
    name_of = ctypes.pythonapi.PyCapsule_GetName
    name_of.restype, name_of.argtypes = ctypes.c_char_p, [ctypes.py_object]
    address_of = ctypes.pythonapi.PyCapsule_GetPointer
    address_of.restype, address_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    kind = ctypes.CFUNCTYPE(None, *arguments)
    return kind(address_of(capsule, name_of(capsule)))


_DPBTRF = _routine("dpbtrf", ctypes.c_char_p, _INT, _INT, _FLOATS, _INT, _INT)
_DPBTRS = _routine("dpbtrs", ctypes.c_char_p, _INT, _INT, _INT, _FLOATS, _INT, _FLOATS, _INT, _INT)
