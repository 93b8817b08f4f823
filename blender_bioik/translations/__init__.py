"""Translations of the interface: a file for each language.

A file contains translations by context: "Operator" for operator names and the texts of
their buttons, `OWN` for words that Blender translates differently, "*" for everything else.
"""

from __future__ import annotations

import json
from pathlib import Path

import bpy

from .labels import OWN as OWN

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
