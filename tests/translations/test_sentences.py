"""Sentences of rig/ in another language."""

from __future__ import annotations

import pytest

from blender_bioik.translations import catalogues
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
    """With the type of the goal as German as in the menu of goals."""
    reason = 'its Orientation goal would have no effect because the constraint "B" moves the bone'
    note = f'The constraint "A" of bone "Hand" is not fully supported: {reason} afterwards.'
    assert in_language(note, sentences()["de"], german_label) == (
        "Die Beschränkung „A“ des Knochens „Hand“ wird nicht ganz unterstützt: ihr Ziel "
        "„Ausrichtung“ hätte keine Wirkung, weil die Beschränkung „B“ den Knochen danach bewegt."
    )


def test_names_are_no_labels_even_if_they_look_like_some() -> None:
    english = 'The Direction of the goal "Direction" is a zero vector: set it.'
    german = "„Richtung“ des Ziels „Direction“ ist ein Nullvektor: setzen."
    assert in_language(english, sentences()["de"], german_label) == german


@pytest.mark.parametrize(
    ("english", "german"),
    [
        (
            "6 frames baked on 14 bones in 0.3 s; hand.R Position: missed in 2 of 6 frames, "
            "mean 861 mm, worst 881 mm (frame 1); more missed goals: 3",
            "6 Bilder für 14 Knochen in 0.3 s gebacken; hand.R Position: in 2 von 6 Bildern "
            "verfehlt, im Mittel 861 mm, höchstens 881 mm (Bild 1); weitere verfehlte Ziele: 3",
        ),
        ("Good.", "Gut."),
        (
            "Good. Planted feet within 3 mm of the ground in 77 of 79 frames; sliding 0.0 mm "
            "(before: 0.6 mm), penetration 1.5 mm (before: 259 mm).",
            "Gut. Aufgesetzte Füße in 77 von 79 Bildern höchstens 3 mm vom Boden; "
            "Gleiten 0.0 mm (vorher: 0.6 mm), Eindringen 1.5 mm (vorher: 259 mm).",
        ),
        (
            "Problems found: leg.L misses its place in 3 frames: leg too short (at frame 5); "
            "joint hand.R accelerates 2.0 times as hard as the source nearby (at frame 7); more "
            "problems: 1. Planted feet within 3 mm of the ground in 5 of 9 frames; sliding 0.0 mm "
            "(before: 0.6 mm), no penetration (before: 260 mm). head Look At: missed in 2 of 9 "
            "frames, mean 3 degrees, worst 8 degrees (frame 4).",
            "Probleme gefunden: leg.L verfehlt seinen Ort in 3 Bildern: Bein zu kurz (bei Bild 5); "
            "Gelenk hand.R beschleunigt 2.0-mal so stark wie die Quelle in der Nähe (bei Bild 7); "
            "weitere Probleme: 1. Aufgesetzte Füße in 5 von 9 Bildern höchstens 3 mm vom Boden; "
            "Gleiten 0.0 mm (vorher: 0.6 mm), kein Eindringen (vorher: 260 mm). "
            "head Look At: in 2 von 9 Bildern verfehlt, im Mittel 3 Grad, höchstens 8 Grad "
            "(Bild 4).",
        ),
    ],
)
def test_summaries_are_german_in_all_their_parts(english: str, german: str) -> None:
    assert in_language(english, sentences()["de"], german_label) == german


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
        said = sentence.replace(":label", "").format(*values)
        lost = [value for value in values if value not in said]
        # The s of a plural may go.
        assert len(lost) <= message.count("frame{}"), sentence


def german_label(label: str) -> str:
    """A label as our own German catalogue has it."""
    return catalogues()["de"].get(("*", label), label)


def test_depths_of_meshes_are_german_in_a_verdict() -> None:
    verdict = (
        "Problems found: the mesh of leg.L is 14 mm in the ground and 12 mm deeper than in the "
        "source (at frame 34)."
    )
    assert in_language(verdict, sentences()["de"], german_label) == (
        "Probleme gefunden: das Mesh von leg.L ist 14 mm im Boden und 12 mm tiefer als in der "
        "Quelle (bei Bild 34)."
    )
