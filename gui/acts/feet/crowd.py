"""Three characters: settings are copied to all, feet placed by one press, undone in one step."""

from __future__ import annotations

import importlib

import bpy

from ...hand import Pause
from ...session import Session
from ...view import override
from ..setup import MODULE, look_at_character
from .character import ARMATURE, SOURCE, armature, is_solving, rig

# Where the others stand beside the first one, metres.
BESIDE = (-0.6, 0.6)
LAST_FRAME = 40
SWING = 0.8
SOLVING_S = 300.0


def place_crowd(session: Session) -> Pause:
    """Make two copies, copy a setting to them, place all, and undo that."""
    yield from session.press(r"bioik\.remove_result")
    names = [ARMATURE, *map(_copied, BESIDE)]
    with override():
        for other in bpy.context.view_layer.objects:
            other.select_set(other.name in names)
        bpy.context.view_layer.objects.active = armature()
        rig().feet.swing = SWING
        rig().bake.range, rig().bake.frame_end = "CUSTOM", LAST_FRAME
        bpy.ops.ed.undo_push(message="a crowd")
    look_at_character()  # the wheel over the end of the sidebar has zoomed
    yield 0.5
    yield from session.picture("three characters")
    yield from session.press(r"bioik\.copy_settings")
    swings = [round(bpy.data.objects[name].bioik.feet.swing, 3) for name in names]
    session.check("the setting is copied to all", swings == [SWING] * len(names))
    yield from session.press(r"bioik\.place_feet")
    yield from session.until(is_solving, 30.0)
    yield from session.until(lambda: not is_solving(), SOLVING_S)
    played = [_action(name) for name in names]
    session.check("each has a result of its own", len({*played, SOURCE}) == len(names) + 1)
    session.check("each has a verdict", all(map(_verdict, names)))
    yield from session.picture("feet of three characters")
    yield from session.undo()
    session.check("one undo brings all sources back", {_action(name) for name in names} == {SOURCE})
    _remove(names[1:])
    rig().bake.property_unset("range")
    rig().feet.property_unset("swing")


def _copied(beside: float) -> str:
    """A copy with its meshes and the same action; returns its name."""
    copy = armature().copy()
    copy.location.x += beside
    bpy.context.collection.objects.link(copy)
    for child in armature().children:
        mesh = child.copy()
        mesh.parent = copy
        for modifier in mesh.modifiers:
            if modifier.type == "ARMATURE":
                modifier.object = copy
        bpy.context.collection.objects.link(mesh)
    return str(copy.name)


def _remove(names: list[str]) -> None:
    for name in names:
        for found in (*bpy.data.objects[name].children, bpy.data.objects[name]):
            bpy.data.objects.remove(found)
    armature().select_set(True)
    bpy.context.view_layer.objects.active = armature()


def _action(name: str) -> str:
    return str(bpy.data.objects[name].animation_data.action.name)


def _verdict(name: str) -> str:
    """What the report says about a character."""
    view = importlib.import_module(f"{MODULE}.panels.report.report_view")
    shown = view.report_view(bpy.data.objects[name].bioik.bake.report)
    return str(shown.verdict) if shown is not None else ""
