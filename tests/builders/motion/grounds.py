"""Grounds for tests, as surfaces, and the plan of a generated walk over them.

The walks of `gaits` go along -Y from about y = 0 to y = -7; stairs and slopes rise that way.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.spatial.transform import Rotation

from blender_bioik.motion.feet import BALL, Contact, Floats, Foot
from blender_bioik.motion.ground.terrain import Surface, Terrain
from blender_bioik.motion.ground.underfoot import Underfoot
from blender_bioik.motion.plan.plan import Plan, PlanSettings
from blender_bioik.motion.plan.planner import make_plan
from demo.gait import WALK, Gait, hip_position, pelvis_position

from .gaits import SCALE, STRIDES, gait_contacts, gait_feet

QUAD = np.array([[0, 1, 2], [0, 2, 3]])
SETTINGS = PlanSettings()


def plate(
    z: float = 0.0,
    x: tuple[float, float] = (-10.0, 10.0),
    y: tuple[float, float] = (-20.0, 10.0),
    slope: tuple[float, float] = (0.0, 0.0),
) -> Surface:
    """A rectangle; its height is z at the origin."""
    corners = np.array([[x[0], y[0]], [x[1], y[0]], [x[1], y[1]], [x[0], y[1]]])
    heights = z + corners @ np.array(slope)
    return Surface(np.concatenate([corners, heights[:, None]], axis=1), QUAD)


def moving(surface: Surface, way: Floats, turn: Floats | None = None) -> Surface:
    """A surface that moves a way (f, 3), and turns about Z at its own origin by angles (f,)."""
    matrices = np.tile(np.eye(4), (len(way), 1, 1))
    matrices[:, :3, 3] = way
    if turn is not None:
        matrices[:, :3, :3] = Rotation.from_euler("z", turn[:, None]).as_matrix()
    return Surface(surface.vertices, surface.triangles, matrices)


def stairs(
    count: int, riser: float = 0.16, tread: float = 0.35, first: float = -1.0, z: float = 0.0
) -> list[Surface]:
    """Treads that rise along -Y from `first` on, between a floor and a landing."""
    edges = first - tread * np.arange(count)
    treads = [
        plate(z + riser * (i + 1), y=(edge - tread, edge)) for i, edge in enumerate(edges[:-1])
    ]
    landing = plate(z + riser * count, y=(-30.0, edges[-1]))
    return [plate(z, y=(first, 10.0)), *treads, landing]


def turned(surface: Surface, angle: float, move: Sequence[float], times: float = 1.0) -> Surface:
    """A still surface scaled, turned about Z and moved."""
    matrix = Rotation.from_euler("z", angle).as_matrix()
    return Surface(times * surface.vertices @ matrix.T + np.asarray(move), surface.triangles)


def turned_feet(feet: Sequence[Foot], angle: float, move: Sequence[float]) -> list[Foot]:
    matrix = Rotation.from_euler("z", angle).as_matrix()

    def put(points: Floats) -> Floats:
        return np.asarray(points @ matrix.T + np.asarray(move))

    return [
        Foot(foot.name, put(foot.points), foot.clearance, put(foot.knee), put(foot.hip))
        for foot in feet
    ]


def pelvis_of(feet: Sequence[Foot]) -> Floats:
    return np.asarray(np.mean([foot.hip for foot in feet], axis=0))


def level_floor(feet: Sequence[Foot], height: float = 0.0) -> Floats:
    return np.full((len(feet[0].points), len(feet)), height)


def follow(
    terrain: Terrain | Sequence[Surface],
    path: Floats,
    floor: float = 0.0,
    knee: float = 0.5,
    rate: float = 24.0,
) -> Underfoot:
    """The ground under a path (f, 2)."""
    ground = terrain if isinstance(terrain, Terrain) else Terrain(terrain)
    return Underfoot(ground, path, floor, knee, rate)


def plan_on(
    surfaces: Sequence[Surface],
    feet: Sequence[Foot] | None = None,
    contacts: Sequence[Contact] | None = None,
    settings: PlanSettings = SETTINGS,
    *,
    floor: Floats | None = None,
    rate: float = 24.0,
    scale: float = SCALE,
    knee: float = 0.5,
) -> Plan:
    """Plan a clip, the generated walk unless feet are given, over a ground."""
    feet = gait_feet() if feet is None else feet
    contacts = gait_contacts() if contacts is None else contacts
    floor = level_floor(feet) if floor is None else floor
    pelvis = pelvis_of(feet)
    underfoot = follow(surfaces, pelvis[:, :2], float(floor[0].mean()), knee, rate)
    return make_plan(feet, contacts, floor, pelvis, underfoot, rate, scale, settings)


def gait_pelvis(gait: Gait = WALK) -> Floats:
    return pelvis_position(gait, np.arange(STRIDES * gait.cycle_frames + 1))


def gait_hips(gait: Gait, side: str) -> Floats:
    return hip_position(gait, np.arange(STRIDES * gait.cycle_frames + 1), side)


def asked_balls(plan: Plan) -> Floats:
    """Targets of all balls in all frames in which they are locked; (k, 3)."""
    return np.concatenate(
        [foot.target[foot.height_lock[:, BALL] > 0.0, BALL] for foot in plan.feet]
    )


def hills(count: int, size: float = 2.0, height: float = 0.3) -> Surface:
    """An even grid of count by count quads."""
    along = np.linspace(-size, size, count + 1)
    x, y = np.meshgrid(along, along, indexing="ij")
    z = height * np.sin(2 * x) * np.cos(3 * y)
    i = np.arange((count + 1) ** 2).reshape(count + 1, count + 1)
    a, b, c, d = i[:-1, :-1], i[1:, :-1], i[1:, 1:], i[:-1, 1:]
    triangles = np.stack([[a, b, c], [a, c, d]]).transpose(0, 2, 3, 1).reshape(-1, 3)
    return Surface(np.stack([x, y, z], axis=-1).reshape(-1, 3), triangles)


def block(low: Sequence[float], high: Sequence[float]) -> Surface:
    """A box between two corners."""
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    triangles = [part for a, b, c, d in faces for part in ((a, b, c), (a, c, d))]
    places = np.asarray(low) + corners * (np.asarray(high) - np.asarray(low))
    return Surface(places, np.array(triangles))
