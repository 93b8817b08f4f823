"""The stage and its pictures, small ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

from demo import course, pictures, stage, things, walk


@pytest.fixture(scope="module")
def built() -> stage.Stage:
    return stage.build()


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "SHEET_CELL", (64, 96))
    monkeypatch.setattr(pictures, "FILM_CELL", (64, 96))


def pixels_of(path: Path) -> Any:
    image = bpy.data.images.load(str(path))
    width, height = image.size
    pixels = np.array(image.pixels).reshape(height, width, 4)[::-1]
    bpy.data.images.remove(image)
    return pixels


def owned_data() -> list[str]:
    """Names of what the file holds, but for Blender's own buffer for renders."""
    kinds = ("scenes", "cameras", "curves", "materials", "objects", "worlds", "images")
    return [
        item.name
        for kind in kinds
        for item in getattr(bpy.data, kind)
        if getattr(item, "type", "") != "RENDER_RESULT"
    ]


def a_turned_character(armature: Any) -> Any:
    """An action other than the walk; the walk stays the one that plays."""
    walking = armature.animation_data.action
    armature.animation_data.action = made = bpy.data.actions.new("Turned")
    hips = armature.pose.bones["hips"]
    hips.rotation_quaternion = (0.7, 0.0, 0.7, 0.0)
    hips.keyframe_insert("rotation_quaternion", frame=1)
    armature.animation_data.action = walking
    return made


def test_lantern_is_within_reach_of_the_left_arm(built: stage.Stage) -> None:
    bones = built.armature.pose.bones
    arm = bones["upper_arm.L"].length + bones["forearm.L"].length
    for frame in range(walk.FIRST_FRAME, walk.LAST_FRAME + 1):
        built.scene.frame_set(frame)
        away = (built.lantern.location - bones["upper_arm.L"].head).length
        assert away < arm, frame


def test_the_source_walk_ignores_the_settings_of_the_demo(built: stage.Stage) -> None:
    """Otherwise there would be nothing to show: the hand misses the lantern and hits the ball."""
    bones = built.armature.pose.bones
    lantern, ball = [], []
    for frame in range(walk.FIRST_FRAME, walk.LAST_FRAME + 1):
        built.scene.frame_set(frame)
        lantern.append((built.lantern.location - bones["hand.L"].tail).length)
        ball.append((built.ball.location - bones["hand.R"].tail).length)
    assert min(lantern) > 0.05
    assert sum(distance < things.BALL_RADIUS for distance in ball) > 20


def test_drone_stays_before_the_face(built: stage.Stage) -> None:
    head = built.armature.pose.bones["head"]
    for frame in range(walk.FIRST_FRAME, walk.LAST_FRAME + 1):
        built.scene.frame_set(frame)
        away = built.drone.location - head.head
        assert away.angle((0.0, -1.0, 0.0)) < np.radians(65), frame


def test_contact_sheet_shows_each_action_and_leaves_the_scene_as_it_was(
    built: stage.Stage, small: None, tmp_path: Path
) -> None:
    scene, armature = built.scene, built.armature
    source = armature.animation_data.action
    turned = a_turned_character(armature)
    scene.frame_set(7)
    before = owned_data()

    path = tmp_path / "sheet.png"
    frames = (20, 40)
    pictures.contact_sheet(scene, armature, {"one": source, "two": turned}, frames, path)

    sheet = pixels_of(path)
    row, top = 96 + pictures.CAPTION + pictures.GAP, pictures.GAP + pictures.CAPTION
    first, second = (sheet[top + i * row : top + i * row + 96] for i in (0, 1))
    assert abs(first - second).mean() > 0.005
    left, right = first[:, pictures.GAP : pictures.GAP + 64], first[:, -64 - pictures.GAP :][:, :64]
    assert abs(left - right).mean() > 0.005
    caption = sheet[pictures.GAP : top, :, 0]
    assert caption.min() < 0.5 < 0.9 < caption.max()
    assert (scene.frame_current, armature.animation_data.action) == (7, source)
    assert owned_data() == before
    bpy.data.actions.remove(turned)


def test_film_has_a_picture_for_each_frame(built: stage.Stage, small: None, tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    action = built.armature.animation_data.action

    pictures.film(built.scene, built.armature, {"a": action, "b": action}, (1, 3, 5), 12, path)

    clip = bpy.data.movieclips.load(str(path))
    assert clip.frame_duration == 3
    assert tuple(clip.size) == (2 * 64 + 3 * pictures.GAP, 96 + pictures.CAPTION + 2)
    assert clip.fps == 12
    bpy.data.movieclips.remove(clip)


def test_panorama_shows_all_frames_at_once_and_leaves_the_scene_as_it_was(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    width, height = 240, 72
    monkeypatch.setattr(pictures, "PANORAMA", (width, height))
    built = course.build()
    scene, armature = built.scene, built.armature
    camera, source = scene.camera, armature.animation_data.action
    (body,) = armature.children
    scene.frame_set(5)
    before = owned_data()

    def taken(*frames: int) -> Any:
        path = tmp_path / f"{len(frames)}.png"
        pictures.panorama(scene, built.panorama, armature, {"a": source}, [body], frames, path)
        return pixels_of(path)[pictures.CAPTION :, pictures.GAP : pictures.GAP + width]

    nobody, first, both = taken(), taken(20), taken(20, 160)

    def changed(one: Any, other: Any) -> tuple[bool, bool]:
        """Whether the left and the right half differ."""
        columns = abs(one - other).max(axis=(0, 2)) > 0.1
        return bool(columns[: width // 2].any()), bool(columns[width // 2 :].any())

    assert changed(nobody, first) == (True, False)  # walks from left to right
    assert changed(first, both) == (False, True)
    assert (scene.frame_current, scene.camera, body.hide_render) == (5, camera, False)
    assert armature.animation_data.action == source
    assert owned_data() == before
