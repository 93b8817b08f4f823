"""Overlay settings, stored on the workspace and therefore not affected by undo."""

from collections.abc import Callable

import bpy
from bpy.props import BoolProperty, FloatProperty

Listener = Callable[[bpy.types.PropertyGroup, bpy.types.Context], None]


# Called with the settings and the context after a change. The overlay registers here: it reads
# these settings, so they must not import it.
SHOW_LISTENERS: list[Listener] = []
LOOK_LISTENERS: list[Listener] = []


def _show_changed(settings: bpy.types.PropertyGroup, context: bpy.types.Context) -> None:
    for listener in SHOW_LISTENERS:
        listener(settings, context)


def _look_changed(settings: bpy.types.PropertyGroup, context: bpy.types.Context) -> None:
    for listener in LOOK_LISTENERS:
        listener(settings, context)


class BioIKOverlay(bpy.types.PropertyGroup):
    """Elements drawn in the 3D Viewports of a workspace."""

    show: BoolProperty(
        name="Show Overlay",
        description="Draw goals, contacts and paths in the 3D Viewport; they are not rendered",
        update=_show_changed,
    )
    goals: BoolProperty(
        name="Goals",
        description="Lines from bones to the targets of their goals, red where a goal is missed",
        default=True,
        update=_look_changed,
    )
    soles: BoolProperty(
        name="Sole Points",
        description="Heel, ball and toe tip of each foot, and whether they are planted or sliding",
        default=True,
        update=_look_changed,
    )
    footprints: BoolProperty(
        name="Footprints",
        description="Footprints along the path, dashed where feet slide",
        default=True,
        update=_look_changed,
    )
    spans: BoolProperty(
        name="Contact Spans",
        description="Bars along the pelvis path for the frames in which each foot is on the ground",
        default=True,
        update=_look_changed,
    )
    pelvis: BoolProperty(
        name="Pelvis Path",
        description="Path of the pelvis, with the source's path dashed",
        default=True,
        update=_look_changed,
    )
    ghost: BoolProperty(
        name="Source Ghost",
        description="Source pose at the current frame, as a stick figure",
        default=True,
        update=_look_changed,
    )
    ghost_opacity: FloatProperty(
        name="Ghost Opacity",
        description="Opacity of the source ghost",
        subtype="FACTOR",
        default=0.6,
        min=0.05,
        max=1.0,
        update=_look_changed,
    )
    line_width: FloatProperty(
        name="Line Width",
        description="Width of the overlay's lines",
        subtype="PIXEL",
        default=1.5,
        min=1.0,
        max=8.0,
        soft_max=5.0,
        update=_look_changed,
    )
