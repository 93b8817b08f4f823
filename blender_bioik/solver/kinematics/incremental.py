"""Incremental forward kinematics: the OFKT paper's tree, which recomputes only changes.

Each segment keeps its local transform L_i = S_i T(theta_i) and its reference transform
R_i = R_(i-1) L_i (eq. 4). The solvers evaluate poses in which every joint differs, where this
saves nothing; it pays where one joint changes at a time, as in differences of a custom goal.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..checks import finite
from ..kernels import quaternions
from ..kernels.compiled import Floats
from .joints import IDENTITY
from .tree import KinematicTree

Transform = tuple[Floats, Floats]  # quaternion (4), position (3)


class IncrementalKinematics:
    """Forward kinematics of one pose that can be changed joint by joint.

    `operations` counts the transforms calculated, as Table 1 of the paper does: one for a local
    transform, one for each product, one for transforming a result to world space.
    """

    def __init__(
        self, tree: KinematicTree, values: ArrayLike, world: Transform | None = None
    ) -> None:
        """Build the tree (Algorithm 1); `world` places the base, the identity if not given."""
        self.tree = tree
        self.operations = 0
        self._world = world or (np.array(IDENTITY), np.zeros(3))
        self._values = finite(values, (tree.size,), "The pose").copy()
        self._local = [self._local_transform(i, x) for i, x in enumerate(self._values)]
        self._reference: list[Transform] = []
        for i, local in enumerate(self._local):
            self._reference.append(self._product(self._parent_reference(i), local))

    @property
    def values(self) -> Floats:
        """The current pose."""
        return self._values.copy()

    def update(self, values: ArrayLike) -> None:
        """Change the pose (Algorithm 2): local transforms of changed joints, and all they carry."""
        wanted = finite(values, (self.tree.size,), "The pose")
        stale = np.zeros(self.tree.size, dtype=bool)
        for i, x in enumerate(wanted):
            parent = self.tree.parent[i]
            if x != self._values[i]:
                self._local[i] = self._local_transform(i, float(x))
                stale[i] = True
            if parent >= 0 and stale[parent]:
                stale[i] = True
            if stale[i]:
                self._reference[i] = self._product(self._parent_reference(i), self._local[i])
        self._values = wanted.copy()

    def tip(self, name: str) -> Transform:
        """World quaternion and position of a tip (eq. 5)."""
        k = self.tree.tip_index(name)
        joint = int(self.tree.tip_joint[k])
        carrier = self._reference[joint] if joint >= 0 else (np.array(IDENTITY), np.zeros(3))
        return self._placed(carrier, k)

    def predict(self, name: str, joint: str, value: float) -> Transform:
        """World pose of a tip if one joint had another value; nothing is changed.

        R_(i-1) L_i R_i^-1 R_ee: a local transform, three products and one into the world, however
        long the chain.
        """
        k, i = self.tree.tip_index(name), self.tree.joint_index(joint)
        end = int(self.tree.tip_joint[k])
        if i not in self.tree.chain(end):
            return self.tip(name)
        moved = self._product(self._parent_reference(i), self._local_transform(i, value))
        moved = self._product(moved, _inverse(self._reference[i]))
        return self._placed(self._product(moved, self._reference[end]), k)

    def _parent_reference(self, i: int) -> Transform:
        parent = int(self.tree.parent[i])
        return self._reference[parent] if parent >= 0 else (np.array(IDENTITY), np.zeros(3))

    def _local_transform(self, i: int, value: float) -> Transform:
        self.operations += 1
        rotation, position = self.tree.rest_rotation[i], self.tree.rest_position[i]
        if self.tree.prismatic[i]:
            return rotation, position + quaternions.rotated(rotation, value * self.tree.axis[i])
        turn = quaternions.from_axis_angle(self.tree.axis[i], np.float64(value))
        return quaternions.product(rotation, turn), position

    def _product(self, a: Transform, b: Transform) -> Transform:
        self.operations += 1
        return _composed(a, b)

    def _placed(self, carrier: Transform, k: int) -> Transform:
        """A tip in the world; its static pose on the segment counts as part of the segment."""
        tip = (self.tree.tip_rotation[k], self.tree.tip_position[k])
        return self._product(self._world, _composed(carrier, tip))


def _composed(a: Transform, b: Transform) -> Transform:
    return quaternions.product(a[0], b[0]), a[1] + quaternions.rotated(a[0], b[1])


def _inverse(a: Transform) -> Transform:
    back = quaternions.conjugate(a[0])
    return back, -quaternions.rotated(back, a[1])
