"""The demo character's skin: closed tubes and blobs around the bones, weighted to bend smoothly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache

import bpy
import numpy as np
from numpy.typing import NDArray

from blender_bioik.motion.easing import smoothstep

from .skeleton import PALM_NORMAL, SOLE, bones

Array = NDArray[np.float64]
Weights = dict[str, float]
Weigh = Callable[[Array], Weights]

AROUND = 16  # vertices in a ring; a shadow in Workbench costs by the vertex
AROUND_SMALL = 8

# sRGB colours. The gloves have the colours of the hands' objects in the demo.
COLOURS: dict[str, tuple[float, float, float]] = {
    "skin": (0.87, 0.66, 0.53),
    "hair": (0.25, 0.17, 0.14),
    "eyes": (0.10, 0.10, 0.12),
    "jacket": (0.90, 0.91, 0.92),
    "stripe": (0.83, 0.29, 0.24),
    "belt": (0.22, 0.20, 0.21),
    "trousers": (0.25, 0.31, 0.42),
    "shoe": (0.83, 0.29, 0.24),
    "sole": (0.95, 0.95, 0.93),
    "left glove": (0.96, 0.70, 0.18),
    "right glove": (0.16, 0.62, 0.74),
}


@dataclass
class Skin:
    """Vertices, faces, weights and materials of a mesh while it grows."""

    vertices: list[Array] = field(default_factory=list)
    faces: list[tuple[int, ...]] = field(default_factory=list)
    materials: list[str] = field(default_factory=list)
    weights: list[Weights] = field(default_factory=list)

    def loft(self, rings: Sequence[Array], materials: Sequence[str], weigh: Weigh) -> None:
        """Add a closed tube.

        Args:
            rings: (m, 3) vertices each, all in the same turning sense.
            materials: One for each band between two rings; the last also closes the end.
            weigh: Bone weights of a vertex.
        """
        first, size = len(self.vertices), len(rings[0])
        for ring in rings:
            self.vertices.extend(ring)
            self.weights.extend(weigh(vertex) for vertex in ring)
        for band, material in enumerate(materials[: len(rings) - 1]):
            low = first + band * size
            for i in range(size):
                j = (i + 1) % size
                self._face((low + i, low + j, low + size + j, low + size + i), material)
        self._face(tuple(range(first, first + size))[::-1], materials[0])
        last = first + (len(rings) - 1) * size
        self._face(tuple(range(last, last + size)), materials[-1])

    def blob(
        self, centre: Sequence[float], radii: Sequence[float], material: str, bone: str
    ) -> None:
        """Add an ellipsoid that follows one bone."""
        around = AROUND if max(radii) > 0.05 else AROUND_SMALL
        rings = []
        for angle in np.linspace(-np.pi / 2, np.pi / 2, around // 2 + 2)[1:-1]:
            radius, up = np.cos(angle), np.sin(angle)
            at = (centre[0], centre[1], centre[2] + up * radii[2])
            rings.append(_ellipse(radius * radii[0], radius * radii[1], around=around, at=at))
        self.loft(rings, [material] * len(rings), lambda _: {bone: 1.0})

    def mesh(self, name: str, colours: dict[str, bpy.types.Material]) -> bpy.types.Mesh:
        """Make a Blender mesh from the added parts, with a slot for each material."""
        mesh = bpy.data.meshes.new(name)
        mesh.from_pydata([tuple(map(float, vertex)) for vertex in self.vertices], [], self.faces)
        slots = list(colours)
        for slot in slots:
            mesh.materials.append(colours[slot])
        mesh.polygons.foreach_set("material_index", [slots.index(m) for m in self.materials])
        mesh.polygons.foreach_set("use_smooth", [len(face) == 4 for face in self.faces])
        mesh.update()
        return mesh

    def _face(self, corners: tuple[int, ...], material: str) -> None:
        self.faces.append(corners)
        self.materials.append(material)


def build_mesh(name: str) -> tuple[bpy.types.Mesh, list[Weights]]:
    """Make the character's mesh in the rest pose.

    Returns:
        The mesh with its materials, and the bone weights of each vertex.
    """
    skin = _whole()
    colours = {part: material(f"Walker {part}", colour) for part, colour in COLOURS.items()}
    mesh = skin.mesh(name, colours)
    return mesh, skin.weights


@cache
def _whole() -> Skin:
    """The skin of the whole body."""
    skin = Skin()
    _trunk(skin)
    _head(skin)
    for side in ("L", "R"):
        _leg(skin, side)
        _shoe(skin, side)
        _arm(skin, side)
        _hand(skin, side)
    return skin


def material(name: str, colour: Sequence[float], alpha: float = 1.0) -> bpy.types.Material:
    """Return a material with a sRGB colour as Workbench shows it."""
    made = bpy.data.materials.new(name)
    made.diffuse_color = (*linear(colour), alpha)
    made.roughness = 0.55
    return made


def linear(colour: Sequence[float]) -> tuple[float, ...]:
    """Return a sRGB colour in Blender's scene colour space."""
    return tuple(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour)


def skin_to_bones(mesh: bpy.types.Object, weights: Sequence[Weights]) -> None:
    """Give a mesh object a vertex group for each bone."""
    members: dict[str, list[tuple[int, float]]] = {}
    for vertex, shares in enumerate(weights):
        for bone, share in shares.items():
            members.setdefault(bone, []).append((vertex, share))
    for bone, found in members.items():
        group = mesh.vertex_groups.new(name=bone)
        for vertex, share in found:
            group.add([vertex], share, "REPLACE")


def _trunk(skin: Skin) -> None:
    # height, half width, half depth, y of the middle
    stations = np.array([
        (0.842, 0.040, 0.050, 0.006), (0.852, 0.085, 0.075, 0.006), (0.880, 0.135, 0.098, 0.008),
        (0.930, 0.163, 0.112, 0.010), (0.980, 0.164, 0.112, 0.010), (1.030, 0.152, 0.103, 0.007),
        (1.058, 0.147, 0.100, 0.006), (1.064, 0.152, 0.105, 0.006), (1.120, 0.143, 0.102, 0.008),
        (1.190, 0.147, 0.106, 0.010), (1.260, 0.160, 0.113, 0.012), (1.310, 0.171, 0.117, 0.014),
        (1.345, 0.177, 0.118, 0.016), (1.390, 0.182, 0.116, 0.018), (1.430, 0.180, 0.107, 0.020),
        (1.465, 0.174, 0.096, 0.022), (1.494, 0.148, 0.084, 0.022), (1.514, 0.102, 0.072, 0.020),
        (1.535, 0.066, 0.064, 0.016), (1.537, 0.055, 0.055, 0.016),
    ])  # fmt: skip
    rings = [_ellipse(w, d, power=2.35, at=(0.0, y, z)) for z, w, d, y in stations]
    bands = ["trousers"] * 5 + ["belt"] * 2 + ["jacket"] * 4 + ["stripe"] + ["jacket"] * 7
    heights = [bone.tail[2] for bone in bones() if bone.name in ("hips", "spine", "chest")]
    chain = ("hips", "spine", "chest", "upper_chest")

    def weigh(vertex: Array) -> Weights:
        x, _, z = vertex
        shoulder = _rising(abs(x), 0.06, 0.19) * _rising(z, 1.36, 1.46)
        weights = {bone: (1 - shoulder) * w for bone, w in _blend(chain, heights, z, 0.05).items()}
        return _shares(*weights.items(), (f"shoulder.{'L' if x > 0 else 'R'}", shoulder))

    skin.loft(rings, bands, weigh)


def _head(skin: Skin) -> None:
    neck = [
        _ellipse(r, r * 1.05, at=(0.0, y, z))
        for z, r, y in (
            (1.50, 0.058, 0.02),
            (1.54, 0.052, 0.014),
            (1.58, 0.050, 0.006),
            (1.64, 0.05, 0.0),
        )
    ]
    skin.loft(
        neck,
        ["skin"] * 4,
        lambda v: _blend(("upper_chest", "neck", "head"), (1.50, 1.59), v[2], 0.03),
    )
    # height, half width, half depth, y of the middle
    stations = np.array([
        (1.573, 0.026, 0.032, -0.034), (1.580, 0.039, 0.047, -0.032), (1.605, 0.053, 0.066, -0.024),
        (1.640, 0.064, 0.082, -0.012), (1.675, 0.072, 0.092, -0.002), (1.705, 0.075, 0.096, 0.004),
        (1.735, 0.074, 0.094, 0.008), (1.765, 0.064, 0.080, 0.010), (1.785, 0.046, 0.058, 0.010),
        (1.796, 0.020, 0.026, 0.010),
    ])  # fmt: skip
    rings = [_ellipse(w, d, power=2.2, at=(0.0, y, z)) for z, w, d, y in stations]
    skin.loft(rings, ["skin"] * len(rings), lambda _: {"head": 1.0})
    for centre, radii, colour in (
        ((0.0, -0.097, 1.660), (0.013, 0.022, 0.021), "skin"),
        ((0.0, 0.026, 1.724), (0.083, 0.098, 0.086), "hair"),
        ((0.0, 0.066, 1.680), (0.068, 0.056, 0.074), "hair"),
        ((0.0, -0.040, 1.764), (0.060, 0.052, 0.034), "hair"),
    ):
        skin.blob(centre, radii, colour, "head")
    for sign in (-1.0, 1.0):
        skin.blob((sign * 0.077, 0.004, 1.678), (0.011, 0.021, 0.029), "skin", "head")
        skin.blob((sign * 0.029, -0.083, 1.690), (0.0115, 0.010, 0.017), "eyes", "head")


def _leg(skin: Skin, side: str) -> None:
    sign = 1.0 if side == "L" else -1.0
    # height, half width, half depth, y of the middle
    stations = np.array([
        (0.975, 0.030, 0.035, 0.004), (0.960, 0.066, 0.072, 0.004), (0.930, 0.083, 0.092, 0.004),
        (0.880, 0.087, 0.098, 0.003), (0.780, 0.080, 0.090, 0.000), (0.680, 0.071, 0.080, -0.004),
        (0.590, 0.062, 0.070, -0.008), (0.545, 0.058, 0.066, -0.010), (0.505, 0.056, 0.063, -0.008),
        (0.465, 0.055, 0.061, -0.002), (0.410, 0.056, 0.064, 0.006), (0.350, 0.055, 0.063, 0.010),
        (0.270, 0.050, 0.056, 0.010), (0.190, 0.047, 0.052, 0.008), (0.128, 0.048, 0.054, 0.006),
        (0.120, 0.044, 0.050, 0.006),
    ])  # fmt: skip
    rings = [_ellipse(w, d, at=(sign * 0.095, y, z)) for z, w, d, y in stations]
    chain = (f"shin.{side}", f"thigh.{side}")
    skin.loft(
        [ring[::-1] for ring in rings],
        ["trousers"] * len(rings),
        lambda vertex: _blend(chain, (0.505,), vertex[2], 0.055),
    )


def _shoe(skin: Skin, side: str) -> None:
    """A flat sole between heel and toe point, and an upper that rises to the ankle."""
    sign = 1.0 if side == "L" else -1.0
    heel, toe = SOLE["heel"][1][1], SOLE["toe"][1][1]
    # height, y at the front, y at the back, width as a share of the sole's
    sole = ((0.000, toe, heel, 0.97), (0.004, toe - 0.003, heel + 0.002, 1.0),
            (0.026, toe - 0.005, heel + 0.003, 1.0), (0.028, toe, heel, 0.94))  # fmt: skip
    upper = ((0.022, toe + 0.004, heel - 0.001, 0.93), (0.040, toe + 0.006, heel + 0.002, 0.93),
             (0.056, toe + 0.030, heel + 0.001, 0.88), (0.070, toe + 0.075, heel - 0.003, 0.82),
             (0.086, toe + 0.118, heel - 0.007, 0.80), (0.104, toe + 0.143, heel - 0.007, 0.84),
             (0.124, toe + 0.153, heel - 0.007, 0.86), (0.126, toe + 0.160, heel - 0.014, 0.75),
    )  # fmt: skip

    def weigh(vertex: Array) -> Weights:
        # Toes end behind the joint: sole in front of it must not sink when the heel lifts.
        toes = _rising(-vertex[1], 0.080, 0.122)
        shin = _rising(vertex[2], 0.095, 0.135) * 0.6
        return _shares(
            (f"toe.{side}", toes), (f"shin.{side}", (1 - toes) * shin),
            (f"foot.{side}", (1 - toes) * (1 - shin)),
        )  # fmt: skip

    for part, colour in ((sole, "sole"), (upper, "shoe")):
        rings = [_outline(sign, z, front, back, share) for z, front, back, share in part]
        skin.loft(rings, [colour] * len(rings), weigh)


def _outline(sign: float, z: float, front: float, back: float, share: float) -> Array:
    """Return a ring like a footprint: round heel, wide ball, pointed more on the outside."""
    angle = np.linspace(0, 2 * np.pi, AROUND + 8, endpoint=False)
    y = (front + back) / 2 + (back - front) / 2 * _power(np.sin(angle), 2.3)
    width = 0.034 + 0.013 * np.array([_rising(-value, -0.01, 0.11) for value in y])
    x = share * width * _power(np.cos(angle), 2.3)
    bend = 0.010 * np.array([_rising(-value, 0.08, 0.20) for value in y])
    return np.stack([sign * 0.095 + x - sign * bend, y, np.full_like(y, z)], axis=-1)


def _arm(skin: Skin, side: str) -> None:
    rest = {bone.name: bone for bone in bones()}
    upper, fore = rest[f"upper_arm.{side}"], rest[f"forearm.{side}"]
    shoulder, elbow, wrist = (np.array(p) for p in (upper.head, upper.tail, fore.tail))
    arm, forearm = elbow - shoulder, wrist - elbow
    # share of the bone, radius, material
    stations = [
        (shoulder, arm, -0.175, 0.008, "jacket"), (shoulder, arm, -0.16, 0.024, "jacket"),
        (shoulder, arm, -0.12, 0.041, "jacket"),
        (shoulder, arm, -0.03, 0.056, "jacket"), (shoulder, arm, 0.16, 0.061, "jacket"),
        (shoulder, arm, 0.40, 0.056, "stripe"), (shoulder, arm, 0.52, 0.053, "jacket"),
        (shoulder, arm, 0.75, 0.049, "jacket"), (shoulder, arm, 0.90, 0.046, "jacket"),
        (elbow, forearm, 0.00, 0.046, "jacket"), (elbow, forearm, 0.12, 0.047, "jacket"),
        (elbow, forearm, 0.35, 0.046, "jacket"), (elbow, forearm, 0.70, 0.039, "jacket"),
        (elbow, forearm, 0.93, 0.036, "jacket"), (elbow, forearm, 0.94, 0.031, "jacket"),
    ]  # fmt: skip
    rings, along = [], arm / np.linalg.norm(arm)
    for start, bone, share, radius, _ in stations:
        rings.append(_ring(start + share * bone, along, (0.0, 1.0, 0.0), radius, radius))
    length = float(np.linalg.norm(arm))

    def weigh(vertex: Array) -> Weights:
        chain = (f"upper_arm.{side}", f"forearm.{side}")
        return _blend(chain, (length,), float((vertex - shoulder) @ along), 0.05)

    skin.loft(rings, [material for *_, material in stations], weigh)


def _hand(skin: Skin, side: str) -> None:
    sign = 1.0 if side == "L" else -1.0
    glove = "left glove" if side == "L" else "right glove"
    rest = {bone.name: bone for bone in bones()}
    hand = rest[f"hand.{side}"]
    wrist, knuckles = np.array(hand.head), np.array(hand.tail)
    palm = PALM_NORMAL * (sign, 1.0, 1.0)
    along = (knuckles - wrist) / np.linalg.norm(knuckles - wrist)
    rings = [
        _ring(wrist + share * (knuckles - wrist), along, palm, thick, wide, power=2.6)
        for share, thick, wide in (
            (-0.40, 0.036, 0.038), (-0.37, 0.041, 0.043), (-0.12, 0.038, 0.040),
            (0.10, 0.025, 0.032), (0.45, 0.022, 0.043), (0.85, 0.020, 0.047),
            (1.04, 0.016, 0.044), (1.10, 0.009, 0.038),
        )
    ]  # fmt: skip
    skin.loft(rings, [glove] * len(rings), lambda _: {f"hand.{side}": 1.0})
    for finger in ("thumb", "index", "middle", "ring", "pinky"):
        first, second = rest[f"{finger}.01.{side}"], rest[f"{finger}.02.{side}"]
        joints = [np.array(joint) for joint in (first.head, first.tail, second.tail)]
        radius = 0.0125 if finger == "thumb" else 0.0110
        _finger(skin, joints, (first.name, second.name), radius, glove)


def _finger(
    skin: Skin, joints: Sequence[Array], names: tuple[str, str], radius: float, glove: str
) -> None:
    root, middle, tip = joints
    first, second = middle - root, tip - middle
    along = first / np.linalg.norm(first)
    rings = [
        _ring(
            start + share * bone, along, (0.0, 1.0, 0.0), size * radius, size * radius,
            around=AROUND_SMALL,
        )
        for start, bone, share, size in (
            (root, first, -0.2, 0.8), (root, first, 0.2, 1.0), (root, first, 0.8, 0.98),
            (middle, second, 0.0, 0.98), (middle, second, 0.3, 0.95), (middle, second, 0.85, 0.8),
            (middle, second, 1.0, 0.4),
        )
    ]  # fmt: skip
    joint = float(np.linalg.norm(first))
    skin.loft(
        rings,
        [glove] * len(rings),
        lambda vertex: _blend(names, (joint,), float((vertex - root) @ along), 0.008),
    )


def _ellipse(
    half_width: float,
    half_depth: float,
    power: float = 2.0,
    around: int = AROUND,
    at: Sequence[float] = (0.0, 0.0, 0.0),
) -> Array:
    """Return a horizontal ring of `around` vertices; a power above 2 makes it boxier."""
    angle = np.linspace(0, 2 * np.pi, around, endpoint=False)
    x, y = half_width * _power(np.cos(angle), power), half_depth * _power(np.sin(angle), power)
    return np.stack([x, y, np.zeros_like(x)], axis=-1) + np.asarray(at)


def _ring(
    centre: Array,
    along: Array,
    side: Sequence[float] | Array,
    thick: float,
    wide: float,
    power: float = 2.0,
    around: int = AROUND,
) -> Array:
    """Return a ring around `centre` across `along`; `thick` is its radius towards `side`."""
    first = np.asarray(side, float) - np.dot(side, along) * along
    first /= np.linalg.norm(first)
    flat = _ellipse(thick, wide, power, around)
    return centre + flat[:, :1] * first + flat[:, 1:2] * np.cross(along, first)


def _power(wave: Array, power: float) -> Array:
    return np.sign(wave) * np.abs(wave) ** (2 / power)


def _blend(chain: Sequence[str], joints: Sequence[float], where: float, reach: float) -> Weights:
    """Return the weights of a chain of bones that meet at `joints`, blended within `reach`."""
    past = [1.0, *(_rising(where, joint - reach, joint + reach) for joint in joints), 0.0]
    return _shares(*((bone, past[i] - past[i + 1]) for i, bone in enumerate(chain)))


def _shares(*weights: tuple[str, float]) -> Weights:
    return {bone: weight for bone, weight in weights if weight > 1e-4}


def _rising(where: float, start: float, end: float) -> float:
    """Return a smooth step from 0 at `start` to 1 at `end`."""
    share = min(max((float(where) - start) / (end - start), 0.0), 1.0)
    return smoothstep(share)
