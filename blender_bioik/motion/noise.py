"""The noise of a recording: how large it is, and paths without it.

Noise differs from frame to frame; a body does not. So third differences of what rests are noise,
and what is left of it is a path that is as far from the recorded one as the noise is large.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy.optimize import brentq

from .feet import BALL, Contact, Floats, Foot

# Of noise of size one: the median size of its third differences.
USUAL = 0.6745 * np.sqrt(20.0)
# And the mean product of one with the next, of opposite sign.
TURNED_BACK = 15.0
# In fewer rows, a foot that rolls cannot be told from noise.
LEAST_ROWS = 8
# Noise of clean recordings, which is left as it is; metres for a character of 1.6 m.
CLEAN = 0.001
# Powers of ten of the stiffness of a path, from one that follows all to one that is a parabola.
STIFFEST = 8.0


def noise_of(paths: Sequence[Floats]) -> float:
    """Standard deviation of the noise of paths (rows, n) while they rest, as a length.

    The third differences of noise turn back from frame to frame, those of a foot that rolls do not.
    """
    changes = [np.diff(path, n=3, axis=0) for path in paths if len(path) >= LEAST_ROWS]
    if not changes:
        return 0.0
    turns = np.concatenate([(one[:-1] * one[1:]).ravel() for one in changes])
    turning = np.sqrt(max(0.0, -float(turns.mean())) / TURNED_BACK)
    usual = float(np.median(np.abs(np.concatenate([one.ravel() for one in changes])))) / USUAL
    return min(usual, float(turning))


def steadied(path: Floats, noise: float) -> tuple[Floats, float]:
    """A path (rows, n) without noise of a standard deviation, and what is left of it.

    The calmest path whose distance from the given one is the noise (Whittaker's, with the
    stiffness that Morozov's principle gives).
    """
    count = len(path)
    if noise <= 0.0 or count <= 3:
        return path, noise
    jerks = np.diff(np.eye(count), n=3, axis=0)
    stiff, modes = np.linalg.eigh(jerks.T @ jerks)
    stiff = np.maximum(stiff, 0.0)
    parts = modes.T @ path

    def off(power: float) -> float:
        lost = 10.0**power * stiff / (1.0 + 10.0**power * stiff)
        return float(np.sqrt(np.mean((lost[:, None] * parts) ** 2))) - noise

    power = STIFFEST
    if off(STIFFEST) > 0.0:
        if off(-STIFFEST) > 0.0:
            return path, noise
        power = float(brentq(off, -STIFFEST, STIFFEST, xtol=0.01))
    kept = 1.0 / (1.0 + 10.0**power * stiff)
    return np.asarray(modes @ (kept[:, None] * parts)), noise * float(np.sqrt(np.mean(kept**2)))


def steady_feet(
    feet: Sequence[Foot], contacts: Sequence[Contact], scale: float
) -> tuple[tuple[Foot, ...], Floats]:
    """Feet whose sole points are without noise in their contacts, and what is left of it.

    Args:
        feet: The feet.
        contacts: Their contacts.
        scale: Size of the character relative to one of 1.6 m.

    Returns:
        The feet, and the standard deviation of what is left of the noise of each, metres; (feet,).
    """
    found, rests = [], np.zeros(len(feet))
    for i, foot in enumerate(feet):
        own = [contact for contact in contacts if contact.foot == i and not contact.slides]
        points = foot.points.copy()
        paths = [foot.points[each.first : each.stop, each.point] for each in own]
        noise = noise_of(
            [path for path, each in zip(paths, own, strict=True) if each.point == BALL]
        )
        if noise <= CLEAN * scale:
            found.append(foot)
            continue
        for contact, path in zip(own, paths, strict=True):
            steady, left = steadied(path, noise)
            points[contact.first : contact.stop, contact.point] = steady
            rests[i] = max(rests[i], left)
        found.append(replace(foot, points=points))
    return tuple(found), rests
