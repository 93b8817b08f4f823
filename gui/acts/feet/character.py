"""The character of the scene, as acts look at it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import bpy

from ...hand import Place
from ...view import place_of

ARMATURE, GROUND, SOURCE = "Walker", "Hills", "Walk"
# A frame in which both feet are on high ground.
ON_A_HILL = 60


@dataclass(frozen=True)
class Animation:
    """State that must not change by itself.

    Attributes:
        action: Name of the armature's action.
        actions: Names of all actions.
        keys: Every key of the armature's action: path, channel, frame and value.
        pose: Every bone's matrix in the current frame.
    """

    action: str
    actions: tuple[str, ...]
    keys: tuple[Any, ...]
    pose: tuple[Any, ...]


def armature() -> bpy.types.Object:
    """The character; undo makes it another Python object."""
    return bpy.data.objects[ARMATURE]


def rig() -> Any:
    """Data of the extension on it."""
    return armature().bioik


def animation() -> Animation:
    """The animation as it is now."""
    action = armature().animation_data.action
    return Animation(
        action.name,
        tuple(bpy.data.actions.keys()),
        tuple(
            (curve.data_path, curve.array_index, tuple(key.co))
            for curve in curves(action)
            for key in curve.keyframe_points
        ),
        pose(),
    )


def pose() -> tuple[Any, ...]:
    """Every bone's matrix in the current frame."""
    return tuple(tuple(map(tuple, bone.matrix)) for bone in armature().pose.bones)


def bone_place(name: str) -> Place:
    """Where a bone is seen in the 3D View."""
    return place_of(armature().matrix_world @ armature().pose.bones[name].center)


def foot_height() -> float:
    """Height of the lower foot on the hill, metres."""
    bpy.context.scene.frame_set(ON_A_HILL)
    bones = armature().pose.bones
    return float(min(bones[f"foot.{side}"].head.z for side in "LR"))


def is_solving() -> bool:
    """Whether an operator of the extension is running modally."""
    running = bpy.context.window_manager.windows[0].modal_operators
    return any(operator.bl_idname.startswith("BIOIK_OT_") for operator in running)


def curves(action: Any) -> list[Any]:
    """The F-curves of an action, in any version of Blender."""
    if hasattr(action, "fcurves"):
        return list(action.fcurves)
    return [
        curve
        for layer in action.layers
        for strip in layer.strips
        for bag in strip.channelbags
        for curve in bag.fcurves
    ]
