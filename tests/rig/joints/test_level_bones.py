"""Goals at and below bones that do not inherit rotation, measured in Blender's pose."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
import pytest

from ...builders.bakes import FRAMES, HAND, REACHED, distance, poses, run, waving


def level(rig: bpy.types.Object, *bones: str) -> None:
    for bone in bones:
        rig.data.bones[bone].use_inherit_rotation = False


def angles(before: Any, after: Any) -> np.ndarray:
    """Angles between the rotations of matrices (f, 4, 4), degrees."""
    turn = np.swapaxes(before[:, :3, :3], 1, 2) @ after[:, :3, :3]
    cosine = 0.5 * (np.trace(turn, axis1=1, axis2=2) - 1.0)
    return np.asarray(np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0))))


@pytest.mark.parametrize("bones", [(HAND,), ("arm.L",), ("chest",), ("chest", HAND)], ids=str)
def test_goals_below_level_bones_turn_the_bones_above(bones: tuple[str, ...]) -> None:
    rig = waving()
    level(rig, *bones)
    report = run(rig)
    assert not report.missed
    assert max(distance(rig, frame) for frame in FRAMES) < REACHED
    assert report.bones == 4
    assert not any("inherit" in note for note in report.notes)


def test_a_level_foot_goes_on_being_level_while_its_leg_moves() -> None:
    rig = waving(all_modes=False)
    level(rig, "foot.L")
    foot = list(rig.pose.bones.keys()).index("foot.L")
    shin = list(rig.pose.bones.keys()).index("shin.L")
    before = poses(rig, FRAMES)
    goal = rig.bioik.goals[0]
    goal.bone, goal.chain_length, goal.head_tail = "foot.L", 3, 0.0
    goal.point = before[0, foot, :3, 3] + [0.0, -0.1, 0.1]
    run(rig)
    after = poses(rig, FRAMES)
    turned = angles(before[:, shin], after[:, shin])
    assert turned.max() > 10.0
    assert angles(before[:, foot], after[:, foot]).max() < 0.2 * turned.max()


def test_level_bones_with_limits_are_reported() -> None:
    rig = waving()
    level(rig, HAND)
    rig.pose.bones[HAND].lock_ik_y = True
    report = run(rig)
    assert any(f'"{HAND}" does not inherit rotation' in note for note in report.notes)
