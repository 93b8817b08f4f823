"""Sentences of rig/ and presets/ in the user's language.

Errors, notes and reports are written in English, with names and numbers in them,
and without Blender. This module finds the message that a sentence was made from, and inserts
the values into its translation. The catalogues are in rig/, one for each language; `{}` is a
value.
"""

from __future__ import annotations

import json
import re
from functools import cache, lru_cache
from pathlib import Path

import bpy

Sentences = dict[str, str]
"""Translations by message."""

# Where a sentence is put together of others.
_SEAMS = (". ", "; ", ", ")
# A message with fewer letters would match any sentence.
_LEAST_LETTERS = 6


def translated(sentence: str) -> str:
    """A sentence in the user's language, as far as it is known there."""
    if not bpy.context.preferences.view.use_translate_interface:
        return sentence
    return _in_locale(sentence, bpy.app.translations.locale)


@cache
def sentences() -> dict[str, Sentences]:
    """The catalogues by language, such as "de"."""
    return {
        path.stem: json.loads(path.read_text(encoding="utf-8"))
        for path in (Path(__file__).parent / "rig").glob("*.json")
    }


def in_language(sentence: str, catalogue: Sentences) -> str:
    """A sentence made of one message or several; unknown parts are kept."""
    known = _of_one_message(sentence, catalogue)
    if known is not None:
        return known
    for seam in _SEAMS:
        if seam in sentence:
            return seam.join(in_language(part, catalogue) for part in sentence.split(seam))
    return sentence


@lru_cache(maxsize=512)
def _in_locale(sentence: str, locale: str) -> str:
    """Remembered, because panels draw their sentences again and again."""
    catalogue = sentences().get(locale, sentences().get(locale.partition("_")[0]))
    return sentence if catalogue is None else in_language(sentence, catalogue)


def _of_one_message(sentence: str, catalogue: Sentences) -> str | None:
    if sentence in catalogue:
        return catalogue[sentence]
    for pattern, message in _patterns(tuple(catalogue)):
        found = pattern.fullmatch(sentence)
        if found is not None:
            values = (_value(value, catalogue) for value in found.groups())
            return catalogue[message].format(*values)
    return None


def _value(value: str, catalogue: Sentences) -> str:
    """A value is a name, which stays as it is, or words such as a reason, which are ours."""
    is_words = " " in value and not value[0].isupper()
    return (_of_one_message(value, catalogue) or value) if is_words else value


@lru_cache(maxsize=8)
def _patterns(messages: tuple[str, ...]) -> list[tuple[re.Pattern[str], str]]:
    """Messages with placeholders, those with the most letters first."""
    roomy = [message for message in messages if "{}" in message]
    roomy.sort(key=lambda message: -len(message.replace("{}", "")))
    return [
        (re.compile(re.escape(message).replace(r"\{\}", "(.*)"), re.DOTALL), message)
        for message in roomy
        if sum(letter.isalpha() for letter in message) >= _LEAST_LETTERS
    ]
