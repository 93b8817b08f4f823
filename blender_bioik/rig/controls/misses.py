"""What to tell about frames in which controls cannot pose the legs as solved."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...findings import Finding, Severity
from ..transforms import Floats

# Bones further from where they were solved than this are named, metres for a character of 1.6 m.
OFF = 0.001


def missed_frames(errors: Floats, scale: float) -> Iterator[Finding]:
    """Findings about frames in which the rig is not posed as solved, one for each run of frames.

    Args:
        errors: Largest distance of a point of the limbs from where it was solved, metres; (f,).
        scale: Size of the character relative to one of 1.6 m.
    """
    off = np.flatnonzero(errors > OFF * scale)
    for rows in np.split(off, np.flatnonzero(np.diff(off) > 1) + 1):
        if len(rows):
            worst = float(errors[rows].max())
            yield Finding(
                f"the rig's controls are {1000.0 * worst:.1f} mm off the solved pose",
                "controls_off",
                Severity.FAULT,
                worst / (OFF * scale),
                int(rows[0]),
                int(rows[-1]),
            )
