"""Errors of goals over a whole result of which a part was baked again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..clip.sampling import Clip
from ..clip.skeleton import replaced_pose
from ..goals.tracks import solver_tracks
from ..keys.keys import BoneTracks
from ..problem.goals_problem import goals_model
from ..problem.own_goal_errors import clip_goal_errors, goal_reports
from ..report.report import BakeReport
from ..source.source import Source
from ..transforms import Floats


def whole_result(existing: Clip, rows: slice, tracks: BoneTracks) -> BoneTracks:
    """Channels of all bones over all frames of a result, with new ones in some rows."""
    channels = (existing.location, existing.rotation, existing.scale)
    whole = BoneTracks(*(track.copy() for track in channels))
    for track, new in zip(whole, tracks, strict=True):
        track[rows] = new
    return whole


def with_whole_errors(
    report: BakeReport, whole: Source, result: BoneTracks, weights: Floats
) -> BakeReport:
    """A report of baked rows with the errors of all rows.

    Goals of staying as animated have those of the baked rows. Rows that lead from the old result to
    the new one, both of which meet the goals, count as reached.

    Args:
        report: The report of the rows that were baked.
        whole: The source over all frames.
        result: Channels of all bones in the result, over all frames.
        weights: Weight of the new result in each row; (f,).
    """
    model = goals_model(whole.posed(_played(whole, result)))
    tracks = solver_tracks(model, whole.clip, whole.goals)
    goals = [(n, *both) for n, both in enumerate(zip(whole.goals, tracks, strict=True))]
    found = clip_goal_errors(goals, model, np.asarray(model.clip.values), goals_model(whole))
    leads = (weights > 0.0) & (weights < 1.0)
    errors = [each._replace(within=each.within | leads) for each in found.values()]
    reports = dict(zip(found, goal_reports(errors, whole.frames), strict=True))
    return replace(
        report,
        frames=len(whole.frames),
        first_frame=float(whole.frames[0]),
        last_frame=float(whole.frames[-1]),
        goals=tuple(reports.get(number, goal) for number, goal in enumerate(report.goals)),
    )


def _played(whole: Source, result: BoneTracks) -> Clip:
    """The clip that the result plays."""
    changed = np.zeros(len(whole.skeleton), bool)
    for before, after in zip(whole.tracks, result, strict=True):
        changed |= (before != after).any(axis=(0, 2))
    moved = sorted({*whole.moved, *np.flatnonzero(changed).tolist()})
    channels = [track[:, moved] for track in result]
    pose = replaced_pose(whole.skeleton, whole.clip.pose, moved, channels)
    location, rotation, scale = result
    return replace(whole.clip, location=location, rotation=rotation, scale=scale, pose=pose)
