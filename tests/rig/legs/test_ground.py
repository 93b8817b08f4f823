"""The ground as the terrain has it, against the positions in Blender.

Tests of: ground_checks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Vector

from blender_bioik.motion.ground.terrain import Terrain
from blender_bioik.rig.errors import Cancelled, RigError
from blender_bioik.rig.legs import ground as module
from blender_bioik.rig.legs.ground import read_ground
from blender_bioik.rig.transforms import Floats

from ...builders.rigs import add_armature, add_chain
from ...builders.snapshots import differences, file_data

FRAMES = np.arange(1.0, 11.0)
ROWS = np.arange(10)


@pytest.fixture
def rig() -> bpy.types.Object:
    rig = add_armature()
    add_chain(rig, 2)
    return rig


def add(name: str, data: Any = "square", place: Sequence[float] = (0, 0, 0)) -> bpy.types.Object:
    """An object of the scene: a square of 2 m unless other data are given."""
    object_ = bpy.data.objects.new(name, square(name) if data == "square" else data)
    object_.location = place
    bpy.context.scene.collection.objects.link(object_)
    return object_


def square(name: str, size: float = 1.0) -> bpy.types.Mesh:
    mesh = bpy.data.meshes.new(name)
    corners = [(-size, -size, 0), (size, -size, 0), (size, size, 0), (-size, size, 0)]
    mesh.from_pydata(corners, [], [(0, 1, 2, 3)])
    return mesh


def key(owner: Any, path: str, first: Any, last: Any) -> None:
    """Key a property at frames 1 and 10."""
    for frame, value in ((1, first), (10, last)):
        setattr(owner, path, value)
        owner.keyframe_insert(path, frame=frame)


def read(rig: bpy.types.Object, *grounds: Any, **options: Any) -> Terrain:
    return read_ground(bpy.context.scene, grounds, FRAMES, rig, **options)


def heights(terrain: Terrain, x: float = 0.1, y: float = 0.2) -> Floats:
    """Heights at a place in all rows."""
    points = np.tile((x, y, 0.0), (len(ROWS), 1))
    return terrain.below(points, ROWS, np.full(len(ROWS), np.inf)).height


def moves(terrain: Terrain) -> bool:
    """Whether the first triangle does."""
    return bool(terrain.moves(np.zeros(1, int))[0])


def blender_heights(object_: bpy.types.Object) -> list[float]:
    """The object's own height in every frame, as Blender evaluates it."""
    scene, found = bpy.context.scene, []
    for frame in FRAMES:
        scene.frame_set(int(frame))
        depsgraph = bpy.context.evaluated_depsgraph_get()
        found.append(object_.evaluated_get(depsgraph).matrix_world.translation.z)
    scene.frame_set(1)
    return found


def node_group(build: Callable[[Any, Any, Any], None]) -> bpy.types.NodeTree:
    """Geometry nodes, with an input and an output that are passed to `build`."""
    group = bpy.data.node_groups.new("Nodes", "GeometryNodeTree")
    for way in ("INPUT", "OUTPUT"):
        group.interface.new_socket("Geometry", in_out=way, socket_type="NodeSocketGeometry")
    nodes = group.nodes
    build(group, nodes.new("NodeGroupInput").outputs[0], nodes.new("NodeGroupOutput").inputs[0])
    return group


def raised_by_time(group: Any, geometry: Any, result: Any) -> None:
    """Nodes that raise the geometry by a metre per second."""
    nodes, link = group.nodes, group.links.new
    move, time, place = (
        nodes.new(kind)
        for kind in (
            "GeometryNodeSetPosition",
            "GeometryNodeInputSceneTime",
            "ShaderNodeCombineXYZ",
        )
    )
    link(geometry, move.inputs["Geometry"])
    link(time.outputs["Seconds"], place.inputs["Z"])
    link(place.outputs[0], move.inputs["Offset"])
    link(move.outputs[0], result)


def cubes_on_points(group: Any, geometry: Any, result: Any) -> None:
    """Nodes that keep the geometry and put an instance of a cube on each of its vertices."""
    nodes, link = group.nodes, group.links.new
    put, cube, join = (
        nodes.new(kind)
        for kind in (
            "GeometryNodeInstanceOnPoints",
            "GeometryNodeMeshCube",
            "GeometryNodeJoinGeometry",
        )
    )
    link(geometry, put.inputs["Points"])
    link(cube.outputs[0], put.inputs["Instance"])
    link(put.outputs[0], join.inputs[0])
    link(geometry, join.inputs[0])
    link(join.outputs[0], result)


def add_nodes(
    object_: bpy.types.Object, build: Callable[[Any, Any, Any], None]
) -> bpy.types.NodesModifier:
    modifier = object_.modifiers.new("Nodes", "NODES")
    modifier.node_group = node_group(build)
    return modifier


# Ground that stands still.


def test_a_mesh_stands_where_blender_has_it(rig: bpy.types.Object) -> None:
    ground = add("Ground", place=(5.0, 0.0, 2.0))
    ground.rotation_euler = (0.0, -0.3, 0.7)
    ground.scale = (2.0, 3.0, 1.0)
    bpy.context.view_layer.update()
    terrain = read(rig, ground)
    local = np.array([[0.5, 0.4, 0.0, 1.0], [-0.9, 0.9, 0.0, 1.0]])
    places = local @ np.array(ground.matrix_world, float).T

    hits = terrain.below(places[:, :3], np.zeros(2, int), np.full(2, np.inf))

    assert hits.height == pytest.approx(places[:, 2], abs=1e-6)
    normal = np.array(ground.matrix_world.to_3x3().inverted().transposed() @ Vector((0, 0, 1)))
    assert hits.slope[0] == pytest.approx(-normal[:2] / normal[2], abs=1e-6)
    assert not moves(terrain)


def test_modifiers_count(rig: bpy.types.Object) -> None:
    ground = add("Ground")
    array = ground.modifiers.new("Array", "ARRAY")
    array.count, array.relative_offset_displace = 3, (1.0, 0.0, 0.0)

    terrain = read(rig, ground)

    assert np.isfinite(heights(terrain, x=4.5)).all()
    assert np.isnan(heights(terrain, x=5.5)).all()


def test_several_objects_and_collections_with_their_children(rig: bpy.types.Object) -> None:
    alone, inside = add("Alone"), add("Inside", place=(10, 0, 1))
    outer, inner = bpy.data.collections.new("Outer"), bpy.data.collections.new("Inner")
    bpy.context.scene.collection.children.link(outer)
    outer.children.link(inner)
    inner.objects.link(inside)
    inner.objects.link(add("Empty", None))
    add("Other", place=(20, 0, 0))

    terrain = read(rig, alone, outer)

    assert heights(terrain)[0] == 0.0
    assert heights(terrain, x=10.0)[0] == 1.0
    assert np.isnan(heights(terrain, x=20.0)).all()


def test_collection_instances_also_nested(rig: bpy.types.Object) -> None:
    steps, more = bpy.data.collections.new("Steps"), bpy.data.collections.new("More")
    step = bpy.data.objects.new("Step", square("Step"))
    step.location = (0, 0, 0.5)
    steps.objects.link(step)
    nested = bpy.data.objects.new("Nested", None)
    nested.instance_type, nested.instance_collection, nested.location = (
        "COLLECTION",
        steps,
        (0, 0, 1),
    )
    more.objects.link(nested)
    maker = add("Maker", None, place=(3, 0, 2))
    maker.instance_type, maker.instance_collection = "COLLECTION", more

    terrain = read(rig, maker)

    assert heights(terrain, x=3.0) == pytest.approx(np.full(10, 3.5))
    assert not moves(terrain)


def test_instances_of_geometry_nodes(rig: bpy.types.Object) -> None:
    ground = add("Ground")
    add_nodes(ground, cubes_on_points)

    terrain = read(rig, ground)

    assert heights(terrain, 0.1, 0.0)[0] == 0.0  # the square itself
    for x in (-1.2, 1.2):
        assert heights(terrain, x, 1.1)[0] == pytest.approx(0.5)
    assert not moves(terrain)


def test_curves_texts_and_metaballs_with_faces(rig: bpy.types.Object) -> None:
    curve = bpy.data.curves.new("Curve", "CURVE")
    curve.dimensions, curve.extrude = "2D", 0.25
    spline = curve.splines.new("POLY")
    spline.points.add(3)
    for point, corner in zip(spline.points, ((-1, -1), (1, -1), (1, 1), (-1, 1)), strict=True):
        point.co = (*corner, 0, 1)
    spline.use_cyclic_u = True
    curve.fill_mode = "BOTH"
    ball = bpy.data.metaballs.new("Ball")
    ball.elements.new().radius = 1.0

    assert heights(read(rig, add("Curve", curve)))[0] == pytest.approx(0.25)
    assert heights(read(rig, add("Ball", ball)), 0.0, 0.0)[0] > 0.3


def test_vertices_that_are_moved_in_edit_mode_count(rig: bpy.types.Object) -> None:
    ground = add("Ground")
    bpy.context.view_layer.objects.active = ground
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.transform.translate(value=(0, 0, 3))

    terrain = read(rig, ground)

    assert heights(terrain)[0] == pytest.approx(3.0)
    assert ground.mode == "EDIT"


def test_a_region_leaves_out_the_rest(rig: bpy.types.Object) -> None:
    near, far = add("Near"), add("Far", place=(9, 0, 0))

    terrain = read(rig, near, far, around=np.array([[-1.0, -1.0], [1.0, 1.0]]))

    assert np.isfinite(heights(terrain)).all()
    assert np.isnan(heights(terrain, x=9.0)).all()


def test_ground_of_a_scene_that_is_not_shown(rig: bpy.types.Object) -> None:
    other = bpy.data.scenes.new("Other")
    ground = bpy.data.objects.new("Ground", square("Ground"))
    other.collection.objects.link(ground)
    key(ground, "location", (0, 0, 0), (0, 0, 9))

    terrain = read_ground(other, [ground], FRAMES, rig)

    assert heights(terrain)[[0, -1]] == pytest.approx([0.0, 9.0])


# Ground that moves.


def by_keys(lift: bpy.types.Object) -> None:
    key(lift, "location", (0, 0, 0), (0, 0, 3))


def by_its_parent(lift: bpy.types.Object) -> None:
    lift.parent = add("Parent", None)
    by_keys(lift.parent)


def by_a_driver(lift: bpy.types.Object) -> None:
    lift.driver_add("location", 2).driver.expression = "frame / 2"


def by_a_constraint(lift: bpy.types.Object) -> None:
    lift.constraints.new("COPY_LOCATION").target = add("Target", None)
    by_keys(lift.constraints[0].target)


def by_an_nla_strip(lift: bpy.types.Object) -> None:
    by_keys(lift)
    data = lift.animation_data
    data.nla_tracks.new().strips.new("strip", 1, data.action)
    data.action = None


WAYS = [by_keys, by_its_parent, by_a_driver, by_a_constraint, by_an_nla_strip]


@pytest.mark.parametrize("move", WAYS)
def test_what_moves_is_where_blender_has_it_in_every_frame(
    rig: bpy.types.Object, move: Callable[[bpy.types.Object], None]
) -> None:
    lift = add("Lift")
    move(lift)

    terrain = read(rig, lift)

    expected = blender_heights(lift)
    assert max(expected) - min(expected) > 0.9
    assert heights(terrain) == pytest.approx(expected, abs=1e-6)
    assert moves(terrain)


def test_contacts_turn_with_moving_ground(rig: bpy.types.Object) -> None:
    wheel = add("Wheel")
    key(wheel, "rotation_euler", (0, 0, 0), (0, 0.5, 1.0))
    terrain = read(rig, wheel)

    found = terrain.follow(
        np.zeros(1, int), np.array([[0.5, -0.2, 0.0]]), np.array([0]), np.array([9])
    )

    bpy.context.scene.frame_set(10)
    expected = np.array(wheel.matrix_world, float) @ (0.5, -0.2, 0.0, 1.0)
    assert found[0] == pytest.approx(expected[:3], abs=1e-6)


def test_fractions_of_frames(rig: bpy.types.Object) -> None:
    lift = add("Lift")
    lift.driver_add("location", 2).driver.expression = "frame"

    terrain = read_ground(bpy.context.scene, [lift], 1.0 + 0.25 * ROWS, rig)

    assert heights(terrain) == pytest.approx(1.0 + 0.25 * ROWS)


def by_shape_keys(ground: bpy.types.Object) -> None:
    ground.shape_key_add(name="Basis")
    raised = ground.shape_key_add(name="Raised")
    for point in raised.data:
        point.co.z = 2.0
    key(raised, "value", 0.0, 1.0)


def by_a_hook(ground: bpy.types.Object) -> None:
    hook = ground.modifiers.new("Hook", "HOOK")
    hook.object = add("Handle", None)
    hook.vertex_indices_set([0, 1, 2, 3])
    by_keys(hook.object)


def by_a_keyed_modifier(ground: bpy.types.Object) -> None:
    key(ground.modifiers.new("Displace", "DISPLACE"), "strength", 0.0, 2.0)


def by_nodes(ground: bpy.types.Object) -> None:
    add_nodes(ground, raised_by_time)
    bpy.context.scene.render.fps = 4


def by_an_armature(ground: bpy.types.Object) -> None:
    rig = add_armature("Other rig")
    (bone,) = add_chain(rig, 1)
    ground.vertex_groups.new(name=bone).add([0, 1, 2, 3], 1.0, "REPLACE")
    ground.modifiers.new("Armature", "ARMATURE").object = rig
    rig.pose.bones[bone].bone.use_local_location = False
    key(rig.pose.bones[bone], "location", (0, 0, 0), (0, 0, 2))


DEFORMING = [by_shape_keys, by_a_hook, by_a_keyed_modifier, by_nodes, by_an_armature]


@pytest.mark.parametrize("deform", DEFORMING)
def test_what_deforms_is_read_in_every_frame(
    rig: bpy.types.Object, deform: Callable[[bpy.types.Object], None]
) -> None:
    ground = add("Ground", place=(0, 0, 1))
    deform(ground)

    terrain = read(rig, ground)

    expected = []
    for frame in FRAMES:
        bpy.context.scene.frame_set(int(frame))
        evaluated = ground.evaluated_get(bpy.context.evaluated_depsgraph_get())
        expected.append(1.0 + evaluated.to_mesh().vertices[0].co.z)
    assert max(expected) - min(expected) > 0.9
    assert heights(terrain) == pytest.approx(expected, abs=1e-5)
    assert moves(terrain)


def test_a_quad_that_folds_the_other_way_keeps_its_faces(rig: bpy.types.Object) -> None:
    ground = add("Ground")
    ground.shape_key_add(name="Basis")
    folded = ground.shape_key_add(name="Folded")
    folded.data[1].co = (-0.5, 0.5, 0.0)
    key(folded, "value", 0.0, 1.0)
    splits = []
    for frame in (1, 10):
        bpy.context.scene.frame_set(frame)
        mesh = ground.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
        mesh.calc_loop_triangles()
        splits.append({tuple(triangle.vertices) for triangle in mesh.loop_triangles})

    terrain = read(rig, ground)

    assert splits[0] != splits[1]
    assert np.isfinite(heights(terrain, -0.6, 0.7)).all()


def test_rigid_movers_are_read_once_and_still_ground_in_one_frame(
    rig: bpy.types.Object, monkeypatch: pytest.MonkeyPatch
) -> None:
    shapes: list[str] = []
    frames: list[float] = []
    read_shape, set_frame = module._read_shape, module._set_frame

    def noted_shape(object_: bpy.types.Object, before: Any) -> Any:
        shapes.append(object_.original.name)
        return read_shape(object_, before)

    def noted_frame(scene: bpy.types.Scene, frame: float) -> None:
        frames.append(frame)
        set_frame(scene, frame)

    monkeypatch.setattr(module, "_read_shape", noted_shape)
    monkeypatch.setattr(module, "_set_frame", noted_frame)
    still, lift = add("Still"), add("Lift", place=(9, 0, 0))
    still.modifiers.new("Nodes", "NODES").node_group = node_group(cubes_on_points)
    by_keys(lift)
    key(rig, "location", (0, 0, 0), (1, 0, 0))

    read(rig, still)
    assert frames == [1.0]
    shapes.clear()
    frames.clear()
    read(rig, still, lift)

    assert frames == list(FRAMES)
    assert sorted(shapes) == ["Lift", "Still", "Still"]  # the square and one cube for all instances


def test_keys_that_move_nothing_leave_ground_still(rig: bpy.types.Object) -> None:
    ground = add("Ground")
    key(ground, "location", (0, 0, 1), (0, 0, 1))

    assert not moves(read(rig, ground))


def test_moving_instances(rig: bpy.types.Object) -> None:
    collection = bpy.data.collections.new("Inside")
    step = bpy.data.objects.new("Step", square("Step"))
    collection.objects.link(step)
    key(step, "location", (0, 0, 0), (0, 0, 1))
    maker = add("Maker", None)
    maker.instance_type, maker.instance_collection = "COLLECTION", collection
    key(maker, "location", (0, 0, 0), (0, 0, 2))

    terrain = read(rig, maker)

    assert heights(terrain)[[0, -1]] == pytest.approx([0.0, 3.0])


def test_instances_of_particles_are_there_while_they_live(rig: bpy.types.Object) -> None:
    ground, leaf = add("Ground"), add("Leaf", place=(50, 0, 0))
    ground.modifiers.new("Particles", "PARTICLE_SYSTEM")
    settings = ground.particle_systems[0].settings
    settings.count, settings.frame_start, settings.frame_end, settings.lifetime = 1, 3, 3, 4
    settings.render_type, settings.instance_object = "OBJECT", leaf
    settings.particle_size, settings.normal_factor = 0.5, 0.0
    settings.effector_weights.gravity = 0.0
    settings.physics_type = "NO"
    settings.emit_from = "VERT"

    terrain = read(rig, ground)

    corner = [(-1.2, -1.2), (1.2, -1.2), (1.2, 1.2), (-1.2, 1.2)]
    there = np.isfinite([heights(terrain, *place) for place in corner]).any(axis=0)
    assert there.tolist() == [3 <= frame < 7 for frame in FRAMES]


def test_ground_that_is_hidden_for_a_while(rig: bpy.types.Object) -> None:
    ground = add("Ground")
    key(ground, "hide_viewport", True, False)

    terrain = read(rig, ground, add("Other", place=(9, 0, 0)))

    assert np.isfinite(heights(terrain)).tolist() == [False] * 9 + [True]


def test_progress_is_reported(rig: bpy.types.Object) -> None:
    told: list[tuple[int, int]] = []
    lift = add("Lift")
    by_keys(lift)

    read(rig, lift, progress=lambda done, of: told.append((done, of)))

    assert told == [(row + 1, 10) for row in ROWS]


# The scene stays as it was.


def untouched(act: Callable[[], object]) -> None:
    bpy.context.scene.frame_set(4, subframe=0.5)
    bpy.context.scene.objects["Lift"].location.x = 0.25  # not keyed
    handlers = len(bpy.app.handlers.frame_change_post)
    before = file_data()

    act()

    assert differences(before, file_data()) == []
    assert len(bpy.app.handlers.frame_change_post) == handlers
    assert len(bpy.data.meshes) == len(bpy.context.scene.objects) - 1


def test_reading_changes_nothing(rig: bpy.types.Object) -> None:
    lift, still = add("Lift"), add("Still")
    by_keys(lift)

    untouched(lambda: read(rig, lift, still))


def test_a_cancelled_reading_changes_nothing(rig: bpy.types.Object) -> None:
    lift = add("Lift")
    by_keys(lift)
    asked = iter([False, False, True])

    def cancel() -> None:
        with pytest.raises(Cancelled):
            read(rig, lift, cancelled=lambda: next(asked))

    untouched(cancel)


def test_a_refusal_changes_nothing(rig: bpy.types.Object) -> None:
    lift = add("Lift")
    by_keys(lift)
    key(lift, "scale", (1, 1, 1), (1, 1, 0))

    def refuse() -> None:
        with pytest.raises(RigError, match="Lift"):
            read(rig, lift)

    untouched(refuse)


# Refusals.


def refused(rig: bpy.types.Object, *grounds: Any) -> str:
    with pytest.raises(RigError) as caught:
        read(rig, *grounds)
    return str(caught.value)


def test_no_ground(rig: bpy.types.Object) -> None:
    assert "no ground" in refused(rig)


def test_ground_without_faces(rig: bpy.types.Object) -> None:
    ground = add("Points", bpy.data.meshes.new("Points"))

    assert refused(rig, add("Good"), ground).startswith('The ground "Points" has no faces')
    assert refused(rig, add("Empty", None)).startswith('The ground "Empty" has no faces')
    assert '"Light"' in refused(rig, add("Light", bpy.data.lights.new("Light", "SUN")))


def test_collections_without_visible_faces(rig: bpy.types.Object) -> None:
    collection = bpy.data.collections.new("Set")
    bpy.context.scene.collection.children.link(collection)

    assert '"Set" has no visible objects with faces' in refused(rig, collection)
    collection.objects.link(add("Empty", None))
    assert '"Set" has no visible objects with faces' in refused(rig, collection)
    hidden = add("Hidden")
    collection.objects.link(hidden)
    hidden.hide_viewport = True
    assert '"Set" has no visible objects with faces' in refused(rig, collection)
    hidden.hide_viewport = False
    assert np.isfinite(heights(read(rig, collection))).all()


def hide_in_viewports(object_: bpy.types.Object) -> None:
    object_.hide_viewport = True


def hide_with_the_eye(object_: bpy.types.Object) -> None:
    object_.hide_set(True)


def unlink(object_: bpy.types.Object) -> None:
    bpy.context.scene.collection.objects.unlink(object_)


def exclude(object_: bpy.types.Object) -> None:
    collection = bpy.data.collections.new("Excluded")
    bpy.context.scene.collection.children.link(collection)
    collection.objects.link(object_)
    unlink(object_)
    bpy.context.view_layer.layer_collection.children["Excluded"].exclude = True


@pytest.mark.parametrize("hide", [hide_in_viewports, hide_with_the_eye, unlink, exclude])
def test_ground_that_is_not_visible(
    rig: bpy.types.Object, hide: Callable[[bpy.types.Object], None]
) -> None:
    ground = add("Ground")
    hide(ground)

    assert refused(rig, ground).startswith('The ground "Ground" is not visible in scene "Scene"')


def test_the_character_itself(rig: bpy.types.Object) -> None:
    assert '"Rig" belongs to the armature "Rig"' in refused(rig, rig)


def as_child(body: bpy.types.Object, rig: bpy.types.Object) -> None:
    body.parent = rig


def as_child_of_a_bone(body: bpy.types.Object, rig: bpy.types.Object) -> None:
    body.parent, body.parent_type, body.parent_bone = rig, "BONE", "bone.0"


def as_grandchild(body: bpy.types.Object, rig: bpy.types.Object) -> None:
    body.parent = add("Between", None)
    body.parent.parent = rig


def as_skin(body: bpy.types.Object, rig: bpy.types.Object) -> None:
    body.modifiers.new("Armature", "ARMATURE").object = rig


def by_child_of(body: bpy.types.Object, rig: bpy.types.Object) -> None:
    body.constraints.new("CHILD_OF").target = rig


def by_armature_constraint(body: bpy.types.Object, rig: bpy.types.Object) -> None:
    body.constraints.new("ARMATURE").targets.new().target = rig


@pytest.mark.parametrize(
    "attach",
    [as_child, as_child_of_a_bone, as_grandchild, as_skin, by_child_of, by_armature_constraint],
)
def test_parts_of_the_character(
    rig: bpy.types.Object, attach: Callable[[bpy.types.Object, bpy.types.Object], None]
) -> None:
    body = add("Body")
    attach(body, rig)
    collection = bpy.data.collections.new("Set")
    collection.objects.link(body)

    assert refused(rig, body).startswith('"Body" belongs to the armature "Rig"')
    assert refused(rig, collection).startswith('"Body" in collection "Set" belongs to')


def test_moving_ground_that_takes_the_character_along(rig: bpy.types.Object) -> None:
    lift = add("Lift")
    by_keys(lift)
    rig.parent = lift

    message = refused(rig, lift)

    assert message.startswith('The ground "Lift" carries the character along')
    assert '"Rig" depends on it by a parent' in message


def test_ground_that_moves_with_the_characters_parent(rig: bpy.types.Object) -> None:
    cart, floor = add("Cart", None), add("Floor")
    by_keys(cart)
    floor.parent = cart
    rig.constraints.new("CHILD_OF").target = cart

    message = refused(rig, floor)

    assert message.startswith('The ground "Floor" carries the character along')
    assert 'depends on "Cart" by' in message


def test_moving_ground_that_takes_the_characters_root_along(rig: bpy.types.Object) -> None:
    """Also by a bone that carries the others, or a driver; a hand may hold on to it."""
    lift = add("Lift")
    by_keys(lift)
    hand = add_chain(rig, 1, prefix="hand", parent="bone.1")[0]
    held = rig.pose.bones[hand].constraints.new("CHILD_OF")
    held.target = lift
    assert np.isfinite(heights(read(rig, lift))).all()

    stands = rig.pose.bones["bone.0"].constraints.new("CHILD_OF")
    stands.target = lift
    assert refused(rig, lift).startswith('The ground "Lift" carries the character along')

    stands.mute = True
    rig.parent = add("Cart", None)
    variable = rig.parent.driver_add("location", 0).driver.variables.new()
    variable.type, variable.targets[0].id = "TRANSFORMS", lift
    assert refused(rig, lift).startswith('The ground "Lift" carries the character along')


def test_a_still_parent_may_be_ground_and_have_moving_ground(rig: bpy.types.Object) -> None:
    stage, lift = add("Stage"), add("Lift", place=(9, 0, 0))
    rig.parent = lift.parent = stage
    key(lift, "location", (9, 0, 0), (9, 0, 3))

    terrain = read(rig, stage, lift)

    assert heights(terrain) == pytest.approx(0.0)
    assert heights(terrain, x=9.0)[-1] == pytest.approx(3.0)


@pytest.mark.parametrize("scale", [(0, 0, 0), (1, 1, 0), (0, 1, 1)])
def test_scale_zero(rig: bpy.types.Object, scale: tuple[float, ...]) -> None:
    ground = add("Ground")
    ground.rotation_euler = (0.3, 0.2, 0.1)
    ground.scale = scale

    assert refused(rig, ground).startswith('The ground "Ground" has zero scale')


def test_scale_zero_of_a_parent_and_of_a_maker_of_instances(rig: bpy.types.Object) -> None:
    collection = bpy.data.collections.new("Inside")
    collection.objects.link(bpy.data.objects.new("Step", square("Step")))
    maker, child, parent = add("Maker", None), add("Child"), add("Parent", None)
    maker.instance_type, maker.instance_collection = "COLLECTION", collection
    child.parent, child.rotation_euler = parent, (0.3, 0.2, 0.1)
    maker.scale = parent.scale = (1, 1, 0)

    assert 'The ground "Maker" has zero scale' in refused(rig, maker)
    assert 'The ground "Child" has zero scale' in refused(rig, child)


def test_small_and_flat_ground_is_ground(rig: bpy.types.Object) -> None:
    ground = add("Ground")
    ground.scale = (100, 100, 0.001)

    assert np.isfinite(heights(read(rig, ground), 90.0, 90.0)).all()


def test_vertices_that_are_no_numbers(rig: bpy.types.Object) -> None:
    ground = add("Ground")
    ground.data.vertices[1].co.y = np.nan

    assert refused(rig, ground).startswith('The ground "Ground" has invalid vertices')


def test_a_place_that_is_no_number(rig: bpy.types.Object) -> None:
    ground = add("Ground")
    ground.location.x = np.nan

    assert refused(rig, ground).startswith('The ground "Ground" has an invalid transformation')


def by_more_copies(ground: bpy.types.Object) -> None:
    key(ground.modifiers.new("Array", "ARRAY"), "count", 1, 3)


def by_other_faces_of_the_same_vertices(ground: bpy.types.Object) -> None:
    key(ground.modifiers.new("Triangulate", "TRIANGULATE"), "show_viewport", False, True)


@pytest.mark.parametrize("change", [by_more_copies, by_other_faces_of_the_same_vertices])
def test_faces_that_change(
    rig: bpy.types.Object, change: Callable[[bpy.types.Object], None]
) -> None:
    ground = add("Ground")
    change(ground)

    assert refused(rig, ground).startswith('The faces of the ground "Ground" change at frame')
