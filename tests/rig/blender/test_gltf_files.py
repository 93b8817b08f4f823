"""glTF clips without a skin, alone and with a character's file; sizes; files of VRM."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import bpy
import numpy as np
import pytest

from blender_bioik.rig.blender.gltf_files import read_gltf
from blender_bioik.rig.blender.import_files import import_clip
from blender_bioik.rig.errors import RigError
from demo import character, gait, walk

from ...builders.exports import export_gltf, without_animation, without_skin
from ...builders.files import new_file
from ...builders.imported import armature, played


@pytest.fixture(scope="module")
def walking(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A .glb of the demo's person, walking."""
    path = tmp_path_factory.mktemp("gltf") / "person.glb"
    new_file()
    scene = bpy.context.scene
    rig = character.build(scene.collection)
    walk.animate(rig, gait.WALK, 1)
    scene.render.fps = gait.WALK.fps
    scene.frame_start, scene.frame_end = map(int, rig.animation_data.action.frame_range)
    export_gltf(path)
    return path


def test_nodes_of_a_clip_without_a_skin_are_its_bones(walking: Path, tmp_path: Path) -> None:
    clip = tmp_path / "clip.glb"
    without_skin(walking, clip)
    assert import_clip(walking) == ""
    wanted = played()
    assert "imported as bones" in import_clip(clip)
    np.testing.assert_allclose(played(), wanted, atol=1e-4)


def test_a_character_plays_the_clip_of_another_file(walking: Path, tmp_path: Path) -> None:
    clip, still = tmp_path / "clip.glb", tmp_path / "still.glb"
    without_skin(walking, clip)
    without_animation(walking, still)
    import_clip(walking)
    wanted = played()
    assert import_clip(clip, character=still) == ""
    np.testing.assert_allclose(played(), wanted, atol=1e-4)
    rig = armature()
    assert [o for o in bpy.data.objects if o.type == "MESH" and o.find_armature() == rig]


def test_a_character_of_another_skeleton_is_refused(walking: Path, tmp_path: Path) -> None:
    clip, other = tmp_path / "clip.glb", tmp_path / "other.glb"
    without_skin(walking, clip)
    shutil.copy(walking, other)
    tree = read_gltf(other).tree
    (shin,) = [node for node in tree["nodes"] if node.get("name") == "shin.L"]
    shin["name"] = "LeftLeg"
    other = tmp_path / "other.gltf"
    tree["buffers"] = [
        {"byteLength": len(read_gltf(walking).binary), "uri": "other.bin"},
    ]
    (tmp_path / "other.bin").write_bytes(read_gltf(walking).binary)
    other.write_text(json.dumps(tree))
    with pytest.raises(RigError, match=r'no bone "shin\.L", which "clip\.glb" moves'):
        import_clip(clip, character=other)


def test_files_of_vrm_are_read_as_gltf(walking: Path, tmp_path: Path) -> None:
    import_clip(walking)
    wanted = played()
    avatar = tmp_path / "avatar.vrm"
    shutil.copy(walking, avatar)
    assert import_clip(avatar) == ""
    np.testing.assert_allclose(played(), wanted, atol=1e-6)


@pytest.mark.parametrize("scale", [0.01, 3.0])
def test_gltf_files_are_scaled_with_their_meshes(walking: Path, scale: float) -> None:
    import_clip(walking)
    wanted = played()
    import_clip(walking, scale=scale)
    np.testing.assert_allclose(played(), scale * wanted, rtol=1e-4, atol=1e-6)
    rig = armature()
    meshes = [o for o in bpy.data.objects if o.type == "MESH" and o.find_armature() == rig]
    assert meshes
    assert all(mesh.matrix_world.median_scale == pytest.approx(scale) for mesh in meshes)


def test_a_file_with_all_in_its_json_is_read(walking: Path) -> None:
    file = read_gltf(walking)
    assert file.is_skinned
    assert file.tree["buffers"] == [{"byteLength": len(file.binary)}]
    assert len(file.animated_nodes()) > 10


@pytest.mark.parametrize(
    "content", [b"", b"glTF", b"glTF\2\0\0\0\xff\0\0\0", b"{", b'{"buffers": 3}']
)
def test_a_broken_file_is_refused_in_a_sentence(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "broken.glb"
    path.write_bytes(content)
    with pytest.raises(RigError, match="is not a complete glTF file"):
        import_clip(path)


def test_a_file_in_which_nothing_moves_is_no_clip(tmp_path: Path) -> None:
    path = tmp_path / "still.gltf"
    path.write_text('{"asset": {"version": "2.0"}, "nodes": [{"name": "a"}]}')
    with pytest.raises(RigError, match="contains no armature"):
        import_clip(path)
