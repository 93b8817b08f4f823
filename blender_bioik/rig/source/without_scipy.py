"""What is left out where scipy is missing: smooth corrections, and errors of the source."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import replace

from ...solver import Clip as JointClip
from ...solver import Goal, KinematicTree, Settings, Track
from ..transforms import Floats

NO_SCIPY = (
    "Each frame is solved independently, so corrections may jump: smoothing requires scipy, which "
    "is not available."
)


def possible_settings(settings: Settings) -> tuple[Settings, list[str]]:
    """The settings that can be applied here, and notes about the rest."""
    if settings.smoothness > 0.0 and not _can_smooth():
        return replace(settings, smoothness=0.0), [NO_SCIPY]
    return settings, []


def source_errors(
    tree: KinematicTree, tracks: Sequence[Goal | Track], clip: JointClip
) -> Floats | None:
    """Errors of goals in the source clip, metres or degrees, (f, goals); None without scipy."""
    if not _can_smooth():
        return None
    from ...solver.clips.open_clip import clip_errors

    return clip_errors(tree, tracks, clip)


def _can_smooth() -> bool:
    """Whether the solver's requirements for solving all frames together are available."""
    try:
        importlib.import_module("scipy.linalg")
    except ImportError:
        return False
    return True
