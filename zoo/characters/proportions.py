"""Bodies of other proportions, at random by a seed: legs, arms, width and length."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from demo.skeleton import Bone, Vector

from ..body import Body, Limb, Part

Warp = Callable[[Vector], Vector]
# Shares of the height by which the joints of one side may be elsewhere than the other's.
UNEVEN = 0.004


def varied(body: Body, seed: int) -> Body:
    """The body with longer or shorter legs and arms, wider or longer, its sides a little uneven."""
    random = np.random.default_rng(seed)
    legs, above, wide, long, arms = np.exp(random.uniform(-0.45, 0.45, 5))
    hip = float(np.mean([body.head(leg.bones[0])[2] for leg in body.legs]))
    shoulder = max(
        (abs(body.head(limb.bones[0])[0]) for limb in body.limbs if limb.sole is None),
        default=np.inf,
    )
    uneven = UNEVEN * body.height * random.normal(size=3)

    def warp(point: Vector) -> Vector:
        x, y, z = point
        side = min(abs(x), shoulder) * wide + max(abs(x) - shoulder, 0.0) * arms
        shift = uneven * min(max(z, 0.0) / hip, 1.0) if x < 0.0 else np.zeros(3)
        height = legs * min(z, hip) + above * max(z - hip, 0.0)
        return (
            float(np.sign(x) * side + shift[0]),
            float(y * long + shift[1]),
            float(height + shift[2]),
        )

    return replace(
        body,
        bones=tuple(_bone(bone, warp) for bone in body.bones),
        limbs=tuple(_limb(limb, warp) for limb in body.limbs),
        parts=tuple(_part(part, warp) for part in body.parts),
        height=legs * hip + above * (body.height - hip),
        tails={role: warp(tail) for role, tail in body.tails.items()},
        extra=tuple((_bone(bone, warp), role) for bone, role in body.extra),
    )


def _bone(bone: Bone, warp: Warp) -> Bone:
    return replace(bone, head=warp(bone.head), tail=warp(bone.tail))


def _limb(limb: Limb, warp: Warp) -> Limb:
    if limb.sole is None:
        return limb
    heel, ball, tip = (warp(point) for point in limb.sole)
    return replace(limb, sole=(heel, ball, tip))


def _part(part: Part, warp: Warp) -> Part:
    return replace(part, start=warp(part.start), end=warp(part.end))
