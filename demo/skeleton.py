"""The demo character's bones: a person of 1.8 m in an A-pose who faces -Y, on the floor z = 0.

Its left is +X. Only numbers; `character.py` makes an armature of them. Lengths in metres.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Vector = tuple[float, float, float]

HEIGHT = 1.8
FORWARD: Vector = (0.0, -1.0, 0.0)
UP: Vector = (0.0, 0.0, 1.0)

# Sole points of the left foot in the rest pose, and the bone that carries each.
SOLE: dict[str, tuple[str, Vector]] = {
    "heel": ("foot", (0.095, 0.070, 0.0)),
    "ball": ("toe", (0.095, -0.125, 0.0)),
    "toe": ("toe", (0.095, -0.200, 0.0)),
}

ARM_BELOW_HORIZON = math.radians(50)  # of the A-pose
ARM_AXIS = np.array([math.cos(ARM_BELOW_HORIZON), 0.0, -math.sin(ARM_BELOW_HORIZON)])
# Thumbs forward: once the arm hangs, the palm faces the thigh.
PALM_NORMAL = np.array([-math.sin(ARM_BELOW_HORIZON), 0.0, -math.cos(ARM_BELOW_HORIZON)])


@dataclass(frozen=True)
class Bone:
    """One bone of the rest pose.

    Attributes:
        name: Blender name, sides marked `.L` and `.R`.
        parent: Name of the parent bone, empty for the root.
        head: Start, metres.
        tail: End, metres.
        z_axis: Direction the bone's local Z axis leans to (sets the roll).
        connected: Whether the head is the parent's tail.
    """

    name: str
    parent: str
    head: Vector
    tail: Vector
    z_axis: Vector = FORWARD
    connected: bool = False


def bones() -> list[Bone]:
    """Return all bones, parents first."""
    left = [*_leg(), *_arm(), *_fingers()]
    return [*_trunk(), *left, *(_mirrored(bone) for bone in left)]


def sole_points(side: str) -> dict[str, tuple[str, Vector]]:
    """Return bone name and rest position of heel, ball and toe of one foot.

    Args:
        side: "L" or "R".
    """
    flip = 1.0 if side == "L" else -1.0
    return {
        point: (f"{bone}.{side}", (flip * at[0], at[1], at[2]))
        for point, (bone, at) in SOLE.items()
    }


def _trunk() -> list[Bone]:
    joints: list[tuple[str, Vector]] = [
        ("hips", (0.0, 0.000, 0.955)),
        ("spine", (0.0, 0.005, 1.070)),
        ("chest", (0.0, 0.012, 1.200)),
        ("upper_chest", (0.0, 0.022, 1.340)),
        ("neck", (0.0, 0.025, 1.500)),
        ("head", (0.0, -0.005, 1.590)),
        ("", (0.0, -0.005, HEIGHT)),
    ]
    chain: list[Bone] = []
    for (name, head), (_, tail) in pairwise(joints):
        parent = chain[-1].name if chain else ""
        chain.append(Bone(name, parent, head, tail, FORWARD, connected=bool(chain)))
    return chain


def _leg() -> list[Bone]:
    hip, knee, ankle = (0.095, 0.0, 0.940), (0.095, -0.012, 0.505), (0.095, 0.010, 0.085)
    ball, toe = (0.095, -0.125, 0.022), (0.095, -0.200, 0.018)
    return [
        Bone("thigh.L", "hips", hip, knee),
        Bone("shin.L", "thigh.L", knee, ankle, connected=True),
        Bone("foot.L", "shin.L", ankle, ball, UP, connected=True),
        Bone("toe.L", "foot.L", ball, toe, UP, connected=True),
    ]


def _arm() -> list[Bone]:
    shoulder = np.array([0.188, 0.020, 1.455])
    elbow = shoulder + 0.290 * ARM_AXIS
    wrist = elbow + 0.255 * _unit(ARM_AXIS + np.array([0.0, -0.10, 0.0]))
    knuckles = wrist + 0.085 * _unit(ARM_AXIS + np.array([0.0, -0.06, 0.0]))
    return [
        Bone("shoulder.L", "upper_chest", (0.025, 0.010, 1.445), _at(shoulder)),
        Bone("upper_arm.L", "shoulder.L", _at(shoulder), _at(elbow), connected=True),
        Bone("forearm.L", "upper_arm.L", _at(elbow), _at(wrist), connected=True),
        Bone("hand.L", "forearm.L", _at(wrist), _at(knuckles), connected=True),
    ]


def _fingers() -> list[Bone]:
    hand = _arm()[-1]
    wrist, knuckles = np.array(hand.head), np.array(hand.tail)
    along = _unit(knuckles - wrist)
    towards_thumb = _unit(np.cross(PALM_NORMAL, along))
    if towards_thumb[1] > 0:
        towards_thumb = -towards_thumb
    palm = _at(PALM_NORMAL)
    chain = []
    for name, across, length in (
        ("index", 0.032, 0.078),
        ("middle", 0.010, 0.086),
        ("ring", -0.012, 0.080),
        ("pinky", -0.033, 0.062),
    ):
        root = knuckles + across * towards_thumb - 0.12 * abs(across) * along
        direction = _unit(along + 0.8 * across * towards_thumb)
        middle, tip = root + 0.52 * length * direction, root + length * direction
        first, second = f"{name}.01.L", f"{name}.02.L"
        chain.append(Bone(first, hand.name, _at(root), _at(middle), palm))
        chain.append(Bone(second, first, _at(middle), _at(tip), palm, connected=True))
    root = wrist + 0.022 * along + 0.030 * towards_thumb + 0.008 * PALM_NORMAL
    direction = _unit(along + 0.75 * towards_thumb + 0.35 * PALM_NORMAL)
    middle = root + 0.042 * direction
    tip = middle + 0.034 * _unit(along + 0.35 * towards_thumb + 0.25 * PALM_NORMAL)
    chain.append(Bone("thumb.01.L", hand.name, _at(root), _at(middle), palm))
    chain.append(Bone("thumb.02.L", "thumb.01.L", _at(middle), _at(tip), palm, connected=True))
    return chain


def _mirrored(bone: Bone) -> Bone:
    def flip(v: Vector) -> Vector:
        return (-v[0], v[1], v[2])

    return Bone(
        bone.name.replace(".L", ".R"),
        bone.parent.replace(".L", ".R"),
        flip(bone.head),
        flip(bone.tail),
        flip(bone.z_axis),
        bone.connected,
    )


def _unit(vector: NDArray[np.float64]) -> NDArray[np.float64]:
    return vector / np.linalg.norm(vector)


def _at(point: NDArray[np.float64]) -> Vector:
    return (float(point[0]), float(point[1]), float(point[2]))
