"""Compilation of the numeric kernels: numba where it loads, plain Python where it does not.

The cache of compiled kernels lives in a folder named after a digest of the solver's sources. numba
itself only notices a change in the file that *defines* a kernel, not in the files it calls, so
without the digest an update could keep running old machine code.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import shutil
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Function = TypeVar("Function", bound=Callable[..., Any])

NO_NUMBA_VARIABLE = "BLENDER_BIOIK_NO_NUMBA"
CACHE_VARIABLE = "BLENDER_BIOIK_CACHE"
_SOLVER = Path(__file__).parent.parent

numba: Any = None
try:
    if os.environ.get(NO_NUMBA_VARIABLE):
        raise ImportError(f"{NO_NUMBA_VARIABLE} is set")
    numba = importlib.import_module("numba")
except (ImportError, OSError) as reason:  # OSError: a library that llvmlite cannot load
    warnings.warn(
        f"Bio-IK runs without numba ({reason}): results are the same, solving is far slower.",
        RuntimeWarning,
        stacklevel=2,
    )

COMPILED = numba is not None


def _source_digest() -> str:
    """Hash of the sources of the kernels and of numba's version."""
    digest = hashlib.sha256(numba.__version__.encode())
    for path in sorted(_SOLVER.rglob("*.py")):
        digest.update(path.read_bytes())
    return f"{digest.hexdigest()[:16]}-{sys.implementation.cache_tag}"


def _cache_folder() -> Path:
    """Folder for compiled kernels: next to the sources if writable, else the user's cache.

    An environment variable can set another one, as the extension does, because its own folder may
    be replaced.
    """
    wanted = os.environ.get(CACHE_VARIABLE)
    home = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    users = (Path(home) if home else Path.home() / ".cache") / "blender_bioik"
    name = _source_digest()
    for base in (Path(wanted) if wanted else _SOLVER / "__pycache__" / "kernels", users):
        folder = base / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                pass
        except OSError:
            continue
        for stale in base.glob(f"*-{sys.implementation.cache_tag}"):  # not those of other Pythons
            if stale.name != name:
                shutil.rmtree(stale, ignore_errors=True)
        return folder
    return Path(tempfile.mkdtemp(prefix="bioik-kernels-"))


@contextmanager
def _cache_in(folder: Path) -> Iterator[None]:
    """Let numba place the cache of kernels decorated in this context into `folder`."""
    previous = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        numba.config.CACHE_DIR = previous


# No 'nnan' and 'ninf': the kernels test for NaN and use infinite limits.
_OPTIONS: dict[str, Any] = {
    "fastmath": {"contract", "reassoc", "nsz", "arcp"},
    "error_model": "numpy",
}


class Unit:
    """A function `f(ints, floats, q) -> 0` that kernels call by address.

    numba compiles everything that a kernel calls into the kernel again, at every level of calls.
    Large functions that are called from many places are therefore units: compiled once, on their
    own, when first needed.
    """

    def __init__(self, function: Callable[..., int], cached: bool = True) -> None:
        """Store the function; nothing is compiled yet.

        Units that call Python must not be cached: loaded from a cache they fail (numba 0.68).
        """
        self._function = function
        self._cached = cached
        self._number = len(_units)
        self._compiled: Any = None
        # The module within the solver, and the function: the same in every process.
        solver = (__package__ or "").rpartition(".")[0]
        module = function.__module__.removeprefix(solver)
        self.name = f"{module}:{function.__name__}"
        _units.append(self)

    def is_ready(self) -> bool:
        """Whether nothing needs compiling that another process could have compiled before."""
        return self._compiled is not None or not self._cached or self._mark().exists()

    def address(self) -> int:
        """The address for `call_unit`; compiles or loads the unit if necessary."""
        if not COMPILED:
            return self._number
        if self._compiled is None:
            self._compiled = _compile_unit(self._function, self._cached)
            if self._cached:
                self._mark().touch()
        return int(self._compiled.address)

    def __call__(self, I: Ints, F: Floats, q: int) -> int:
        """Run uncompiled."""
        return self._function(I, F, q)

    def _mark(self) -> Path:
        """The file that says that the unit is in the cache."""
        return _FOLDER / f"{self.name.replace(':', '-').lstrip('.')}.ready"


_units: list[Unit] = []


def unit_of(name: str) -> Unit:
    """The unit of that name; its module must be imported."""
    return next(unit for unit in _units if unit.name == name)


if COMPILED:
    numba_types = numba.types
    _FOLDER = _cache_folder()


def kernel(function: Function) -> Function:
    """Compile a numeric kernel into the entries and units that call it.

    It becomes part of each of them. Kernels that are called instead have one name in all compiled
    code of a process, and the first one that is loaded serves all: the one compiled alone, or the
    one compiled into another entry. The machine code differs, and with it the rounding.
    """
    if not COMPILED:
        return function
    compiled: Function = numba.njit(
        no_cpython_wrapper=True, no_cfunc_wrapper=True, forceinline=True, **_OPTIONS
    )(function)
    return compiled


def entry(function: Function) -> Function:
    """Compile a kernel that Python calls, on first use, and cache it; it frees the GIL."""
    if not COMPILED:
        return function
    with _cache_in(_FOLDER):
        compiled: Function = numba.njit(nogil=True, cache=True, **_OPTIONS)(function)
    return compiled


def _compile_unit(function: Callable[..., int], cached: bool) -> Any:
    ints, floats = (numba_types.CPointer(kind) for kind in (numba_types.int64, numba_types.float64))
    signature = numba_types.int64(ints, floats, numba_types.int64)
    with _cache_in(_FOLDER):
        return numba.cfunc(signature, cache=cached, **_OPTIONS)(function)


def _call_by_number(number: int, ints: Ints, floats: Floats, q: int) -> None:
    """Call a unit that is plain Python."""
    _units[number](ints, floats, q)


def _call_by_address(_typing: Any, address: Any, ints: Any, floats: Any, q: Any) -> Any:
    """Code for calling the unit at an address (a numba intrinsic)."""
    ir = importlib.import_module("llvmlite.ir")

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        target, *given = arguments
        prototype = ir.FunctionType(ir.IntType(64), [value.type for value in given])
        builder.call(builder.inttoptr(target, prototype.as_pointer()), given)
        return context.get_dummy_value()

    return numba_types.void(address, ints, floats, q), generate


def _point_to(_typing: Any, array: Any) -> Any:
    """Code for the pointer to an array's first element (a numba intrinsic)."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return context.make_array(signature.args[0])(context, builder, arguments[0]).data

    return numba_types.CPointer(array.dtype)(array), generate


def _same(array: Any) -> Any:
    return array


call_unit: Callable[[int, Ints, Floats, int], None] = _call_by_number
# Kernels get bare pointers: an array is seven or more numbers to numba, and its bounds, strides and
# negative indices are code to compile and to run. Without numba pointers are arrays.
pointer_to: Callable[[Any], Any] = _same
# A pointer as an array of a size.
as_array: Callable[[Any, int], Any] = lambda array, _size: array  # noqa: E731
# A block that runs in Python inside a kernel.
python_block: Callable[[], AbstractContextManager[None]] = nullcontext
if COMPILED:
    call_unit = importlib.import_module("numba.extending").intrinsic(_call_by_address)
    pointer_to = importlib.import_module("numba.extending").intrinsic(_point_to)
    as_array = numba.carray
    python_block = numba.objmode
