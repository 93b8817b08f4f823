"""The palm of a hand: where it is on the bone, where it faces, and how thick the hand is."""

from __future__ import annotations

import math
from typing import NamedTuple

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ..anatomy.bones import BoneTable
from ..clip.skeleton import read_skeleton
from ..mapping.read import read_bones
from ..mapping.structure import find_body
from ..skin.read_skin import read_skin
from ..transforms import Floats

# From the wrist to the palm, as a share of the way to the knuckles, or to the end of a hand
# without fingers.
TO_KNUCKLES, TO_END = 0.7, 0.4
# Thickness of a hand without a mesh, from its bones to the palm, as a share of that way.
THICKNESS = 0.15
# Length of a hand, and of the longest one, as shares of the forearm's.
HAND, LONGEST = 0.7, 1.2
# What the hand carries more than all else, as the weight of a vertex.
CARRIED = 0.5
# A thumb points this far off the fingers, at least.
THUMB = math.radians(20.0)


class Palm(NamedTuple):
    """A palm in the space of the hand's bone; axes are of length one, at right angles.

    Attributes:
        centre: A point on its skin.
        normal: Away from the hand.
        fingers: Along the fingers.
        size: From the wrist to the knuckles, in the bone's units.
    """

    centre: Vector
    normal: Vector
    fingers: Vector
    size: float

    def turned(self, normal: Vector, fingers: Vector) -> Matrix:
        """How the bone is turned if its palm faces and its fingers point somewhere; 4 x 4."""
        return (_frame(normal, fingers) @ _frame(self.normal, self.fingers).transposed()).to_4x4()


def palm_of(scene: bpy.types.Scene, armature: bpy.types.Object, bone: str, side: str) -> Palm:
    """The palm of a hand's bone.

    Args:
        scene: The scene whose meshes count.
        armature: The armature.
        bone: The hand.
        side: "L" or "R".
    """
    table = read_bones(armature)
    wrist = table.heads[table.index[bone]]
    knuckles, fingers, thumb = _fingers(table, table.index[bone])
    size = float(np.linalg.norm(knuckles - wrist))
    if thumb is None:
        # Without a thumb: palms face down where arms are held out, and the body where they hang.
        thumb = np.asarray(find_body(table).forward, float)
    normal = np.asarray(np.cross(fingers, thumb) * (1.0 if side == "L" else -1.0), float)
    normal /= np.linalg.norm(normal) or 1.0
    fingers = fingers - normal * (fingers @ normal)
    centre = wrist + TO_KNUCKLES * (knuckles - wrist)
    centre = centre + normal * _thickness(scene, armature, bone, centre, normal, size)
    rest = armature.data.bones[bone].matrix_local
    back = rest.to_3x3().inverted()
    return Palm(
        rest.inverted() @ Vector(centre),
        (back @ Vector(normal)).normalized(),
        (back @ Vector(fingers)).normalized(),
        size,
    )


def _fingers(table: BoneTable, hand: int) -> tuple[Floats, Floats, Floats | None]:
    """The middle of the knuckles, the way of the fingers, and that of the thumb if there is one."""
    wrist, forearm = table.heads[hand], table.heads[hand] - table.heads[table.parent[hand]]
    longest = LONGEST * float(np.linalg.norm(forearm))
    # What reaches further is in the hand, and no finger of it.
    children = [
        child
        for child in table.children[hand]
        if 0.0 < np.linalg.norm(_tip(table, child) - wrist) < longest
    ]
    if not children:
        end = table.ends[hand]
        if not 0.0 < np.linalg.norm(end - wrist) < longest:
            end = wrist + HAND * forearm
        return wrist + TO_END / TO_KNUCKLES * (end - wrist), _unit(end - wrist), None
    starts = np.array([table.heads[child] for child in children])
    tips = np.array([_tip(table, child) for child in children])
    ways = np.array([_unit(way) for way in tips - starts])
    thumb = _thumb(table, children, ways)
    others = [k for k in range(len(children)) if k != thumb] or [0]
    knuckles = starts[others].mean(axis=0)
    if np.linalg.norm(knuckles - wrist) < 1e-6 * np.linalg.norm(tips[others] - wrist, axis=1).max():
        knuckles = tips[others].mean(axis=0)
    fingers = _unit(tips[others].mean(axis=0) - wrist)
    return knuckles, fingers, ways[thumb] if thumb is not None else None


def _thumb(table: BoneTable, children: list[int], ways: Floats) -> int | None:
    """Which of the fingers is the thumb: by its name, or as the one that points off the others."""
    named = [k for k, child in enumerate(children) if "thumb" in table.names[child].lower()]
    if named:
        return named[0]
    if len(children) < 3:
        return None
    offs = [
        math.acos(float(np.clip(way @ _unit(np.delete(ways, k, axis=0).mean(axis=0)), -1.0, 1.0)))
        for k, way in enumerate(ways)
    ]
    most = int(np.argmax(offs))
    return most if offs[most] > THUMB else None


def _tip(table: BoneTable, finger: int) -> Floats:
    """The point of a finger that is furthest from where it begins."""
    ends = table.ends[table.subtree(finger)]
    return np.asarray(ends[np.argmax(np.linalg.norm(ends - table.heads[finger], axis=1))])


def _thickness(
    scene: bpy.types.Scene,
    armature: bpy.types.Object,
    bone: str,
    centre: Floats,
    normal: Floats,
    size: float,
) -> float:
    """How far the skin of the palm is from its bones, in the armature's units."""
    skeleton = read_skeleton(armature)
    read = read_skin(scene, armature, skeleton)
    if read is not None:
        skin = read.skin
        of_hand = (skin.bone == skeleton.index[bone]) & (skin.weights > CARRIED)
        offs = skin.places[skin.vertex[of_hand]] - centre
        away = offs @ normal
        aside = np.linalg.norm(offs - away[:, None] * normal, axis=1)
        if (near := aside < size).any():
            return max(float(away[near].max()), 0.0)
    return THICKNESS * size


def _frame(normal: Vector, fingers: Vector) -> Matrix:
    """Axes in columns: the normal, the fingers at a right angle to it, and across."""
    first = normal.normalized()
    second = (fingers - fingers.dot(first) * first).normalized()
    return Matrix((first, second, first.cross(second))).transposed()


def _unit(way: Floats) -> Floats:
    return np.asarray(way / (np.linalg.norm(way) or 1.0))
