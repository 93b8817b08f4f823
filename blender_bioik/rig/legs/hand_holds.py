"""Hands that stay in place after foot placement while goals move their arms and body."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...motion.solve.tuning import WEIGHTS
from ...solver import Orientation, Position, Track
from ..clip.bone_frames import bone_orientation
from ..clip.sampling import Clip
from ..clip.skeleton import Skeleton
from ..joints.joint_model import TipPlace
from .upper_body import Arm, hand_tip


def hand_tips(arms: Iterable[Arm]) -> list[TipPlace]:
    """The points that are held."""
    return [TipPlace(hand_tip(arm), arm.hand) for arm in arms]


def hand_holds(
    arms: Iterable[Arm], skeleton: Skeleton, placed: Clip, scale: float
) -> Iterator[Track]:
    """Goals that hold hands where they are in a placed clip.

    Args:
        arms: The arms.
        skeleton: The armature's bones.
        placed: The placed clip.
        scale: Size of the character relative to one of 1.6 m.
    """
    for arm in arms:
        matrix = placed.world_pose(skeleton.index[arm.hand])
        place = Position(hand_tip(arm), (0.0, 0.0, 0.0), tolerance=WEIGHTS.firm * scale)
        turn = Orientation(hand_tip(arm), (1.0, 0.0, 0.0, 0.0), tolerance=WEIGHTS.heading)
        yield Track(place, {"point": matrix[:, :3, 3]})
        yield Track(turn, {"quaternion_wxyz": bone_orientation(matrix)})
