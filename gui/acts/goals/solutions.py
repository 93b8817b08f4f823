"""Look through other poses: Esc restores, Enter keys."""

from __future__ import annotations

import importlib

import bpy
import numpy as np

from ...hand import Pause
from ...session import Session
from ...view import middle_of, override
from ..feet.character import animation, armature, is_solving, pose, rig
from ..setup import MODULE

BONE, RAISED = "hand.L", 0.3
# Where no hand reaches, metres.
FAR = 50.0
FRAME = 20
FINDING_S = 60.0


def browse_solutions(session: Session) -> Pause:
    """Browse twice, leave with Esc and with Enter, and undo the keys."""
    _ask_for_a_raised_hand()
    yield 0.5
    before = animation()
    yield from _cancel_search(session)
    session.check("Esc ends the search", not is_solving() and not is_browsing())
    session.check("a cancelled search changes nothing", animation() == before)
    yield from _browse(session)
    first = pose()
    session.check("a solution is shown", _change(before.pose, first) > 1e-3)
    yield from session.hand.key("RIGHT_ARROW")
    yield 0.5
    session.check("the next one is another", _change(first, pose()) > 1e-4)
    yield from session.picture("a solution")
    yield from session.hand.key("ESC")
    yield 0.5
    session.check("Esc ends it", not is_solving())
    session.check("Esc restores the pose", _change(before.pose, pose()) < 1e-5)
    session.check("Esc changes no key", animation().keys == before.keys)
    yield from _browse(session)
    chosen = pose()
    yield from session.hand.key("RET")
    yield 0.5
    session.check("Enter ends it", not is_solving())
    session.check("Enter keeps the pose", _change(chosen, pose()) < 1e-5)
    keyed = set(animation().keys) - set(before.keys)
    session.check("Enter keys the current frame only", {key[2][0] for key in keyed} == {FRAME})
    bpy.context.scene.frame_set(FRAME + 1)
    bpy.context.scene.frame_set(FRAME)
    session.check("the keys hold the pose", _change(chosen, pose()) < 1e-4)
    yield from session.picture("a solution is keyed")
    yield from session.undo()
    session.check("undo takes the keys back", animation().keys == before.keys)


def _ask_for_a_raised_hand() -> None:
    rig().goals.clear()
    bpy.context.scene.frame_set(FRAME)
    with override():
        bpy.context.view_layer.objects.active = armature()
        bpy.ops.object.mode_set(mode="POSE")
        armature().data.bones.active = armature().data.bones[BONE]
        bpy.ops.bioik.add_goal(type="POSITION")
        rig().goals[0].target.location.z += RAISED
        bpy.ops.object.mode_set(mode="OBJECT")
        bpy.context.view_layer.objects.active = armature()
        bpy.ops.ed.undo_push(message="a goal")


def _cancel_search(session: Session) -> Pause:
    """Search with a budget that takes very long, and press Esc."""
    rig().solver.strategy, rig().solver.evaluations = "EVOLUTION", 10_000_000
    target = rig().goals[0].target
    target.location.z += FAR
    yield 0.3
    yield from session.press(r"bioik\.browse_solutions")
    yield 1.0
    session.check("the search runs beside the window", is_solving() and not is_browsing())
    yield from session.picture("looking for solutions")
    yield from session.hand.key("ESC")
    yield 0.3
    rig().solver.property_unset("strategy")
    rig().solver.property_unset("evaluations")
    target.location.z -= FAR
    yield 0.3


def _browse(session: Session) -> Pause:
    """Press the button, wait for the search, and go to the 3D View with the mouse."""
    yield from session.press(r"bioik\.browse_solutions")
    yield from session.until(is_browsing, FINDING_S)
    session.check("solutions are looked through", is_browsing())
    yield from session.hand.move(middle_of("VIEW_3D"))
    yield 0.3


def is_browsing() -> bool:
    """Whether poses have been found, and are looked through."""
    running = importlib.import_module(f"{MODULE}.ui_state.browsed")
    return running.browsed_solutions() is not None


def _change(before: tuple[object, ...], after: tuple[object, ...]) -> float:
    """The largest difference between two poses."""
    return float(np.abs(np.array(before) - np.array(after)).max())
