"""Few keyframes instead of one on every frame: Bezier curves that stay within a tolerance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...motion.few_keys.choose_keys import choose_keys
from ...motion.few_keys.cubics import Cubics
from ..clip.curve_only import rotation_property, rotation_size
from ..clip.sampling import Clip
from ..clip.skeleton import Skeleton, replaced_pose
from ..transforms import (
    Floats,
    quaternion_angle,
    quaternion_from_channels,
    quaternion_from_matrix3,
    quaternion_product,
    unit_quaternion,
)
from .keys import NLA_DEFAULTS, BoneTracks, ChannelKeys, KeyCurve

# Half a millimetre for a person of 1.6 m.
USUAL = 0.0005 / 1.6
# What is held on the ground stays this share of the tolerance near to its place.
HELD_SHARE = 0.5
# A bone is to blame for a point that is off if it moves it by this share of the worst one's.
BLAMED = 0.5


class Tolerance(NamedTuple):
    """How far curves may be off at the ends of limbs.

    Attributes:
        distance: Metres; None for `USUAL` of the character's height.
        angle: Radians.
    """

    distance: float | None = None
    angle: float = float(np.radians(0.1))


class Held(NamedTuple):
    """A bone that is held on the ground from a row to before another."""

    bone: str
    first: int
    stop: int


class FewKeys(NamedTuple):
    """Channels with few keys.

    Attributes:
        channels: The channels.
        keys: Number of keyframes.
        distance: How far ends of limbs are off at most, metres.
        angle: The same, radians.
    """

    channels: list[ChannelKeys]
    keys: int
    distance: float
    angle: float


def few_keys(
    skeleton: Skeleton,
    source: Clip,
    channels: Sequence[ChannelKeys],
    tolerance: Tolerance,
    held: Sequence[Held] = (),
    *,
    layer: bool = False,
) -> FewKeys:
    """The same motion on few keys.

    All channels of a bone have keys on the same frames. They are added until the ends of all chains
    that move, such as toes and fingers, are near enough on every frame.

    Args:
        skeleton: The bones.
        source: The clip that the channels replace.
        channels: Channels of bones, with a value for every frame.
        tolerance: How far the ends of chains may be off.
        held: What is held, and gets keys where it is taken hold of and let go.
        layer: Whether the channels are those of a layer over the source.
    """
    bones = {name: list(own) for name, own in groupby(channels, lambda keys: keys.group)}
    ends = _Ends(skeleton, source, list(bones.values()), tolerance, held, layer)
    values = [np.stack([keys.values for keys in own], axis=1) for own in bones.values()]
    wanted = [ends.wanted(name) for name in bones]
    curves = choose_keys(source.frames, values, wanted, ends.blame)
    made = [
        replace(keys, curve=KeyCurve(found.keys, found.slopes[:, number]))
        for own, found in zip(bones.values(), curves, strict=True)
        for number, keys in enumerate(own)
    ]
    distance, angle = ends.off([each.at_rows() for each in curves])
    return FewKeys(made, _count(curves), float(distance.max()), float(angle.max()))


def _count(curves: Sequence[Cubics]) -> int:
    return sum(each.values.size for each in curves)


class _Ends:
    """The ends of chains: where they are, and which bones move them away."""

    def __init__(
        self,
        skeleton: Skeleton,
        source: Clip,
        bones: Sequence[Sequence[ChannelKeys]],
        tolerance: Tolerance,
        held: Sequence[Held],
        layer: bool,
    ) -> None:
        self._skeleton, self._source, self._layer = skeleton, source, layer
        self._bones, self._tolerance = bones, tolerance
        self._moved = [skeleton.index[own[0].group] for own in bones]
        self._unit = float(np.cbrt(abs(np.linalg.det(source.world[0, :3, :3]))))
        usual = USUAL * self._unit * skeleton.height
        self._distance = usual if tolerance.distance is None else tolerance.distance
        above = _ancestors(skeleton)
        chosen = [
            bone
            for bone in range(len(skeleton))
            if bone not in skeleton.parent and above[bone, self._moved].any()
        ]
        self._ends = np.array(chosen, int)
        self._carries = above[np.ix_(chosen, self._moved)].T
        self._share = np.ones((len(source.frames), len(chosen)))
        self._wanted: dict[int, set[int]] = {bone: set() for bone in self._moved}
        for name, first, stop in held:
            bone = skeleton.index[name]
            self._share[first:stop, above[chosen, bone]] = HELD_SHARE
            for moved in self._moved:
                if above[bone, moved]:
                    self._wanted[moved] |= {first, stop - 1}
        self._dense = self._posed([np.stack([k.values for k in own], axis=1) for own in bones])

    def wanted(self, bone: str) -> NDArray[np.intp]:
        """Rows in which a bone gets a key in any case."""
        return np.array(sorted(self._wanted[self._skeleton.index[bone]]), np.intp)

    def off(self, values: Sequence[Floats]) -> tuple[Floats, Floats]:
        """How far each end is off, metres and radians; (f, ends) each."""
        return self._apart(self._posed(values))

    def blame(self, values: Sequence[Floats]) -> Floats:
        """How far each bone's curves are off, against what is allowed; (f, bones)."""
        posed, dense = self._posed(values), self._dense
        distance, angle = self._apart(posed)
        ratio = distance / self._distance
        ratio = np.maximum(ratio, angle / self._tolerance.angle) / self._share
        lever = np.linalg.norm(dense.heads[:, :, None] - dense.points[:, None, :, 1], axis=-1)
        turned = quaternion_angle(posed.tracks.rotation, dense.tracks.rotation)
        moved = self._unit * (posed.tracks.location - dense.tracks.location)
        sized = np.abs(posed.tracks.scale - dense.tracks.scale).max(axis=-1)
        part = (turned + sized)[..., None] * lever + np.linalg.norm(moved, axis=-1)[..., None]
        part *= self._carries
        most = part.max(axis=1, keepdims=True)
        blamed = (part >= BLAMED * most) & (part > 0.0)
        return np.asarray(np.where(blamed, ratio[:, None], 0.0).max(axis=-1))

    def _apart(self, posed: _Posed) -> tuple[Floats, Floats]:
        way = np.linalg.norm(posed.points - self._dense.points, axis=-1).max(axis=-1)
        return np.asarray(way), quaternion_angle(posed.turns, self._dense.turns)

    def _posed(self, values: Sequence[Floats]) -> _Posed:
        """Where ends and bones are with these values of all channels."""
        skeleton, source = self._skeleton, self._source
        tracks = self._tracks(values)
        pose = source.world[:, None] @ replaced_pose(skeleton, source.pose, self._moved, tracks)
        ends = pose[:, self._ends]
        tails = ends[..., :3, 3] + ends[..., :3, 1] * skeleton.length[self._ends, None]
        axes = ends[..., :3, :3] / np.linalg.norm(ends[..., :3, :3], axis=-2, keepdims=True)
        return _Posed(
            tracks,
            pose[:, self._moved][..., :3, 3],
            np.stack([ends[..., :3, 3], tails], axis=-2),
            quaternion_from_matrix3(axes),
        )

    def _tracks(self, values: Sequence[Floats]) -> BoneTracks:
        """Channels of the bones that move; (f, bones, 3 or 4) each."""
        parts = [
            self._bone_tracks(bone, own, each)
            for bone, own, each in zip(self._moved, self._bones, values, strict=True)
        ]
        return BoneTracks(*(np.stack(each, axis=1) for each in zip(*parts, strict=True)))

    def _bone_tracks(
        self, bone: int, own: Sequence[ChannelKeys], values: Floats
    ) -> tuple[Floats, Floats, Floats]:
        source, mode = self._source, self._skeleton.rotation_mode[bone]
        turn = rotation_property(mode)
        channels = {
            "location": source.location[:, bone],
            turn: source.rotation_channels[:, bone, : rotation_size(mode)],
            "scale": source.scale[:, bone],
        }
        for name, below in channels.items():
            mine = [k for k, keys in enumerate(own) if keys.data_path.endswith(f".{name}")]
            if not mine:
                continue
            at_rest = np.broadcast_to(NLA_DEFAULTS[name], below.shape)
            found = (at_rest if self._layer else below).copy()
            found[:, [own[k].index for k in mine]] = values[:, mine]
            channels[name] = _combined(name, below, found) if self._layer else found
        rotation = unit_quaternion(quaternion_from_channels(channels[turn], mode))
        return channels["location"], rotation, channels["scale"]


class _Posed(NamedTuple):
    """Channels of bones, their heads (f, bones, 3), and heads, tails and turns of all ends."""

    tracks: BoneTracks
    heads: Floats
    points: Floats
    turns: Floats


def _combined(name: str, below: Floats, layer: Floats) -> Floats:
    """What a layer of blend type Combine makes of the channels below it."""
    if name == "rotation_quaternion":
        return quaternion_product(unit_quaternion(below), unit_quaternion(layer))
    return below * layer if name == "scale" else below + layer


def _ancestors(skeleton: Skeleton) -> NDArray[np.bool_]:
    """Whether each bone (n,) hangs on, or is, each other (n,)."""
    found = np.eye(len(skeleton), dtype=bool)
    for bone, parent in enumerate(skeleton.parent.tolist()):
        if parent >= 0:
            found[bone] |= found[parent]
    return found
