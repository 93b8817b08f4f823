"""Solving a joint model whose bones Blender moves in another way than the solver's tree does."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ...solver import (
    Clip,
    ClipSolution,
    Goal,
    Rest,
    Settings,
    Stop,
    Track,
    solve_clip,
)
from ..transforms import Floats, blended_quaternion
from .joint_model import JointModel

# Each pass leaves a part of the error that grows with uneven scale; most rigs need one pass.
MOST_PASSES = 12
# Step of a pass towards the last result: whole steps oscillate about bones that a
# constraint stretches to twice their length, and diverge beyond that.
STEP = 0.7


def solve_settled(
    model: JointModel,
    tracks: Sequence[Goal | Track],
    settings: Settings | None = None,
    progress: Callable[[int, int], None] | None = None,
    cancel: Callable[[], bool] | None = None,
    before: Floats | None = None,
    start: Floats | None = None,
) -> ClipSolution:
    """Solve a clip until the tree's poses are Blender's own; see `JointModel.settled`.

    Where the tree moves all bones as Blender does, this is `solve_clip`. Joint values `start`
    (f, joints) take the place of the source's.
    """
    first = clip = model.clip if start is None else Clip(start, model.clip.rest)
    for _ in range(MOST_PASSES):
        solution = solve_clip(model.tree, tracks, clip, settings, progress, cancel, before)
        if Stop.NOT_SOLVED in solution.stops or Stop.CANCELLED in solution.stops:
            break
        settled = model.settled(solution.values)
        if model.has_settled(clip, settled):
            break
        clip = settled if clip is first else _part_way(clip, settled)
    return solution


def _part_way(clip: Clip, settled: Clip) -> Clip:
    """Rest transforms from those of one clip a step towards those of the other."""
    assert clip.rest is not None
    assert settled.rest is not None
    step = np.full(settled.rest.rotation.shape[:-1], STEP)
    rotation = blended_quaternion(clip.rest.rotation, settled.rest.rotation, step)
    position = clip.rest.position + STEP * (settled.rest.position - clip.rest.position)
    return Clip(settled.values, Rest(rotation, position))
