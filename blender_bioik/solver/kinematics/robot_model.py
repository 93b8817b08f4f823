"""Robot models in plain numbers, as they are stored in JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..checks import finite
from ..errors import ParentError, ShapeError, TreeError, UnknownTipError
from ..kernels import quaternions
from .joints import Joint, JointKind, Tip

_JOINT_KEYS = ("names", "parent", "pos", "rot", "axis", "type", "lo", "hi")
_TIP_KEYS = ("tips", "tip_joint", "tip_pos", "tip_rot")


def joints_and_tips(data: Mapping[str, Any]) -> tuple[list[Joint], list[Tip]]:
    """Joints and tips of a model; see `KinematicTree.from_dict` for its keys."""
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
    return (
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
