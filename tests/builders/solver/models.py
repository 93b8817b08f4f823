"""Joint models for the tests, and matrix forward kinematics that owes nothing to the package.

The package works with quaternions in flat arrays; this works with 4 x 4 matrices and names, one
segment at a time, so that a mistake in one is not repeated in the other.
"""

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial.transform import Rotation

from blender_bioik.solver import Joint, KinematicTree, Tip

Array = NDArray[np.float64]
Quaternion = tuple[float, float, float, float]
Vector = tuple[float, float, float]
Kind = Literal["revolute", "prismatic", "fixed"]

MOSTLY_TURNING: tuple[Kind, ...] = ("revolute", "revolute", "prismatic")
ROBOTS = Path(__file__).parents[3] / "benchmarks" / "robots"
ROBOT_NAMES = tuple(sorted(path.stem for path in ROBOTS.glob("*.json")))


class Link(NamedTuple):
    """A segment: where its joint sits in the parent's segment, and how it moves."""

    name: str
    parent: str | None
    kind: str
    axis: Array
    origin: Array


class Model(NamedTuple):
    """Segments in any order, and tips as (segment, pose in it)."""

    links: tuple[Link, ...]
    tips: dict[str, tuple[str | None, Array]]


class Case(NamedTuple):
    """The same joints as the package sees them and as the tests do, with random numbers to use."""

    tree: KinematicTree
    model: Model
    rng: np.random.Generator


def matrix(rotation: ArrayLike, position: ArrayLike) -> Array:
    result = np.eye(4)
    result[:3, :3], result[:3, 3] = rotation, position
    return result


def rotation_of(quaternion_wxyz: ArrayLike) -> Array:
    w, x, y, z = np.asarray(quaternion_wxyz, float)
    return np.asarray(Rotation.from_quat([x, y, z, w]).as_matrix())


def quaternion_of(rotation: Array) -> Quaternion:
    x, y, z, w = (float(number) for number in Rotation.from_matrix(rotation).as_quat())
    return w, x, y, z


def turn_about(axis: Array, angle: float) -> Array:
    """Rodrigues' formula."""
    x, y, z = axis / np.linalg.norm(axis)
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.asarray(np.eye(3) + math.sin(angle) * K + (1.0 - math.cos(angle)) * K @ K)


def model_of(joints: Sequence[Joint], tips: Sequence[Tip]) -> Model:
    return Model(
        tuple(
            Link(
                joint.name,
                joint.parent,
                joint.kind,
                np.array(joint.axis, float),
                matrix(rotation_of(joint.rotation), joint.position),
            )
            for joint in joints
        ),
        {tip.name: (tip.joint, matrix(rotation_of(tip.rotation), tip.position)) for tip in tips},
    )


def model_of_dict(data: Mapping[str, Any]) -> Model:
    names = data["names"]
    return Model(
        tuple(
            Link(
                names[i],
                None if data["parent"][i] < 0 else names[data["parent"][i]],
                "prismatic" if data["type"][i] == 1 else "revolute",
                np.array(data["axis"][i]),
                matrix(data["rot"][i], data["pos"][i]),
            )
            for i in range(len(names))
        ),
        {
            tip: (
                None if data["tip_joint"][k] < 0 else names[data["tip_joint"][k]],
                matrix(data["tip_rot"][k], data["tip_pos"][k]),
            )
            for k, tip in enumerate(data["tips"])
        },
    )


def segments(
    model: Model, values: Mapping[str, float], origins: Mapping[str, Array] | None = None
) -> dict[str | None, Array]:
    """World pose (4 x 4) of every segment; `origins` replaces where joints sit."""
    links = {link.name: link for link in model.links}
    found: dict[str | None, Array] = {None: np.eye(4)}

    def place(name: str) -> Array:
        if name not in found:
            link = links[name]
            base = found[None] if link.parent is None else place(link.parent)
            motion = np.eye(4)
            if link.kind == "revolute":
                motion[:3, :3] = turn_about(link.axis, values[name])
            elif link.kind == "prismatic":
                motion[:3, 3] = values[name] * link.axis / np.linalg.norm(link.axis)
            origin = link.origin if origins is None else origins[name]
            found[name] = base @ origin @ motion
        return found[name]

    for name in links:
        place(name)
    return found


def tip_poses(
    model: Model,
    tree: KinematicTree,
    values: ArrayLike,
    origins: Mapping[str, Array] | None = None,
) -> dict[str, Array]:
    """World pose (4 x 4) of every tip at joint values in the tree's order."""
    found = segments(model, named(tree, values), origins)
    return {name: found[segment] @ local for name, (segment, local) in model.tips.items()}


def named(tree: KinematicTree, values: ArrayLike) -> dict[str, float]:
    return dict(zip(tree.names, np.asarray(values, float).tolist(), strict=True))


def chain_length(model: Model, tip: str) -> float:
    """L of eq. 15: from the chain's first joint to the tip."""
    links = {link.name: link for link in model.links}
    segment, local = model.tips[tip]
    length = float(np.linalg.norm(local[:3, 3]))
    while segment is not None:
        link = links[segment]
        if link.parent is not None:
            length += float(np.linalg.norm(link.origin[:3, 3]))
        segment = link.parent
    return length


def chain_root(model: Model, tip: str) -> Array:
    """Where the first joint of a tip's chain is."""
    links = {link.name: link for link in model.links}
    segment, _ = model.tips[tip]
    if segment is None:
        return np.zeros(3)
    while (parent := links[segment].parent) is not None:
        segment = parent
    return links[segment].origin[:3, 3]


def angle_between(a: ArrayLike, b: ArrayLike) -> float:
    """Angle of two vectors, radians, by the half-angle formula (accurate at both ends)."""
    u, v = np.asarray(a, float), np.asarray(b, float)
    u, v = u / np.linalg.norm(u), v / np.linalg.norm(v)
    return 2.0 * math.atan2(float(np.linalg.norm(u - v)), float(np.linalg.norm(u + v)))


def rotation_angle(a: Array, b: Array) -> float:
    """Angle of the rotation between two rotation matrices, radians."""
    return float(Rotation.from_matrix(a.T @ b).magnitude())


def robot_data(name: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((ROBOTS / f"{name}.json").read_text())
    return data


def robot(name: str, seed: int = 0) -> Case:
    data = robot_data(name)
    return Case(KinematicTree.from_dict(data), model_of_dict(data), np.random.default_rng(seed))


def vector(numbers: ArrayLike) -> Vector:
    x, y, z = (float(number) for number in np.asarray(numbers, float))
    return x, y, z


def random_vector(rng: np.random.Generator, size: float = 1.0) -> Vector:
    return vector(size * rng.normal(size=3))


def random_quaternion(rng: np.random.Generator) -> Quaternion:
    w, x, y, z = (float(number) for number in rng.normal(size=4))
    return w, x, y, z


def random_case(seed: int, size: int, kinds: Sequence[Kind] = MOSTLY_TURNING) -> Case:
    """A random tree of `size` joints, in random order, with a tip on the base and three on joints.

    Quaternions and axes are not of unit length; limits are finite, one-sided or missing.
    """
    rng = np.random.default_rng(seed)
    joints = []
    for i in range(size):
        lower, upper = (
            (-math.inf, math.inf),
            (-1.0, math.inf),
            (-math.inf, 1.0),
            (-2.0, 1.5),
        )[rng.integers(4)]
        joints.append(
            Joint(
                f"joint{i}",
                None if i == 0 or rng.random() < 0.1 else f"joint{rng.integers(max(0, i - 3), i)}",
                kinds[int(rng.integers(len(kinds)))],
                random_vector(rng),
                random_vector(rng, 0.3),
                random_quaternion(rng),
                lower,
                upper,
                float(rng.choice([0.0, 0.0, 0.5, 0.9])),
            )
        )
    tips = [Tip("on base", None, random_vector(rng, 0.3), random_quaternion(rng))]
    tips += [
        Tip(
            f"tip{k}",
            f"joint{size - 1 if k == 0 else rng.integers(size)}",
            random_vector(rng, 0.3),
            random_quaternion(rng),
        )
        for k in range(3)
    ]
    shuffled = [joints[i] for i in rng.permutation(size)]
    return Case(KinematicTree(shuffled, tips), model_of(joints, tips), rng)


def random_pose(case: Case) -> Array:
    """Values inside the limits, within 1.5 radians or metres of zero."""
    low = np.maximum(case.tree.lower, -1.5)
    high = np.minimum(case.tree.upper, 1.5)
    return np.asarray(case.rng.uniform(low, high))


def planar_arm(
    lengths: Sequence[float] = (1.0, 1.0), limits: tuple[float, float] = (-math.inf, math.inf)
) -> KinematicTree:
    """Links along +x turning about z, one after the other, with the tip "end" on the last."""
    joints = [
        Joint(
            f"joint{i}",
            None if i == 0 else f"joint{i - 1}",
            position=(0.0 if i == 0 else lengths[i - 1], 0.0, 0.0),
            lower=limits[0],
            upper=limits[1],
        )
        for i in range(len(lengths))
    ]
    return KinematicTree(joints, [Tip("end", joints[-1].name, (lengths[-1], 0.0, 0.0))])


def planar_tip(values: ArrayLike, lengths: Sequence[float] = (1.0, 1.0)) -> Array:
    """Where "end" of a planar arm is."""
    angles = np.cumsum(np.asarray(values, float))
    x = float(np.dot(lengths, np.cos(angles)))
    y = float(np.dot(lengths, np.sin(angles)))
    return np.array([x, y, 0.0])


def is_one_sentence(error: BaseException) -> bool:
    """Whether a message is one line with one full stop, at its end."""
    text = str(error)
    return text.endswith(".") and "\n" not in text and ". " not in text
