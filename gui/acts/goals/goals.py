"""Add a goal, bake it with progress, cancel with Esc, and undo."""

from __future__ import annotations

import time

import bpy

from ...hand import SOON, Pause
from ...session import Session
from ...view import find_button
from ..feet.character import animation, armature, bone_place, is_solving, rig

BONE = "hand.L"
# Of a row of buttons, pixels.
ROW = 20
# The frames of the bake that is not cancelled.
LAST_FRAME = 10
SOLVING_S = 300.0


def add_goal(session: Session) -> Pause:
    """Select a bone in Pose Mode, and Position in the menu next to the list."""
    hand = session.hand
    bpy.context.scene.frame_set(1)
    yield from hand.click(bone_place("spine"))
    yield from hand.key("TAB", ctrl=True)
    yield 0.5
    session.check("the character is in pose mode", armature().mode == "POSE")
    yield from hand.click(bone_place(BONE))
    active = armature().data.bones.active
    session.check("a click picks the hand", active is not None and active.name == BONE)
    place = yield from find_button(hand, r"bioik\.remove_goal")
    # Blender does not reveal menus; this one is above the Remove button.
    yield from hand.click(place.moved(0, ROW))
    yield from session.picture("the kinds of goals")
    yield from hand.key("DOWN_ARROW")
    yield from hand.key("RET")
    yield 0.5
    goals = rig().goals
    found = [(goal.type, goal.bone) for goal in goals]
    session.check("there is a goal", found == [("POSITION", BONE)])
    hand_head = armature().matrix_world @ armature().pose.bones[BONE].head
    offset = goals[0].target.matrix_world.translation - hand_head
    session.check("its target is at the hand", offset.length < 1e-4)
    yield from session.picture("a goal")


def cancel_bake(session: Session) -> Pause:
    """Bake an unreachable goal, which is slow, and cancel with Esc."""
    solver, target = rig().solver, rig().goals[0].target
    solver.strategy, solver.evaluations = "EVOLUTION", 100_000
    target.location.z += 5.0
    yield 0.5
    before = animation()
    yield from session.press(r"bioik\.bake\(")
    yield from session.until(is_solving, 30.0)
    yield 1.0
    yield from session.picture("baking")
    session.check("the bake runs beside the window", is_solving())
    before_turn = time.perf_counter()
    yield SOON
    begun = time.perf_counter()
    session.hand.event("ESC", "PRESS")
    while is_solving() and time.perf_counter() < begun + 10.0:
        yield SOON
    # Without a GPU most of it is drawing, so it is reported and not checked.
    print(f"Esc took {time.perf_counter() - begun:.2f} s; a redraw {begun - before_turn:.2f} s")
    session.hand.event("ESC", "RELEASE")
    yield SOON
    session.check("Esc stops it", not is_solving())
    session.check("nothing has changed after Esc", animation() == before)
    yield from session.picture("cancelled with Esc")
    solver.property_unset("strategy")
    solver.property_unset("evaluations")
    target.location.z -= 5.0


def bake(session: Session) -> Pause:
    """Bake to the end: the hand goes where its target is."""
    before = animation()
    bpy.context.scene.frame_end = LAST_FRAME
    rig().bake.range = "SCENE"
    target = rig().goals[0].target
    target.location.z += 0.3
    yield 0.5
    yield from session.press(r"bioik\.bake\(")
    yield from session.until(is_solving, 30.0)
    yield from session.until(lambda: not is_solving(), SOLVING_S)
    action = armature().animation_data.action
    session.check("the bake makes a new action", action.name not in before.actions)
    session.check("the hand is at its target", max(map(_distance, range(1, LAST_FRAME + 1))) < 1e-3)
    yield from session.picture("baked")
    yield from session.undo()
    session.check("undo takes the bake back", animation().action == before.action)


def _distance(frame: int) -> float:
    bpy.context.scene.frame_set(frame)
    head = armature().matrix_world @ armature().pose.bones[BONE].head
    return float((rig().goals[0].target.matrix_world.translation - head).length)
