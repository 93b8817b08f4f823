"""Hand-tuned numbers of `motion.contacts`, with their units and effects; see docs/tuning.md."""

from __future__ import annotations

from dataclasses import dataclass

from ..tuned import tuned


@dataclass(frozen=True)
class ContactTuning:
    """Numbers of the detection of contacts, for a character of 1.6 m."""

    speed: float = tuned(0.35, "m/s", "A point slower than this may stand.", "unreached, drift")
    height: float = tuned(
        0.045, "m", "A ball lower than this above the floor may stand.", "unreached, height"
    )
    stand: float = tuned(
        0.040, "m", "A standing ball stays within this distance of its place.", "drift, unreached"
    )
    end_share: float = tuned(
        0.67,
        "ratio",
        "Height and distance of a standing heel or tip as a share of the ball's.",
        "height, swing",
    )
    slow_share: float = tuned(
        0.25,
        "ratio",
        "What stands is slower than this share of its swing, or of the body that passes it.",
        "unreached, hands",
    )
    swing_quantile: float = tuned(
        0.95, "ratio", "Quantile of a point's speed that is the speed of its swing.", "unreached"
    )
    noise_speed: float = tuned(0.1, "m/s", "Speed of noise and of small slips.", "unreached")
    leaving_speed: float = tuned(
        0.9,
        "m/s",
        "A contact ends where its point is faster, however near its place.",
        "drift, jerk_legs",
    )
    held_up: float = tuned(
        0.4, "m", "A foot this far above the lowest one is held up, however still.", "unreached"
    )
    speed_seconds: float = tuned(
        0.03,
        "s",
        "Half the time over which speeds are averaged against the noise of fast recordings.",
        "unreached",
    )
    join_stands: float = tuned(
        1.25, "ratio", "Stands closer in place than this many radii are joined.", "drift"
    )
    arrived: float = tuned(
        0.003,
        "m",
        "Distance within which a point has arrived at its place, or is at the height of others.",
        "jerk, height",
    )
    least_seconds: float = tuned(
        0.08,
        "s",
        "Shorter stands are no contacts, shorter gaps no ends; around trembling, feet are led.",
        "jerk_legs, drift",
    )
    least_frames: int = tuned(3, "frames", "Shorter stands are no contacts.", "jerk_legs")


CONTACTS = ContactTuning()


@dataclass(frozen=True)
class FloorTuning:
    """Numbers of the source's floor."""

    stand_part: float = tuned(
        0.1,
        "ratio",
        "Share of a stand's heights below the height it is given, against noise.",
        "height",
    )


FLOOR = FloorTuning()


@dataclass(frozen=True)
class LevelTuning:
    """Numbers of levels above the source's floor, for a character of 1.6 m."""

    steep: float = tuned(
        0.1,
        "tangent",
        "From stand to stand a floor drifts less steeply, a step or rung is steeper.",
        "height, pelvis",
    )
    high: float = tuned(
        0.45, "m", "A climb above this is of something: it keeps its height.", "pelvis, height"
    )


LEVELS = LevelTuning()


@dataclass(frozen=True)
class InPlaceTuning:
    """Numbers of clips in place, whose feet move with a belt, for a character of 1.6 m."""

    least_share: float = tuned(
        0.4, "ratio", "Share of the low frames that move with a belt.", "drift"
    )
    carried: float = tuned(
        0.4,
        "ratio",
        "A point on the belt has at least this share of the belt's velocity.",
        "height",
    )
    least_frames: int = tuned(
        2, "frames", "Shortest contact; runs at 24 frames per second have no longer ones.", "height"
    )
    same_height: float = tuned(
        0.004,
        "m",
        "A contact lasts while its point is as high as in its middle but for this.",
        "height",
    )
    lifted: float = tuned(
        0.02,
        "m",
        "A contact begins and ends with its point no higher than this above its middle.",
        "height",
    )


IN_PLACE = InPlaceTuning()
