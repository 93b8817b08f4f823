"""Feet in the search field of a contact."""

from __future__ import annotations

from blender_bioik.ui_state.foot_search import foot_names

from ..builders.rigs import add_armature, humanoid


def test_legs_with_a_foot() -> None:
    assert sorted(foot_names(humanoid())) == ["leg.L", "leg.R"]


def test_there_are_no_foot_names_without_legs() -> None:
    assert foot_names(add_armature()) == []
