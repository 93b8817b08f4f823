"""Animals and other many-legged ones, generated: heads and tails in metres, facing -Y, Z up."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from blender_bioik.rig.mapping import BoneTable

Point = tuple[float, float, float]


@dataclass
class Creature:
    """Bones that are added one chain at a time."""

    names: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    heads: list[Point] = field(default_factory=list)
    tails: list[Point] = field(default_factory=list)

    def chain(self, parent: str | None, joints: list[Point], *names: str) -> None:
        """Add bones from joint to joint; one joint more than names."""
        assert len(joints) == len(names) + 1
        at = -1 if parent is None else self.names.index(parent)
        for name, head, tail in zip(names, joints[:-1], joints[1:], strict=True):
            self.parents.append(at)
            self.names.append(name)
            self.heads.append(head)
            self.tails.append(tail)
            at = len(self.names) - 1

    def mirrored_chain(self, parent: str, joints: list[Point], *names: str) -> None:
        """Add a chain on the left and its mirror image on the right, names ending in .L and .R."""
        self.chain(parent, joints, *(f"{name}.L" for name in names))
        self.chain(parent, [(-x, y, z) for x, y, z in joints], *(f"{name}.R" for name in names))

    def table(self, transform: np.ndarray | None = None) -> BoneTable:
        """The bones with meaningless names; `real` translates back."""
        rotation = np.eye(3) if transform is None else transform
        heads, tails = (np.array(points) @ rotation.T for points in (self.heads, self.tails))
        return BoneTable.build(
            [f"b{i}" for i in range(len(self.names))], self.parents, heads, tails
        )

    def real(self, name: str | None) -> str | None:
        return None if name is None else self.names[int(name[1:])]


def dog() -> Creature:
    """Four legs; the hind ones have a hock, a segment more than a person's."""
    dog = Creature()
    dog.chain(None, [(0, 0.35, 0.6), (0, 0.2, 0.62)], "pelvis")
    dog.chain("pelvis", [(0, 0.2, 0.62), (0, 0.0, 0.62), (0, -0.3, 0.62)], "spine1", "spine2")
    dog.chain("spine2", [(0, -0.3, 0.62), (0, -0.45, 0.75), (0, -0.65, 0.8)], "neck", "head")
    dog.mirrored_chain("head", [(0.05, -0.5, 0.82), (0.07, -0.5, 0.9)], "ear")
    tail = [(0.0, 0.36, 0.6), (0.0, 0.5, 0.5), (0.0, 0.6, 0.35)]
    dog.chain("pelvis", tail, "tail1", "tail2")
    dog.mirrored_chain(
        "pelvis",
        [(0.1, 0.3, 0.55), (0.1, 0.22, 0.36), (0.1, 0.38, 0.2), (0.1, 0.34, 0.04), (0.1, 0.25, 0)],
        *("thigh", "shin", "hock", "paw"),
    )
    dog.mirrored_chain(
        "spine2",
        [
            (0.06, -0.2, 0.65),
            (0.1, -0.3, 0.5),
            (0.1, -0.2, 0.33),
            (0.1, -0.22, 0.05),
            (0.1, -0.3, 0),
        ],
        *("scapula", "humerus", "radius", "front_paw"),
    )
    return dog


def bird() -> Creature:
    """Two legs with a hock, and wings that reach further than the legs."""
    bird = Creature()
    bird.chain(None, [(0, 0.0, 0.4), (0, -0.05, 0.42)], "body")
    bird.chain("body", [(0, -0.05, 0.42), (0, -0.15, 0.48)], "chest")
    bird.chain("chest", [(0, -0.15, 0.48), (0, -0.2, 0.55), (0, -0.3, 0.56)], "neck", "head")
    bird.mirrored_chain("head", [(0.03, -0.22, 0.57), (0.04, -0.23, 0.57)], "eye")
    bird.chain("body", [(0, 0.05, 0.4), (0, 0.2, 0.38)], "tail")
    bird.mirrored_chain(
        "chest",
        [(0.05, -0.1, 0.48), (0.25, -0.05, 0.48), (0.45, -0.1, 0.48), (0.8, 0.0, 0.48)],
        *("wing1", "wing2", "wing3"),
    )
    bird.mirrored_chain(
        "body",
        [
            (0.06, 0, 0.38),
            (0.06, -0.06, 0.28),
            (0.06, 0.04, 0.17),
            (0.06, 0, 0.03),
            (0.06, -0.08, 0),
        ],
        *("thigh", "shin", "tarsus", "toes"),
    )
    return bird


def spider(pairs: int = 4) -> Creature:
    """Legs that rise to a knee above the body before they come down."""
    spider = Creature()
    spider.chain(None, [(0, 0.1, 0.15), (0, -0.1, 0.15)], "body")
    spider.chain("body", [(0, 0.1, 0.15), (0, 0.4, 0.2)], "abdomen")
    for pair in range(pairs):
        y = -0.1 + 0.2 * pair / (pairs - 1)
        spider.mirrored_chain(
            "body",
            [
                (0.05, y, 0.15),
                (0.2, 2 * y, 0.4),
                (0.5, 4 * y, 0.3),
                (0.65, 5 * y, 0.1),
                (0.7, 6 * y, 0),
            ],
            *(f"coxa{pair}", f"femur{pair}", f"tibia{pair}", f"tarsus{pair}"),
        )
    return spider
