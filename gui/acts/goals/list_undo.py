"""Each edit of a list is one undo step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bpy

from ...hand import Pause
from ...session import Session
from ...view import override
from ..feet.character import armature, rig


def undo_lists(session: Session) -> Pause:
    """Do each of them once, and press Ctrl Z."""
    with override():
        bpy.ops.object.mode_set(mode="POSE")
        armature().data.bones.active = armature().data.bones["hand.L"]
    operators = bpy.ops.bioik
    done: tuple[tuple[str, Callable[..., Any], dict[str, Any]], ...] = (
        ("adding a goal", operators.add_goal, {"type": "POSITION"}),
        ("duplicating a goal", operators.duplicate_goal, {}),
        ("mirroring a goal", operators.mirror_goal, {}),
        ("moving a goal", operators.move_goal, {"direction": "UP"}),
        ("removing a goal", operators.remove_goal, {}),
        ("adding ground", operators.add_ground, {}),
        ("removing ground", operators.remove_ground, {}),
        ("adding a contact", operators.add_contact, {}),
        ("splitting a contact", operators.split_contact, {}),
        ("removing a contact", operators.remove_contact, {}),
        ("choosing a body part", operators.choose_part, {"slot": "head"}),
    )
    for what, operator, arguments in done:
        before = _lists()
        if what == "splitting a contact":
            bpy.context.scene.frame_current += 2  # into the contact that was added
        with override():
            operator("EXEC_DEFAULT", True, **arguments)
        yield 0.3
        after = _lists()
        session.check(f"{what} changes a list", after != before)
        yield from session.undo()
        session.check(f"undo takes {what} back", _lists() == before)
        with override():
            bpy.ops.ed.redo()
        yield 0.3
        session.check(f"redo does {what} again", _lists() == after)
    with override():
        bpy.ops.object.mode_set(mode="OBJECT")


def _lists() -> tuple[Any, ...]:
    """Contents of the lists; grounds by name only."""
    return (
        tuple((goal.name, goal.type, goal.bone) for goal in rig().goals),
        tuple(ground.name for ground in rig().feet.grounds),
        tuple((c.foot, c.point, c.frame_start, c.frame_end) for c in rig().feet.contacts),
        tuple((slot.name, slot.bone) for slot in rig().slots),
        tuple(sorted(object_.name for object_ in bpy.data.objects)),
    )
