"""A robot with six legs and the IK targets and poles of its legs among the bones."""

from __future__ import annotations

from demo.skeleton import Bone, Vector

from ..body import Body, Limb, Part

UP: Vector = (0.0, 0.0, 1.0)
# Where a leg begins, and how far out knee and foot are; the legs go sideways.
ROWS = (-0.35, 0.0, 0.35)
HIP, KNEE, FOOT = (0.20, 0.40), (0.48, 0.62), (0.72, 0.10)


def six_legs() -> Body:
    """Six legs; targets and poles are children of the root and follow feet and knees."""
    bones = [
        Bone("hips", "", (0.0, 0.0, 0.40), (0.0, -0.30, 0.40), UP),
        Bone("spine", "hips", (0.0, -0.30, 0.40), (0.0, -0.50, 0.42), UP),
        Bone("head", "spine", (0.0, -0.50, 0.42), (0.0, -0.70, 0.45), UP),
    ]
    extra: list[tuple[Bone, str]] = [
        (Bone("root", "", (0.0, 0.0, 0.0), (0.0, -0.3, 0.0), UP), "origin")
    ]
    limbs = []
    parts = [
        Part("hips", (0.0, 0.35, 0.40), (0.0, -0.30, 0.40), 0.16),
        Part("spine", (0.0, -0.35, 0.42), (0.0, -0.45, 0.42), 0.10),
        Part("head", (0.0, -0.52, 0.43), (0.0, -0.65, 0.45), 0.08),
    ]
    for number, y in enumerate(ROWS, 1):
        for side, sign in (("L", 1.0), ("R", -1.0)):
            name = f"leg{number}.{side}"
            hip, knee, foot = ((sign * x, y, z) for x, z in (HIP, KNEE, FOOT))
            tip = (sign * FOOT[0], y, 0.0)
            upper, lower, end = (f"{part}{number}.{side}" for part in ("thigh", "shin", "foot"))
            bones += [
                Bone(upper, "hips", hip, knee, UP),
                Bone(lower, upper, knee, foot, UP),
                Bone(end, lower, foot, tip, (0.0, -1.0, 0.0)),
            ]
            extra += [
                (Bone(f"ik{number}.{side}", "root", foot, (foot[0], y - 0.15, foot[2]), UP), end),
                (_pole(f"pole{number}.{side}", knee, sign), lower),
            ]
            bend = (sign * 0.5, 0.0, 0.8)
            sole = ((tip[0], y + 0.04, 0.0), tip, (tip[0], y - 0.04, 0.0))
            limbs.append(Limb(name, (upper, lower, end), None, bend, sole))
            front, back = ((tip[0], y + shift, 0.05) for shift in (0.03, -0.03))
            parts += [
                Part(upper, hip, knee, 0.045),
                Part(lower, knee, foot, 0.035),
                Part(end, front, back, box=(0.05, 0.02, 0.05)),
            ]
    return Body(
        tuple(bones), tuple(limbs), tuple(parts), 0.8, spine=("spine",), neck=(), extra=tuple(extra)
    )


def _pole(name: str, knee: Vector, sign: float) -> Bone:
    head = (knee[0] + 0.25 * sign, knee[1], knee[2] + 0.3)
    return Bone(name, "root", head, (head[0], head[1], head[2] + 0.1), (0.0, -1.0, 0.0))
