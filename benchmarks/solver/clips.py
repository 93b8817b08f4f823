"""Promise 6: a clip of a thousand frames for two legs, against placo."""

from __future__ import annotations

import numpy as np

from benchmarks.report import Scale, Section, Table, digits, microseconds, percent
from benchmarks.solver.ours import Ours
from benchmarks.solver.race import Contender, race, ratio
from benchmarks.solver.rivals import Placo
from benchmarks.solver.robots import Floats, Queries, Robot, smooth_clip
from blender_bioik.solver import Goal, Settings, Track, solve_clip

ITEM = 6
ROBOT = "legs12"
ENTROPY = (0xB10, 6)
FRAMES = 1000
LARGEST_SHARE = 1.0 / 8.0
DEADLINE_S = 0.1
ONE, MANY, LOOP, RIVAL = "1 thread", "all threads", "solve_pose in a loop", "placo"


def run(scale: Scale) -> Section:
    """Measure a clip whose source is near the answer, and one whose source says nothing."""
    section = Section("6. Clip of two legs (legs12), warm start from the frame before")
    robot = Robot.load(ROBOT)
    ours = Ours(robot)
    frames = scale.count(FRAMES, 300)
    clip = smooth_clip(robot, frames, np.random.default_rng(ENTROPY))
    sources = {
        "source near the answer": clip.seeds,
        "source at rest": np.repeat(clip.seeds[:1], frames, axis=0),
    }
    placo = Placo()
    reason = placo.available()
    contenders = [
        contender
        for label, source in sources.items()
        for contender in _contenders(ours, clip, source, label)
    ]
    goals = ours.goals(clip.targets)
    contenders.append(
        Contender(LOOP, frames, lambda first, last: _loop(ours, goals[:last], clip.seeds[0]))
    )
    if reason is None:
        placo.prepare(robot)
        contenders.append(
            Contender(
                RIVAL,
                frames,
                lambda first, last: placo.solve_sequence(
                    clip.targets[:last], clip.seeds[0], DEADLINE_S
                ),
            )
        )
    results = race(contenders, block=frames, rounds=3 if scale.quick else 9)
    table = Table(
        f"{frames} frames, in turns",
        ("how", "us a frame", "solved %", "largest joint step", "/ placo"),
    )
    section.tables.append(table)
    for name, result in results.items():
        share = digits(ratio(result, results[RIVAL])) if reason is None else None
        table.rows.append(
            (
                name,
                microseconds(result.mean),
                percent(result.success(robot, clip)),
                digits(_largest_step(result.answers[0]), 4),
                share,
            )
        )
    table.rows.append(("the motion itself", None, None, digits(_largest_step(clip.truth), 4), None))
    for label in sources:
        one, many = results[f"{ONE}, {label}"], results[f"{MANY}, {label}"]
        for name, result in ((ONE, one), (MANY, many)):
            text = f"{label}, {name}"
            solved = percent(result.success(robot, clip))
            section.at_least(ITEM, f"{text}: solved", solved, 100.0, " %")
            if reason is None:
                share = ratio(result, results[RIVAL])
                section.at_most(ITEM, f"{text}: time / placo", share, LARGEST_SHARE)
            else:
                section.not_run(ITEM, f"{text}: time / placo", f"<= {LARGEST_SHARE}", reason)
        section.at_most(
            ITEM,
            f"{label}: largest step with all threads, against one",
            _largest_step(many.answers[0]),
            _largest_step(one.answers[0]),
        )
        same = all(np.array_equal(answers, one.answers[0]) for answers in many.answers)
        section.at_least(ITEM, f"{label}: same bits on all threads", float(same), 1.0)
    section.notes.append(
        f"'{LOOP}' solves each frame from the answer to the one before, with no chunks to join."
    )
    return section


def _contenders(ours: Ours, clip: Queries, source: Floats, label: str) -> list[Contender]:
    tracks = ours.tracks(clip.targets)

    def contender(name: str, settings: Settings) -> Contender:
        return Contender(
            f"{name}, {label}",
            len(clip),
            lambda first, last: _solve(ours, tracks, source, settings, last),
        )

    return [contender(ONE, Settings(threads=1)), contender(MANY, Settings())]


def _solve(
    ours: Ours, tracks: list[Track], source: Floats, settings: Settings, last: int
) -> Floats:
    """Solve the whole clip whatever is asked for: the warm-up is a run of it too."""
    return solve_clip(ours.tree, tracks, source, settings).values[:last]


def _loop(ours: Ours, goals: list[list[Goal]], seed: Floats) -> Floats:
    """Solve with one call a frame."""
    values, pose = np.empty((len(goals), ours.robot.dof)), seed
    for frame, wanted in enumerate(goals):
        pose = values[frame] = ours.solve_one(wanted, pose).values
    return values


def _largest_step(values: Floats) -> float:
    return float(np.abs(np.diff(values, axis=0)).max())
