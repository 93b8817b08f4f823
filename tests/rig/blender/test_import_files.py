"""Clips and grounds imported from files, at their own rate and size."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import addon_utils
import bpy
import numpy as np
import pytest

from blender_bioik.rig.blender import fcurves, import_files
from blender_bioik.rig.blender.import_files import (
    bvh_scale,
    bvh_size,
    choose_clip,
    clip_names,
    frame_rate,
    import_clip,
    import_ground,
    take_frames_of_action,
)
from blender_bioik.rig.errors import RigError

from ...builders.exports import export_gltf
from ...builders.files import new_file
from ...builders.rigs import SHARED, humanoid, key_randomly

# A figure 170 units high: hip at 90, one leg, a spine. Three frames at 40 frames a second.
BVH_FILE = """HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Leg
  {
    OFFSET 10 -40 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 -50 0
    }
  }
  JOINT Spine
  {
    OFFSET 0 30 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 50 0
    }
  }
}
MOTION
Frames: 3
Frame Time: 0.025
0 90 0  0 0 0  0 0 0  0 0 0
0 90 5  0 0 0  0 9 0  0 0 0
0 90 10 0 0 0  0 0 0  0 0 0
"""


def only_armature() -> bpy.types.Object:
    (armature,) = [o for o in bpy.context.scene.objects if o.type == "ARMATURE"]
    return armature


def all_key_frames(armature: bpy.types.Object) -> set[float]:
    container = fcurves.assigned_container(armature)
    assert container is not None
    return {float(frame) for curve in container.fcurves for frame in fcurves.key_frames(curve)}


def write_bvh(folder: Path, text: str = BVH_FILE, name: str = "clip.bvh") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_a_bvh_clip_has_its_own_rate_and_frames_and_the_size_of_a_person(tmp_path: Path) -> None:
    note = import_clip(write_bvh(tmp_path))
    scene, armature = bpy.context.scene, only_armature()
    take_frames_of_action(scene, armature)

    assert scene.render.fps / scene.render.fps_base == pytest.approx(40.0)
    assert (scene.frame_start, scene.frame_end) == (1, 3)
    assert "0.01 m" in note
    assert "1.70 m" in note
    heights = [(armature.matrix_world @ b.tail).z for b in armature.pose.bones]
    assert max(heights) - min(heights) == pytest.approx(1.7, abs=0.02)
    assert min(heights) == pytest.approx(0.0, abs=0.02)


def test_a_figure_that_is_upright_along_z_is_upright_after_import(tmp_path: Path) -> None:
    rig = humanoid()
    rig.pose.bones["head"].keyframe_insert("rotation_quaternion", frame=1)
    height = max(b.tail_local.z for b in rig.data.bones) - min(
        b.tail_local.z for b in rig.data.bones
    )
    path = tmp_path / "clip.bvh"
    bpy.context.view_layer.objects.active = rig
    bpy.ops.export_anim.bvh(filepath=str(path), frame_start=1, frame_end=3)
    assert "Z is used as the up axis of clip.bvh" in import_clip(path, scale=1.0)

    armature = only_armature()
    heights = [(armature.matrix_world @ b.tail).z for b in armature.pose.bones]
    assert max(heights) - min(heights) == pytest.approx(height, abs=0.02)


def test_a_given_scale_is_used_without_a_note(tmp_path: Path) -> None:
    assert import_clip(write_bvh(tmp_path), scale=0.02) == ""

    assert only_armature().data.bones["Spine"].length == pytest.approx(1.0, rel=1e-4)


def test_the_extent_of_a_figure_is_that_of_its_joints_and_ends(tmp_path: Path) -> None:
    assert bvh_size(write_bvh(tmp_path)).max() == pytest.approx(170.0)


@pytest.mark.parametrize(
    ("extent", "metres"), [(1.8, 1.0), (1.1, 1.0), (175, 0.01), (110, 0.01), (1750, 0.001)]
)
def test_units_are_those_that_make_a_person(extent: float, metres: float) -> None:
    assert bvh_scale(extent) == metres


@pytest.mark.parametrize("clip", ["02_01", "16_17", "83_27"])
def test_cmu_motion_capture_is_read_in_its_own_unit(clip: str) -> None:
    path = SHARED / "data" / "mocap" / f"{clip}.bvh"
    if not path.exists():
        pytest.skip("the clips of ../shared are not there")

    assert bvh_scale(bvh_size(path).max()) == 0.056444


@pytest.mark.parametrize("text", ["", "hello", "HIERARCHY\nOFFSET a b c", "HIERARCHY\n}\n}\n"])
def test_files_that_are_no_bvh_are_refused_in_one_line(tmp_path: Path, text: str) -> None:
    with pytest.raises(RigError, match=r"clip\.bvh.*BVH") as refused:
        import_clip(write_bvh(tmp_path, text))

    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", ["clip.bvh", "clip.fbx", "clip.glb"])
def test_a_broken_file_is_refused_in_one_line(tmp_path: Path, name: str) -> None:
    path = write_bvh(tmp_path, BVH_FILE.replace("0.025", "often"), name)
    with pytest.raises(RigError, match=name) as refused:
        import_clip(path)

    assert "\n" not in str(refused.value)
    assert "Traceback" not in str(refused.value)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RigError, match="There is no file"):
        import_clip(tmp_path / "none.bvh")


@pytest.mark.parametrize("rate", [30, 60])
@pytest.mark.parametrize("kind", ["fbx", "glb"])
def test_keys_come_back_at_whole_frames_of_the_rate_they_were_made_with(
    tmp_path: Path, kind: str, rate: int
) -> None:
    path = tmp_path / f"clip.{kind}"
    rig = humanoid()
    # A cube beside it: glTF files may have more in them than the armature.
    bpy.ops.mesh.primitive_cube_add()
    key_randomly(rig, [3, 8, 14], scaled=False)
    bpy.context.scene.render.fps = rate
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 3, 14
    if kind == "fbx":
        bpy.ops.export_scene.fbx(filepath=str(path), add_leaf_bones=False)
    else:
        export_gltf(path)

    assert import_clip(path) == ""
    scene, armature = bpy.context.scene, only_armature()
    take_frames_of_action(scene, armature)

    assert scene.render.fps / scene.render.fps_base == rate
    assert scene.frame_end - scene.frame_start == 11
    frames = np.array(sorted(all_key_frames(armature)))
    np.testing.assert_allclose(frames, frames.round(), atol=1e-3)


def test_the_lowest_rate_with_whole_frames_is_the_rate() -> None:
    assert frame_rate(np.arange(100) / 30.0) == 30
    assert frame_rate(np.arange(100) / 60.0) == 60
    assert frame_rate(np.array([0.0, 1.0, 5.0])) == 24
    assert frame_rate(np.array([0.0, 0.1234567, 0.3456789])) == 24
    assert frame_rate(np.empty(0)) == 24


def test_a_clip_of_a_character_with_many_is_chosen_by_its_name() -> None:
    path = SHARED / "data" / "characters" / "RobotExpressive.glb"
    if not path.exists():
        pytest.skip("the character of ../shared is not there")
    import_clip(path)
    armature = only_armature()

    assert {"Walking", "Running", "Jump"} <= set(clip_names(armature))
    assert len(clip_names(armature)) == 14
    choose_clip(armature, "Walking")
    take_frames_of_action(bpy.context.scene, armature)
    assert armature.animation_data.action.name.startswith("Walking")
    assert all_key_frames(armature) == set(map(float, range(24)))
    assert (bpy.context.scene.frame_start, bpy.context.scene.frame_end) == (0, 23)
    with pytest.raises(RigError, match=r"Swimming.*Walking"):
        choose_clip(armature, "Swimming")


def test_only_actions_that_move_bones_are_clips() -> None:
    rig = humanoid()
    key_randomly(rig, [1, 5], scaled=False)
    bpy.ops.mesh.primitive_cube_add()
    bpy.context.object.keyframe_insert("location", frame=1)

    assert clip_names(rig) == [rig.animation_data.action.name]


def test_a_file_without_armature_is_no_clip(tmp_path: Path) -> None:
    bpy.ops.mesh.primitive_cube_add()
    export_gltf(tmp_path / "cube.glb")

    with pytest.raises(RigError, match="no armature"):
        import_clip(tmp_path / "cube.glb")


def test_an_armature_without_animation_is_no_clip() -> None:
    with pytest.raises(RigError, match="no animation"):
        take_frames_of_action(bpy.context.scene, humanoid())


@pytest.mark.parametrize("kind", ["obj", "stl", "glb"])
def test_a_ground_is_read_with_its_height_up(tmp_path: Path, kind: str) -> None:
    path = str(tmp_path / f"ground.{kind}")
    bpy.ops.mesh.primitive_cube_add(size=1, location=(3, 5, 0.25), scale=(2, 4, 0.5))
    if kind == "glb":
        export_gltf(Path(path))
    else:
        getattr(bpy.ops.wm, f"{kind}_export")(filepath=path)
    new_file()
    rig = humanoid()

    (ground,) = import_ground(Path(path))

    corners = [ground.matrix_world @ vertex.co for vertex in ground.data.vertices]
    np.testing.assert_allclose(np.min(corners, axis=0), (2, 3, 0), atol=1e-5)
    np.testing.assert_allclose(np.max(corners, axis=0), (4, 7, 0.5), atol=1e-5)
    assert bpy.context.view_layer.objects.active == rig
    assert ground.name in bpy.context.scene.objects


def test_a_file_without_a_mesh_is_no_ground(tmp_path: Path) -> None:
    path = tmp_path / "ground.obj"
    path.write_text("hello\n")

    with pytest.raises(RigError, match="no mesh"):
        import_ground(path)


def test_an_importer_whose_add_on_is_off_is_turned_on(tmp_path: Path) -> None:
    addon_utils.disable("io_anim_bvh")
    assert not import_files.BVH[0].is_there()
    try:
        import_clip(write_bvh(tmp_path))
    finally:
        addon_utils.enable("io_anim_bvh")

    assert only_armature().name == "clip"


def test_a_missing_importer_is_reported_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    addon_utils.disable("io_anim_bvh")
    monkeypatch.setattr(import_files, "addon_utils", SimpleNamespace(enable=lambda name: None))
    try:
        with pytest.raises(RigError, match=r"no importer for \.bvh"):
            import_clip(write_bvh(tmp_path))
    finally:
        addon_utils.enable("io_anim_bvh")
