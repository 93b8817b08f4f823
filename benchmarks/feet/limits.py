"""What is promised about placed feet, and where it is kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from benchmarks.report import Section

if TYPE_CHECKING:
    from benchmarks.feet.measure import Feet

GENTLE = ("flat", "slope", "slope_down", "hills", "other_hills")
MOVING = ("slide", "platform")
FLAT = ("flat",)
# Clips that stand on their floor exactly: on a flat ground they come back as they were.
CLEAN = ("walk", "run", "trot")
# Clips in place: their feet glide over edges, off the ground for as long as that takes.
IN_PLACE = ("robot_walk", "robot_run")
EDGED = ("stairs", "rocks")
# Characters that are larger than a person, so many times.
LARGE = dict.fromkeys(IN_PLACE, 1.8)


@dataclass(frozen=True)
class Limit:
    """A promise about one of the numbers of `Feet`.

    Attributes:
        name: The number.
        text: What it is, in words.
        limit: The most it may be, or the least.
        unit: Its unit.
        grounds: Where it holds; None for everywhere but `beyond`.
        beyond: Where it does not hold.
        clips: The clips it holds for; None for all.
        but: Clips that it does not hold for.
        least: Whether it is the least.
        grows: Whether it is a length: characters larger than a person may have more in proportion.
    """

    name: str
    text: str
    limit: float
    unit: str = ""
    grounds: tuple[str, ...] | None = None
    beyond: tuple[str, ...] = ()
    clips: tuple[str, ...] | None = None
    but: tuple[str, ...] = ()
    least: bool = False
    grows: bool = False

    def holds_for(self, scene: str) -> bool:
        """Whether it is promised for a scene."""
        clip, ground = scene.split(".")
        if clip in self.but or (self.clips is not None and clip not in self.clips):
            return False
        return (self.grounds is None or ground in self.grounds) and ground not in self.beyond

    def share(self, scene: str, value: float) -> float:
        """A number of a scene as it counts: lengths of large characters in proportion."""
        size = LARGE.get(scene.split(".")[0], 1.0) if self.grows else 1.0
        return value / size

    def kept(self, value: float) -> bool:
        """Whether a number, as it counts, keeps the promise."""
        return value >= self.limit if self.least else value <= self.limit


LIMITS = (
    Limit("drift", "contact drift, mean", 0.3, " mm"),
    Limit("drift_worst", "contact drift, worst", 1.0, " mm"),
    Limit("penetration", "penetration of any sole point", 1.0, " mm"),
    Limit("mesh", "penetration of the meshes of feet", 5.0, " mm"),
    Limit("height", "height error in contact", 3.0, " mm", but=IN_PLACE),
    Limit(
        "height",
        "height error in contact, clips in place",
        3.0,
        " mm",
        clips=IN_PLACE,
        beyond=EDGED,
        grows=True,
    ),
    Limit("jerk", "jerk on flat, slope and hills", 1.02, grounds=GENTLE),
    Limit("jerk", "jerk on stairs, rocks and platforms", 1.15, beyond=GENTLE),
    Limit("jerk_legs", "jerk of the legs on flat, slope and hills", 1.10, grounds=GENTLE),
    Limit("jerk_legs", "jerk of the legs on stairs, rocks and platforms", 1.25, beyond=GENTLE),
    Limit("acceleration", "largest acceleration", 1.25),
    Limit("acceleration_legs", "99th percentile of the legs' acceleration", 1.15),
    Limit("knee", "largest angular acceleration of the knee", 1.2),
    Limit("yaw", "foot yaw while it is level", 5.0, " deg"),
    Limit("swing", "swing height", 0.6, least=True),
    Limit("pelvis_free", "pelvis sideways without need", 40.0, " mm", beyond=MOVING),
    # Trunks on more than two legs follow the slope on purpose.
    Limit("upper", "turn of bones above the pelvis", 0.1, " deg", but=("trot",)),
    Limit("legs", "clean clips on flat: mean turn of the legs", 0.5, " deg", FLAT, clips=CLEAN),
)


def missed(scene: str, feet: Feet) -> list[str]:
    """Names of the numbers that do not keep what is promised."""
    values = asdict(feet)
    return [
        limit.name
        for limit in LIMITS
        if limit.holds_for(scene) and not limit.kept(limit.share(scene, values[limit.name]))
    ]


def add_claims(section: Section, item: int, measured: Mapping[str, dict[str, Any]]) -> None:
    """Record each promise with the scene that comes closest to breaking it."""
    for limit in LIMITS:
        values = {
            scene: limit.share(scene, float(feet[limit.name]))
            for scene, feet in measured.items()
            if limit.holds_for(scene)
        }
        if not values:
            continue
        worst = (min if limit.least else max)(values, key=values.__getitem__)
        broken = sum(not limit.kept(value) for value in values.values())
        text = f"{limit.text}: {worst}, the worst of {len(values)} scenes"
        if broken:
            text += f", {broken} of which miss it"
        compare = section.at_least if limit.least else section.at_most
        compare(item, text, values[worst], limit.limit, limit.unit)
