"""A goal and the bones of its armature, as goal types see them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ...properties.goal_names import goal_label
from ..clip.skeleton import Skeleton
from ..joints.masses import segment_masses, standing_bones

if TYPE_CHECKING:
    from ...properties.goal import BioIKGoal


class SkeletonOfGoal:
    """See `goal_types.views.GoalBones`."""

    def __init__(self, skeleton: Skeleton, goal: BioIKGoal) -> None:
        """Of a goal whose bones are among those of the skeleton."""
        self.skeleton, self.goal = skeleton, goal
        self.label = goal_label(goal)

    def parent(self, bone: str) -> str:
        """Name of a bone's parent, "" if it has none."""
        parent = int(self.skeleton.parent[self.skeleton.index[bone]])
        return self.skeleton.names[parent] if parent >= 0 else ""

    def length(self, bone: str) -> float:
        """Length of a bone, in its own units."""
        return float(self.skeleton.length[self.skeleton.index[bone]])

    def masses(self) -> Mapping[str, float]:
        """Share of the body's mass of each bone that has one, by name."""
        return segment_masses(self.skeleton)

    def standing_bones(self) -> tuple[str, ...]:
        """Names of the feet; empty if none are detected."""
        return standing_bones(self.skeleton)
