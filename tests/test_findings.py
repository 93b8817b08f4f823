"""Findings, and the verdict they make."""

from __future__ import annotations

import numpy as np

from blender_bioik.findings import Finding, Severity, is_good, ranked, told, verdict
from blender_bioik.translations.sentences import in_language, sentences

FRAMES = np.arange(10.0, 30.0)
CLIMB = Finding("the clip climbs", "climb", row=2, last=7)
NOTE = Finding("the character is large", "size")
GUESS = Finding("the mapping is a guess", "mapping", Severity.WARNING)
DEEP = Finding("the mesh is in the ground", "mesh_depth", Severity.FAULT, 3.0, row=4)
SLIDES = Finding("a foot slides", "drift", Severity.FAULT, 1.2, row=0, last=0)


def test_what_was_decided_is_a_part_of_the_verdict() -> None:
    assert verdict([CLIMB], FRAMES) == "Good; Levels: the clip climbs (frames 12 to 17)."
    assert verdict([DEEP, CLIMB], FRAMES) == (
        "Problems found: the mesh is in the ground (at frame 14); "
        "Levels: the clip climbs (frames 12 to 17)."
    )
    assert is_good([CLIMB])


def test_nothing_but_notes_is_good() -> None:
    assert verdict([], FRAMES) == "Good."
    assert verdict([NOTE], FRAMES) == "Good."
    assert is_good([NOTE])


def test_faults_come_first_and_the_worst_of_them_before_others() -> None:
    found = [NOTE, SLIDES, GUESS, DEEP]
    assert ranked(found) == [DEEP, SLIDES, GUESS, NOTE]
    assert verdict(found, FRAMES) == (
        "Problems found: the mesh is in the ground (at frame 14); a foot slides (at frame 10); "
        "the mapping is a guess."
    )
    assert not is_good(found)


def test_a_warning_takes_part_of_the_good_back() -> None:
    assert verdict([GUESS, NOTE], FRAMES) == "Good, but the mapping is a guess."
    assert not is_good([GUESS])


def test_a_verdict_names_the_worst_of_each_topic_and_counts_the_others() -> None:
    kinds = ("mesh_depth", "body_depth", "rest_floats", "drift", "stretch", "height", "jerk")
    found = [
        Finding(f"{kind} {k}", kind, Severity.FAULT, 10.0 - k) for k in range(2) for kind in kinds
    ]
    assert verdict(found, FRAMES) == (
        "Problems found: mesh_depth 0; rest_floats 0; drift 0; stretch 0; height 0; jerk 0; "
        "more problems: 8."
    )


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
        "the mesh of {} is {} mm in the ground": "das Mesh von {} ist {} mm im Boden",
    }
    deep = Finding("the mesh of leg.L is 14 mm in the ground", "mesh", Severity.FAULT, row=4)
    assert in_language(verdict([deep] * 4, FRAMES), catalogue) == (
        "Probleme gefunden: das Mesh von leg.L ist 14 mm im Boden (bei Bild 14); "
        "weitere Probleme: 3."
    )
