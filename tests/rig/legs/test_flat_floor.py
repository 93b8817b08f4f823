"""A floor added at the height of the clip's own."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from blender_bioik.rig.errors import RigError
from blender_bioik.rig.legs.flat_floor import MARGIN, add_flat_floor
from demo import character, walk
from demo.gait import CYCLE_FRAMES

SINK = 0.3


def walking() -> bpy.types.Object:
    """The demo character on one stride, its floor at a height of its own."""
    rig = character.build(bpy.context.scene.collection)
    walk.animate(rig, strides=1)
    rig.location.z = SINK
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = walk.FIRST_FRAME, walk.FIRST_FRAME + CYCLE_FRAMES
    bpy.context.view_layer.update()
    return rig


def test_the_new_ground_lies_under_the_whole_clip() -> None:
    rig = walking()
    floor = add_flat_floor(bpy.context, rig)
    corners = np.array([tuple(v.co) for v in floor.data.vertices])
    assert corners[:, 2] == pytest.approx(SINK, abs=5e-3)
    way = np.ptp(corners[:, :2], axis=0)
    assert (way > 2 * MARGIN).all()
    assert [ground.object for ground in rig.bioik.feet.grounds] == [floor]
    assert (floor.display_type, floor.hide_render) == ("WIRE", True)


def test_a_height_that_is_set_is_taken() -> None:
    rig = walking()
    rig.bioik.feet.floor, rig.bioik.feet.floor_height = "HEIGHT", 0.125
    floor = add_flat_floor(bpy.context, rig)
    assert {round(v.co.z, 6) for v in floor.data.vertices} == {0.125}


def test_the_preview_range_is_the_clip() -> None:
    rig = walking()
    scene = bpy.context.scene
    scene.use_preview_range = True
    scene.frame_preview_start = scene.frame_preview_end = 1
    with pytest.raises(RigError, match="Frames 1 to 1 are not a valid range"):
        add_flat_floor(bpy.context, rig)
