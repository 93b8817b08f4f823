"""Hands that stay in place after foot placement while goals move their arms and body."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...motion.solve.tuning import WEIGHTS
from ...solver import Orientation, Position, Track
from ..clip.bone_frames import bone_orientation
from ..joints.joint_model import TipPlace
from ..legs.upper_body import Arm, hand_tip
from ..source.source import Source


def hand_tips(arms: Iterable[Arm]) -> list[TipPlace]:
    """The points that are held."""
    return [TipPlace(hand_tip(arm), arm.hand) for arm in arms]


def hand_holds(arms: Iterable[Arm], placed: Source, scale: float) -> Iterator[Track]:
    """Goals that hold hands where they are in a placed clip.

    Args:
        arms: The arms.
        placed: The source over the placed clip.
        scale: Size of the character relative to one of 1.6 m.
    """
    clip, index = placed.clip, placed.skeleton.index
    for arm in arms:
        matrix = clip.world_pose(index[arm.hand])
        place = Position(hand_tip(arm), (0.0, 0.0, 0.0), tolerance=WEIGHTS.firm * scale)
        turn = Orientation(hand_tip(arm), (1.0, 0.0, 0.0, 0.0), tolerance=WEIGHTS.heading)
        yield Track(place, {"point": matrix[:, :3, 3]})
        yield Track(turn, {"quaternion_wxyz": bone_orientation(matrix)})
