"""What was read of an armature, over frames: arrays and plain values, apart from two references.

The armature and its scene are for writing only. All else may be used by any thread.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import bpy
import numpy as np
from numpy.typing import NDArray

from ...solver import Settings
from ..clip.sampling import Clip
from ..clip.skeleton import Skeleton
from ..goals.solve_setup import SolveSetup
from ..goals.tracks import PlannedGoal
from ..joints.joints import source_tracks
from ..keys.keys import BoneTracks
from ..transforms import Floats

if TYPE_CHECKING:
    from ..keys.played_source import Held

Rows = slice | NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Source:
    """An armature's animation over frames, and what is solved on it.

    Attributes:
        armature: The armature.
        scene: The scene whose frames are used.
        skeleton: The armature's bones.
        setup: What moves, and within which limits.
        visual: Bones whose constraints change their pose.
        clip: The animation.
        rate: Rows of it a second.
        settings: How the solver works.
        displacement: Weight of the goal of staying as animated.
        goals: The setup's goals over the frames.
        held: Values of bones' properties that have no keys, by their data paths.
        notes: Notes about skipped items.
        seconds: Time of reading.
    """

    armature: bpy.types.Object
    scene: bpy.types.Scene
    skeleton: Skeleton
    setup: SolveSetup
    visual: frozenset[str]
    clip: Clip
    rate: float
    settings: Settings
    displacement: float
    goals: tuple[PlannedGoal, ...] = ()
    held: Held = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    seconds: float = 0.0

    @property
    def frames(self) -> Floats:
        """Frame numbers; (f,)."""
        return self.clip.frames

    @property
    def moved(self) -> list[int]:
        """Indices of the bones whose channels determine their poses from now on."""
        return [self.skeleton.index[bone] for bone in self.setup.moving]

    @cached_property
    def tracks(self) -> BoneTracks:
        """Channels of all bones that give the clip's poses without the released constraints."""
        return source_tracks(self.skeleton, self.clip, self.visual)

    @property
    def keyed_clip(self) -> Clip:
        """The clip with these channels."""
        location, rotation, scale = self.tracks
        return replace(self.clip, location=location, rotation=rotation, scale=scale)

    def rows(self, rows: Rows) -> Source:
        """The same over some frames, consecutive or of a loop; nothing is read again."""
        goals = tuple(goal_rows(goal, rows) for goal in self.goals)
        return replace(self, clip=clip_rows(self.clip, rows), goals=goals)

    def posed(self, clip: Clip) -> Source:
        """The same over another clip, whose channels give its poses."""
        return replace(self, clip=clip, visual=frozenset())


def goal_rows(goal: PlannedGoal, rows: Rows) -> PlannedGoal:
    """A goal over some of its frames."""
    return replace(goal, influence=goal.influence[rows], target=goal.target[rows])


def clip_rows(clip: Clip, rows: Rows) -> Clip:
    """Some frames of a clip."""
    return Clip(
        clip.frames[rows],
        clip.location[rows],
        clip.rotation[rows],
        clip.scale[rows],
        clip.rotation_channels[rows],
        clip.world[rows],
        clip.pose[rows],
    )
