"""The solver's tree against Blender's pose matrices, within 1e-5 of each rig's height.

Tests of: joint_builder, joint_frame, joint_model, non_rigid, zero_scale.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import bpy
import numpy as np
import pytest
from mathutils import Euler

from blender_bioik.rig.clip.sampling import sample_clip
from blender_bioik.rig.clip.skeleton import read_skeleton
from blender_bioik.rig.errors import RigError
from blender_bioik.rig.joints.joints import approximations, build_joints
from blender_bioik.rig.keys.keys import BoneTracks

from ...builders.joint_checks import (
    blender_places,
    difference,
    random_values,
    tree_places,
    whole_model,
)
from ...builders.rigify import add_metarig, generated_human
from ...builders.rigs import (
    SHARED,
    add_armature,
    add_chain,
    humanoid,
    key_randomly,
    rig_of_all_flags,
    rotate,
    rotation_path,
    use_all_rotation_modes,
)

TOLERANCE = 1e-5
FRAMES = (1.0, 2.0, 3.0)
REPORT: dict[str, float] = {}


@pytest.fixture(autouse=True, scope="module")
def _report() -> Iterator[None]:
    yield
    for name, apart in REPORT.items():
        print(f"\nJoints of {name}: {apart:.1e} of the rig's height", end="")


def check(
    name: str,
    rig: bpy.types.Object,
    frames: Sequence[float] = FRAMES,
    *,
    moving: Sequence[str] | None = None,
    sliding: Sequence[str] = (),
    absolute: Sequence[str] = (),
    compared: Sequence[str] = (),
    axis_tolerance: float = TOLERANCE,
    rigid: bool = True,
) -> None:
    """Random joint values by the tree and by Blender, at the source's own values and around.

    All bones are compared, or those that are named. In a rig that is not rigid the tree's rest
    transforms are settled first.
    """
    model, clip = whole_model(rig, frames, moving=moving, sliding=sliding, absolute=absolute)
    assert model.bones
    names = model.skeleton.names
    ignored = np.array([bool(compared) and name not in compared for name in names])
    for values in (np.asarray(model.clip.values), random_values(model, seed=0)):
        assert (model.settled(values) is model.clip) == rigid
        for apart, allowed in zip(
            difference(rig, model, clip, values), (TOLERANCE, axis_tolerance), strict=True
        ):
            apart[ignored] = 0.0
            worst = int(np.argmax(apart))
            REPORT[name] = max(REPORT.get(name, 0.0), float(apart[worst]))
            assert apart[worst] <= allowed, names[worst]


def scale_evenly(rig: bpy.types.Object, frames: Sequence[float], seed: int = 0) -> None:
    """Key another even scale of every bone in every frame."""
    random = np.random.default_rng(seed)
    for frame in frames:
        for bone in rig.pose.bones:
            bone.scale = [np.exp(random.normal() * 0.1)] * 3
            bone.keyframe_insert("scale", frame=frame)


def one_frame(tracks: BoneTracks, row: int) -> BoneTracks:
    return BoneTracks(*(channels[row : row + 1] for channels in tracks))


def roots(rig: bpy.types.Object) -> list[str]:
    return [bone.name for bone in rig.pose.bones if bone.parent is None]


@pytest.mark.parametrize("inherits", [True, False])
def test_every_flag(inherits: bool) -> None:
    rig = rig_of_all_flags()
    for bone in rig.data.bones:
        bone.use_inherit_rotation = inherits or bone.parent is None
    key_randomly(rig, [1, 3], scaled=False)
    scale_evenly(rig, [1, 3])
    name = f"all flags, inherit rotation {inherits}"
    check(name, rig, sliding=roots(rig), rigid=inherits)


def test_every_flag_with_uneven_scale() -> None:
    rig = rig_of_all_flags()
    key_randomly(rig, [1, 3])
    check("all flags, uneven scale", rig, sliding=roots(rig), rigid=False)


def test_every_rotation_mode() -> None:
    rig = add_armature()
    names = add_chain(rig, 16)
    use_all_rotation_modes(rig)
    key_randomly(rig, [1, 3], scaled=False)
    check("every rotation mode", rig, sliding=names)
    check("every rotation mode, absolute angles", rig, sliding=names, absolute=names)


def test_scaled_and_rotated_armature() -> None:
    rig = humanoid()
    key_randomly(rig, [1, 3], scaled=False)
    rig.scale = (3.0, 3.0, 3.0)
    rig.rotation_euler = (0.3, 1.0, -2.0)
    rig.location = (5.0, -7.0, 2.0)
    check("scaled and rotated humanoid", rig, sliding=["hips"])


def test_moving_armature_object() -> None:
    rig = humanoid()
    key_randomly(rig, [1, 3], scaled=False)
    parent = bpy.data.objects.new("Platform", None)
    bpy.context.scene.collection.objects.link(parent)
    rig.parent = parent
    for frame in (1, 3):
        parent.location = (frame, 2.0, 1.0)
        parent.rotation_euler = (0.0, 0.5 * frame, 0.3)
        parent.keyframe_insert("location", frame=frame)
        parent.keyframe_insert("rotation_euler", frame=frame)
    model, clip = whole_model(rig, FRAMES, sliding=["hips"])
    values = random_values(model, seed=1)
    tracks = model.tracks(values)
    for row, moment in enumerate(FRAMES):
        bpy.context.scene.frame_set(int(moment))
        heads, tails, _ = blender_places(rig, model.skeleton, one_frame(tracks, row))
        ours = tree_places(model, values)
        np.testing.assert_allclose(heads[0], ours[0][row], atol=TOLERANCE * 1.8)
        np.testing.assert_allclose(tails[0], ours[1][row], atol=TOLERANCE * 1.8)
    assert np.ptp(clip.world[:, :3, 3], axis=0).max() > 1.0


def test_uneven_scale_of_bones_that_carry_nothing() -> None:
    rig = add_armature()
    names = add_chain(rig, 4)
    key_randomly(rig, [1, 3], scaled=False)
    last = rig.pose.bones[names[-1]]
    for frame, scale in ((1, (0.5, 2.0, 1.3)), (3, (1.5, 0.7, 1.0))):
        last.scale = scale
        last.keyframe_insert("scale", frame=frame)
    check("uneven scale at the end of a chain", rig)


@pytest.mark.parametrize("inherit_scale", ["NONE", "ALIGNED", "AVERAGE"])
def test_uneven_scale_that_children_do_not_take_over(inherit_scale: str) -> None:
    rig = add_armature()
    names = add_chain(rig, 4)
    for name in names:
        rig.data.bones[name].inherit_scale = inherit_scale
    key_randomly(rig, [1, 3], scaled=True)
    check(f"uneven scale, {inherit_scale}", rig)


@pytest.mark.parametrize("scale", [(-1, 1, 1), (1, -1, 1), (1, 1, -1), (-1, -1, -1), (-1, -1, 1)])
def test_mirrored_bones(scale: tuple[float, ...]) -> None:
    """Scales of -1 carry no shear: everything below is mirrored and turns the other way."""
    rig = add_armature()
    names = add_chain(rig, 5)
    key_randomly(rig, [1, 3], scaled=False)
    rig.pose.bones[names[1]].scale = scale
    rig.pose.bones[names[3]].scale = (1, -1, 1)
    check("mirrored bones", rig)
    check("mirrored bones, absolute angles", rig, absolute=names)
    check("mirrored bones, sliding", rig, moving=names[2:], sliding=names[2:3])


def limit(bone: bpy.types.PoseBone, reach: float) -> None:
    """IK limits on two axes."""
    bone.use_ik_limit_x = bone.use_ik_limit_z = True
    bone.ik_min_x, bone.ik_max_x = -reach, 0.7 * reach
    bone.ik_min_z, bone.ik_max_z = -0.5 * reach, reach


def limit_by_constraint(bone: bpy.types.PoseBone, kind: str, reach: float) -> None:
    """A constraint of Limit Rotation or Limit Location on all axes."""
    constraint = bone.constraints.new(kind)
    constraint.owner_space = "LOCAL"
    for axis in "xyz":
        if kind == "LIMIT_ROTATION":
            setattr(constraint, f"use_limit_{axis}", True)
        else:
            setattr(constraint, f"use_min_{axis}", True)
            setattr(constraint, f"use_max_{axis}", True)
        setattr(constraint, f"min_{axis}", -reach)
        setattr(constraint, f"max_{axis}", reach)


def test_limits_and_locks_in_every_rotation_mode() -> None:
    rig = add_armature()
    names = add_chain(rig, 32)
    use_all_rotation_modes(rig)
    key_randomly(rig, [1, 3], scaled=False)
    for i, name in enumerate(names):
        bone = rig.pose.bones[name]
        bone.lock_rotations_4d = False
        if i % 4 == 0:
            limit(bone, 0.8)
        elif i % 4 == 1:
            bone.lock_rotation = (i % 3 == 0, i % 3 == 1, i % 3 == 2)
            bone.lock_location = (True, False, True)
        elif i % 4 == 2:
            limit_by_constraint(bone, "LIMIT_ROTATION", 0.9)
            limit_by_constraint(bone, "LIMIT_LOCATION", 0.25)
        bone.lock_ik_y = i % 8 == 7
    check("limits and locks", rig, sliding=names)


def test_a_source_restricted_by_limit_constraints() -> None:
    """The pose is what the constraints leave of the channels, and so is what joints start from."""
    rig = add_armature()
    names = add_chain(rig, 6)
    use_all_rotation_modes(rig)
    key_randomly(rig, [1, 3], scaled=False)
    for name in names[1:5]:
        limit_by_constraint(rig.pose.bones[name], "LIMIT_ROTATION", 0.1)
        limit_by_constraint(rig.pose.bones[name], "LIMIT_LOCATION", 0.02)
    model, _ = whole_model(rig, FRAMES, sliding=names)
    assert model.widened == ()
    check("limits that act on the source", rig, sliding=names)


def test_bones_posed_by_constraints() -> None:
    rig = humanoid()
    key_randomly(rig, [1, 3], scaled=False)
    target = bpy.data.objects.new("Target", None)
    target.location = (0.4, -0.6, 1.2)
    bpy.context.scene.collection.objects.link(target)
    ik = rig.pose.bones["forearm.L"].constraints.new("IK")
    ik.target, ik.chain_count = target, 2
    rig.pose.bones["head"].constraints.new("DAMPED_TRACK").target = target
    copy = rig.pose.bones["shin.R"].constraints.new("COPY_ROTATION")
    copy.target, copy.subtarget = rig, "shin.L"
    check("bones posed by constraints", rig)


@pytest.mark.skipif(not SHARED.exists(), reason="../shared with its clips is not here")
def test_bvh_import() -> None:
    bpy.ops.import_anim.bvh(filepath=str(SHARED / "data/mocap/02_01.bvh"))
    rig = bpy.context.object
    check("BVH import", rig, (1.0, 60.0, 200.0), sliding=roots(rig))


@pytest.mark.skipif(not SHARED.exists(), reason="../shared with its characters is not here")
def test_gltf_import() -> None:
    bpy.ops.import_scene.gltf(filepath=str(SHARED / "data/characters/RobotExpressive.glb"))
    rig = next(o for o in bpy.data.objects if o.type == "ARMATURE")
    check("glTF import", rig, (0.0, 7.0, 20.0), sliding=roots(rig))


def test_rigify_metarig() -> None:
    metarig = add_metarig()
    key_randomly(metarig, [1, 3], scaled=False)
    check("Rigify metarig", metarig, sliding=roots(metarig))


def test_rigify_generated(rigify_file: Path) -> None:
    """FK controls, and then the deform bones, whose locks and constraints are taken away."""
    rig = generated_human(rigify_file)
    for side in "LR":
        for limb in (f"thigh_parent.{side}", f"upper_arm_parent.{side}"):
            rig.pose.bones[limb]["IK_FK"] = 1.0
    controls = [b for b in rig.pose.bones if "_fk" in b.name and b.name[:3] not in ("MCH", "VIS")]
    random = np.random.default_rng(0)
    for frame in (1, 3):
        for bone in controls:
            rotate(bone, Euler(random.normal(size=3) * 0.3).to_quaternion())
            bone.keyframe_insert(rotation_path(bone), frame=frame)
    deform = [bone.name for bone in rig.pose.bones if bone.name.startswith("DEF-")]
    with pytest.raises(RigError, match="locked"):
        whole_model(rig, (1.0,), moving=deform)
    for name in deform:
        bone = rig.pose.bones[name]
        bone.lock_rotation, bone.lock_rotation_w = (False, False, False), False
    action = rig.animation_data.action
    names = [bone.name for bone in controls]
    check("generated Rigify, FK controls", rig, (1.0, 2.0), moving=names, compared=names)
    rig.animation_data_create().action = action
    # Stretch To turns the eyelids, of 3 mm, by what 32-bit numbers leave of such lengths.
    check(
        "generated Rigify, deform bones",
        rig,
        (1.0, 2.0),
        moving=deform,
        compared=deform,
        axis_tolerance=5e-5,
    )


def test_approximations_name_the_bones() -> None:
    rig = add_armature()
    names = add_chain(rig, 5)
    rig.pose.bones[names[0]].scale = (1.0, 1.2, 1.0)
    rig.data.bones[names[1]].inherit_scale = "NONE"
    rig.data.bones[names[3]].use_inherit_rotation = False
    skeleton = read_skeleton(rig)
    clip = sample_clip(bpy.context.scene, rig, FRAMES)
    (floating,) = approximations(skeleton, clip, names)
    assert names[3] in floating
    assert approximations(skeleton, clip, names[3:]) == []
    rig.data.bones[names[1]].inherit_scale = "FULL"
    skeleton = read_skeleton(rig)
    clip = sample_clip(bpy.context.scene, rig, FRAMES)
    sheared = approximations(skeleton, clip, names[:2])
    assert len(sheared) == 1
    assert names[0] in sheared[0]
    assert names[1] in sheared[0]


@pytest.mark.parametrize(
    ("scale", "words"),
    [((1, 2, 1), "non-uniform"), ((-1, 1, 1), "mirrored"), ((0, 0, 0), "zero scale")],
)
def test_armatures_that_are_refused(scale: tuple[float, ...], words: str) -> None:
    rig = humanoid()
    rig.scale = scale
    with pytest.raises(RigError, match=words):
        whole_model(rig, FRAMES)


def test_sheared_armature_is_refused() -> None:
    rig = humanoid()
    parent = bpy.data.objects.new("Stretched", None)
    bpy.context.scene.collection.objects.link(parent)
    parent.scale = (1.0, 1.0, 2.0)
    rig.parent, rig.rotation_euler = parent, (0.7, 0.0, 0.0)
    with pytest.raises(RigError, match="shear"):
        whole_model(rig, FRAMES)


def test_nothing_to_move_gives_a_tree_of_tips_alone() -> None:
    rig = humanoid()
    skeleton = read_skeleton(rig)
    clip = sample_clip(bpy.context.scene, rig, FRAMES)
    source = BoneTracks(clip.location, clip.rotation, clip.scale)
    model = build_joints(skeleton, clip, source, [], [], {})
    assert model.bones == ()
    np.testing.assert_array_equal(model.tracks(np.empty((3, 0))).rotation, clip.rotation)
