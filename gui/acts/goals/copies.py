"""Several armatures: one solved live and copied, one linked, one overridden."""

from __future__ import annotations

import shutil
from pathlib import Path

import bpy
import numpy as np

from ...hand import Pause
from ...session import Session
from ...view import find_button, middle_of, override
from ..feet.character import ARMATURE, armature, pose, rig


def copy_while_live(session: Session) -> Pause:
    """Shift D on an armature that is solved live: the copy shows its source."""
    hand = session.hand
    rig().goals.clear()
    with override():
        bpy.ops.object.mode_set(mode="POSE")
        armature().data.bones.active = armature().data.bones["hand.L"]
        bpy.ops.bioik.add_goal(type="POSITION")
        bpy.ops.object.mode_set(mode="OBJECT")
        bpy.ops.ed.undo_push(message="a goal")
    source = pose()
    yield from session.press(r"bioik\.toggle_live")
    rig().goals[0].target.location.z += 0.2
    yield 1.0
    solved = pose()
    session.check("the pose follows", _change(source, solved) > 1e-3)
    for other in bpy.context.view_layer.objects:
        other.select_set(other == armature())
    bpy.context.view_layer.objects.active = armature()
    yield from hand.move(middle_of("VIEW_3D"))
    yield from hand.key("D", shift=True)
    yield 0.5
    yield from hand.key("RET")
    yield 1.0
    copy = bpy.data.objects.get(f"{ARMATURE}.001")
    session.check("there is a copy", copy is not None)
    if copy is not None:
        session.check("the copy shows its source", _change(source, _pose_of(copy)) < 1e-4)
    session.check("the first one is still solved", _change(solved, pose()) < 1e-3)
    yield from session.picture("a copy")
    yield from session.undo()
    gone = bpy.data.objects.get(f"{ARMATURE}.001") is None
    session.check("undo takes the copy away", gone)
    bpy.context.view_layer.objects.active = armature()
    yield 0.5
    yield from session.press(r"bioik\.toggle_live")
    session.check("off restores the pose", _change(source, pose()) < 1e-5)


def linked_and_overridden(session: Session) -> Pause:
    """A linked armature is shown with a hint; its override is editable."""
    library = shutil.copy(bpy.data.filepath, Path(bpy.data.filepath).with_name("library.blend"))
    with bpy.data.libraries.load(str(library), link=True) as (_, into):
        into.objects = [ARMATURE]
    (linked,) = into.objects
    bpy.context.scene.collection.objects.link(linked)
    bpy.context.view_layer.objects.active = linked
    yield 1.0
    yield from session.picture("a linked armature")
    session.check("a linked one is not baked", not _can("place_feet") and not _can("add_goal"))
    made = linked.override_hierarchy_create(
        bpy.context.scene, bpy.context.view_layer, do_fully_editable=True
    )
    overridden = made if made.type == "ARMATURE" else linked
    bpy.context.view_layer.objects.active = overridden
    yield 1.0
    session.check("its override is worked on", _can("add_goal"))
    yield from find_button(session.hand, r"bioik\.add_ground")
    yield from session.picture("an overridden armature")


def _can(name: str) -> bool:
    with override():
        return bool(getattr(bpy.ops.bioik, name).poll())


def _pose_of(armature_object: bpy.types.Object) -> tuple[object, ...]:
    return tuple(tuple(map(tuple, bone.matrix)) for bone in armature_object.pose.bones)


def _change(before: tuple[object, ...], after: tuple[object, ...]) -> float:
    """The largest difference between two poses."""
    return float(np.abs(np.array(before) - np.array(after)).max())
