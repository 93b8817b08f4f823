"""Bones beside the body: poles and IK targets that game files keep, and parts that hang elsewhere.

Nothing carries them when the body moves, so they are moved along: with the bone of a leg that they
go with in the clip, such as a target with its foot, or else with the body. Bones that take part in
constraints or goals are left to these.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import bpy
import numpy as np

from ..clip.sampling import Clip
from ..clip.skeleton import Skeleton
from ..joints.moving_bones import chain, followed_bone
from ..soles.tuning import SOLE_MESH
from ..transforms import Floats


def loose_bones(
    armature_object: bpy.types.Object,
    skeleton: Skeleton,
    roots: Collection[str],
    legs: Sequence[str],
) -> tuple[str, ...]:
    """Deforming bones that hang on none of the bones that move with the body, nor carry any.

    Args:
        armature_object: The armature.
        skeleton: Its bones.
        roots: The bones that move on their own: the root, and bones apart from their legs.
        legs: Bones of legs.
    """
    carrying = {above for bone in (*roots, *legs) for above in chain(skeleton, bone)}
    taking_part = {*_constrained(armature_object), *_in_goals(armature_object)} & {*skeleton.names}
    used = {above for bone in taking_part for above in chain(skeleton, bone)}
    return tuple(
        bone
        for bone in skeleton.names
        if bone not in carrying | used
        and set(roots).isdisjoint(chain(skeleton, bone))
        and armature_object.data.bones[bone].use_deform
    )


def _constrained(armature_object: bpy.types.Object) -> Iterator[str]:
    """Bones with constraints, and those that constraints look at."""
    for bone in armature_object.pose.bones:
        for constraint in bone.constraints:
            yield bone.name
            yield getattr(constraint, "subtarget", "")
            yield getattr(constraint, "pole_subtarget", "")


def _in_goals(armature_object: bpy.types.Object) -> Iterator[str]:
    """Bones that goals are about, and those that goals follow."""
    for goal in armature_object.bioik.goals:
        yield from (goal.bone, goal.other_bone, followed_bone(armature_object, goal))


def loose_carriers(
    skeleton: Skeleton, clip: Clip, loose: Sequence[str], legs: Sequence[str], root: str
) -> dict[str, str]:
    """Loose bones with those that they go with in a clip.

    Left out is what stays in place while the body moves, as it is no part of it, and what goes with
    a loose bone above it.

    Args:
        skeleton: The armature's bones.
        clip: Its animation.
        loose: The loose bones.
        legs: Bones of legs.
        root: The bone that carries the body.
    """
    near = SOLE_MESH.same_place * skeleton.height
    body = _way(clip.pose[:, skeleton.index[root], :3, 3])
    found: dict[str, str] = {}
    for bone in sorted(loose, key=skeleton.index.__getitem__):
        path = clip.pose[:, skeleton.index[bone], :3, 3]
        above = [other for other in chain(skeleton, bone)[1:] if other in found]
        carried = any(_way(_beside(skeleton, clip, path, other)) < near for other in above)
        if carried or _way(path) < near < body:
            continue
        beside = {other: _beside(skeleton, clip, path, other) for other in legs}
        away = {other: _way(place) for other, place in beside.items()}
        tight = [
            other for other in legs if away[other] < min(near, min(away.values()) + 1e-3 * near)
        ]
        found[bone] = min(tight, key=lambda o: np.linalg.norm(beside[o][0]), default=root)
    return found


def _beside(skeleton: Skeleton, clip: Clip, path: Floats, bone: str) -> Floats:
    """A path (f, 3) along the axes of a bone."""
    matrix = clip.pose[:, skeleton.index[bone]]
    return np.einsum("fji,fj->fi", matrix[:, :3, :3], path - matrix[:, :3, 3])


def _way(path: Floats) -> float:
    """How far a path (f, 3) gets along any axis."""
    return float(np.ptp(path, axis=0).max())
