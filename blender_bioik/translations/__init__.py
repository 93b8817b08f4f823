"""What Blender shows of us, in other languages: a file for each, named as the language.

A file holds the translations by context: "Operator" has the names of operators and the texts of
their buttons, `OWN` what Blender itself says of something else, "*" everything else.
"""

from __future__ import annotations

import json
from pathlib import Path

import bpy

OWN = "Bio-IK"
"""Context of words that Blender translates too, but to what would not fit; its own goes first."""

Catalogue = dict[tuple[str, str], str]
"""Translations by context and message."""


def catalogues() -> dict[str, Catalogue]:
    """The translations by language, such as "de"."""
    return {path.stem: _catalogue(path) for path in Path(__file__).parent.glob("*.json")}


def register() -> None:
    """Give Blender the translations."""
    bpy.app.translations.register(__name__, catalogues())


def unregister() -> None:
    """Take them away."""
    bpy.app.translations.unregister(__name__)


def _catalogue(path: Path) -> Catalogue:
    contexts = json.loads(path.read_text(encoding="utf-8"))
    return {
        (context, message): translated
        for context, messages in contexts.items()
        for message, translated in messages.items()
    }
