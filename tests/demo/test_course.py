"""The course: one ground without gaps, and a walk that ends on it."""

from __future__ import annotations

import numpy as np
import pytest

from demo import course, feet, walk
from demo.skeleton import sole_points


@pytest.fixture
def built() -> course.Course:
    return course.build()


def test_every_place_on_the_path_has_one_ground_at_its_height(built: course.Course) -> None:
    for y in np.arange(-course.LENGTH + 0.02, course.BEHIND, 0.13).tolist():
        if min(abs(y - edge) for edge, _, _ in course.STAIRS.risers()) < 1e-3:
            continue
        for x in (-0.4, 0.0, 0.4):
            hits = [thing.ray_cast((x, y, 5.0), (0.0, 0.0, -1.0)) for thing in built.grounds]
            heights = [place[2] for hit, place, _, _ in hits if hit]
            assert len(heights) == 1, (x, y)
            # Faces of 10 cm cut the tops of the waves.
            assert heights[0] == pytest.approx(float(course.height_at(x, y)), abs=0.008)


def test_the_walk_sinks_in_before_and_stands_on_the_ground_after(built: course.Course) -> None:
    before = lowest_above_ground(built)

    feet.place(built)

    after = lowest_above_ground(built)
    assert before.min() < -0.4
    assert after.min() > -0.002
    # In every frame of a walk a foot is on the ground; on an edge its measured points may not be.
    assert np.median(after) < 0.002


def lowest_above_ground(built: course.Course) -> np.ndarray:
    """Of each frame, the least height of a sole point above the ground it is over, metres."""
    bones, lowest = built.armature.pose.bones, []
    points = [point for side in "LR" for point in sole_points(side).values()]
    rest = {
        bone: np.linalg.inv(np.array(built.armature.data.bones[bone].matrix_local))
        for bone, _ in points
    }
    for frame in range(walk.FIRST_FRAME, course.LAST_FRAME + 1):
        built.scene.frame_set(frame)
        places = [np.array(bones[bone].matrix) @ rest[bone] @ (*at, 1.0) for bone, at in points]
        lowest.append(min(z - float(course.height_at(x, y)) for x, y, z, _ in places))
    return np.array(lowest)
