"""What a placing of feet was made from, to tell later which frames have changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..record.bake_inputs import contact_digests, inputs_of_bake, scene_rate, settings_digest
from ..record.bake_record import BakeInputs
from ..transforms import Floats

if TYPE_CHECKING:
    from .place_feet import PlacementPlan


def inputs_of_placement(
    plan: PlacementPlan,
    ground: Floats,
    *,
    before: BakeInputs | None = None,
    bones: Sequence[str] | None = None,
) -> BakeInputs:
    """What a placing of feet is made from.

    Args:
        plan: What was read for it.
        ground: Sketch of the ground in each frame; see `bake_inputs.ground_sketches`.
        before: What an earlier placing into the same result was made from.
        bones: Bones whose source counts, to compare with others; None for all that decide.
    """
    bake = plan.bake
    goals = inputs_of_bake(bake, before=before, bones=bones)
    names = [foot.name for foot in plan.feet]
    contacts = contact_digests(plan.contacts, names, len(bake.clip.frames))
    rate = scene_rate(bake.scene)
    return replace(
        goals,
        feet=True,
        settings=settings_digest(bake.armature, bake.options, rate, feet=True),
        choices=goals.choices + contacts,
        ground=ground,
    )


def keep_placement_inputs(
    plan: PlacementPlan, ground: Floats, before: BakeInputs | None = None
) -> None:
    """Keep on the armature what a placing of feet was made from.

    Not for ground that only the caller knows, nor where the source was replaced: feet that stand on
    the ground already say nothing about the floor they were animated on.
    """
    kept = plan.own_grounds and plan.bake.options.output != "IN_PLACE"
    inputs = inputs_of_placement(plan, ground, before=before).to_text() if kept else ""
    plan.bake.armature.bioik.baked.inputs = inputs
