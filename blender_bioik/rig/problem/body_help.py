"""Limbs that do not reach, and the body that helps them.

A problem is solved with the limbs of its goals first. If that misses one of them, it is solved once
more with the body, from where the limbs are then. Moving the body costs much more than moving a
limb, so the body does only the rest. Feet that the body carries are held where they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...solver import ClipSolution, Goal, Orientation, Position, Settings, Track
from ..clip.bone_frames import bone_orientation
from ..joints.joint_model import JointModel, TipPlace
from ..joints.reach import Help, is_by_part
from ..source.source import Source
from ..transforms import Floats

# A limb that misses its goal by less does not need help: a share of the character's longest limb,
# and degrees.
NEAR, NEAR_ANGLE = 5e-4, 0.1
# Weight of goals relative to the cost of moving limbs and body: their compromise misses a goal by
# less than its tolerance.
GOALS = 1e3
# Weight of feet relative to goals: a target out of all reach moves them by less than a millimetre.
FEET = 1e4
# Tolerance of a foot: a share of the length of its leg, and radians.
FOOT, FOOT_TURN = 3e-4, 1e-3


def foot_tips(help_: Help) -> list[TipPlace]:
    """The points by which feet are held."""
    return [TipPlace(_tip(foot), foot) for foot in help_.feet]


def foot_holds(help_: Help, source: Source, model: JointModel) -> Iterator[Track]:
    """Goals that hold feet where the source has them."""
    for foot in help_.feet:
        tip, matrix = _tip(foot), model.world_pose(source.skeleton.index[foot])
        near = FOOT * model.tree.chain_length(model.tree.tip_index(tip))
        place = Position(tip, (0.0, 0.0, 0.0), weight=GOALS * FEET, tolerance=near)
        yield Track(place, {"point": matrix[:, :3, 3]})
        turn = Orientation(tip, (1.0, 0.0, 0.0, 0.0), weight=GOALS * FEET, tolerance=FOOT_TURN)
        yield Track(turn, {"quaternion_wxyz": bone_orientation(matrix)})


def start_values(model: JointModel, limbs: Mapping[str, Floats]) -> Floats:
    """Values (f, joints) of the source, with some joints, by name, at other values (f,)."""
    values = np.array(model.clip.values)
    for number, name in enumerate(model.tree.names):
        if name in limbs:
            values[:, number] = limbs[name]
    return values


def before_cost(tracks: Sequence[Goal | Track]) -> list[Goal | Track]:
    """Goals whose demands count much more than what the pose costs."""
    return [_heavier(track) if _demands(track) else track for track in tracks]


def missed(source: Source, model: JointModel, found: ClipSolution) -> NDArray[np.bool_]:
    """Whether limbs miss one of their goals in a frame, so that the body has to help; (f,)."""
    count = len(source.goals)
    errors, reached = found.errors[:, :count], found.reached[:, :count]
    tree = model.tree
    size = max((tree.chain_length(tip) for tip in range(len(tree.tip_names))), default=0.0)
    far = np.zeros(len(errors), bool)
    for number, plan in enumerate(source.goals):
        goal = plan.goal
        if is_by_part(goal) and not goal.is_soft and not goal.kind.channels:
            near = (
                np.degrees(goal.tolerance_angle) + NEAR_ANGLE
                if goal.kind.angle
                else goal.tolerance + NEAR * size
            )
            far |= ~reached[:, number] & (errors[:, number] > near) & (plan.influence > 0.0)
    return far


def help_settings(settings: Settings) -> Settings:
    """The settings with which the body helps: from frame to frame, without a search.

    There is nothing to search: the limbs of the goals are stretched out.
    """
    return replace(settings, strategy="local")


def helped_note(frames: int, of: int) -> str:
    """The note that the body helps."""
    return f"The body helps limbs that do not reach: in {frames} of {of} frames."


def _demands(track: Goal | Track) -> bool:
    goal = track.goal if isinstance(track, Track) else track
    return goal.tolerance is not None


def _heavier(track: Goal | Track) -> Goal | Track:
    if not isinstance(track, Track):
        return replace(track, weight=GOALS * track.weight)
    weight: Floats = np.asarray(track.fields.get("weight", track.goal.weight))
    return Track(track.goal, {**track.fields, "weight": GOALS * weight})


def _tip(foot: str) -> str:
    return f"{foot}, held"
