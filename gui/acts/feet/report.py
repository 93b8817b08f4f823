"""The report's buttons: go to the worst frame, copy as JSON."""

from __future__ import annotations

import json
import re

import bpy

from ...hand import Pause
from ...session import Session
from ...view import find_button


def read_report(session: Session) -> Pause:
    """Press both, and check the results."""
    yield from session.press(r"bioik\.copy_report")
    content = json.loads(bpy.context.window_manager.clipboard)
    session.check("the report is on the clipboard", content["schema"] == "bioik.foot_report")
    place = yield from find_button(session.hand, r"bioik\.go_to_frame")
    bpy.context.scene.frame_set(1)
    yield from session.hand.move(place)
    # The clipboard was used to find the button under the mouse.
    (frame,) = re.findall(r"frame=(-?\d+)", bpy.context.window_manager.clipboard)
    yield from session.hand.click(place)
    session.check("a button goes to its frame", bpy.context.scene.frame_current == int(frame))
    yield from session.picture("the worst frame")
