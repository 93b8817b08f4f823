"""What rests besides feet on rigs whose limbs follow controls: the rig is posed as solved.

Tests of: rig.legs.led_flesh.
"""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
import pytest

import zoo
from blender_bioik.rig.source.options import BakeOptions
from zoo import props, rigify
from zoo.blender import Built
from zoo.clips import CLIPS

from ...builders.floor_clips import plane
from ...builders.posed_legs import Posed, posed_legs
from ...builders.rigify import generated_human
from ...builders.walkers import keys_of

SLOPE = 12.0
MILLIMETRE = 1e-3
LIMBS = ("thigh", "shin", "foot", "toe", "upper_arm", "forearm", "hand")


def posed(clip: Built, rows: tuple[int, int], *, rise: float = 0.0, slope: float = 0.0) -> Posed:
    """Some rows of a clip on a floor and what the actor used, on a slope, higher or lower."""
    assert clip.motion is not None
    boxes, ground = props.add(clip.motion), plane()
    for box in boxes:
        box.location.z = rise
    ground.rotation_euler.x = np.radians(-slope)
    settings = clip.armature.bioik.feet
    settings.plot = settings.markers = False
    for thing in (ground, *boxes):
        settings.grounds.add().object = thing
    bpy.context.view_layer.update()
    first, last = (clip.first + row for row in rows)
    return posed_legs(clip.armature, BakeOptions(first, last))


def deforming_off(found: Posed, kind: str) -> float:
    """Largest distance of a deform bone's head from that of the bone that was solved, mm."""
    apart = []
    for limb in LIMBS:
        for side in "LR":
            led, solved = (found.names.index(f"{of}{limb}.{side}") for of in ("DEF-", kind))
            way = found.played.pose[:, led, :3, 3] - found.wanted[:, solved, :3, 3]
            apart.append(np.linalg.norm(way, axis=-1).max())
    return 1000.0 * float(max(apart))


@pytest.mark.parametrize(
    ("motion", "rows", "where", "parts"),
    [
        ("crawl", (40, 70), {"slope": SLOPE}, {"knee.L", "knee.R", "hand.L", "hand.R"}),
        ("hand_on_rail", (0, 25), {"rise": 0.05}, {"hand.L"}),
        ("sit", (45, 75), {"rise": 0.05}, {"seat"}),
    ],
)
def test_rigify_is_posed_as_solved(
    rigify_file: Path,
    motion: str,
    rows: tuple[int, int],
    where: dict[str, float],
    parts: set[str],
) -> None:
    """`where` has the rise or the slope of the ground."""
    clip = rigify.build_on(generated_human(rigify_file), "rigify_ik_hands_ik", CLIPS[motion])
    found = posed(clip, rows, **where)
    assert {part.name for part in found.report.parts} == parts
    assert deforming_off(found, "ORG-") < 1.0
    assert not any(finding.kind == "controls_off" for finding in found.report.findings)
    paths = {path for path, _ in keys_of(clip.armature)}
    assert 'pose.bones["hand_ik.L"].location' in paths
    assert not any('"DEF-' in path or '"ORG-' in path for path in paths)


def test_hands_of_rigify_that_ik_moves_beside_legs_that_fk_moves(rigify_file: Path) -> None:
    rig = generated_human(rigify_file)
    clip = rigify.build_on(rig, "rigify_fk_hands_ik", CLIPS["hands_on_table"])
    found = posed(clip, (35, 60), rise=0.05)
    assert {part.name for part in found.report.parts} == {"hand.L", "hand.R"}
    assert not any(finding.kind == "controls_off" for finding in found.report.findings)
    hands = [found.names.index(f"DEF-hand.{side}") for side in "LR"]
    apart = (found.played.pose - found.source.pose)[20, hands, :3, 3]
    assert apart[:, 2] == pytest.approx(0.05, abs=5 * MILLIMETRE)


def test_arms_of_rigify_that_fk_moves(rigify_file: Path) -> None:
    clip = rigify.build_on(
        generated_human(rigify_file), "rigify_ik_hands_fk", CLIPS["hand_on_rail"]
    )
    found = posed(clip, (0, 25), rise=0.05)
    assert {part.name for part in found.report.parts} == {"hand.L"}
    hand = found.names.index("DEF-hand.L")
    apart = (found.played.pose - found.source.pose)[20, hand, :3, 3]
    assert apart[2] == pytest.approx(0.05, abs=5 * MILLIMETRE)


@pytest.mark.parametrize(
    ("motion", "where", "parts"),
    [
        ("crawl", {"slope": SLOPE}, {"knee.L", "knee.R", "hand.L", "hand.R"}),
        ("hands_on_table", {"rise": 0.05}, {"hand.L", "hand.R"}),
        ("sit", {"rise": 0.05}, {"seat"}),
    ],
)
def test_limbs_with_controls_made_by_hand(
    motion: str, where: dict[str, float], parts: set[str]
) -> None:
    clip = zoo.build("ik_limbs", motion)
    found = posed(clip, (0, clip.last - clip.first), **where)
    assert {part.name for part in found.report.parts} == parts
    bones = [f"{limb}.{side}" for limb in LIMBS for side in "LR"]
    assert found.off(*bones) < 1.0
    assert not any(finding.kind == "controls_off" for finding in found.report.findings)
