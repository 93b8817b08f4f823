"""A type of goal: all that the extension knows of it, in one declaration."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from .setting import GoalSetting

if TYPE_CHECKING:
    from ..solver import Track
    from .views import GoalBones, GoalInClip, GoalInPose, MirroredGoal

ON_BONE = ("bone", "head_tail", "offset")
AT_TARGET = ("target", "subtarget", "point")
# Properties that every goal has in Blender, and that a type may use.
SHARED = (
    *(*ON_BONE, "axis", "other_bone", *AT_TARGET),
    *("rotation", "direction", "use_target_rotation"),
)
# Properties that every goal has, whatever its type.
COMMON = (
    *("name", "type", "enabled", "weight", "influence", "tolerance", "tolerance_angle"),
    *("is_preference", "chain_length", "chain", "use_frame_range", "frame_start", "frame_end"),
    *("blend_in", "blend_out"),
)
# Numbers below are those of the built-in types.
FIRST_NUMBER, NUMBERS = 1000, 2**31 - 1001

Ends = tuple[Any, Any]
"""Where a goal is in the 3D View: the point of the bone (None for none), and where it is wanted."""


class BonePoint(NamedTuple):
    """A point on a bone that a goal is about.

    Attributes:
        part: Its name among the goal's points; "" for the only one, or the main one.
        bone: The bone.
        offset: Where it is along the bone's axes, in the bone's units.
        has_mass: Whether a mass can be put there, see `GoalInClip.mass_joint`.
    """

    part: str
    bone: str
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
    has_mass: bool = False


def own_point(bones: GoalBones) -> Iterable[BonePoint]:
    """The point of its bone that a goal is about, if it is about one."""
    goal, kind = bones.goal, bones.goal.kind
    if "bone" not in kind.uses or kind.channels:
        return ()
    x, y, z = goal.offset if "offset" in kind.uses else (0.0, 0.0, 0.0)
    along = goal.head_tail * bones.length(goal.bone) if "head_tail" in kind.uses else 0.0
    return (BonePoint("", goal.bone, (x, y + along, z)),)


@dataclass(frozen=True, kw_only=True)
class GoalType:
    """One type of goal. Only the first five are needed; the rest says what sets it apart.

    Attributes:
        identifier: Value of the goal's `type`, in capitals; preset files have it.
        label: Name in the interface.
        description: Tooltip: what the goal does to the motion. No full stop.
        icon: Blender's name of an icon.
        track: Makes the goal of the solver, with what changes over the frames.
        properties: What matters to it, in the order it is shown: names of `SHARED`, and settings.
        number: What .blend files keep of `type`; None for one that follows from the identifier.
        angle: Whether its error and its tolerance are an angle.
        soft: Whether it is always a preference, which never counts as missed.
        weight: Weight of a new goal; low for a goal about all joints that others must outweigh.
        points: The points on bones that it is about.
        problem: A sentence that says what is wrong with a goal and what to do, "" if nothing is;
            None where the bones, directions and frames, which are always checked, are all.
        ends: Where it is in the present pose, to draw it; None for nothing to draw.
        new_target: What a new goal follows: an empty that is added, or a fixed point at the bone.
        target_at: Where the target belongs so that the present pose meets the goal: at the point
            of the bone, ahead along the bone, or where the joint at the bone's head bends to.
        channels: Rotation channels that it is about: names of the properties with the bone and
            with the axis.
        all_bones: Whether all bones may move for it.
        hinge: Name of the property with the only axis that its bone turns about, if the chain is
            that bone alone; "" for all axes.
        decides: Which part of its bone's pose it decides, as a constraint would; "" for neither.
        replaces: Whether it leaves nothing of what earlier constraints did to that part.
        mirror: Mirrors settings in a way that their `axes` do not say; None for none.
        known: False for the type of a goal whose add-on is missing.
    """

    identifier: str
    label: str
    description: str
    icon: str
    track: Callable[[GoalInClip], Track]
    properties: tuple[str | GoalSetting, ...] = ()
    number: int | None = None
    angle: bool = False
    soft: bool = False
    weight: float = 1.0
    points: Callable[[GoalBones], Iterable[BonePoint]] = own_point
    problem: Callable[[GoalBones], str] | None = None
    ends: Callable[[GoalInPose], Ends | None] | None = None
    new_target: Literal["", "OBJECT", "POINT"] = ""
    target_at: Literal["BONE", "AHEAD", "BEND"] = "BONE"
    channels: tuple[tuple[str, str], ...] = ()
    all_bones: bool = False
    hinge: str = ""
    decides: Literal["", "place", "turn"] = ""
    replaces: bool = False
    mirror: Callable[[MirroredGoal], None] | None = None
    known: bool = field(default=True)

    @cached_property
    def stored_number(self) -> int:
        """What .blend files keep of `type`: the same in every session and on every machine."""
        if self.number is not None:
            return self.number
        return FIRST_NUMBER + zlib.crc32(self.identifier.encode()) % NUMBERS

    @cached_property
    def uses(self) -> tuple[str, ...]:
        """Names of the properties that matter to it, in the order they are shown."""
        return tuple(p if isinstance(p, str) else p.name for p in self.properties)

    @cached_property
    def settings(self) -> tuple[GoalSetting, ...]:
        """Those of its properties that it declares itself."""
        return tuple(p for p in self.properties if isinstance(p, GoalSetting))

    @cached_property
    def directions(self) -> tuple[str, ...]:
        """Names of its properties that must have a length."""
        own = [setting.name for setting in self.settings if setting.quantity == "DIRECTION"]
        return tuple(name for name in ("axis", *own, "direction") if name in self.uses)

    def joint_values(self, goal: Any) -> tuple[Any, ...]:
        """Values of the settings that a goal's points on bones, or its joints, depend on."""
        values = [getattr(goal, s.name) for s in self.settings if s.decides_joints]
        return tuple(v if isinstance(v, bool | int | float | str) else tuple(v) for v in values)

    @property
    def couples(self) -> bool:
        """Whether it ties two bones to each other, so that moving either can meet it."""
        return len(self.channels) > 1
