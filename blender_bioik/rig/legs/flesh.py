"""The flesh of a character: which bones carry what must stay out of the ground, and its hulls.

Limbs and tails count with all that hangs on them; the trunk and the head without what only hangs on
them, such as coats and hair, which touch the ground as they like. Feet have soles instead.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, zip_longest
from typing import TYPE_CHECKING, NamedTuple

import bpy
import numpy as np

from ...body_slots import SIDES
from ...motion.body.hull import Hull, bare_hull, fit_hull
from ..clip.skeleton import Skeleton
from ..joints.joint_model import TipPlace
from ..joints.moving_bones import chain
from ..mapping import Mapping
from ..soles.foot_mesh import mesh_skins
from ..transforms import Floats
from .led_flesh import led_owners

if TYPE_CHECKING:  # with it comes scipy, which a bake without feet works without
    from ..soles.soles import Sole

# Radius of a limb without a mesh as a share of its length, of a trunk as a share of its legs.
BARE_RADIUS = 0.12
# A hand without fingers ends at this share of the forearm's length from the wrist.
HAND_LENGTH = 0.4
FEWEST_VERTICES = 4


@dataclass(frozen=True, eq=False)
class BodyBones:
    """The bones of the body above the feet.

    Attributes:
        limbs: Bones of legs and arms with the bone or place at which each ends, feet excluded.
        trunk: The others, with the next one of them.
        tail: Bones of the tail, which are among those of limbs.
        feet: Bones of feet and toes.
        reaches: How far from its head, in the armature's units, the flesh of a bone and of those
            below it ends at most.
    """

    limbs: dict[str, str | None]
    trunk: dict[str, str | None]
    tail: tuple[str, ...]
    feet: frozenset[str]
    reaches: dict[str, float]

    @property
    def mapped(self) -> frozenset[str]:
        """All of them."""
        return frozenset({*self.limbs, *self.trunk, *self.feet})


class Flesh(NamedTuple):
    """The hulls of a body above the feet, along their bones' own axes in the armature's units.

    Attributes:
        body: Those of limbs, trunk and head.
        tail: Those of the tail.
    """

    body: tuple[Hull, ...]
    tail: tuple[Hull, ...]


def body_flesh(
    armature_object: bpy.types.Object, skeleton: Skeleton, mapping: Mapping, soles: Sequence[Sole]
) -> Flesh:
    """The hulls of a body."""
    bones = _body_bones(skeleton, mapping, soles)
    owners = _owners(skeleton, bones)
    vertices = _vertices(armature_object, skeleton)
    hulls = {}
    for bone, owner in owners.items():
        own = vertices.get(bone, np.empty((0, 3)))
        start = skeleton.rest[skeleton.index[owner], :3, 3]
        near = np.linalg.norm(own - start, axis=1) <= bones.reaches.get(owner, np.inf)
        if near.sum() >= FEWEST_VERTICES:
            along = np.asarray(_end(skeleton, bones, owner) - start, float)
            inverse = skeleton.inverse_rest[skeleton.index[bone]]
            local = own[near] @ inverse[:3, :3].T + inverse[:3, 3]
            hulls[bone] = fit_hull(bone, local, np.asarray(inverse[:3, :3] @ along, float))
    fleshed = {owners[bone] for bone in hulls}
    others = [bone for bone in (*bones.limbs, *bones.trunk) if bone not in fleshed]
    led = _led(armature_object, skeleton, bones, soles, others, vertices.keys() - owners.keys())
    for bone in others:
        led_by = [vertices[name] for name, owner in led.items() if owner == bone]
        if sum(map(len, led_by)) >= FEWEST_VERTICES:
            inverse = np.linalg.inv(skeleton.rest[skeleton.index[bone]])
            local = np.concatenate(led_by) @ inverse[:3, :3].T + inverse[:3, 3]
            start, end = (_joint(skeleton, bone), _end(skeleton, bones, bone))
            hulls[bone] = fit_hull(bone, local, np.asarray(inverse[:3, :3] @ (end - start), float))
        else:
            hulls[bone] = _bare(skeleton, bones, bone, soles)
    ordered = [hulls[bone] for bone in skeleton.names if bone in hulls]
    tail = {bone for bone in hulls if owners.get(bone, bone) in bones.tail}
    return Flesh(
        tuple(hull for hull in ordered if hull.bone not in tail),
        tuple(hull for hull in ordered if hull.bone in tail),
    )


@dataclass(frozen=True, eq=False)
class Carriers:
    """Which bones of a body carry its hulls.

    Attributes:
        owner: The bone of the body that each bone with flesh belongs to.
        following: The bone at which each bone of the body ends, None for last ones.
    """

    owner: dict[str, str]
    following: dict[str, str | None]


def carriers(skeleton: Skeleton, mapping: Mapping, soles: Sequence[Sole]) -> Carriers:
    """The bones that carry the hulls of a body and of its feet."""
    bones = _body_bones(skeleton, mapping, soles)
    feet = {foot.bone: sole.foot for sole in soles for foot in _foot_bones(skeleton, sole)}
    toes: dict[str, str | None] = {sole.foot: sole.toe for sole in soles}
    return Carriers(_owners(skeleton, bones) | feet, {**bones.limbs, **bones.trunk, **toes})


class _FootBone(NamedTuple):
    """A bone of a foot, and where it ends in the rest pose."""

    bone: str
    end: Floats


def foot_hulls(
    armature_object: bpy.types.Object, skeleton: Skeleton, soles: Sequence[Sole]
) -> tuple[Hull, ...]:
    """The hulls of feet, along their bones' own axes, for feet that do not rest on their soles."""
    vertices = _vertices(armature_object, skeleton)
    hulls = []
    for sole in soles:
        for bone, end in _foot_bones(skeleton, sole):
            matrix = skeleton.rest[skeleton.index[bone]]
            inverse = np.linalg.inv(matrix)
            tip = inverse[:3, :3] @ end + inverse[:3, 3]
            own = vertices.get(bone, np.empty((0, 3)))
            length = float(np.linalg.norm(tip))
            if len(own) >= FEWEST_VERTICES:
                local = own @ inverse[:3, :3].T + inverse[:3, 3]
                hulls.append(fit_hull(bone, local, tip if length else np.array([0.0, 1.0, 0.0])))
            elif sole.measured_clearance is None and bone in (sole.foot, sole.toe) and length:
                hulls.append(bare_hull(bone, np.zeros(3), tip, BARE_RADIUS * length))
    return tuple(hulls)


def _foot_bones(skeleton: Skeleton, sole: Sole) -> Iterator[_FootBone]:
    """The bones of a foot, its toe and those below, which end where it does."""
    tip = sole.places[-1]
    at = skeleton.rest[skeleton.index[tip.bone]] @ np.array([*tip.offset, 1.0])
    for bone in skeleton.names:
        owner = next((b for b in chain(skeleton, bone) if b in (sole.foot, sole.toe)), None)
        if owner == sole.foot and sole.toe:
            yield _FootBone(bone, np.asarray(skeleton.rest[skeleton.index[sole.toe], :3, 3]))
        elif owner is not None:
            yield _FootBone(bone, np.asarray(at[:3]))


def flesh_tips(bones: Iterable[str]) -> Iterator[TipPlace]:
    """Tips on bones with hulls, or that carry some."""
    return (TipPlace(flesh_tip(bone), bone) for bone in dict.fromkeys(bones))


def flesh_tip(bone: str) -> str:
    """Name of the tip of a bone with a hull."""
    return f"{bone}, flesh"


def _body_bones(skeleton: Skeleton, mapping: Mapping, soles: Sequence[Sole]) -> BodyBones:
    """The bones of a body, by its mapping."""
    feet = frozenset(bone for sole in soles for bone in (sole.foot, sole.toe) if bone)
    limbs: dict[str, str | None] = {}
    reaches: dict[str, float] = {}
    for sole in soles:
        limbs |= dict(pairwise(sole.bones))
    for side in SIDES:
        slots = (mapping.slots.get(f"{part}.{side}") for part in ("upper_arm", "forearm", "hand"))
        arm = [bone for bone in slots if bone in skeleton.index and bone not in {*limbs, *feet}]
        limbs |= _chained(arm)
        if len(arm) > 1:
            reaches[arm[-1]] = _apart(skeleton, arm[-2], arm[-1])
    tail = tuple(bone for bone in mapping.tail if bone in skeleton.index)
    limbs |= _chained(tail)
    trunk = [mapping.slots.get("pelvis"), *mapping.spine, *mapping.neck, mapping.slots.get("head")]
    core = [bone for bone in trunk if bone in skeleton.index and bone not in {*limbs, *feet}]
    return BodyBones(limbs, _chained(core), tail, feet, reaches)


def _chained(bones: Sequence[str]) -> dict[str, str | None]:
    """Each bone with the next one."""
    return dict(zip_longest(bones, bones[1:]))


def _owners(skeleton: Skeleton, bones: BodyBones) -> dict[str, str]:
    """Bones whose flesh counts, each with the bone of the body that it belongs to."""
    carrying = {above for bone in bones.mapped for above in chain(skeleton, bone)}
    owners = {}
    for bone in skeleton.names:
        owner = next((above for above in chain(skeleton, bone) if above in bones.mapped), None)
        if owner in bones.limbs or (owner in bones.trunk and bone in carrying):
            owners[bone] = str(owner)
    return owners


def _end(skeleton: Skeleton, bones: BodyBones, bone: str) -> Floats:
    """Where a bone of the body ends in the rest pose."""
    heads = skeleton.rest[:, :3, 3]
    here = heads[skeleton.index[bone]]
    following = {**bones.limbs, **bones.trunk}[bone]
    if following is not None:
        end = heads[skeleton.index[following]]
    elif bone in bones.reaches:
        end = here + HAND_LENGTH * bones.reaches[bone] * _direction(skeleton, bones, bone)
    else:
        end = here + _apart(skeleton, _before(bones, bone), bone) * _direction(
            skeleton, bones, bone
        )
    if np.linalg.norm(end - here) > 0.0:
        return np.asarray(end)
    b = skeleton.index[bone]
    return np.asarray(here + skeleton.rest[b, :3, 1] * skeleton.length[b])


def _direction(skeleton: Skeleton, bones: BodyBones, bone: str) -> Floats:
    """The direction of the bone before the last one of a limb or trunk; (3,)."""
    before = _before(bones, bone)
    heads = skeleton.rest[:, :3, 3]
    way = heads[skeleton.index[bone]] - heads[skeleton.index[before]]
    size = float(np.linalg.norm(way))
    return np.asarray(way / size) if size > 0.0 else skeleton.rest[skeleton.index[bone], :3, 1]


def _before(bones: BodyBones, bone: str) -> str:
    following = {**bones.limbs, **bones.trunk}
    return next((above for above, below in following.items() if below == bone), bone)


def _apart(skeleton: Skeleton, one: str, other: str) -> float:
    """Distance of two heads in the rest pose."""
    heads = skeleton.rest[:, :3, 3]
    return float(np.linalg.norm(heads[skeleton.index[other]] - heads[skeleton.index[one]]))


def _led(
    armature_object: bpy.types.Object,
    skeleton: Skeleton,
    bones: BodyBones,
    soles: Sequence[Sole],
    owners: Sequence[str],
    deforming: Collection[str],
) -> dict[str, str]:
    """Bones with vertices that copy those of the body, with these; of some that have no flesh."""
    if not deforming or not owners:
        return {}
    ends = {name: (_joint(skeleton, name), _end(skeleton, bones, name)) for name in owners}
    limbs = {name: each for name, each in ends.items() if name in bones.limbs}
    trunk = {name: each for name, each in ends.items() if name in bones.trunk}
    leg = sum(_apart(skeleton, one, other) for one, other in pairwise(soles[0].bones))
    others = [name for name in skeleton.names if name in deforming]
    return led_owners(armature_object, skeleton, others, limbs, trunk, bones.feet, leg)


def _joint(skeleton: Skeleton, bone: str) -> Floats:
    """Where a bone begins in the rest pose."""
    return np.asarray(skeleton.rest[skeleton.index[bone], :3, 3])


def _bare(skeleton: Skeleton, bones: BodyBones, bone: str, soles: Sequence[Sole]) -> Hull:
    """The hull of a bone without a mesh."""
    start = skeleton.rest[skeleton.index[bone], :3, 3]
    end = _end(skeleton, bones, bone)
    length = float(np.linalg.norm(end - start))
    if bone in bones.trunk:
        leg = soles[0].bones
        length = sum(_apart(skeleton, one, other) for one, other in pairwise(leg))
    inverse = skeleton.inverse_rest[skeleton.index[bone]]
    local = [inverse[:3, :3] @ place + inverse[:3, 3] for place in (start, end)]
    return bare_hull(bone, local[0], local[1], BARE_RADIUS * length)


def _vertices(armature_object: bpy.types.Object, skeleton: Skeleton) -> dict[str, Floats]:
    """Vertices (n, 3) in armature space by the bone that carries most of each."""
    found: dict[str, list[Floats]] = {}
    for skin in mesh_skins(armature_object, skeleton):
        if not len(skin.bones):
            continue
        carrier = np.where(skin.weights.any(axis=1), skin.bones[skin.weights.argmax(axis=1)], -1)
        for bone in np.unique(carrier[carrier >= 0]):
            found.setdefault(skeleton.names[bone], []).append(skin.rest[carrier == bone])
    return {bone: np.concatenate(places) for bone, places in found.items()}
