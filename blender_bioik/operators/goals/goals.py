"""The list of goals: add, remove, and put in order.

Modules that need numpy are imported on use, to keep Blender's startup fast.
"""

from typing import Any

import bpy
from bpy.props import BoolProperty, EnumProperty

from ...goal_types import goal_type, goal_types
from ...properties.goal_names import name_goals
from ...properties.goal_types.settings import type_items
from ...rig.errors import RigError
from ...translations.sentences import translated
from ...ui_state.chosen_armature import chosen_armature, poll_armature, poll_problem
from ...ui_state.selected_target import selected_target
from ..library_items import poll_own


def _type_items(_operator: Any, _context: Any) -> list[tuple[str, str, str, str, int]]:
    """The types there are now; they keep the texts in memory, which Blender needs."""
    return type_items(goal_types())


class BIOIK_OT_add_goal(bpy.types.Operator):  # noqa: N801 (Blender's convention)
    """Add a goal for the active bone; another selected object becomes its target"""  # noqa: D415

    bl_idname = "bioik.add_goal"
    bl_label = "Add Goal"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012 (Blender reads it as it is)

    type: EnumProperty(name="Type", description="What the goal asks of the pose", items=_type_items)
    add_target: BoolProperty(
        name="Add Target",
        description="Add an empty at the bone as the target if no object is selected",
        default=True,
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is an armature."""
        return poll_armature(cls, context)

    def draw(self, _context: bpy.types.Context) -> None:
        """Draw the options in the Adjust Last Operation panel."""
        self.layout.use_property_split = True
        self.layout.prop(self, "type")
        if goal_type(self.type).new_target == "OBJECT":
            self.layout.prop(self, "add_target")

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Append it to the list, and make it active."""
        armature = chosen_armature(context)
        assert armature is not None
        rig = armature.bioik
        goal = rig.goals.add()
        goal.type = self.type
        goal.weight = goal.kind.weight
        bone = _active_bone(armature)
        if bone is not None and "bone" in goal.kind.uses:
            goal.bone = bone.name
        name_goals(armature)
        self._aim(context, armature, goal, bone)
        rig.active_goal = len(rig.goals) - 1
        return {"FINISHED"}

    def _aim(
        self,
        context: bpy.types.Context,
        armature: bpy.types.Object,
        goal: Any,
        bone: bpy.types.PoseBone | None,
    ) -> None:
        """Set a target or point at which the current pose meets it."""
        if "target" not in goal.kind.uses:
            return
        goal.target = selected_target(context, armature)
        if goal.target is not None or bone is None:
            return
        from ...rig.goals.goal_targets import new_target, target_place

        kind = goal.kind
        if kind.new_target == "OBJECT" and self.add_target:
            place = target_place(armature, bone, kind)
            goal.target = new_target(context, goal.name, place)
        elif kind.new_target:
            goal.point = target_place(armature, bone, kind).translation


class BIOIK_OT_remove_goal(bpy.types.Operator):  # noqa: N801
    """Remove the active goal; its target stays"""  # noqa: D415

    bl_idname = "bioik.remove_goal"
    bl_label = "Remove Goal"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether the active goal can be removed."""
        return _poll_own_goal(cls, context)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Remove it, and make the next one active."""
        from ...rig.goals.goal_order import remove_goal

        rig = rig_of(context)
        try:
            remove_goal(rig.id_data, rig.active_goal)
        except RigError as error:
            self.report({"ERROR"}, translated(str(error)))
            return {"CANCELLED"}
        rig.active_goal = max(0, min(rig.active_goal, len(rig.goals) - 1))
        return {"FINISHED"}


class BIOIK_OT_move_goal(bpy.types.Operator):  # noqa: N801
    """Move the active goal up or down in the list"""  # noqa: D415

    bl_idname = "bioik.move_goal"
    bl_label = "Move Goal"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012

    direction: EnumProperty(
        name="Direction",
        description="Where to",
        items=(("UP", "Up", "Towards the top"), ("DOWN", "Down", "Towards the bottom")),
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether the active goal can be moved."""
        if not _poll_own_goal(cls, context):
            return False
        if len(rig_of(context).goals) < 2:
            return poll_problem(cls, "There is only one goal")
        return True

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Move it, unless it is at the end already."""
        from ...rig.goals.goal_order import move_goal

        rig = rig_of(context)
        place = rig.active_goal + (1 if self.direction == "DOWN" else -1)
        if not 0 <= place < len(rig.goals):
            return {"CANCELLED"}
        try:
            move_goal(rig.id_data, rig.active_goal, place)
        except RigError as error:
            self.report({"ERROR"}, translated(str(error)))
            return {"CANCELLED"}
        rig.active_goal = place
        return {"FINISHED"}


def rig_of(context: bpy.types.Context) -> Any:
    """`Object.bioik` of the armature that operators work on."""
    armature = chosen_armature(context)
    assert armature is not None
    return armature.bioik


def poll_goal(cls: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    """Whether there is an active goal; sets the poll message if not."""
    if not poll_armature(cls, context):
        return False
    rig = rig_of(context)
    if not 0 <= rig.active_goal < len(rig.goals):
        problem = "Choose a goal in the list" if len(rig.goals) else "Add a goal first"
        return poll_problem(cls, problem)
    return True


def _poll_own_goal(cls: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    """Whether the active goal is not from a library; sets the poll message if it is."""
    if not poll_goal(cls, context):
        return False
    rig = rig_of(context)
    way_out = "The goal is from the library: disable it, or edit it in the library's file"
    return poll_own(cls, rig.goals[rig.active_goal], "bioik.goals", way_out)


def _active_bone(armature: bpy.types.Object) -> bpy.types.PoseBone | None:
    active = armature.data.bones.active
    return armature.pose.bones.get(active.name) if active is not None else None
