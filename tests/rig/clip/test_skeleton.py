"""Forward kinematics against Blender's pose matrices, within 1e-5 of each rig's height.

Tests of: bone_frames.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import bpy
import numpy as np
import pytest
from mathutils import Euler, Matrix, Quaternion

from blender_bioik.rig.clip.skeleton import Skeleton, basis_matrices, pose_matrices, read_skeleton
from blender_bioik.rig.errors import RigError
from blender_bioik.rig.transforms import Floats

from ...builders.rigify import add_metarig, generated_human
from ...builders.rigs import (
    INHERIT_SCALES,
    SHARED,
    add_armature,
    add_chain,
    blender_basis,
    blender_pose,
    humanoid,
    pose_randomly,
    rig_of_all_flags,
    rotate,
    use_all_rotation_modes,
)

TOLERANCE = 1e-5
REPORT: dict[str, float] = {}


@pytest.fixture(autouse=True, scope="module")
def _report() -> Iterator[None]:
    yield
    for name, difference in REPORT.items():
        print(f"\nFK of {name}: {difference:.1e} of the rig's height", end="")


def compare(name: str, skeleton: Skeleton, ours: Floats, blenders: Floats) -> None:
    """Largest difference of head positions and of axis vectors, in heights.

    An axis is compared at the scale of the rig, not of its bone: one unit of a vector of length one
    counts as one height, and longer vectors by their length.
    """
    size = np.maximum(np.linalg.norm(blenders[..., :3, :3], axis=-2), 1.0)
    heads = np.abs(ours[..., :3, 3] - blenders[..., :3, 3]).max() / skeleton.height
    axes = (np.abs(ours[..., :3, :3] - blenders[..., :3, :3]) / size[..., None, :]).max()
    REPORT[name] = max(REPORT.get(name, 0.0), float(max(heads, axes)))
    assert heads <= TOLERANCE
    assert axes <= TOLERANCE


def constrained(rig: bpy.types.Object, skeleton: Skeleton) -> np.ndarray:
    """Bones whose matrix is not made of their channels alone."""
    own = np.array([len(rig.pose.bones[name].constraints) > 0 for name in skeleton.names])
    for bone in rig.pose.bones:
        for constraint in bone.constraints:
            if constraint.type in ("IK", "SPLINE_IK"):
                chain = [bone, *bone.parent_recursive]
                count = constraint.chain_count or len(chain)
                for link in chain[:count]:
                    own[skeleton.index[link.name]] = True
    return own


def check_frame(name: str, rig: bpy.types.Object, skeleton: Skeleton) -> None:
    """Forward from the channels (of constrained bones: from their matrix), and back and forth."""
    blenders = blender_pose(rig, skeleton.names)
    back = basis_matrices(skeleton, blenders)
    bound = constrained(rig, skeleton)
    basis = np.where(bound[:, None, None], back, blender_basis(rig, skeleton.names))
    compare(name, skeleton, pose_matrices(skeleton, basis), blenders)


@pytest.mark.parametrize("mode", INHERIT_SCALES)
@pytest.mark.parametrize("shear", [0.05, 0.5])
def test_every_flag(mode: str, shear: float) -> None:
    rig = rig_of_all_flags()
    skeleton = read_skeleton(rig)
    chosen = np.array([i for i, scale in enumerate(skeleton.inherit_scale) if scale == mode])
    for seed in range(5):
        pose_randomly(rig, seed, scale=shear)
        blenders = blender_pose(rig, skeleton.names)
        basis = blender_basis(rig, skeleton.names)
        # Blender leaves them out of its basis matrices; keys may still be there.
        basis[skeleton.connected, :3, 3] = 0.7
        ours = pose_matrices(skeleton, basis)
        compare(f"all flags, {mode}", skeleton, ours[chosen], blenders[chosen])


def test_every_flag_agrees_with_convert_local_to_pose() -> None:
    """A second oracle, one step from given parents; it knows connected bones' locations too."""
    rig = rig_of_all_flags()
    skeleton = read_skeleton(rig)
    pose_randomly(rig, 3)
    pose = blender_pose(rig, skeleton.names)
    basis = basis_matrices(skeleton, pose)
    for i, name in enumerate(skeleton.names):
        bone = rig.data.bones[name]
        parents = {}
        if bone.parent:
            parents = {
                "parent_matrix": Matrix(pose[skeleton.parent[i]]),
                "parent_matrix_local": bone.parent.matrix_local,
            }
        expected = bone.convert_local_to_pose(
            Matrix(pose[i]), bone.matrix_local, **parents, invert=True
        )
        np.testing.assert_allclose(basis[i], np.array(expected), atol=2e-4)


def test_inverse_of_forward_kinematics_over_many_frames() -> None:
    skeleton = read_skeleton(rig_of_all_flags())
    random = np.random.default_rng(0)
    basis = np.tile(np.eye(4), (7, len(skeleton), 1, 1))
    basis[..., :3, :] += random.normal(size=(7, len(skeleton), 3, 4)) * 0.2
    basis[:, skeleton.connected, :3, 3] = 0.0

    back = basis_matrices(skeleton, pose_matrices(skeleton, basis))

    np.testing.assert_allclose(back, basis, atol=1e-6)


def test_rotation_modes() -> None:
    rig = add_armature()
    add_chain(rig, 16)
    use_all_rotation_modes(rig)
    pose_randomly(rig, 1, scale=0.02)
    skeleton = read_skeleton(rig)
    assert set(skeleton.rotation_mode) == {b.rotation_mode for b in rig.pose.bones}
    check_frame("every rotation mode", rig, skeleton)


def test_scaled_and_rotated_armature() -> None:
    rig = humanoid()
    rig.scale = (3.0, 3.0, 3.0)
    rig.rotation_euler = (0.3, 1.0, -2.0)
    rig.location = (5.0, -7.0, 2.0)
    skeleton = read_skeleton(rig)
    for seed in range(3):
        pose_randomly(rig, seed, scale=0.0)
        check_frame("scaled and rotated humanoid", rig, skeleton)


def test_bones_with_negative_and_no_scale() -> None:
    rig = add_armature()
    names = add_chain(rig, 5)
    pose_randomly(rig, 0, scale=0.1)
    rig.pose.bones[names[1]].scale = (-1.0, 2.0, 0.5)
    rig.pose.bones[names[3]].scale = (0.0, 0.0, 0.0)
    skeleton = read_skeleton(rig)
    blenders = blender_pose(rig, skeleton.names)
    compare(
        "negative and no scale",
        skeleton,
        pose_matrices(skeleton, blender_basis(rig, skeleton.names)),
        blenders,
    )
    assert np.isfinite(basis_matrices(skeleton, blenders)).all()


@pytest.mark.skipif(not SHARED.exists(), reason="../shared with its clips is not here")
@pytest.mark.parametrize("clip", ["02_01", "16_17"])
def test_bvh_import(clip: str) -> None:
    bpy.ops.import_anim.bvh(filepath=str(SHARED / "data/mocap" / f"{clip}.bvh"))
    rig = bpy.context.object
    skeleton = read_skeleton(rig)
    start, end = (int(frame) for frame in rig.animation_data.action.frame_range)
    assert end - start > 100
    for frame in range(start, end + 1):
        bpy.context.scene.frame_set(frame)
        check_frame("BVH import", rig, skeleton)


@pytest.mark.skipif(not SHARED.exists(), reason="../shared with its characters is not here")
def test_gltf_import() -> None:
    bpy.ops.import_scene.gltf(filepath=str(SHARED / "data/characters/RobotExpressive.glb"))
    rig = next(o for o in bpy.data.objects if o.type == "ARMATURE")
    skeleton = read_skeleton(rig)
    start, end = (int(frame) for frame in rig.animation_data.action.frame_range)
    assert end > start
    for frame in range(start, end + 1):
        bpy.context.scene.frame_set(frame)
        check_frame("glTF import", rig, skeleton)
    pose_randomly(rig, 0, scale=0.1)
    rig.animation_data_clear()
    check_frame("glTF import", rig, skeleton)


def test_rigify_metarig() -> None:
    metarig = add_metarig()
    skeleton = read_skeleton(metarig)
    for seed in range(3):
        pose_randomly(metarig, seed, scale=0.05)
        check_frame("Rigify metarig", metarig, skeleton)


def test_rigify_generated(rigify_file: Path) -> None:
    rig = generated_human(rigify_file)
    skeleton = read_skeleton(rig)
    assert len(skeleton) > 500
    random = np.random.default_rng(0)
    for _ in range(3):
        for bone in rig.pose.bones:
            if bone.name.endswith(("_fk.L", "_fk.R")) or bone.name in ("torso", "hips", "chest"):
                rotate(bone, Euler(random.normal(size=3) * 0.4).to_quaternion())
        for side in "LR":
            for limb in (f"thigh_parent.{side}", f"upper_arm_parent.{side}"):
                rig.pose.bones[limb]["IK_FK"] = 1.0
        rig.update_tag()
        check_frame("Rigify generated", rig, skeleton)
    deform = [i for i, name in enumerate(skeleton.names) if name.startswith("DEF-")]
    moved = blender_pose(rig, skeleton.names)[deform] - skeleton.rest[deform]
    assert np.abs(moved[:, :3, 3]).max() > 0.1  # The FK controls did move the deform bones.


def test_bones_come_parents_first() -> None:
    rig = add_armature()
    add_chain(rig, 3, prefix="late")
    add_chain(rig, 3, prefix="other", parent="late.1")
    skeleton = read_skeleton(rig)
    assert (skeleton.parent < np.arange(len(skeleton))).all()
    for name, parent in zip(skeleton.names, skeleton.parent, strict=True):
        expected = rig.data.bones[name].parent
        assert (skeleton.names[parent] if parent >= 0 else None) == (expected and expected.name)


def test_armature_without_bones() -> None:
    skeleton = read_skeleton(add_armature())
    assert len(skeleton) == 0
    assert pose_matrices(skeleton, np.zeros((3, 0, 4, 4))).shape == (3, 0, 4, 4)


def test_refusals_name_the_object() -> None:
    mesh = bpy.data.objects.new("Cube", bpy.data.meshes.new("Cube"))
    with pytest.raises(RigError, match="Cube"):
        read_skeleton(mesh)
    rig = humanoid("Edited")
    bpy.ops.object.mode_set(mode="EDIT")
    with pytest.raises(RigError, match="Edited"):
        read_skeleton(rig)


def test_quaternion_pose_of_one_bone_by_hand() -> None:
    rig = add_armature()
    (name,) = add_chain(rig, 1)
    rotation = Quaternion((0.6, 0.0, 0.8, 0.0))
    rig.pose.bones[name].rotation_quaternion = rotation
    skeleton = read_skeleton(rig)
    expected = rig.data.bones[name].matrix_local @ rotation.to_matrix().to_4x4()
    np.testing.assert_allclose(
        pose_matrices(skeleton, blender_basis(rig, skeleton.names))[0],
        np.array(expected),
        atol=1e-6,
    )
