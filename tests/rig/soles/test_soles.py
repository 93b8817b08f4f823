"""Soles of generated and imported characters: their points at rest and over a clip.

Tests of: sole_mesh.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from blender_bioik.motion.contacts.contacts import find_contacts
from blender_bioik.motion.contacts.floor import source_floor
from blender_bioik.motion.contacts.in_place import is_in_place
from blender_bioik.motion.feet import BALL, HEEL, TIP, Contact, Foot
from blender_bioik.rig.blender import fcurves
from blender_bioik.rig.clip.sampling import Clip, sample_clip
from blender_bioik.rig.clip.skeleton import Skeleton, read_skeleton
from blender_bioik.rig.errors import RigError
from blender_bioik.rig.mapping import Leg, Mapping, detect
from blender_bioik.rig.mapping.read import read_bones
from blender_bioik.rig.soles.soles import Sole, foot_points, leg_scale, read_soles
from blender_bioik.rig.transforms import Floats
from demo import character, walk
from demo.skeleton import sole_points

from ...builders.rigs import SHARED, add_armature, humanoid

Point = tuple[float, float, float]
TURNED = Matrix.Translation((3, 1, 2)) @ Matrix.Rotation(0.7, 4, "Z")
needs_shared = pytest.mark.skipif(not SHARED.exists(), reason="../shared with its data is not here")


def soles_of(rig: bpy.types.Object, mapping: Mapping | None = None) -> list[Sole]:
    return read_soles(rig, read_skeleton(rig), mapping or detect(read_bones(rig)))


def rest_points(rig: bpy.types.Object, sole: Sole) -> Floats:
    """Heel, ball and tip (3, 3) in armature space, in the rest pose."""
    bones = rig.data.bones
    places = [bones[p.bone].matrix_local @ Matrix.Translation(p.offset) for p in sole.places]
    return np.array([place.translation for place in places])


def add_bones(rig: bpy.types.Object, *layout: tuple[str, str | None, Point, Point]) -> None:
    bpy.ops.object.mode_set(mode="EDIT")
    for name, parent, head, tail in layout:
        bone = rig.data.edit_bones.new(name)
        bone.head, bone.tail = head, tail
        bone.parent = rig.data.edit_bones[parent] if parent else None
    bpy.ops.object.mode_set(mode="OBJECT")


def one_leg(*foot: tuple[str, str | None, Point, Point], ankle: float = 0.1) -> bpy.types.Object:
    """A leg with thigh and shin, and the bones of its foot."""
    rig = add_armature()
    add_bones(
        rig,
        ("thigh", None, (0, 0, 0.9), (0, -0.03, 0.5)),
        ("shin", "thigh", (0, -0.03, 0.5), (0, 0, ankle)),
        *foot,
    )
    return rig


def leg_mapping(toe: str | None = None, bones: tuple[str, ...] = ("thigh", "shin")) -> Mapping:
    chain = (*bones, "foot") if toe is None else (*bones, "foot", toe)
    return Mapping("test", 1.0, {}, legs=(Leg("leg.L", chain, "foot", toe),))


def add_foot_mesh(rig: bpy.types.Object, low: Point, high: Point, group: str) -> bpy.types.Object:
    """A box bound to a bone by an armature modifier."""
    corners = [
        (x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])
    ]
    data = bpy.data.meshes.new("Foot")
    data.from_pydata(corners, [], [(0, 1, 3, 2), (4, 5, 7, 6)])
    mesh = bpy.data.objects.new("Foot", data)
    bpy.context.scene.collection.objects.link(mesh)
    mesh.vertex_groups.new(name=group).add(range(8), 1.0, "REPLACE")
    mesh.parent = rig
    mesh.modifiers.new("Armature", "ARMATURE").object = rig
    return mesh


@pytest.fixture
def walker() -> bpy.types.Object:
    rig = character.build(bpy.context.scene.collection)
    walk.animate(rig)
    return rig


def walk_clip(rig: bpy.types.Object) -> Clip:
    frames = range(walk.FIRST_FRAME, walk.LAST_FRAME + 1)
    return sample_clip(bpy.context.scene, rig, frames)


def test_soles_on_a_mesh_are_where_the_mesh_ends(walker: bpy.types.Object) -> None:
    for sole, side in zip(soles_of(walker), "LR", strict=True):
        assert sole.name == f"leg.{side}"
        assert sole.bones == (f"thigh.{side}", f"shin.{side}", f"foot.{side}")
        assert (sole.foot, sole.toe) == (f"foot.{side}", f"toe.{side}")
        bones = [place.bone for place in sole.places]
        assert bones == [f"foot.{side}", f"toe.{side}", f"toe.{side}"]
        heel, ball, tip = rest_points(walker, sole)
        true = {name: np.array(at) for name, (_, at) in sole_points(side).items()}
        np.testing.assert_allclose(heel, true["heel"], atol=0.004)
        # The big toe is the longest: the front end is not on the foot's axis.
        np.testing.assert_allclose(tip, true["toe"], atol=0.012)
        np.testing.assert_allclose(tip[1:], true["toe"][1:], atol=0.004)
        joint = walker.data.bones[f"toe.{side}"].head_local
        np.testing.assert_allclose(ball, (joint.x, joint.y, 0.0), atol=1e-3)
        assert sole.measured_clearance == (0.0, 0.0, 0.0)


def test_the_rim_of_a_sole_is_around_its_points(walker: bpy.types.Object) -> None:
    for sole, side in zip(soles_of(walker), "LR", strict=True):
        parts = ("foot", "foot", "toe", "toe", "toe", "toe", "foot", "foot")
        assert [place.bone for place in sole.rim] == [f"{part}.{side}" for part in parts]
        middle = rest_points(walker, sole)
        bones = walker.data.bones
        rim = np.array(
            [bones[p.bone].matrix_local @ Matrix.Translation(p.offset) for p in sole.rim]
        )[:, :3, 3].reshape(4, 2, 3)
        # One on either side, both at the sole.
        assert ((rim[:3, :, 0] - middle[:, None, 0]).prod(axis=1) < 0.0).all()
        np.testing.assert_allclose(rim[:3, :, 2], 0.0, atol=0.004)
        # The arch is between heel and ball, and no lower than they are.
        assert (rim[3, :, 1] < middle[0, 1]).all()
        assert (rim[3, :, 1] > middle[1, 1]).all()
        assert rim[3, :, 2].min() > -1e-3
        heel, ball, tip, _ = np.abs(np.diff(rim[..., 0], axis=1)[:, 0])
        assert ball > heel > 0.01
        assert ball > tip > 0.01


def test_soles_without_a_mesh_are_joints(walker: bpy.types.Object) -> None:
    bpy.data.objects.remove(walker.children[0])
    for sole, side in zip(soles_of(walker), "LR", strict=True):
        bones = walker.data.bones
        joints = [
            bones[f"foot.{side}"].head_local,
            bones[f"toe.{side}"].head_local,
            bones[f"toe.{side}"].tail_local,
        ]
        np.testing.assert_allclose(rest_points(walker, sole), joints, atol=1e-6)
        assert sole.measured_clearance is None


def test_clearances_of_joints_come_from_the_clip(walker: bpy.types.Object) -> None:
    bpy.data.objects.remove(walker.children[0])
    heights = [p[2] for p in rest_points(walker, soles_of(walker)[0])]
    feet = foot_points(read_skeleton(walker), walk_clip(walker), soles_of(walker), 24.0)
    for foot in feet:
        np.testing.assert_allclose(foot.clearance, np.subtract(heights, min(heights)), atol=0.003)


@pytest.mark.parametrize("with_mesh", [True, False])
def test_points_are_where_blender_has_them(walker: bpy.types.Object, with_mesh: bool) -> None:
    if not with_mesh:
        bpy.data.objects.remove(walker.children[0])
    walker.matrix_world = TURNED @ Matrix.Diagonal((0.01, 0.01, 0.01, 1.0))
    soles = soles_of(walker)
    feet = foot_points(read_skeleton(walker), walk_clip(walker), soles, 24.0)
    for row, frame in ((0, 1), (30, 31), (130, 131)):
        bpy.context.scene.frame_set(frame)
        for foot, sole in zip(feet, soles, strict=True):
            bones = [walker.matrix_world @ walker.pose.bones[name].matrix for name in sole.bones]
            np.testing.assert_allclose(foot.hip[row], bones[0].translation, atol=1e-5)
            np.testing.assert_allclose(foot.knee[row], bones[1].translation, atol=1e-5)
            for k, at in enumerate(sole.places):
                matrix = walker.matrix_world @ walker.pose.bones[at.bone].matrix
                np.testing.assert_allclose(
                    foot.points[row, k],
                    (matrix @ Matrix.Translation(at.offset)).translation,
                    atol=1e-5,
                )
            assert foot.clearance.max() < 0.001


def test_size_is_that_of_the_legs_in_the_world(walker: bpy.types.Object) -> None:
    soles = soles_of(walker)
    size = leg_scale(read_skeleton(walker), walk_clip(walker), soles)
    assert size == pytest.approx(1.0, abs=0.15)
    walker.scale = (0.1, 0.1, 0.1)
    scaled = leg_scale(read_skeleton(walker), walk_clip(walker), soles)
    assert scaled == pytest.approx(0.1 * size)


def test_contacts_of_the_walk_are_found_on_its_mesh(walker: bpy.types.Object) -> None:
    feet = foot_points(read_skeleton(walker), walk_clip(walker), soles_of(walker), 24.0)
    found = find_contacts(feet, 24.0, 1.8 / 1.6)
    np.testing.assert_allclose(source_floor(feet, found), 0.0, atol=0.002)
    kinds = {"heel": (HEEL, 4), "ball": (BALL, 2), "toe": (TIP, 2)}
    for true in walk.contacts():
        if true.last - true.first < 3:
            continue
        point, frames = kinds[true.point]
        rows = true.first - walk.FIRST_FRAME, true.last - walk.FIRST_FRAME + 1
        assert any(
            (c.foot, c.point) == ("LR".index(true.side), point)
            and max(abs(c.first - rows[0]), abs(c.stop - rows[1])) <= frames
            for c in found
        ), true


def test_soles_do_not_depend_on_frame_pose_or_selection(walker: bpy.types.Object) -> None:
    walker.location.x = 0.3
    walker.keyframe_insert("location", frame=1)
    walker.location.x = 7.1
    walker.keyframe_insert("location", frame=100)
    bpy.context.scene.frame_set(1)
    first = soles_of(walker)
    bpy.context.scene.frame_set(77)
    bpy.context.view_layer.objects.active = walker.children[0]
    assert soles_of(walker) == first


def test_half_a_mesh_with_a_mirror_has_both_feet() -> None:
    rig = humanoid()
    mesh = add_foot_mesh(rig, (0.05, -0.2, 0.0), (0.15, 0.06, 0.1), "foot.L")
    mesh.vertex_groups.new(name="foot.R")
    mesh.modifiers.new("Mirror", "MIRROR")
    mesh.modifiers.move(1, 0)
    rig.pose.bones["shin.R"].rotation_mode = "XYZ"
    rig.pose.bones["shin.R"].rotation_euler.x = 0.7
    for sole, x in zip(soles_of(rig), (0.1, -0.1), strict=True):
        heel, ball, tip = rest_points(rig, sole)
        np.testing.assert_allclose(heel, (x, 0.06, 0.0), atol=1e-5)
        np.testing.assert_allclose(tip, (x, -0.2, 0.0), atol=1e-5)
        np.testing.assert_allclose(ball, (x, -0.15, 0.0), atol=1e-5)
        assert sole.measured_clearance == (0.0, 0.0, 0.0)
    assert [(m.type, m.show_viewport) for m in mesh.modifiers] == [
        ("MIRROR", True),
        ("ARMATURE", True),
    ]


def test_a_mesh_that_deform_bones_carry_is_found_for_control_bones() -> None:
    rig = humanoid()
    add_bones(rig, ("DEF-foot.L", "hips", (0.1, 0, 0.08), (0.1, -0.15, 0.0)))
    for bone in rig.data.bones:
        bone.use_deform = bone.name.startswith("DEF-")
    add_foot_mesh(rig, (0.05, -0.2, 0.0), (0.15, 0.06, 0.1), "DEF-foot.L")
    left, right = soles_of(rig)
    assert left.places[TIP].bone == "foot.L"
    np.testing.assert_allclose(rest_points(rig, left)[TIP], (0.1, -0.2, 0.0), atol=1e-5)
    assert right.measured_clearance is None


def test_bones_that_split_a_segment_are_passed_over() -> None:
    rig = add_armature()
    add_bones(
        rig,
        ("thigh", None, (0, 0, 0.9), (0, -0.01, 0.7)),
        ("thigh_twist", "thigh", (0, -0.01, 0.7), (0, -0.02, 0.5)),
        ("shin", "thigh_twist", (0, -0.02, 0.5), (0, 0, 0.1)),
        ("foot", "shin", (0, 0, 0.1), (0, -0.15, 0.02)),
        ("toe", "foot", (0, -0.15, 0.02), (0, -0.22, 0.02)),
    )
    (sole,) = soles_of(rig, leg_mapping("toe"))
    assert sole.bones == ("thigh", "shin", "foot")
    clip = sample_clip(bpy.context.scene, rig, [1, 2, 3])
    (foot,) = foot_points(read_skeleton(rig), clip, [sole], 24.0)
    np.testing.assert_allclose(foot.knee, np.tile((0, -0.02, 0.5), (3, 1)), atol=1e-6)
    np.testing.assert_allclose(foot.hip, np.tile((0, 0, 0.9), (3, 1)), atol=1e-6)


def test_a_foot_without_toe_ends_at_its_tail() -> None:
    rig = one_leg(("foot", "shin", (0, 0, 0.1), (0, -0.2, 0.02)))
    (sole,) = soles_of(rig, leg_mapping())
    expected = [(0, 0, 0.1), (0, -0.2, 0.02), (0, -0.2, 0.02)]
    np.testing.assert_allclose(rest_points(rig, sole), expected, atol=1e-6)
    assert {place.bone for place in sole.places} == {"foot"}


def test_a_foot_with_many_toes_ends_amid_them() -> None:
    toes = [
        (f"toe{i}", "foot", (x, -0.12, 0.03), (x, -0.2, 0.0))
        for i, x in enumerate((-0.04, 0.0, 0.04))
    ]
    # As importers make it: the foot's tail is anywhere, and there is a bone at the heel.
    rig = one_leg(
        ("foot", "shin", (0, 0, 0.1), (0, 0, 0.2)),
        *toes,
        ("heel", "foot", (0, 0.05, 0.0), (0, 0.1, 0.0)),
    )
    (sole,) = soles_of(rig, leg_mapping())
    np.testing.assert_allclose(rest_points(rig, sole)[BALL], (0, -0.12, 0.03), atol=1e-6)


def test_hooves_and_claws_stand_on_their_end() -> None:
    rig = one_leg(("foot", "shin", (0, 0, 0.2), (0, -0.03, 0.0)), ankle=0.2)
    (sole,) = soles_of(rig, leg_mapping())
    np.testing.assert_allclose(rest_points(rig, sole), [(0, -0.03, 0.0)] * 3, atol=1e-6)
    add_foot_mesh(rig, (-0.05, -0.1, -0.01), (0.05, 0.04, 0.1), "foot")
    (sole,) = soles_of(rig, leg_mapping())
    on_mesh = [(0, 0.04, -0.01), (0, -0.03, -0.01), (0, -0.1, -0.01)]
    np.testing.assert_allclose(rest_points(rig, sole), on_mesh, atol=1e-6)


def test_a_hoof_below_a_pastern_stands_on_its_end() -> None:
    rig = one_leg(
        ("foot", "shin", (0, 0, 0.22), (0, -0.06, 0.1)),
        ("hoof", "foot", (0, -0.06, 0.1), (0, -0.12, 0.0)),
        ankle=0.22,
    )
    (sole,) = soles_of(rig, leg_mapping("hoof"))
    np.testing.assert_allclose(rest_points(rig, sole), [(0, -0.12, 0.0)] * 3, atol=1e-6)
    assert {place.bone for place in sole.places} == {"hoof"}


def test_a_paw_whose_toes_begin_at_the_ankle_ends_where_they_end() -> None:
    toes = []
    for x in (-0.02, 0.02):
        joints = [(x, -0.01, 0.04), (x, -0.05, 0.04), (x, -0.09, 0.0)]
        toes += [
            (f"toe{x}", "foot", joints[0], joints[1]),
            (f"claw{x}", f"toe{x}", joints[1], joints[2]),
        ]
    rig = one_leg(("foot", "shin", (0, 0, 0.06), (0, -0.02, 0.05)), *toes, ankle=0.06)
    (sole,) = soles_of(rig, leg_mapping())
    np.testing.assert_allclose(rest_points(rig, sole)[BALL], (0, -0.05, 0.04), atol=1e-6)


@pytest.mark.parametrize("tail", [(0, -0.15, 0.1), (0, -0.08, 0.02)], ids=["up", "back"])
def test_the_tail_of_a_last_toe_may_be_anywhere(tail: Point) -> None:
    rig = one_leg(
        ("foot", "shin", (0, 0, 0.1), (0, 0, 0.3)), ("toe", "foot", (0, -0.15, 0.02), tail)
    )
    (sole,) = soles_of(rig, leg_mapping("toe"))
    ball, tip = rest_points(rig, sole)[[BALL, TIP]]
    np.testing.assert_allclose(ball, (0, -0.15, 0.02), atol=1e-6)
    np.testing.assert_allclose(tip, (0, -0.225, 0.02), atol=1e-6)


def test_a_toe_ends_at_its_child() -> None:
    rig = one_leg(
        ("foot", "shin", (0, 0, 0.1), (0, 0, 0.3)),
        ("toe", "foot", (0, -0.15, 0.02), (0, -0.15, 0.1)),
        ("toe_end", "toe", (0, -0.21, 0.01), (0, -0.21, 0.1)),
    )
    (sole,) = soles_of(rig, leg_mapping("toe"))
    np.testing.assert_allclose(rest_points(rig, sole)[TIP], (0, -0.21, 0.01), atol=1e-6)


def test_refusals_name_the_leg_and_say_what_to_do() -> None:
    rig = one_leg(("foot", "shin", (0, 0, 0.1), (0, -0.2, 0.02)))
    skeleton = read_skeleton(rig)
    mapping = leg_mapping()
    (leg,) = mapping.legs

    def refused(legs: tuple[Leg, ...]) -> str:
        with pytest.raises(RigError) as error:
            read_soles(rig, skeleton, replace(mapping, legs=legs))
        return str(error.value)

    assert refused(()) == ('No legs were detected in "Rig": assign their bones in Body Parts.')
    assert refused((replace(leg, foot=None),)) == (
        'The leg "leg.L" of "Rig" has no foot bone: assign one in Body Parts.'
    )
    assert 'has only one bone, "foot"' in refused((replace(leg, bones=("foot",)),))
    assert 'has lost its bone "toes"' in refused((replace(leg, toe="toes"),))


@needs_shared
def test_robot_with_feet_parented_to_bones() -> None:
    bpy.ops.import_scene.gltf(filepath=str(SHARED / "data/characters/RobotExpressive.glb"))
    rig = bpy.data.objects["RobotArmature"]
    skeleton = read_skeleton(rig)
    mapping = detect(read_bones(rig))
    soles = read_soles(rig, skeleton, mapping)
    assert [sole.measured_clearance for sole in soles] == [(0.0, 0.0, 0.0)] * 2
    feet, pelvis, _ = imported_clip(rig, skeleton, mapping, soles, "Idle")
    for foot in feet:
        np.testing.assert_allclose(foot.points[..., 2], 0.0, atol=1e-3)
        heel, _, tip = foot.points[0]
        # It looks along -Y with shoes of 95 cm.
        assert heel[1] - tip[1] == pytest.approx(0.95, abs=0.05)
    assert not is_in_place(feet, pelvis, 24.0, 1.8)
    for action in ("Walking", "Running"):
        feet, pelvis, _ = imported_clip(rig, skeleton, mapping, soles, action)
        assert is_in_place(feet, pelvis, 24.0, 1.8)


def imported_clip(
    rig: bpy.types.Object, skeleton: Skeleton, mapping: Mapping, soles: list[Sole], action: str
) -> tuple[list[Foot], Floats, Clip]:
    for track in rig.animation_data.nla_tracks:
        track.mute = True
    # Blender 4.2 puts the armature's name behind the clip's.
    used = bpy.data.actions.get(action) or bpy.data.actions[f"{action}_{rig.name}"]
    fcurves.assign_action(rig, used, used.slots[0] if hasattr(used, "slots") else None)
    frames = np.arange(int(used.frame_range[0]), int(used.frame_range[1]) + 1)
    clip = sample_clip(bpy.context.scene, rig, frames)
    at = skeleton.index[mapping.slots["pelvis"]]
    pelvis = clip.world_pose(at)[:, :3, 3]
    return foot_points(skeleton, clip, soles, 24.0), pelvis, clip


# Share of the time that a ball stands, and how many stands both feet have together.
RECORDED = {
    "02_01": ((0.45, 0.75), 6),
    "35_01": ((0.45, 0.75), 6),
    "16_17": ((0.45, 0.75), 9),
    "09_01": ((0.20, 0.50), 4),
    "03_01": ((0.50, 0.75), 5),
    "83_27": ((0.70, 0.90), 10),
}


@needs_shared
@pytest.mark.parametrize("name", RECORDED)
def test_contacts_of_recordings_are_plausible(name: str) -> None:
    path = SHARED / "data/mocap" / f"{name}.bvh"
    feet, pelvis, rate = recorded_feet(path)
    found = [c for c in find_contacts(feet, rate, 1.5 / 1.6) if c.point == BALL]
    share, count = RECORDED[name]
    frames = len(feet[0].points)
    for i in range(2):
        stance = sum(c.stop - c.first for c in found if c.foot == i) / frames
        assert share[0] <= stance <= share[1], stance
    assert len(found) == count
    assert_feet_alternate(found)
    assert not is_in_place(feet, pelvis, rate, 1.5 / 1.6)
    still = pelvis * (1.0, 1.0, 0.0)
    if name in ("02_01", "35_01", "09_01"):
        feet = [replace(foot, points=foot.points - still[:, None]) for foot in feet]
        assert is_in_place(feet, pelvis - still, rate, 1.5 / 1.6)


def assert_feet_alternate(balls: list[Contact]) -> None:
    order = [c.foot for c in sorted(balls, key=lambda c: c.first + c.stop)]
    assert all(one != other for one, other in pairwise(order)), order


def recorded_feet(path: Path) -> tuple[list[Foot], Floats, float]:
    """Feet and pelvis of a CMU clip, without the T-pose that its first frame is."""
    bpy.ops.import_anim.bvh(filepath=str(path), global_scale=0.056444)
    rig = bpy.context.object
    frames = np.arange(2, int(rig.animation_data.action.frame_range[1]) + 1)
    skeleton = read_skeleton(rig)
    mapping = detect(read_bones(rig))
    clip = sample_clip(bpy.context.scene, rig, frames)
    feet = foot_points(skeleton, clip, read_soles(rig, skeleton, mapping), 120.0)
    pelvis = clip.world_pose(skeleton.index[mapping.slots["pelvis"]])[:, :3, 3]
    return feet, pelvis, 120.0
