"""Clips and characters from files of formats other than glTF."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
import pytest

from blender_bioik.rig.blender.import_files import import_clip
from blender_bioik.rig.errors import RigError
from demo import character, gait, walk

from ...builders.files import new_file
from ...builders.imported import armature, played

EXPORT = {"add_leaf_bones": False, "bake_anim_simplify_factor": 0.0}


def write_walk(path: Path) -> None:
    """An .fbx of the demo's person, walking, without its mesh."""
    new_file()
    scene = bpy.context.scene
    rig = character.build(scene.collection)
    walk.animate(rig, gait.WALK, 1)
    scene.render.fps = gait.WALK.fps
    scene.frame_start, scene.frame_end = map(int, rig.animation_data.action.frame_range)
    bpy.ops.export_scene.fbx(filepath=str(path), object_types={"ARMATURE"}, **EXPORT)


def write_person(path: Path, *, moved: str = "") -> None:
    """An .fbx of the demo's person, resting; one bone may begin 10 cm higher."""
    new_file()
    rig = character.build(bpy.context.scene.collection)
    if moved:
        bpy.context.view_layer.objects.active = rig
        bpy.ops.object.mode_set(mode="EDIT")
        bone = rig.data.edit_bones[moved]
        bone.use_connect = False
        bone.head.z += 0.1
        bpy.ops.object.mode_set(mode="OBJECT")
    bpy.ops.export_scene.fbx(filepath=str(path), bake_anim=False, **EXPORT)


def test_a_character_plays_a_clip_without_a_skin(tmp_path: Path) -> None:
    clip, person = tmp_path / "clip.fbx", tmp_path / "person.fbx"
    write_walk(clip)
    write_person(person)
    import_clip(clip)
    wanted = played()
    assert import_clip(clip, character=person) == ""
    np.testing.assert_allclose(played(), wanted, atol=1e-4)
    rig = armature()
    assert [o for o in bpy.data.objects if o.type == "MESH" and o.find_armature() == rig]


def test_a_bone_that_begins_elsewhere_is_named(tmp_path: Path) -> None:
    clip, person = tmp_path / "clip.fbx", tmp_path / "person.fbx"
    write_walk(clip)
    write_person(person, moved="forearm.L")
    with pytest.raises(RigError, match=r'"forearm\.L" begins elsewhere on "upper_arm\.L"'):
        import_clip(clip, character=person)


def test_a_character_without_an_armature_is_refused(tmp_path: Path) -> None:
    clip, cube = tmp_path / "clip.fbx", tmp_path / "cube.fbx"
    write_walk(clip)
    new_file()
    bpy.ops.mesh.primitive_cube_add()
    bpy.ops.export_scene.fbx(filepath=str(cube))
    with pytest.raises(RigError, match="contains no armature"):
        import_clip(clip, character=cube)
