"""The parts of a body that must stay out of the ground, as the solver has them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ...motion.body.hull import Hull
from ...motion.solve.body_ground import BodyPart
from ...solver import Poses
from ..clip.bone_frames import rotated
from ..joints.joint_model import JointModel
from ..legs.flesh import flesh_tip
from ..transforms import Floats, quaternion_inverse

# What is never lower than this above the source's floor, as high as a knee, does not reach the
# ground, metres for a character of 1.6 m.
REACHED = 0.5


def body_parts(
    hulls: Sequence[Hull], model: JointModel, source: Poses, floor: Floats, scale: float
) -> Iterator[BodyPart]:
    """Parts of the body that the ground may reach.

    Args:
        hulls: Those of the body, along the bones' own axes in the armature's units.
        model: The joints.
        source: The poses of the clip.
        floor: Height of the source's floor; (f,).
        scale: Size of the character relative to one of 1.6 m.
    """
    for hull in hulls:
        tip = model.tree.tip_index(flesh_tip(hull.bone))
        place, turn = source.tip_positions[:, tip], source.tip_quaternions[:, tip]
        own = hull_of_tip(hull, model, source)
        if (own.lowest(place, turn) < floor + REACHED * scale).any():
            yield BodyPart(flesh_tip(hull.bone), own)


def hull_of_tip(hull: Hull, model: JointModel, source: Poses) -> Hull:
    """A hull in the frame of the tip on its bone, metres."""
    tip = model.tree.tip_index(flesh_tip(hull.bone))
    place, turn = source.tip_positions[0, tip], source.tip_quaternions[0, tip]
    bone = model.world_pose(model.skeleton.index[hull.bone])[0]
    in_world = hull.rings @ bone[:3, :3].T + bone[:3, 3] - place
    inverse = np.broadcast_to(quaternion_inverse(turn), (*in_world.shape[:2], 4))
    return Hull(hull.bone, rotated(inverse, in_world))
