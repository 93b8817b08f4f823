"""Feet and other body parts in the search field of a contact."""

from __future__ import annotations

from blender_bioik.ui_state.foot_search import foot_names

from ..builders.rigs import add_armature, humanoid


def test_legs_come_before_other_body_parts() -> None:
    legs, others = foot_names(humanoid())[:2], foot_names(humanoid())[2:]
    assert sorted(legs) == ["leg.L", "leg.R"]
    assert {"knee.L", "forearm.R", "seat"} <= set(others)


def test_there_are_no_foot_names_without_legs() -> None:
    assert foot_names(add_armature()) == []
