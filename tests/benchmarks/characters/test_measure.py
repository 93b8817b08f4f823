"""The measure of characters: errors of known size are what it finds."""

from __future__ import annotations

import bpy
import pytest

from benchmarks.characters import scenes
from benchmarks.characters.limits import LIMITS, missed, unsaid
from benchmarks.characters.measure import Quality, measure
from benchmarks.characters.scenes import Scene
from blender_bioik.rig.blender import fcurves

BY_NAME = {limit.name: limit for limit in LIMITS}


def judged(built: Scene) -> Quality:
    return measure(built.scene, built.subject, built.source, built.grounds)


def shift(thing: bpy.types.Object, bone: str, way: tuple[float, float, float]) -> None:
    """Move the keys of a bone's location, in the bone's own axes."""
    curves = fcurves.curves_by_channel(fcurves.assigned_container(thing))
    for index, by in enumerate(way):
        for key in curves[f'pose.bones["{bone}"].location', index].keyframe_points:
            key.co.y += by


@pytest.mark.parametrize("name", ["plain.walk.flat", "hooves.walk.flat", "plain.ladder.props"])
def test_an_unchanged_clip_misses_nothing(name: str) -> None:
    built = scenes.build(name)
    quality = judged(built)
    assert missed(name, vars(quality)) == []
    assert quality.jerk == pytest.approx(1.0, abs=1e-3)
    assert quality.drift < 0.05
    assert quality.contacts > 0


def test_a_character_moved_down_is_in_the_ground() -> None:
    built = scenes.build("plain.walk.flat")
    built.subject.armature.location.z = -0.02
    quality = judged(built)
    assert quality.foot == pytest.approx(20.0, abs=0.1)
    assert quality.rise == pytest.approx(20.0, abs=1.0)


def test_depths_count_in_proportion_to_the_character() -> None:
    built = scenes.build("giant.walk.flat")
    built.subject.armature.location.z = -1.0
    assert judged(built).foot == pytest.approx(16.0, abs=0.1)


def test_a_foot_off_its_leg_is_a_stretched_link() -> None:
    built = scenes.build("detached.walk.flat")
    shift(built.subject.armature, "front_foot.L", (0.0, 0.0, 0.03))
    quality = judged(built)
    assert 15.0 < quality.links < 62.0
    assert BY_NAME["links"] in missed(built.name, vars(quality))


def test_a_seat_is_no_worse_than_in_the_source() -> None:
    quality = judged(scenes.build("plain.sit.props"))
    assert quality.body == 0.0


def test_what_is_under_a_rung_is_not_in_it() -> None:
    built = scenes.build("plain.ladder.props")
    assert judged(built).body < 10.0


@pytest.mark.parametrize(
    ("sentence", "silent"),
    [
        ("Good.", True),
        ("Planted feet within 1 mm; no penetration (before: 20 mm)", True),
        ("Sliding 0.1 mm, penetration 0.7 mm (before: 30 mm)", True),
        ("The left foot penetrates the ground by 21 mm", False),
        ("Both feet sink in", False),
    ],
)
def test_a_sentence_tells_of_a_miss_only_if_it_calls_it_one(sentence: str, silent: bool) -> None:
    assert bool(unsaid([BY_NAME["foot"]], sentence)) is silent
