"""What the functions of a goal type get to see of a goal.

Types know nothing of Blender, of skeletons or of clips: `rig/` shows them each goal as one of
these. Arrays have a row for each frame, (f, ...); lengths are in metres, angles in radians.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from ..solver import Goal, KinematicTree, Track
    from ..solver.kernels.compiled import Floats


class GoalBones(Protocol):
    """A goal and the bones of its armature, apart from any frame.

    Attributes:
        goal: The goal; its properties are attributes of it.
        label: What lists and reports call it.
    """

    goal: Any
    label: str

    def parent(self, bone: str) -> str:
        """Name of a bone's parent, "" if it has none."""

    def length(self, bone: str) -> float:
        """Length of a bone, in its own units."""

    def masses(self) -> Mapping[str, float]:
        """Share of the body's mass of each bone that has one, by name."""

    def standing_bones(self) -> tuple[str, ...]:
        """Names of the feet, none where none are recognised."""


class GoalInClip(GoalBones, Protocol):
    """A goal over the frames of a clip. Points, axes and directions are in world space.

    Attributes:
        tree: The solver's joints.
        influence: How far the goal is followed in each frame, 0 to 1; (f,).
        weight: Its weight in each frame, zero where it takes no part; (f,).
        tolerance: Up to which error it counts as reached, metres or radians; None if it never
            counts as missed.
        tip: The solver's name of its own point.
    """

    tree: KinematicTree
    influence: Floats
    weight: Floats
    tolerance: float | None
    tip: str

    def tip_of(self, part: str) -> str:
        """The solver's name of one of its points."""

    def mass_joint(self, part: str) -> str:
        """The solver's name of a joint, which cannot move, at a point that has mass."""

    def track(self, goal: Goal, **fields: Any) -> Track:
        """The solver's goal with those of its fields that change over the frames.

        It has the weights of the frames unless `weight` is among the fields.
        """

    def source_point(self) -> Floats:
        """Where the source has its own point; (f, 3)."""

    def target_point(self) -> Floats:
        """Where its `point` is, by its target; (f, 3)."""

    def blended_point(self) -> Floats:
        """The source's point blended to the target's by the influence; (f, 3)."""

    def bone_points(self, bone: str, along: float) -> Floats:
        """Where the source has a point of a bone, from its head (0) to its tail (1); (f, 3)."""

    def world_length(self, bone: str) -> float:
        """Mean length of a bone in the source, as its armature and its parents scale it."""

    def bone_axis(self, axis: Iterable[float]) -> Floats:
        """Where the source turns an axis of the goal's bone to; (f, 3)."""

    def source_axis(self) -> Floats:
        """Where the source turns its `axis` to, of length one; (f, 3)."""

    def direction(self) -> Floats:
        """Its `direction`, by its target, of length one; (f, 3)."""

    def aimed(self, wanted: Floats) -> Floats:
        """The source's axis blended to wanted directions by the influence; (f, 3)."""

    def blended_rotation(self) -> Floats:
        """The bone's rotation blended to its target's by the influence, wxyz; (f, 4)."""

    def part_way(self, source: Floats, wanted: Floats | float) -> Floats:
        """The source's numbers blended to wanted ones by the influence; (f,)."""

    def channel(self, bone: str, axis: str) -> Floats:
        """A rotation channel of a bone in the source; (f,)."""

    def channel_joint(self, bone: str, axis: str) -> str:
        """The solver's name of the joint of a rotation channel.

        Raises:
            RigError: The channel is locked, or the bone does not move; names the goal.
        """


class GoalInPose(Protocol):
    """A goal in the pose that Blender shows now, in world space; places are mathutils' vectors.

    Attributes:
        goal: The goal.
        follows: Whether it has a target.
        head: Head of its bone.
        tail: Tail of its bone.
    """

    goal: Any
    follows: bool
    head: Any
    tail: Any

    def point(self) -> Any:
        """Its own point on the bone."""

    def target_point(self) -> Any:
        """Where its `point` is, by its target."""

    def direction(self) -> Any:
        """Its `direction`, by its target, of length one."""

    def bone_head(self, bone: str) -> Any:
        """Head of another bone of the armature, None if there is no such bone."""


class MirroredGoal(Protocol):
    """A goal and its counterpart on the other side of the body.

    Attributes:
        source: The goal.
        goal: The counterpart, whose settings are to be set.
    """

    source: Any
    goal: Any

    def channel(self, bone: str, axis: str) -> tuple[str, float]:
        """The rotation channel that turns the other side alike, and its sign.

        Args:
            bone: Name of the property with the bone, such as "bone".
            axis: "X", "Y" or "Z" of the source.
        """
