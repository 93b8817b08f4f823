"""The jerk of the limbs' joints, against the same limbs in the source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..feet import Floats
from .quality import derivative

# A limb at rest in the source counts as this share of the most jerky one.
QUIET = 0.02


@dataclass(frozen=True)
class JointJerk:
    """A joint.

    Attributes:
        bone: Its bone.
        row: The row of its largest jerk.
        ratio: That jerk divided by the largest of its limb's joints in the source.
        mean: Mean jerk of the legs' joints, divided by the same in the source.
    """

    bone: int
    row: int
    ratio: float
    mean: float


def worst_jerk(
    before: Floats,
    after: Floats,
    legs: Sequence[Sequence[int]],
    others: Sequence[Sequence[int]],
    noise: float,
) -> JointJerk | None:
    """The joint with the largest jerk against its limb's in the source, and the mean of the legs.

    Args:
        before: World matrices of the source's bones; (f, b, 4, 4).
        after: The same of the result.
        legs: The bones of each leg.
        others: The bones of each other limb.
        noise: Jerk that numbers of single precision have, metres per frame^3.
    """
    limbs = [*legs, *others]
    if len(after) < 4 or not any(limbs):
        return None
    then, now = (derivative(pose[..., :3, 3], 3, 1.0) for pose in (before, after))
    peaks = [float(then[:, list(limb)].max()) for limb in limbs if limb]
    least = max(QUIET * max(peaks), noise)
    means = [sum(float(jerk[:, list(leg)].mean()) for leg in legs if leg) for jerk in (now, then)]
    mean = means[0] / max(means[1], noise) if any(legs) else 1.0
    found = []
    for limb, peak in zip([limb for limb in limbs if limb], peaks, strict=True):
        own = now[:, list(limb)]
        row, joint = np.unravel_index(int(own.argmax()), own.shape)
        ratio = float(own.max()) / max(peak, least)
        found.append(JointJerk(limb[int(joint)], int(row) + 1, ratio, mean))
    return max(found, key=lambda each: each.ratio)
