"""Grounds under a clip: meshes beside each other, some of which move.

Made for a person who starts at the origin and moves along -Y; `feet_scenes` puts them under the
path of any other clip. Metres, frames.
"""

from __future__ import annotations

from collections.abc import Callable

import bpy
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from demo import ground, walk

Floats = NDArray[np.float64]
Objects = list[bpy.types.Object]

SLOPE_DEGREES = 12.0
RISER = 0.16
SHORT_TREAD = 0.28
ROCK_SEED = 4
# The platform is under the walk's footprints from y = -2.8 to -4.9 and moves while no foot is
# anywhere else; lift and slide are how far.
PLATFORM = (-2.45, -5.25)
PLATFORM_FRAMES = (walk.FIRST_FRAME + 57, walk.FIRST_FRAME + 99)
LIFT, SLIDE = 0.5, 0.25
# A platform under a whole clip rises and slides by so much over the middle half of it.
RIDE = (0.15, 0.3)
# The same kinds of ground elsewhere: other boulders, hills and stairs moved along and across.
OTHER_ROCK_SEED = 11
OTHER_HILLS, OTHER_STAIRS = (0.9, 1.3), (0.0, 0.11)


def flat(length: float, width: float) -> Objects:
    """A floor."""
    return [ground.flat(length, width)]


def slope(length: float, width: float) -> Objects:
    """A plane that rises all the way."""
    return _plane(length, width, np.tan(np.radians(SLOPE_DEGREES)))


def slope_down(length: float, width: float) -> Objects:
    """A plane that falls all the way."""
    return _plane(length, width, -np.tan(np.radians(SLOPE_DEGREES)))


def hills(length: float, width: float) -> Objects:
    """Rolling ground."""
    return [ground.hills(ground.Hills(), length, width)]


def stairs(length: float, width: float) -> Objects:
    """Flights up and down with a landing between."""
    return [ground.stairs(ground.Stairs(rise=RISER), length, width)]


def short_stairs(length: float, width: float) -> Objects:
    """The same with treads that are hardly longer than a foot."""
    shape = ground.Stairs(steps=4, rise=RISER, tread=SHORT_TREAD, begin=1.35)
    return [ground.stairs(shape, length, width)]


def rocks(length: float, width: float) -> Objects:
    """Boulders of all sizes, close together, some on others."""
    return boulders(length, width, ROCK_SEED)


def other_rocks(length: float, width: float) -> Objects:
    """Other boulders."""
    return boulders(length, width, OTHER_ROCK_SEED)


def other_hills(length: float, width: float) -> Objects:
    """The hills, met elsewhere."""
    return _moved(hills, OTHER_HILLS, length, width)


def other_stairs(length: float, width: float) -> Objects:
    """The stairs, met elsewhere."""
    return _moved(stairs, OTHER_STAIRS, length, width)


def lift(length: float, width: float) -> Objects:
    """A platform that rises while the walker is on it, to a floor that is higher."""
    before, platform, after = _three_floors(length, width)
    after.location.z = LIFT
    _move(platform, 2, LIFT)
    return [before, platform, after]


def slide(length: float, width: float) -> Objects:
    """A platform that slides sideways while the walker is on it."""
    before, platform, after = _three_floors(length, width)
    _move(platform, 0, SLIDE)
    return [before, platform, after]


def platform(length: float, width: float) -> Objects:
    """A floor under the whole path, which `ride` moves."""
    return flat(length, width)


GROUNDS: dict[str, Callable[[float, float], Objects]] = {
    made.__name__: made
    for made in (
        *(flat, slope, slope_down, hills, stairs, short_stairs, rocks),
        *(other_hills, other_stairs, other_rocks, lift, slide, platform),
    )
}


def ride(things: Objects, first: int, last: int) -> None:
    """Let grounds slide and rise over the middle half of some frames."""
    begin, end = first + (last - first) // 4, last - (last - first) // 4
    for thing in things:
        for axis, way in zip((0, 2), RIDE, strict=True):
            _key_way(thing, "delta_location", axis, way, (begin, end))


def _plane(length: float, width: float, rise: float) -> Objects:
    return [ground.grid("Slope", (-length, ground.BEHIND), width, 0.7, lambda x, y: -rise * y)]


def _three_floors(length: float, width: float) -> Objects:
    edges = (ground.BEHIND, *PLATFORM, -length)
    floors = []
    for name, begin, end in zip(
        ("Before", "Platform", "After"), edges[:-1], edges[1:], strict=True
    ):
        corners = [(x, y, 0.0) for y in (end, begin) for x in (-width / 2, width / 2)]
        mesh = bpy.data.meshes.new(name)
        mesh.from_pydata(corners, [], [(0, 1, 3, 2)])
        floors.append(bpy.data.objects.new(name, mesh))
    return floors


def _move(thing: bpy.types.Object, axis: int, way: float) -> None:
    """Let a platform move along an axis."""
    _key_way(thing, "location", axis, way, PLATFORM_FRAMES)


def _key_way(
    thing: bpy.types.Object, path: str, axis: int, way: float, frames: tuple[int, int]
) -> None:
    """Key an even start and stop, a key in each frame."""
    first, last = frames
    for frame in range(first, last + 1):
        share = (frame - first) / (last - first)
        getattr(thing, path)[axis] = way * share**3 * (10 - 15 * share + 6 * share**2)
        thing.keyframe_insert(path, index=axis, frame=frame)


def _moved(
    made: Callable[[float, float], Objects], way: tuple[float, float], length: float, width: float
) -> Objects:
    """A ground moved in plan view, larger by as much."""
    things = made(length + 2.0 * abs(way[1]), width + 2.0 * abs(way[0]))
    for thing in things:
        thing.data.transform(Matrix.Translation((*way, 0.0)))
    return things


def boulders(length: float, width: float, seed: int) -> Objects:
    random = np.random.default_rng(seed)
    count = int(3.5 * length * width)
    centres = random.uniform((-width / 2, -length), (width / 2, -0.8), (count, 2))
    radii = random.uniform(0.15, 0.5, count)
    heights = radii * random.uniform(0.15, 0.4, count)

    def height(x: Floats, y: Floats) -> Floats:
        found = np.zeros_like(x)
        for (cx, cy), radius, top in zip(centres, radii, heights, strict=True):
            cap = 1.0 - ((x - cx) ** 2 + (y - cy) ** 2) / radius**2
            found = np.maximum(found, top * cap)
        return found

    return [ground.grid("Rocks", (-length, ground.BEHIND), width, 0.04, height)]
