"""Promise 2: the Valkyrie humanoid with several goals at once, against placo."""

from __future__ import annotations

import numpy as np

from benchmarks.report import Cell, Scale, Section, Table, digits, milliseconds, percent
from benchmarks.solver.ours import Ours, part
from benchmarks.solver.race import (
    BATCHED,
    SINGLE,
    batch_success,
    one_by_one,
    our_contenders,
    race,
    ratio,
    rival_contender,
    rival_named,
)
from benchmarks.solver.robots import Floats, Robot, judge, random_queries

ITEM = 2
ROBOTS = {"val17": 1.0 / 6.0, "val35": 1.0 / 8.0}
"""Robots with the largest share of placo's time."""
ENTROPY = (0xB10, 2)
LEAST_SUCCESS = 99.9
LIMIT_S = 0.010
RIVAL = "placo"
RIVAL_QUERIES = 300
BLOCK = 100


def run(scale: Scale) -> Section:
    """Measure both humanoids."""
    section = Section("2. Humanoids: val17 (2 poses), val35 (4 poses and a look-at)")
    rival, reason = rival_named(RIVAL)
    successes = Table(
        "All queries in a batch; some one by one with solve_pose, each against the clock",
        (
            "robot",
            "queries",
            "solved %",
            "batch ms",
            "one by one",
            "in 10 ms %",
            "median ms",
            "p99.9 ms",
            "worst ms",
        ),
    )
    times = Table(
        "In turns on the same queries",
        (
            "robot",
            f"{BATCHED} ms",
            f"{SINGLE} ms",
            "placo ms",
            "placo solved %",
            "batch / placo",
            "solve_pose / placo",
        ),
    )
    section.tables += [successes, times]
    for index, (name, limit) in enumerate(ROBOTS.items()):
        robot = Robot.load(name)
        ours = Ours(robot)
        queries = random_queries(robot, scale.queries, np.random.default_rng((*ENTROPY, index)))
        good, seconds = batch_success(ours, queries)
        section.at_least(ITEM, f"{name}: solved", percent(good.mean()), LEAST_SUCCESS, " %")

        count = scale.count(2000, 200)
        goals = ours.goals(queries.targets[:count])

        def solve(i: int) -> Floats:
            return ours.solve_one(goals[i], queries.seeds[i]).values  # noqa: B023

        each, answers = one_by_one(solve, count, robot.dof)
        in_time = judge(robot, part(queries, 0, count), answers) & (each <= LIMIT_S)
        section.at_least(
            ITEM, f"{name}: solved within 10 ms", percent(in_time.mean()), LEAST_SUCCESS, " %"
        )
        successes.rows.append(
            (
                name,
                len(queries),
                percent(good.mean()),
                milliseconds(seconds),
                count,
                percent(in_time.mean()),
                milliseconds(float(np.median(each))),
                milliseconds(float(np.quantile(each, 0.999))),
                milliseconds(each.max()),
            )
        )

        raced = part(queries, 0, scale.count(RIVAL_QUERIES, 100) // BLOCK * BLOCK)
        contenders = our_contenders(ours, raced, BLOCK)
        if reason is None:
            contenders.append(rival_contender(rival, robot, raced, len(raced), LIMIT_S))
        results = race(contenders, BLOCK, rounds=2 if scale.quick else 5)
        row: list[Cell] = [
            name,
            milliseconds(results[BATCHED].mean),
            milliseconds(results[SINGLE].mean),
        ]
        if reason is None:
            result = results[RIVAL]
            shares = [ratio(results[kind], result) for kind in (BATCHED, SINGLE)]
            row += [milliseconds(result.mean), percent(result.success(robot, raced))]
            row += [digits(share) for share in shares]
            section.at_most(ITEM, f"{name}: time of a batch / placo", shares[0], limit)
            section.at_most(ITEM, f"{name}: time of solve_pose / placo", shares[1], limit)
        else:
            row += [reason, None, None, None]
            section.not_run(ITEM, f"{name}: time / placo", f"<= {limit:.6g}", reason)
        times.rows.append(row)
    section.notes.append(
        "placo gets 10 ms a query, random restarts included; a failed query counts with the time "
        "it took."
    )
    return section
