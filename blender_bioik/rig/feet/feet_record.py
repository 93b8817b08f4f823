"""The inputs of a foot placement, to detect changed frames later."""

from __future__ import annotations

from collections.abc import Sequence

from ..problem.feet_problem import FeetProblem
from ..record.bake_inputs import contact_digests, inputs_of_feet
from ..record.bake_record import BakeInputs
from ..record.ground_sketches import ground_sketches
from ..source.options import BakeOptions
from ..transforms import Floats
from .placement import Placement


def feet_ground(feet: FeetProblem) -> Floats:
    """Sketch of the ground in each frame, (f, SUMS). Does not access Blender."""
    return ground_sketches(feet.terrain, feet.feet, feet.resting, feet.source.rate, feet.scale)


def feet_inputs(
    placement: Placement,
    options: BakeOptions,
    ground: Floats,
    *,
    before: BakeInputs | None = None,
    bones: Sequence[str] | None = None,
) -> BakeInputs:
    """The inputs of a foot placement; see `inputs_of_feet`."""
    feet, source = placement.feet, placement.source
    contacts = contact_digests(feet.all_contacts, feet.contact_names, len(source.frames))
    return inputs_of_feet(source, options, contacts, ground, before=before, bones=bones)


def feet_record(
    placement: Placement, options: BakeOptions, ground: Floats, before: BakeInputs | None = None
) -> BakeInputs | None:
    """The inputs to store; None if the placement cannot be updated in part.

    This is the case for ground given by the caller, and for a replaced source: feet that already
    stand on the ground do not show the floor they were animated on.
    """
    if not placement.own_grounds or options.output == "IN_PLACE":
        return None
    return feet_inputs(placement, options, ground, before=before)
