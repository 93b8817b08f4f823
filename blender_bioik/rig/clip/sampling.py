"""Sampling clips: the channels and poses of an armature, and the places of targets, over frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import bpy
import numpy as np
from numpy.typing import ArrayLike

from ..blender.fcurves import Channel
from ..blender.scene_state import TRANSFORM_PROPERTIES, preserved_frame
from ..errors import RigError
from ..reading import Cancel, Progress, Reading, drained
from ..transforms import Floats, matrix_from_channels, quaternion_from_channels
from .curve_only import (
    object_plain_reason,
    plain_channels,
    plain_reason,
    plain_world,
    refuse_animated_rotation_modes,
    rotation_property,
    rotation_size,
)
from .skeleton import Skeleton, pose_matrices, read_skeleton

__all__ = [
    "Clip",
    "Sample",
    "Target",
    "evaluated_depsgraph",
    "plain_reason",
    "sample",
    "sample_clip",
    "sample_matrices",
    "sampling",
]

Target = tuple[bpy.types.Object, str | None]


@dataclass(frozen=True, eq=False)
class Clip:
    """An armature's animation as arrays, bones in the order of its skeleton.

    Read from F-curves the numbers are those of Blender up to its 32-bit rounding (about 1e-6 of the
    rig's height per bone of a chain); read through the dependency graph `pose` is Blender's own.

    Attributes:
        frames: Frame numbers, with fractions; (f,).
        location: Location channels; (f, n, 3).
        rotation: Rotation channels as unit quaternions w, x, y, z, whatever their mode; (f, n, 4).
        scale: Scale channels; (f, n, 3).
        rotation_channels: Rotation channels as they are, in each bone's own mode; (f, n, 4), of
            Euler angles the last number is unused.
        world: World matrix of the armature object; (f, 4, 4).
        pose: Evaluated bone matrices in armature space, after constraints; (f, n, 4, 4).
    """

    frames: Floats
    location: Floats
    rotation: Floats
    scale: Floats
    rotation_channels: Floats
    world: Floats
    pose: Floats

    def basis(self) -> Floats:
        """Matrices of the channels alone; (f, n, 4, 4)."""
        return matrix_from_channels(self.location, self.rotation, self.scale)

    def world_pose(self, bone: int) -> Floats:
        """World matrices of a bone; (f, 4, 4)."""
        return np.asarray(self.world @ self.pose[:, bone])

    def world_poses(self, bones: Sequence[int]) -> Floats:
        """World matrices of some bones; (f, k, 4, 4)."""
        return np.asarray(self.world[:, None] @ self.pose[:, bones])


class Sample(NamedTuple):
    """A clip and the world matrices (k, f, 4, 4) of k targets over the same frames."""

    clip: Clip
    targets: Floats


def sample_clip(
    scene: bpy.types.Scene,
    armature_object: bpy.types.Object,
    frames: ArrayLike,
    *,
    progress: Progress | None = None,
    cancelled: Cancel | None = None,
) -> Clip:
    """Sample an armature over frames; see `sample`."""
    return sample(scene, armature_object, frames, progress=progress, cancelled=cancelled).clip


def sample_matrices(
    scene: bpy.types.Scene,
    targets: Sequence[Target],
    frames: ArrayLike,
    *,
    progress: Progress | None = None,
    cancelled: Cancel | None = None,
) -> Floats:
    """World matrices (k, f, 4, 4) of objects, or of bones of them, over frames; see `sample`."""
    at = np.asarray(frames, float)
    reader = _TargetReader(scene, targets, at)
    readers = [reader] if reader.moving else []
    drained(_read_through_depsgraph(scene, at, readers), progress, cancelled)
    return reader.matrices


def sample(
    scene: bpy.types.Scene,
    armature_object: bpy.types.Object,
    frames: ArrayLike,
    targets: Sequence[Target] = (),
    *,
    progress: Progress | None = None,
    cancelled: Cancel | None = None,
) -> Sample:
    """Sample an armature and targets, evaluating the scene at most once per frame.

    Plain animation is read from F-curves, the scene is only evaluated for the rest. Frame
    and pose are restored, also after an error.

    Args:
        scene: The scene of the frames.
        armature_object: The armature to sample.
        frames: Frame numbers, whole or with fractions; (f,).
        targets: Objects, each with the name of one of its bones or None for itself.
        progress: Called with the number of frames evaluated and of all frames.
        cancelled: Called before each frame is evaluated.

    Raises:
        RigError: The armature or a target cannot be evaluated, or a bone does not exist.
        Cancelled: `cancelled` returned true.
    """
    return drained(sampling(scene, armature_object, frames, targets), progress, cancelled)


def sampling(
    scene: bpy.types.Scene,
    armature_object: bpy.types.Object,
    frames: ArrayLike,
    targets: Sequence[Target] = (),
) -> Reading[Sample]:
    """Sample as `sample` does, frame by frame."""
    at = np.asarray(frames, float)
    skeleton = read_skeleton(armature_object)
    refuse_animated_rotation_modes(armature_object)
    target_reader = _TargetReader(scene, targets, at)
    readers: list[_ClipReader | _TargetReader] = [target_reader] if target_reader.moving else []
    if plain_reason(armature_object, scene) is None:
        clip = yield from reading_plain_clip(skeleton, armature_object, at)
        yield from _read_through_depsgraph(scene, at, readers)
    else:
        clip_reader = _ClipReader(skeleton, armature_object, at)
        yield from _read_through_depsgraph(scene, at, [clip_reader, *readers])
        clip = clip_reader.clip()
    return Sample(clip, target_reader.matrices)


def plain_clip(
    skeleton: Skeleton,
    armature_object: bpy.types.Object,
    frames: Floats,
    curves: Mapping[Channel, Floats] | None = None,
) -> Clip:
    """The clip of a plain armature, from its F-curves or from given values; changes nothing."""
    return drained(reading_plain_clip(skeleton, armature_object, frames, curves))


def reading_plain_clip(
    skeleton: Skeleton,
    armature_object: bpy.types.Object,
    frames: Floats,
    curves: Mapping[Channel, Floats] | None = None,
) -> Reading[Clip]:
    """Read as `plain_clip` does, in a few steps: clips may be long."""
    begun = 0, len(frames)
    location, turns, scale = plain_channels(skeleton, armature_object, frames, curves)
    yield begun
    rotation = _quaternions(skeleton, turns)
    basis = matrix_from_channels(location, rotation, scale)
    yield begun
    pose = pose_matrices(skeleton, basis)
    world = plain_world(armature_object, frames)
    yield begun
    return Clip(frames, location, rotation, scale, turns, world, pose)


def plain_matrices(
    scene: bpy.types.Scene, targets: Sequence[Target], frames: Floats
) -> Floats | None:
    """World matrices (k, f, 4, 4) of targets, None if the scene had to be evaluated for one."""
    reader = _TargetReader(scene, targets, frames)
    return None if reader.moving else reader.matrices


def _quaternions(skeleton: Skeleton, rotation_channels: Floats) -> Floats:
    """Unit quaternions of rotation channels (f, n, 4), mode by mode."""
    rotation = np.empty_like(rotation_channels)
    modes = np.array(skeleton.rotation_mode)
    for mode in set(skeleton.rotation_mode):
        bones = np.flatnonzero(modes == mode)
        values = rotation_channels[:, bones, : rotation_size(mode)]
        rotation[:, bones] = quaternion_from_channels(values, mode)
    return rotation


class _ClipReader:
    """Reads an evaluated armature, frame by frame, into arrays."""

    def __init__(
        self, skeleton: Skeleton, armature_object: bpy.types.Object, frames: Floats
    ) -> None:
        self.skeleton = skeleton
        self.armature_object = armature_object
        self.frames = frames
        count, bones = len(frames), len(skeleton)
        sizes = TRANSFORM_PROPERTIES | {"matrix": 16}
        self.columns = {
            name: np.empty((count, bones * size), np.float32) for name, size in sizes.items()
        }
        self.world = np.empty((count, 4, 4))
        names = [bone.name for bone in armature_object.pose.bones] if bones else []
        self.order = np.array([names.index(name) for name in skeleton.names], np.intp)

    @property
    def objects(self) -> list[bpy.types.Object]:
        """Objects that must be part of the evaluated scene."""
        return [self.armature_object]

    def read(self, depsgraph: bpy.types.Depsgraph, row: int) -> None:
        """Read the evaluated frame into a row of the arrays."""
        evaluated = self.armature_object.evaluated_get(depsgraph)
        for name, column in self.columns.items() if len(self.skeleton) else ():
            evaluated.pose.bones.foreach_get(name, column[row])
        self.world[row] = evaluated.matrix_world

    def clip(self) -> Clip:
        """The clip, when all frames were read."""
        turns = np.zeros((len(self.frames), len(self.skeleton), 4))
        values = {name: self._values(name) for name in TRANSFORM_PROPERTIES}
        for i, mode in enumerate(self.skeleton.rotation_mode):
            turns[:, i, : rotation_size(mode)] = values[rotation_property(mode)][:, i]
        matrices = self._values("matrix").reshape(len(self.frames), -1, 4, 4)
        return Clip(
            self.frames,
            values["location"],
            _quaternions(self.skeleton, turns),
            values["scale"],
            turns,
            self.world,
            np.ascontiguousarray(matrices.swapaxes(-1, -2)),
        )

    def _values(self, name: str) -> Floats:
        column = self.columns[name].astype(float)
        bones = len(self.skeleton)
        if bones == 0:
            return column.reshape(len(self.frames), 0, TRANSFORM_PROPERTIES.get(name, 16))
        return column.reshape(len(self.frames), bones, -1)[:, self.order]


class _TargetReader:
    """World matrices of targets: plain ones at once, the moving ones frame by frame."""

    def __init__(self, scene: bpy.types.Scene, targets: Sequence[Target], frames: Floats) -> None:
        self.matrices = np.empty((len(targets), len(frames), 4, 4))
        self.moving: list[tuple[int, Target]] = []
        clips: dict[bpy.types.Object, tuple[Skeleton, Clip]] = {}
        for k, (object_, bone) in enumerate(targets):
            _refuse_unknown_bone(object_, bone)
            if bone is None and object_plain_reason(object_, scene) is None:
                self.matrices[k] = plain_world(object_, frames)
            elif bone is not None and plain_reason(object_, scene) is None:
                if object_ not in clips:
                    skeleton = read_skeleton(object_)
                    clips[object_] = skeleton, plain_clip(skeleton, object_, frames)
                skeleton, clip = clips[object_]
                self.matrices[k] = clip.world_pose(skeleton.index[bone])
            else:
                self.moving.append((k, (object_, bone)))

    @property
    def objects(self) -> list[bpy.types.Object]:
        """Objects that must be part of the evaluated scene."""
        return [object_ for _, (object_, _) in self.moving]

    def read(self, depsgraph: bpy.types.Depsgraph, row: int) -> None:
        """Read the evaluated frame into a row of the arrays."""
        for k, (object_, bone) in self.moving:
            evaluated = object_.evaluated_get(depsgraph)
            matrix = np.array(evaluated.matrix_world, float)
            if bone is not None:
                matrix = matrix @ np.array(evaluated.pose.bones[bone].matrix, float)
            self.matrices[k, row] = matrix


def _refuse_unknown_bone(object_: bpy.types.Object, bone: str | None) -> None:
    if bone is None:
        return
    if object_.pose is None:
        raise RigError(
            f'The target "{object_.name}" is not an armature: clear its bone, or choose an '
            "armature."
        )
    if bone not in object_.pose.bones:
        raise RigError(
            f'The target "{object_.name}" has no bone "{bone}": choose one of its bones.'
        )


def _read_through_depsgraph(
    scene: bpy.types.Scene, frames: Floats, readers: Sequence[_ClipReader | _TargetReader]
) -> Reading[None]:
    """Evaluate the scene frame by frame for all readers together."""
    objects = list(dict.fromkeys(object_ for reader in readers for object_ in reader.objects))
    if not objects:
        return
    _refuse_unevaluated(scene, objects)
    with preserved_frame(scene):
        for row, frame in enumerate(frames):
            yield row, len(frames)
            whole = int(np.floor(frame))
            scene.frame_set(whole, subframe=float(frame - whole))
            depsgraph = evaluated_depsgraph(scene)
            for reader in readers:
                reader.read(depsgraph, row)
        yield len(frames), len(frames)


def _refuse_unevaluated(scene: bpy.types.Scene, objects: Sequence[bpy.types.Object]) -> None:
    depsgraph = evaluated_depsgraph(scene)
    for object_ in objects:
        if not object_.evaluated_get(depsgraph).is_evaluated:
            raise RigError(
                f'"{object_.name}" is not evaluated in scene "{scene.name}": '
                "enable it in viewports, and its collection in the view layer."
            )


def evaluated_depsgraph(scene: bpy.types.Scene) -> bpy.types.Depsgraph:
    """The scene as evaluated at its current frame, also of a scene that is not shown."""
    if scene == bpy.context.scene:
        return bpy.context.evaluated_depsgraph_get()
    layer = scene.view_layers[0]
    layer.update()
    return layer.depsgraph
