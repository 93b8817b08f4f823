"""Settings of a solve; the defaults work everywhere."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from typing import Literal

from ..errors import SettingsError
from ..kernels.arena import (
    EVALUATIONS,
    EXPLOITATION,
    ITERATIONS,
    LBFGSB_AT,
    MEAN_ERROR,
    PAPER,
    SEED,
    STRATEGY,
)
from ..kernels.compiled import Ints
from ..search.evolution import BY_LBFGSB, BY_LM
from ..search.frames import EVOLUTION, LOCAL, MEMETIC
from ..search.lbfgsb import LBFGSB

Strategy = Literal["memetic", "local", "evolution"]
Exploitation = Literal["lm", "lbfgsb"]

STRATEGIES: dict[str, int] = {"local": LOCAL, "memetic": MEMETIC, "evolution": EVOLUTION}
EXPLOITATIONS: dict[str, int] = {"lm": BY_LM, "lbfgsb": BY_LBFGSB}


@dataclass(frozen=True)
class Settings:
    """How to solve.

    Attributes:
        population: Individuals of the evolution.
        elites: The fittest of them, which survive a generation. In the paper's configuration they
            alone are improved by local search; by default every individual is, at its birth.
        strategy: "memetic" tries the seed by local search and evolves where that fails; "local"
            never evolves; "evolution" evolves from the first generation, as the paper does.
        exploitation: Local search of the evolution: "lm" (bounded Levenberg-Marquardt) or "lbfgsb"
            (the paper's).
        evaluations: Budget of forward-kinematics evaluations for a pose or frame. Counted, so the
            result does not depend on the clock.
        iterations: Iterations of one local search.
        time_limit_ms: Optional limit in milliseconds for interactive use; with it the result does
            depend on the clock.
        seed: Seed of the random numbers: same inputs and seed, same result, bit for bit.
        fitness: "rmse" (eq. 14) or "mean" (mean of the losses, as Table II compares).
        warm_start: Where a frame of a clip starts: from the "previous" frame's solution, or from
            its own "source" pose, which makes the frames independent of each other.
        threads: Threads for a clip; the result is the same for any number.
        smoothness: Above zero, the frames of a clip are solved together once more, with the squared
            acceleration of their correction (solution less source, radians per frame squared)
            weighted by this relative to the goals.
    """

    population: int = 12
    elites: int = 6
    strategy: Strategy = "memetic"
    exploitation: Exploitation = "lm"
    evaluations: int = 20_000
    iterations: int = 30
    time_limit_ms: float | None = None
    seed: int = 0
    fitness: Literal["rmse", "mean"] = "rmse"
    warm_start: Literal["previous", "source"] = "previous"
    threads: int = os.cpu_count() or 1
    smoothness: float = 0.0

    def __post_init__(self) -> None:
        """Check the ranges."""
        _check(self.population >= 2, "population", self.population, "at least 2")
        _check(1 <= self.elites < self.population, "elites", self.elites, "1 to population - 1")
        _check(self.strategy in STRATEGIES, "strategy", self.strategy, " or ".join(STRATEGIES))
        _check(
            self.exploitation in EXPLOITATIONS,
            "exploitation",
            self.exploitation,
            " or ".join(EXPLOITATIONS),
        )
        _check(self.evaluations >= 1, "evaluations", self.evaluations, "at least 1")
        _check(self.iterations >= 1, "iterations", self.iterations, "at least 1")
        _check(
            self.time_limit_ms is None or self.time_limit_ms > 0.0,
            "time_limit_ms",
            self.time_limit_ms,
            "above zero, or None",
        )
        _check(0 <= self.seed < 2**63, "seed", self.seed, "zero or more")
        _check(self.fitness in ("rmse", "mean"), "fitness", self.fitness, "rmse or mean")
        _check(
            self.warm_start in ("previous", "source"),
            "warm_start",
            self.warm_start,
            "previous or source",
        )
        _check(self.threads >= 1, "threads", self.threads, "at least 1")
        _check(
            0.0 <= self.smoothness < math.inf,
            "smoothness",
            self.smoothness,
            "zero or above, finite",
        )

    @classmethod
    def paper(cls, population: int = 100, elites: int = 3, seed: int = 0) -> Settings:
        """The paper's own configuration: evolution from the start, L-BFGS-B elites."""
        return cls(
            population=population,
            elites=elites,
            strategy="evolution",
            exploitation="lbfgsb",
            iterations=40,
            seed=seed,
        )

    def write(self, I: Ints) -> None:
        """Write the part the kernels need into an arena's header."""
        I[STRATEGY] = STRATEGIES[self.strategy]
        I[SEED] = self.seed
        I[EVALUATIONS] = self.evaluations
        I[ITERATIONS] = self.iterations
        I[EXPLOITATION] = EXPLOITATIONS[self.exploitation]
        I[PAPER] = self.strategy == "evolution"
        I[MEAN_ERROR] = self.fitness == "mean"
        I[LBFGSB_AT] = LBFGSB.address() if self.exploitation == "lbfgsb" else 0


def _check(holds: bool, name: str, value: object, wanted: str) -> None:
    if not holds:
        raise SettingsError(f"The setting '{name}' must be {wanted}, not {value!r}.")
