"""The warm-up inside Blender: its note and the status bar, while it runs and after."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import bpy
import pytest

from blender_bioik import warm_up_note
from blender_bioik.kernel_cache import CACHE_VARIABLE
from blender_bioik.warm_up import Outcome
from blender_bioik.warm_up_note import NOTE, _Watch

GIVE_UP_S = 300.0  # a guard against hanging


@pytest.fixture
def watch(registered: None) -> Iterator[_Watch]:
    made = _Watch()
    yield made
    made.stop()


def note() -> str:
    return str(getattr(bpy.context.window_manager, NOTE))


@dataclass
class Ended:
    """A compilation that has ended."""

    how: Outcome

    def outcome(self) -> Outcome:
        return self.how

    def stop(self) -> None:
        """Nothing goes on."""


def test_it_says_that_it_compiles_until_it_has_ended(
    watch: _Watch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    monkeypatch.setenv("BLENDER_BIOIK_NO_NUMBA", "1")  # so that there is nothing to compile
    assert watch.step() is not None
    assert note() == watch.status == "Bio-IK is compiling its solver (first use only)"
    began = time.monotonic()
    while not watch.has_ended():
        assert time.monotonic() - began < GIVE_UP_S
        time.sleep(0.05)
        watch.step()
    assert note() == watch.status
    assert note().endswith("much more slowly: numba is switched off")

    assert watch.step() is None
    assert (watch.status, note() != "") == ("", True)


@pytest.mark.parametrize(
    ("outcome", "kept", "shown"),
    [
        (Outcome(), "", "Bio-IK is ready"),
        (Outcome("no disk"), "on the first solve: no disk", "on the first solve: no disk"),
    ],
)
def test_problems_that_last_stay_in_the_note(
    watch: _Watch, outcome: Outcome, kept: str, shown: str
) -> None:
    watch._compiling = Ended(outcome)
    watch.step()
    assert note().endswith(kept)
    assert watch.status.endswith(shown)


def test_stopping_takes_the_note_away(watch: _Watch) -> None:
    watch._compiling = Ended(Outcome("no disk"))
    watch.step()
    watch.stop()
    assert note() == ""


def test_in_the_background_nothing_is_compiled_ahead(registered: None) -> None:
    assert bpy.app.background
    assert not warm_up_note.is_compiling()
