"""Long work in a window, driven as Blender drives it: in slices, with Esc and errors.

Blender runs no modal operators without a window, so the common part of ours is driven by hand.

Tests of: bake.modal_bake, rig.steps.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import bpy
import pytest

from blender_bioik.operators.long_work import SLICE_SECONDS, LongWork
from blender_bioik.panels.bake import BIOIK_PT_bake
from blender_bioik.panels.feet import BIOIK_PT_feet
from blender_bioik.rig.errors import RigError
from blender_bioik.rig.reading import Reading
from blender_bioik.rig.steps import Steps
from blender_bioik.ui_state.running import begin, end, running_work

from ..builders.bakes import waving
from ..builders.layouts import drawn
from ..builders.windows import ESC, GOES_ON, TIMER, Window


class Counting(LongWork):
    """Reads some frames, solves and writes."""

    bl_label = "Count"
    preparing, doing = "Preparing", "Solving {done} of {total}"
    cancelled = "Cancelled"

    def __init__(self, frames: int = 3) -> None:
        self.frames = frames
        self.told: list[tuple[str, str]] = []
        self.restored = False
        self.written: Any = None
        self.go_on = threading.Event()

    def report(self, kinds: set[str], sentence: str) -> None:
        self.told.append((*kinds, sentence))  # type: ignore[arg-type]

    def read(self) -> Reading[str]:
        try:
            for row in range(self.frames):
                yield row, self.frames
                time.sleep(SLICE_SECONDS)
        finally:
            self.restored = True
        return "plan"

    def solve(self, plan: str, *, progress: Any = None, cancelled: Any = None) -> str:
        if progress is not None:
            progress(1, 2)
        while cancelled is not None and not cancelled() and not self.go_on.wait(0.01):
            pass
        return f"solved {plan}"

    def write(self, plan: str, solution: str) -> set[str]:
        self.written = plan, solution
        return {"FINISHED"}

    def steps(self, _context: Any) -> Steps:
        return Steps(self.read(), self.solve, self.write)


@pytest.fixture
def window() -> Iterator[Any]:
    made = Window()
    yield made
    assert running_work() is None
    assert (made.timers, made.status) == (0, None)


def until(work: LongWork, window: Any, said: str) -> None:
    """Go on until the status bar begins with something."""
    for _ in range(1000):
        if (window.status or "").startswith(said):
            return
        assert work.modal(window, TIMER) == GOES_ON
    raise AssertionError(window.status)


def finish(work: LongWork, window: Any) -> set[str]:
    for _ in range(1000):
        result = work.modal(window, TIMER)
        if result != GOES_ON:
            return result
        time.sleep(0.001)
    raise AssertionError


def test_it_reads_in_slices_solves_in_the_background_and_writes(window: Any) -> None:
    work = Counting()
    assert work.invoke(window, None) == GOES_ON
    assert (window.timers, window.handlers) == (1, 1)
    assert window.status == "Reading frame 1 of 3    Esc: Cancel"
    until(work, window, "Reading frame 2 of 3")
    until(work, window, "Solving 1 of 2")
    work.go_on.set()
    assert finish(work, window) == {"FINISHED"}
    assert work.written == ("plan", "solved plan")


@pytest.mark.parametrize("during", ["Reading frame 1", "Solving 1"])
def test_escape_ends_it_and_nothing_is_written(window: Any, during: str) -> None:
    work = Counting()
    work.invoke(window, None)
    until(work, window, during)
    assert work.modal(window, ESC) == {"CANCELLED"}
    assert (work.restored, work.written) == (True, None)
    assert work.told == [("INFO", "Cancelled")]


def test_blender_may_end_it(window: Any) -> None:
    work = Counting()
    work.invoke(window, None)
    work.cancel(window)
    work.cancel(window)
    assert (work.restored, work.written) == (True, None)


def test_looking_around_goes_on_and_nothing_else(window: Any) -> None:
    work = Counting()
    work.invoke(window, None)
    for kind, result in (("MIDDLEMOUSE", {"PASS_THROUGH"}), ("Z", GOES_ON), ("LEFTMOUSE", GOES_ON)):
        assert work.modal(window, SimpleNamespace(type=kind, value="PRESS")) == result
    work.cancel(window)


class Failing(Counting):
    """Fails while it reads, with a sentence or with a mistake of ours."""

    def __init__(self, error: Exception, frames: int = 2) -> None:
        super().__init__(frames)
        self.error = error

    def read(self) -> Reading[str]:
        yield from super().read()
        raise self.error


def test_an_error_is_one_sentence_and_stops_the_work(window: Any) -> None:
    work = Failing(RigError("No."))
    work.invoke(window, None)
    assert finish(work, window) == {"CANCELLED"}
    assert work.told == [("ERROR", "No.")]


def test_work_that_is_refused_at_once_shows_no_progress(window: Any) -> None:
    work = Failing(RigError("No."), frames=0)
    assert work.invoke(window, None) == {"CANCELLED"}
    assert window.handlers == 0


def test_a_mistake_leaves_nothing_running(window: Any) -> None:
    work = Failing(ZeroDivisionError())
    work.invoke(window, None)
    with pytest.raises(ZeroDivisionError):
        finish(work, window)


def test_while_it_runs_other_buttons_are_disabled_with_a_reason(window: Any) -> None:
    rig = waving()
    rig.bioik.feet.grounds.add().object = rig
    assert bpy.ops.bioik.bake.poll()
    work = Counting()
    work.invoke(window, None)
    for name in ("bake", "place_feet", "find_contacts", "delete_generated_keys", "go_to_frame"):
        assert not getattr(bpy.ops.bioik, name).poll(), name
    with pytest.raises(
        RuntimeError, match="Another operation is running: wait for it, or press Esc to cancel it"
    ):
        bpy.ops.bioik.bake()
    for panel in (BIOIK_PT_bake, BIOIK_PT_feet):
        (shown,) = drawn(panel).named("progress")
        assert (shown["text"], shown["factor"]) == ("Reading frame 1 of 3", pytest.approx(1 / 3))
        assert "Cancel" in drawn(panel).labels()
    work.cancel(window)
    assert bpy.ops.bioik.bake.poll()
    assert drawn(BIOIK_PT_bake).named("progress") == []


def test_long_work_shows_its_elapsed_time() -> None:
    waving()
    work = begin("Bake Goals", "Baking frame {done} of {total}")
    assert drawn(BIOIK_PT_bake).labels()[:3] == ["Bake Goals", "", "Cancel"]
    work.began -= 75.0
    assert drawn(BIOIK_PT_bake).labels()[:4] == ["Bake Goals", "75 s", "", "Cancel"]
    end()
