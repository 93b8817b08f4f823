"""Edit contacts in their list, and bake the frames again that this changes."""

from __future__ import annotations

from typing import Any

import bpy

from ...hand import Pause
from ...session import Session
from ...view import find_button, override
from .character import GROUND, animation, armature, is_solving, rig

SOLVING_S = 300.0
# Where a contact is added, and where it is made to begin and to end.
PLAYHEAD, START, END = 20, 24, 31
# How long the extension takes to notice a change, seconds.
NOTICED_S = 4.0


def edit_contacts(session: Session) -> Pause:
    """Find them, add one at the playhead, change it by its fields, remove it, and undo that."""
    with override():
        bpy.context.view_layer.objects.active = armature()
        armature().select_set(True)
    rig().feet.grounds.add().object = bpy.data.objects[GROUND]
    yield from session.press(r"bioik\.find_contacts")
    yield from session.until(is_solving, 5.0)
    yield from session.until(lambda: not is_solving(), SOLVING_S)
    found = len(_contacts())
    session.check("contacts are found", found > 10)
    bpy.context.scene.frame_set(PLAYHEAD)
    yield from session.press(r"bioik\.add_contact")
    session.check("a contact is added", len(_contacts()) == found + 1)
    session.check("it begins at the playhead", _active().frame_start == PLAYHEAD)
    session.check("edited contacts are kept", rig().feet.contacts_edited)
    for name, frame in (("frame_end", END), ("frame_start", START)):
        yield from session.type_into(rf"contacts\[\d+\]\.{name}$", str(frame))
        session.check(f"{name} is typed", getattr(_active(), name) == frame)
    foot = _active().foot
    other = "leg.R" if foot == "leg.L" else "leg.L"
    yield from session.type_into(r"contacts\[\d+\]\.foot$", other)
    session.check("another foot is chosen", _active().foot == other)
    yield from session.undo()
    session.check("undo takes the other foot back alone", _active().foot == foot)
    session.check("and nothing before it", _active().frame_start == START)
    point = _active().point
    place = yield from find_button(session.hand, r"contacts\[\d+\]\.point$")
    yield from session.hand.move(place)
    session.hand.event("WHEELDOWNMOUSE", "PRESS", ctrl=True)
    yield 0.3
    session.check("the sole point is another one", _active().point != point)
    yield from session.press(r"contacts\[\d+\]\.slides$")
    session.check("it slides", _active().slides)
    yield from session.press(r"bioik\.move_contact.*frames=1")
    session.check("it is moved", _active().frame_start == START + 1)
    yield from session.picture("a contact")
    yield from session.press(r"bioik\.remove_contact")
    session.check("it is removed", len(_contacts()) == found)
    yield from session.undo()
    session.check("undo brings it back", len(_contacts()) == found + 1)
    session.check("as it was", (_active().frame_start, _active().slides) == (START + 1, True))
    yield from session.press(r"bioik\.remove_contact")


def rebake(session: Session) -> Pause:
    """Place feet, shorten a contact, and re-bake only the changed frames."""
    yield from session.press(r"bioik\.place_feet")
    yield from session.until(is_solving, 30.0)
    yield from session.until(lambda: not is_solving(), SOLVING_S)
    placed = animation()
    rig().feet.active_contact = len(_contacts()) // 2
    yield 0.3
    sooner = _active().frame_end - 3
    yield from session.type_into(r"contacts\[\d+\]\.frame_end$", str(sooner))
    session.check("the contact ends sooner", _active().frame_end == sooner)
    yield NOTICED_S
    yield from session.picture("frames have changed")
    yield from session.press(r"bioik\.rebake")
    yield from session.until(is_solving, 5.0)
    yield from session.until(lambda: not is_solving(), SOLVING_S)
    again = animation()
    session.check("it is baked into the same action", again.action == placed.action)
    other = set(again.keys) - set(placed.keys)
    # The report's curves are written again from the first frame to the last.
    changed = sorted({frame for path, _, (frame, _) in other if path.startswith("pose.bones")})
    print(f"Frames with other keys: {changed[:1]} to {changed[-1:]}", flush=True)
    every = {key[2][0] for key in placed.keys}
    session.check("some frames have other keys", 0 < len(changed) < len(every))
    yield from session.picture("baked again")
    yield from session.undo()
    session.check("undo takes that back", animation().keys == placed.keys)


def _contacts() -> Any:
    return rig().feet.contacts


def _active() -> Any:
    return _contacts()[rig().feet.active_contact]
