"""Bone names: their form without case and separators, and the other side's name."""

from __future__ import annotations

import re
from functools import lru_cache

_SEPARATORS = re.compile(r"[\s._:|\-]+")
# Blender adds ".001" to a name that exists already, model sites add "_01" to every bone.
_COUNTER = re.compile(r"[\s._\-]\d{2,}$")
# Skyrim adds a short form: "NPC L Thigh [LThg]".
_SHORT_FORM = re.compile(r"\s*\[[^\]]*\]$")
_NAMESPACE = re.compile(r"^.*[:|]")


def canonical(name: str) -> str:
    """The name in lower case without separators: "Left_Up-Leg" and "leftUpLeg" are the same."""
    return _SEPARATORS.sub("", name).lower()


@lru_cache(maxsize=4096)
def canonical_forms(name: str) -> tuple[tuple[str, int], ...]:
    """Forms under which a name may be known, with 0 for the name itself and 1 for a guess.

    Guesses leave out a namespace ("rig:"), a counter (".001", "_07") or a short form ("[LThg]").
    """
    forms = {canonical(name): 0}
    for text in (name, _NAMESPACE.sub("", name)):
        counted = _COUNTER.sub("", text)
        for guess in (text, counted, _SHORT_FORM.sub("", counted)):
            forms.setdefault(canonical(guess), 1)
    forms.pop("", None)
    return tuple(forms.items())


_OTHER = {"left": "right", "right": "left", "l": "r", "r": "l", "左": "右", "右": "左"}

# Tried in this order; the group is the part that is exchanged.
_SIDE_PATTERNS = tuple(
    re.compile(pattern)
    for pattern in (
        # Words: at the start, after a separator or digit, or with a capital inside ("mHipLeft").
        r"^(?:.*[^A-Za-z])?(left|right|Left|Right|LEFT|RIGHT)",
        r"^.*[a-z](Left|Right)(?![a-z])",
        r"^.*[a-z](Left|Right)",
        r"^(?:.*[^左右])?([左右])",
        # One letter: last token (a counter may follow), first token, a token in between.
        r"^.*[\s._\-]([lrLR])(?:[\s._\-]\d+)?$",
        r"^(?:.*[:|])?([lrLR])(?=[\s._\-])",
        r"^.*[\s._\-]([lrLR])(?=[\s._\-])",
        # One letter without separator: "lThigh", "LThigh", "ThighL".
        r"^(?:.*[:|])?([lr])(?=[A-Z])",
        r"^(?:.*[:|])?([LR])(?=[A-Z]+[a-z])",
        r"^.*[a-z0-9]([LR])(?:[\s._\-]?\d+)?$",
    )
)


def mirror_name(name: str) -> str | None:
    """The name of the bone on the other side, None for a name that has no side.

    Knows "thigh.L", "thigh_l", "thigh.L.001", "L_Thigh", "Bip01 L Thigh", "LeftUpLeg",
    "mHipLeft", "lThigh", "LHipJoint", "ThighL" and "左足".
    """
    for pattern in _SIDE_PATTERNS:
        match = pattern.match(name)
        if match:
            start, end = match.span(1)
            return name[:start] + _like(match[1], _OTHER[match[1].lower()]) + name[end:]
    return None


def _like(model: str, word: str) -> str:
    """The word in the case of the model."""
    if model.isupper():
        return word.upper()
    return word.capitalize() if model[0].isupper() else word
