"""Findings, and the verdict they make."""

from __future__ import annotations

import numpy as np

from blender_bioik.findings import Finding, Severity, is_good, ranked, told, verdict
from blender_bioik.translations.sentences import in_language, sentences

FRAMES = np.arange(10.0, 30.0)
CLIMB = Finding("the clip climbs", "climb", row=2, last=7)
GUESS = Finding("the mapping is a guess", "mapping", Severity.WARNING)
DEEP = Finding("the mesh is in the ground", "mesh_depth", Severity.FAULT, 3.0, row=4)
SLIDES = Finding("a foot slides", "drift", Severity.FAULT, 1.2, row=0, last=0)


def test_nothing_but_notes_is_good() -> None:
    assert verdict([], FRAMES) == "Good."
    assert verdict([CLIMB], FRAMES) == "Good."
    assert is_good([CLIMB])


def test_faults_come_first_and_the_worst_of_them_before_others() -> None:
    found = [CLIMB, SLIDES, GUESS, DEEP]
    assert ranked(found) == [DEEP, SLIDES, GUESS, CLIMB]
    assert verdict(found, FRAMES) == (
        "Problems found: the mesh is in the ground (at frame 14); a foot slides (at frame 10); "
        "the mapping is a guess."
    )
    assert not is_good(found)


def test_a_warning_takes_part_of_the_good_back() -> None:
    assert verdict([GUESS, CLIMB], FRAMES) == "Good, but the mapping is a guess."
    assert not is_good([GUESS])


def test_a_verdict_counts_what_it_does_not_name() -> None:
    text = verdict([DEEP] * 5, FRAMES)
    assert text.count("the mesh is in the ground") == 3
    assert text.endswith("; more problems: 2.")


def test_what_is_known_before_is_told_with_its_frames() -> None:
    assert told([CLIMB, GUESS], FRAMES) == [
        "To be checked: the mapping is a guess.",
        "Good to know: the clip climbs (frames 12 to 17).",
    ]


def test_for_programs_there_are_plain_values() -> None:
    assert DEEP.to_json(FRAMES) == {
        "kind": "mesh_depth",
        "severity": "fault",
        "text": "the mesh is in the ground",
        "sentence": "the mesh is in the ground (at frame 14)",
        "excess": 3.0,
        "frame": 14.0,
        "last_frame": None,
    }


def test_a_verdict_is_german_in_all_its_parts() -> None:
    catalogue = sentences()["de"] | {
        "the mesh of {} is {} mm in the ground": "das Mesh von {} ist {} mm im Boden"
    }
    deep = Finding("the mesh of leg.L is 14 mm in the ground", "mesh", Severity.FAULT, row=4)
    assert in_language(verdict([deep] * 4, FRAMES), catalogue) == (
        "Probleme gefunden: " + "das Mesh von leg.L ist 14 mm im Boden (bei Bild 14); " * 3
        + "weitere Probleme: 1."
    )  # fmt: skip
