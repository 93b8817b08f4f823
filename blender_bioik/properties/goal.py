"""A goal as it is kept in the .blend file, on the armature object."""

# No `from __future__ import annotations`: Blender reads the annotations as properties.
import math

import bpy
from bpy.props import (
    BoolProperty,
    EnumProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from ..translations import OWN
from .goal_kinds import GOAL_KINDS, KIND_OF, GoalKind
from .goal_names import keep_name
from .search_undo import typed_step

OVERRIDE = {"LIBRARY_OVERRIDABLE"}
AXES = (("X", "X", "The bone's X axis"), ("Y", "Y", "Along the bone"), ("Z", "Z", "The Z axis"))
_KIND_ITEMS = [
    (kind.identifier, kind.label, kind.description, kind.icon, number)
    for number, kind in enumerate(GOAL_KINDS)
]


class BioIKGoal(bpy.types.PropertyGroup):
    """Something the pose shall fulfil over a range of frames."""

    name: StringProperty(
        name="Name",
        description="Name of the goal in lists and reports",
        update=keep_name,
        override=OVERRIDE,
    )
    type: EnumProperty(
        name="Type",
        description="What the goal asks of the pose",
        items=_KIND_ITEMS,
        override=OVERRIDE,
    )
    enabled: BoolProperty(
        name="Enabled", description="Whether the goal is solved", default=True, override=OVERRIDE
    )
    bone: StringProperty(
        name="Bone",
        description="The bone that shall fulfil the goal",
        update=typed_step("bone"),
        override=OVERRIDE,
    )
    head_tail: FloatProperty(
        name="Head/Tail",
        description="Where along the bone the point is: 0 at the head, 1 at the tail",
        min=0.0,
        max=1.0,
        subtype="FACTOR",
        override=OVERRIDE,
    )
    offset: FloatVectorProperty(
        name="Offset",
        description="Offset of the point along the bone's own axes",
        subtype="XYZ_LENGTH",
        unit="LENGTH",
        override=OVERRIDE,
    )
    axis: FloatVectorProperty(
        name="Axis",
        description="The bone's own axis that is aimed",
        default=(0.0, 1.0, 0.0),
        subtype="XYZ",
        override=OVERRIDE,
    )
    lock_axis: FloatVectorProperty(
        name="Lock Axis",
        translation_context=OWN,
        description="The bone's own axis that it turns about to aim",
        default=(0.0, 0.0, 1.0),
        subtype="XYZ",
        override=OVERRIDE,
    )
    target: PointerProperty(
        name="Target",
        translation_context=OWN,
        description="The object to follow; without one the point is in world space",
        type=bpy.types.Object,
        override=OVERRIDE,
    )
    subtarget: StringProperty(
        name="Target Bone",
        description="The bone of the target armature to follow; its head if the point is zero",
        update=typed_step("subtarget"),
        override=OVERRIDE,
    )
    point: FloatVectorProperty(
        name="Point",
        description="Point in the target's own space, or in world space without a target",
        subtype="XYZ_LENGTH",
        unit="LENGTH",
        override=OVERRIDE,
    )
    rotation: FloatVectorProperty(
        name="Rotation",
        description="Rotation from the target's axes to the bone's (XYZ Euler)",
        subtype="EULER",
        unit="ROTATION",
        override=OVERRIDE,
    )
    direction: FloatVectorProperty(
        name="Direction",
        description="Direction in the target's own space, or in world space without a target",
        default=(0.0, 0.0, 1.0),
        subtype="XYZ",
        override=OVERRIDE,
    )
    use_target_rotation: BoolProperty(
        name="Turn with Target",
        description="Turn point and direction with the target, not only move them with it",
        default=True,
        override=OVERRIDE,
    )
    other_bone: StringProperty(
        name="Other Bone",
        description="Another bone of this armature, instead of a target",
        update=typed_step("other_bone"),
        override=OVERRIDE,
    )
    distance: FloatProperty(
        name="Distance",
        description="Distance between the two points; add the radii of what shall not touch",
        default=0.2,
        min=0.0,
        soft_max=2.0,
        subtype="DISTANCE",
        unit="LENGTH",
        override=OVERRIDE,
    )
    activation: FloatProperty(
        name="Margin",
        description="Distance beyond the minimum at which the goal begins to push, softly",
        default=0.02,
        min=0.0,
        soft_max=1.0,
        subtype="DISTANCE",
        unit="LENGTH",
        override=OVERRIDE,
    )
    radius: FloatProperty(
        name="Radius",
        description="Thickness of the bone around its axis",
        default=0.0,
        min=0.0,
        soft_max=0.5,
        subtype="DISTANCE",
        unit="LENGTH",
        override=OVERRIDE,
    )
    angle: FloatProperty(
        name="Angle",
        description="Half the opening angle of the cone",
        default=math.radians(30.0),
        min=0.0,
        max=math.pi,
        subtype="ANGLE",
        unit="ROTATION",
        override=OVERRIDE,
    )
    joint_axis: EnumProperty(
        name="Channel", description="The bone's rotation channel", items=AXES, override=OVERRIDE
    )
    other_axis: EnumProperty(
        name="Other Channel",
        description="The other bone's rotation channel",
        items=AXES,
        override=OVERRIDE,
    )
    angle_value: FloatProperty(
        name="Value",
        description="Angle of the channel; with a coupling, what is added to it",
        soft_min=-math.pi,
        soft_max=math.pi,
        subtype="ANGLE",
        unit="ROTATION",
        override=OVERRIDE,
    )
    ratio: FloatProperty(
        name="Ratio",
        description="How much the channel turns for each turn of the other one",
        default=1.0,
        soft_min=-2.0,
        soft_max=2.0,
        override=OVERRIDE,
    )
    reference: EnumProperty(
        name="Reference",
        description="The pose to stay near to",
        items=(
            ("SOURCE", "Animation", "The pose as it was animated in the same frame"),
            ("PREVIOUS", "Previous Frame", "The solved pose of the frame before"),
        ),
        override=OVERRIDE,
    )
    weight: FloatProperty(
        name="Weight",
        description="How much the goal counts against the others where not all can be met",
        default=1.0,
        min=0.0,
        soft_max=10.0,
        override=OVERRIDE,
    )
    influence: FloatProperty(
        name="Influence",
        description="How far the goal is followed; can be animated",
        default=1.0,
        min=0.0,
        max=1.0,
        subtype="FACTOR",
        options={"ANIMATABLE"},
        override=OVERRIDE,
    )
    tolerance: FloatProperty(
        name="Tolerance",
        description="Distance up to which the goal counts as reached; preferences always do",
        default=1e-4,
        min=1e-7,
        soft_max=0.1,
        precision=5,
        subtype="DISTANCE",
        unit="LENGTH",
        override=OVERRIDE,
    )
    tolerance_angle: FloatProperty(
        name="Tolerance",
        description="Angle up to which the goal counts as reached; preferences always do",
        default=1e-3,
        min=1e-6,
        max=math.pi,
        precision=4,
        subtype="ANGLE",
        unit="ROTATION",
        override=OVERRIDE,
    )
    is_preference: BoolProperty(
        name="Preference",
        description="Follow the goal as far as the others allow; it never counts as missed",
        override=OVERRIDE,
    )
    chain_length: IntProperty(
        name="Chain Length",
        description="How many bones up from the goal's bone may move; 0 for all up to the root",
        default=0,
        min=0,
        soft_max=20,
        override=OVERRIDE,
    )
    use_frame_range: BoolProperty(
        name="Frame Range",
        description="Solve the goal only from the start to the end frame",
        override=OVERRIDE,
    )
    frame_start: IntProperty(
        name="Start",
        description="First frame of the goal, if it is only for a range of frames",
        default=1,
        override=OVERRIDE,
    )
    frame_end: IntProperty(
        name="End",
        description="Last frame of the goal, if it is only for a range of frames",
        default=250,
        override=OVERRIDE,
    )
    blend_in: IntProperty(
        name="Blend In",
        description="Frames over which the goal begins to act, before the start frame; for goals "
        "that are only for a range of frames",
        default=0,
        min=0,
        soft_max=50,
        override=OVERRIDE,
    )
    blend_out: IntProperty(
        name="Blend Out",
        description="Frames over which the goal lets go, after the end frame; for goals that are "
        "only for a range of frames",
        default=0,
        min=0,
        soft_max=50,
        override=OVERRIDE,
    )

    @property
    def kind(self) -> GoalKind:
        """What kind of goal this is."""
        return KIND_OF[self.type]

    @property
    def is_soft(self) -> bool:
        """Whether it never counts as missed."""
        return bool(self.is_preference) or self.kind.soft
