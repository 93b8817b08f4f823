"""The sole of a foot measured on the meshes that are bound to its bones, in the rest pose."""

from __future__ import annotations

from typing import NamedTuple

import bpy
import numpy as np

from ..clip.skeleton import Skeleton
from ..transforms import Floats
from .bound_meshes import bound_meshes, is_on_bone, rest_matrix, rest_mesh
from .tuning import SOLE_MESH


class RestFoot(NamedTuple):
    """A foot in the rest pose, in armature space.

    Attributes:
        foot: Its bone.
        toe: Its toe's bone, None if there is none.
        points: Heel, ball and tip from the bones; (3, 3).
        ankle: Head of the foot bone; (3,).
        up: Unit vector; (3,).
        on_point: Whether it stands on the end of its bones, like a hoof.
        knee: Direction of the knee in plan view, zero for a straight leg; (3,).
        leg: Distance from the hip to the ankle.
    """

    foot: str
    toe: str | None
    points: Floats
    ankle: Floats
    up: Floats
    on_point: bool
    knee: Floats
    leg: float


def foot_vertices(armature_object: bpy.types.Object, skeleton: Skeleton, rest: RestFoot) -> Floats:
    """Vertices (n, 3) that the foot carries, in armature space and the rest pose.

    Skinned meshes count, and meshes that are parented to bones of the foot.
    """
    meshes = bound_meshes(armature_object)
    for bones in (_below(skeleton, rest), _deforming(armature_object, skeleton, rest)):
        found = [_owned_vertices(armature_object, mesh, bones, rest) for mesh in meshes]
        vertices = np.concatenate([np.empty((0, 3)), *found])
        if len(vertices):
            break
    return vertices


class MeasuredSole(NamedTuple):
    """A sole on a mesh, in armature space.

    Attributes:
        points: Heel, ball and tip: the rear end, below the joint of the toe, the front end; (3, 3).
        rims: Vertices at both sides of heel, ball, tip and arch; (n, 3) each.
    """

    points: Floats
    rims: tuple[Floats, Floats, Floats, Floats]


def measure(rest: RestFoot, vertices: Floats) -> MeasuredSole:
    """The sole of a foot that carries some vertices (n, 3)."""
    height = vertices @ rest.up
    if rest.on_point:
        sole = vertices[
            height <= height.min() + SOLE_MESH.sole_height * np.ptp(vertices, axis=0).max()
        ]
        middle = _lowered(sole.mean(axis=0), float(height.min()), rest.up)
        return MeasuredSole(np.stack([middle] * 3), (np.empty((0, 3)),) * 4)
    forward = _forward(rest, vertices)
    along = vertices @ forward
    length = float(np.ptp(along))
    ankle, ball = rest.ankle @ forward, rest.points[1] @ forward
    rear, front = along.min(), along.max()
    if not SOLE_MESH.middle <= (ball - rear) / max(length, 1e-12) <= 1.0:
        ball = rear + SOLE_MESH.ball_default * length
    heel_end = min(ankle + SOLE_MESH.heel_end * (ball - ankle), rear + SOLE_MESH.middle * length)
    behind = _sole_part(vertices[along <= max(heel_end, rear)], length, rest)
    before = _sole_part(vertices[along >= min(ball, front)], length, rest)
    heel, tip = _end(behind, -forward, length, rest), _end(before, forward, length, rest)
    share = (ball - heel @ forward) / max(float((tip - heel) @ forward), 1e-12)
    middle = heel + np.clip(share, 0.0, 1.0) * (tip - heel)
    if rest.toe is not None:
        # Coarse meshes have no vertices below the joint, only those of the top.
        below = height[np.abs(along - ball) <= SOLE_MESH.below_joint * length]
        ground = float(below.min(initial=middle @ rest.up))
        middle = _lowered(rest.points[1], ground, rest.up)
    aside = np.asarray(np.cross(rest.up, forward), float)
    rear_rim = _corners(behind, -forward - rest.up, aside)
    ball_rim = _corners(before, -forward - rest.up, aside)
    tip_rim = _corners(before, forward - rest.up, aside)
    arch = vertices[(along > max(heel_end, rear)) & (along < ball)]
    arch_rim = (rear_rim + ball_rim) / 2.0  # coarse meshes are straight there
    if len(arch):
        arch_rim = _corners(_sole_part(arch, length, rest), -rest.up, aside)
    return MeasuredSole(np.stack([heel, middle, tip]), (rear_rim, ball_rim, tip_rim, arch_rim))


def _corners(sole: Floats, outward: Floats, aside: Floats) -> Floats:
    """The two vertices (2, 3) of a part of a sole that are furthest outward and to either side."""
    return np.stack([sole[(sole @ (outward + side)).argmax()] for side in (aside, -aside)])


def _forward(rest: RestFoot, vertices: Floats) -> Floats:
    """Where the foot points to in plan view: along its bones, or as the knee does."""
    bones = _level(rest.points[2] - rest.ankle, rest.up)
    flesh = _level(vertices - rest.ankle, rest.up)
    if np.linalg.norm(bones) < SOLE_MESH.short_bones * np.linalg.norm(flesh, axis=1).max():
        bones = rest.knee if rest.knee.any() else flesh.mean(axis=0)
    return np.asarray(bones / max(float(np.linalg.norm(bones)), 1e-12))


def _level(vectors: Floats, up: Floats) -> Floats:
    return np.asarray(vectors - (vectors @ up)[..., None] * up)


def _sole_part(vertices: Floats, length: float, rest: RestFoot) -> Floats:
    """Those vertices of a part of the foot that belong to its sole."""
    height = vertices @ rest.up
    return np.asarray(vertices[height <= height.min() + SOLE_MESH.sole_height * length])


def _end(sole: Floats, outward: Floats, length: float, rest: RestFoot) -> Floats:
    """The end of a part of the sole."""
    along = sole @ outward
    edge = sole[along >= along.max() - SOLE_MESH.sole_height * length]
    middle = (edge.min(axis=0) + edge.max(axis=0)) / 2.0
    middle += (along.max() - middle @ outward) * outward
    return _lowered(middle, float((sole @ rest.up).min()), rest.up)


def _lowered(point: Floats, height: float, up: Floats) -> Floats:
    """A point moved to a height."""
    return np.asarray(point + (height - point @ up) * up)


def _below(skeleton: Skeleton, rest: RestFoot) -> set[str]:
    """The foot, its toe and all bones below them."""
    found = {skeleton.index[bone] for bone in (rest.foot, rest.toe) if bone is not None}
    for i, parent in enumerate(skeleton.parent):
        if int(parent) in found:
            found.add(i)
    return {skeleton.names[i] for i in found}


def _deforming(armature_object: bpy.types.Object, skeleton: Skeleton, rest: RestFoot) -> set[str]:
    """Bones that deform the mesh where foot and toe are, which may be controls."""
    joints = [skeleton.rest[skeleton.index[b], :3, 3] for b in (rest.foot, rest.toe) if b]
    found = set()
    for bone in armature_object.data.bones:
        head = skeleton.rest[skeleton.index[bone.name], :3, 3]
        near = min(np.linalg.norm(head - joint) for joint in joints)
        if bone.use_deform and near < SOLE_MESH.same_joint * rest.leg:
            found |= {bone.name, *(child.name for child in bone.children_recursive)}
    return found


def _owned_vertices(
    armature_object: bpy.types.Object, mesh: bpy.types.Object, bones: set[str], rest: RestFoot
) -> Floats:
    """Vertices of a mesh that bones carry, in armature space."""
    on_bone = is_on_bone(mesh, armature_object)
    groups = {group.index for group in mesh.vertex_groups if group.name in bones}
    if not (mesh.parent_bone in bones if on_bone else groups):
        return np.empty((0, 3))
    with rest_mesh(mesh) as data:
        at = np.empty(3 * len(data.vertices), np.float32)
        data.vertices.foreach_get("co", at)
        to_armature = np.array(rest_matrix(armature_object, mesh), float)
        vertices = at.reshape(-1, 3) @ to_armature[:3, :3].T + to_armature[:3, 3]
        if on_bone:
            return np.asarray(vertices)
        near = np.linalg.norm(vertices - rest.ankle, axis=1) < SOLE_MESH.reach * rest.leg
        owned = [i for i in np.flatnonzero(near) if _is_owned(data.vertices[int(i)], groups)]
        return np.asarray(vertices[owned])


def _is_owned(vertex: bpy.types.MeshVertex, groups: set[int]) -> bool:
    weights = [(entry.group in groups, entry.weight) for entry in vertex.groups]
    return sum(w for own, w in weights if own) > SOLE_MESH.owned * sum(w for _, w in weights)
