"""Solving a joint model whose bones Blender moves in another way than the solver's tree does."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..solver import ClipSolution, Goal, Settings, Stop, Track, solve_clip
from .joint_model import JointModel

# Each pass leaves a part of the error that grows with uneven scale; most rigs need one pass.
MOST_PASSES = 8


def solve_settled(
    model: JointModel,
    tracks: Sequence[Goal | Track],
    settings: Settings | None = None,
    progress: Callable[[int, int], None] | None = None,
    cancel: Callable[[], bool] | None = None,
) -> ClipSolution:
    """Solve a clip until the tree's poses are Blender's own; see `JointModel.settled`.

    Where the tree moves all bones as Blender does, this is `solve_clip`.
    """
    clip = model.clip
    for _ in range(MOST_PASSES):
        solution = solve_clip(model.tree, tracks, clip, settings, progress, cancel)
        if Stop.NOT_SOLVED in solution.stops or Stop.CANCELLED in solution.stops:
            break
        settled = model.settled(solution.values)
        if model.has_settled(clip, settled):
            break
        clip = settled
    return solution
