"""Joints and tips as given, and checks that they form a tree."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ..checks import finite, unit_length
from ..errors import AxisError, CycleError, LimitError, NotFiniteError, ParentError, TreeError
from ..kernels import quaternions
from ..kernels.compiled import Floats

JointKind = Literal["revolute", "prismatic", "fixed"]
IDENTITY = (1.0, 0.0, 0.0, 0.0)
# Pose of a joint's segment in itself.
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


def check_unique(names: Sequence[str], what: str) -> None:
    """Raise if a name is given twice; `what` are the things named."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise TreeError(f"Two {what} are both named '{name}'.")
        seen.add(name)


def parents_first(joints: list[Joint]) -> list[Joint]:
    """Sort joints so that parents come first, keeping the given order where it already is so."""
    check_unique([joint.name for joint in joints], "joints")
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


def check_joint(joint: Joint) -> None:
    """Raise if a joint is invalid."""
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


def carried_pose(
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
