"""Solving in a thread: result, errors, progress and cancelling."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from blender_bioik.rig.errors import Cancelled, RigError
from blender_bioik.ui_state.solving import Solving

WAIT_S = 60.0  # a guard against hanging


def test_the_solution_and_how_far_it_is() -> None:
    def solve(plan: str, *, progress: Callable[[int, int], None], **_: object) -> str:
        progress(2, 5)
        return f"solution of {plan}"

    solving = Solving("the plan", solve)
    assert solving.solution() == "solution of the plan"
    assert (solving.done, solving.total) == (2, 5)
    assert not solving.is_running()


def test_errors_are_raised() -> None:
    def solve(_plan: str, **_: object) -> str:
        raise RigError("it cannot be")

    with pytest.raises(RigError, match="it cannot be"):
        Solving("the plan", solve).solution()


def test_it_ends_when_it_is_cancelled() -> None:
    begun = threading.Event()

    def solve(_plan: str, *, cancelled: Callable[[], bool], **_: object) -> str:
        begun.set()
        while not cancelled():
            begun.wait(0.001)
        raise Cancelled("cancelled")

    solving = Solving("the plan", solve)
    assert begun.wait(WAIT_S)
    assert solving.is_running()
    solving.cancel()
    with pytest.raises(Cancelled):
        solving.solution()
