from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
import pytest

from blender_bioik.rig.blender import fcurves
from blender_bioik.rig.keys import outputs
from blender_bioik.rig.keys.keys import ChannelKeys
from blender_bioik.rig.report.metric_curves import (
    GROUP,
    METRICS,
    PATHS,
    remove_metrics,
    write_metrics,
)

from ...builders.libraries import link_object, save_as_library
from ...builders.rigs import add_armature, add_chain
from ...builders.snapshots import data_of, differences, file_data

FRAMES = np.arange(1.0, 21.0, dtype=float)
PENETRATION = '["bioik_penetration_mm"]'


def animated_rig(name: str = "Rig") -> bpy.types.Object:
    """An armature with an action that turns its first bone."""
    rig = add_armature(name)
    add_chain(rig, 2)
    bpy.context.view_layer.update()
    action = fcurves.new_action(f"{name}Walk", rig)
    slot = fcurves.ensure_slot(action, rig)
    container = fcurves.ensure_container(action, slot)
    curve = fcurves.ensure_curve(container, 'pose.bones["bone.0"].location', 0, "bone.0")
    fcurves.write_keys(curve, [1, 20], [0.0, 1.0], key_type="KEYFRAME")
    fcurves.assign_action(rig, action, slot)
    return rig


def some_curves(value: float = 0.001) -> dict[str, np.ndarray]:
    return {name: np.full(len(FRAMES), value) for name in METRICS}


def baked_layer(rig: bpy.types.Object) -> bpy.types.NlaStrip:
    channels = [
        ChannelKeys('pose.bones["bone.0"].location', 0, "bone.0", np.linspace(0.0, 1.0, 20))
    ]
    return outputs.write_layer(bpy.context.scene, rig, FRAMES, channels)


def metric_curves(container: bpy.types.ID | None) -> dict[str, bpy.types.FCurve]:
    return {
        path: curve
        for (path, _), curve in fcurves.curves_by_channel(container).items()
        if path in PATHS
    }


def marker_names() -> list[str]:
    return [marker.name for marker in bpy.context.scene.timeline_markers]


def write(
    rig: bpy.types.Object,
    action: bpy.types.Action | None = None,
    curves: dict[str, np.ndarray] | None = None,
    worst: list[tuple[float, str]] | None = None,
) -> None:
    write_metrics(
        bpy.context.scene,
        rig,
        action or rig.animation_data.action,
        FRAMES,
        some_curves() if curves is None else curves,
        [] if worst is None else worst,
    )


def test_curves_are_played_by_custom_properties_in_their_units() -> None:
    rig = animated_rig()
    curves = {
        "penetration": 0.001 * FRAMES,
        "slope_error": 2.0 * FRAMES,
        "acceleration_ratio": FRAMES,
    }
    write(rig, curves=curves)
    assert fcurves.acts(metric_curves(fcurves.assigned_container(rig))[PENETRATION])
    bpy.context.scene.frame_set(7)
    assert rig["bioik_penetration_mm"] == pytest.approx(7.0)
    assert rig["bioik_slope_error_deg"] == pytest.approx(14.0)
    assert rig["bioik_acceleration_ratio"] == pytest.approx(7.0)
    assert "bioik_drift_mm" not in rig


def test_properties_have_descriptions() -> None:
    rig = animated_rig()
    write(rig)
    for metric in METRICS.values():
        shown = rig.id_properties_ui(metric.name).as_dict()
        assert shown["description"] == metric.description
        assert shown["min"] == shown["default"] == 0.0


def test_curves_are_in_a_group_of_generated_keys_and_locked() -> None:
    rig = animated_rig()
    write(rig)
    found = metric_curves(fcurves.assigned_container(rig))
    assert found.keys() == PATHS
    for curve in found.values():
        assert curve.group.name == GROUP
        assert curve.lock
        assert {key.type for key in curve.keyframe_points} == {"GENERATED"}
        assert fcurves.key_frames(curve).tolist() == FRAMES.tolist()


def test_writing_again_replaces_curves_and_own_markers() -> None:
    rig = animated_rig()
    write(rig, worst=[(3.0, "leg.L penetrates the ground by 4 mm"), (9.0, "leg.R: leg too short")])
    write(rig, curves={"drift": 0.002 * FRAMES}, worst=[(5.4, "leg.L slides 2 mm")])
    found = metric_curves(fcurves.assigned_container(rig))
    assert list(found) == ['["bioik_drift_mm"]']
    assert found['["bioik_drift_mm"]'].evaluate(5) == pytest.approx(10.0)
    assert {m.name for m in METRICS.values() if m.name in rig} == {"bioik_drift_mm"}
    assert marker_names() == ["Bio-IK Rig: leg.L slides 2 mm"]
    assert bpy.context.scene.timeline_markers[0].frame == 5


def test_markers_of_animators_and_of_other_armatures_stay() -> None:
    rig, other = animated_rig(), animated_rig("Rig.Other")
    markers = bpy.context.scene.timeline_markers
    markers.new("Bio-IK is great", frame=3)
    markers.new("Jump", frame=3)
    write(other, worst=[(2.0, "leg.L floats 9 mm")])
    write(rig, worst=[(1.0, "a"), (2.0, "b"), (3.0, "c")])
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    markers["Bio-IK Rig: b"].camera = camera
    markers["Bio-IK Rig: c"].name = "Mine"
    remove_metrics(bpy.context.scene, rig)
    assert sorted(marker_names()) == [
        "Bio-IK Rig.Other: leg.L floats 9 mm",
        "Bio-IK Rig: b",
        "Bio-IK is great",
        "Jump",
        "Mine",
    ]


@pytest.mark.parametrize("name", ["x" * 60, "é" * 30])
def test_markers_with_names_that_blender_cuts_are_known_again(name: str) -> None:
    rig = animated_rig(name)
    write(rig, worst=[(1.0, "leg.L floats 9 mm")])
    assert len(marker_names()) == 1
    write(rig)
    assert marker_names() == []


def test_removing_leaves_everything_as_it_was() -> None:
    rig = animated_rig()
    rig["mine"] = 3.0
    bpy.context.scene.timeline_markers.new("Jump", frame=3)
    before = file_data(), sorted(rig.keys()), marker_names()
    write(rig, worst=[(3.0, "leg.L penetrates the ground by 4 mm")])
    assert differences(before[0], file_data())
    assert remove_metrics(bpy.context.scene, rig) == len(METRICS)
    after = file_data(), sorted(rig.keys()), marker_names()
    assert differences(before[0], after[0]) == []
    assert before[1:] == after[1:]
    assert remove_metrics(bpy.context.scene, rig) == 0


def test_removing_from_an_armature_without_animation() -> None:
    assert remove_metrics(bpy.context.scene, add_armature()) == 0


def test_other_curves_and_groups_of_the_action_stay_as_they_are() -> None:
    rig = animated_rig()
    container = fcurves.assigned_container(rig)
    assert container is not None
    before = data_of(container.fcurves[0])
    write(rig)
    own = container.fcurves.find('pose.bones["bone.0"].location', index=0)
    assert differences(before, data_of(own)) == []


def test_an_animators_curve_in_our_group_keeps_the_group() -> None:
    rig = animated_rig()
    write(rig)
    container = fcurves.assigned_container(rig)
    assert container is not None
    fcurves.ensure_curve(container, "location", 0, GROUP)
    remove_metrics(bpy.context.scene, rig)
    assert container.fcurves.find("location", index=0).group.name == GROUP


def test_a_layer_plays_the_metrics_of_its_strip() -> None:
    rig = animated_rig()
    strip = baked_layer(rig)
    source = strip.id_data.animation_data.nla_tracks[0].strips[0].action
    write(rig, strip.action, {"drift": 0.001 * FRAMES})
    assert rig.animation_data.action is None
    assert list(metric_curves(fcurves.strip_container(strip))) == ['["bioik_drift_mm"]']
    if fcurves.LAYERED_ACTIONS:
        assert len(strip.action.slots) == len(source.slots) == 1
    bpy.context.scene.frame_set(7)
    assert rig["bioik_drift_mm"] == pytest.approx(7.0)
    assert rig.pose.bones["bone.0"].location[0] == pytest.approx(2 * 6 / 19)


def test_metrics_of_the_motion_below_a_layer_go() -> None:
    rig = animated_rig()
    write(rig, curves={"drift": 0.003 * FRAMES})
    source = rig.animation_data.action
    strip = baked_layer(rig)
    write(rig, strip.action, {"drift": 0.001 * FRAMES})
    below = rig.animation_data.nla_tracks[0].strips[0]
    assert below.action == source
    assert metric_curves(fcurves.strip_container(below)) == {}
    bpy.context.scene.frame_set(7)
    assert rig["bioik_drift_mm"] == pytest.approx(7.0)
    assert remove_metrics(bpy.context.scene, rig) == 1


def test_metrics_of_strips_at_other_frames_stay() -> None:
    rig = animated_rig()
    write(rig, curves={"drift": 0.003 * FRAMES})
    data = rig.animation_data
    action, slot = data.action, fcurves.assigned_slot(rig)
    fcurves.assign_action(rig, None)
    earlier = fcurves.add_strip(data.nla_tracks.new(), "Earlier", action, slot, -50, -30)
    strip = baked_layer(rig)
    write(rig, strip.action, {"drift": 0.001 * FRAMES})
    assert len(metric_curves(fcurves.strip_container(earlier))) == 1
    write(rig, strip.action, {})
    assert "bioik_drift_mm" in rig


@pytest.mark.skipif(not fcurves.LAYERED_ACTIONS, reason="slots came with Blender 4.4")
def test_curves_go_to_the_armatures_own_slot_of_a_shared_action() -> None:
    rig, other = animated_rig(), animated_rig("Other")
    action = rig.animation_data.action
    slot = fcurves.ensure_slot(action, other)
    fcurves.ensure_container(action, slot)
    fcurves.assign_action(other, action, slot)
    write(other)
    assert metric_curves(fcurves.assigned_container(rig)) == {}
    assert len(metric_curves(fcurves.assigned_container(other))) == len(METRICS)


def test_an_override_of_a_linked_armature_can_have_metrics(tmp_path: Path) -> None:
    animated_rig()
    linked = link_object(save_as_library(tmp_path / "rig.blend"), "Rig")
    rig = linked.override_create(remap_local_usages=True)
    rig.override_library.is_system_override = False
    bpy.context.view_layer.update()
    action = outputs.write_new_action(rig, FRAMES, [])
    write(rig, action, {"drift": 0.001 * FRAMES})
    bpy.context.scene.frame_set(7)
    assert rig["bioik_drift_mm"] == pytest.approx(7.0)
