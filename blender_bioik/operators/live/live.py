"""Live solving: toggling it, and inserting keyframes for its pose."""

import bpy
from bpy.app.translations import pgettext_rpt as rpt_

from ...rig.errors import RigError
from ...rig.live import live_handlers
from ...rig.live.sessions import live_session
from ...translations.sentences import translated
from ...ui_state.chosen_armature import chosen_armature, poll_problem
from ...ui_state.problems import live_problem
from ...ui_state.running import work_problem


class BIOIK_OT_toggle_live(bpy.types.Operator):  # noqa: N801 (Blender's convention)
    """Solve the current frame's pose while targets are moved, without inserting keyframes"""  # noqa: D415

    bl_idname = "bioik.toggle_live"
    bl_label = "Live"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012 (Blender reads it as it is)

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is something to solve; disabling only needs no other operation running."""
        return poll_problem(cls, live_problem(context))

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Start live solving, or end it and restore the animated pose."""
        armature = chosen_armature(context)
        assert armature is not None
        if live_session(armature) is not None:
            live_handlers.end_live(armature)
            return {"FINISHED"}
        try:
            live_handlers.begin_live(context.scene, armature)
        except RigError as error:
            self.report({"ERROR"}, translated(str(error)))
            return {"CANCELLED"}
        return {"FINISHED"}


class BIOIK_OT_key_live_pose(bpy.types.Operator):  # noqa: N801
    """Insert keyframes at the current frame for the bones moved by live solving"""  # noqa: D415

    bl_idname = "bioik.key_live_pose"
    bl_label = "Keyframe Pose"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether an armature is solved live."""
        live = live_session(chosen_armature(context)) is not None
        return poll_problem(cls, work_problem() or ("" if live else "Enable Live first"))

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Key them."""
        from ...rig.keys.pose_keys import key_shown

        armature = chosen_armature(context)
        session = live_session(armature)
        assert armature is not None
        assert session is not None
        try:
            bones = key_shown(context.scene, armature, session.moved(armature))
        except RigError as error:
            self.report({"ERROR"}, translated(str(error)))
            return {"CANCELLED"}
        if not bones:
            self.report({"INFO"}, "No bone was moved")
            return {"CANCELLED"}
        session.take_keys(context.scene.frame_current_final)
        self.report({"INFO"}, rpt_("Inserted keyframes for {} bones").format(bones))
        return {"FINISHED"}
