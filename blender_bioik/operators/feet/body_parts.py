"""Assigning bones to body parts, where detection is wrong."""

from typing import Any

import bpy
from bpy.app.translations import pgettext_rpt as rpt_
from bpy.app.translations import pgettext_tip
from bpy.props import IntProperty, StringProperty

from ...ui_state.chosen_armature import chosen_armature, poll_armature, poll_problem
from ...ui_state.shown_mapping import shown_mapping
from ..library_items import is_from_library

FROM_LIBRARY = (
    "The assignment comes from the library: assign another bone, or edit it in the library file"
)


class BIOIK_OT_choose_part(bpy.types.Operator):  # noqa: N801 (Blender's convention)
    """Assign bones to this body part by hand, starting from the detected ones"""  # noqa: D415

    bl_idname = "bioik.choose_part"
    bl_label = "Assign Body Part"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}  # noqa: RUF012 (Blender reads it as it is)

    slot: StringProperty(name="Part", description="Body part, such as thigh.L")

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is an armature."""
        return poll_armature(cls, context)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Store the detected bones as assignments, which the user can then edit."""
        armature = _armature(context)
        slots = armature.bioik.slots
        bones = _detected_bones(armature, self.slot)
        if bones is None:
            told = rpt_('There is no body part "{}": choose one listed in Body Parts').format(
                self.slot
            )
            self.report({"ERROR"}, told)
            return {"CANCELLED"}
        if self.slot in slots:
            self.report(
                {"WARNING"}, "The body part is already assigned: change its bone in the list"
            )
            return {"CANCELLED"}
        for bone in bones or ("",):
            added = slots.add()
            added.name, added.bone = self.slot, bone
        return {"FINISHED"}


class BIOIK_OT_use_guess(bpy.types.Operator):  # noqa: N801
    """Confirm the detected legs: assign their bones as they are listed in Body Parts"""  # noqa: D415

    bl_idname = "bioik.use_guess"
    bl_label = "Use This Guess"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there are legs to confirm."""
        if not poll_armature(cls, context):
            return False
        if not shown_mapping(_armature(context)).legs:
            return poll_problem(cls, "No legs were detected: assign their bones in Body Parts")
        return True

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Store the bones of each leg's parts that have no assignment yet."""
        from ...rig.mapping.guess import guessed_slots
        from ...rig.mapping.remembered import detected_mapping

        armature = _armature(context)
        slots = armature.bioik.slots
        there = {slot.name for slot in slots}
        for name, bone in guessed_slots(detected_mapping(armature)):
            if name not in there:
                added = slots.add()
                added.name, added.bone = name, bone
        return {"FINISHED"}


class BIOIK_OT_add_part_bone(bpy.types.Operator):  # noqa: N801
    """Add the active bone to this body part"""  # noqa: D415

    bl_idname = "bioik.add_part_bone"
    bl_label = "Add Bone to Body Part"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}  # noqa: RUF012

    slot: StringProperty(name="Part", description="Body part, such as spine")

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is an armature."""
        return poll_armature(cls, context)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Append the active bone to the part, or an empty field without one."""
        armature = _armature(context)
        added = armature.bioik.slots.add()
        active = armature.data.bones.active
        added.name, added.bone = self.slot, active.name if active else ""
        return {"FINISHED"}


class BIOIK_OT_clear_part(bpy.types.Operator):  # noqa: N801
    """Revert this body part to the detected bones"""  # noqa: D415

    bl_idname = "bioik.clear_part"
    bl_label = "Revert Body Part"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}  # noqa: RUF012

    slot: StringProperty(name="Part", description="Body part, such as thigh.L")
    index: IntProperty(
        name="Index",
        description="Index of the bone to remove; -1 reverts the whole body part",
        default=-1,
        min=-1,
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is an armature."""
        return poll_armature(cls, context)

    @classmethod
    def description(cls, _context: bpy.types.Context, properties: Any) -> str:
        """The tooltip: removes one bone, or reverts the whole part."""
        if properties.index >= 0:
            return pgettext_tip("Remove the bone from this body part")
        return pgettext_tip(cls.__doc__ or "")

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Remove the assignment, or one bone of it."""
        slots = _armature(context).bioik.slots
        own = [number for number, slot in enumerate(slots) if slot.name == self.slot]
        wanted = own if self.index < 0 else own[self.index : self.index + 1]
        if any(is_from_library(slots[number], "bioik.slots") for number in wanted):
            self.report({"ERROR"}, FROM_LIBRARY)
            return {"CANCELLED"}
        for number in reversed(wanted):
            slots.remove(number)
        return {"FINISHED"} if wanted else {"CANCELLED"}


class BIOIK_OT_clear_parts(bpy.types.Operator):  # noqa: N801
    """Revert all body parts to the detected bones"""  # noqa: D415

    bl_idname = "bioik.clear_parts"
    bl_label = "Revert to Detected"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is an assignment that can be removed."""
        if not poll_armature(cls, context):
            return False
        slots = _armature(context).bioik.slots
        if not len(slots):
            return poll_problem(cls, "All body parts already use the detected bones")
        if all(is_from_library(slot, "bioik.slots") for slot in slots):
            return poll_problem(cls, FROM_LIBRARY)
        return True

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Remove every assignment that is not from a library."""
        slots = _armature(context).bioik.slots
        for number in reversed(range(len(slots))):
            if not is_from_library(slots[number], "bioik.slots"):
                slots.remove(number)
        return {"FINISHED"}


def _armature(context: bpy.types.Context) -> bpy.types.Object:
    armature = chosen_armature(context)
    assert armature is not None
    return armature


def _detected_bones(armature: bpy.types.Object, slot: str) -> tuple[str, ...] | None:
    from ...rig.mapping.remembered import detected_mapping

    parts = detected_mapping(armature).parts
    return next((part.bones for part in parts if part.slot == slot), None)
