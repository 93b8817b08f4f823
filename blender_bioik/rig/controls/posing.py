"""Solved poses written to controls: the channels that bring the rig there, found by evaluating it.

Each control follows the bone that it moves as a rigid body, from where Blender has both; after a
few evaluations the rig is posed as solved. Bones of IK chains are posed as solved by their own
channels too: IK then starts at its result, and neither stretches nor stops short of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import NDArray

from ..blender.scene_state import preserved_frame
from ..clip.bone_frames import orthonormal
from ..clip.sampling import Clip
from ..clip.skeleton import Skeleton, inverse_matrix
from ..keys.keys import BoneTracks
from ..reading import Reading
from ..source_shown import source_shown
from ..transforms import Floats
from .limb_points import LimbPoints
from .limbs import Handle, Limb
from .pole import pole_place
from .rig_controls import RigControls
from .shown_pose import Channels, ShownPose
from .switches import Switched, Switching

# Passes of a frame at most, and the share of the error that each has to take away to go on.
MOST_PASSES, TAKEN = 8, 0.3
# Error at which a pose counts as reached, share of the rig's height.
REACHED = 2e-6
# Poses nearer than this are the same, so that nothing is written.
SAME = 2e-6


@dataclass(frozen=True, eq=False)
class PosedControls:
    """Channels of controls.

    Attributes:
        tracks: Channels of all bones; of those that controls pose, as they were.
        errors: Largest distance of a point of the limbs from where it was solved, in each frame,
            metres; (f,).
        switched: Properties that were switched to FK.
    """

    tracks: BoneTracks
    errors: Floats
    switched: tuple[Switched, ...] = ()


def posing_controls(
    scene: bpy.types.Scene,
    armature_object: bpy.types.Object,
    skeleton: Skeleton,
    controls: RigControls,
    clip: Clip,
    wanted: Floats,
    solved: BoneTracks,
    moved: Sequence[int],
) -> Reading[PosedControls]:
    """Find the channels of controls, frame by frame. Leaves the scene as it is.

    Args:
        scene: The scene of the frames.
        armature_object: The armature; it plays the clip.
        skeleton: Its bones.
        controls: Its controls.
        clip: The clip that it plays.
        wanted: Solved matrices of all bones, in armature space; (f, n, 4, 4).
        solved: Solved channels of all bones.
        moved: Indices of the bones that were solved.
    """
    posed = {skeleton.index[bone] for bone in controls.posed}
    free = [bone for bone in moved if bone not in posed]
    tracks = BoneTracks(clip.location.copy(), clip.rotation.copy(), clip.scale.copy())
    errors = np.zeros(len(clip.frames))
    points = LimbPoints(armature_object, skeleton, controls)
    differs = _differs(points, clip, wanted) | _free_differ(clip, solved, free)
    # Where legs are switched, other controls have to pose them as they were, too.
    differs |= bool(controls.switches)
    size = np.cbrt(np.abs(np.linalg.det(clip.world[:, :3, :3])))
    with (
        source_shown(),
        preserved_frame(scene, [armature_object]),
        Switching(armature_object, controls.switches, len(clip.frames)) as switching,
    ):
        shown = ShownPose(scene, armature_object, skeleton, controls.seeded)
        shown.go_to(float(clip.frames[0]))
        switching.find_fk()
        for row, frame in enumerate(clip.frames):
            yield row, len(clip.frames)
            if not differs[row]:
                continue
            shown.go_to(float(frame))
            switching.switch(row)
            poser = _Frame(shown, skeleton, controls, clip.pose[row], wanted[row])
            for track, of_solved in zip(tracks, solved, strict=True):
                track[row, free] = of_solved[row, free]
            for bone in free:
                of_bone = Channels(*(track[row, bone] for track in tracks))
                shown.set_channels(skeleton.names[bone], of_bone)
            errors[row] = size[row] * _reach(poser, points, skeleton.height)
            for name, channels in poser.found.items():
                for track, values in zip(tracks, channels, strict=True):
                    track[row, skeleton.index[name]] = values
    return PosedControls(tracks, errors, switching.switched)


def _reach(poser: _Frame, points: LimbPoints, height: float) -> float:
    """Pose a frame until it is as wanted; returns the remaining error."""
    poser.shown.evaluate()
    error = np.inf
    for _ in range(MOST_PASSES):
        before = error
        poser.step()
        poser.shown.evaluate()
        error = points.apart(poser.shown.pose, poser.wanted, poser.source)
        if error < REACHED * height or before - error < TAKEN * before < np.inf:
            break
    return error


class _Frame:
    """One frame: where bones are wanted, and the channels found so far."""

    def __init__(
        self,
        shown: ShownPose,
        skeleton: Skeleton,
        controls: RigControls,
        source: Floats,
        wanted: Floats,
    ) -> None:
        self.shown, self.skeleton, self.controls = shown, skeleton, controls
        self.source, self.wanted = source, wanted
        self.found: dict[str, Channels] = {}

    def step(self) -> None:
        """Set all controls from where the bones that they move are now."""
        now = self.shown.pose.copy()
        for handle in sorted(self.controls.handles, key=self._rank):
            self._handle(handle, now)
        for limb in self.controls.limbs:
            self._limb(limb, now)

    def _rank(self, handle: Handle) -> int:
        return self.skeleton.index[handle.control]

    def _handle(self, handle: Handle, now: Floats) -> None:
        matrix = self._led(handle.control, handle.led, handle.via, now)
        if handle.sizes:
            size = np.linalg.norm(self._wanted(handle.led)[:3, :3], axis=0)
            matrix[:3, :3] = orthonormal(matrix[:3, :3]) * size
        if not handle.moves:
            matrix[:3, 3] = self.shown.matrix(handle.control)[:3, 3]
        self._put(handle.control, matrix, moves=handle.moves, turns=True, sizes=handle.sizes)

    def _limb(self, limb: Limb, now: Floats) -> None:
        wanted = [self._wanted(bone) for bone in limb.posed]
        end = _along(wanted[-1], self._length(limb.ik.bones[-1]))
        control = self.shown.matrix(limb.control)
        if limb.led:
            control = self._led(limb.control, limb.led, limb.via, now)
        if not limb.carries:
            was = now[self.skeleton.index[limb.control]]
            place, along = limb.place
            target = _along(now[self.skeleton.index[place]], along * self._length(place))
            inside = inverse_matrix(was) @ [*target, 1.0]
            control[:3, 3] = end - control[:3, :3] @ inside[:3]
        self._put(limb.control, control, moves=True, turns=bool(limb.led))
        for bone, matrix in zip(limb.ik.bones, wanted, strict=True):
            if bone in limb.seeded:
                self._put(bone, matrix, moves=False, turns=True, sizes=limb.ik.stretches)
        if limb.pole:
            self._put_pole(limb, wanted, end)

    def _put_pole(self, limb: Limb, wanted: Sequence[Floats], end: Floats) -> None:
        source = [self.source[self.skeleton.index[bone]] for bone in limb.posed]
        last = _along(source[-1], self._length(limb.ik.bones[-1]))
        joints = np.stack([source[0][:3, 3], source[1][:3, 3], last])
        before = self.source[self.skeleton.index[limb.ik.pole]][:3, 3]
        middle = wanted[1][:3, 3]
        place = pole_place(wanted[0], middle, end, limb.ik.pole_angle, (joints, before))
        matrix = self.shown.matrix(limb.pole).copy()
        matrix[:3, 3] += place - self.shown.matrix(limb.ik.pole)[:3, 3]
        self._put(limb.pole, matrix, moves=True, turns=False)

    def _led(self, control: str, led: str, via: str, now: Floats) -> Floats:
        """Where a control has to be for a bone that copies `via` to be as wanted."""
        index = self.skeleton.index
        wanted = _rigid(self._wanted(led))
        if (led, via) in self.controls.from_rest:
            rest = self.skeleton.rest[[index[via], index[led]], :3, :3]
            wanted[:3, :3] = rest[0] @ rest[1].T @ wanted[:3, :3]
        moved = wanted @ inverse_matrix(_rigid(now[index[via]]))
        return np.asarray(moved @ now[index[control]])

    def _wanted(self, bone: str) -> Floats:
        return np.asarray(self.wanted[self.skeleton.index[bone]])

    def _length(self, bone: str) -> float:
        return float(self.skeleton.length[self.skeleton.index[bone]])

    def _put(
        self, bone: str, matrix: Floats, *, moves: bool, turns: bool, sizes: bool = False
    ) -> None:
        self.found[bone] = self.shown.put(bone, matrix, moves=moves, turns=turns, sizes=sizes)


def _rigid(matrix: Floats) -> Floats:
    """A matrix (4, 4) without scale: IK stretches bones, but not the controls at their ends."""
    unscaled = matrix.copy()
    unscaled[:3, :3] = orthonormal(matrix[:3, :3])
    return unscaled


def _along(matrix: Floats, length: float) -> Floats:
    return np.asarray(matrix[:3, 3] + matrix[:3, 1] * length)


def _differs(points: LimbPoints, clip: Clip, wanted: Floats) -> NDArray[np.bool_]:
    """Frames in which limbs are not yet as wanted."""
    height = np.linalg.norm(np.ptp(clip.pose[0, :, :3, 3], axis=0))
    return np.asarray(points.distances(clip.pose, wanted) > SAME * height)


def _free_differ(clip: Clip, solved: BoneTracks, free: Sequence[int]) -> NDArray[np.bool_]:
    """Frames in which the channels of other bones change."""
    pairs = zip((clip.location, clip.rotation, clip.scale), solved, strict=True)
    return np.any([(a[:, free] != b[:, free]).any(axis=(1, 2)) for a, b in pairs], axis=0)
