"""A foot as its bones have it in some pose: ankle, ball and tip, and where up is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import bpy
import numpy as np

from ...motion.tuning import BODY
from ..clip.skeleton import Skeleton
from ..errors import RigError
from ..mapping import Leg, Mapping
from ..transforms import Floats
from .tuning import SOLE_BONES, SOLE_MESH


class Trunk(NamedTuple):
    """Where a body begins and ends.

    Attributes:
        rear: Indices of bones: the hips of its last pair of legs.
        front: Those of its first pair; of a body on two legs the head.
    """

    rear: tuple[int, ...] = ()
    front: tuple[int, ...] = ()


def body_trunk(skeleton: Skeleton, mapping: Mapping) -> Trunk:
    """The trunk of a body."""
    hips = [skeleton.index[leg.bones[0]] for leg in mapping.legs]
    head = skeleton.index.get(mapping.slots.get("head", ""))
    if len(hips) > 2:
        return Trunk(tuple(hips[-2:]), tuple(hips[:2]))
    return Trunk(tuple(hips), () if head is None else (head,))


class Stance(NamedTuple):
    """A pose in which feet stand: the rest pose, or a frame of a clip.

    Attributes:
        pose: Matrices of the bones in armature space; (n, 4, 4).
        up: Unit vector in armature space; (3,).
        trunk: Bones at the rear and in front of the body.
    """

    pose: Floats
    up: Floats
    trunk: Trunk

    @property
    def facing(self) -> Floats:
        """Where a body that is longer than high faces in plan view, zero for an upright one."""
        rear, front = (self.pose[list(bones), :3, 3] for bones in self.trunk)
        if not len(rear) or not len(front):
            return np.zeros(3)
        way = front.mean(axis=0) - rear.mean(axis=0)
        ahead = level(way, self.up)
        return ahead if np.linalg.norm(ahead) > abs(way @ self.up) else np.zeros(3)


class FootBones(NamedTuple):
    """A foot in a stance, in armature space.

    Attributes:
        foot: Its bone.
        toe: Its toe's bone, None if there is none.
        points: Heel, ball and tip from the bones; (3, 3).
        ankle: Head of the foot bone; (3,).
        up: Unit vector; (3,).
        on_point: Whether it stands on the end of its bones, like a hoof.
        ahead: Where the body faces in plan view or, if it is upright, where the knee points to;
            zero if neither is known; (3,).
        leg: Distance from the hip to the ankle.
    """

    foot: str
    toe: str | None
    points: Floats
    ankle: Floats
    up: Floats
    on_point: bool
    ahead: Floats
    leg: float


def rest_stance(
    armature_object: bpy.types.Object,
    skeleton: Skeleton,
    legs: Sequence[tuple[str, ...]],
    trunk: Trunk,
) -> Stance:
    """The rest pose of an armature whose legs have some bones, hips first.

    Up is one of the armature's axes. Not the exact direction: that would depend on the frame where
    the object is animated. It is the axis that points up in the world, unless the rest pose lies
    down: then it is the one that leads from the feet to the hips.
    """
    up = _nearest_axis(np.array(armature_object.matrix_world, float)[2, :3])
    heads = skeleton.rest[:, :3, 3]
    ways = [heads[skeleton.index[bones[0]]] - heads[skeleton.index[bones[-1]]] for bones in legs]
    body = np.sum([way / max(float(np.linalg.norm(way)), 1e-12) for way in ways], axis=0)
    lies = body @ up < np.sqrt(0.5) * np.linalg.norm(body)
    return Stance(skeleton.rest, _nearest_axis(body) if lies else up, trunk)


def _nearest_axis(direction: Floats) -> Floats:
    """The axis, forward or backward, that is closest to a direction."""
    axis = np.zeros(3)
    largest = int(np.abs(direction).argmax())
    axis[largest] = -1.0 if direction[largest] < 0.0 else 1.0
    return axis


def leg_bones(armature_object: bpy.types.Object, skeleton: Skeleton, leg: Leg) -> tuple[str, ...]:
    """A leg's bones from hip to foot."""
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
    return bones


def foot_bones(skeleton: Skeleton, leg: Leg, bones: tuple[str, ...], stance: Stance) -> FootBones:
    """A leg's foot in a stance, its points on the bones."""
    pose, up = stance.pose, stance.up
    head = pose[:, :3, 3]
    foot = skeleton.index[bones[-1]]
    ankle = head[foot]
    if leg.toe is not None:
        ball = head[skeleton.index[leg.toe]]
        tip = _end(skeleton, pose, skeleton.index[leg.toe], ball, level(ball - ankle, up))
    else:
        ball, tip = _toeless(skeleton, foot, stance)
    leads = tip - ankle
    on_point = abs(leads @ up) > SOLE_BONES.on_point * np.linalg.norm(level(leads, up))
    points = np.stack([tip] * 3 if on_point else [ankle, ball, tip])
    hip, knee = (head[skeleton.index[bone]] for bone in bones[:2])
    length = float(np.linalg.norm(ankle - hip))
    facing = stance.facing
    ahead = facing if facing.any() else _bend(hip, knee, ankle, up)
    return FootBones(bones[-1], leg.toe, points, ankle, up, bool(on_point), ahead, length)


def _bend(hip: Floats, knee: Floats, ankle: Floats, up: Floats) -> Floats:
    """Where a knee points to in plan view, zero if the leg is straight."""
    leg = ankle - hip
    aside = knee - hip - ((knee - hip) @ leg) / max(float(leg @ leg), 1e-24) * leg
    bend = level(aside, up)
    return (
        bend if np.linalg.norm(bend) > SOLE_MESH.same_place * np.linalg.norm(leg) else np.zeros(3)
    )


def _toeless(skeleton: Skeleton, foot: int, stance: Stance) -> tuple[Floats, Floats]:
    """Ball and tip of a foot without a mapped toe: from its toe bones, or both at its tail."""
    pose, up = stance.pose, stance.up
    toes = np.flatnonzero(skeleton.parent == foot)
    tails = _tails(skeleton, pose)
    if not toes.size:
        return tails[foot], tails[foot]
    ankle = pose[foot, :3, 3]
    under = below(skeleton, foot)
    leads = np.concatenate([pose[under, :3, 3], tails[under]]) - ankle
    furthest = level(leads, up)[np.linalg.norm(level(leads, up), axis=1).argmax()]
    tip = _end(skeleton, pose, foot, ankle, furthest)
    begins = pose[toes, :3, 3] - ankle
    begins = begins[begins @ furthest > SOLE_MESH.middle * ((tip - ankle) @ furthest)]
    return (ankle + begins.mean(axis=0) if len(begins) else tip), tip


def _end(skeleton: Skeleton, pose: Floats, bone: int, origin: Floats, forward: Floats) -> Floats:
    """The end of a toe or foot, seen from its joint: the middle of the ends of its bones.

    Importers put bones at the ends of chains, and give these arbitrary tails: tails count only if
    there is no such bone.
    """
    under = below(skeleton, bone)
    reach = float(np.linalg.norm(forward))
    for ends, least in (
        (pose[under, :3, 3], SOLE_BONES.end_away * reach),
        (_tails(skeleton, pose)[[bone, *under]], 0.0),
    ):
        leads = ends - origin
        along = leads @ forward / max(reach, 1e-12)
        along = np.where(along > BODY.no_heading * np.linalg.norm(leads, axis=1), along, 0.0)
        if along.max(initial=0.0) > least:
            return np.asarray(ends[along >= SOLE_MESH.ball_default * along.max()].mean(axis=0))
    return origin + SOLE_BONES.toe_length * forward


def below(skeleton: Skeleton, bone: int) -> list[int]:
    """All bones below a bone."""
    found = [bone]
    for i in range(bone + 1, len(skeleton)):
        if skeleton.parent[i] in found:
            found.append(i)
    return found[1:]


def _tails(skeleton: Skeleton, pose: Floats) -> Floats:
    return np.asarray(pose[:, :3, 3] + pose[:, :3, 1] * skeleton.length[:, None])


def level(vectors: Floats, up: Floats) -> Floats:
    """Vectors (..., 3) in plan view."""
    return np.asarray(vectors - (vectors @ up)[..., None] * up)
