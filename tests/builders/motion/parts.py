"""Parts of a body for tests: capsules that lie along X and go where they are told."""

from __future__ import annotations

import numpy as np

from blender_bioik.motion.body.hull import bare_hull
from blender_bioik.motion.feet import Floats
from blender_bioik.motion.rests.part import Part, Piece

RADIUS, LENGTH = 0.03, 0.2
RATE = 30.0


def capsule(name: str, path: Floats, pitch: Floats | float = 0.0, **more: object) -> Part:
    """A part that begins at a path (f, 3); its far end is raised by pitches, radians."""
    half = 0.5 * np.broadcast_to(np.asarray(pitch, float), len(path))
    turn = np.stack([np.cos(half), 0.0 * half, -np.sin(half), 0.0 * half], axis=-1)
    ends = np.array([[-RADIUS, 0.0, 0.0], [LENGTH + RADIUS, 0.0, 0.0]])
    hull = bare_hull(name, ends[0], ends[1], RADIUS)
    free = np.ones(len(path), bool)
    known = {"limb": f"{name} limb", **more}
    return Part(name, name, path, turn, (Piece(hull, path, turn),), free, **known)  # type: ignore[arg-type]


def lying(frames: int, place: tuple[float, float] = (0.0, 0.0), z: float = RADIUS) -> Floats:
    """A path that stays at a place; on the floor if not told otherwise."""
    return np.tile([*place, z], (frames, 1))


def stepping(frames: int, lifted: tuple[int, int], way: float, height: float = 0.3) -> Floats:
    """A path that lies, is lifted between two rows, and lies again further on along X."""
    path = lying(frames)
    share = np.clip((np.arange(frames) - lifted[0]) / (lifted[1] - lifted[0]), 0.0, 1.0)
    eased = share**3 * (10 - 15 * share + 6 * share**2)
    path[:, 0] += way * eased
    path[:, 2] += height * np.sin(np.pi * eased) ** 2
    return path
