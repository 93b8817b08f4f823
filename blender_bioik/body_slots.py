"""The slots of a mapping: body parts and their weights."""

from __future__ import annotations

SIDES = ("L", "R")
LEG_PARTS = ("thigh", "shin", "foot", "toe")
ARM_PARTS = ("shoulder", "upper_arm", "forearm", "hand")

# Weights rate a mapping that lacks the part: post-processing depends on legs and pelvis;
# many good rigs have no toe, shoulder or neck bone, so their absence must cost little.
WEIGHTS = {
    "pelvis": 2.0,
    "spine": 1.0,
    "neck": 0.25,
    "head": 1.0,
    "thigh": 3.0,
    "shin": 3.0,
    "foot": 3.0,
    "toe": 0.5,
    "shoulder": 0.25,
    "upper_arm": 1.0,
    "forearm": 1.0,
    "hand": 1.0,
    "tail": 0.0,
}

SLOTS = (
    "pelvis",
    "head",
    *(f"{part}.{side}" for side in SIDES for part in (*LEG_PARTS, *ARM_PARTS)),
)
"""Slots that hold one bone each. `spine`, `neck` and `tail` hold several."""

LIST_SLOTS = ("spine", "neck", "tail")
OPTIONAL = "tail"
"""A slot that most bodies do not have."""

TOTAL_WEIGHT = sum(WEIGHTS[slot.split(".")[0]] for slot in (*SLOTS, *LIST_SLOTS))


def weight(slot: str) -> float:
    """Weight of a slot ("thigh.L", "spine")."""
    return WEIGHTS[slot.split(".")[0]]
