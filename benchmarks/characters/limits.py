"""What is promised about every character and motion, and what a scene misses."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

# Where heights are the source's: climbs and falls over a floor, and with what was climbed.
SAME_HEIGHTS = ("flat", "props")


@dataclass(frozen=True)
class Limit:
    """A promise about one of the numbers of `Quality`.

    Attributes:
        name: The number.
        text: What it is, in words.
        most: The most it may be.
        unit: Its unit.
        words: What the tool's sentence calls it, any of these.
    """

    name: str
    text: str
    most: float
    unit: str
    words: tuple[str, ...]


DENIED = ("no penetration", "nothing sinks", "nothing penetrates")
IN_GROUND = ("penetrat", "sink", "in the ground", "under the ground", "below the ground")
FLOATING = ("float", "off the ground", "late")
LIMITS = (
    Limit("foot", "meshes of feet in the ground", 5.0, " mm", IN_GROUND),
    Limit("body", "the body in the ground, more than in the source", 10.0, " mm", IN_GROUND),
    # Without these, who lifts everybody off the ground would miss nothing.
    Limit("floats", "contacts over the ground", 10.0, " mm", FLOATING),
    Limit("late", "contacts over the ground as they begin", 10.0, " mm", FLOATING),
    Limit("drift", "drift of contacts, mean", 1.0, " mm", ("slid", "drift")),
    Limit("jerk", "jerk of the legs", 1.15, "", ("jolt", "jerk", "harsh", "shak")),
    Limit("worst", "worst jerk of a leg", 1.5, "", ("jolt", "jerk", "harsh", "accelerat")),
    Limit("upper", "turn of the upper body", 0.2, " deg", ("upper body", "turn", "tilt", "twist")),
    Limit("links", "stretch of rigid links", 1.0, " mm", ("stretch", "detach", "apart", "gap")),
    Limit("rise", "change of height of climbs and falls", 50.0, " mm", ("height",)),
)  # fmt: skip
MORE_THAN_SOURCE = 4.0  # millimetres that a foot may be deeper than the source's in its own floor


def holds(limit: Limit, scene: str) -> bool:
    """Whether something is promised for a scene, "character.clip.ground"."""
    return limit.name != "rise" or scene.split(".")[-1] in SAME_HEIGHTS


def missed(scene: str, quality: Mapping[str, Any]) -> list[Limit]:
    """What a scene misses."""
    found = []
    for limit in LIMITS:
        if not holds(limit, scene) or quality[limit.name] <= limit.most:
            continue
        if limit.name == "foot" and quality["foot_more"] <= MORE_THAN_SOURCE:
            continue
        found.append(limit)
    return found


def unsaid(limits: list[Limit], sentence: str, size: float = 1.0) -> list[str]:
    """Names of what is missed and what a sentence does not tell of.

    Sentences have true lengths, limits are for a person: `size` is how large a character is
    against one.
    """
    return [limit.name for limit in limits if not _tells(limit, sentence.lower(), size)]


def _tells(limit: Limit, sentence: str, size: float) -> bool:
    """Whether a part of a sentence calls something wrong: a small number beside it does not."""
    for part in re.split(r"[;,]", re.sub(r"\(before[^)]*\)", "", sentence)):
        if any(word in part for word in limit.words) and not any(no in part for no in DENIED):
            lengths = [float(number) for number in re.findall(r"([\d.]+) mm", part)]
            if not lengths or max(lengths) > limit.most * size:
                return True
    return False
