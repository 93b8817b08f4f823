"""The depth of meshes in a report, against rays onto the ground from the meshes as evaluated.

Tests of: skin_depths, evaluated_depths, rig.feet.placement, rig.report.mesh_report,
motion.measure.mesh_depth.
"""

from __future__ import annotations

from collections.abc import Callable

import bpy
import numpy as np
import pytest

from benchmarks.feet.ground_rays import GroundRays
from blender_bioik.findings import Severity
from blender_bioik.motion.feet import Floats
from blender_bioik.motion.ground.terrain import Surface, Terrain
from blender_bioik.motion.measure.mesh_depth import depth_of
from blender_bioik.rig.feet.place_feet import place_feet
from blender_bioik.rig.report.foot_report import FootReport
from blender_bioik.rig.report.mesh_report import BODY_MORE, MeshReport
from blender_bioik.rig.source.options import BakeOptions
from demo import ground
from zoo import Built, build

CLOSE = 3e-4  # metres


def on_hills(
    name: str, change: Callable[[Built], object] | None = None
) -> tuple[Built, FootReport]:
    """A character of the zoo, changed and placed on hills."""
    built = build(name, "walk")
    if change is not None:
        change(built)
    return built, placed(built, ground.hills(ground.Hills()))


def placed(built: Built, floor: bpy.types.Object) -> FootReport:
    bpy.context.scene.collection.objects.link(floor)
    built.armature.bioik.feet.grounds.add().object = floor
    options = BakeOptions(built.first, built.last)
    return place_feet(bpy.context.scene, built.armature, options)


def meshes(report: FootReport) -> MeshReport:
    assert report.body is not None
    return report.body.meshes


def evaluated(built: Built, thing: bpy.types.Object) -> Floats:
    """World places of a mesh's vertices; (f, n, 3)."""
    rows = []
    for frame in range(built.first, built.last + 1):
        bpy.context.scene.frame_set(frame)
        shown = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
        flat = np.empty(3 * len(shown.data.vertices), np.float32)
        shown.data.vertices.foreach_get("co", flat)
        world = np.array(shown.matrix_world, float)
        rows.append(flat.reshape(-1, 3) @ world[:3, :3].T + world[:3, 3])
    return np.array(rows)


def depth_by_rays(built: Built, places: Floats) -> Floats:
    """How deep the deepest of some places (f, n, 3) is in each frame; (f,)."""
    grounds = [entry.object for entry in built.armature.bioik.feet.grounds]
    frames = range(built.first, built.last + 1)
    rays = GroundRays(bpy.context.scene, grounds, frames)
    heights, _ = rays.heights(places[None], np.full((1, len(places)), 10.0))
    deep = np.nan_to_num(heights[0] - places[..., 2], nan=0.0)
    for row, place in np.argwhere(deep > 0.0):
        deep[row, place] = min(deep[row, place], rays.way_out(row, places[row, place]))
    return np.asarray(deep.max(axis=1).clip(0.0))


@pytest.mark.parametrize("name", ["boots", "shoes", "lying"])
def test_feet_are_as_deep_as_rays_find_them(name: str) -> None:
    built, report = on_hills(name)
    for leg, part in zip(built.truth.legs, meshes(report).feet, strict=True):
        soles = [
            evaluated(built, bpy.data.objects[thing])[:, list(own)]
            for thing, own in leg.sole.items()
        ]
        truth = depth_by_rays(built, np.concatenate(soles, axis=1))
        # Edges of the mesh count as well: it may be deeper than its vertices.
        assert (part.depth[int(truth.argmax())], part.depth.max()) >= (truth.max() - CLOSE,) * 2
        assert part.depth.max() < truth.max() + 0.003


def spur(built: Built, bone: str, below: float, aside: float = 0.0) -> bpy.types.Object:
    """A thorn on a bone whose tip is below the floor and aside in the rest pose, metres."""
    x, y, z = built.armature.data.bones[bone].head_local
    corners = [(x + aside, y, -below), (x + 0.02, y, z), (x, y + 0.02, z)]
    mesh = bpy.data.meshes.new("Spur")
    mesh.from_pydata(corners, [], [(0, 1, 2)])
    thing = bpy.data.objects.new("Spur", mesh)
    bpy.context.scene.collection.objects.link(thing)
    thing.parent = built.armature
    thing.vertex_groups.new(name=bone).add([0, 1, 2], 1.0, "REPLACE")
    thing.modifiers.new("Armature", "ARMATURE").object = built.armature
    return thing


@pytest.mark.parametrize(
    ("role", "below", "aside", "fault"),
    # As deep as in the source's own floor, and on a long arm where hills are higher than there.
    [("shin", 0.05, 0.0, False), ("pelvis", -0.02, 1.5, True)],
)
def test_a_body_in_the_ground_is_told_although_sole_points_are_not(
    role: str, below: float, aside: float, *, fault: bool
) -> None:
    built = build("plain", "walk")
    bone = {"shin": built.truth.legs[0].bones[1], "pelvis": built.body.named(built.body.root)}[role]
    thorn = spur(built, bone, below, aside)
    sunk = (-evaluated(built, thorn)[..., 2].min(axis=1)).clip(0.0)
    report = placed(built, ground.hills(ground.Hills()))
    truth = depth_by_rays(built, evaluated(built, thorn))
    body = meshes(report).body
    assert body.depth.max() == pytest.approx(truth.max(), abs=CLOSE)
    assert report.change.after.curves.penetration.max() < 0.005
    # Never denied, and a fault where it is more than in the source.
    assert "no penetration" not in report.summary()
    finding = next(f for f in report.all_findings if f.kind == "body_depth")
    assert finding.text.startswith(f"the body at {bone} is ")
    # Measured over the source's floor, which is some millimetres off the truth.
    assert body.before.max() == pytest.approx(sunk.max(), abs=0.005)
    assert ((truth - sunk).max() > BODY_MORE) == fault
    assert (finding.severity == Severity.FAULT) == fault
    assert (finding.text in report.summary().split(". ")[0]) == fault


def with_preserved_volume(built: Built) -> None:
    built.meshes[0].modifiers[0].use_deform_preserve_volume = True


def test_meshes_that_blender_evaluates_are_as_deep_as_others() -> None:
    """Vertices of the zoo follow one bone each: preserving volume changes nothing."""
    _, report = on_hills("boots")
    bpy.ops.wm.read_factory_settings(use_empty=True)
    built, other = on_hills("boots", with_preserved_volume)
    for one, two in zip(meshes(report).feet, meshes(other).feet, strict=True):
        known = np.flatnonzero(two.depth > 0.0)
        assert len(known) > 1
        assert two.depth[known] == pytest.approx(one.depth[known], abs=CLOSE)
    # The frame that was shown is shown again, with the new keyframes.
    frame = bpy.context.scene.frame_current
    shown = np.array(built.armature.pose.bones[built.truth.slots["pelvis"]].matrix)
    bpy.context.scene.frame_set(frame)
    again = np.array(built.armature.pose.bones[built.truth.slots["pelvis"]].matrix)
    assert shown == pytest.approx(again, abs=1e-6)


def test_a_subdivided_mesh_is_measured_as_it_is_shown() -> None:
    built, report = on_hills(
        "boots", lambda built: built.meshes[0].modifiers.new("Smooth", "SUBSURF")
    )
    places = evaluated(built, built.meshes[0])
    truth = depth_by_rays(built, places)
    row = int(np.max([part.depth for part in meshes(report).feet], axis=0).argmax())
    found = max(part.depth[row] for part in (*meshes(report).feet, meshes(report).body))
    assert found == pytest.approx(truth[row], abs=CLOSE)


def test_a_source_that_is_in_its_own_floor_is_no_fault_but_is_told() -> None:
    built = build("plain", "walk")
    flat = ground.flat()
    spur(built, built.truth.legs[0].bones[1], 0.02)
    report = placed(built, flat)
    deepest = meshes(report).body
    assert deepest.depth.max() > 0.015
    assert deepest.excess.max() < 0.01
    finding = next(f for f in report.all_findings if f.kind == "body_depth")
    assert "mm deeper than in the source" in finding.text
    assert finding.text in report.summary()


def test_without_a_mesh_the_summary_says_so() -> None:
    _, report = on_hills("bare")
    assert meshes(report).bare
    assert report.summary().endswith("Measured on sole points and bones: there is no mesh.")


def test_curves_have_the_depths_of_feet_and_body() -> None:
    built, report = on_hills("boots")
    curves = report.curves()
    assert curves["mesh_depth"].max() == pytest.approx(
        max(part.depth.max() for part in meshes(report).feet)
    )
    assert "bioik_mesh_depth_mm" in built.armature
    told = report.to_json()["body"]["meshes"]
    assert told["feet"][0]["depth_worst_mm"] == 1e3 * meshes(report).feet[0].depth.max()


def bench(height: float, thick: float) -> bpy.types.Object:
    """A wide board over a floor."""
    low, high = height - thick, height
    corners = [(x, y, z) for z in (low, high) for x, y in ((-9, -9), (9, -9), (9, 9), (-9, 9))]
    sides = [(0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]
    faces = [(3, 2, 1, 0), (4, 5, 6, 7), *sides]
    mesh = bpy.data.meshes.new("Bench")
    mesh.from_pydata(corners, [], faces)
    return bpy.data.objects.new("Bench", mesh)


@pytest.mark.parametrize(("thick", "inside"), [(0.01, False), (0.5, True)])
def test_the_body_may_be_under_a_board_but_not_in_a_box(thick: float, inside: bool) -> None:
    floor, board = ground.flat(), bench(0.4, thick)
    vertices = [np.array([tuple(corner.co) for corner in thing.data.vertices])
                for thing in (floor, board)]  # fmt: skip
    surfaces = []
    for places, thing in zip(vertices, (floor, board), strict=True):
        thing.data.calc_loop_triangles()
        triangles = np.array([tuple(t.vertices) for t in thing.data.loop_triangles])
        surfaces.append(Surface(places, triangles))
    point, row, top = np.array([[0.3, 0.2, 0.1]]), np.zeros(1, int), np.array([0.5])
    depth, _ = depth_of(point, row, top, Terrain(surfaces), 1.0)
    assert (depth > 0.0).tolist() == [inside]


def rung(height: float, flipped: bool) -> Surface:
    """A bar of 4 cm along X, with normals that point outwards or inwards."""
    corners = [(x, y, z) for z in (height - 0.04, height) for x, y in
               ((-9, -0.02), (9, -0.02), (9, 0.02), (-9, 0.02))]  # fmt: skip
    sides = [(0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]
    faces = np.array([(3, 2, 1, 0), (4, 5, 6, 7), *sides])
    triangles = np.concatenate([faces[:, [0, 1, 2]], faces[:, [0, 2, 3]]])
    return Surface(np.array(corners, float), triangles[:, ::-1] if flipped else triangles)


@pytest.mark.parametrize("flipped", [False, True])
def test_a_toe_may_pass_below_a_rung_but_not_be_in_it(flipped: bool) -> None:
    terrain = Terrain([rung(0.3, flipped), rung(0.6, flipped)])
    row = np.zeros(1, int)
    # The highest ground that counts is amid the upper rung.
    top = np.array([0.58])
    ankle = np.array([[0.0, 0.2, 0.3]])
    toe = np.array([[0.0, 0.0, 0.2]])
    assert depth_of(toe, row, top, terrain, 1.0, ankle)[0] == pytest.approx(0.0)
    inside = np.array([[0.0, 0.0, 0.27]])
    assert depth_of(inside, row, top, terrain, 1.0, ankle)[0] > 0.0
    # What its ankle is above has gone through the rung.
    above = np.array([[0.0, 0.0, 0.4]])
    assert depth_of(toe, row, top, terrain, 1.0, above)[0] > 0.0


def test_a_foot_below_a_thin_floor_is_in_the_ground() -> None:
    terrain = Terrain([rung(0.0, False)])
    row, top, ankle = np.zeros(1, int), np.array([0.4]), np.array([[0.0, 0.0, 0.08]])
    sole = np.array([[0.0, 0.0, -0.07]])
    assert depth_of(sole, row, top, terrain, 1.0, ankle)[0] > 0.0
