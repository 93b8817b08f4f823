"""Clips on floors that drift, on steps and rungs, made of exact stands, and where soles are.

Feet go from place to place, flat all the time, and nothing slides. The hips are between both feet,
and never higher than the lower one allows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import bpy
import numpy as np
from scipy.spatial.transform import Rotation

from zoo.blender import Built, build_body
from zoo.body import Floats
from zoo.characters.biped import biped
from zoo.clips.gait import FPS, hang_arms
from zoo.posing import Posing, curve

# Frames of a step, and those of them in which both feet stand.
STEP, BOTH = 20, 6
# Height of the hips' bone over the lower foot, metres.
HIPS = 0.8
# From the place of a foot to its ankle, in the rest pose.
ANKLE = np.array([0.0, 0.02, 0.08])
SIDES = ("L", "R")
Place = tuple[float, float, float]


class Stand(NamedTuple):
    """A foot at rest: its side, the place below its ankle, first row and the row after the last."""

    side: str
    place: Place
    first: int
    stop: int


class Stepped(NamedTuple):
    """A clip of steps, and when and where feet stand in it."""

    built: Built
    stands: tuple[Stand, ...]


def ahead(heights: Sequence[float], length: float = 0.3) -> list[Place]:
    """Places of left and right foot in turn along -Y, a step apart, at heights."""
    return [(0.09 - 0.18 * (k % 2), -length * k, height) for k, height in enumerate(heights)]


def stepped(places: Sequence[Place], *, hands: bool = False, noise: float = 0.0) -> Stepped:
    """A person who goes from place to place, left foot first.

    Args:
        places: Of the feet in turn.
        hands: Whether they hold something still, in turn, while the feet go.
        noise: Of the recording: of the place of the hips, and of the far end of each bone; metres.
    """
    body, swings = biped(), len(places) - 2
    frames = np.arange(swings * STEP + 2 * BOTH, dtype=float)
    middles = [_middle(one, other) for one, other in pairwise(places)]
    knots = [[BOTH + k * STEP, *middle] for k, middle in enumerate(middles)]
    posing = Posing(body, curve(frames, knots))
    hang_arms(posing, np.zeros(len(frames)), 0.0)
    stands: list[Stand] = []
    for number, side in enumerate(SIDES):
        own = _stands(places, number, side, len(frames))
        put_foot(posing, side, _way(frames, own))
        stands += own
    if hands:
        _hold(posing, frames, middles)
    return Stepped(built(shaken(posing, noise), "Steps"), tuple(stands))


def hanging_from_a_seat() -> Built:
    """A person who stands, is lifted onto a high seat, and stays there with hanging feet."""
    frames = np.arange(90, dtype=np.float64)
    hips = curve(frames, [[0, 0.0, 0.0, HIPS], [15, 0.0, 0.0, HIPS], [45, 0.0, 0.3, 0.62]])
    posing = Posing(biped(), hips)
    hang_arms(posing, np.zeros(len(frames)), 0.0)
    for side, sign in (("L", 1.0), ("R", -1.0)):
        knots = [
            [row, 0.09 * sign, y, z] for row, y, z in ((0, 0, 0), (20, 0, 0), (45, -0.1, 0.15))
        ]
        put_foot(posing, side, curve(frames, knots))
    return built(posing, "Seat")


def built(posing: Posing, name: str) -> Built:
    """A character in the scene that plays the poses."""
    return build_body(posing.body, posing.motion(name, FPS))


def put_foot(posing: Posing, side: str, way: Floats) -> None:
    """Bring a foot to places below its ankle (f, 3), level."""
    level = np.tile(np.eye(3), (len(way), 1, 1))
    posing.reach(posing.body.limb(f"leg.{side}"), way + ANKLE, level, (0.0, -1.0, 0.0))


def shaken(posing: Posing, noise: float) -> Posing:
    """The poses with noise, metres at the far end of each bone."""
    random, body = np.random.default_rng(5), posing.body
    root = posing.root + noise * random.standard_normal(posing.root.shape)
    turns = {}
    for bone in body.bones:
        length = float(np.linalg.norm(np.subtract(bone.tail, bone.head)))
        angles = noise / length * random.standard_normal((len(root), 3))
        turns[bone.name] = Rotation.from_rotvec(angles).as_matrix() @ posing.turn(bone.name)
    return Posing(body, root, turns)


def _middle(one: Place, other: Place) -> Floats:
    """Where the hips are while both feet stand."""
    middle = np.mean([one, other], axis=0)
    middle[2] = min(one[2], other[2]) + HIPS
    return np.asarray(middle)


def _stands(places: Sequence[Place], number: int, side: str, count: int) -> list[Stand]:
    """The stands of a foot: it leaves each of its places in turn with the other foot."""
    found = []
    for k in range(number, len(places), 2):
        first = BOTH + (k - 1) * STEP - BOTH if k > 1 else 0
        leaves = BOTH + k * STEP
        stop = leaves + 1 if k + 2 < len(places) else count
        found.append(Stand(side, places[k], first, stop))
    return found


def _way(frames: Floats, stands: Sequence[Stand]) -> Floats:
    """The path of a foot over its stands; (f, 3)."""
    knots = [[row, *stand.place] for stand in stands for row in (stand.first, stand.stop - 1)]
    way = curve(frames, knots)
    for one, other in pairwise(stands):
        rows = np.arange(one.stop, other.first)
        share = (rows - one.stop + 1) / (other.first - one.stop + 1)
        way[rows, 2] += 0.1 * 64.0 * (share * (1.0 - share)) ** 3
    return way


def _hold(posing: Posing, frames: Floats, middles: Sequence[Floats]) -> None:
    """Hands hold something in front of the chest, and go on in turn, one with each step."""
    for number, (side, sign) in enumerate((("L", 1.0), ("R", -1.0))):
        knots = [[0, *(middles[0] + (0.15 * sign, -0.3, 0.5))]]
        for k in range(number, len(middles) - 1, 2):
            goes = BOTH + k * STEP
            knots += [[goes, *knots[-1][1:]]]
            knots += [[goes + STEP // 2, *(middles[k + 1] + (0.15 * sign, -0.3, 0.5))]]
        level = np.tile(np.eye(3), (len(frames), 1, 1))
        hand = curve(frames, knots)
        posing.reach(posing.body.limb(f"arm.{side}"), hand, level, (0.3 * sign, 0.3, -1.0))


def soles(clip: Built) -> Mapping[str, Floats]:
    """Places (f, n, 3) of the sole's vertices by leg, of the evaluated meshes."""
    scene = bpy.context.scene
    (mesh,) = clip.meshes
    found: dict[str, list[Floats]] = {leg.name[-1]: [] for leg in clip.truth.legs}
    for frame in range(clip.first, clip.last + 1):
        scene.frame_set(frame)
        evaluated = mesh.evaluated_get(bpy.context.evaluated_depsgraph_get())
        places = np.empty(3 * len(evaluated.data.vertices), np.float32)
        evaluated.data.vertices.foreach_get("co", places)
        world = np.array(evaluated.matrix_world, float)
        vertices = places.reshape(-1, 3) @ world[:3, :3].T + world[:3, 3]
        for leg in clip.truth.legs:
            found[leg.name[-1]].append(vertices[list(leg.sole[mesh.name])])
    return {side: np.array(paths) for side, paths in found.items()}


def bone_path(clip: Built, role: str) -> Floats:
    """World places (f, 3) of a bone's head, as Blender evaluates it."""
    scene, paths = bpy.context.scene, []
    bone = clip.armature.pose.bones[clip.body.named(role)]
    for frame in range(clip.first, clip.last + 1):
        scene.frame_set(frame)
        paths.append(clip.armature.matrix_world @ bone.head)
    return np.array(paths, float)


def plane(height: float = 0.0) -> bpy.types.Object:
    """A level ground."""
    return _mesh([(x, y, height) for x, y in ((-9, -9), (9, -9), (9, 9), (-9, 9))], [(0, 1, 2, 3)])


def box(centre: Place, half: Place) -> bpy.types.Object:
    """A box with its sides along the axes."""
    corners = np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1], indexing="ij")).reshape(3, 8).T
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return _mesh((centre + corners * half).tolist(), faces)


def _mesh(corners: Sequence[Place], faces: Sequence[tuple[int, ...]]) -> bpy.types.Object:
    mesh = bpy.data.meshes.new("Ground")
    mesh.from_pydata(corners, [], faces)
    thing = bpy.data.objects.new("Ground", mesh)
    bpy.context.scene.collection.objects.link(thing)
    return thing
