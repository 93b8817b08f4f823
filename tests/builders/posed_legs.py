"""Placed feet of rigs with controls, compared with Blender's own matrices."""

from __future__ import annotations

from typing import Any, NamedTuple

import bpy
import numpy as np

from blender_bioik.rig.clip.sampling import Clip, sample_clip
from blender_bioik.rig.clip.skeleton import replaced_pose
from blender_bioik.rig.feet.place_feet import place_feet_steps
from blender_bioik.rig.reading import drained
from blender_bioik.rig.source.options import BakeOptions
from blender_bioik.rig.transforms import Floats


class Posed(NamedTuple):
    """A foot placement: what was solved, and what the rig plays."""

    report: Any
    names: tuple[str, ...]
    length: Floats
    wanted: Floats
    source: Clip
    played: Clip

    def off(self, *bones: str) -> float:
        """Largest distance of heads, tails and points aside of some bones, millimetres."""
        found = []
        for name in bones:
            b = self.names.index(name)
            size = self.length[b]
            points = np.array([[0, 0, 0, 1], [0, size, 0, 1], [size, 0, 0, 1]]).T
            apart = (self.wanted[:, b] - self.played.pose[:, b]) @ points
            found.append(np.linalg.norm(apart[:, :3], axis=1).max())
        return 1000.0 * float(max(found))

    def moved(self, bone: str) -> float:
        """Largest distance that a bone's head has moved, millimetres."""
        b = self.names.index(bone)
        apart = self.source.pose[:, b, :3, 3] - self.played.pose[:, b, :3, 3]
        return 1000.0 * float(np.linalg.norm(apart, axis=-1).max())


def posed_legs(rig: bpy.types.Object, options: BakeOptions) -> Posed:
    """Place the feet of a rig, and sample it before and after."""
    scene = bpy.context.scene
    source = sample_clip(scene, rig, options.frames())
    steps = place_feet_steps(scene, rig, options)
    placement = drained(steps.reading)
    assert steps.solve is not None
    assert steps.pose is not None
    solved = drained(steps.pose(placement, steps.solve(placement)))
    skeleton, moved = placement.source.skeleton, placement.source.moved
    wanted = replaced_pose(
        skeleton, source.pose, moved, (track[:, moved] for track in solved.result)
    )
    report = steps.write(placement, solved)
    played = sample_clip(scene, rig, options.frames())
    return Posed(report, skeleton.names, skeleton.length, wanted, source, played)
