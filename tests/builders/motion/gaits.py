"""The feet of the demo's walk and run, whose contacts are known exactly, as arrays."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from blender_bioik.motion.feet import BALL, HEEL, TIP, Contact, Foot
from demo.gait import WALK, Gait, about_x, hip_position, stride, turn_out
from demo.skeleton import SOLE, bones

Floats = NDArray[np.float64]

STRIDES = 5
SCALE = 1.8 / 1.6
POINTS = {"heel": HEEL, "ball": BALL, "toe": TIP}


def gait_feet(gait: Gait = WALK) -> list[Foot]:
    """Sole points of left and right foot over five strides and the frame that closes the loop."""
    frames = np.arange(STRIDES * gait.cycle_frames + 1)
    rest = {bone.name: np.array(bone.head) for bone in bones()}
    ankle_rest, ball_rest = rest["foot.L"], rest["toe.L"]
    sole = {point: np.array(at) for point, (_, at) in SOLE.items()}
    cycle = stride(gait)
    row = frames % gait.cycle_frames
    passed = (frames // gait.cycle_frames)[:, None] * np.array([0.0, -gait.stride, 0.0])
    feet = []
    for side, sign in (("L", 1.0), ("R", -1.0)):
        mirror = np.array([sign, 1.0, 1.0])
        out = turn_out(sign)
        foot, toe = (out @ about_x(p[side][row]) for p in (cycle.foot_pitch, cycle.toe_pitch))
        ankle = cycle.ankle[side][row] + passed
        joint = ankle + foot @ (mirror * (ball_rest - ankle_rest))
        points = np.stack(
            [
                ankle + foot @ (mirror * (sole["heel"] - ankle_rest)),
                joint + toe @ (mirror * (sole["ball"] - ball_rest)),
                joint + toe @ (mirror * (sole["toe"] - ball_rest)),
            ],
            axis=1,
        )
        hip = hip_position(gait, frames, side)
        feet.append(Foot(f"leg.{side}", points, np.zeros(3), (hip + ankle) / 2.0, hip))
    return feet


def gait_contacts(gait: Gait = WALK) -> list[Contact]:
    """Every contact of `gait_feet`."""
    found = []
    frames = STRIDES * gait.cycle_frames + 1
    for foot, delay in enumerate((0, gait.cycle_frames // 2)):
        for name, (first, last) in gait.contacts.items():
            for start in range(-1, STRIDES + 1):
                begin = start * gait.cycle_frames + delay
                rows = max(begin + first, 0), min(begin + last + 1, frames)
                if rows[0] < rows[1]:
                    found.append(Contact(foot, POINTS[name], *rows))
    return found


def resampled(feet: list[Foot], times: int) -> list[Foot]:
    """The same motion with so many frames for each, on straight lines between them."""
    count = len(feet[0].points)
    at = np.arange(times * (count - 1) + 1) / times

    def between(path: Floats) -> Floats:
        flat = path.reshape(count, -1)
        columns = [np.interp(at, np.arange(count), column) for column in flat.T]
        return np.stack(columns, axis=1).reshape(len(at), *path.shape[1:])

    return [
        replace(foot, points=between(foot.points), knee=between(foot.knee), hip=between(foot.hip))
        for foot in feet
    ]


def scaled(feet: list[Foot], factor: float) -> list[Foot]:
    return [
        Foot(f.name, factor * f.points, factor * f.clearance, factor * f.knee, factor * f.hip)
        for f in feet
    ]


def moved(feet: list[Foot], way: Floats) -> list[Foot]:
    """Feet moved by a way (f, 3)."""
    return [
        replace(f, points=f.points + way[:, None], knee=f.knee + way, hip=f.hip + way) for f in feet
    ]


def noisy(feet: list[Foot], metres: float, seed: int = 0) -> list[Foot]:
    random = np.random.default_rng(seed)
    return [
        replace(f, points=f.points + metres * random.standard_normal(f.points.shape)) for f in feet
    ]


def foot_along(name: str, path: Floats) -> Foot:
    """A flat foot that follows the path (f, 3) of its ball, toes to -Y."""
    offsets = np.array([[0.0, 0.18, 0.0], [0.0, 0.0, 0.0], [0.0, -0.07, 0.0]])
    hip, knee = path + np.array([0.0, 0.1, 0.9]), path + np.array([0.0, 0.0, 0.45])
    return Foot(name, path[:, None] + offsets, np.zeros(3), knee, hip)
