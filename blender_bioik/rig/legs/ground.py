"""Reading the ground: evaluated meshes of objects and collections over the frames of a clip.

All visible geometry counts: modifiers, instances of collections, particles and geometry
nodes, and curves or texts with faces. Time dependency is taken
from updates of Blender's dependency graph on frame changes. A static ground is read once.
Otherwise the scene is evaluated frame by frame, and only meshes that may deform are read again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple, TypeAlias

import bpy
import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...motion.ground.terrain import Surface, Terrain
from ..blender.ground_items import ground_items
from ..blender.scene_state import preserved_frame
from ..clip.sampling import evaluated_depsgraph
from ..errors import RigError
from ..reading import Cancel, Progress, Reading, drained
from ..transforms import Floats
from .ground_checks import (
    has_moved,
    is_singular,
    refuse_carrier,
    refuse_parts_of_character,
    refuse_singular,
    shared_carriers,
    without_bodies,
)

Ground: TypeAlias = bpy.types.Object | bpy.types.Collection
# The object that is ground or makes instances, the object that is shown, and which instance it is.
Key = tuple[bpy.types.Object, bpy.types.Object, tuple[int, ...]]
# Types of objects that may have faces, apart from those that make instances.
WITH_FACES = {"MESH", "CURVE", "CURVES", "SURFACE", "FONT", "META"}


def chosen_grounds(armature_object: bpy.types.Object) -> list[Ground]:
    """What the settings of the armature, or of the scene, name as ground."""
    return [
        chosen
        for ground in ground_items(armature_object)
        for chosen in (ground.object, ground.collection)
        if chosen is not None
    ]


def read_ground(
    scene: bpy.types.Scene,
    grounds: Sequence[Ground],
    frames: ArrayLike,
    armature_object: bpy.types.Object,
    around: Floats | None = None,
    progress: Progress | None = None,
    cancelled: Cancel | None = None,
) -> Terrain:
    """Read the ground of a clip; the frame and dependent data are restored, even after an error.

    Args:
        scene: The scene of the frames.
        grounds: Objects, and collections of which all visible objects with faces count, apart
            from the bodies of other characters.
        frames: Frame numbers, whole or with fractions; (f,). They become the terrain's rows.
        armature_object: The character, which cannot be ground.
        around: Lowest and highest (x, y) of the region that matters; (2, 2). None for all.
        progress: Called with the number of frames read and of all frames.
        cancelled: Called before each frame is read.

    Raises:
        RigError: There is no ground, or something cannot be ground.
        Cancelled: `cancelled` returned true.
    """
    return drained(
        reading_ground(scene, grounds, frames, armature_object, around), progress, cancelled
    )


def reading_ground(
    scene: bpy.types.Scene,
    grounds: Sequence[Ground],
    frames: ArrayLike,
    armature_object: bpy.types.Object,
    around: Floats | None = None,
) -> Reading[Terrain]:
    """Read the ground as `read_ground` does, frame by frame."""
    members = _members(grounds, armature_object)
    refuse_parts_of_character(members, armature_object)
    at = np.asarray(frames, float)
    reader = _Reader(scene, members, armature_object, len(at))
    with preserved_frame(scene):
        for row, frame in enumerate(at):
            yield row, len(at)
            if row == 0:
                reader.read_first(float(frame))
                reader.refuse_missing(still=True)
            elif reader.changing_owners:
                reader.read_changing(row, float(frame))
        yield len(at), len(at)
    reader.refuse_missing(still=False)
    surfaces = reader.surfaces()
    # Ground that moves may carry the character out of the region.
    return Terrain(surfaces, None if any(surface.moves for surface in surfaces) else around)


def _members(
    grounds: Sequence[Ground], armature_object: bpy.types.Object
) -> dict[bpy.types.Object, Ground]:
    """The objects of the ground, each with its list item: itself or its collection."""
    if not grounds:
        raise RigError("There is no ground: add objects or collections to stand on.")
    members: dict[bpy.types.Object, Ground] = {}
    for ground in grounds:
        if isinstance(ground, bpy.types.Collection):
            if not len(ground.all_objects):
                raise RigError(_without_faces(ground))
            members |= dict.fromkeys(without_bodies(ground.all_objects, armature_object), ground)
    members |= {ground: ground for ground in grounds if isinstance(ground, bpy.types.Object)}
    return members


def _without_faces(ground: Ground) -> str:
    if isinstance(ground, bpy.types.Collection):
        return (
            f'The ground collection "{ground.name}" has no visible objects with faces: '
            "choose another one, or show its objects."
        )
    return f'The ground "{ground.name}" has no faces: choose an object with a surface.'


class _Shape(NamedTuple):
    """A mesh in its own space.

    Attributes:
        vertices: Places; (v, 3).
        corners: Vertices of all faces, one face after the other.
        triangles: Indices of three vertices each; (t, 3).
    """

    vertices: NDArray[np.float32]
    corners: NDArray[np.int32]
    triangles: NDArray[np.int32]

    def has_faces_of(self, other: _Shape) -> bool:
        """Whether only vertices have moved. Triangles are ignored: quads may fold either way."""
        same = len(self.vertices) == len(other.vertices)
        return same and np.array_equal(self.corners, other.corners)


class _Piece:
    """A mesh somewhere in the world, over the frames; where it is not there, matrices are NaN."""

    def __init__(self, shape: _Shape, changes: bool, rows: int) -> None:
        self.shape = shape
        self.changes = changes
        self.matrices = np.full((rows if changes else 1, 4, 4), np.nan)
        self.vertices: NDArray[np.float32] | None = None

    def take(self, row: int, matrix: Floats, shape: _Shape) -> None:
        """Note where it is in a row, and its shape as soon as that is another than at first."""
        self.matrices[row] = matrix
        if self.vertices is None and not np.array_equal(shape.vertices, self.shape.vertices):
            self.vertices = np.tile(self.shape.vertices, (len(self.matrices), 1, 1))
        if self.vertices is not None:
            self.vertices[row] = shape.vertices

    def surface(self) -> Surface:
        """Parts of the terrain."""
        triangles = self.shape.triangles.astype(np.int64)
        if self.vertices is not None:
            self.vertices[np.isnan(self.matrices).any(axis=(1, 2))] = np.nan
            return Surface(self.vertices, triangles, self.matrices)
        vertices, matrix = self.shape.vertices.astype(float), self.matrices[0]
        if np.all(self.matrices == matrix):
            return Surface(vertices @ matrix[:3, :3].T + matrix[:3, 3], triangles)
        return Surface(vertices, triangles, self.matrices)


class _Changing(NamedTuple):
    """Data that Blender re-evaluates when the frame changes.

    Attributes:
        objects: Objects with any changes.
        shapes: Objects whose shape changes.
    """

    objects: set[bpy.types.Object]
    shapes: set[bpy.types.Object]


class _Reader:
    """Reads the ground's meshes, row by row."""

    def __init__(
        self,
        scene: bpy.types.Scene,
        members: dict[bpy.types.Object, Ground],
        armature_object: bpy.types.Object,
        rows: int,
    ) -> None:
        self.scene = scene
        self.members = members
        self.armature_object = armature_object
        self.rows = rows
        self.pieces: dict[Key, _Piece] = {}
        self.seen: set[bpy.types.Object] = set()
        self.changing = _Changing(set(), set())
        # Objects of the ground that may move, deform, appear or vanish, or their instances may.
        self.changing_owners: set[bpy.types.Object] = set()
        self.carriers = shared_carriers(members, armature_object)
        self.carried_at: dict[bpy.types.Object, Floats] = {}

    def read_first(self, frame: float) -> None:
        """Read all of the ground, and determine what may change."""
        evaluated_depsgraph(self.scene)  # pending updates do not depend on the frame
        with _noted_changes(self.scene) as self.changing:
            _set_frame(self.scene, frame)
        self._read(0, frame, self.members.keys())
        self.changing_owners = {o for (o, *_), piece in self.pieces.items() if piece.changes}
        self.changing_owners |= {
            object_
            for object_ in self.changing.objects & self.members.keys()
            if object_.type in WITH_FACES or object_.is_instancer
        }

    def read_changing(self, row: int, frame: float) -> None:
        """Read the parts that may have changed since the first frame."""
        _set_frame(self.scene, frame)
        self._read(row, frame, self.changing_owners)

    def refuse_missing(self, still: bool) -> None:
        """Refuse chosen objects, and collections of such alone, of which nothing was read.

        Args:
            still: Whether those that may change are left out: they may show up in a later frame.

        Raises:
            RigError: Names the object or the collection.
        """
        read = {owner for owner, *_ in self.pieces} | (self.changing_owners if still else set())
        for ground in dict.fromkeys(self.members.values()):
            objects = {object_ for object_, chosen in self.members.items() if chosen == ground}
            if objects & read:
                continue
            if ground in objects and ground not in self.seen:
                raise RigError(
                    f'The ground "{ground.name}" is not visible in scene "{self.scene.name}": '
                    "enable it in viewports, and its collection in the view layer."
                )
            raise RigError(_without_faces(ground))

    def surfaces(self) -> list[Surface]:
        """The terrain that was read."""
        return [piece.surface() for piece in self.pieces.values()]

    def _read(self, row: int, frame: float, owners: Collection[bpy.types.Object]) -> None:
        depsgraph = evaluated_depsgraph(self.scene)
        self._refuse_carriers(depsgraph)
        shapes: dict[int, _Shape] = {}
        for instance in depsgraph.object_instances:
            maker = instance.parent if instance.is_instance else instance.object
            owner, object_ = maker.original, instance.object
            if owner not in owners:
                continue
            self.seen.add(owner)
            if object_.type != "MESH":
                continue
            matrix = np.array(instance.matrix_world, float)
            if not np.isfinite(matrix).all() or is_singular(matrix):
                refuse_singular(owner, np.array(maker.matrix_world, float))
                continue  # an instance of no size is not there
            ids = tuple(instance.persistent_id) if instance.is_instance else ()
            self._read_piece(row, frame, (owner, object_.original, ids), object_, matrix, shapes)

    def _read_piece(
        self,
        row: int,
        frame: float,
        key: Key,
        object_: bpy.types.Object,
        matrix: Floats,
        shapes: dict[int, _Shape],
    ) -> None:
        piece = self.pieces.get(key)
        if piece is not None and not piece.changes:
            return
        if piece is not None and not self.changing.shapes & {key[0], key[1]}:
            piece.take(row, matrix, piece.shape)
            return
        pointer = object_.data.as_pointer()  # instances share their meshes
        if pointer not in shapes:
            shapes[pointer] = _read_shape(object_, piece.shape if piece else None)
        shape = shapes[pointer]
        if not len(shape.triangles):
            return
        if not np.isfinite(shape.vertices).all():
            raise RigError(
                f'The ground "{key[0].name}" has invalid vertices (NaN/inf): fix its mesh.'
            )
        if piece is None:
            changes = row > 0 or bool(self.changing.objects & {key[0], key[1]})
            piece = self.pieces[key] = _Piece(shape, changes, self.rows)
        elif not shape.has_faces_of(piece.shape):
            raise RigError(
                f'The faces of the ground "{key[0].name}" change at frame {frame:g}: choose '
                "ground that moves or deforms with constant topology."
            )
        piece.take(row, matrix, shape)

    def _refuse_carriers(self, depsgraph: bpy.types.Depsgraph) -> None:
        """Refuse ground that moves together with the character's own parent."""
        for carrier, ground in self.carriers.items():
            matrix = np.array(carrier.evaluated_get(depsgraph).matrix_world, float)
            if has_moved(self.carried_at.setdefault(carrier, matrix), matrix):
                refuse_carrier(carrier, ground, self.armature_object)


def _read_shape(object_: bpy.types.Object, before: _Shape | None) -> _Shape:
    """The mesh of an evaluated object; triangles are those of before if its faces are."""
    # Not its data: that may wait for the graphics card to subdivide it.
    mesh = object_.to_mesh()
    try:
        vertices = np.empty((len(mesh.vertices), 3), np.float32)
        mesh.vertices.foreach_get("co", vertices.reshape(-1))
        corners = np.empty(len(mesh.loops), np.int32)
        mesh.loops.foreach_get("vertex_index", corners)
        if before is not None:
            shape = _Shape(vertices, corners, before.triangles)
            if shape.has_faces_of(before):
                return shape
        mesh.calc_loop_triangles()
        triangles = np.empty((len(mesh.loop_triangles), 3), np.int32)
        mesh.loop_triangles.foreach_get("vertices", triangles.reshape(-1))
        return _Shape(vertices, corners, triangles)
    finally:
        object_.to_mesh_clear()


def _set_frame(scene: bpy.types.Scene, frame: float) -> None:
    whole = int(np.floor(frame))
    scene.frame_set(whole, subframe=frame - whole)


@contextmanager
def _noted_changes(scene: bpy.types.Scene) -> Iterator[_Changing]:
    """Collect the data re-evaluated by the frame change inside the block."""
    changing = _Changing(set(), set())
    layer = bpy.context.view_layer if scene == bpy.context.scene else scene.view_layers[0]

    def note(_scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
        if depsgraph.scene.name != scene.name or depsgraph.view_layer.name != layer.name:
            return
        for update in depsgraph.updates:
            if isinstance(update.id, bpy.types.Object):
                changing.objects.add(update.id.original)
                if update.is_updated_geometry:
                    changing.shapes.add(update.id.original)

    bpy.app.handlers.frame_change_post.append(note)
    try:
        yield changing
    finally:
        bpy.app.handlers.frame_change_post.remove(note)
