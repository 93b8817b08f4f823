"""Contacts of feet with the ground: detecting and editing them.

Modules that read the clip are imported on use, to keep Blender's startup fast.
"""

from typing import TYPE_CHECKING, Any

import bpy
from bpy.app.translations import pgettext_rpt as rpt_
from bpy.props import EnumProperty, IntProperty, StringProperty

from ...properties.contact import PART, POINTS
from ...rig.errors import RigError
from ...translations import OWN
from ...translations.sentences import translated
from ...ui_state.chosen_armature import chosen_armature, poll_armature, poll_problem
from ..bake.frame_range import FrameRange
from ..library_items import poll_own
from ..long_work import LongWork, Steps

if TYPE_CHECKING:
    from ...rig.contacts.detected_contacts import DetectedContacts

ENDS = (
    ("BOTH", "Both", "The whole contact"),
    ("START", "Start", "Only the start of the contact"),
    ("END", "End", "Only the end of the contact"),
)
# Duration of a new contact, frames.
NEW_FRAMES = 10


class BIOIK_OT_find_contacts(FrameRange, LongWork, bpy.types.Operator):  # noqa: N801 (Blender's convention)
    """Detect when feet and other parts are on the ground, replacing the existing contacts"""  # noqa: D415

    bl_idname = "bioik.find_contacts"
    bl_label = "Detect Contacts"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012 (Blender reads it as it is)

    preparing = doing = "Detecting contacts"
    cancelled = "Contact detection cancelled, nothing was changed"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is an armature."""
        return poll_armature(cls, context)

    def draw(self, _context: bpy.types.Context) -> None:
        """Draw the options in the Adjust Last Operation panel."""
        self.layout.use_property_split = True
        self.draw_frames(self.layout)

    def steps(self, context: bpy.types.Context) -> Steps:
        """Read the clip and fill the list."""
        from ...rig.contacts.detected_contacts import reading_contacts

        armature = chosen_armature(context)
        assert armature is not None
        self.take_settings(armature)
        start, end = self.chosen_frames(context, armature)
        if end <= start:
            problem = rpt_("Frames {} to {} are not a valid range: choose a later end frame.")
            raise RigError(problem.format(start, end))
        frames = range(start, end + 1)
        return Steps(
            reading_contacts(context.scene, armature, frames),
            None,
            lambda detected, _solution: self._store(context.scene, armature, detected),
        )

    def _store(
        self, scene: bpy.types.Scene, armature: bpy.types.Object, detected: "DetectedContacts"
    ) -> set[str]:
        from ...rig.judge.clip_findings import clip_findings
        from ...rig.judge.known import keep_known
        from ...rig.judge.source_outcome import source_outcome
        from ...rig.legs.contact_store import store_contacts

        settings = armature.bioik.feet
        source, contacts, names, in_place, problem = detected
        store_contacts(settings, contacts, names, source.frames, len(source.feet))
        outcome = source_outcome(
            scene, armature, source.skeleton, source.clip, source.soles, source.rate, source.scale
        )
        keep_known(armature, clip_findings(outcome), source.frames)
        if in_place:
            self.tell("INFO", "The clip is animated in place, without root motion: its feet slide")
        if problem:
            told = rpt_("Contacts above the floor were not looked for. {}")
            self.tell("WARNING", told.format(translated(problem)))
        self.tell(
            "INFO" if contacts else "WARNING", rpt_("Detected {} contacts").format(len(contacts))
        )
        return {"FINISHED"}


class BIOIK_OT_add_contact(bpy.types.Operator):  # noqa: N801
    """Add a contact that starts at the current frame"""  # noqa: D415

    bl_idname = "bioik.add_contact"
    bl_label = "Add Contact"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012

    foot: StringProperty(
        name="Foot",
        description="Name of the leg, such as leg.L, or of another part of the body, such as "
        "hand.L; if empty, that of the active contact",
    )
    point: EnumProperty(
        name="Sole Point",
        translation_context=OWN,
        description="Part of the foot that is in contact with the ground",
        items=POINTS,
        default="BALL",
    )
    frames: IntProperty(
        name="Frames", description="Duration of the contact in frames", default=NEW_FRAMES, min=1
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is an armature."""
        return poll_armature(cls, context)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Insert it after the active one, and make it active."""
        from ...rig.legs.contact_store import name_contact
        from ...ui_state.foot_search import leg_names

        armature = chosen_armature(context)
        assert armature is not None
        try:
            foot = _chosen_foot(armature, self.foot)
        except RigError as error:
            self.report({"ERROR"}, translated(str(error)))
            return {"CANCELLED"}
        settings = armature.bioik.feet
        added = settings.contacts.add()
        is_foot = foot in leg_names(armature)
        added.foot, added.point = foot, self.point if is_foot else PART
        added.frame_start = context.scene.frame_current
        added.frame_end = context.scene.frame_current + self.frames - 1
        name_contact(settings, added)
        _put_behind_active(settings)
        return {"FINISHED"}


class BIOIK_OT_remove_contact(bpy.types.Operator):  # noqa: N801
    """Remove the active contact"""  # noqa: D415

    bl_idname = "bioik.remove_contact"
    bl_label = "Remove Contact"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is an active contact that can be removed."""
        contact = _poll_contact(cls, context)
        way_out = "The contact comes from the library: remove it in the library file"
        return contact is not None and poll_own(cls, contact, "bioik.feet.contacts", way_out)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Remove it, and make the previous one active."""
        settings = _settings(context)
        settings.contacts.remove(settings.active_contact)
        settings.active_contact = max(0, min(settings.active_contact, len(settings.contacts) - 1))
        settings.contacts_edited = True
        return {"FINISHED"}


class BIOIK_OT_split_contact(bpy.types.Operator):  # noqa: N801
    """Split the active contact in two at the current frame"""  # noqa: D415

    bl_idname = "bioik.split_contact"
    bl_label = "Split Contact"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether the current frame is inside the active contact."""
        contact = _poll_contact(cls, context)
        if contact is None:
            return False
        if not contact.frame_start < context.scene.frame_current <= contact.frame_end:
            return poll_problem(cls, "Go to a frame inside the contact, after its first frame")
        return True

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Split it, and make the second part active."""
        from ...rig.legs.contact_store import name_contact

        settings = _settings(context)
        second = settings.contacts.add()
        # Adding may reallocate the collection, so the first part is looked up afterwards.
        first = settings.contacts[settings.active_contact]
        second.foot, second.point, second.slides = first.foot, first.point, first.slides
        second.level = first.level
        second.frame_end = first.frame_end
        second.frame_start = context.scene.frame_current
        name_contact(settings, second)
        first.frame_end = context.scene.frame_current - 1
        _put_behind_active(settings)
        return {"FINISHED"}


class BIOIK_OT_move_contact(bpy.types.Operator):  # noqa: N801
    """Move the active contact, or its start or end, in time"""  # noqa: D415

    bl_idname = "bioik.move_contact"
    bl_label = "Move Contact"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012

    frames: IntProperty(
        name="Frames",
        description="Number of frames to move by; negative values move it earlier",
        default=1,
    )
    end: EnumProperty(
        name="End", description="Part of the contact to move", items=ENDS, default="BOTH"
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is an active contact."""
        return _poll_contact(cls, context) is not None

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Move it, unless it would end before it starts."""
        settings = _settings(context)
        contact = settings.contacts[settings.active_contact]
        start = contact.frame_start + (0 if self.end == "END" else self.frames)
        end = contact.frame_end + (0 if self.end == "START" else self.frames)
        if end < start:
            problem = rpt_(
                "The contact would start at frame {} and end at frame {}: move it by fewer frames"
            )
            self.report({"ERROR"}, problem.format(start, end))
            return {"CANCELLED"}
        contact.frame_start, contact.frame_end = start, end
        return {"FINISHED"}


def _settings(context: bpy.types.Context) -> Any:
    armature = chosen_armature(context)
    assert armature is not None
    return armature.bioik.feet


def _poll_contact(cls: type[bpy.types.Operator], context: bpy.types.Context) -> Any:
    """The active contact; None, with a poll message, if there is none."""
    if not poll_armature(cls, context):
        return None
    settings = _settings(context)
    if not settings.contacts:
        poll_problem(cls, "The armature has no contacts: detect or add some first")
        return None
    if not 0 <= settings.active_contact < len(settings.contacts):
        poll_problem(cls, "Select a contact in the list")
        return None
    return settings.contacts[settings.active_contact]


def _chosen_foot(armature: bpy.types.Object, name: str) -> str:
    """The foot or other part of a new contact: the named one, or that of the active contact."""
    from ...ui_state.foot_search import foot_names

    names = foot_names(armature)
    if not names:
        problem = rpt_('No legs were detected in "{}": assign their bones in Body Parts.')
        raise RigError(problem.format(armature.name))
    if name and name not in names:
        problem = rpt_('There is no foot or other part "{}": choose one of {}.')
        raise RigError(problem.format(name, ", ".join(names)))
    settings = armature.bioik.feet
    if not name and 0 <= settings.active_contact < len(settings.contacts):
        active = str(settings.contacts[settings.active_contact].foot)
        return active if active in names else names[0]
    return name or names[0]


def _put_behind_active(settings: Any) -> None:
    """Move the last contact after the active one, and make it active."""
    last = len(settings.contacts) - 1
    place = min(max(settings.active_contact + 1, 0), last)
    settings.contacts.move(last, place)
    settings.active_contact = place
    settings.contacts_edited = True
