"""Grounds to walk on along -Y: flat, hills and stairs, as meshes and as heights.

Each begins flat around y = 0, where the character stands in its first frame. Metres.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import bpy
import numpy as np
from numpy.typing import ArrayLike, NDArray

from .body import material

Array = NDArray[np.float64]

TILES = ((1.0, 1.0, 1.0), (0.93, 0.945, 0.965))  # sRGB; Workbench dims upward faces
BEHIND = 2.8  # ground behind the start
TILE = 0.7  # the length of a step of the demo walk


@dataclass(frozen=True)
class Hills:
    """Rolling ground.

    Attributes:
        height: From valley to top.
        wavelength: From top to top along the way.
        begin: Distance from the start at which it has risen to its full size.
        end: Distance from the start from which on it is flat again.
    """

    height: float = 0.25
    wavelength: float = 3.2
    begin: float = 1.5
    end: float = np.inf

    def at(self, x: ArrayLike, y: ArrayLike) -> Array:
        """Return the height at points (x, y)."""
        along = 2 * np.pi * np.asarray(y) / self.wavelength
        across = 2 * np.pi * np.asarray(x) / (1.7 * self.wavelength)
        wave = 0.5 - 0.5 * np.cos(along + 0.6 * np.sin(across))
        way = -np.asarray(y)
        share = np.clip(np.minimum(way, self.end - way) / self.begin, 0.0, 1.0)
        return np.asarray(self.height * wave * share**2 * (3 - 2 * share))


@dataclass(frozen=True)
class Stairs:
    """A flight up, a landing, a flight down.

    Attributes:
        steps: Number of steps of each flight.
        rise: Height of a step.
        tread: Depth of a step.
        begin: Distance from the start to the first riser.
        landing: Length of the landing.
    """

    steps: int = 3
    rise: float = 0.15
    tread: float = 0.35
    begin: float = 1.2
    landing: float = 1.4

    def risers(self) -> list[tuple[float, float, float]]:
        """Return (y, height before, height after) of each riser on the way."""
        up = [
            (-self.begin - i * self.tread, i * self.rise, (i + 1) * self.rise)
            for i in range(self.steps)
        ]
        top = self.begin + (self.steps - 1) * self.tread + self.landing
        down = [
            (-top - i * self.tread, (self.steps - i) * self.rise, (self.steps - i - 1) * self.rise)
            for i in range(self.steps)
        ]
        return up + down

    def at(self, x: ArrayLike, y: ArrayLike) -> Array:
        """Return the height at points (x, y); a point on an edge belongs to the step behind it."""
        height = np.zeros(np.broadcast_shapes(np.shape(x), np.shape(y)))
        for edge, before, after in self.risers():
            height = height + np.where(np.asarray(y) < edge, after - before, 0.0)
        return height


def flat(length: float = 9.8, width: float = 4.2, behind: float = BEHIND) -> bpy.types.Object:
    """Make a flat floor at z = 0 of square tiles and return its object, not linked to a scene."""
    return grid("Floor", (-length, behind), width, TILE, lambda x, y: np.zeros_like(x))


def hills(
    shape: Hills, length: float = 9.8, width: float = 4.2, behind: float = BEHIND
) -> bpy.types.Object:
    """Make rolling ground and return its object, not linked to a scene."""
    return grid("Hills", (-length, behind), width, TILE / 7, shape.at)


def stairs(
    shape: Stairs, length: float = 9.8, width: float = 4.2, behind: float = BEHIND
) -> bpy.types.Object:
    """Make stairs with vertical risers and return their object, not linked to a scene."""
    profile = [(behind, 0.0)]
    for y, before, after in shape.risers():
        profile += [(y, before), (y, after)]
    profile.append((-length, 0.0))
    vertices = [(x, y, z) for y, z in profile for x in (-width / 2, width / 2)]
    faces = [(2 * i, 2 * i + 1, 2 * i + 3, 2 * i + 2)[::-1] for i in range(len(profile) - 1)]
    return _object("Stairs", vertices, faces, [i % 2 for i in range(len(faces))])


def grid(
    name: str,
    way: tuple[float, float],
    width: float,
    cell: float,
    height: Callable[[Array, Array], Array],
) -> bpy.types.Object:
    """Make ground of square cells and return its object, not linked to a scene.

    Args:
        name: Of the object.
        way: First and last y.
        width: From the least to the largest x.
        cell: Size of a cell.
        height: Of points, from their x and y.
    """
    xs = np.arange(-width / 2, width / 2 + cell / 2, cell)
    ys = np.arange(way[0], way[1] + cell / 2, cell)
    x, y = np.meshgrid(xs, ys)
    vertices = np.stack([x, y, height(x, y)], axis=-1).reshape(-1, 3)
    return _object(name, vertices.tolist(), *_squares(len(ys), len(xs), cell))


@cache
def _squares(rows: int, columns: int, cell: float) -> tuple[list[tuple[int, ...]], list[int]]:
    """Faces between rows and columns of vertices, and the tile colour of each."""
    faces: list[tuple[int, ...]] = []
    tiles: list[int] = []
    for row in range(rows - 1):
        for column in range(columns - 1):
            corner = row * columns + column
            faces.append((corner, corner + 1, corner + columns + 1, corner + columns))
            tile_row, tile_column = (int(i * cell / TILE + 1e-6) for i in (row, column))
            tiles.append((tile_row + tile_column) % 2)
    return faces, tiles


def _object(
    name: str,
    vertices: Sequence[Sequence[float]],
    faces: Sequence[tuple[int, ...]],
    tiles: list[int],
) -> bpy.types.Object:
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(vertices, [], faces)
    for i, colour in enumerate(TILES):
        mesh.materials.append(material(f"Tile {i + 1}", colour))
    mesh.polygons.foreach_set("material_index", tiles)
    mesh.update()
    made = bpy.data.objects.new(name, mesh)
    made.display.show_shadows = False  # it shows shadows; this is about casting them
    return made
