"""Hand-tuned numbers of `motion.plan`, with their units and effects; see docs/tuning.md."""

from __future__ import annotations

from dataclasses import dataclass

from ..tuned import tuned


@dataclass(frozen=True)
class FootstepTuning:
    """Numbers of the search for a place to stand, for a character of 1.6 m.

    All costs are in one unit: what costs one is as bad as anything else that costs one.
    """

    search: float = tuned(
        0.13, "m", "Distance within which a place to stand is looked for.", "mesh, pelvis"
    )
    search_steps: int = tuned(13, "count", "Places along each axis of that search.", "mesh, height")
    aside: float = tuned(
        0.06, "m", "Distance from the animated place that costs one.", "pelvis, jerk"
    )
    into: float = tuned(
        0.01,
        "m",
        "Metres into a riser, the other foot, the sole, high or steep ground that cost one.",
        "mesh, penetration",
    )
    overhang: float = tuned(
        0.07,
        "m",
        "Drop below an overhanging heel or tip, or just behind a heel, that costs one.",
        "height",
    )
    heel_middle: float = tuned(
        0.5, "ratio", "Share of the way from ball to heel that is looked at as well.", "mesh"
    )
    sole_parts: int = tuned(8, "count", "Places along each half of a sole.", "mesh, height")


FOOTSTEPS = FootstepTuning()


@dataclass(frozen=True)
class SoleTuning:
    """Numbers of soles on uneven ground, for a character of 1.6 m."""

    lean: float = tuned(0.12, "tangent", "Lean of a foot to its sides, at most.", "mesh, yaw")
    poking: float = tuned(
        30.0,
        "ratio",
        "Weight of ground that pokes into the sole against ground that it bridges.",
        "mesh, height",
    )
    most_over: float = tuned(
        0.001,
        "m",
        "Ground may poke this far into the sole: the ball is raised by as much.",
        "height, mesh",
    )
    followed: float = tuned(
        0.47,
        "tangent",
        "Feet follow ground that rises or drops from the ball by up to this.",
        "mesh, height",
    )
    even: float = tuned(0.005, "m", "Ground this close to a plane is even.", "height, mesh")
    edge_around: float = tuned(
        2.0,
        "ratio",
        "Foot lengths around a place within which edges and walls matter to the foot.",
        "height",
    )
    uneven_lock: float = tuned(
        0.14, "ratio", "Stiffness of heel and tip on uneven ground.", "height, mesh"
    )
    lift: float = tuned(
        0.0005,
        "m",
        "Planted feet are put this far above the ground, since solving errs to both sides.",
        "penetration, height",
    )
    slide_radius: float = tuned(
        0.4, "m", "Radius of the tightest arc along which a sliding foot goes.", "jerk_legs, height"
    )
    slide_seconds: float = tuned(
        0.05, "s", "Half the time over which a sliding foot averages the slope.", "jerk_legs"
    )


SOLES = SoleTuning()


@dataclass(frozen=True)
class LockTuning:
    """Numbers of the rows in which a contact is locked, for a character of 1.6 m."""

    trim: float = tuned(
        0.06,
        "ratio",
        "Share at both ends of a contact, at most, that is not locked: the foot lands and leaves.",
        "jerk_legs, drift",
    )
    quick_seconds: float = tuned(0.35, "s", "Stands shorter than this are of a run.", "jerk_legs")
    landed: float = tuned(
        0.008,
        "m",
        "A foot higher than this above its lowest has not landed.",
        "jerk_legs, acceleration",
    )
    quick_trim: float = tuned(
        0.08, "ratio", "Share of a run's stand, at most, that is not locked for that.", "jerk"
    )
    ease_decades: float = tuned(
        4.0, "decades", "Powers of ten by which a lock's stiffness eases at its ends.", "jerk_legs"
    )


LOCKS = LockTuning()


@dataclass(frozen=True)
class SwingTuning:
    """Numbers of the paths of swinging feet and of the body, for a character of 1.6 m."""

    kept_height: float = tuned(
        0.65, "ratio", "Share of its height that a swing keeps at its top.", "swing, jerk_legs"
    )
    step: float = tuned(
        0.01,
        "m",
        "Spacing of looks at the ground, least way of a foot that travels, thickness of a shoe.",
        "mesh, penetration",
    )


SWINGS = SwingTuning()
