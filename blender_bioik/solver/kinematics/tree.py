"""The joint model: a tree of revolute and sliding joints with named tips, kept as arrays."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import finite, unit_length
from ..errors import SolverError, UnknownTipError
from ..kernels import quaternions
from ..kernels.compiled import Floats, Ints
from .joints import (
    HERE,
    UNTURNED,
    Joint,
    Tip,
    carried_pose,
    check_joint,
    check_unique,
    parents_first,
)
from .robot_model import joints_and_tips


class KinematicTree:
    """1-DoF joints in parent-first order, validated, with every static transform folded in.

    Pose values are arrays in the order of `names`. All arrays are read-only.

    Attributes:
        names: Names of the moving joints, parents before children.
        parent: Index of each joint's parent joint, -1 for the base.
        prismatic: 1 for sliding joints, 0 for revolute ones.
        axis: Unit axis in the joint's frame, (n, 3).
        turn: Rotation from the joint's frame to one whose +z is the axis, (n, 4).
        rest_position: Static translation from the parent segment, (n, 3), metres.
        rest_rotation: Static rotation from the parent segment, (n, 4), quaternion w, x, y, z.
        lower: Lower limits, radians or metres, -inf where there is none.
        upper: Upper limits, radians or metres, +inf where there is none.
        stiffness: 0 (free) to 1 (does not move), (n,).
        tip_names: Names of the tips.
        tip_joint: Index of each tip's joint, -1 for the base.
        tip_position: Tip positions in their segments, (k, 3), metres.
        tip_rotation: Tip rotations in their segments, (k, 4).
    """

    names: tuple[str, ...]
    parent: Ints
    prismatic: Ints
    axis: Floats
    turn: Floats
    rest_position: Floats
    rest_rotation: Floats
    lower: Floats
    upper: Floats
    stiffness: Floats
    tip_names: tuple[str, ...]
    tip_joint: Ints
    tip_position: Floats
    tip_rotation: Floats

    def __init__(
        self,
        joints: Iterable[Joint],
        tips: Iterable[Tip] = (),
        like: KinematicTree | None = None,
    ) -> None:
        """Validate the joints and tips, sort parents first and fold fixed joints away.

        Args:
            joints: The joints.
            tips: The tips.
            like: A tree that may have the same joints and tips, at other places and with other
                limits. If so, its compiled problems are reused.
        """
        self._given = list(joints), list(tips)
        if like is None or not self._take_over(like):
            self._build(*self._given)
        for array in vars(self).values():
            if isinstance(array, np.ndarray):
                array.setflags(write=False)

    def __getstate__(self) -> dict[str, Any]:
        """A copy in another process compiles its problems itself: they hold addresses."""
        return vars(self) | {"compiled": {}}

    def _build(self, joints: list[Joint], tips: list[Tip]) -> None:
        ordered = parents_first(joints)
        moving = [joint for joint in ordered if joint.kind != "fixed"]
        self.names = tuple(joint.name for joint in moving)
        self._joint_index = {name: index for index, name in enumerate(self.names)}
        # Where each given segment sits: the moving joint that carries it, and its pose there.
        carried: dict[str | None, tuple[int, Floats, Floats]] = {None: (-1, HERE, UNTURNED)}
        places = []
        for joint in ordered:
            check_joint(joint)
            place = carried_pose(
                carried[joint.parent], joint.position, joint.rotation, f"joint '{joint.name}'"
            )
            if joint.kind == "fixed":
                carried[joint.name] = place
            else:
                carried[joint.name] = (self._joint_index[joint.name], HERE, UNTURNED)
                places.append(place)
        self._set_joints(moving, places)
        self._set_tips(tips, carried)
        # Problems compiled for this tree or one like it, kept by problem.py.
        self.compiled: dict[Any, Any] = {}

    def _take_over(self, like: KinematicTree) -> bool:
        """Copy all but places and limits from another tree; False if its structure differs."""
        joints, tips = self._given
        if self._structure != like._structure:
            return False
        if like.names != tuple(joint.name for joint in joints):  # some are fixed, or not in order
            return False
        places: list[Joint | Tip] = [*joints, *tips]
        lower = np.array([joint.lower for joint in joints], dtype=np.float64)
        upper = np.array([joint.upper for joint in joints], dtype=np.float64)
        if not ((lower <= upper) & (lower < math.inf) & (upper > -math.inf)).all():
            return False
        if not np.array_equal(_has_limits(lower, upper), _has_limits(like.lower, like.upper)):
            return False
        try:
            position = finite([place.position for place in places], (len(places), 3), "Places")
            rotation = unit_length([place.rotation for place in places], (len(places), 4), "Turns")
        except SolverError:  # building it raises an error that names the culprit
            return False
        for name in _LASTING:
            setattr(self, name, getattr(like, name))
        self.lower, self.upper = lower, upper
        self.rest_position, self.tip_position = np.split(position, [len(joints)])
        self.rest_rotation, self.tip_rotation = np.split(rotation, [len(joints)])
        return True

    def _set_joints(self, moving: list[Joint], places: list[tuple[int, Floats, Floats]]) -> None:
        count = len(moving)
        self._parents = [place[0] for place in places]
        self.parent = np.array(self._parents, dtype=np.int64)
        self.rest_position = np.array([place[1] for place in places]).reshape(count, 3)
        self.rest_rotation = np.array([place[2] for place in places]).reshape(count, 4)
        self.prismatic = np.array([joint.kind == "prismatic" for joint in moving], dtype=np.int64)
        self.axis = np.array(
            [unit_length(joint.axis, (3,), f"The axis of joint '{joint.name}'") for joint in moving]
        ).reshape(count, 3)
        self.turn = quaternions.aligning_z(self.axis)
        self.lower = np.array([joint.lower for joint in moving], dtype=np.float64)
        self.upper = np.array([joint.upper for joint in moving], dtype=np.float64)
        self.stiffness = np.array([joint.stiffness for joint in moving], dtype=np.float64)

    def _set_tips(
        self, tips: list[Tip], carried: dict[str | None, tuple[int, Floats, Floats]]
    ) -> None:
        check_unique([tip.name for tip in tips], "tips")
        places = []
        for tip in tips:
            if tip.joint not in carried:
                raise UnknownTipError(
                    f"Tip '{tip.name}' sits on joint '{tip.joint}', which does not exist."
                )
            places.append(
                carried_pose(carried[tip.joint], tip.position, tip.rotation, f"tip '{tip.name}'")
            )
        self.tip_names = tuple(tip.name for tip in tips)
        self._tip_index = {name: index for index, name in enumerate(self.tip_names)}
        self.tip_joint = np.array([place[0] for place in places], dtype=np.int64)
        self.tip_position = np.array([place[1] for place in places]).reshape(len(tips), 3)
        self.tip_rotation = np.array([place[2] for place in places]).reshape(len(tips), 4)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> KinematicTree:
        """Build a tree from plain numbers, as robot models are stored in JSON.

        Keys: names, parent (index, -1 = base), pos, rot (3x3, parent to joint at zero), axis,
        type (0 revolute, 1 prismatic), lo, hi (None = no limit), optional stiffness, tips,
        tip_joint, tip_pos, tip_rot.
        """
        return cls(*joints_and_tips(data))

    @property
    def size(self) -> int:
        """Number of joints, the length of a pose."""
        return len(self.names)

    def joint_index(self, name: str) -> int:
        """Index of a joint in a pose."""
        index = self._joint_index.get(name)
        if index is None:
            raise UnknownTipError(f"The tree has no joint '{name}'{_hint(self.names)}.")
        return index

    def tip_index(self, name: str) -> int:
        """Index of a tip."""
        index = self._tip_index.get(name)
        if index is None:
            raise UnknownTipError(f"The tree has no tip '{name}'{_hint(self.tip_names)}.")
        return index

    def chain(self, joint: int) -> list[int]:
        """Indices of the joints that move the segment of `joint`, from it up to the base."""
        joints = []
        while joint >= 0:
            joints.append(joint)
            joint = self._parents[joint]
        return joints

    def chain_length(self, tip: int) -> float:
        """Length of the kinematic chain from its first joint to the tip, metres (L in eq. 15)."""
        chain = self.chain(int(self.tip_joint[tip]))
        links = sum(self._link_lengths[joint] for joint in chain[:-1])
        return links + float(np.linalg.norm(self.tip_position[tip]))

    @cached_property
    def _structure(self) -> list[tuple[object, ...]]:
        """The part of joints and tips that does not depend on their places."""
        joints, tips = self._given
        return [
            *((j.name, j.parent, j.kind, tuple(j.axis), j.stiffness) for j in joints),
            *((tip.name, tip.joint) for tip in tips),
        ]

    @cached_property
    def _link_lengths(self) -> list[float]:
        """Distance of each joint from the one that carries it, metres."""
        return [math.sqrt(position @ position) for position in self.rest_position]

    def clipped(self, values: ArrayLike) -> Floats:
        """Pose values moved into the joint limits (eq. 13)."""
        return np.clip(finite(values, (self.size,), "The pose"), self.lower, self.upper)


# Shared by trees of the same joints and tips, wherever these are.
_LASTING = (
    *("names", "parent", "prismatic", "axis", "turn", "stiffness", "tip_names", "tip_joint"),
    *("_parents", "_joint_index", "_tip_index", "_structure", "compiled"),
)


def _has_limits(lower: Floats, upper: Floats) -> NDArray[np.bool_]:
    """Which joints have a lower and which an upper limit; some goals depend on it."""
    return np.isfinite([lower, upper])


def _hint(names: Sequence[str]) -> str:
    """The existing names, if the list is short."""
    return f" (it has {', '.join(names)})" if 0 < len(names) <= 12 else ""
