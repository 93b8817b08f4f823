"""The skin of an armature without meshes: the ends of its bones stand for it."""

from __future__ import annotations

from collections.abc import Collection

import bpy
import numpy as np

from ...motion.measure.skin import Skin
from ..clip.skeleton import Skeleton
from .read_skin import ReadSkin, read_skin


def character_skin(
    scene: bpy.types.Scene,
    armature_object: bpy.types.Object,
    skeleton: Skeleton,
    moved: Collection[int] = (),
) -> ReadSkin:
    """The meshes of an armature, or the ends of its bones; see `read_skin`."""
    found = read_skin(scene, armature_object, skeleton, moved)
    return bare_skin(armature_object, skeleton) if found is None else found


def bare_skin(armature_object: bpy.types.Object, skeleton: Skeleton) -> ReadSkin:
    """Heads of all bones that deform, and tails where a limb ends; all heads if none deforms.

    A tail counts if its bone is not longer than the one before: importers make up longer ones.
    """
    bones = armature_object.data.bones
    own = np.array([bones[name].use_deform for name in skeleton.names], bool)
    own |= not own.any()
    heads = skeleton.rest[:, :3, 3]
    tails = heads + skeleton.length[:, None] * skeleton.rest[:, :3, 1]
    parent = skeleton.parent
    before = np.linalg.norm(heads - heads[parent.clip(0)], axis=1)
    leaf = ~np.isin(np.arange(len(skeleton)), parent)
    ends = np.flatnonzero(own & leaf & (parent >= 0) & (skeleton.length <= before))
    carrier = np.concatenate([np.flatnonzero(own), ends])
    count = len(carrier)
    skin = Skin(
        np.concatenate([heads[own], tails[ends]]),
        np.ones(count),
        np.arange(count),
        carrier,
        np.zeros((0, 2), int),
        np.zeros(count, int),
    )
    return ReadSkin(skin, ("",), {}, bare=True)
