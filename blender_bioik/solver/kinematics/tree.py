"""The joint model: a tree of revolute and sliding joints with named tips, kept as arrays."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import finite, unit_length
from ..errors import (
    AxisError,
    CycleError,
    LimitError,
    NotFiniteError,
    ParentError,
    ShapeError,
    SolverError,
    TreeError,
    UnknownTipError,
)
from ..kernels import quaternions
from ..kernels.compiled import Floats, Ints

JointKind = Literal["revolute", "prismatic", "fixed"]
IDENTITY = (1.0, 0.0, 0.0, 0.0)
# Where a joint's own segment sits in it.
HERE, UNTURNED = np.zeros(3), np.array(IDENTITY)


@dataclass(frozen=True)
class Joint:
    """One joint and the segment it moves.

    `position` (metres) and `rotation` (quaternion w, x, y, z) place the joint in its parent's
    segment when its value is zero; `axis` is given in the joint's own frame. Limits are radians or
    metres, infinite where there is none. `stiffness` goes from 0 (free) to 1 (does not move).
    """

    name: str
    parent: str | None = None
    kind: JointKind = "revolute"
    axis: tuple[float, float, float] = (0.0, 0.0, 1.0)
    position: tuple[float, float, float] = (0.0, 0.0, 0.0)
    rotation: tuple[float, float, float, float] = IDENTITY
    lower: float = -math.inf
    upper: float = math.inf
    stiffness: float = 0.0


@dataclass(frozen=True)
class Tip:
    """A named point on the segment of `joint` (None: on the fixed base), with a local pose."""

    name: str
    joint: str | None
    position: tuple[float, float, float] = (0.0, 0.0, 0.0)
    rotation: tuple[float, float, float, float] = IDENTITY


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
            like: A tree that may have the same joints and tips, only standing elsewhere and with
                other limits. If so, what was worked out for it is used again.
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
        ordered = _parents_first(joints)
        moving = [joint for joint in ordered if joint.kind != "fixed"]
        self.names = tuple(joint.name for joint in moving)
        self._joint_index = {name: index for index, name in enumerate(self.names)}
        # Where each given segment sits: the moving joint that carries it, and its pose there.
        carried: dict[str | None, tuple[int, Floats, Floats]] = {None: (-1, HERE, UNTURNED)}
        places = []
        for joint in ordered:
            _check_joint(joint)
            place = _carried_pose(
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
        """Take from another tree all but places and limits; False if it is not alike."""
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
        except SolverError:  # building it anew tells which one is wrong
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
        _check_unique([tip.name for tip in tips], "tips")
        places = []
        for tip in tips:
            if tip.joint not in carried:
                raise UnknownTipError(
                    f"Tip '{tip.name}' sits on joint '{tip.joint}', which does not exist."
                )
            places.append(
                _carried_pose(carried[tip.joint], tip.position, tip.rotation, f"tip '{tip.name}'")
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
        missing = [key for key in _JOINT_KEYS + _TIP_KEYS if key not in data]
        if missing:
            raise TreeError(f"The model lacks the key '{missing[0]}'.")
        names = [str(name) for name in data["names"]]
        tips = [str(name) for name in data["tips"]]
        _check_lengths(data, _JOINT_KEYS, len(names), "joint")
        _check_lengths(data, _TIP_KEYS, len(tips), "tip")
        stiffness = data.get("stiffness", [0.0] * len(names))
        _check_lengths({"stiffness": stiffness}, ["stiffness"], len(names), "joint")
        joints = [
            Joint(
                name,
                _name_at(names, data["parent"][i], f"Joint '{name}'", ParentError),
                _kind_of(data["type"][i], name),
                data["axis"][i],
                data["pos"][i],
                _quaternion_of(data["rot"][i], f"joint '{name}'"),
                -math.inf if data["lo"][i] is None else float(data["lo"][i]),
                math.inf if data["hi"][i] is None else float(data["hi"][i]),
                float(stiffness[i]),
            )
            for i, name in enumerate(names)
        ]
        return cls(
            joints,
            [
                Tip(
                    tip,
                    _name_at(names, data["tip_joint"][k], f"Tip '{tip}'", UnknownTipError),
                    data["tip_pos"][k],
                    _quaternion_of(data["tip_rot"][k], f"tip '{tip}'"),
                )
                for k, tip in enumerate(tips)
            ],
        )

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
        """What of joints and tips is the same wherever these stand."""
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


# What trees of the same joints and tips share, wherever these stand.
_LASTING = (
    *("names", "parent", "prismatic", "axis", "turn", "stiffness", "tip_names", "tip_joint"),
    *("_parents", "_joint_index", "_tip_index", "_structure", "compiled"),
)
_JOINT_KEYS = ("names", "parent", "pos", "rot", "axis", "type", "lo", "hi")
_TIP_KEYS = ("tips", "tip_joint", "tip_pos", "tip_rot")


def _has_limits(lower: Floats, upper: Floats) -> NDArray[np.bool_]:
    """Which joints have a lower and which an upper limit; goals may be about those that do."""
    return np.isfinite([lower, upper])


def _hint(names: Sequence[str]) -> str:
    """Tell which names there are, as long as the list is short."""
    return f" (it has {', '.join(names)})" if 0 < len(names) <= 12 else ""


def _check_unique(names: Sequence[str], what: str) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise TreeError(f"Two {what} are both named '{name}'.")
        seen.add(name)


def _check_lengths(data: Mapping[str, Any], keys: Sequence[str], count: int, what: str) -> None:
    for key in keys:
        if len(data[key]) != count:
            raise ShapeError(
                f"The model's '{key}' has {len(data[key])} entries for {count} {what}s."
            )


def _name_at(
    names: Sequence[str], index: Any, what: str, error: type[TreeError | UnknownTipError]
) -> str | None:
    if index == -1:
        return None
    if not isinstance(index, int | np.integer) or not 0 <= index < len(names):
        raise error(f"{what} is attached to joint number {index}, which does not exist.")
    return names[int(index)]


def _kind_of(code: Any, name: str) -> JointKind:
    if code not in (0, 1):
        raise TreeError(
            f"Joint '{name}' has the type {code!r}; 0 (revolute) or 1 (prismatic) is known."
        )
    return "prismatic" if code == 1 else "revolute"


def _quaternion_of(matrix: ArrayLike, what: str) -> tuple[float, float, float, float]:
    rotation = finite(matrix, (3, 3), f"The rotation of {what}")
    if abs(np.linalg.det(rotation) - 1.0) > 1e-4 or not np.allclose(
        rotation @ rotation.T, np.eye(3), atol=1e-4
    ):
        raise TreeError(f"The rotation of {what} is not a rotation matrix.")
    w, x, y, z = (float(value) for value in quaternions.from_matrix(rotation))
    return w, x, y, z


def _parents_first(joints: list[Joint]) -> list[Joint]:
    """Sort joints so that parents come first, keeping the given order where it already is so."""
    _check_unique([joint.name for joint in joints], "joints")
    known = {joint.name: joint for joint in joints}
    for joint in joints:
        if joint.parent is not None and joint.parent not in known:
            raise ParentError(
                f"Joint '{joint.name}' has the parent '{joint.parent}', which does not exist."
            )
    ordered: dict[str, Joint] = {}
    for joint in joints:
        path: dict[str, Joint] = {}
        ancestor: Joint | None = joint
        while ancestor is not None and ancestor.name not in ordered:
            if ancestor.name in path:
                raise CycleError(
                    f"Joint '{ancestor.name}' is its own ancestor: {' - '.join(path)}."
                )
            path[ancestor.name] = ancestor
            ancestor = None if ancestor.parent is None else known[ancestor.parent]
        ordered.update(reversed(path.items()))
    return list(ordered.values())


def _check_joint(joint: Joint) -> None:
    if joint.kind not in ("revolute", "prismatic", "fixed"):
        raise TreeError(f"Joint '{joint.name}' is of the unknown kind '{joint.kind}'.")
    if math.isnan(joint.lower) or math.isnan(joint.upper):
        raise NotFiniteError(f"A limit of joint '{joint.name}' is NaN.")
    if joint.lower > joint.upper or joint.lower == math.inf or joint.upper == -math.inf:
        raise LimitError(
            f"Joint '{joint.name}' has the lower limit {joint.lower:g} above its upper limit "
            f"{joint.upper:g}."
        )
    if not 0.0 <= joint.stiffness <= 1.0:
        raise TreeError(
            f"Joint '{joint.name}' has the stiffness {joint.stiffness:g}; it goes from 0 to 1."
        )
    if (
        joint.kind != "fixed"
        and not np.linalg.norm(finite(joint.axis, (3,), f"The axis of joint '{joint.name}'"))
        > 1e-12
    ):
        raise AxisError(f"The axis of joint '{joint.name}' must not have zero length.")


def _carried_pose(
    base: tuple[int, Floats, Floats], position: ArrayLike, rotation: ArrayLike, what: str
) -> tuple[int, Floats, Floats]:
    """Pose of something given in a segment that may itself be fixed to a moving one."""
    joint, base_position, base_rotation = base
    local = finite(position, (3,), f"The position of {what}")
    turn = unit_length(rotation, (4,), f"The rotation of {what}")
    if base_rotation is UNTURNED:  # as nearly always
        return joint, local, turn
    return (
        joint,
        base_position + quaternions.rotated(base_rotation, local),
        quaternions.product(base_rotation, turn),
    )
