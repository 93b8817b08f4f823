"""Hand-tuned numbers of `rig.legs`, with their units and effects; see docs/tuning.md."""

from __future__ import annotations

from dataclasses import dataclass

from ...motion.tuned import tuned


@dataclass(frozen=True)
class SoleMeshTuning:
    """Numbers of soles measured on meshes, as shares of the foot's length unless said otherwise."""

    sole_height: float = tuned(
        0.04,
        "ratio",
        "Vertices lower than this above the lowest belong to the sole.",
        "height, mesh",
    )
    middle: float = tuned(
        0.4,
        "ratio",
        "Heel behind this share of the foot, ball before; shorter bones point nowhere.",
        "height",
    )
    ball_default: float = tuned(
        0.7,
        "ratio",
        "Place of the ball where the bones do not tell; toes that end behind it do not count.",
        "drift, height",
    )
    same_place: float = tuned(
        0.02,
        "legs",
        "What is closer than this share of the leg is at the same place: a joint, a straight knee.",
        "height, drift, yaw",
    )


SOLE_MESH = SoleMeshTuning()


@dataclass(frozen=True)
class SoleBoneTuning:
    """Numbers of soles read from bones."""

    on_point: float = tuned(
        1.5,
        "tangent",
        "A foot that leads down more steeply is a hoof, a claw or the like: it stands on its end.",
        "height",
    )
    toe_length: float = tuned(
        0.5, "ratio", "Length of a toe without an end, relative to the rest of the foot.", "height"
    )
    end_away: float = tuned(
        0.25,
        "ratio",
        "Toes end where bones on them begin, if these are further than this share of the foot.",
        "height",
    )
    carried_bones: float = tuned(
        0.5, "ratio", "Share of the bones below a bone from which it carries the character.", "-"
    )


SOLE_BONES = SoleBoneTuning()
