"""Bones as joints: an armature's clip becomes the solver's tree, and solved joints become channels.

The tree stands in world space, in metres. The position of a bone in each frame of the source enters
as the rest transforms of its joints, so that the source is reproduced exactly, including scale,
constraints and drivers. A joint then adds:

- A bone without limits turns about its own animated axes; zero is the animation.
- A bone with limits turns by its Euler angles, whose source values are the animation.
- A bone that may slide moves along the axes of its location channels.

A joint turns everything below it as one rigid body. That is what Blender does too, with two
exceptions, which `approximations` tells by name: a bone that hangs in one that is scaled unevenly
is sheared when it turns, and a bone that does not inherit rotation keeps its own when bones above
it turn. `JointModel.settled` makes up for both.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from ...solver import KinematicTree
from ..clip.bone_frames import bones_above, is_uneven
from ..clip.sampling import Clip
from ..clip.skeleton import Skeleton, basis_matrices
from ..errors import RigError
from ..keys.keys import BoneTracks
from ..transforms import decompose
from .joint_builder import JointBuilder, WantedBone
from .joint_model import (
    AXIS_NUMBERS,
    AXIS_VECTORS,
    JointModel,
    TipPlace,
    Vector,
    place_name,
)
from .limits import BoneLimits
from .zero_scale import refuse_sizeless_carriers

__all__ = [
    "AXIS_NUMBERS",
    "JointModel",
    "TipPlace",
    "approximations",
    "build_joints",
    "place_name",
    "source_tracks",
]


def source_tracks(skeleton: Skeleton, clip: Clip, visual: Collection[str]) -> BoneTracks:
    """Channels that give a clip's poses: its own or, for some bones, those of their matrices.

    Args:
        skeleton: The bones of the armature.
        clip: Its source animation.
        visual: Bones whose constraints change the pose of their channels.
    """
    if not visual:
        return BoneTracks(clip.location, clip.rotation, clip.scale)
    chosen = [skeleton.index[name] for name in visual]
    seen = decompose(basis_matrices(skeleton, clip.pose)[:, chosen])
    tracks = BoneTracks(clip.location.copy(), clip.rotation.copy(), clip.scale.copy())
    for channels, of_chosen in zip(tracks, seen, strict=True):
        channels[:, chosen] = of_chosen
    return tracks


def approximations(
    skeleton: Skeleton, clip: Clip, moving: Collection[str], attached: Collection[str] = ()
) -> list[str]:
    """Sentences about moving bones that joints do not move as Blender does.

    Args:
        skeleton: The bones of the armature.
        clip: Its source animation.
        moving: Bones that may turn.
        attached: Those that move with bones above them though they do not inherit rotation.
    """
    sentences = [
        f'"{skeleton.names[parent]}" has non-uniform scale, which shears "{skeleton.names[b]}" '
        "when it rotates: goals below may be missed slightly, although they are solved in several "
        "passes."
        for parent, b in _sheared_bones(skeleton, clip, moving)
    ]
    among = {skeleton.index[name] for name in moving}
    carried = among.union(*(bones_above(skeleton, b) for b in among))
    sentences += [
        f'"{name}" does not inherit rotation: goals on it and its children do not rotate its '
        "parents."
        for b, name in enumerate(skeleton.names)
        if b in carried
        and not skeleton.inherit_rotation[b]
        and name not in attached
        and not among.isdisjoint(bones_above(skeleton, b))
    ]
    return sentences


def build_joints(
    skeleton: Skeleton,
    clip: Clip,
    source: BoneTracks,
    moving: Sequence[str],
    tips: Sequence[TipPlace],
    limits: Mapping[str, BoneLimits],
    *,
    sliding: Sequence[str] = (),
    absolute: Sequence[str] = (),
    turn_axes: Mapping[str, Sequence[Vector]] | None = None,
    turn_bounds: Mapping[str, float] | None = None,
    attached: Mapping[str, str] | None = None,
    like: KinematicTree | None = None,
) -> JointModel:
    """Build the joints of some bones.

    Args:
        skeleton: The bones of the armature.
        clip: Its source animation.
        source: Channels that give the clip's poses without constraints.
        moving: Bones that may turn.
        tips: Points on bones for goals.
        limits: Limits of the moving bones.
        sliding: Those of the moving bones that may change their place, if they are not connected
            and inherit rotation.
        absolute: Bones with goals on their Euler angles.
        turn_axes: Unit vectors along the axes of a bone that it turns about, outwards, instead of
            its X, Y and Z: one for a hinge. Bones with limits keep their Euler angles.
        turn_bounds: How far from the animation a bone may turn about each axis, radians. Bones
            with limits keep to those.
        attached: Bones that move with another one (the second) as if it were their parent: feet of
            rigs in which these are apart from the legs.
        like: A tree that may have been built of the same bones for another clip, to save work.

    Raises:
        RigError: The armature object is scaled unevenly, sheared or mirrored, a moving bone hangs
            in one without size, or every moving bone is locked.
    """
    refuse_sizeless_carriers(skeleton, clip, moving)
    sheared = bool(_sheared_bones(skeleton, clip, moving))
    builder = JointBuilder(skeleton, clip, source, sheared, attached or {})
    wanted = []
    for name in _carriers_first(skeleton, moving, attached or {}):
        limit = limits.get(name, BoneLimits())
        order = limit.order if name in absolute or limit.turn_limited else None
        axes = tuple((turn_axes or {}).get(name, AXIS_VECTORS.values()))
        most = (turn_bounds or {}).get(name, limit.turn_most)
        wanted.append(WantedBone(skeleton.index[name], limit, name in sliding, order, axes, most))
    builder.add_bones(wanted)
    builder.add_tips(tips)
    model = builder.model(like)
    if moving and not model.bones:
        names = ", ".join(f'"{name}"' for name in moving[:3]) + (", ..." if len(moving) > 3 else "")
        raise RigError(
            f"No bone can move because the rotation of {names} is locked: unlock some channels."
        )
    return model


def _sheared_bones(
    skeleton: Skeleton, clip: Clip, moving: Collection[str]
) -> list[tuple[int, int]]:
    """Moving bones that take over an uneven scale of their parents, each after its parent."""
    taking = [
        (int(skeleton.parent[b]), b)
        for b in sorted(skeleton.index[name] for name in moving)
        if skeleton.parent[b] >= 0
        and skeleton.inherit_scale[b] not in ("NONE", "ALIGNED", "AVERAGE")
    ]
    parents = [parent for parent, _ in taking]
    uneven = np.asarray(is_uneven(clip.pose[:, parents, :3, :3]).any(axis=0))
    return [bones for bones, shears in zip(taking, uneven, strict=True) if shears]


def _carriers_first(
    skeleton: Skeleton, moving: Collection[str], attached: Mapping[str, str]
) -> list[str]:
    """Moving bones, each after those that carry it."""
    ordered: dict[str, None] = {}

    def add(name: str) -> None:
        above = [skeleton.names[b] for b in reversed(bones_above(skeleton, skeleton.index[name]))]
        for carrier in (*above, *([attached[name]] if name in attached else ())):
            if carrier not in ordered:
                add(carrier)
        ordered[name] = None

    for name in sorted(set(moving), key=skeleton.index.__getitem__):
        add(name)
    return [name for name in ordered if name in set(moving)]
