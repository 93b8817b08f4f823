"""What to bake, and where to write it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import RigError
from ..keys.few_keys import Tolerance
from ..keys.outputs import Output
from ..transforms import Floats

__all__ = ["BakeOptions", "Output", "Tolerance"]


@dataclass(frozen=True)
class BakeOptions:
    """What to bake, and where to write it.

    Attributes:
        frame_start: First frame.
        frame_end: Last frame.
        step: Frames from one key to the next.
        output: A new action, the action itself, or an NLA layer over it.
        blend_in: Number of frames over which the correction is blended in at the start.
        blend_out: Number of frames over which it is blended out at the end.
        mute_constraints: Mute constraints that would be evaluated on top of the keyframes.
        few_keys: How far few keyframes may be off instead of one on every frame; None for these.
    """

    frame_start: int
    frame_end: int
    step: int = 1
    output: Output = "NEW_ACTION"
    blend_in: int = 0
    blend_out: int = 0
    mute_constraints: bool = True
    few_keys: Tolerance | None = None

    def frames(self) -> Floats:
        """The frames that are solved and keyed; (f,).

        Raises:
            RigError: There are none.
        """
        if self.frame_end < self.frame_start:
            raise RigError(
                f"The end frame {self.frame_end} is before the start frame {self.frame_start}: "
                "choose a later end frame."
            )
        if self.step < 1:
            raise RigError(f"The frame step must be at least 1, not {self.step}.")
        return np.arange(self.frame_start, self.frame_end + 1, self.step, dtype=float)
