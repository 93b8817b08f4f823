"""Parts of the body that rest on things above the source's floor, where the ground has such things.

A hand that stays at its place while its shoulder moves past it holds something; so does one that
stays where the ground has a surface. A seat does if there is a surface below it. What it rests on
is searched around where the body has been carried, and how far that is off is kept with the
contact. Where the ground has nothing near, nothing rests.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from ..contacts.contacts import Mask, Rows, point_stands, runs
from ..contacts.tuning import CONTACTS
from ..feet import BALL, Contact, Floats
from ..ground.terrain import Terrain
from ..tuning import BODY
from .part import Part
from .touch import nearest_touch, outward
from .tuning import HOLDS

UP = np.array([0.0, 0.0, 1.0])


def find_holds(
    parts: Sequence[Part],
    rests: Sequence[Contact],
    floor: Floats,
    carried: Floats,
    terrain: Terrain,
    rate: float,
    scale: float,
) -> list[Contact]:
    """Contacts of parts with what the ground has above the floor.

    Args:
        parts: The parts, over the same f frames.
        rests: Their contacts with the floor.
        floor: Height of the source's floor under the body, metres; (f,).
        carried: How far the body is moved with its feet; (f, 3).
        terrain: The ground.
        rate: Frames per second.
        scale: Size of the character relative to one of 1.6 m.
    """
    found: list[Contact] = []
    for number, part in enumerate(parts):
        if not part.holds:
            continue
        chain = above(parts, part)
        free = _is_off_floor(part, floor, scale)
        for rest in rests:
            if rest.foot == number:
                free[rest.first : rest.stop] = False
        for first, stop in _stays(part, free, rate, scale):
            hold = Contact(number, BALL, first, stop)
            touch = _touch(part, chain, hold, carried, terrain, scale)
            if touch is not None and _bears(chain, first, stop, touch, scale):
                found.append(_with(hold, touch, carried))
    return found


def held_again(
    parts: Sequence[Part],
    rests: Sequence[Contact],
    floor: Floats,
    carried: Floats,
    terrain: Terrain,
    scale: float,
) -> list[Contact]:
    """Given contacts of parts; those above the floor are with what the ground has there."""
    found = []
    for rest in rests:
        part, rows = parts[rest.foot], slice(rest.first, rest.stop)
        off = part.holds and _is_off_floor(part, floor, scale)[rows].mean() > 0.5
        way = _touch(part, above(parts, part), rest, carried, terrain, scale) if off else None
        found.append(rest if way is None else _with(rest, way, carried))
    return found


def may_hold(parts: Sequence[Part], floor: Floats, rate: float, scale: float) -> bool:
    """Whether any part stays at a place above the floor."""
    return any(
        _stays(part, _is_off_floor(part, floor, scale), rate, scale) for part in parts if part.holds
    )


def above(parts: Sequence[Part], part: Part) -> list[Part]:
    """The parts of an arm up to a part, from the shoulder on; only itself of a trunk."""
    chain = [part]
    while part.limb is not None:
        before = next((each for each in parts if each.following == chain[0].bone), None)
        if before is None:
            break
        chain.insert(0, before)
    return chain


def _is_off_floor(part: Part, floor: Floats, scale: float) -> Mask:
    """In which rows the floor is out of its reach; (f,)."""
    return np.asarray(part.heights - floor > (HOLDS.reach + CONTACTS.height) * scale)


def _stays(part: Part, free: Mask, rate: float, scale: float) -> list[Rows]:
    """Rows in which a part stays at its place for half a step."""
    least = 0.5 * BODY.step_seconds * rate
    found = point_stands(part.path(np.zeros(3)), free, rate, scale) if free.any() else []
    inside = [
        (first + one, first + other)
        for first, stop in found
        for one, other in runs(free[first:stop])
    ]
    return [rows for rows in inside if rows[1] - rows[0] >= least]


def _touch(
    part: Part,
    chain: Sequence[Part],
    hold: Contact,
    carried: Floats,
    terrain: Terrain,
    scale: float,
) -> Floats | None:
    """How far what a part rests on is from where the body has carried it, (3,); None if nowhere."""
    row = (hold.first + hold.stop) // 2
    reach = HOLDS.reach * scale
    points = part.surface(row) + carried[row]
    towards = list(_ways(part, chain, row, points, terrain, reach))
    touch = nearest_touch(terrain, points, row, np.stack(towards), reach)
    rows = slice(hold.first, hold.stop)
    if touch is None or not _is_reached(chain, rows, carried[row] + touch, carried):
        return None
    return touch


def _with(hold: Contact, touch: Floats, carried: Floats) -> Contact:
    """A contact with what is a way (3,) from where the body has carried it."""
    row = (hold.first + hold.stop) // 2
    x, y, z = touch.tolist()
    return hold._replace(held=(x, y, z + float(carried[row, 2])))


def _ways(
    part: Part, chain: Sequence[Part], row: int, points: Floats, terrain: Terrain, reach: float
) -> Iterator[Floats]:
    """Directions from surfaces that a part may rest on: up, and for a hand those of walls."""
    yield UP
    if part.limb is None or part.following is not None:
        return
    level = outward(terrain, points, row, reach) * [1.0, 1.0, 0.0]
    size = float(np.linalg.norm(level))
    if size > BODY.steepest:
        back = chain[0].place[row] - part.place[row]
        yield level / size * (1.0 if level @ back > 0.0 else -1.0)


def _bears(chain: Sequence[Part], first: int, stop: int, touch: Floats, scale: float) -> bool:
    """Whether a part that stays rests on what it may touch: a hand that hangs does not."""
    if len(chain) == 1:
        return True
    arm = chain[0].place[first:stop] - chain[-1].place[first:stop]
    if float(np.ptp(arm, axis=0).max()) > BODY.wall * scale:
        return True
    down = np.median(arm, axis=0)
    hangs = down[2] > HOLDS.hangs * float(np.linalg.norm(down))
    return not hangs and float(np.linalg.norm(touch)) < CONTACTS.height * scale


def _is_reached(chain: Sequence[Part], rows: slice, moved: Floats, carried: Floats) -> bool:
    """Whether the arm reaches what it rests on in all rows, or is as long as in the source."""
    if len(chain) == 1:
        return True
    joints = [part.place[rows] for part in chain]
    lengths = [np.linalg.norm(b - a, axis=1) for a, b in pairwise(joints)]
    before = np.linalg.norm(joints[-1] - joints[0], axis=1)
    way = joints[-1] + moved - joints[0] - carried[rows]
    most = np.maximum(HOLDS.stretched * np.sum(lengths, axis=0), before)
    return bool((np.linalg.norm(way, axis=1) <= most).all())
