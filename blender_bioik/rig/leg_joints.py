"""Legs as joints: which bones move when feet are placed, about which axes, and how willingly.

A hip turns freely, twisting less than it swings. Knees and toes are hinges about the axis that the
source itself bends them about, which keeps the knee in its plane. A foot turns freely. The pelvis
slides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import bpy
import numpy as np

from ..motion.placement import Body, LegTips
from ..solver import Goal, Track, forward_kinematics
from ..solver.whole_clip import Inertia
from .errors import RigError
from .joint_model import JointModel, TipPlace, Vector, turn_name
from .moving import chain
from .sampling import Clip
from .skeleton import Skeleton
from .soles import Sole
from .transforms import Floats

# The axis of a hinge is read where it is bent by more than this, radians.
BENT = np.radians(15.0)
# A leg is not straightened further than this, radians, or than the source if that is straighter.
STRAIGHT = np.radians(8.0)
# What a correction may be, and its acceleration: sigmas, radians and radians / s^2.
STAY = {"hip": 0.3, "twist": 0.07, "knee": 0.3, "foot": 2.0, "toe": 0.2, "other": 0.3}
BEND = {"hip": 10.0, "twist": 10.0, "knee": 10.0, "foot": 15.0, "toe": 30.0, "other": 10.0}
# The same for sliding: metres and metres / s^2, for a character of 1.6 m.
SLIDE_STAY, SLIDE_BEND = 10.0, 0.5
RATE = 30.0
PELVIS = "pelvis"


@dataclass(frozen=True, eq=False)
class LegSetup:
    """The bones that move when feet are placed.

    Attributes:
        soles: The feet.
        root: The bone above all legs, which slides.
    """

    soles: tuple[Sole, ...]
    root: str

    @property
    def bones(self) -> list[str]:
        """The root and all bones of legs, feet and toes."""
        names = [self.root]
        for sole in self.soles:
            names += sole.bones
            names += [sole.toe] if sole.toe else []
        return list(dict.fromkeys(names))

    def tips(self) -> Iterator[TipPlace]:
        """Points that placing feet is about."""
        yield TipPlace(PELVIS, self.root)
        for sole in self.soles:
            yield from sole.places
            yield TipPlace(foot_tip(sole), sole.foot)


def foot_tip(sole: Sole) -> str:
    """Name of the tip that turns with a foot."""
    return f"{sole.name} foot"


def leg_setup(
    armature_object: bpy.types.Object, skeleton: Skeleton, soles: Sequence[Sole]
) -> LegSetup:
    """Choose what moves.

    Raises:
        RigError: No bone above all legs can change its place.
    """
    above = [chain(skeleton, sole.bones[0])[1:] for sole in soles]
    common = [bone for bone in above[0] if all(bone in other for other in above)]
    for bone in common:
        pose_bone = armature_object.pose.bones[bone]
        if not skeleton.connected[skeleton.index[bone]] and not any(pose_bone.lock_location):
            return LegSetup(tuple(soles), bone)
    names = f' ("{common[0]}" is connected or locked)' if common else ""
    raise RigError(
        f'"{armature_object.name}" has no bone above all legs that may change its place{names}: '
        "unlock its location, or disconnect it from its parent."
    )


def turn_axes(setup: LegSetup, skeleton: Skeleton, clip: Clip) -> dict[str, tuple[Vector, ...]]:
    """Axes of the moving bones in their own frames, from how the source moves."""
    heads = _Heads(skeleton, clip)
    axes: dict[str, tuple[Vector, ...]] = {setup.root: ()}
    for sole in setup.soles:
        joints = [*sole.bones, None]
        for upper, lower, end in zip(sole.bones, joints[1:], joints[2:], strict=False):
            if upper == sole.bones[0]:
                axes[upper] = _twist_and_swing(heads, upper, str(lower))
            if end is not None:
                axes[str(lower)] = (_hinge(heads, upper, str(lower), end),)
        if sole.toe:
            axes[sole.toe] = (_across(heads, sole.foot, sole.toe),)
    return axes


def make_body(
    setup: LegSetup,
    skeleton: Skeleton,
    clip: Clip,
    model: JointModel,
    goals: Sequence[Goal | Track],
    rate: float,
    scale: float,
    loop: bool,
) -> Body:
    """The character in the terms of `motion.placement`."""
    source = forward_kinematics(model.tree, model.clip.values, model.clip.rest)
    heads = _Heads(skeleton, clip)
    legs = []
    for sole in setup.soles:
        foot = model.tree.tip_index(foot_tip(sole))
        heel, ball, tip = (place.name for place in sole.places)
        legs.append(
            LegTips(
                (heel, ball, tip),
                foot_tip(sole),
                source.tip_quaternions[:, foot],
                tuple(_knees(sole, heads, model)),
            )
        )
    pelvis = source.tip_positions[:, model.tree.tip_index(PELVIS)]
    inertia = _inertia(setup, model, rate, scale)
    return Body(
        model.tree, model.clip, inertia, (PELVIS, pelvis), tuple(legs), (), tuple(goals), loop
    )


class _Heads:
    """Heads and axes of bones over a clip, in world space."""

    def __init__(self, skeleton: Skeleton, clip: Clip) -> None:
        self._skeleton, self._clip = skeleton, clip

    def place(self, bone: str) -> Floats:
        """Heads; (f, 3)."""
        return self._matrix(bone)[:, :3, 3]

    def tail(self, bone: str) -> Floats:
        """Tails; (f, 3)."""
        matrix = self._matrix(bone)
        length = self._skeleton.length[self._skeleton.index[bone]]
        return np.asarray(matrix[:, :3, 3] + matrix[:, :3, 1] * length)

    def inside(self, bone: str, vectors: Floats) -> Floats:
        """World vectors (f, 3) along a bone's own axes."""
        return np.einsum("fji,fj->fi", self._matrix(bone)[:, :3, :3], vectors)

    def _matrix(self, bone: str) -> Floats:
        return np.asarray(self._clip.world @ self._clip.pose[:, self._skeleton.index[bone]])


def _twist_and_swing(heads: _Heads, upper: str, lower: str) -> tuple[Vector, ...]:
    """Across a bone, across it again, and along it: it twists inside its swing."""
    along = _unit(heads.inside(upper, heads.place(lower) - heads.place(upper)).mean(axis=0))
    aside = np.eye(3)[int(np.abs(along).argmin())]
    across = _unit(np.cross(along, aside))
    return _vector(across), _vector(np.cross(along, across)), _vector(along)


def _hinge(heads: _Heads, upper: str, lower: str, end: str) -> Vector:
    """The axis that a clip bends a bone about; turning about it bends it further."""
    normal, bend = _bending(heads, upper, lower, end)
    inside = heads.inside(lower, normal)
    bent = np.abs(bend) > BENT
    axis = inside[bent].sum(axis=0) if bent.any() else inside.sum(axis=0)
    if np.linalg.norm(axis) < 1e-9:  # never bent at all: any axis across it
        along = _unit(heads.inside(lower, heads.place(end) - heads.place(lower)).mean(axis=0))
        axis = np.cross(along, np.eye(3)[int(np.abs(along).argmin())])
    return _vector(_unit(axis))


def _bending(heads: _Heads, upper: str, lower: str, end: str) -> tuple[Floats, Floats]:
    """Normals (f, 3) of the plane of two segments, as long as sin(bend), and the bends (f,)."""
    one = heads.place(lower) - heads.place(upper)
    other = heads.place(end) - heads.place(lower)
    size = np.linalg.norm(one, axis=-1) * np.linalg.norm(other, axis=-1)
    normal = np.cross(one, other) / np.maximum(size, 1e-12)[:, None]
    cosine = np.einsum("fi,fi->f", one, other) / np.maximum(size, 1e-12)
    return normal, np.arctan2(np.linalg.norm(normal, axis=-1), cosine)


def _across(heads: _Heads, foot: str, toe: str) -> Vector:
    """The level axis across a foot, along its toe's axes."""
    forward = heads.place(toe) - heads.place(foot)
    level = np.cross(forward, [0.0, 0.0, 1.0])
    return _vector(_unit(heads.inside(toe, level).sum(axis=0)))


def _knees(sole: Sole, heads: _Heads, model: JointModel) -> Iterator[tuple[str, Floats]]:
    """Hinges of a leg, and how far each may be straightened."""
    for upper, lower, end in zip(sole.bones, sole.bones[1:], sole.bones[2:], strict=False):
        bone = next((b for b in model.bones if model.skeleton.names[b.index] == lower), None)
        if bone is None or len(bone.axes) != 1 or not bone.turns:
            continue  # its own limits keep it
        normal, bend = _bending(heads, upper, lower, end)
        sign = np.sign(heads.inside(lower, normal) @ np.array(bone.axes[0]))
        flexion = np.where(sign == 0.0, 1.0, sign) * bend
        yield turn_name(lower, "X"), np.minimum(flexion, STRAIGHT) - flexion


def _inertia(setup: LegSetup, model: JointModel, rate: float, scale: float) -> Inertia:
    """What corrections of all joints cost."""
    stay, bend = np.ones(model.tree.size), np.ones(model.tree.size)
    roles = {sole.bones[0]: "hip" for sole in setup.soles}
    for sole in setup.soles:
        roles |= dict.fromkeys(sole.bones[1:-1], "knee")
        roles[sole.foot] = "foot"
        if sole.toe:
            roles[sole.toe] = "toe"
    for bone in model.bones:
        role = roles.get(model.skeleton.names[bone.index], "other")
        for _, joint in bone.slides:
            stay[joint], bend[joint] = SLIDE_STAY * scale, SLIDE_BEND * scale
        for k, (_, joint) in enumerate(bone.turns):
            kind = "twist" if role == "hip" and k == 2 and bone.order is None else role
            stay[joint], bend[joint] = STAY[kind], BEND[kind]
    share = RATE / rate
    return Inertia(share / stay**2, share * rate**4 / bend**2)


def _unit(vector: Floats) -> Floats:
    return np.asarray(vector / max(float(np.linalg.norm(vector)), 1e-12))


def _vector(array: Floats) -> Vector:
    x, y, z = array.tolist()
    return x, y, z
