"""The overlay's settings in the sidebar and in the popover."""

from __future__ import annotations

import bpy
import pytest

from blender_bioik.panels.overlay import BIOIK_PT_overlay, BIOIK_PT_overlay_popover

from ..builders.layouts import drawn
from ..builders.rigs import humanoid

ELEMENTS = ["goals", "soles", "footprints", "spans", "pelvis", "ghost"]


@pytest.fixture(autouse=True)
def rig() -> bpy.types.Object:
    made = humanoid()
    bpy.context.view_layer.objects.active = made
    return made


def test_the_sidebar_shows_the_switch_and_the_drawn_elements() -> None:
    assert drawn(BIOIK_PT_overlay, "draw_header").properties() == ["show"]
    shown = drawn(BIOIK_PT_overlay)
    assert shown.properties() == [*ELEMENTS, "line_width", "ghost_opacity"]
    assert shown.operators() == ["bioik.update_overlay"]


def test_the_popover_of_overlays_has_the_same_switches() -> None:
    assert BIOIK_PT_overlay_popover.bl_parent_id == "VIEW3D_PT_overlay"
    assert drawn(BIOIK_PT_overlay_popover).properties() == ["show", *ELEMENTS]


def test_elements_that_are_not_drawn_are_greyed_out() -> None:
    settings = bpy.context.workspace.bioik_overlay
    assert not drawn(BIOIK_PT_overlay).is_active("footprints")
    settings.show = True
    assert drawn(BIOIK_PT_overlay).is_active("footprints")
    settings.ghost = False
    assert not drawn(BIOIK_PT_overlay).is_active("ghost_opacity")


def test_it_says_when_the_paths_are_not_there() -> None:
    off = ["Enable the overlay in this panel's header"]
    assert drawn(BIOIK_PT_overlay).labels() == off
    bpy.context.workspace.bioik_overlay.show = True
    assert drawn(BIOIK_PT_overlay).labels() == ["Update the paths to show footprints"]
    bpy.ops.bioik.update_overlay()
    assert drawn(BIOIK_PT_overlay).labels() == []
