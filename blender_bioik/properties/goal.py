"""A goal, stored on the armature object.

Here are the properties that goals of all types share. The others come from the types themselves.
"""

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

from ..goal_types import BUILT_IN, GoalType, goal_type
from ..translations import OWN
from .goal_names import keep_name
from .goal_types.settings import OVERRIDE, blender_property, type_property
from .search_undo import typed_step

BY_PART, BY_LENGTH = range(2)


def _chain(goal: bpy.types.PropertyGroup) -> int:
    return BY_LENGTH if goal.is_property_set("chain_length") else BY_PART


def _set_chain(goal: bpy.types.PropertyGroup, chain: int) -> None:
    if chain == BY_PART:
        goal.property_unset("chain_length")
    else:
        goal.chain_length = goal.chain_length


class BioIKGoal(bpy.types.PropertyGroup):
    """A goal for the armature's poses, in all frames or in a range of them."""

    name: StringProperty(
        name="Name",
        description="Name of the goal in lists and reports",
        update=keep_name,
        override=OVERRIDE,
    )
    type: type_property(BUILT_IN)
    enabled: BoolProperty(
        name="Enabled", description="Solve this goal", default=True, override=OVERRIDE
    )
    bone: StringProperty(
        name="Bone",
        description="Bone this goal controls",
        update=typed_step("bone"),
        override=OVERRIDE,
    )
    head_tail: FloatProperty(
        name="Head/Tail",
        description="Position of the point along the bone: 0 at the head, 1 at the tail",
        min=0.0,
        max=1.0,
        subtype="FACTOR",
        override=OVERRIDE,
    )
    offset: FloatVectorProperty(
        name="Offset",
        description="Offset of the point along the bone's local axes",
        subtype="XYZ_LENGTH",
        unit="LENGTH",
        override=OVERRIDE,
    )
    axis: FloatVectorProperty(
        name="Axis",
        description="Local axis of the bone to aim",
        default=(0.0, 1.0, 0.0),
        subtype="XYZ",
        override=OVERRIDE,
    )
    target: PointerProperty(
        name="Target",
        translation_context=OWN,
        description="Object to follow; without one, the point is in world space",
        type=bpy.types.Object,
        override=OVERRIDE,
    )
    subtarget: StringProperty(
        name="Target Bone",
        description="Bone of the target armature to follow; its head if the point is zero",
        update=typed_step("subtarget"),
        override=OVERRIDE,
    )
    point: FloatVectorProperty(
        name="Point",
        description="Point in the target's local space, or in world space without a target",
        subtype="XYZ_LENGTH",
        unit="LENGTH",
        override=OVERRIDE,
    )
    rotation: FloatVectorProperty(
        name="Rotation",
        description="Rotation of the bone relative to the target (XYZ Euler)",
        subtype="EULER",
        unit="ROTATION",
        override=OVERRIDE,
    )
    direction: FloatVectorProperty(
        name="Direction",
        description="Direction in the target's local space, or in world space without a target",
        default=(0.0, 0.0, 1.0),
        subtype="XYZ",
        override=OVERRIDE,
    )
    use_target_rotation: BoolProperty(
        name="Turn with Target",
        description="Rotate point and direction with the target instead of only moving them",
        default=True,
        override=OVERRIDE,
    )
    other_bone: StringProperty(
        name="Other Bone",
        description="Another bone of this armature, used instead of a target",
        update=typed_step("other_bone"),
        override=OVERRIDE,
    )
    weight: FloatProperty(
        name="Weight",
        description="Importance relative to other goals where not all of them can be reached",
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
        description="Distance within which the goal counts as reached; a preference always does",
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
        description="Angle within which the goal counts as reached; a preference always does",
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
        description="Follow the goal only as far as other goals allow; it never counts as missed",
        override=OVERRIDE,
    )
    chain_length: IntProperty(
        name="Chain Length",
        description="Number of bones that may move, from the goal's bone up; 0 up to the root",
        default=0,
        min=0,
        soft_max=20,
        override=OVERRIDE,
    )
    # It follows from whether a chain length is set, so older files keep theirs.
    chain: EnumProperty(
        name="Bones to Move",
        description="Which bones may move for the goal",
        items=(
            (
                "AUTO",
                "Body Part",
                "The arm of a hand, the leg of a foot, neck and head of the head. Where they do "
                "not reach, the body helps, and feet stay in place",
            ),
            ("LENGTH", "Chain Length", "As many bones as the chain is long"),
        ),
        get=_chain,
        set=_set_chain,
        override=OVERRIDE,
    )
    use_frame_range: BoolProperty(
        name="Frame Range",
        description="Solve the goal only between the start and end frames",
        override=OVERRIDE,
    )
    frame_start: IntProperty(
        name="Start",
        description="First frame of the goal's frame range",
        default=1,
        override=OVERRIDE,
    )
    frame_end: IntProperty(
        name="End",
        description="Last frame of the goal's frame range",
        default=250,
        override=OVERRIDE,
    )
    blend_in: IntProperty(
        name="Blend In",
        description="Number of frames before the frame range over which the goal fades in",
        default=0,
        min=0,
        soft_max=50,
        override=OVERRIDE,
    )
    blend_out: IntProperty(
        name="Blend Out",
        description="Number of frames after the frame range over which the goal fades out",
        default=0,
        min=0,
        soft_max=50,
        override=OVERRIDE,
    )

    @property
    def kind(self) -> GoalType:
        """The declaration of its type."""
        return goal_type(self.type)

    @property
    def is_soft(self) -> bool:
        """Whether it never counts as missed."""
        return bool(self.is_preference) or self.kind.soft


BioIKGoal.__annotations__ |= {
    setting.name: blender_property(setting) for kind in BUILT_IN for setting in kind.settings
}
