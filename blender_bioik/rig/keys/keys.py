"""The keyframes of a solved clip: changed channels and their values.

Nothing here changes Blender's data; `outputs` writes the result.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import bpy
import numpy as np
from numpy.typing import NDArray

from ...motion.easing import smoothstep
from ..blender.fcurves import Channel
from ..clip.curve_only import bone_path, rotation_property, rotation_size
from ..clip.sampling import Clip
from ..clip.skeleton import Skeleton
from ..errors import RigError
from ..transforms import (
    Floats,
    blended_quaternion,
    channels_from_quaternion,
    quaternion_angle,
    quaternion_inverse,
    quaternion_product,
    unit_quaternion,
)

# Value of a channel below the lowest NLA strip that animates it, regardless of its property.
NLA_DEFAULTS = {
    "location": (0.0, 0.0, 0.0),
    "scale": (1.0, 1.0, 1.0),
    "rotation_quaternion": (1.0, 0.0, 0.0, 0.0),
    "rotation_euler": (0.0, 0.0, 0.0),
    "rotation_axis_angle": (0.0, 0.0, 0.0, 0.0),
}
# A quaternion or an axis shorter than this is too short to keep its digits.
SHORTEST = 0.01
# A shorter fade than this many frames is a cut after the first or before the last frame.
SHORTEST_FADE = 1e-6


class BoneTracks(NamedTuple):
    """Channels of all bones over frames.

    Attributes:
        location: (f, n, 3).
        rotation: Unit quaternions w, x, y, z; (f, n, 4).
        scale: (f, n, 3).
    """

    location: Floats
    rotation: Floats
    scale: Floats


class Thresholds(NamedTuple):
    """How much a bone must change in some frame to be keyed.

    Attributes:
        location: Part of the rig's height.
        rotation: Radians.
        scale: Part of the bone's size.
    """

    location: float = 1e-5
    rotation: float = 1e-4
    scale: float = 1e-4


class KeyCurve(NamedTuple):
    """The keyframes of a channel on a Bezier curve: their rows, and the slope for each frame."""

    rows: NDArray[np.intp]
    slopes: Floats


@dataclass(frozen=True, eq=False)
class ChannelKeys:
    """Values of one channel, one for each frame of the clip.

    Each frame gets a keyframe, or only those of a curve.
    """

    data_path: str
    index: int
    group: str
    values: Floats
    curve: KeyCurve | None = None


class ControlKeys(NamedTuple):
    """What is written with the channels of a rig's controls.

    Attributes:
        unlocked: Bones whose locked channels are written too.
        switches: Values of properties that switch between IK and FK.
    """

    unlocked: tuple[str, ...] = ()
    switches: tuple[ChannelKeys, ...] = ()

    def rows(self, rows: slice) -> ControlKeys:
        """The same over some frames."""
        switches = (replace(keys, values=keys.values[rows]) for keys in self.switches)
        return self._replace(switches=tuple(switches))


NO_CONTROLS = ControlKeys()


class _Change(NamedTuple):
    """A property of a bone that changes: its channels before and after, (f, channels)."""

    bone: str
    name: str
    before: Floats
    after: Floats
    writable: list[int]


def faded(source: Clip, result: BoneTracks, fade_in: float, fade_out: float) -> BoneTracks:
    """Let the correction grow from nothing at the first frame, and shrink to nothing at the last.

    Args:
        source: The clip as it was.
        result: The clip as it should be.
        fade_in: Frames from the first one until the correction is whole; 0 for no fade.
        fade_out: Frames before the last one from which on it is no longer whole; 0 for no fade.
    """
    return blended(source, result, fade_weights(source.frames, fade_in, fade_out))


def fade_weights(frames: Floats, fade_in: float, fade_out: float) -> NDArray[np.float64]:
    """How much of a correction each frame takes, 0 to 1, where it is faded in and out; (f,)."""
    weight = np.ones(len(frames))
    if fade_in > 0.0 and len(frames):
        weight = np.minimum(weight, (frames - frames[0]) / max(fade_in, SHORTEST_FADE))
    if fade_out > 0.0 and len(frames):
        weight = np.minimum(weight, (frames[-1] - frames) / max(fade_out, SHORTEST_FADE))
    return smoothstep(weight)


def blended(source: Clip, result: BoneTracks, weights: Floats) -> BoneTracks:
    """Channels between those of a clip, at weight 0, and those of a result, at weight 1; (f,)."""
    weight = weights[:, None]
    return BoneTracks(
        source.location + weight[..., None] * (result.location - source.location),
        blended_quaternion(source.rotation, result.rotation, weight),
        source.scale + weight[..., None] * (result.scale - source.scale),
    )


def bone_channels(
    armature_object: bpy.types.Object,
    skeleton: Skeleton,
    source: Clip,
    result: BoneTracks,
    thresholds: Thresholds = Thresholds(),  # noqa: B008 (it is immutable)
    unlocked: Collection[str] = (),
) -> list[ChannelKeys]:
    """The channels to keyframe for a result, with their values.

    Left out are properties that change less than the thresholds, locked channels except for those
    of `unlocked` bones, driven channels and locations of connected bones. Rotations are in the
    bone's own mode, start near the source's channels and are continuous from there.

    Raises:
        RigError: A value is not finite; names the bone.
    """
    return [
        ChannelKeys(_path(change), index, change.bone, change.after[:, index])
        for change in _changes(armature_object, skeleton, source, result, thresholds, unlocked)
        for index in change.writable
    ]


def layer_channels(
    armature_object: bpy.types.Object,
    skeleton: Skeleton,
    source: Clip,
    result: BoneTracks,
    thresholds: Thresholds = Thresholds(),  # noqa: B008 (it is immutable)
    unlocked: Collection[str] = (),
) -> list[ChannelKeys]:
    """The channels of an NLA strip that turns the source into the result by blend type Combine.

    Combine multiplies quaternions and scales and adds everything else; the same on Blender 4.2 to
    5.2. Blender takes the angle of a quaternion from its cosine in 32 bits, so a turn of less than
    1e-3 radians is lost, and one of less than a degree is up to 4e-4 radians off. A scale of zero
    in the source stays zero.

    Args:
        armature_object: The armature.
        skeleton: Its bones.
        source: The clip below the layer.
        result: The clip that source and layer combine to.
        thresholds: See `bone_channels`.
        unlocked: See `bone_channels`.

    Raises:
        RigError: A value is not finite; names the bone.
    """
    channels = []
    for change in _changes(armature_object, skeleton, source, result, thresholds, unlocked):
        layer = _combined_inverse(change.name, change.before, change.after)
        channels += [
            ChannelKeys(_path(change), index, change.bone, layer[:, index])
            for index in change.writable
        ]
    return channels


def driven_channels(armature_object: bpy.types.Object) -> set[Channel]:
    """Channels of an armature object that drivers decide, so that keys would do nothing."""
    data = armature_object.animation_data
    drivers = data.drivers if data else ()
    return {(curve.data_path, curve.array_index) for curve in drivers if not curve.mute}


def _path(change: _Change) -> str:
    return f"{bone_path(change.bone)}.{change.name}"


def _changes(
    armature_object: bpy.types.Object,
    skeleton: Skeleton,
    source: Clip,
    result: BoneTracks,
    thresholds: Thresholds,
    unlocked: Collection[str],
) -> Iterator[_Change]:
    _refuse_numbers_that_are_none(skeleton, result)
    if not len(source.frames):
        return
    driven = driven_channels(armature_object)
    moved = _largest(np.linalg.norm(result.location - source.location, axis=-1))
    turned = _largest(quaternion_angle(source.rotation, result.rotation))
    sized = _largest(np.abs(result.scale - source.scale).max(axis=-1))
    size = np.maximum(_largest(np.abs(source.scale).max(axis=-1)), 1e-6)
    for i, (name, mode) in enumerate(zip(skeleton.names, skeleton.rotation_mode, strict=True)):
        bone = armature_object.pose.bones[name]
        found = []
        if moved[i] > thresholds.location * skeleton.height and not skeleton.connected[i]:
            found.append(("location", source.location[:, i], result.location[:, i]))
        if turned[i] > thresholds.rotation:
            before = source.rotation_channels[:, i, : rotation_size(mode)]
            after = channels_from_quaternion(result.rotation[:, i], mode, before[0])
            found.append((rotation_property(mode), before, _as_long(mode, before, after)))
        if sized[i] > thresholds.scale * size[i]:
            found.append(("scale", source.scale[:, i], result.scale[:, i]))
        for property_, before, after in found:
            writable = [
                index
                for index, locked in enumerate(channel_locks(bone, property_))
                if (not locked or name in unlocked)
                and (f"{bone_path(name)}.{property_}", index) not in driven
            ]
            yield _Change(name, property_, before, after, writable)


def _refuse_numbers_that_are_none(skeleton: Skeleton, result: BoneTracks) -> None:
    for track in result:
        broken = ~np.isfinite(track).all(axis=(0, 2))
        if broken.any():
            name = skeleton.names[int(np.argmax(broken))]
            raise RigError(
                f'Bone "{name}" got invalid values (NaN/inf), so nothing was written: check its '
                "goals and the animation for huge values."
            )


def _largest(values: Floats) -> Floats:
    return values.max(axis=0, initial=0.0)


def _as_long(mode: str, before: Floats, after: Floats) -> Floats:
    """Rotation channels (f, 3 or 4) whose quaternions or axes are as long as those before.

    Their length has no meaning, and between keyframes the source's are shorter than one: so keys of
    a bone that did not rotate lie on its old curve.
    """
    vector = {"QUATERNION": slice(0, 4), "AXIS_ANGLE": slice(1, 4)}.get(mode)
    if vector is None:
        return after
    length = np.linalg.norm(before[:, vector], axis=-1, keepdims=True)
    scaled = after.copy()
    scaled[:, vector] *= np.where(length > SHORTEST, length, 1.0)
    return scaled


def channel_locks(bone: bpy.types.PoseBone, property_: str) -> list[bool]:
    """Whether each channel of a property is locked.

    By default Blender locks the four numbers of a quaternion or axis-angle one by one. A bone that
    does not has locks of Euler angles, of which only all three together lock all four numbers.
    """
    if property_ == "location":
        return list(bone.lock_location)
    if property_ == "scale":
        return list(bone.lock_scale)
    if property_ == "rotation_euler":
        return list(bone.lock_rotation)
    if bone.lock_rotations_4d:
        return [bone.lock_rotation_w, *bone.lock_rotation]
    return [all(bone.lock_rotation)] * 4


def _combined_inverse(name: str, below: Floats, wanted: Floats) -> Floats:
    """The values to combine with the channels below to get the wanted ones; (f, channels)."""
    if name == "rotation_quaternion":
        turn = quaternion_product(
            quaternion_inverse(unit_quaternion(below)), unit_quaternion(wanted)
        )
        return channels_from_quaternion(turn, "QUATERNION", NLA_DEFAULTS[name])
    if name == "scale":
        return np.where(below == 0.0, 1.0, wanted / np.where(below == 0.0, 1.0, below))
    difference = wanted - below
    if name == "rotation_euler":
        difference = _unwrapped(difference)
    return difference + NLA_DEFAULTS[name]


def _unwrapped(angles: Floats) -> Floats:
    """Angles over frames, without jumps of the source by whole turns."""
    turns = 2.0 * np.pi * np.round(angles[:1] / (2.0 * np.pi))
    unwrapped: Floats = np.unwrap(angles, axis=0) - turns
    return unwrapped
