"""Live solving of the current frame."""

from __future__ import annotations

import bpy
from bpy.app.translations import pgettext_iface as iface_

from ..rig.live.sessions import live_session
from ..ui_state.chosen_armature import chosen_armature
from ..ui_state.problems import live_problem
from .sidebar import Sidebar, show_problem, show_text


class BIOIK_PT_live(Sidebar, bpy.types.Panel):  # noqa: N801 (Blender's convention)
    """Solve the pose while targets are moved"""  # noqa: D415

    bl_label = "Live"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the toggle, its state, and the button that inserts keyframes."""
        layout = self.layout
        session = live_session(chosen_armature(context))
        show_problem(layout, live_problem(context))
        icon = "PLAY" if session is None else "PAUSE"
        row = layout.row(align=True)
        row.operator("bioik.toggle_live", icon=icon, depress=session is not None)
        row.operator("bioik.key_live_pose", icon="KEY_HLT")
        if session is None:
            return
        if session.problem:
            show_text(layout, session.problem, "ERROR")
        else:
            took = iface_("Solved in {:.1f} ms").format(session.milliseconds)
            layout.label(text=took, translate=False)
