"""Positions in the window: regions, buttons, and points of the scene. Used inside Blender."""

from __future__ import annotations

import re
from collections.abc import Generator
from typing import Any

import bpy
from bpy_extras.view3d_utils import location_3d_to_region_2d
from mathutils import Vector

from .hand import SOON, Hand, Place

TAB = "Bio-IK"
# Buttons are higher than this, pixels.
ROW_STEP = 14
# Columns of a region in which buttons are searched: whole rows, values, buttons next to lists.
COLUMNS = (0.3, 0.62, -44)
# How far the wheel is turned before each search: once to the top, then down by little.
SCROLLS = (-60, 8, 8, 8, 8, 8)
# Where buttons have been seen; they may have moved since.
_seen: dict[str, Place] = {}


def area_of(kind: str) -> bpy.types.Area:
    """The largest area of a kind."""
    areas = [area for area in _window().screen.areas if area.type == kind]
    return max(areas, key=lambda area: area.width * area.height)


def region_of(area: bpy.types.Area, kind: str) -> bpy.types.Region:
    """An area's region of a kind."""
    return next(region for region in area.regions if region.type == kind)


def override(kind: str = "VIEW_3D", region: str = "WINDOW") -> Any:
    """The context of an area, for operators."""
    area = area_of(kind)
    return bpy.context.temp_override(
        window=_window(), screen=_window().screen, area=area, region=region_of(area, region)
    )


def show_sidebar() -> Generator[float]:
    """Open the extension's tab."""
    area = area_of("VIEW_3D")
    area.spaces.active.show_region_ui = True
    yield 1.0
    region_of(area, "UI").active_panel_category = TAB
    area.tag_redraw()
    yield 1.0


def find_button(
    hand: Hand,
    wanted: str,
    area: bpy.types.Area | None = None,
    region_kind: str = "UI",
    columns: tuple[float, ...] = COLUMNS,
) -> Generator[float, None, Place]:
    """Search for a button with the mouse, scrolling if necessary, and return its position.

    Blender does not reveal the positions of buttons, only the action of the one under the mouse.

    Args:
        hand: Moves the mouse.
        wanted: Regular expression for what the button does: as Blender's info log writes an
            operator, or the path of a property.
        area: The area to look in; the 3D View if it is not given.
        region_kind: The region of it.
        columns: Where to look in it: shares of its width; negative ones are pixels from
            its right edge.

    Raises:
        LookupError: There is no such button.
    """
    area = area or area_of("VIEW_3D")
    region = region_of(area, region_kind)
    for place in [place for label, place in _seen.items() if re.search(wanted, label)]:
        yield from hand.move(place)
        if re.search(wanted, _under_mouse(area, region)):
            return place
    shown: dict[str, Place] = {}
    for turns in SCROLLS:
        yield from _scroll(hand, region, turns)
        before, shown = shown, {}
        for column in columns:
            x = region.x + (column * region.width if column > 0 else region.width + column)
            for y in range(region.y + region.height - 4, region.y, -ROW_STEP):
                yield from hand.move(Place(int(x), y))
                label = _under_mouse(area, region)
                shown[label] = _seen[label] = hand.place
                if label and re.search(wanted, label):
                    return hand.place
        if shown == before:
            break  # there is no more to scroll
    raise LookupError(f"There is no button {wanted}")


def _scroll(hand: Hand, region: bpy.types.Region, turns: int) -> Generator[float]:
    """Turn the wheel over a region, up if negative; not over a list, which would scroll itself."""
    yield from hand.move(Place(region.x + 8, region.y + region.height // 2))
    for _ in range(abs(turns)):
        hand.event("WHEELUPMOUSE" if turns < 0 else "WHEELDOWNMOUSE", "PRESS")
        yield SOON


def place_of(point: Vector) -> Place:
    """Where a point of the scene is seen in the 3D View."""
    area = area_of("VIEW_3D")
    region = region_of(area, "WINDOW")
    seen = location_3d_to_region_2d(region, area.spaces.active.region_3d, point)
    return Place(region.x + round(seen.x), region.y + round(seen.y))


def middle_of(kind: str, region_kind: str = "WINDOW") -> Place:
    """The middle of an area's region."""
    region = region_of(area_of(kind), region_kind)
    return Place(region.x + region.width // 2, region.y + region.height // 2)


def _under_mouse(area: bpy.types.Area, region: bpy.types.Region) -> str:
    """The action of the button under the mouse, empty if there is none."""
    manager = bpy.context.window_manager
    manager.clipboard = ""
    with bpy.context.temp_override(window=_window(), area=area, region=region):
        if bpy.ops.ui.copy_python_command_button.poll():
            bpy.ops.ui.copy_python_command_button()
        if not manager.clipboard and bpy.ops.ui.copy_data_path_button.poll():
            bpy.ops.ui.copy_data_path_button(full_path=True)
    return str(manager.clipboard)


def _window() -> bpy.types.Window:
    return bpy.context.window_manager.windows[0]
