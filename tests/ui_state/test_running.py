"""The running work: its status, and the buttons that it disables."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from blender_bioik.ui_state.running import LONG_SECONDS, begin, end, running_work, work_problem


@pytest.fixture(autouse=True)
def ended() -> Iterator[None]:
    yield
    end()


def test_only_the_last_work_goes_on_until_it_ends() -> None:
    assert running_work() is None
    assert work_problem() == ""
    begin("First", "Reading")
    last = begin("Last", "Reading")
    assert running_work() is last
    assert "Another operation is running" in work_problem()
    end()
    assert running_work() is None
    assert work_problem() == ""


def test_how_much_is_done() -> None:
    work = begin("Bake", "Solving frame {done} of {total}")
    work.done, work.total = 3, 12
    assert work.text() == "Solving frame 3 of 12"
    assert work.share() == 0.25
    work.done, work.total = 5, 4
    assert work.share() == 1.0
    work.done, work.total = 0, 0
    assert work.share() == 0.0


def test_only_long_work_shows_its_elapsed_time() -> None:
    work = begin("Bake", "Reading")
    assert work.time_text() == ""
    work.began = time.perf_counter() - LONG_SECONDS - 0.5
    assert work.time_text() == f"{LONG_SECONDS} s"
