"""Goals for the body above the legs in foot placement: pelvis, kept bones, hands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...solver import Goal, Orientation, Track
from ...solver.goals.ground import Hold, JointMinimum
from ..feet import Floats
from .tuning import WEIGHTS

# A hand further from its place than this has not reached it, metres.
HAND_REACHED = 0.01


@dataclass(frozen=True, eq=False)
class Pelvis:
    """The middle of the body.

    Attributes:
        tip: Its tip.
        places: Its positions in the source; (f, 3).
        sideways: Movement in plan view allowed for comfort: a sigma, metres.
    """

    tip: str
    places: Floats
    sideways: float


@dataclass(frozen=True, eq=False)
class Kept:
    """A bone that keeps its orientation in world space.

    Attributes:
        tip: A tip on it.
        turn: Its orientation in the source; (f, 4).
        sigma: Allowed rotation, a sigma, radians.
    """

    tip: str
    turn: Floats
    sigma: float


@dataclass(frozen=True, eq=False)
class Hand:
    """A hand that stays in place in world space as far as its arm reaches.

    Attributes:
        name: Its bone.
        tip: Its tip.
        places: Its positions in the source; (f, 3).
        turn: Its orientation there; (f, 4).
        shoulder: Start of its arm; (f, 3).
        length: The arm's length, metres.
        elbow: The joint that bends the arm, with how far the source bends it, radians; (f,).
    """

    name: str
    tip: str
    places: Floats
    turn: Floats
    shoulder: Floats
    length: float
    elbow: tuple[str, Floats] | None

    def within_reach(self, way: Floats) -> Floats:
        """Its target when the body moves along a path (f, 3): its place, or a point towards it."""
        shoulder = self.shoulder + way
        apart = self.places - shoulder
        distance = np.linalg.norm(apart, axis=-1)
        # The arm may always be stretched as far as in the source.
        animated = np.linalg.norm(self.places - self.shoulder, axis=-1)
        near = np.maximum(WEIGHTS.hand_near * self.length, animated)
        room = np.maximum(self.length - near, 1e-9)
        beyond = np.maximum(0.0, distance - near)
        reached = np.minimum(distance, near) + room * np.tanh(beyond / room)
        return np.asarray(shoulder + apart * (reached / np.maximum(distance, 1e-9))[:, None])


def pelvis_goal(pelvis: Pelvis, way: Floats, sideways: float, share: float, scale: float) -> Track:
    """The pelvis follows a path (f, 3), with a sideways sigma, metres."""
    plan, height = 1.0 / sideways, 1.0 / (WEIGHTS.pelvis_height * scale)
    return Track(
        Hold(pelvis.tip, (0.0, 0.0, 0.0), (plan, plan, height)),
        {"point": pelvis.places + way, "weight": np.full(len(way), share)},
    )


def kept_goals(kept: Sequence[Kept], share: float) -> Iterator[Track]:
    """Bones keep their orientation of the source."""
    for bone in kept:
        yield turned(bone.tip, bone.turn, share / bone.sigma**2)


def hand_goals(
    hands: Sequence[Hand], way: Floats, share: float, scale: float
) -> Iterator[Goal | Track]:
    """Hands stay in place in world space while the body moves along a path (f, 3)."""
    for hand in hands:
        weight = np.full(len(way), share / (WEIGHTS.firm * scale) ** 2)
        yield Track(
            Hold(hand.tip, (0.0, 0.0, 0.0)), {"point": hand.within_reach(way), "weight": weight}
        )
        yield turned(hand.tip, hand.turn, share / WEIGHTS.heading**2)
        if hand.elbow is not None:
            joint, flexion = hand.elbow
            elbow = JointMinimum(joint, 0.0, weight=share / WEIGHTS.firm_turn**2)
            yield Track(elbow, {"minimum": straightest(flexion)})


def straightest(flexion: Floats) -> Floats:
    """How far a hinge bent by (f,) may be straightened, radians; (f,)."""
    return np.minimum(flexion, WEIGHTS.straight) - flexion


def hand_notes(hands: Sequence[Hand], tips: Mapping[str, Floats], scale: float) -> list[str]:
    """Notes about hands that miss their places, by the places (f, 3) of all tips."""
    notes = []
    for hand in hands:
        off = np.linalg.norm(tips[hand.tip] - hand.places, axis=-1)
        missed = int((off > HAND_REACHED * scale).sum())
        if missed:
            notes.append(
                f"{hand.name} misses its place in world space in {missed} of {len(off)} frames by "
                f"up to {off.max():.2f} m: its arm is too short."
            )
    return notes


def turned(tip: str, turn: Floats, weight: float) -> Track:
    """A tip has orientations (f, 4)."""
    goal = Orientation(tip, (1.0, 0.0, 0.0, 0.0), tolerance=None)
    return Track(goal, {"quaternion_wxyz": turn, "weight": np.full(len(turn), weight)})
