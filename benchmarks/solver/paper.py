"""Promise 3: the paper's own configuration against its Tables I and II."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from benchmarks.report import Scale, Section, Table, milliseconds, percent
from benchmarks.solver.ours import Ours, moving_joints, with_joint_tip, with_tips
from benchmarks.solver.race import one_by_one
from benchmarks.solver.robots import (
    Bools,
    Floats,
    Queries,
    Robot,
    forward,
    judge,
    random_queries,
)
from blender_bioik.solver import Settings

ITEM = 3
ENTROPY = (0xB10, 3)
LIMIT_MS = 10.0
LONG_LIMIT_MS = 1000.0
"""Table I's other limit; with it success does not depend much on the machine."""
LONG_EVALUATIONS = 10_000_000
POSITION_TOL = 1e-4
STANDARD_ERRORS = 2.0
"""A success rate is reproduced unless it is lower by more than this many standard errors."""
ELBOW = "rightElbow"
ARM_POPULATION = (75, 2)
"""Table I does not say which; these are Table II's for six joints."""


@dataclass(frozen=True)
class Setup:
    """A row of a table of the paper: milliseconds and success in percent, as published."""

    name: str
    robot: Callable[[], Robot]
    population: int
    elites: int
    rmse: tuple[float, float]
    mean_error: tuple[float, float] | None = None
    points: tuple[str, ...] = ()


def _arm(name: str, time_ms: float, success: float) -> Setup:
    return Setup(name, lambda: Robot.load(name), *ARM_POPULATION, (time_ms, success))


def _part(name: str, *tips: str) -> Callable[[], Robot]:
    return lambda: with_tips(Robot.load(name), tips)


def _elbow_and_head() -> Robot:
    robot = with_joint_tip(Robot.load("val32"), "rightElbowPitch", ELBOW)
    return with_tips(robot, ("rightPalm", ELBOW, "head"))


PALMS, FEET = ("rightPalm", "leftPalm"), ("rightFoot", "leftFoot")
TABLE_1 = (
    _arm("pr2", 0.91, 99.47),
    _arm("baxter", 1.12, 99.16),
    _arm("iiwa", 0.74, 99.93),
    _arm("kr120", 1.09, 99.21),
    _arm("ur5", 0.91, 99.38),
)
TABLE_2 = (
    Setup("wrist", _part("val10", "rightPalm"), 90, 2, (0.87, 99.96), (1.79, 90.23)),
    Setup("leg", _part("legs12", "rightFoot"), 75, 2, (0.63, 99.98), (1.48, 93.36)),
    Setup("wrists", _part("val17", *PALMS), 100, 3, (2.07, 98.31), (5.97, 24.72)),
    Setup("wrist, elbow, look", _elbow_and_head, 110, 3, (2.23, 98.82), (5.31, 18.11), (ELBOW,)),
    Setup("wrists, look", _part("val32", *PALMS, "head"), 130, 3, (2.67, 97.98), (6.53, 7.94)),
    Setup("wrists, feet", _part("val35", *PALMS, *FEET), 160, 4, (5.64, 95.29), (8.43, 1.27)),
    Setup(
        "wrists, feet, look",
        _part("val35", *PALMS, *FEET, "head"),
        180,
        4,
        (6.22, 94.56),
        (9.13, 0.48),
    ),
)


@dataclass(frozen=True)
class Outcome:
    """What the paper's configuration reached: shares, and seconds over the solved queries."""

    success: float
    seconds: float
    error: float
    """Standard error of the success."""


def run(scale: Scale) -> Section:
    """Measure every row at hand."""
    section = Section("3. The paper's configuration within 10 ms, against its Tables I and II")
    first = Table(
        "Table I: serial manipulators, paper -> ours",
        (
            "arm",
            "DoF",
            "queries",
            "paper ms",
            "ms",
            "paper solved %",
            "solved %",
            "in 1 s: ms",
            "in 1 s: solved %",
        ),
    )
    second = Table(
        "Table II: Valkyrie, RMSE and mean error (ME) as the loss, paper -> ours",
        (
            "goals",
            "DoF",
            "individuals / elites",
            "queries",
            "paper ms",
            "ms",
            "paper solved %",
            "solved %",
            "paper ME ms",
            "ME ms",
            "paper ME solved %",
            "ME solved %",
            "in 1 s: ms",
            "in 1 s: solved %",
        ),
    )
    section.tables += [first, second]
    for index, setup in enumerate(TABLE_1):
        count, count_long = scale.count(4000, 100), scale.count(500, 50)
        joints, got = _measure(setup, index, count)
        _, long = _measure(setup, index, count_long, limit_ms=LONG_LIMIT_MS)
        paper_ms, paper_success = setup.rmse
        first.rows.append(
            (
                setup.name,
                joints,
                count,
                paper_ms,
                _ms(got),
                paper_success,
                percent(got.success),
                _ms(long),
                percent(long.success),
            )
        )
        _claim(section, f"Table I, {setup.name}", got, paper_success)
    for index, setup in enumerate(TABLE_2, start=len(TABLE_1)):
        count, count_me = scale.count(4000, 100), scale.count(1000, 50)
        _, long = _measure(setup, index, scale.count(200, 20), limit_ms=LONG_LIMIT_MS)
        joints, got = _measure(setup, index, count)
        _, mean_error = _measure(setup, index, count_me, "mean")
        assert setup.mean_error is not None
        second.rows.append(
            (
                setup.name,
                joints,
                f"{setup.population} / {setup.elites}",
                count,
                setup.rmse[0],
                _ms(got),
                setup.rmse[1],
                percent(got.success),
                setup.mean_error[0],
                _ms(mean_error),
                setup.mean_error[1],
                percent(mean_error.success),
                _ms(long),
                percent(long.success),
            )
        )
        label = f"Table II, {setup.name}"
        _claim(section, label, got, setup.rmse[1])
        gap = percent(got.success - mean_error.success)
        section.at_least(ITEM, f"{label}: solved by RMSE less solved by ME", gap, 0.0, " %")
    section.notes += [
        "The times are means over the solved queries, as the paper's must be: its mean error row "
        "of 35 DoF has 9.13 ms with 99.5 % timeouts. Its machine was a 2.6 GHz notebook with C#.",
        "Success needs an answer that the judge accepts within 10 ms. A rate is reproduced unless "
        f"it is lower by more than {STANDARD_ERRORS:g} standard errors.",
        "'in 1 s' is the same configuration with the other time limit of Table I (which says "
        "100 %), on fewer queries: what is solved there but not in 10 ms is a matter of speed.",
        "Not run: Fanuc M-10iA (no model at hand), wrist and fingers of 23 DoF (no hands in the "
        "models at hand).",
        f"Table I does not give its parameters; {ARM_POPULATION[0]} individuals and "
        f"{ARM_POPULATION[1]} elites were used.",
    ]
    return section


def _measure(
    setup: Setup,
    index: int,
    count: int,
    fitness: Literal["rmse", "mean"] = "rmse",
    limit_ms: float = LIMIT_MS,
) -> tuple[int, Outcome]:
    """Number of joints that take part, and what was reached on `count` queries."""
    robot = setup.robot()
    ours = Ours(robot, setup.points)
    queries = random_queries(robot, count, np.random.default_rng((*ENTROPY, index)))
    goals = ours.goals(queries.targets)
    settings = replace(
        Settings.paper(setup.population, setup.elites),
        time_limit_ms=limit_ms,
        fitness=fitness,
        evaluations=LONG_EVALUATIONS,
    )

    def solve(i: int) -> Floats:
        return ours.solve_one(goals[i], queries.seeds[i], settings).values

    seconds, answers = one_by_one(solve, count, robot.dof)
    good = _judge(robot, setup.points, queries, answers) & (1000.0 * seconds <= limit_ms)
    share = float(good.mean())
    # Laplace's estimate keeps the error above zero when all or none are solved.
    smooth = (share * count + 1.0) / (count + 2.0)
    error = math.sqrt(smooth * (1.0 - smooth) / count)
    mean = float(seconds[good].mean()) if good.any() else math.nan
    return moving_joints(robot), Outcome(share, mean, error)


def _judge(robot: Robot, points: tuple[str, ...], queries: Queries, answers: Floats) -> Bools:
    """The judge's verdict, with tips of which only the position is asked."""
    whole = [tip for tip in robot.tips if tip not in points]
    kept = [robot.tips.index(tip) for tip in whole]
    asked = Queries(queries.targets[:, kept], queries.seeds, queries.truth)
    good = judge(with_tips(robot, whole), asked, answers)
    tips = forward(robot, answers)
    for tip in points:
        k = robot.tips.index(tip)
        offset = tips[:, k, :3, 3] - queries.targets[:, k, :3, 3]
        good &= np.linalg.norm(offset, axis=1) <= POSITION_TOL
    return good


def _claim(section: Section, text: str, got: Outcome, published: float) -> None:
    limit = round(published - 100.0 * STANDARD_ERRORS * got.error, 2)
    section.at_least(
        ITEM, f"{text}: solved (paper {published} %)", percent(got.success), limit, " %"
    )


def _ms(outcome: Outcome) -> float | None:
    return None if math.isnan(outcome.seconds) else milliseconds(outcome.seconds)
