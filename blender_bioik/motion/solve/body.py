"""A character for the placement solver: its joints, legs, and other constrained parts."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ...solver import Clip, Goal, KinematicTree, Track, forward_kinematics
from ...solver.clips.whole_clip import Inertia
from ..feet import Floats
from .body_goals import Hand, Kept, Pelvis, hand_notes
from .body_ground import BodyPart
from .rest_goals import RestingPart, Trunk


@dataclass(frozen=True, eq=False)
class LegTips:
    """A leg in the solver's tree.

    Attributes:
        soles: Tips of heel, ball and tip.
        foot: The tip that turns with the foot bone.
        foot_turn: Orientation of the foot bone in the source; (f, 4).
        knees: Joints that bend the leg, with how far the source bends it, radians; (f,).
        rim: Tips at the sides of the sole, next to the points in `feet.RIM`, which only must not
            penetrate the ground; empty if unknown.
    """

    soles: tuple[str, str, str]
    foot: str
    foot_turn: Floats
    knees: tuple[tuple[str, Floats], ...]
    rim: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Body:
    """A character in the solver's terms.

    Attributes:
        tree: Its joints.
        clip: Source values and rest transforms.
        inertia: Cost of joint corrections, per thirtieth of a second.
        pelvis: The middle of the body.
        legs: Of each foot, in the feet's order.
        kept: Bones that keep their orientation in world space.
        hands: Hands that stay in place in world space.
        goals: The user's goals.
        loop: Whether the clip continues from its last frame to its first.
        slides: Joints that translate the whole body, and their directions (f, 3).
        parts: Parts above the feet that must stay out of the ground.
        floor: Height of the source's floor under these; (f,).
        follows_slope: Whether it tilts with the ground, as bodies on more than two legs do.
        resting: Parts that rest on the ground.
        trunk: What tilts with the ground below these; None if it does not.
        elbows: Joints that bend the arms that rest, with how far the source bends them, radians;
            (f,).
    """

    tree: KinematicTree
    clip: Clip
    inertia: Inertia
    pelvis: Pelvis
    legs: tuple[LegTips, ...]
    kept: tuple[Kept, ...] = ()
    hands: tuple[Hand, ...] = ()
    goals: tuple[Goal | Track, ...] = ()
    loop: bool = False
    slides: tuple[tuple[int, Floats], ...] = ()
    parts: tuple[BodyPart, ...] = ()
    floor: Floats = field(default_factory=lambda: np.empty(0))
    follows_slope: bool = False
    resting: tuple[RestingPart, ...] = ()
    trunk: Trunk | None = None
    elbows: tuple[tuple[str, Floats], ...] = ()

    @property
    def sole_tips(self) -> list[str]:
        """Heel, ball and tip of each foot, feet in order."""
        return [tip for leg in self.legs for tip in leg.soles]

    @property
    def rim_tips(self) -> list[str]:
        """Points at the sides of the soles, feet in order."""
        return [tip for leg in self.legs for tip in leg.rim]

    def carried(self, way: Floats) -> Floats:
        """Joint values of the source with the body moved along a path (f, 3)."""
        values = np.array(self.clip.values, float)
        for joint, direction in self.slides:
            moved = values[:, joint] + np.einsum("fi,fi->f", direction, way)
            values[:, joint] = np.clip(moved, self.tree.lower[joint], self.tree.upper[joint])
        return values

    def notes(self, values: Floats, scale: float) -> list[str]:
        """Notes about hands that do not stay in place at joint values (f, joints)."""
        return hand_notes(self.hands, self.tip_places(values), scale)

    def tip_places(self, values: Floats) -> dict[str, Floats]:
        """Places (f, 3) of all tips for joint values (f, joints)."""
        poses = forward_kinematics(self.tree, values, self.clip.rest)
        return {name: poses.tip_positions[:, k] for k, name in enumerate(self.tree.tip_names)}
