"""A character as numbers: bones by role, limbs, skin, and what is odd about its rig."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from demo.skeleton import Bone, Vector

Floats = NDArray[np.float64]

# What extra bones follow that no bone of the body leads.
ORIGIN = "origin"  # nothing: they stay where they are
ALONG = "along"  # the way of the body, evenly
BACK: Vector = (0.0, 1.0, 0.0)
FORWARD: Vector = (0.0, -1.0, 0.0)
UP: Vector = (0.0, 0.0, 1.0)


@dataclass(frozen=True)
class Limb:
    """A leg or an arm by the roles of its bones.

    Attributes:
        name: "leg.L", "front.L", "arm.L" and so on.
        bones: Those from hip to ankle, or from shoulder to wrist: two segments, then foot or hand.
        toe: The bone after the foot.
        bend: Where knee or elbow points in the rest pose.
        sole: Heel, ball and tip on the floor in the rest pose; none for an arm.
    """

    name: str
    bones: tuple[str, str, str]
    toe: str | None = None
    bend: Vector = FORWARD
    sole: tuple[Vector, Vector, Vector] | None = None


@dataclass(frozen=True)
class Part:
    """A part of the skin that one bone carries: a capsule, or a box with soft edges.

    Attributes:
        bone: Role of the bone.
        start: Centre of one end.
        end: Centre of the other end.
        radius: Of the capsule.
        box: Half width, half depth and half height of a box between start and end; (0, 0, 0) for a
            capsule. The box is level in the rest pose and goes from start to end.
        object: Name of a mesh object of its own that is parented to the bone; "" for the skin.
    """

    bone: str
    start: Vector
    end: Vector
    radius: float = 0.05
    box: Vector = (0.0, 0.0, 0.0)
    object: str = ""


@dataclass(frozen=True, eq=False)
class Body:
    """A character.

    Attributes:
        bones: The rest pose by role, parents first; what the clips move.
        limbs: Legs in order from the front, left before right; then arms.
        parts: The skin; none for bare bones.
        height: Of the character, metres.
        root: Role of the bone that carries everything.
        spine: Roles from pelvis to chest.
        neck: Roles between chest and head.
        names: Name of the bone in Blender, by role, where it is another.
        parents: Parent in Blender, by role, where it is another than the one the clips have.
        tails: Tail in Blender, by role, where it is another.
        extra: Further bones in Blender, which follow the motion of a role; (bone, role).
        lying: Turn of the whole rest pose in Blender; the clips turn it back.
        object_turn: Turn of the armature object; its bones are turned back.
        unit: Scale of the armature object: metres in a unit of its bones.
        under_empty: Whether an empty has that turn and scale, with the armature as its child.
        controls: Which limbs IK constraints to controls drive: "", "ik" for legs, or "ik_limbs".
        soft: Distance from a joint within which the skin follows both of its bones, metres.
    """

    bones: tuple[Bone, ...]
    limbs: tuple[Limb, ...]
    parts: tuple[Part, ...]
    height: float
    root: str = "hips"
    spine: tuple[str, ...] = ("spine", "chest")
    neck: tuple[str, ...] = ("neck",)
    names: Mapping[str, str] = field(default_factory=dict)
    parents: Mapping[str, str] = field(default_factory=dict)
    tails: Mapping[str, Vector] = field(default_factory=dict)
    extra: tuple[tuple[Bone, str], ...] = ()
    lying: Floats = field(default_factory=lambda: np.eye(3))
    object_turn: Floats = field(default_factory=lambda: np.eye(3))
    unit: float = 1.0
    under_empty: bool = False
    controls: str = ""
    soft: float = 0.0

    def bone(self, role: str) -> Bone:
        """The bone of a role, or an extra one."""
        extra = (bone for bone, _ in self.extra)
        return next(bone for bone in (*self.bones, *extra) if bone.name == role)

    def head(self, role: str) -> Floats:
        """Where a bone begins in the rest pose."""
        return np.array(self.bone(role).head)

    def limb(self, name: str) -> Limb:
        """The limb of a name."""
        return next(limb for limb in self.limbs if limb.name == name)

    @property
    def legs(self) -> tuple[Limb, ...]:
        """Limbs that stand on the floor."""
        return tuple(limb for limb in self.limbs if limb.sole)

    @property
    def leg_length(self) -> float:
        """From the hip of the last leg to the floor, the bones straight; metres."""
        joints = [self.head(role) for role in self.legs[-1].bones]
        segments = sum(float(np.linalg.norm(b - a)) for a, b in pairwise(joints))
        return segments + float(joints[-1][2])

    def named(self, role: str) -> str:
        """The name in Blender of a role's bone."""
        return self.names.get(role, role)

    def to_rig(self) -> Floats:
        """Turn from the character's axes to those of the armature, in the rest pose."""
        return np.asarray(self.object_turn.T @ self.lying, float)

    def rig_point(self, point: ArrayLike) -> Vector:
        """A point of the rest pose in the armature's axes and units."""
        x, y, z = self.to_rig() @ np.asarray(point) / self.unit
        return (float(x), float(y), float(z))

    def in_rig(self, carry: Floats) -> Floats:
        """What moves points (f, 4, 4) of the standing rest pose, for those of the armature."""
        to_rig, turn = np.eye(4), np.eye(4)
        to_rig[:3, :3] = self.to_rig() / self.unit
        turn[:3, :3] = self.object_turn.T / self.unit
        return turn @ carry @ np.linalg.inv(to_rig)
