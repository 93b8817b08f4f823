"""What poses bones besides their own channels: IK constraints, and bones that copy other bones."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

import bpy

from ..clip.curve_only import bone_path
from ..keys.keys import driven_channels
from ..keys.outputs import animated_channels

# An influence above this counts as whole.
WHOLE = 0.9999
# Spaces in which a bone that copies another one gets exactly its rotation, and those in which it
# gets what the other one has turned since the rest pose.
SAME_SPACES = {("WORLD", "WORLD"), ("POSE", "POSE")}
REST_SPACES = {("LOCAL_WITH_PARENT", "LOCAL_WITH_PARENT")}


class Copy(NamedTuple):
    """A bone that copies another one.

    Attributes:
        constraint: Name of its constraint.
        source: The bone that it copies.
        whole: Whether it copies more than the rotation.
        from_rest: Whether it copies what the other one has turned since the rest pose.
        counts: Whether it has an effect in some frame; constraints after it may hide it.
    """

    constraint: str
    source: str
    whole: bool
    from_rest: bool
    counts: bool


class Chain(NamedTuple):
    """Bones that an IK constraint turns.

    Attributes:
        owner: The bone that has the constraint.
        constraint: Its name.
        bones: Names of the bones, from the root to the tip.
        target: The bone that the tip follows.
        pole: The bone that the middle points to; empty without one.
        pole_angle: Its angle, radians.
        stretches: Whether it stretches the bones.
        mixed: Whether the bones' own channels also count, in some frame.
    """

    owner: str
    constraint: str
    bones: tuple[str, ...]
    target: str
    pole: str
    pole_angle: float
    stretches: bool
    mixed: bool


class Rigging(NamedTuple):
    """What poses an armature's bones besides their channels.

    Attributes:
        copies: By bone, the bones that it copies, in the order of the constraints.
        chains: The IK chains that act in some frame.
    """

    copies: dict[str, tuple[Copy, ...]]
    chains: tuple[Chain, ...]

    def chain_of(self, bone: str) -> Chain | None:
        """The chain that a bone belongs to."""
        return next((chain for chain in self.chains if bone in chain.bones), None)

    def followers(self, bone: str) -> list[str]:
        """Bones that copy a bone."""
        return [
            name
            for name, copies in self.copies.items()
            if any(copy.source == bone for copy in copies)
        ]

    def copied(self, bone: str) -> list[str]:
        """The bones that a bone copies with effect, the one that counts most last."""
        return [copy.source for copy in self.copies.get(bone, ()) if copy.counts]

    def mixes(self, bone: str) -> bool:
        """Whether a bone copies several bones, in some frame."""
        return len(self.copied(bone)) > 1

    def turns_from_rest(self) -> frozenset[tuple[str, str]]:
        """Bones, and those of which they copy what these have turned since the rest pose."""
        return frozenset(
            (bone, copy.source)
            for bone, copies in self.copies.items()
            for copy in copies
            if copy.from_rest
        )

    def moves_by_ik(self, bone: str) -> Chain | None:
        """The chain that poses a bone, also one that it copies."""
        found = (self.chain_of(name) for name in (bone, *reversed(self.copied(bone))))
        return next((chain for chain in found if chain is not None), None)


def read_rigging(armature_object: bpy.types.Object) -> Rigging:
    """Read the constraints that act in the current frame, or may do so in another one."""
    changing = set(_changing(armature_object))
    driven = {path for path, _ in driven_channels(armature_object)}
    copies: dict[str, tuple[Copy, ...]] = {}
    chains: list[Chain] = []
    for bone in armature_object.pose.bones:
        found = tuple(_copies(armature_object, bone, changing, driven))
        if found:
            copies[bone.name] = found
        chains += _chains(armature_object, bone, changing)
    return Rigging(copies, tuple(chains))


def influence_path(bone: str, constraint: str, name: str = "influence") -> str:
    """Data path of a constraint's property."""
    return f'{bone_path(bone)}.constraints["{bpy.utils.escape_identifier(constraint)}"].{name}'


def _changing(armature_object: bpy.types.Object) -> Iterator[str]:
    """Data paths that are animated, or driven by properties of the armature that are."""
    animated = {path for path, _ in animated_channels(armature_object)}
    yield from animated
    data = armature_object.animation_data
    for curve in data.drivers if data else ():
        variables = curve.driver.variables if not curve.mute else ()
        followed = {target.data_path for variable in variables for target in variable.targets}
        if followed & animated:
            yield curve.data_path


def _acts(bone: bpy.types.PoseBone, constraint: bpy.types.Constraint, changing: set[str]) -> bool:
    paths = [influence_path(bone.name, constraint.name, name) for name in ("mute", "enabled")]
    if constraint.mute and changing.isdisjoint(paths):
        return False
    return constraint.influence > 0.0 or influence_path(bone.name, constraint.name) in changing


def _is_whole(
    bone: bpy.types.PoseBone, constraint: bpy.types.Constraint, changing: Collection[str]
) -> bool:
    """Whether a constraint determines the pose in all frames."""
    names = ("influence", "mute", "enabled")
    paths = {influence_path(bone.name, constraint.name, name) for name in names}
    return constraint.influence > WHOLE and paths.isdisjoint(changing)


def _copies(
    armature_object: bpy.types.Object,
    bone: bpy.types.PoseBone,
    changing: set[str],
    driven: set[str],
) -> list[Copy]:
    """The bones that a bone copies, or would copy if their switch were set."""
    found: list[Copy] = []
    hidden = False
    for constraint in reversed(bone.constraints):
        acts = _acts(bone, constraint, changing)
        switched = influence_path(bone.name, constraint.name) in driven and not constraint.mute
        if not (acts or switched) or not _copies_bone(armature_object, constraint):
            continue
        whole = constraint.type == "COPY_TRANSFORMS"
        counts = acts and not hidden
        from_rest = (constraint.owner_space, constraint.target_space) in REST_SPACES
        found.insert(0, Copy(constraint.name, constraint.subtarget, whole, from_rest, counts))
        hidden = hidden or _is_whole(bone, constraint, changing)
    return found


def _copies_bone(armature_object: bpy.types.Object, constraint: bpy.types.Constraint) -> bool:
    """Whether a constraint gives its bone the rotation of another bone of the armature."""
    if constraint.type not in ("COPY_TRANSFORMS", "COPY_ROTATION"):
        return False
    if constraint.target != armature_object or not constraint.subtarget:
        return False
    if (constraint.owner_space, constraint.target_space) not in SAME_SPACES | REST_SPACES:
        return False
    if constraint.mix_mode != "REPLACE":
        return False
    return constraint.type == "COPY_TRANSFORMS" or all(
        getattr(constraint, f"use_{axis}") and not getattr(constraint, f"invert_{axis}")
        for axis in "xyz"
    )


def _chains(
    armature_object: bpy.types.Object, bone: bpy.types.PoseBone, changing: set[str]
) -> Iterator[Chain]:
    for constraint in bone.constraints:
        if constraint.type != "IK" or not _acts(bone, constraint, changing):
            continue
        bones = armature_object.pose.bones
        if constraint.target != armature_object or constraint.subtarget not in bones:
            continue
        names = [b.name for b in (bone, *bone.parent_recursive)]
        names = names if constraint.use_tail else names[1:]
        count = constraint.chain_count or len(names)
        has_pole = constraint.pole_target == armature_object
        yield Chain(
            bone.name,
            constraint.name,
            tuple(reversed(names[:count])),
            constraint.subtarget,
            constraint.pole_subtarget if has_pole else "",
            constraint.pole_angle,
            constraint.use_stretch and any(bones[name].ik_stretch > 0.0 for name in names[:count]),
            not _is_whole(bone, constraint, changing),
        )
