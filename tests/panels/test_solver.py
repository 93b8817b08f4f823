"""The panels of the solver."""

from __future__ import annotations

from typing import Any

import bpy
import pytest

from blender_bioik.panels.solver import (
    BIOIK_PT_solver,
    BIOIK_PT_solver_bones,
    BIOIK_PT_solver_search,
)

from ..builders.layouts import drawn
from ..builders.rigs import humanoid


@pytest.fixture
def solver() -> Any:
    rig = humanoid()
    bpy.context.view_layer.objects.active = rig
    return rig.bioik.solver


def test_settings_are_ordered_by_their_effect_on_the_motion(solver: Any) -> None:
    assert drawn(BIOIK_PT_solver).properties() == ["displacement", "smoothness"]
    bones = ["scope", "use_limits", "move_root", "read_constraints"]
    assert drawn(BIOIK_PT_solver_bones).properties() == bones
    search = ["strategy", "evaluations", "population", "elites", "seed"]
    assert drawn(BIOIK_PT_solver_search).properties() == search


@pytest.mark.parametrize("name", ["displacement", "smoothness"])
def test_a_hint_describes_the_effect_on_the_motion(solver: Any, name: str) -> None:
    before = drawn(BIOIK_PT_solver).labels()
    setattr(solver, name, 0.0)
    after = drawn(BIOIK_PT_solver).labels()
    assert len(after) == len(before)
    assert sum(a != b for a, b in zip(after, before, strict=True)) == 1


def test_the_strategy_is_explained(solver: Any) -> None:
    told = set()
    for strategy in ("MEMETIC", "LOCAL", "EVOLUTION"):
        solver.strategy = strategy
        told.add(drawn(BIOIK_PT_solver_search).labels()[0])
    assert len(told) == 3


def test_every_setting_of_the_search_is_explained_below_it(solver: Any) -> None:
    for strategy in ("MEMETIC", "LOCAL"):
        solver.strategy = strategy
        search = drawn(BIOIK_PT_solver_search)
        assert len(search.labels()) == len(search.properties())
        assert len(set(search.labels())) == len(search.labels())
