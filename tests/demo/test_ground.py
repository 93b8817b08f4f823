"""The grounds: ray hits agree with the heights."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demo import ground

across = st.floats(-1.9, 1.9)
along = st.floats(-9.0, 2.5)
HILLS, STAIRS = ground.Hills(), ground.Stairs()


def height_hit(thing: object, x: float, y: float) -> float:
    hit, place, normal, _ = thing.ray_cast((x, y, 10.0), (0.0, 0.0, -1.0))  # type: ignore[attr-defined]
    assert hit
    assert normal[2] > 0.2  # faces up
    return float(place[2])


@pytest.fixture(scope="module")
def grounds() -> dict[str, object]:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    made = {
        "flat": ground.flat(),
        "hills": ground.hills(HILLS),
        "stairs": ground.stairs(STAIRS),
    }
    for thing in made.values():
        bpy.context.scene.collection.objects.link(thing)
    bpy.context.view_layer.update()
    return made


@given(across, along)
def test_flat(grounds: dict[str, object], x: float, y: float) -> None:
    assert height_hit(grounds["flat"], x, y) == pytest.approx(0.0, abs=1e-6)


@given(across, along)
def test_hills(grounds: dict[str, object], x: float, y: float) -> None:
    # Faces of 10 cm cut the tops of the waves by a few millimetres.
    assert height_hit(grounds["hills"], x, y) == pytest.approx(HILLS.at(x, y), abs=0.004)


@given(across, along)
def test_stairs(grounds: dict[str, object], x: float, y: float) -> None:
    if min(abs(y - edge) for edge, _, _ in STAIRS.risers()) < 1e-3:
        return
    assert height_hit(grounds["stairs"], x, y) == pytest.approx(STAIRS.at(x, y), abs=1e-5)


def test_start_is_flat() -> None:
    y = np.linspace(0.0, ground.BEHIND, 20)
    assert not HILLS.at(np.zeros(20), y).any()
    assert not STAIRS.at(np.zeros(20), y).any()


def test_stairs_go_up_and_down_again() -> None:
    y = np.linspace(0.0, -9.0, 2000)
    height = STAIRS.at(np.zeros(2000), y)
    assert height.max() == pytest.approx(STAIRS.steps * STAIRS.rise)
    assert height[-1] == pytest.approx(0.0, abs=1e-12)


def test_hills_with_an_end_are_flat_from_there_on() -> None:
    ended = ground.Hills(end=6.0)
    y = np.linspace(-6.0, -9.0, 20)
    assert not ended.at(np.full(20, 0.7), y).any()
    assert ended.at(0.0, -4.0) == HILLS.at(0.0, -4.0)
