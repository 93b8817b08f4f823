"""Types of goals: each is declared once, with all that the extension knows of it.

A type says which properties it uses, what the interface shows, what is drawn in the 3D View, what
is checked, and which goal of the solver it becomes. Nothing here needs Blender, and the solver is
imported when a track is made: Blender's start must not wait for it.

Other add-ons add types of their own with `add_goal_type`, see docs/add_goal_type.md.
"""

from . import balance, channels, distances, places, pole, rotations, whole_pose
from .goal_type import AT_TARGET, ON_BONE, BonePoint, GoalType, own_point
from .registry import add_goal_type, goal_type, goal_types, remove_goal_type
from .setting import GoalSetting

for _family in (places, rotations, distances, pole, balance, channels, whole_pose):
    for _kind in _family.TYPES:
        add_goal_type(_kind)

BUILT_IN = goal_types()
"""The extension's own types, in the order of menus."""

__all__ = [
    "AT_TARGET",
    "BUILT_IN",
    "ON_BONE",
    "BonePoint",
    "GoalSetting",
    "GoalType",
    "add_goal_type",
    "goal_type",
    "goal_types",
    "own_point",
    "remove_goal_type",
]
