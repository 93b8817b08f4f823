"""Solving whole clips: goal tracks over frames, in chunks on several threads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait

import numpy as np
from numpy.typing import ArrayLike

from ..checks import finite
from ..goals.base import Goal
from ..kernels.arena import (
    BEFORE_ROWS,
    CANCEL,
    CHAINED,
    DONE,
    FIRST_FRAME,
    LAST_FRAME,
    PARAMETER_ROWS,
    PREFERENCES,
    PYTHON_GOALS,
    REST_ROWS,
    STATUS_SIZE,
)
from ..kernels.compiled import Floats, Ints
from ..kernels.goal_columns import (
    PARAMETER_COUNT,
    TOLERANCE,
    WEIGHT,
)
from ..kinematics.tree import KinematicTree
from ..poses.problem import Problem, compile_problem
from ..poses.settings import Settings
from ..poses.solution import STOPS, ClipSolution, reached_goals
from ..poses.solve import (
    DEFAULTS,
    deadline,
    lent_goals,
    prepared,
    quiet_overflow,
    spread,
)
from ..search.frames import CANCELLED, NOT_SOLVED, solve_frames
from .tracks import Clip, Track, checked_clip, clip_rest, goal_of, track_parameters

# Frames of a chunk, whatever the number of threads, so that it does not change the result.
CHUNK = 128
# A seam may step this many times as far as a solve that continues from the last frame.
SEAM_SLACK = 1.25
SMALLEST_SEAM = 0.01
# Interval at which the caller's thread reports progress and checks for cancellation, seconds.
POLL = 0.02
NOTHING_BEFORE = np.empty((0, 0))


def solve_clip(
    tree: KinematicTree,
    tracks: Sequence[Goal | Track],
    clip: Clip | ArrayLike,
    settings: Settings | None = None,
    progress: Callable[[int, int], None] | None = None,
    cancel: Callable[[], bool] | None = None,
    before: ArrayLike | None = None,
) -> ClipSolution:
    """Solve every frame of a clip; a goal that is not a track holds in all frames.

    `clip` holds the source poses (frames, n), or a `Clip`. `progress(done, total)` and `cancel()`
    are called from the calling thread while the frames are solved; once `cancel` returns True the
    frames not yet solved keep their source pose. The first frame continues from the pose `before`
    (n,) if given, as every other frame continues from the one before it.
    """
    settings = settings or DEFAULTS
    source, rest = checked_clip(tree, clip)
    frames = len(source)
    goals = [goal_of(track) for track in tracks]
    problem = compile_problem(tree, goals)
    parameters = track_parameters(tracks, frames)
    job = _Job(problem, settings, parameters, clip_rest(problem, rest, frames), source)
    if before is not None:
        earlier = finite(before, (tree.size,), "The pose before the clip")
        job.before = np.ascontiguousarray(earlier[problem.active])[None]
    with lent_goals(problem, goals) as number, deadline(settings, job.stop):
        _run(job, number, progress, cancel)
        if settings.smoothness > 0.0 and frames > 2 and not job.cancelled:
            _smooth(job, number, cancel)
    table = parameters.reshape(len(parameters), len(goals), PARAMETER_COUNT)
    ended, used, generations = job.status.T
    reached = reached_goals(job.errors, table)
    reached[ended == NOT_SOLVED] = False
    return ClipSolution(
        values=spread(problem, source, job.values),
        fitness=job.fitness,
        errors=job.errors * np.array(problem.readable),
        reached=reached,
        evaluations=used.copy(),
        iterations=generations.copy(),
        stops=tuple([STOPS[stop] for stop in ended.tolist()]),
    )


class _Job:
    """Arrays of a clip's solve that its chunks share."""

    def __init__(
        self,
        problem: Problem,
        settings: Settings,
        parameters: Floats,
        rest: Floats,
        source: Floats,
    ) -> None:
        frames, goals = len(source), parameters.shape[1] // PARAMETER_COUNT
        self.problem, self.settings = problem, settings
        self.parameters, self.rest = parameters, rest
        self.preferences = bool((parameters[:, TOLERANCE::PARAMETER_COUNT] == np.inf).any())
        self.source = np.ascontiguousarray(source[:, problem.active])
        self.before = NOTHING_BEFORE
        self.chunks = [(a, min(a + CHUNK, frames)) for a in range(0, frames, CHUNK)]
        self.cancelled = False
        self.headers: dict[int, Ints] = {}
        self.values = self.source.copy()
        self.errors = np.zeros((frames, goals))
        self.fitness = np.zeros(frames)
        self.status = np.zeros((frames, STATUS_SIZE), dtype=np.int64)
        self.status[:, 0] = NOT_SOLVED

    @property
    def chained(self) -> bool:
        """Whether frames start from the one before."""
        return self.settings.warm_start == "previous"

    def before_chunk(self, chunk: int) -> Floats:
        """The pose (1, n) that a chunk continues from, if known before chunks are solved."""
        return self.before if chunk == 0 else NOTHING_BEFORE

    def stop(self) -> None:
        """Stop all chunks, including those that have not started; any thread may call it."""
        self.cancelled = True
        for header in list(self.headers.values()):
            header[CANCEL] = 1

    def done(self) -> int:
        """Frames solved so far."""
        return min(
            len(self.source), sum(int(header[DONE]) for header in list(self.headers.values()))
        )

    def solve(self, number: int, chunk: int, before: Floats, frames: tuple[int, int]) -> None:
        """Solve frames of a chunk from the source, or from the pose `before` them."""
        I, F = prepared(self.problem, self.settings).borrow()
        I[PREFERENCES] = self.preferences
        I[PYTHON_GOALS], I[CHAINED] = number, self.chained
        I[FIRST_FRAME], I[LAST_FRAME] = frames
        I[PARAMETER_ROWS], I[REST_ROWS] = len(self.parameters), len(self.rest)
        I[BEFORE_ROWS] = len(before)
        self.headers[chunk] = I
        if self.cancelled:  # checked after registering, so that no cancellation is lost
            return
        with quiet_overflow():
            solve_frames(
                I,
                F,
                self.parameters.ravel(),
                self.rest.ravel(),
                self.source.ravel(),
                before.ravel(),
                self.values.reshape(-1),
                self.errors.reshape(-1),
                self.fitness,
                self.status.reshape(-1),
            )


def _run(
    job: _Job,
    number: int,
    progress: Callable[[int, int], None] | None,
    cancel: Callable[[], bool] | None,
) -> None:
    """Solve all chunks, then join those whose seams jump, and report progress."""
    total = len(job.source)

    def report(done: int) -> None:
        if cancel is not None and cancel():
            job.stop()
        if progress is not None:
            progress(done, total)

    unwatched = progress is None and cancel is None
    if unwatched and (job.settings.threads == 1 or len(job.chunks) == 1):
        for chunk, frames in enumerate(job.chunks):
            job.solve(number, chunk, job.before_chunk(chunk), frames)
    else:
        _run_on_threads(job, number, report)
    if job.chained:
        for chunk in range(1, len(job.chunks)):
            if job.cancelled:
                break
            _join(job, number, chunk)
            report(total)


def _smooth(job: _Job, number: int, cancel: Callable[[], bool] | None) -> None:
    """Solve all frames together, for a smooth correction."""
    # Imported late: scipy takes long to import, and most solves do not need it.
    from .smoothing import Demands, Smoother, smooth_clip_values

    problem, tree = job.problem, job.problem.tree
    I, F = prepared(problem, job.settings).borrow()
    I[PREFERENCES] = job.preferences
    active = problem.active
    smoother = Smoother(I, F, tree.prismatic[active], job.settings.smoothness, number)
    limits = tree.lower[active], tree.upper[active]
    tolerance = job.parameters[:, TOLERANCE::PARAMETER_COUNT]
    reachable = job.errors <= tolerance
    acting = job.parameters[:, WEIGHT::PARAMETER_COUNT] > 0.0
    moved = np.broadcast_to(acting @ problem.wants, job.source.shape)
    stretch = Demands(job.parameters, job.rest, job.source, moved, *limits, reachable)
    job.headers[len(job.chunks)] = I

    def stopped() -> bool:
        if cancel is not None and cancel():
            job.stop()
        return job.cancelled

    with quiet_overflow():
        values = smooth_clip_values(smoother, stretch, job.values, stopped)
        if job.cancelled:
            job.status[:, 0] = CANCELLED
            return
        found = smoother.expand(stretch, values)
    job.values, job.errors, job.fitness = values, found.errors, found.fitness


def _run_on_threads(job: _Job, number: int, report: Callable[[int], None]) -> None:
    """Solve all chunks on threads while the calling one reports."""
    with ThreadPoolExecutor(max_workers=job.settings.threads) as pool:
        pending: set[Future[None]] = {
            pool.submit(job.solve, number, chunk, job.before_chunk(chunk), frames)
            for chunk, frames in enumerate(job.chunks)
        }
        try:
            while pending:
                finished, pending = wait(pending, timeout=POLL)
                for future in finished:
                    future.result()
                report(job.done())
        except BaseException:
            job.stop()
            raise


def _join(job: _Job, number: int, chunk: int) -> None:
    """Solve a chunk again from the end of the one before, if its first frame jumps to a branch."""
    first, last = job.chunks[chunk]
    before = job.values[first - 1 : first].copy()
    results = (job.values, job.errors, job.fitness, job.status)
    alone = [array[first].copy() for array in results]
    job.solve(number, chunk, before, (first, first + 1))
    jump, least = _step(before[0], alone[0]), _step(before[0], job.values[first])
    if jump > max(SEAM_SLACK * least, SMALLEST_SEAM):
        job.solve(number, chunk, before, (first, last))
        return
    for array, kept in zip(results, alone, strict=True):
        array[first] = kept


def _step(a: Floats, b: Floats) -> float:
    """Largest change of a joint."""
    return float(np.abs(b - a).max(initial=0.0))
