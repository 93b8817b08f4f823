"""Names of parts of a body, as presets use them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from ..body_slots import LIST_SLOTS, SLOTS
from .errors import PresetError
from .fields import shown

CHEST = "chest"
"""The last bone of the spine. `spine` and `neck` mean their first ones."""

TIP = "tip"
"""The active bone or, if none is, the end of the longest chain: the tool of a robot arm."""

HAND = "hand"
"""The hand that is nearest to the selected objects."""

_NAMES = frozenset((*SLOTS, *LIST_SLOTS, CHEST, TIP, HAND))
# Feet of rigs with more than two legs, and their toes.
_LEG = re.compile(r"(?:front|hind|leg|leg[1-9][0-9]?)\.[LR](?:\.toe)?")


@dataclass(frozen=True)
class SlotName:
    """A field that names a slot."""

    def checked(self, value: Any, where: str) -> str:
        """The value, if it is one."""
        if not isinstance(value, str) or not (value in _NAMES or _LEG.fullmatch(value)):
            raise PresetError(f"{where} must be a body part such as head, not {shown(value)}")
        return value
