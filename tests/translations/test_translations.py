"""The catalogues: complete, without leftovers, and in use where Blender has other languages.

Tests of: labels.
"""

from __future__ import annotations

import string
from collections.abc import Iterator
from typing import Any

import bpy
import pytest

from blender_bioik import translations
from blender_bioik.translations import labels

from .messages import glued, messages

LANGUAGES = sorted(translations.catalogues())


@pytest.fixture
def german() -> Iterator[None]:
    """Blender in German, and back."""
    if not bpy.app.build_options.international:
        pytest.skip("this bpy is built without translations; `make test-blender` has them")
    view = bpy.context.preferences.view
    before = view.language
    view.language = "de_DE"
    view.use_translate_interface = view.use_translate_tooltips = view.use_translate_reports = True
    yield
    view.language = before


def test_there_is_a_german_catalogue() -> None:
    assert "de" in LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_that_is_shown_is_translated(language: str) -> None:
    assert sorted(messages() - translations.catalogues()[language].keys()) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_translated_that_is_not_shown(language: str) -> None:
    assert sorted(translations.catalogues()[language].keys() - messages()) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_have_the_placeholders_of_their_messages(language: str) -> None:
    for (_, message), translated in translations.catalogues()[language].items():
        assert translated.strip(), message
        assert fields(translated) == fields(message), message


def test_no_sentence_is_glued_together() -> None:
    assert glued() == []


def test_operators_and_labels_are_german_in_german(german: None) -> None:
    translated = bpy.app.translations.pgettext_iface

    assert translated("Bake Goals", "Operator") == "Ziele backen"
    assert translated("Foot Placement") == "Fußplatzierung"


def test_labels_are_german_with_ours_before_blenders(german: None) -> None:
    assert labels.interface_label("Orientation") == "Ausrichtung"
    assert labels.interface_label("Lock Axis") == "Drehachse"
    assert labels.interface_label("Local Space") == "Lokaler Raum"
    assert labels.interface_label("hand.L") == "hand.L"


def test_nothing_is_german_any_more_without_us(german: None) -> None:
    import blender_bioik

    blender_bioik.unregister()
    try:
        assert bpy.app.translations.pgettext_iface("Foot Placement") == "Foot Placement"
    finally:
        blender_bioik.register()


def fields(text: str) -> list[Any]:
    """The placeholders of a template: name and format of each, in order."""
    return [(name, form) for _, name, form, _ in string.Formatter().parse(text) if name is not None]
