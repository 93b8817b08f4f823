"""What the command line's `bake` does: feet where there is ground, else goals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bpy

from ..rig.bake.bake import bake
from ..rig.errors import RigError
from ..rig.feet.place_feet import place_feet
from ..rig.goals.tracks import enabled_goals
from ..rig.legs.ground import chosen_grounds


def chosen_bake(armature: bpy.types.Object) -> Callable[..., Any]:
    """The function that bakes an armature.

    Raises:
        RigError: It has neither ground nor goals.
    """
    if chosen_grounds(armature):
        return place_feet
    rig = armature.bioik
    if not enabled_goals(rig.goals) and not rig.solver.read_constraints:
        raise RigError(f'"{armature.name}" has neither ground nor goals: set --ground.')
    return bake
