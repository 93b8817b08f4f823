"""Points of limbs that tell whether a rig is posed as solved."""

from __future__ import annotations

from collections.abc import Iterator

import bpy
import numpy as np

from ..clip.skeleton import Skeleton, inverse_matrix
from ..transforms import Floats
from .rig_controls import RigControls

# Bones whose heads are nearer than this share of the rig's height are at the same joint.
SAME_JOINT = 1e-4


class LimbPoints:
    """Points of the solved bones of limbs, and of the bones that deform the mesh at their joints.

    Of a solved bone these are head, tail and a point to its side; of a bone that deforms, its head.
    """

    def __init__(
        self, armature_object: bpy.types.Object, skeleton: Skeleton, controls: RigControls
    ) -> None:
        limbs = [bone for limb in controls.limbs for bone in (*limb.posed, limb.led) if bone]
        names = list(dict.fromkeys([*controls.posed, *limbs]))
        self._bones = [skeleton.index[name] for name in names]
        length = skeleton.length[self._bones]
        self._local = np.zeros((3, len(names), 4))
        self._local[..., 3] = 1.0
        self._local[1, :, 1], self._local[2, :, 0] = length, length
        self._deforming = list(_at_joints(armature_object, skeleton, self._bones))

    def apart(self, pose: Floats, wanted: Floats, source: Floats) -> float:
        """Largest distance of a point from where it is wanted, in the armature's units.

        Args:
            pose: Matrices of all bones; (n, 4, 4).
            wanted: Those that were solved.
            source: Those of the source, in which bones that deform are where they belong.
        """
        apart = [float(self.distances(pose[None], wanted[None])[0])]
        for bone, joint in self._deforming:
            inside = inverse_matrix(source[joint]) @ [*source[bone][:3, 3], 1.0]
            there = (wanted[joint] @ inside)[:3]
            apart.append(float(np.linalg.norm(pose[bone][:3, 3] - there)))
        return max(apart)

    def distances(self, one: Floats, other: Floats) -> Floats:
        """Largest distance of a point of the solved bones between two clips; (f,)."""
        difference = one[:, self._bones] - other[:, self._bones]
        apart = np.einsum("fbij,kbj->fkbi", difference, self._local)[..., :3]
        return np.asarray(np.linalg.norm(apart, axis=-1).max(axis=(1, 2), initial=0.0))


def _at_joints(
    armature_object: bpy.types.Object, skeleton: Skeleton, bones: list[int]
) -> Iterator[tuple[int, int]]:
    """Bones that deform and begin where one of the solved bones does, with that bone."""
    heads = skeleton.rest[:, :3, 3]
    for b, name in enumerate(skeleton.names):
        if b in bones or not armature_object.data.bones[name].use_deform:
            continue
        apart = np.linalg.norm(heads[bones] - heads[b], axis=-1)
        if len(apart) and apart.min() < SAME_JOINT * skeleton.height:
            yield b, bones[int(apart.argmin())]
