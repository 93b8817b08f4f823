"""The solver's settings from those on the armature."""

from __future__ import annotations

import bpy

from ...solver import Settings
from ..errors import RigError

# Frame rate at which the solver's smoothness is defined.
SMOOTHNESS_RATE = 24.0


def solver_settings(solver: bpy.types.PropertyGroup, rate: float) -> Settings:
    """The solver's settings from those on the armature, for `rate` solved frames a second.

    Raises:
        RigError: They contradict each other.
    """
    if solver.elites >= solver.population:
        raise RigError(
            f"There are {solver.elites} elites in a population of {solver.population}: "
            "choose fewer elites or a larger population."
        )
    return Settings(
        population=solver.population,
        elites=solver.elites,
        strategy=solver.strategy.lower(),
        evaluations=solver.evaluations,
        seed=solver.seed,
        # The same acceleration is a smaller change from frame to frame at a higher rate.
        smoothness=solver.smoothness * (rate / SMOOTHNESS_RATE) ** 4,
    )
