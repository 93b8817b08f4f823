"""A spider: eight legs that rise to knees over the body, an abdomen behind, fangs in front."""

from __future__ import annotations

from demo.skeleton import Bone, Vector

from ..body import Body, Limb, Part

UP: Vector = (0.0, 0.0, 1.0)
ROWS = (-0.24, -0.08, 0.08, 0.24)
SPREAD = 2.4  # how far the feet are apart along the body against the hips
HIP, KNEE, FOOT = (0.10, 0.22), (0.34, 0.46), (0.62, 0.06)


def eight_legs() -> Body:
    """The spider."""
    bones = [
        Bone("hips", "", (0.0, 0.10, 0.22), (0.0, -0.20, 0.22), UP),
        Bone("abdomen", "hips", (0.0, 0.26, 0.24), (0.0, 0.75, 0.30), UP),
        Bone("head", "hips", (0.0, -0.28, 0.22), (0.0, -0.45, 0.22), UP),
        Bone("fang.L", "head", (0.04, -0.42, 0.20), (0.04, -0.46, 0.10), UP),
        Bone("fang.R", "head", (-0.04, -0.42, 0.20), (-0.04, -0.46, 0.10), UP),
    ]
    parts = [
        Part("hips", (0.0, 0.20, 0.22), (0.0, -0.20, 0.22), 0.10),
        Part("abdomen", (0.0, 0.36, 0.26), (0.0, 0.65, 0.30), 0.18),
        Part("head", (0.0, -0.28, 0.22), (0.0, -0.36, 0.22), 0.07),
    ]
    limbs = []
    for number, y in enumerate(ROWS, 1):
        for side, sign in (("L", 1.0), ("R", -1.0)):
            (out, high), far = KNEE, SPREAD * y
            hip = (sign * HIP[0], y, HIP[1])
            knee = (sign * out, (y + far) / 2, high)
            foot = (sign * FOOT[0], far, FOOT[1])
            tip = (sign * (FOOT[0] + 0.02), far, 0.0)
            upper, lower, end = (f"{part}{number}.{side}" for part in ("thigh", "shin", "foot"))
            bones += [
                Bone(upper, "hips", hip, knee, UP),
                Bone(lower, upper, knee, foot, UP),
                Bone(end, lower, foot, tip, (0.0, -1.0, 0.0)),
            ]
            sole = ((tip[0], far + 0.02, 0.0), tip, (tip[0], far - 0.02, 0.0))
            bend = (sign * 0.4, 0.0, 0.9)
            limbs.append(Limb(f"leg{number}.{side}", (upper, lower, end), None, bend, sole))
            parts += [
                Part(upper, hip, knee, 0.03),
                Part(lower, knee, foot, 0.025),
                Part(end, (foot[0], far, 0.03), (tip[0], far, 0.03), box=(0.02, 0.025, 0.03)),
            ]
    return Body(tuple(bones), tuple(limbs), tuple(parts), 0.5, spine=(), neck=())
