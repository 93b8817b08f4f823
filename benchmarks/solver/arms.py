"""Promise 1: full poses of robot arms, against Robotics Toolbox and TRAC-IK."""

from __future__ import annotations

import numpy as np

from benchmarks.report import Cell, Scale, Section, Table, digits, microseconds, percent
from benchmarks.solver.ours import Ours, part
from benchmarks.solver.race import (
    BATCHED,
    SINGLE,
    batch_success,
    our_contenders,
    race,
    ratio,
    rival_contender,
    rival_named,
)
from benchmarks.solver.robots import Robot, random_queries

ITEM = 1
ROBOTS = ("ur5", "iiwa", "pr2", "panda", "baxter", "kr120")
ENTROPY = (0xB10, 1)
"""Seed of the queries, apart from every solver's own."""
LEAST_SUCCESS = 99.99
RIVALS = {"Robotics Toolbox ik_LM": (1.0 / 2.5, 1000), "TRAC-IK": (1.0 / 5.0, 400)}
"""Largest share of the rival's time, and how many of the queries it is given."""
BLOCK = 200
DEADLINE_S = 0.1
"""A rival that has no answer after this time has failed."""


def run(scale: Scale) -> Section:
    """Measure all arms."""
    section = Section("1. Arms: random reachable full poses from random seeds")
    rivals = {name: rival_named(name) for name in RIVALS}
    running = [name for name in RIVALS if rivals[name][1] is None]
    successes = Table(
        "All queries, judged by an independent forward kinematics",
        ("arm", "queries", "solved %", "unsolved", "us a query (batch)"),
    )
    columns = ["arm", f"{BATCHED} us", f"{SINGLE} us"]
    for name in running:
        columns += [f"{name} us", "its solved %", "batch / it", "solve_pose / it"]
    times = Table("In turns on the same queries (ratios only from shared queries)", columns)
    section.tables += [successes, times]
    for index, name in enumerate(ROBOTS):
        robot = Robot.load(name)
        ours = Ours(robot)
        queries = random_queries(robot, scale.queries, np.random.default_rng((*ENTROPY, index)))
        good, seconds = batch_success(ours, queries)
        missed = int(np.sum(~good))
        successes.rows.append(
            (name, len(queries), percent(good.mean()), missed, microseconds(seconds))
        )
        section.at_least(ITEM, f"{name}: solved", percent(good.mean()), LEAST_SUCCESS, " %")

        most = scale.count(1000, 400) // BLOCK * BLOCK
        raced = part(queries, 0, most)
        contenders = our_contenders(ours, raced, BLOCK)
        for rival_name in running:
            count = min(most, RIVALS[rival_name][1])
            rival = rivals[rival_name][0]
            contenders.append(rival_contender(rival, robot, raced, count, DEADLINE_S))
        results = race(contenders, BLOCK, rounds=2 if scale.quick else 5)
        row: list[Cell] = [
            name,
            microseconds(results[BATCHED].mean),
            microseconds(results[SINGLE].mean),
        ]
        for rival_name in running:
            result = results[rival_name]
            share = ratio(results[BATCHED], result)
            share_single = ratio(results[SINGLE], result)
            solved = percent(result.success(robot, raced))
            row += [microseconds(result.mean), solved, digits(share), digits(share_single)]
            limit = RIVALS[rival_name][0]
            section.at_most(ITEM, f"{name}: time of a batch / {rival_name}", share, limit)
            section.at_most(ITEM, f"{name}: time of solve_pose / {rival_name}", share_single, limit)
        times.rows.append(row)
    for name, (_, reason) in rivals.items():
        if reason is not None:
            section.not_run(ITEM, f"time / {name}", f"<= {RIVALS[name][0]:.6g}", reason)
    section.notes.append(
        "Every rival and solve_pose are called from Python once for a query; a batch is one call "
        f"for {BLOCK} queries. Rivals get {DEADLINE_S * 1000:.0f} ms and random restarts."
    )
    return section
