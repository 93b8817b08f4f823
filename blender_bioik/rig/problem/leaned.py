"""The upper body of placed feet, leaning with the ground."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from scipy.ndimage import maximum_filter1d

from ...findings import CLIMB
from ...motion.plan.body_rise import averaged
from ...motion.plan.lean import lean_angles
from ...motion.tuning import BODY
from ..clip.bone_frames import bone_orientation
from ..clip.skeleton import replaced_pose
from ..transforms import Floats, quaternion_from_axis_angle, quaternion_inverse, quaternion_product
from .feet_solution import FeetSolution

if TYPE_CHECKING:
    from .feet_problem import FeetProblem

# A lean that is nowhere larger, in radians, is none.
LEAST = 1e-3


def leaned(feet: FeetProblem, placed: FeetSolution) -> FeetSolution:
    """Placed feet with an upper body that leans with the ground, and a note about it."""
    leaning, plan, tracks = feet.legs.upper.leaning, placed.plan, placed.tracks
    if leaning is None or feet.legs.controls is not None:
        return placed
    source, pelvis = feet.source, feet.body.pelvis.places
    bears = _bears(feet, placed)
    turns = lean_angles(
        plan, feet.feet, pelvis, bears, leaning.share, source.rate, loop=feet.loop is not None
    )
    angle = np.linalg.norm(turns, axis=-1)
    if angle.max(initial=0.0) < LEAST:
        return placed
    axis_angle = np.concatenate([angle[:, None], turns / np.maximum(angle, 1e-12)[:, None]], axis=1)
    turn = quaternion_from_axis_angle(axis_angle)
    clip, moved = source.clip, source.moved
    channels = (track[:, moved] for track in tracks)
    pose = clip.world[:, None] @ replaced_pose(source.skeleton, clip.pose, moved, channels)
    rotation = tracks.rotation.copy()
    for bone, way in zip(leaning.bones, (turn, quaternion_inverse(turn)), strict=False):
        number = source.skeleton.index[bone]
        own = bone_orientation(pose[:, number])
        local = quaternion_product(quaternion_product(quaternion_inverse(own), way), own)
        rotation[:, number] = quaternion_product(rotation[:, number], local)
    degrees = float(np.degrees(angle.max()))
    note = f"The upper body leans with the slope, by up to {degrees:.1f} degrees (see Lean)."
    tracks = tracks._replace(rotation=rotation)
    return replace(placed, tracks=tracks, notes=(*placed.notes, note))


def _bears(feet: FeetProblem, placed: FeetSolution) -> Floats:
    """Share of the body that lies, sits, holds on or climbs; (f,).

    It is whole there, and passes within two steps.
    """
    found = feet.hands.copy()
    for rest in placed.support.rests if placed.support is not None else ():
        found |= rest.rows
    for finding in placed.plan.findings:
        if finding.kind == CLIMB and finding.row is not None:
            found[finding.row : (finding.last or finding.row) + 1] = True
    step = round(BODY.step_seconds * feet.source.rate)
    near = maximum_filter1d(found.astype(float), 2 * step + 1)
    return averaged(near, feet.source.rate)
