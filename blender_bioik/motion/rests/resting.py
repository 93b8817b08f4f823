"""What rests in a clip besides feet."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..contacts.contacts import Mask
from ..feet import Contact
from ..tuning import BODY
from .part import Part


class Resting(NamedTuple):
    """What rests in a clip besides feet: parts of the body, all of them, and their contacts."""

    parts: tuple[Part, ...] = ()
    contacts: tuple[Contact, ...] = ()

    def sits(self, frames: int, rate: float) -> Mask:
        """In which rows the seat is on something above the floor, or within a step of it; (f,)."""
        around, rows = round(BODY.step_seconds * rate), np.zeros(frames, bool)
        for contact in self.contacts:
            if contact.held is not None and self.parts[contact.foot].limb is None:
                rows[max(0, contact.first - around) : contact.stop + around] = True
        return rows


NOTHING = Resting()
