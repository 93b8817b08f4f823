"""The story of `make pictures`: every panel with those inside it, filled as it is in use."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import bpy

from . import crop
from .acts.feet.character import armature, rig
from .acts.setup import MODULE, look_at_character, wait_for_solver
from .hand import Pause, Place
from .panels import Panels, only_panels, opened_panels
from .session import Session, take_picture
from .view import area_of, middle_of, override, region_of, show_sidebar

# The tabs at the right of the sidebar, and how much wider it is made, pixels.
TABS, WIDER = 26, 70
# Bones that get goals. The last target is out of reach, to show a missed goal.
GOALS = (("head", "LOOK_AT"), ("hand.L", "POSITION"), ("hand.R", "POSITION"))
GOAL_FRAMES = 6
# How far the left hand's target is ahead, where the walk comes by, metres.
WITHIN_REACH = 0.4
# So that only the arm moves, not the whole body.
ARM = 4
PRESETS = ("feet", "goals", "solver")


def story(session: Session) -> Pause:
    """Prepare the scene step by step, and take pictures of the panels."""
    panels = yield from begin()
    yield from widen_sidebar(session)
    yield from wait_for_solver(session)
    yield from bake_goals()
    for name in ("rig", "feet", "goals", "solver", "bake"):
        yield from picture_of_panel(session, name, panels[name])
    for name in PRESETS:
        yield from picture_of_presets(session, name, panels[name])
    yield from picture_of_live(session, panels["live"])
    yield from picture_of_solutions(session, panels["solutions"])
    yield from place_feet()
    for name in ("report", "overlay"):
        yield from picture_of_panel(session, name, panels[name])
    taken = {path.stem.removeprefix("panel_") for path in session.out.glob("panel_*.png")}
    session.check("every panel has its picture", taken == set(panels))


def begin() -> Generator[float, Any, Panels]:
    """Enable the extension before the character; returns the panels of the sidebar, all open."""
    # Panels on plain grey can be cut out.
    bpy.context.preferences.system.use_region_overlap = False
    panels = opened_panels()
    bpy.ops.preferences.addon_enable(module=MODULE)
    look_at_character()
    yield from show_sidebar()
    return panels


def widen_sidebar(session: Session) -> Pause:
    """Drag its edge: then there is room for all columns of its lists."""
    sidebar = region_of(area_of("VIEW_3D"), "UI")
    yield from session.hand.drag(Place(sidebar.x + 1, sidebar.y + 300), (-WIDER, 0))
    yield 0.5


def bake_goals() -> Pause:
    """Give the character ground, contacts and goals, and bake these."""
    rig().feet.grounds.add().object = bpy.data.objects["Hills"]
    with override():
        bpy.context.view_layer.objects.active = armature()
        bpy.ops.bioik.find_contacts()
        bpy.ops.object.mode_set(mode="POSE")
        for bone, kind in GOALS:
            armature().data.bones.active = armature().data.bones[bone]
            bpy.ops.bioik.add_goal(type=kind)
        for goal in rig().goals[1:]:
            goal.chain_length, goal.tolerance = ARM, 0.001
        rig().goals[1].target.location.y -= WITHIN_REACH
        rig().goals[-1].target.location.z += 2.0
        source = armature().animation_data.action
        bpy.ops.bioik.bake(range="CUSTOM", frame_start=1, frame_end=GOAL_FRAMES)
        armature().animation_data.action = source
    yield 1.0


def place_feet() -> Pause:
    """Place feet without the goals, and show the overlay."""
    with override():
        for goal in rig().goals:
            goal.enabled = False
        bpy.ops.bioik.place_feet()
        bpy.context.workspace.bioik_overlay.show = True
    yield 1.0


def picture_of_panel(session: Session, name: str, group: list[type[Any]]) -> Pause:
    """Show only a panel and those inside it, and cut it out."""
    with only_panels(group):
        yield from _rest(session)
        whole = session.out / "window.png"
        take_picture(whole)
        sidebar = crop.region_pixels(whole, region_of(area_of("VIEW_3D"), "UI"))
        whole.unlink()
        panel = crop.without_empty_rows(sidebar[:, :-TABS])
        crop.save(panel, session.out / f"panel_{name}.png")
        session.check(f"the panel {name} fits into the sidebar", len(panel) < len(sidebar))


def picture_of_presets(session: Session, name: str, group: list[type[Any]]) -> Pause:
    """Open the popover in a panel's header, and cut it out."""
    with only_panels(group):
        yield from _rest(session)
        sidebar = region_of(area_of("VIEW_3D"), "UI")
        above = sidebar.y + sidebar.height
        box = yield from session.open_menu(Place(sidebar.x + sidebar.width - 64, above - 16))
        whole = session.out / "window.png"
        take_picture(whole)
        popover = crop.pixels_of(whole)[box.below : box.above + 1, box.left : box.right + 1]
        whole.unlink()
        crop.save(popover, session.out / f"presets_{name}.png")
        yield from session.hand.key("ESC")
        yield from _rest(session)


def picture_of_live(session: Session, group: list[type[Any]]) -> Pause:
    """Move a target while the arm follows it."""
    with override():
        rig().goals[-1].enabled = False
        bpy.ops.bioik.toggle_live()
    rig().goals[1].target.location.z += 0.35
    yield 0.5
    yield from picture_of_panel(session, "live", group)
    with override():
        bpy.ops.bioik.toggle_live()
    yield 0.5


def picture_of_solutions(session: Session, group: list[type[Any]]) -> Pause:
    """Look through other poses, and leave them."""
    with override():
        bpy.ops.bioik.browse_solutions("INVOKE_DEFAULT")
    yield 3.0
    yield from picture_of_panel(session, "solutions", group)
    yield from session.hand.move(middle_of("VIEW_3D"))
    yield from session.hand.key("ESC")
    yield 0.5


def _rest(session: Session) -> Pause:
    """Put the mouse where it shows nothing, and have the sidebar drawn."""
    area = area_of("VIEW_3D")
    yield from session.hand.move(Place(area.x + 200, area.y + 200))
    area.tag_redraw()
    yield 1.0
