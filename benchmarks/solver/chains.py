"""Promise 4: serial chains of many joints, Fig. 10 of the paper and 30/90/180 of the thesis."""

from __future__ import annotations

import numpy as np

from benchmarks.report import Scale, Section, Table, digits, milliseconds, percent
from benchmarks.solver.ours import BATCH, Ours
from benchmarks.solver.race import WARM_UP, Contender, race
from benchmarks.solver.robots import Floats, Queries, random_queries, serial_chain
from blender_bioik.solver import Settings

ITEM = 4
FIGURE = (10, 20, 30, 40, 60, 80, 90, 100, 120)
SIZES = (*FIGURE, 180)
ENTROPY = (0xB10, 4)
BLOCK = 50
PAPER = Settings(
    population=100,
    elites=3,
    strategy="evolution",
    exploitation="lbfgsb",
    iterations=Settings.paper().iterations,
    warm_start="source",
    threads=1,
)
"""The paper's configuration without a time limit, as Fig. 10 wants all queries solved."""


def run(scale: Scale) -> Section:
    """Measure all chains, by default and in the paper's configuration."""
    section = Section("4. Serial chains of many joints (Fig. 10)")
    plans = {
        "default": (BATCH, scale.count(500, 50), 1 if scale.quick else 3),
        "paper": (PAPER, scale.count(100, 50), 1),
    }
    for label, (settings, most, rounds) in plans.items():
        count = most // BLOCK * BLOCK
        table = Table(
            f"{label} configuration, {count} full poses a chain, in turns",
            ("DoF", "solved %", "mean ms", "us a DoF"),
        )
        section.tables.append(table)
        all_queries: dict[int, Queries] = {}
        contenders = []
        for dof in SIZES:
            robot = serial_chain(dof)
            queries = random_queries(robot, count, np.random.default_rng((*ENTROPY, dof)))
            all_queries[dof] = queries
            contenders.append(_chain(Ours(robot), queries, settings))
        results = race(contenders, BLOCK, rounds)
        means = {}
        for dof in SIZES:
            result = results[str(dof)]
            solved = percent(result.success(serial_chain(dof), all_queries[dof]))
            means[dof] = result.mean
            table.rows.append(
                (dof, solved, milliseconds(result.mean), digits(1e6 * result.mean / dof))
            )
            if label == "default":
                section.at_least(ITEM, f"chain of {dof} DoF: solved", solved, 100.0, " %")
        section.notes.append(
            f"{label}: time grows as DoF^{_exponent(means, FIGURE):.2f} from {FIGURE[0]} to "
            f"{FIGURE[-1]} DoF, DoF^{_exponent(means, (30, 90, 180)):.2f} over 30, 90 and 180. "
            "The paper reports slightly less than linear growth."
        )
    return section


def _chain(ours: Ours, queries: Queries, settings: Settings) -> Contender:
    count = len(queries)
    spans = [(0, min(WARM_UP, count))] + [(k, k + BLOCK) for k in range(0, count, BLOCK)]
    tracks = {span: ours.tracks(queries.targets[slice(*span)]) for span in spans}

    def solve(first: int, last: int) -> Floats:
        return ours.solve_batch(tracks[first, last], queries.seeds[first:last], settings).values

    return Contender(str(ours.robot.dof), count, solve)


def _exponent(means: dict[int, float], sizes: tuple[int, ...]) -> float:
    """Slope of log time over log DoF by least squares."""
    times = [means[dof] for dof in sizes]
    return float(np.polyfit(np.log(sizes), np.log(times), 1)[0])
