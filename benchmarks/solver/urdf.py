"""Write a benchmark robot as URDF, for the rivals that read nothing else."""

from __future__ import annotations

import math
from collections.abc import Iterable
from xml.etree import ElementTree

from benchmarks.solver.robots import PRISMATIC, Floats, Robot

BASE_LINK = "base_link"
"""Name of the root link."""


def joint_link(joint: int) -> str:
    """Name of the link moved by a joint."""
    return f"link_{joint}"


def tip_link(robot: Robot, tip: int) -> str:
    """Name of the link fixed at a tip."""
    return f"tip_{robot.tips[tip]}"


def write_urdf(robot: Robot) -> str:
    """Write a robot as a URDF document.

    Moving links get a nominal mass, which Pinocchio (below placo) wants of them; the root link
    gets none, which KDL (below TRAC-IK) cannot represent.
    """
    root = ElementTree.Element("robot", name=robot.name)
    ElementTree.SubElement(root, "link", name=BASE_LINK)
    for i, parent in enumerate(robot.parent):
        _add_link(root, joint_link(i))
        above = BASE_LINK if parent < 0 else joint_link(int(parent))
        _add_moving_joint(root, robot, i, above)
    for k, carrier in enumerate(robot.tip_joint):
        name = tip_link(robot, k)
        _add_link(root, name)
        fixed = _add_joint(root, f"{name}_joint", "fixed", joint_link(int(carrier)), name)
        _add_origin(fixed, robot.tip_pos[k], robot.tip_rot[k])
    return ElementTree.tostring(root, encoding="unicode")


def _add_link(root: ElementTree.Element, name: str) -> None:
    """Add a link of nominal mass and inertia."""
    inertial = ElementTree.SubElement(ElementTree.SubElement(root, "link", name=name), "inertial")
    ElementTree.SubElement(inertial, "mass", value="1")
    moments = {"ixx": "0.01", "iyy": "0.01", "izz": "0.01", "ixy": "0", "ixz": "0", "iyz": "0"}
    ElementTree.SubElement(inertial, "inertia", moments)


def _add_moving_joint(root: ElementTree.Element, robot: Robot, joint: int, above: str) -> None:
    """Add a revolute or prismatic joint with its limits."""
    kind = "prismatic" if robot.type[joint] == PRISMATIC else "revolute"
    element = _add_joint(root, robot.names[joint], kind, above, joint_link(joint))
    _add_origin(element, robot.pos[joint], robot.rot[joint])
    ElementTree.SubElement(element, "axis", xyz=_numbers(robot.axis[joint]))
    limits = {"lower": _number(robot.lo[joint]), "upper": _number(robot.hi[joint])}
    ElementTree.SubElement(element, "limit", limits, effort="1000", velocity="1000")


def _add_joint(
    root: ElementTree.Element, name: str, kind: str, above: str, below: str
) -> ElementTree.Element:
    """Add a joint between two links."""
    element = ElementTree.SubElement(root, "joint", name=name, type=kind)
    ElementTree.SubElement(element, "parent", link=above)
    ElementTree.SubElement(element, "child", link=below)
    return element


def _add_origin(element: ElementTree.Element, position: Floats, rotation: Floats) -> None:
    """Add the transform from the parent link."""
    roll_pitch_yaw = _numbers(_roll_pitch_yaw(rotation))
    ElementTree.SubElement(element, "origin", xyz=_numbers(position), rpy=roll_pitch_yaw)


def _roll_pitch_yaw(rotation: Floats) -> tuple[float, float, float]:
    """Angles about the fixed axes x, y, z; at a pitch of a quarter turn all of it is yaw."""
    level = math.hypot(rotation[0, 0], rotation[1, 0])
    pitch = math.atan2(-rotation[2, 0], level)
    if level < 1e-9:
        return 0.0, pitch, math.atan2(-rotation[0, 1], rotation[1, 1])
    roll = math.atan2(rotation[2, 1], rotation[2, 2])
    return roll, pitch, math.atan2(rotation[1, 0], rotation[0, 0])


def _numbers(values: Iterable[float]) -> str:
    """Write numbers separated by spaces."""
    return " ".join(_number(value) for value in values)


def _number(value: float) -> str:
    """Write a number without losing digits."""
    return repr(float(value))
