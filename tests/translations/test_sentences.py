"""Sentences of rig/ in another language."""

from __future__ import annotations

import pytest

from blender_bioik.translations.sentences import in_language, sentences

from .rig_sentences import rig_sentences

GERMAN = {
    'The goal "{}" has no bone "{}".': "Dem Ziel „{}“ fehlt der Knochen „{}“.",
    'The goal "{}" has {}.': "Das Ziel „{}“ hat {}.",
    "{} misses {} by {} mm: {}.": "{1} wird von {0} um {2} mm verfehlt: {3}.",
    "leg too short": "Bein zu kurz",
    "Head": "Kopf",
    "{} frames, {} bones keyed": "{} Frames, {} Knochen mit Keys",
    "every goal reached": "jedes Ziel erreicht",
    "{} of {}": "{} von {}",
}
LANGUAGES = sorted(sentences())


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ('The goal "Look" has no bone "nose".', "Dem Ziel „Look“ fehlt der Knochen „nose“."),
        # The most special message counts, and values may change their places.
        ("a.L misses Cup by 3 mm: it.", "Cup wird von a.L um 3 mm verfehlt: it."),
        # Reasons are translated in their sentence, names are not.
        ("a misses b by 3 mm: leg too short.", "b wird von a um 3 mm verfehlt: Bein zu kurz."),
        ('The goal "Head" has no bone "Head".', "Dem Ziel „Head“ fehlt der Knochen „Head“."),
        # Some are put together of several.
        (
            "10 frames, 7 bones keyed; every goal reached",
            "10 Frames, 7 Knochen mit Keys; jedes Ziel erreicht",
        ),
        ('The goal "{0}" has no bone "{}".', "Dem Ziel „{0}“ fehlt der Knochen „{}“."),
        ("The middle of nowhere", "The middle of nowhere"),
    ],
)
def test_sentences_are_made_again_with_their_values(english: str, german: str) -> None:
    assert in_language(english, GERMAN) == german


def test_reasons_of_unsupported_constraints_are_german_in_their_sentence() -> None:
    reason = 'its Position goal would have no effect because the constraint "B" moves the bone'
    note = f'The constraint "A" of bone "Hand" is not fully supported: {reason} afterwards.'
    assert in_language(note, sentences()["de"]) == (
        "Die Beschränkung „A“ des Knochens „Hand“ wird nicht ganz unterstützt: ihr Ziel „Position“ "
        "hätte keine Wirkung, weil die Beschränkung „B“ den Knochen danach bewegt."
    )


def test_there_are_german_sentences() -> None:
    assert "de" in LANGUAGES


def test_sentences_are_found_where_they_are_made() -> None:
    """An error, one that a function makes, a note, a reason, a part of a report, of a preset."""
    assert rig_sentences() >= {
        "There is no ground: add objects or collections to stand on.",
        'The ground "{}" has no faces: choose an object with a surface.',
        "Muted because they would be evaluated on top of the keyframes: {}.",
        "leg too short",
        "it has no target",
        "Planted feet within {} mm of the ground in {} of {} frames",
        'There is no preset "{}": choose another one.',
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_is_translated(language: str) -> None:
    missing = sorted(rig_sentences() - sentences()[language].keys())
    assert not missing, "\n".join([f"Add to translations/rig/{language}.json:", *missing])


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_is_translated_in_vain(language: str) -> None:
    vain = sorted(sentences()[language].keys() - rig_sentences())
    assert not vain, "\n".join([f"Remove from translations/rig/{language}.json:", *vain])


@pytest.mark.parametrize("language", LANGUAGES)
def test_values_have_their_places(language: str) -> None:
    for message, sentence in sentences()[language].items():
        values = [f"value{number}" for number in range(message.count("{}"))]
        said = sentence.format(*values)
        lost = [value for value in values if value not in said]
        # The s of a plural may go.
        assert len(lost) <= message.count("frame{}"), sentence
