"""What a mapping that is not certain takes for legs, as sentences and as choices to confirm."""

from __future__ import annotations

import bpy

from ...findings import Finding, Severity
from ..errors import RigError
from .certainty import CERTAIN, SURE
from .chosen import rig_mapping
from .mapping import Mapping


def guess_problem(mapping: Mapping) -> str:
    """Why the legs of a mapping have to be confirmed first; empty if they are sure enough."""
    if not mapping.legs or mapping.confidence >= SURE:
        return ""
    return (
        f"It is not certain which bones are legs; the guess is {guess_text(mapping)}: confirm it "
        "with Use This Guess, or assign the bones in Body Parts (--map on the command line)."
    )


def guess_text(mapping: Mapping) -> str:
    """The legs of a mapping with their bones: "leg.L = thigh, shin, foot; leg.R = ..."."""
    return "; ".join(f"{leg.name} = {', '.join(leg.bones)}" for leg in mapping.legs)


def guessed_slots(mapping: Mapping) -> list[tuple[str, str]]:
    """Choices that confirm the legs of a mapping: body part and bone, several for a chain."""
    found = []
    for part in mapping.parts:
        name = part.limb.partition(".")[0]
        if name not in ("trunk", "arm"):
            found += [(part.slot, bone) for bone in part.bones]
    return found


def guess_findings(mapping: Mapping) -> list[Finding]:
    """What there is to know about a mapping that is likely but not certain."""
    if not mapping.legs or mapping.confidence >= CERTAIN:
        return []
    return [
        Finding(
            f"the legs were found by the shape of the skeleton ({guess_text(mapping)})",
            "mapping",
            Severity.WARNING,
        )
    ]


def refuse_guess(armature_object: bpy.types.Object) -> None:
    """Refuse to place feet of legs that are only guessed.

    Raises:
        RigError: Shows the guess and says what to do.
    """
    problem = guess_problem(rig_mapping(armature_object))
    if problem:
        raise RigError(problem)
