"""Floors, levels and air in placed clips: by the evaluated soles of generated characters.

Tests of: motion.contacts.hands, motion.contacts.levels, motion.contacts.standing,
motion.plan.climbs, motion.plan.climb_findings, motion.plan.ground_steps.
"""

from __future__ import annotations

from collections.abc import Sequence

import bpy
import numpy as np
import pytest

import zoo
from blender_bioik.rig.bake.bake import BakeOptions
from blender_bioik.rig.blender import fcurves
from blender_bioik.rig.feet.place_feet import place_feet
from blender_bioik.rig.report.foot_report import FootReport
from zoo.blender import Built

from ...builders.floor_clips import (
    Place,
    Stepped,
    ahead,
    bone_path,
    box,
    hanging_from_a_seat,
    plane,
    soles,
    stepped,
)

# Three steps of 20 cm up and down, and the rungs of a ladder.
STEPS = (0.0, 0.0, 0.2, 0.4, 0.6, 0.6, 0.4, 0.2, 0.0, 0.0)
RUNGS = (0.0, 0.0, 0.28, 0.56, 0.84, 0.84, 0.56, 0.28, 0.0, 0.0)
# Half the depth of a tread.
HALF = 0.15


def rungs(heights: Sequence[float] = RUNGS) -> list[Place]:
    """Feet side by side, those on rungs a little ahead."""
    places = ahead(heights, length=0.0)
    return [(x, -0.1 if z > 0.0 else 0.0, z) for x, _, z in places]


def placed(clip: Built, *grounds: bpy.types.Object) -> FootReport:
    for ground in grounds:
        clip.armature.bioik.feet.grounds.add().object = ground
    clip.armature.bioik.feet.plot = clip.armature.bioik.feet.markers = False
    return place_feet(bpy.context.scene, clip.armature, BakeOptions(clip.first, clip.last))


def rests(clip: Stepped) -> tuple[list[float], list[float]]:
    """The lowest height of the sole in each stand, and how far it drifts there; metres."""
    found = soles(clip.built)
    heights, drifts = [], []
    for stand in clip.stands:
        sole = found[stand.side][stand.first + 2 : stand.stop - 2]
        lowest = sole[..., 2].min(axis=1)
        assert np.ptp(lowest) < 0.001
        heights.append(float(lowest.mean()))
        middle = sole[..., :2].mean(axis=1)
        drifts.append(float(np.linalg.norm(middle - middle.mean(axis=0), axis=1).max()))
    return heights, drifts


def climbs(report: FootReport) -> list[str]:
    return [finding.text for finding in report.findings if finding.kind == "climb"]


@pytest.mark.parametrize("drift", [0.0, 0.02, 0.04])
def test_drift_of_a_recorded_floor_does_not_reach_the_ground(drift: float) -> None:
    clip = stepped(ahead([0.3 * drift * k for k in range(8)]))
    report = placed(clip.built, plane())
    heights, drifts = rests(clip)
    np.testing.assert_allclose(heights, 0.0, atol=0.001)
    assert max(drifts) < 0.001
    assert climbs(report) == []


@pytest.mark.parametrize("ground", [0.0, 1.5])
def test_steps_that_the_scene_lacks_keep_their_height_above_the_ground(ground: float) -> None:
    clip = stepped(ahead(STEPS))
    before = bone_path(clip.built, "hips")
    report = placed(clip.built, plane(ground))
    heights, drifts = rests(clip)
    np.testing.assert_allclose(
        heights, [ground + stand.place[2] for stand in clip.stands], atol=0.001
    )
    assert max(drifts) < 0.001
    rise = bone_path(clip.built, "hips")[:, 2] - before[:, 2]
    np.testing.assert_allclose(rise, ground, atol=0.005)
    (text,) = climbs(report)
    assert "0.60 m" in text
    assert "Put on Ground" in text


def test_the_way_back_to_another_height_of_the_ground_is_smooth() -> None:
    clip = stepped(ahead(STEPS))
    source = bone_path(clip.built, "hips")
    # The ground is 20 cm higher where the clip comes down.
    placed(clip.built, plane(), box((0.0, -3.0, 0.1), (2.0, 0.8, 0.1)))
    heights, _ = rests(clip)
    last = max(range(len(heights)), key=lambda k: clip.stands[k].place[1] * -1.0)
    assert heights[last] == pytest.approx(0.2, abs=0.001)
    rise = bone_path(clip.built, "hips")[:, 2] - source[:, 2]
    assert rise[0] == pytest.approx(0.0, abs=0.01)
    assert rise[-1] == pytest.approx(0.2, abs=0.01)
    assert np.diff(rise).min() > -0.004
    assert np.abs(np.diff(rise, n=2)).max() < 0.004


@pytest.mark.parametrize("riser", [0.2, 0.16])
def test_steps_of_the_scene_are_matched(riser: float) -> None:
    clip = stepped(ahead(STEPS))
    tops = [riser * round(height / 0.2) for height in STEPS]
    treads = [
        box((0.0, -0.3 * k, 0.5 * top), (1.0, HALF, 0.5 * top))
        for k, top in enumerate(tops)
        if top > 0.0
    ]
    report = placed(clip.built, plane(), *treads)
    heights, drifts = rests(clip)
    wanted = [riser * round(stand.place[2] / 0.2) for stand in clip.stands]
    np.testing.assert_allclose(heights, wanted, atol=0.002)
    assert max(drifts) < 0.001
    assert "on the steps of the ground" in climbs(report)[0]


def test_a_ladder_keeps_its_height() -> None:
    clip = stepped(rungs(), hands=True)
    before, hand = bone_path(clip.built, "hips"), bone_path(clip.built, "hand.L")
    report = placed(clip.built, plane())
    heights, _ = rests(clip)
    np.testing.assert_allclose(heights, [stand.place[2] for stand in clip.stands], atol=0.001)
    np.testing.assert_allclose(bone_path(clip.built, "hips"), before, atol=0.005)
    np.testing.assert_allclose(bone_path(clip.built, "hand.L"), hand, atol=0.005)
    assert "hands bear" in climbs(report)[0]


def test_low_rungs_keep_their_height_because_hands_bear() -> None:
    heights = (0.0, 0.0, 0.2, 0.2, 0.0, 0.0)
    for hands, height in ((True, 0.2), (False, 0.0)):
        clip = stepped(rungs(heights), hands=hands)
        placed(clip.built, plane())
        found = [z for z, stand in zip(rests(clip)[0], clip.stands, strict=True) if stand.place[2]]
        np.testing.assert_allclose(found, height, atol=0.001)


@pytest.mark.parametrize("spacing", [0.28, 0.25])
def test_rungs_of_the_scene_are_matched(spacing: float) -> None:
    clip = stepped(rungs(), hands=True)
    made = [box((0.0, -0.15, spacing * k - 0.015), (0.4, 0.015, 0.015)) for k in range(1, 6)]
    report = placed(clip.built, plane(), *made)
    wanted = [spacing * round(stand.place[2] / 0.28) for stand in clip.stands]
    np.testing.assert_allclose(rests(clip)[0], wanted, atol=0.002)
    assert "on the steps of the ground" in climbs(report)[0]


def test_uneven_ground_is_put_on_the_ground_unless_it_is_to_keep_its_height() -> None:
    heights = (0.0, 0.0, 0.24, 0.26, 0.0, 0.12, 0.13, 0.3, 0.05, 0.0)
    for levels, kept in (("AUTO", 0.0), ("PUT", 0.0), ("KEEP", 1.0)):
        clip = stepped(ahead(heights, 0.4))
        clip.built.armature.bioik.feet.levels = levels
        report = placed(clip.built, plane())
        # What differs by less than a step is drift.
        np.testing.assert_allclose(
            rests(clip)[0], [kept * stand.place[2] for stand in clip.stands], atol=0.03
        )
        assert ("are put on the ground" in climbs(report)[0]) == (kept == 0.0)


def test_a_contact_has_a_choice_of_its_own() -> None:
    clip = stepped(ahead((0.0, 0.0, 0.2, 0.2, 0.0, 0.0)))
    source = clip.built.armature.animation_data.action
    slot = fcurves.assigned_slot(clip.built.armature)
    placed(clip.built, plane())
    contacts = clip.built.armature.bioik.feet.contacts
    raised = [k for k, stand in enumerate(clip.stands) if stand.place[2] > 0.0]
    assert [rests(clip)[0][k] for k in raised] == pytest.approx([0.0, 0.0], abs=0.001)
    first = clip.stands[raised[0]]
    chosen = [
        c
        for c in contacts
        if c.point == "BALL" and c.foot[-1] == first.side and c.frame_start > first.first - 5
    ]
    min(chosen, key=lambda contact: contact.frame_start).level = "KEEP"
    assert clip.built.armature.bioik.feet.contacts_edited
    fcurves.assign_action(clip.built.armature, source, slot)
    placed(clip.built)
    assert [rests(clip)[0][k] for k in raised] == pytest.approx([0.2, 0.0], abs=0.001)


@pytest.mark.parametrize("motion", ["jump", "falling_idle", "drop", "get_up", "sit", "cartwheel"])
def test_what_is_in_the_air_or_lies_stays_as_animated(motion: str) -> None:
    clip = zoo.build("plain", motion)
    hips, before = bone_path(clip, "hips"), soles(clip)
    placed(clip, plane())
    np.testing.assert_allclose(bone_path(clip, "hips"), hips, atol=0.005)
    after = soles(clip)
    for side in "LR":
        np.testing.assert_allclose(after[side], before[side], atol=0.01)


@pytest.mark.parametrize("motion", ["jump", "falling_idle", "drop", "get_up", "crawl"])
def test_feet_stand_only_while_they_touch_the_floor(motion: str) -> None:
    clip = zoo.build("plain", motion)
    placed(clip, plane())
    for side in "LR":
        touching = np.zeros(clip.last + 1, bool)
        for touch in clip.truth.touches:
            if touch.bone == f"toe.{side}":
                touching[clip.first + touch.first : clip.first + touch.stop] = True
        for contact in clip.armature.bioik.feet.contacts:
            if contact.foot == f"leg.{side}" and contact.point == "BALL":
                frames = slice(contact.frame_start, contact.frame_end + 1)
                assert touching[frames].mean() > 0.9


def test_feet_that_hang_from_a_seat_do_not_stand() -> None:
    clip = hanging_from_a_seat()
    hips, before = bone_path(clip, "hips"), soles(clip)
    report = placed(clip, plane())
    assert climbs(report) == []
    np.testing.assert_allclose(bone_path(clip, "hips"), hips, atol=0.005)
    for side in "LR":
        # They keep a part of the way by which they were held back until they left the floor.
        np.testing.assert_allclose(soles(clip)[side], before[side], atol=0.025)
