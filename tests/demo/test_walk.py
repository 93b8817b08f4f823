"""The demo walk, judged by Blender's own pose matrices and evaluated mesh."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import bpy
import numpy as np
import pytest
from numpy.typing import NDArray

from demo import character, gait, walk
from demo.skeleton import HEIGHT, bones, sole_points

Array = NDArray[np.float64]

FRAMES = range(walk.FIRST_FRAME, walk.LAST_FRAME + 1)


@pytest.fixture(scope="module")
def armature() -> Any:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    made = character.build(bpy.context.scene.collection)
    walk.animate(made)
    return made


@pytest.fixture(scope="module")
def poses(armature: Any) -> dict[str, Array]:
    """(frames, 4, 4) pose matrices of each bone, in armature space."""
    found: dict[str, list[Array]] = {bone.name: [] for bone in armature.pose.bones}
    for frame in FRAMES:
        bpy.context.scene.frame_set(frame)
        for bone in armature.pose.bones:
            found[bone.name].append(np.array(bone.matrix))
    return {name: np.array(matrices) for name, matrices in found.items()}


@pytest.fixture(scope="module")
def soles(armature: Any, poses: dict[str, Array]) -> dict[tuple[str, str], Array]:
    """(frames, 3) path of heel, ball and toe of both feet."""
    paths = {}
    for side in "LR":
        for point, (bone, rest) in sole_points(side).items():
            local = np.linalg.inv(np.array(armature.data.bones[bone].matrix_local)) @ (*rest, 1.0)
            paths[side, point] = (poses[bone] @ local)[:, :3]
    return paths


def flexion(poses: dict[str, Array], upper: str, lower: str) -> Array:
    """Degrees between two bones' long axes."""
    cosine = np.sum(poses[upper][:, :3, 1] * poses[lower][:, :3, 1], axis=1)
    return np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0)))


def test_armature_is_the_one_described(armature: Any) -> None:
    made = armature.data.bones
    assert {bone.name for bone in bones()} == {bone.name for bone in made}
    for bone in bones():
        assert (made[bone.name].parent.name if made[bone.name].parent else "") == bone.parent
        np.testing.assert_allclose(made[bone.name].head_local, bone.head, atol=1e-6)
        np.testing.assert_allclose(made[bone.name].tail_local, bone.tail, atol=1e-6)
        assert made[bone.name].use_connect == bone.connected


def test_left_and_right_are_mirror_images(armature: Any) -> None:
    for bone in armature.data.bones:
        if not bone.name.endswith(".L"):
            continue
        other = armature.data.bones[bone.name[:-1] + "R"]
        mirrored = np.array(bone.matrix_local) * np.array([[-1], [1], [1], [1]])
        # A reflection turns the handedness of the axes; Blender's own symmetry flips X.
        mirrored[:, 0] *= -1
        np.testing.assert_allclose(np.array(other.matrix_local), mirrored, atol=1e-6)


def test_every_contact_stands_still_on_the_floor(soles: dict[tuple[str, str], Array]) -> None:
    contacts = walk.contacts()
    assert {(c.side, c.point) for c in contacts} == set(soles)
    for contact in contacts:
        first, last = contact.first - walk.FIRST_FRAME, contact.last - walk.FIRST_FRAME
        path = soles[contact.side, contact.point][first : last + 1]
        slide = np.linalg.norm(path - path[0], axis=1).max()
        assert slide < 1e-4, (contact, slide)
        assert abs(path[:, 2]).max() < 1e-4, contact


def test_nothing_else_of_the_soles_stands_still(soles: dict[tuple[str, str], Array]) -> None:
    """Contacts are all of them: outside, a sole point moves, or it is above the floor."""
    listed: dict[tuple[str, str], set[int]] = {key: set() for key in soles}
    for contact in walk.contacts():
        listed[contact.side, contact.point] |= set(range(contact.first, contact.last + 1))
    for key, path in soles.items():
        for frame in set(FRAMES) - listed[key]:
            here = frame - walk.FIRST_FRAME
            step = np.linalg.norm(path[here] - path[here - 1]) if here else np.inf
            assert step > 1e-3 or path[here, 2] > 1e-3, (key, frame)


def test_one_foot_at_least_is_on_the_floor_and_sometimes_both() -> None:
    standing = {
        side: {
            frame
            for contact in walk.contacts()
            if contact.side == side
            for frame in range(contact.first, contact.last + 1)
        }
        for side in "LR"
    }
    assert standing["L"] | standing["R"] == set(FRAMES)
    double = len(standing["L"] & standing["R"]) / len(FRAMES)
    assert 0.15 < double < 0.35


def test_swinging_sole_points_stay_above_the_floor(soles: dict[tuple[str, str], Array]) -> None:
    for key, path in soles.items():
        assert path[:, 2].min() > -1e-4, key


def test_shoe_soles_do_not_sink_into_the_floor(armature: Any) -> None:
    body = next(child for child in armature.children if child.type == "MESH")
    for frame in FRAMES:
        bpy.context.scene.frame_set(frame)
        evaluated = body.evaluated_get(bpy.context.evaluated_depsgraph_get())
        mesh = evaluated.to_mesh()
        heights = np.empty(3 * len(mesh.vertices))
        mesh.vertices.foreach_get("co", heights)
        evaluated.to_mesh_clear()
        # A millimetre: the rubber's edge is rounder than the line it rolls over.
        assert heights[2::3].min() > -1e-3, frame
        assert heights[2::3].max() < HEIGHT + 0.03


def test_walk_closes_into_a_loop(poses: dict[str, Array]) -> None:
    way = np.array([0.0, -gait.STRIDE * walk.STRIDES, 0.0])
    for name, matrices in poses.items():
        moved = matrices[0].copy()
        moved[:3, 3] += way
        np.testing.assert_allclose(matrices[-1], moved, atol=1e-5, err_msg=name)


def test_joints_turn_smoothly(poses: dict[str, Array], armature: Any) -> None:
    """No joint turns more than 30 degrees a frame, or changes its pace by more than 20."""
    for bone in armature.pose.bones:
        local = poses[bone.name][:, :3, :3]
        if bone.parent:
            local = np.swapaxes(poses[bone.parent.name][:, :3, :3], 1, 2) @ local
        steps = np.array([_turn(a, b) for a, b in pairwise(local)])
        assert np.linalg.norm(steps, axis=1).max() < np.radians(30), bone.name
        assert np.linalg.norm(np.diff(steps, axis=0), axis=1).max() < np.radians(20), bone.name


def test_quaternions_keep_their_sign(armature: Any) -> None:
    previous: dict[str, Array] = {}
    for frame in FRAMES:
        bpy.context.scene.frame_set(frame)
        for bone in armature.pose.bones:
            now = np.array(bone.rotation_quaternion)
            assert now @ previous.get(bone.name, now) > 0.9, (bone.name, frame)
            previous[bone.name] = now


@pytest.mark.parametrize("side", ["L", "R"])
def test_knee_bends_like_a_walking_knee(poses: dict[str, Array], side: str) -> None:
    """Almost straight at strike, a small bend under load, straight again, then a large one."""
    start = 0 if side == "L" else gait.CYCLE_FRAMES // 2
    knee = flexion(poses, f"thigh.{side}", f"shin.{side}")[start : start + gait.CYCLE_FRAMES]
    # The rest pose is a little bent already, so angles between the axes include it.
    percent = 100 * np.arange(gait.CYCLE_FRAMES) / gait.CYCLE_FRAMES
    assert knee[0] < 12
    assert 10 < knee[(percent > 8) & (percent < 25)].max() < 25
    assert knee[(percent > 30) & (percent < 45)].min() < 10
    assert 50 < knee.max() < 70
    assert 65 < percent[knee.argmax()] < 80


def test_knee_bends_only_backwards(poses: dict[str, Array]) -> None:
    for side in "LR":
        thigh, shin = poses[f"thigh.{side}"][:, :3, 1], poses[f"shin.{side}"][:, :3, 1]
        hinge = np.cross(thigh, shin)
        assert (hinge[:, 0] > 0).all()


def test_pelvis_rises_over_the_standing_leg_and_sways_towards_it(poses: dict[str, Array]) -> None:
    pelvis = poses["hips"][: gait.CYCLE_FRAMES, :3, 3]
    height, side = pelvis[:, 2], pelvis[:, 0]
    assert 0.015 < np.ptp(height) < 0.05
    half = gait.CYCLE_FRAMES // 2
    assert 4 <= height[:half].argmax() <= 9
    assert side[:half].mean() > 0 > side[half:].mean()
    np.testing.assert_allclose(height[:half], height[half:], atol=1e-5)


def test_arms_swing_against_the_legs(poses: dict[str, Array]) -> None:
    for side in "LR":
        hand = poses[f"hand.{side}"][:, 1, 3] - poses["upper_chest"][:, 1, 3]
        foot = poses[f"foot.{side}"][:, 1, 3] - poses["hips"][:, 1, 3]
        assert np.corrcoef(hand, foot)[0, 1] < -0.8


def test_head_is_steadier_than_the_chest(poses: dict[str, Array]) -> None:
    def spread(bone: str) -> float:
        return max(float(np.linalg.norm(_turn(poses[bone][0], m))) for m in poses[bone])

    assert spread("head") < spread("upper_chest") / 2


def _turn(first: Array, second: Array) -> Array:
    """Rotation vector from one orientation to another, radians."""
    relative = first[:3, :3].T @ second[:3, :3]
    axis = np.array([relative[2, 1] - relative[1, 2], relative[0, 2] - relative[2, 0],
                     relative[1, 0] - relative[0, 1]])  # fmt: skip
    sine, cosine = np.linalg.norm(axis) / 2, (np.trace(relative) - 1) / 2
    if sine < 1e-9:
        return np.zeros(3)
    return axis / (2 * sine) * np.arctan2(sine, cosine)
