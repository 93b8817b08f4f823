"""The shape that all problems have: made from a source, solved in any thread, then written."""

from __future__ import annotations

from typing import Protocol

from ..keys.keys import BoneTracks
from ..reading import Cancel, Progress
from ..source.source import Source


class Solution(Protocol):
    """What a problem's solving found."""

    @property
    def tracks(self) -> BoneTracks:
        """Channels of all bones, (f, n, channels)."""

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences about what was left out or changed."""


class Problem(Protocol):
    """What is asked of a source."""

    @property
    def source(self) -> Source:
        """What was read."""

    def solve(self, progress: Progress | None = None, cancelled: Cancel | None = None) -> Solution:
        """Solve all frames. Touches nothing of Blender.

        Args:
            progress: Called with the work done and all work.
            cancelled: Asked now and then.

        Raises:
            RigError: The solver cannot work with what was read.
            Cancelled: `cancelled` returned true.
        """
