"""Legs as joints: which bones move when feet are placed, and about which axes.

A hip turns freely, twisting inside its swing. Knees and toes are hinges about the axis that the
source itself bends them about, which keeps the knee in its plane. A foot turns freely. The bone
above all legs slides; it turns, and bones above it do, as `upper_body.py` says.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import bpy
import numpy as np

from ...motion.body.hull import Hull
from ..clip.sampling import Clip
from ..clip.skeleton import Skeleton
from ..controls.rig_controls import RigControls
from ..errors import RigError
from ..joints.joint_model import TipPlace, Vector
from ..joints.moving_bones import chain
from ..mapping import Mapping
from ..transforms import Floats
from .flesh import body_flesh, flesh_tips
from .loose_bones import loose_bones
from .upper_body import BodyOptions, UpperBody, are_keyed, upper_body

if TYPE_CHECKING:  # with it comes scipy, which a bake without feet works without
    from ..soles.soles import Sole

PELVIS = "pelvis"


@dataclass(frozen=True, eq=False)
class LegSetup:
    """The bones that move when feet are placed.

    Attributes:
        soles: The feet.
        root: The bone above all legs, which changes its location.
        attached: Bones that move with another one (the second) though it is not their parent, such
            as separate feet of some rigs, and loose bones.
        loose: Bones that hang neither on the root nor on legs; see `loose_bones.py`.
        upper: The moving bones above the legs.
        hulls: The flesh above the feet, along its bones' own axes in the armature's units.
        middle: The middle of the body along the root's axes, in the bone's units: the middle of the
            hips of more than two legs, else the root's head.
        controls: The controls that pose the legs; None if their own channels do.
        foot_hulls: That of feet, where other parts of the body rest as well.
        resting: The bones that carry these parts.
        tail: The flesh of a tail, which counts if it moves.
    """

    soles: tuple[Sole, ...]
    root: str
    attached: dict[str, str]
    upper: UpperBody
    hulls: tuple[Hull, ...]
    middle: Vector
    loose: tuple[str, ...] = ()
    controls: RigControls | None = None
    foot_hulls: tuple[Hull, ...] = ()
    resting: tuple[str, ...] = ()
    tail: tuple[Hull, ...] = ()

    @property
    def bones(self) -> list[str]:
        """The root, all bones of legs, feet and toes, those above them, and loose ones."""
        return list(dict.fromkeys([self.root, *self.leg_bones, *self.upper.bones, *self.loose]))

    @property
    def leg_bones(self) -> list[str]:
        """All bones of legs, feet and toes."""
        return _leg_bones(self.soles)

    @property
    def posed(self) -> tuple[str, ...]:
        """Bones that controls pose."""
        return self.controls.posed if self.controls is not None else ()

    def tips(self) -> Iterator[TipPlace]:
        """Points that placing feet is about."""
        yield TipPlace(PELVIS, self.root, self.middle)
        for sole in self.soles:
            yield from (*sole.places, *sole.rim)
            yield TipPlace(foot_tip(sole), sole.foot)
        yield from self.upper.tips()
        hulls = (hull.bone for hull in (*self.hulls, *self.foot_hulls))
        yield from flesh_tips((*hulls, *self.resting))

    def turn_bounds(self) -> dict[str, float]:
        """How far bones may turn about each of their axes, radians."""
        return {self.root: self.upper.tilt} if self.upper.tilt else {}


def _leg_bones(soles: Sequence[Sole]) -> list[str]:
    names = [bone for sole in soles for bone in (*sole.bones, sole.toe) if bone]
    return list(dict.fromkeys(names))


def foot_tip(sole: Sole) -> str:
    """Name of the tip that turns with a foot."""
    return f"{sole.name} foot"


def leg_setup(
    armature_object: bpy.types.Object,
    skeleton: Skeleton,
    soles: Sequence[Sole],
    mapping: Mapping,
    options: BodyOptions,
) -> LegSetup:
    """Choose the moving bones.

    Args:
        armature_object: The armature.
        skeleton: Its bones.
        soles: Its feet.
        mapping: Which bones are which parts of the body.
        options: The user's options for the body above the legs.

    Raises:
        RigError: No bone above all legs can change its location.
    """
    above = [chain(skeleton, sole.bones[0])[1:] for sole in soles]
    common = [bone for bone in above[0] if all(bone in other for other in above)]
    # The animator's control comes first: parts of a control rig may lie between it and the legs.
    pelvis = mapping.slots.get("pelvis", "")
    first = [pelvis] if pelvis in (common or skeleton.index) else []
    for bone in (*first, *common):
        pose_bone = armature_object.pose.bones[bone]
        if not skeleton.connected[skeleton.index[bone]] and not any(pose_bone.lock_location):
            upper = upper_body(skeleton, mapping, bone, soles, options)
            if upper.leaning is not None and not are_keyed(armature_object, upper.leaning.bones):
                upper = replace(upper, leaning=None)
            flesh = body_flesh(armature_object, skeleton, mapping, soles)
            middle = _middle(skeleton, bone, soles)
            attached = _apart(skeleton, soles, bone)
            loose = loose_bones(armature_object, skeleton, [bone, *attached], _leg_bones(soles))
            return LegSetup(
                tuple(soles), bone, attached, upper, flesh.body, middle, loose, tail=flesh.tail
            )
    names = f' ("{common[0]}" is connected or locked)' if common else ""
    raise RigError(
        f'"{armature_object.name}" has no bone above all legs that may change its '
        f"location{names}: unlock its location, or disconnect it from its parent."
    )


def _apart(skeleton: Skeleton, soles: Sequence[Sole], root: str) -> dict[str, str]:
    """Bones of legs that do not hang on the previous bone, or hips on the root, with that bone."""
    legs = [(root, *sole.bones, *filter(None, (sole.toe,))) for sole in soles]
    pairs = [pair for leg in legs for pair in pairwise(leg)]
    return {lower: upper for upper, lower in pairs if upper not in chain(skeleton, lower)}


def _middle(skeleton: Skeleton, root: str, soles: Sequence[Sole]) -> Vector:
    """The middle of a body in the rest pose, along its root's axes."""
    if len(soles) <= 2:
        return 0.0, 0.0, 0.0
    hips = skeleton.rest[[skeleton.index[sole.bones[0]] for sole in soles], :3, 3].mean(axis=0)
    return _vector((skeleton.inverse_rest[skeleton.index[root]] @ [*hips, 1.0])[:3])


def turn_axes(setup: LegSetup, skeleton: Skeleton, clip: Clip) -> dict[str, tuple[Vector, ...]]:
    """Axes of the moving bones in their own frames, from how the source moves."""
    heads = Heads(skeleton, clip)
    axes: dict[str, tuple[Vector, ...]] = dict.fromkeys(setup.loose, ())
    axes |= {} if setup.upper.tilt else {setup.root: ()}
    if setup.upper.leaning is not None:
        axes |= {bone: () for bone in setup.upper.leaning.bones if bone not in setup.upper.turning}
    for arm in setup.upper.moving_arms:
        axes[arm.upper] = _twist_and_swing(heads, arm.upper, arm.lower)
        axes[arm.lower] = (_hinge(heads, arm.upper, arm.lower, arm.hand),)
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


class Heads:
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

    def end(self, bone: str, following: str) -> Floats:
        """Where a bone ends: at the next one, or at its own tail if that is itself; (f, 3)."""
        return self.tail(bone) if following == bone else self.place(following)

    def inside(self, bone: str, vectors: Floats) -> Floats:
        """World vectors (f, 3) along a bone's own axes."""
        return np.einsum("fji,fj->fi", self._matrix(bone)[:, :3, :3], vectors)

    def _matrix(self, bone: str) -> Floats:
        return self._clip.world_pose(self._skeleton.index[bone])


def _twist_and_swing(heads: Heads, upper: str, lower: str) -> tuple[Vector, ...]:
    """Across a bone, across it again, and along it: it twists inside its swing."""
    along = _unit(heads.inside(upper, heads.place(lower) - heads.place(upper)).mean(axis=0))
    aside = np.eye(3)[int(np.abs(along).argmin())]
    across = _unit(np.cross(along, aside))
    again = np.asarray(np.cross(along, across), float)
    return _vector(across), _vector(again), _vector(along)


def _hinge(heads: Heads, upper: str, lower: str, end: str) -> Vector:
    """The axis that a clip bends a bone about; turning about it bends it further."""
    normal, _ = bending(heads, upper, lower, end)
    inside = heads.inside(lower, normal)
    axis = inside.sum(axis=0)  # the further it is bent, the more a frame counts
    if np.linalg.norm(axis) < 1e-9:  # never bent at all: any axis across it
        along = _unit(heads.inside(lower, heads.end(lower, end) - heads.place(lower)).mean(axis=0))
        axis = np.cross(along, np.eye(3)[int(np.abs(along).argmin())])
    return _vector(_unit(axis))


def bending(heads: Heads, upper: str, lower: str, end: str) -> tuple[Floats, Floats]:
    """Normals (f, 3) of the plane of two segments, as long as sin(bend), and the bends (f,)."""
    one = heads.place(lower) - heads.place(upper)
    other = heads.end(lower, end) - heads.place(lower)
    size = np.linalg.norm(one, axis=-1) * np.linalg.norm(other, axis=-1)
    normal = np.cross(one, other) / np.maximum(size, 1e-12)[:, None]
    cosine = np.einsum("fi,fi->f", one, other) / np.maximum(size, 1e-12)
    return normal, np.arctan2(np.linalg.norm(normal, axis=-1), cosine)


def _across(heads: Heads, foot: str, toe: str) -> Vector:
    """The level axis across a foot, along its toe's axes."""
    forward = heads.place(toe) - heads.place(foot)
    level = np.asarray(np.cross(forward, [0.0, 0.0, 1.0]), float)
    return _vector(_unit(heads.inside(toe, level).sum(axis=0)))


def _unit(vector: Floats) -> Floats:
    return np.asarray(vector / max(float(np.linalg.norm(vector)), 1e-12))


def _vector(array: Floats) -> Vector:
    x, y, z = array.tolist()
    return x, y, z
