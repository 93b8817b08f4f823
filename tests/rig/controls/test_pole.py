"""Where a pole has to be, compared with Blender's own IK."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from blender_bioik.rig.controls.pole import pole_place

from ...builders.control_rigs import controlled_walker, pole_angle


@pytest.mark.parametrize("turn", [-0.6, 0.0, 0.9])
def test_a_pole_there_turns_the_leg_as_wanted(turn: float) -> None:
    """Blender's own pose for some pole is wanted; from it another pole of the same effect."""
    rig = controlled_walker()
    bones = rig.pose.bones
    bones["shin_pole.L"].location.x += turn
    rig.update_tag(refresh={"DATA"})
    bpy.context.view_layer.update()
    thigh, shin = (np.array(bones[name].matrix, float) for name in ("thigh.L", "shin.L"))
    end = np.array(bones["foot_target.L"].head, float)
    joints = np.stack([thigh[:3, 3], shin[:3, 3], end])
    before = np.array(bones["shin_pole.L"].head, float)
    angle = pole_angle(rig, ("thigh", "shin", "foot"), "L")
    place = pole_place(thigh, shin[:3, 3], end, angle, (joints, before))
    np.testing.assert_allclose(place, before, atol=2e-4)


def test_a_pole_on_the_leg_is_moved_out() -> None:
    first = np.eye(4)
    joints = np.array([[0.0, 0.0, 0.0], [0.1, 0.5, 0.0], [0.0, 1.0, 0.0]])
    place = pole_place(first, joints[1], joints[2], 0.0, (joints, joints[1] * [0, 1, 0]))
    np.testing.assert_allclose(place, [0.5, 0.5, 0.0])
