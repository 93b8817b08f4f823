"""Bones that do not inherit rotation, and so stay level while their parents rotate.

A joint turns everything below it, so in the joint model such a bone turns with what carries it:
goals below it can then turn the bones above. Its channels make up for that, and a wish keeps it as
level as Blender would.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ...solver import Orientation, Track
from ..clip.bone_frames import bone_orientation
from ..clip.skeleton import Skeleton
from .joint_model import JointModel, TipPlace
from .limits import BoneLimits

# Weight of staying level relative to staying as animated, which would let the bone turn with
# its parent: Blender keeps it level without any cost.
LEVEL = 10.0


def level_bones(
    skeleton: Skeleton, moving: Sequence[str], limits: Mapping[str, BoneLimits]
) -> dict[str, str]:
    """Moving bones that do not inherit rotation, and the moving bone above that carries each.

    Left out are bones with limits, whose angles are against the world, and those below a bone that
    stays level without moving itself.
    """
    among, found = set(moving), {}
    for bone in moving:
        b = skeleton.index[bone]
        if skeleton.inherit_rotation[b] or limits[bone].turn_limited:
            continue
        above = int(skeleton.parent[b])
        while above >= 0 and skeleton.names[above] not in among:
            above = int(skeleton.parent[above]) if skeleton.inherit_rotation[above] else -1
        if above >= 0:
            found[bone] = skeleton.names[above]
    return found


def level_tips(bones: Iterable[str]) -> list[TipPlace]:
    """Tips for the goal of staying level."""
    return [TipPlace(_tip(bone), bone) for bone in bones]


def staying_level(model: JointModel, weight: float) -> list[Track]:
    """The wish that level bones are turned in the world as they are in the source.

    Args:
        model: The joints.
        weight: How much staying as animated counts.
    """
    wishes = []
    for b, _ in model.attached:
        tip = _tip(model.skeleton.names[b])
        if tip in model.tree.tip_names:
            source = bone_orientation(model.world_pose(b))
            goal = Orientation(tip, (1.0, 0.0, 0.0, 0.0), weight=LEVEL * weight, tolerance=None)
            wishes.append(Track(goal, {"quaternion_wxyz": source}))
    return wishes


def _tip(bone: str) -> str:
    return f"{bone}, level"
