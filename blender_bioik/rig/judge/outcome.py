"""What is judged: a character's source and result over a ground, without what was planned."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...motion.feet import Floats
from ...motion.ground.terrain import Terrain
from ...motion.measure.flesh import Flesh, outer_flesh
from ...motion.measure.loose import loose_parts
from ...motion.measure.rests import FOOT_LOW, Rests, find_rests, whole_foot
from ...motion.measure.skin import Skin, skin_matrices
from ...motion.measure.ties import RIGID
from ..clip.skeleton import Skeleton
from ..mapping import Mapping
from ..skin.read_skin import ReadSkin

# Flesh that is nearer touches, metres for a person.
TOUCHES = 0.03
# The sole and its edges: what comes this near to the lowest point of its foot, metres for a person.
SOLE_HEIGHT = 0.06
# One point of each cube of this size is looked at where feet rest, metres for a person.
SOLE_CUBE = 0.03
# What is measured on the source alone.
OF_SOURCE = ("flesh", "feet", "loose", "rests", "skinned", "soles")
# Height of a person, metres.
PERSON = 1.6
# The size by the legs against that by the whole extent: arms or a cloak may spread, and legs of
# stylised characters are short.
LEAST_LEGS, MOST_LEGS = 0.5, 2.0


class BodyFoot(NamedTuple):
    """A foot, as the mapping has it.

    Attributes:
        name: The leg's name, "leg.L".
        bones: The foot, its toe and all bones below them.
        leg: The bones from the hip to the foot.
    """

    name: str
    bones: frozenset[int]
    leg: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Outcome:
    """A source and its result.

    Attributes:
        skeleton: The bones.
        before: World matrices of the source's bones; (f, b, 4, 4).
        after: The same of the result.
        world: World matrices of the armature; (f, 4, 4).
        read: Its meshes, or the ends of its bones.
        mapped: Its feet, as the mapping has them.
        limbs: Bones of its arms and legs.
        root: The bone that carries the body.
        terrain: The ground.
        rate: Frames per second.
        scale: Size of the character; 1 for a person.
        climbs: Rows in which the height of a climb may be changed, as the user is told; (f,).
        known: Bones whose poses in the result are known; others follow constraints.
    """

    skeleton: Skeleton
    before: Floats
    after: Floats
    world: Floats
    read: ReadSkin
    mapped: tuple[BodyFoot, ...]
    limbs: frozenset[int]
    root: int
    terrain: Terrain
    rate: float
    scale: float
    climbs: NDArray[np.bool_]
    known: frozenset[int]

    def with_result(self, after: Floats, climbs: NDArray[np.bool_] | None = None) -> Outcome:
        """Another result of the same source, of which nothing is measured again.

        Args:
            after: World matrices of the result's bones; (f, b, 4, 4).
            climbs: Rows in which the height of a climb may be changed; None if as here.
        """
        other = replace(self, after=after, climbs=self.climbs if climbs is None else climbs)
        vars(other).update({name: getattr(self, name) for name in OF_SOURCE})
        return other

    @property
    def skin(self) -> Skin:
        """The skin."""
        return self.read.skin

    @cached_property
    def flesh(self) -> Flesh:
        """The outermost points of each bone, and those of feet."""
        soles = {bone for foot in self.mapped for bone in foot.bones}
        cube = SOLE_CUBE * self.scale / self.unit
        return outer_flesh(self.skin, self.skeleton.rest, soles, cube)

    @cached_property
    def feet(self) -> tuple[BodyFoot, ...]:
        """Its feet, with what stands on the ground together with them."""
        return tuple(
            foot._replace(
                bones=whole_foot(
                    self.flesh, self.before, foot.bones, self.skeleton.parent, self.scale
                )
            )
            for foot in self.mapped
        )

    @cached_property
    def loose(self) -> list[tuple[frozenset[int], int, int]]:
        """Parts that hang on no other bone, with one of their bones and what it is tied to.

        Of all that they touch, it is what they keep their distance to in the source.
        """
        heads, parent = self.before[..., :3, 3], self.skeleton.parent
        fleshed = set(np.unique(self.flesh.bone).tolist())

        def play(pair: tuple[int, int]) -> float:
            return float(np.ptp(np.linalg.norm(heads[:, pair[0]] - heads[:, pair[1]], axis=1)))

        def hangs(part: frozenset[int]) -> bool:
            """Whether it turns about a joint of the body, as a shoulder does."""
            joints = [(bone, int(parent[bone])) for bone in part if int(parent[bone]) not in part]
            return any(joint[1] in fleshed and play(joint) < RIGID * self.scale for joint in joints)

        found = loose_parts(self.skin, parent, self.near)
        return [(part, *min(pairs, key=play)) for part, pairs in found if not hangs(part)]

    @property
    def loose_bones(self) -> frozenset[int]:
        """All bones of these parts."""
        return frozenset(bone for part, _, _ in self.loose for bone in part)

    @property
    def near(self) -> float:
        """How near flesh is that touches, in the armature's units."""
        return TOUCHES * self.scale / self.unit

    @property
    def unit(self) -> float:
        """Metres for a unit of the armature."""
        return float(np.cbrt(abs(np.linalg.det(self.world[0, :3, :3]))))

    @cached_property
    def rests(self) -> Rests:
        """What rests in the source."""
        known = {bone for foot in self.feet for bone in foot.bones}
        limbs = (self.limbs | self.loose_bones) - known
        origin, feet = float(self.world[0, 2, 3]), [foot.bones for foot in self.feet]
        rests = find_rests(self.flesh, self.before, feet, limbs, origin, self.rate, self.scale)
        # Without a mesh, bones may end a shoe's height above the floor.
        shod = self.read.bare and 0.0 < rests.floor - origin < FOOT_LOW * self.scale
        return replace(rests, floor=origin) if shod else rests

    @cached_property
    def tops(self) -> Floats:
        """Height of the highest bone with flesh: higher ground is a roof; (f,)."""
        bones = np.unique(self.flesh.bone)
        return np.asarray(self.after[:, bones, 2, 3].max(axis=1))

    @cached_property
    def matrices(self) -> tuple[Floats, Floats]:
        """Skin matrices of the source and of the result; (f, b + 1, 4, 4) each."""
        return self.skinned, skin_matrices(self.after, self.skeleton.inverse_rest, self.world)

    @cached_property
    def skinned(self) -> Floats:
        """Skin matrices of the source; (f, b + 1, 4, 4)."""
        return skin_matrices(self.before, self.skeleton.inverse_rest, self.world)

    @cached_property
    def soles(self) -> NDArray[np.bool_]:
        """The vertices of each foot's sole; (feet, n)."""
        taken = np.zeros(len(self.skin), bool)
        found = np.zeros((len(self.feet), len(self.skin)), bool)
        for number, foot in enumerate(self.feet):
            own = np.isin(self.skin.owner, list(foot.bones)) & ~taken
            found[number] = self._sole(own)
            taken |= found[number]
        return found

    def _sole(self, foot: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """The vertices of a foot that are near its lowest point where the source has it lowest."""
        vertices = np.flatnonzero(foot)
        found = np.zeros(len(self.skin), bool)
        if not len(vertices):
            return found
        some = vertices[:: max(1, len(vertices) // 50)]
        height = self.skin.posed(self.skinned, np.stack([some, some], axis=1))[..., 2].mean(axis=1)
        lowest = np.argsort(height)[: max(1, len(height) // 10)]
        rows = lowest[[0, len(lowest) // 2, -1]]
        places = self.skin.posed(self.skinned[rows], np.stack([vertices, vertices], axis=1))[..., 2]
        low = places < places.min(axis=1, keepdims=True) + SOLE_HEIGHT * self.scale
        found[vertices[low.any(axis=0)]] = True
        return found


def below(skeleton: Skeleton, bones: Iterable[int]) -> frozenset[int]:
    """Bones and all that hang on them."""
    found = set(bones)
    for bone, parent in enumerate(skeleton.parent.tolist()):
        if parent in found:
            found.add(bone)
    return frozenset(found)


def body_feet(
    skeleton: Skeleton, legs: Sequence[tuple[str, Sequence[str], str | None]]
) -> tuple[BodyFoot, ...]:
    """Feet by the name, the bones from hip to foot, and the toe of each leg."""
    found = []
    for name, bones, toe in legs:
        own = [skeleton.index[bone] for bone in (bones[-1], toe) if bone is not None]
        leg = tuple(skeleton.index[bone] for bone in bones)
        found.append(BodyFoot(name, below(skeleton, own), leg))
    return tuple(found)


def limb_bones(skeleton: Skeleton, mapping: Mapping) -> frozenset[int]:
    """Bones of arms and legs, as the mapping has them."""
    trunk = {mapping.slots.get("pelvis"), mapping.slots.get("head")}
    names = {bone for bone in mapping.slots.values() if bone not in trunk}
    names |= {bone for leg in mapping.legs for bone in leg.bones}
    return frozenset(skeleton.index[bone] for bone in names if bone in skeleton.index)


def at_rows(count: int, spans: Iterable[tuple[int, int]]) -> NDArray[np.bool_]:
    """Rows from the first to the last ones of some spans; (f,)."""
    found = np.zeros(count, bool)
    for first, last in spans:
        found[first : last + 1] = True
    return found


def plausible_scale(skin: Skin, scale: float, world: Floats) -> float:
    """The size of a character by its legs, unless its whole extent speaks against them.

    Args:
        skin: The skin.
        scale: Its size by its legs; 1 for a person.
        world: World matrices of the armature; (f, 4, 4).
    """
    unit = float(np.cbrt(abs(np.linalg.det(world[0, :3, :3]))))
    extent = unit * float(np.ptp(skin.places, axis=0).max()) / PERSON
    if extent <= 0.0:
        return scale
    return float(np.clip(scale, LEAST_LEGS * extent, MOST_LEGS * extent))
