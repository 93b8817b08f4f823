"""The soles of a rig's feet: where heel, ball and tip are, on which bones.

With a mesh the points are on its sole. Without one they are joints: the ankle for the heel, the
toe's joint for the ball and the toe's end for the tip; how high these are above the floor is then
found in the clip.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import bpy
import numpy as np

from ...motion.contacts.clearances import clearances
from ...motion.contacts.contacts import find_contacts
from ...motion.feet import POINT_NAMES, Foot
from ..clip.sampling import Clip
from ..clip.skeleton import Skeleton
from ..errors import RigError
from ..joints.joint_model import TipPlace
from ..mapping import Leg, Mapping
from ..transforms import Floats
from .sole_mesh import MeasuredSole, RestFoot, foot_vertices, measure
from .tuning import SOLE_BONES, SOLE_MESH

# Leg length of the reference character of 1.6 m, from hip to ankle, metres.
LEG_LENGTH = 0.85


@dataclass(frozen=True)
class Sole:
    """A foot's bones and sole points.

    Attributes:
        name: The leg's name in the rig's mapping, "leg.L".
        bones: The leg's bones from the hip to the foot. Bones that only twist or split a segment
            may lie between two of them.
        foot: The foot's bone, the last of `bones`.
        toe: The toe's bone, None if there is none.
        places: Heel, ball and tip. Feet without toes may have ball and tip at the same place,
            those that stand on a point have all three there.
        rim: Points at its sides, next to those in `feet.RIM`, if there is a mesh.
        measured_clearance: How high above the floor each place is when the foot stands flat, in
            the armature's units, None if there is no mesh to tell.
    """

    name: str
    bones: tuple[str, ...]
    foot: str
    toe: str | None
    places: tuple[TipPlace, TipPlace, TipPlace]
    measured_clearance: tuple[float, float, float] | None
    rim: tuple[TipPlace, ...] = ()


def read_soles(
    armature_object: bpy.types.Object, skeleton: Skeleton, mapping: Mapping
) -> list[Sole]:
    """Read the sole of every leg, from the meshes bound to the armature or else from the bones.

    Args:
        armature_object: The armature.
        skeleton: Its bones.
        mapping: Which of them are legs.

    Raises:
        RigError: There is no leg, or one has no foot or only one bone.
    """
    if not mapping.legs:
        raise RigError(
            f'No legs were detected in "{armature_object.name}": assign their bones in Body Parts.'
        )
    up = _up(armature_object)
    soles = []
    for leg in mapping.legs:
        bones, foot = _leg_bones(armature_object, skeleton, leg)
        rest = _rest_foot(skeleton, leg, bones, up)
        vertices = foot_vertices(armature_object, skeleton, rest)
        if not len(vertices):
            places = _places(skeleton, leg, rest, rest.points)
            soles.append(Sole(leg.name, bones, foot, leg.toe, places, None))
            continue
        sole = measure(rest, vertices)
        places = _places(skeleton, leg, rest, sole.points)
        rim = tuple(_rim(skeleton, leg, rest, sole))
        soles.append(Sole(leg.name, bones, foot, leg.toe, places, (0.0, 0.0, 0.0), rim))
    return soles


def foot_points(skeleton: Skeleton, clip: Clip, soles: Sequence[Sole], rate: float) -> list[Foot]:
    """The feet over the frames of a clip, in world space.

    Args:
        skeleton: The armature's bones.
        clip: Its animation.
        soles: The soles of its feet.
        rate: Frames per second.
    """
    size = _size(clip)
    points = np.stack(
        [
            np.stack([_path(skeleton, clip, place.bone, place.offset) for place in sole.places], 1)
            for sole in soles
        ],
        axis=1,
    )
    feet = []
    for i, sole in enumerate(soles):
        hip, knee = (_path(skeleton, clip, bone) for bone in sole.bones[:2])
        feet.append(Foot(sole.name, points[:, i], np.zeros(3), knee, hip))
    scale = leg_scale(skeleton, clip, soles)
    # Contacts do not depend on clearances, which are found in them.
    found = clearances(points, find_contacts(feet, rate, scale), scale)
    measured = (sole.measured_clearance for sole in soles)
    return [
        replace(foot, clearance=above if known is None else size * np.array(known))
        for foot, above, known in zip(feet, found, measured, strict=True)
    ]


def leg_scale(skeleton: Skeleton, clip: Clip, soles: Sequence[Sole]) -> float:
    """Size of a character relative to one of 1.6 m, by its legs."""
    heads = skeleton.rest[:, :3, 3]
    chains = [heads[[skeleton.index[bone] for bone in sole.bones]] for sole in soles]
    lengths = [np.linalg.norm(np.diff(chain, axis=0), axis=1).sum() for chain in chains]
    return float(np.mean(lengths)) * _size(clip) / LEG_LENGTH


def _size(clip: Clip) -> float:
    """Metres for a unit of the armature."""
    return float(np.mean(np.cbrt(np.abs(np.linalg.det(clip.world[:, :3, :3])))))


def _path(
    skeleton: Skeleton, clip: Clip, bone: str, offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
) -> Floats:
    """World positions (f, 3) of a point fixed to a bone."""
    at = clip.pose[:, skeleton.index[bone]] @ np.array([*offset, 1.0])
    return np.asarray(np.einsum("fij,fj->fi", clip.world, at)[:, :3])


def _up(armature_object: bpy.types.Object) -> Floats:
    """The armature's own axis that points up.

    Not the exact direction: that would depend on the frame where the object is animated.
    """
    height = np.array(armature_object.matrix_world, float)[2, :3]
    up = np.zeros(3)
    axis = int(np.abs(height).argmax())
    up[axis] = -1.0 if height[axis] < 0.0 else 1.0
    return up


def _leg_bones(
    armature_object: bpy.types.Object, skeleton: Skeleton, leg: Leg
) -> tuple[tuple[str, ...], str]:
    """A leg's bones from hip to foot, and the foot."""
    name = f'The leg "{leg.name}" of "{armature_object.name}"'
    if leg.foot is None or leg.foot not in leg.bones:
        raise RigError(f"{name} has no foot bone: assign one in Body Parts.")
    bones = leg.bones[: leg.bones.index(leg.foot) + 1]
    chosen = bones if leg.toe is None else (*bones, leg.toe)
    missing = next((bone for bone in chosen if bone not in skeleton.index), None)
    if missing is not None:
        raise RigError(f'{name} has lost its bone "{missing}": assign another one in Body Parts.')
    if len(bones) < 2:
        raise RigError(
            f'{name} has only one bone, "{leg.foot}": assign thigh, shin and foot in Body Parts.'
        )
    return bones, leg.foot


def _rest_foot(skeleton: Skeleton, leg: Leg, bones: tuple[str, ...], up: Floats) -> RestFoot:
    """A leg's foot in the rest pose, its points on the bones."""
    head = skeleton.rest[:, :3, 3]
    foot = skeleton.index[bones[-1]]
    ankle = head[foot]
    if leg.toe is not None:
        ball = head[skeleton.index[leg.toe]]
        tip = _end(skeleton, skeleton.index[leg.toe], ball, _level(ball - ankle, up))
    else:
        ball, tip = _toeless(skeleton, foot, up)
    leads = tip - ankle
    on_point = abs(leads @ up) > SOLE_BONES.on_point * np.linalg.norm(_level(leads, up))
    points = np.stack([tip] * 3 if on_point else [ankle, ball, tip])
    hip, knee = (head[skeleton.index[bone]] for bone in bones[:2])
    length = float(np.linalg.norm(ankle - hip))
    bend = _bend(hip, knee, ankle, up)
    return RestFoot(bones[-1], leg.toe, points, ankle, up, bool(on_point), bend, length)


def _bend(hip: Floats, knee: Floats, ankle: Floats, up: Floats) -> Floats:
    """Where a knee points to in plan view, zero if the leg is straight."""
    leg = ankle - hip
    aside = knee - hip - ((knee - hip) @ leg) / max(float(leg @ leg), 1e-24) * leg
    bend = _level(aside, up)
    return (
        bend if np.linalg.norm(bend) > SOLE_BONES.bent_knee * np.linalg.norm(leg) else np.zeros(3)
    )


def _toeless(skeleton: Skeleton, foot: int, up: Floats) -> tuple[Floats, Floats]:
    """Ball and tip of a foot without a mapped toe: from its toe bones, or both at its tail."""
    toes = np.flatnonzero(skeleton.parent == foot)
    if not toes.size:
        return _tail(skeleton, foot), _tail(skeleton, foot)
    ankle = skeleton.rest[foot, :3, 3]
    below = _below(skeleton, foot)
    leads = np.concatenate([skeleton.rest[below, :3, 3], _tails(skeleton)[below]]) - ankle
    furthest = _level(leads, up)[np.linalg.norm(_level(leads, up), axis=1).argmax()]
    tip = _end(skeleton, foot, ankle, furthest)
    begins = skeleton.rest[toes, :3, 3] - ankle
    begins = begins[begins @ furthest > SOLE_MESH.middle * ((tip - ankle) @ furthest)]
    return (ankle + begins.mean(axis=0) if len(begins) else tip), tip


def _end(skeleton: Skeleton, bone: int, origin: Floats, forward: Floats) -> Floats:
    """The end of a toe or foot, seen from its joint: the middle of the ends of its bones.

    Importers put bones at the ends of chains, and give these arbitrary tails: tails count only if
    there is no such bone.
    """
    below = _below(skeleton, bone)
    reach = float(np.linalg.norm(forward))
    for ends, least in (
        (skeleton.rest[below, :3, 3], SOLE_BONES.end_away * reach),
        (_tails(skeleton)[[bone, *below]], 0.0),
    ):
        leads = ends - origin
        along = leads @ forward / max(reach, 1e-12)
        along = np.where(along > SOLE_BONES.astray * np.linalg.norm(leads, axis=1), along, 0.0)
        if along.max(initial=0.0) > least:
            return np.asarray(ends[along >= SOLE_BONES.long_toes * along.max()].mean(axis=0))
    return origin + SOLE_BONES.toe_length * forward


def _below(skeleton: Skeleton, bone: int) -> list[int]:
    """All bones below a bone."""
    found = [bone]
    for i in range(bone + 1, len(skeleton)):
        if skeleton.parent[i] in found:
            found.append(i)
    return found[1:]


def _tails(skeleton: Skeleton) -> Floats:
    return np.asarray(skeleton.rest[:, :3, 3] + skeleton.rest[:, :3, 1] * skeleton.length[:, None])


def _tail(skeleton: Skeleton, bone: int) -> Floats:
    return np.asarray(_tails(skeleton)[bone])


def _level(vectors: Floats, up: Floats) -> Floats:
    """Vectors (..., 3) in plan view."""
    return np.asarray(vectors - (vectors @ up)[..., None] * up)


def _places(
    skeleton: Skeleton, leg: Leg, rest: RestFoot, points: Floats
) -> tuple[TipPlace, TipPlace, TipPlace]:
    """Points (3, 3) of the rest pose as places on the bones."""
    front = leg.toe or rest.foot
    rear = front if rest.on_point else rest.foot
    heel, ball, tip = (
        _place(skeleton, f"{leg.name} {name}", bone, point)
        for name, bone, point in zip(POINT_NAMES, (rear, front, front), points, strict=True)
    )
    return heel, ball, tip


def _rim(skeleton: Skeleton, leg: Leg, rest: RestFoot, sole: MeasuredSole) -> Iterator[TipPlace]:
    """The points at the sides of a sole as places on the bones."""
    bones = rest.foot, leg.toe or rest.foot, leg.toe or rest.foot, rest.foot
    for part, bone, corners in zip((*POINT_NAMES, "arch"), bones, sole.rims, strict=True):
        for number, point in enumerate(corners):
            yield _place(skeleton, f"{leg.name} {part} rim {number}", bone, point)


def _place(skeleton: Skeleton, name: str, bone: str, point: Floats) -> TipPlace:
    x, y, z, _ = np.linalg.inv(skeleton.rest[skeleton.index[bone]]) @ np.array([*point, 1.0])
    return TipPlace(name, bone, (float(x), float(y), float(z)))
