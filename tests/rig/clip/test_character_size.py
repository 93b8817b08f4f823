"""Characters much smaller or larger than people and animals are told of, with what to do."""

from __future__ import annotations

import bpy
import pytest

from blender_bioik.rig.clip.character_size import character_size, unusual_size

from ...builders.rigs import add_armature, humanoid


@pytest.mark.parametrize("scale", [0.05, 1.0, 10.0])
def test_usual_sizes_are_not_worth_a_word(scale: float) -> None:
    rig = humanoid()
    rig.scale = (scale, scale, scale)
    bpy.context.view_layer.update()
    assert character_size(bpy.context.scene, rig) == pytest.approx(1.47 * scale)
    assert unusual_size(bpy.context.scene, rig) == []


@pytest.mark.parametrize(
    ("scale", "shown", "factor"),
    [(0.01, '"Rig" is 14.7 mm in size', "by 100 if"), (100.0, '"Rig" is 147 m in size', "by 0.01")],
)
def test_other_sizes_are_told_with_the_scale_that_mends_them(
    scale: float, shown: str, factor: str
) -> None:
    rig = humanoid()
    rig.scale = (scale, scale, scale)
    bpy.context.view_layer.update()
    (finding,) = unusual_size(bpy.context.scene, rig)
    assert finding.kind == "size"
    assert shown in finding.text
    assert factor in finding.text


def test_the_unit_of_the_scene_counts() -> None:
    rig = humanoid()
    rig.scale = (100.0, 100.0, 100.0)
    bpy.context.scene.unit_settings.scale_length = 0.01
    bpy.context.view_layer.update()
    assert unusual_size(bpy.context.scene, rig) == []


def test_an_armature_without_bones_has_no_size() -> None:
    assert unusual_size(bpy.context.scene, add_armature()) == []
