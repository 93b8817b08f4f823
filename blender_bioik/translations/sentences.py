"""Sentences of rig/ and presets/ in the user's language.

Errors, notes and reports are written in English, with names and numbers in them,
and without Blender. This module finds the message that a sentence was made from, and inserts
the values into its translation. The catalogues are in rig/, one for each language. `{}` is a
value; `{:label}` in a translation is a value that is a label of the interface, such as the type of
a goal, and is translated as that.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path

import bpy

from .labels import interface_label

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


def in_language(
    sentence: str, catalogue: Sentences, label: Callable[[str], str] = interface_label
) -> str:
    """A sentence made of one message or several; unknown parts are kept.

    Args:
        sentence: The sentence.
        catalogue: Translations of messages.
        label: Translates a label of the interface.
    """
    return _Translator(catalogue, label).translate(sentence)


@lru_cache(maxsize=512)
def _in_locale(sentence: str, locale: str) -> str:
    """Remembered, because panels draw their sentences again and again."""
    catalogue = sentences().get(locale, sentences().get(locale.partition("_")[0]))
    return sentence if catalogue is None else in_language(sentence, catalogue)


class _Translator:
    def __init__(self, catalogue: Sentences, label: Callable[[str], str]) -> None:
        self._catalogue = catalogue
        self._label = label

    def translate(self, sentence: str) -> str:
        known = self._known(sentence)
        if known is not None:
            return known
        for seam in _SEAMS:
            if seam in sentence:
                return seam.join(self.translate(part) for part in sentence.split(seam))
        return sentence

    def _known(self, sentence: str) -> str | None:
        """A sentence whose parts are all known; None if there is another one among them.

        As parts first: the value of a message may be any text, so also the sentence before.
        """
        if sentence in self._catalogue:
            return self._catalogue[sentence]
        bare = sentence.removesuffix(".")
        if bare in self._catalogue:
            return f"{self._catalogue[bare]}."
        for seam in _SEAMS:
            known = [self._known(part) for part in sentence.split(seam) if seam in sentence]
            parts = [part for part in known if part is not None]
            if parts and len(parts) == len(known):
                return seam.join(parts)
        return self._of_one_message(sentence)

    def _of_one_message(self, sentence: str) -> str | None:
        """A sentence made of one message, whose final period may be missing at a seam."""
        period = "." if sentence.endswith(".") else ""
        for pattern, message in _patterns(tuple(self._catalogue)):
            found = pattern.fullmatch(sentence.removesuffix("."))
            if found is not None:
                values = (self._value(value) for value in found.groups())
                return self._catalogue[message].removesuffix(".").format(*values) + period
        return None

    def _value(self, value: str) -> _Value:
        """A value is a name, which stays as it is, or words such as a reason, which are ours."""
        is_words = " " in value and not value[0].isupper()
        return _Value((self._known(value) or value) if is_words else value, self._label)


class _Value:
    """A value in a translation, which says whether it is a label."""

    def __init__(self, value: str, label: Callable[[str], str]) -> None:
        self._value = value
        self._label = label

    def __format__(self, spec: str) -> str:
        return self._label(self._value) if spec == "label" else self._value


@lru_cache(maxsize=8)
def _patterns(messages: tuple[str, ...]) -> list[tuple[re.Pattern[str], str]]:
    """Messages with placeholders and without a final period.

    Those that begin with a value come last, since it may be the beginning of another message; the
    others, and they among themselves, with the most letters first.
    """
    roomy = [message for message in messages if "{}" in message]
    roomy.sort(key=lambda message: (message.startswith("{}"), -len(message.replace("{}", ""))))
    return [
        (
            re.compile(re.escape(message.removesuffix(".")).replace(r"\{\}", "(.*)"), re.DOTALL),
            message,
        )
        for message in roomy
        if sum(letter.isalpha() for letter in message) >= _LEAST_LETTERS
    ]
