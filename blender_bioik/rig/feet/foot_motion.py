"""What the report measures: a clip's feet, joints and upper body before and after placing feet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ...motion.feet import BALL, Contact
from ...motion.measure.quality import Footing, Motion
from ...motion.measure.quality_change import Unreached
from ...motion.measure.rest_quality import measure_rest
from ...motion.plan.plan import Plan
from ..clip.bone_frames import bone_orientation
from ..clip.skeleton import Skeleton, replaced_pose
from ..keys.keys import BoneTracks
from ..report.part_report import PartReport
from ..transforms import Floats

if TYPE_CHECKING:
    from ..problem.feet_problem import FeetProblem
    from ..problem.feet_solution import FeetSolution

PartReports = tuple[PartReport, ...]
"""Parts of the body that rest, in the report."""

# A planted ball further from its place than this has not reached it, metres.
REACHED = 0.003
# A leg stretched to this share of its length reaches no further.
STRETCHED = 0.99


def source_pose(feet: FeetProblem) -> Floats:
    """World matrices of the source's bones; (f, b, 4, 4)."""
    clip = feet.source.clip
    return np.asarray(clip.world[:, None] @ clip.pose)


def solved_pose(feet: FeetProblem, tracks: BoneTracks) -> Floats:
    """World matrices of the bones with the channels that placing feet gives them."""
    clip, moved = feet.source.clip, feet.source.moved
    channels = (track[:, moved] for track in tracks)
    pose = replaced_pose(feet.source.skeleton, clip.pose, moved, channels)
    return np.asarray(clip.world[:, None] @ pose)


def measured_footing(feet: FeetProblem, plan: Plan) -> Footing:
    """Data that both share."""
    skeleton = feet.source.skeleton
    legs = np.zeros(len(skeleton), bool)
    legs[[skeleton.index[bone] for bone in feet.legs.leg_bones]] = True
    carried = np.zeros((len(feet.source.clip.frames), len(feet.feet), 3))
    for i, foot in enumerate(plan.feet):
        for step in foot.footsteps:
            if step.contact.slides:
                continue
            rows = slice(step.contact.first, step.contact.stop)
            carried[rows, i] = step.place - step.place[0]
    contacts = [contact for contact in feet.contacts if _is_planted(plan, contact)]
    return Footing(
        contacts,
        np.stack([foot.clearance for foot in feet.feet]),
        legs,
        feet.source.rate,
        feet.scale,
        carried if carried.any() else None,
        plan.body[:, :2] if plan.body[:, :2].any() else None,
        tuple(_raised(plan, contact) for contact in contacts),
    )


def _is_planted(plan: Plan, contact: Contact) -> bool:
    """Whether a contact is of a planted foot: a tip that only drags along is not held."""
    return any(
        step.contact.first < contact.stop and contact.first < step.contact.stop
        for step in plan.feet[contact.foot].footsteps
    )


def measured_parts(
    feet: FeetProblem, solution: FeetSolution, matrices: Floats
) -> Iterator[PartReport]:
    """How other parts of the body rest, by bones' world matrices (f, n, 4, 4)."""
    if solution.support is None:
        return
    index = feet.source.skeleton.index
    for part, rest in zip(feet.resting.parts, solution.support.rests, strict=True):
        if rest.rows.any():
            bone = matrices[:, index[part.bone]]
            quality = measure_rest(rest, bone[:, :3, 3], bone_orientation(bone))
            yield PartReport(part.name, quality, part.limb is not None)


def _raised(plan: Plan, contact: Contact) -> float:
    """How high above the ground the foot of a contact keeps its height, metres."""
    for step in plan.feet[contact.foot].footsteps:
        both = min(contact.stop, step.contact.stop) - max(contact.first, step.contact.first)
        if step.kept and both > 0:
            row = np.array(step.contact.first)
            return step.height - float(plan.underfoot.at(step.place[0], row).height)
    return 0.0


def unreached_frames(
    feet: FeetProblem, plan: Plan, values: Floats, result: Motion
) -> list[Unreached]:
    """Frames in which planted feet miss their places in a result, with the reason."""
    tips = feet.body.tip_places(values)
    found = []
    for i, (foot, sole) in enumerate(zip(plan.feet, feet.legs.soles, strict=True)):
        ball = tips[sole.places[BALL].name]
        off = np.linalg.norm(ball - foot.target[:, BALL], axis=-1)
        planted = foot.plan_lock[:, BALL] == 1.0
        rows = np.flatnonzero(planted & (off > REACHED * feet.scale))
        by_reason: dict[str, list[int]] = {}
        for row in rows.tolist():
            reason = _joint_reason(feet, i, values, row)
            reason = reason or _reach_reason(feet, i, result, row)
            by_reason.setdefault(reason, []).append(row)
        found += [Unreached(i, tuple(which), reason) for reason, which in by_reason.items()]
    return found


def _joint_reason(feet: FeetProblem, foot: int, values: Floats, row: int) -> str:
    """The joint of a leg that cannot turn any further, if there is one."""
    tree, sole, skeleton = feet.body.tree, feet.legs.soles[foot], feet.source.skeleton
    turns = {skeleton.names[bone.index]: bone.turns for bone in feet.model.bones}
    for name in sole.bones:
        for _, joint in turns.get(name, ()):
            value = values[row, joint]
            if value <= tree.lower[joint] or value >= tree.upper[joint]:
                return f"limit of {name}"
    locked = next((name for name in sole.bones if not turns.get(name)), None)
    return f"locked rotation of {locked}" if locked is not None else ""


def _reach_reason(feet: FeetProblem, foot: int, result: Motion, row: int) -> str:
    """Whether a leg is too short, or something else holds its foot.

    Goals that take part pull at all feet through the pelvis, also in frames around their own: a leg
    that they stretch would reach without them.
    """
    sole, skeleton = feet.legs.soles[foot], feet.source.skeleton
    heads = result.joints[row, [skeleton.index[bone] for bone in sole.bones]]
    length = np.linalg.norm(np.diff(heads, axis=0), axis=1).sum()
    stretched = np.linalg.norm(heads[-1] - heads[0]) >= STRETCHED * length
    short = stretched and not feet.goals
    return "leg too short" if short else "blocked by the ground or another goal"


def posed_motion(
    feet: FeetProblem, plan: Plan, matrices: Floats, *, placed: bool = False
) -> Motion:
    """What bones' world matrices (f, n, 4, 4) are to the measures, over the ground of the plan.

    Sole points of placed feet are lower by the lift that keeps the mesh out of the ground.
    """
    skeleton, soles = feet.source.skeleton, feet.legs.soles
    heads = matrices[..., :3, 3]
    points = np.stack(
        [
            np.stack(
                [
                    matrices[:, skeleton.index[place.bone], :3, :3] @ np.array(place.offset)
                    + heads[:, skeleton.index[place.bone]]
                    for place in sole.places
                ],
                axis=1,
            )
            for sole in soles
        ],
        axis=1,
    )
    if placed:
        points[..., 2] -= np.stack([foot.lift for foot in plan.feet], axis=1)[..., None]
    rows = np.broadcast_to(np.arange(len(points))[:, None, None], points.shape[:3])
    ground = plan.underfoot.at(points, rows)
    missing = ground.triangle < 0
    upper = [skeleton.index[name] for name in _upper_bones(skeleton, feet)]
    return Motion(
        points,
        np.where(missing, np.nan, ground.height),
        np.where(missing[..., None], np.nan, ground.slope),
        _joints(heads, skeleton, feet),
        heads[:, skeleton.index[feet.legs.root]],
        bone_orientation(matrices[:, upper]),
        np.stack([_knee(heads, skeleton, sole.bones) for sole in soles], axis=1),
        bone_orientation(matrices[:, [skeleton.index[sole.foot] for sole in soles]]),
    )


def _joints(heads: Floats, skeleton: Skeleton, feet: FeetProblem) -> Floats:
    """Heads (f, n, 3) of the bones: loose ones, which are no joints, are where their carrier is."""
    joints = heads.copy()
    for bone in feet.legs.loose:
        joints[:, skeleton.index[bone]] = heads[:, skeleton.index[feet.legs.attached[bone]]]
    return joints


def _upper_bones(skeleton: Skeleton, feet: FeetProblem) -> Iterator[str]:
    """Bones below the root, except for legs and their children."""
    root = skeleton.index[feet.legs.root]
    legs = {skeleton.index[bone] for bone in feet.legs.leg_bones}
    carried = {root}
    for b, name in enumerate(skeleton.names):
        if int(skeleton.parent[b]) in carried and b not in legs:
            carried.add(b)
            yield name


def _knee(heads: Floats, skeleton: Skeleton, bones: Sequence[str]) -> Floats:
    """Angle between the first two segments of a leg, radians; (f,)."""
    hip, knee, ankle = (heads[:, skeleton.index[bone]] for bone in (*bones, bones[-1])[:3])
    one, other = knee - hip, ankle - knee
    across = np.linalg.norm(np.cross(one, other), axis=-1)
    return np.arctan2(across, np.einsum("fi,fi->f", one, other))
