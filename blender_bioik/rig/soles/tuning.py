"""Hand-tuned numbers of `rig.legs`, with their units and effects; see docs/tuning.md."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

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
    short_bones: float = tuned(
        0.3,
        "ratio",
        "Shorter bones, as importers make them, do not say where the foot points to.",
        "yaw",
    )
    middle: float = tuned(
        0.4, "ratio", "The heel is behind this share of the foot, the ball before it.", "height"
    )
    ball_default: float = tuned(
        0.7, "ratio", "Place of the ball where the bones do not tell.", "drift, height"
    )
    same_joint: float = tuned(
        0.02,
        "legs",
        "Bones that begin closer than this share of the leg have the same joint.",
        "height",
    )
    follows: float = tuned(
        0.05,
        "ratio",
        "Bones further from a control than this share of the leg do not follow it.",
        "drift",
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
    astray: float = tuned(
        0.25,
        "cosine",
        "A last bone that turns away from the foot by more has an arbitrary tail.",
        "yaw, height",
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
    long_toes: float = tuned(
        0.7,
        "ratio",
        "Toes that reach this share of the longest one's way count for the end of the foot.",
        "height",
    )
    bent_knee: float = tuned(
        0.02,
        "ratio",
        "A knee this share of the leg beside its straight line shows where forward is.",
        "yaw",
    )
    hinge_bend_degrees: float = tuned(
        15.0, "deg", "The axis of a hinge is read where it is bent by more than this.", "knee"
    )
    trunk_tilt_degrees: float = tuned(
        25.0,
        "deg",
        "Tilt with the ground of a trunk on more than two legs, at most.",
        "upper, pelvis",
    )
    carried_bones: float = tuned(
        0.5, "ratio", "Share of the bones below a bone from which it carries the character.", "-"
    )

    @property
    def hinge_bend(self) -> float:
        """`hinge_bend_degrees` as radians."""
        return float(np.radians(self.hinge_bend_degrees))

    @property
    def trunk_tilt(self) -> float:
        """`trunk_tilt_degrees` as radians."""
        return float(np.radians(self.trunk_tilt_degrees))


SOLE_BONES = SoleBoneTuning()
