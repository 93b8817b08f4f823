"""Lengths of foot placement follow the size of the character until they are set."""

from __future__ import annotations

import bpy
import pytest

from ...builders.walkers import walker


@pytest.mark.parametrize("name", ["step_up", "pelvis_sideways"])
def test_a_length_that_was_set_follows_the_character_again(registered: None, name: str) -> None:
    feet = walker(on="hills").bioik.feet
    usual = getattr(feet, name)
    setattr(feet, name, 3.0 * usual)
    assert feet.is_property_set(name)
    assert bpy.ops.bioik.fit_length(length=name) == {"FINISHED"}
    assert not feet.is_property_set(name)
    assert getattr(feet, name) == usual
