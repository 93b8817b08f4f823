"""Parts of the body that rest on things above the source's floor, where the ground has such things.

A hand that stays at its place while its shoulder moves past it holds something; so does one that
stays where the ground has a surface. A seat rests if no thigh is upright and there is a surface
below it. What a part rests on is searched around the place to which the body is carried, and how
far that is from its place in the source is kept with the contact. Where the ground has nothing
near, nothing rests.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import NamedTuple

import numpy as np

from ..contacts.contacts import Mask, Rows, point_stands, runs
from ..contacts.tuning import CONTACTS
from ..feet import BALL, FAR_ASIDE, Contact, Floats, Foot
from ..ground.terrain import Terrain
from ..tuning import BODY
from .part import Part
from .touch import nearest_grip, nearest_touch, outward
from .tuning import HOLDS

# Shares of a contact at which its surroundings are looked at.
LOOKS = (0.15, 0.5, 0.85)
# Rows at which a slide is looked at.
MOST_LOOKS = 8
# Points of a part's surface that are looked at: hands have fingers.
MOST_POINTS = 400
# Bones of a hand with fingers, at least.
FINGERS = 3
UP = np.array([0.0, 0.0, 1.0])


class _Ground(NamedTuple):
    """What parts may rest on.

    Attributes:
        terrain: The ground.
        carried: How far the body is moved with its feet; (f, 3).
        scale: Size of the character relative to one of 1.6 m.
    """

    terrain: Terrain
    carried: Floats
    scale: float


def find_holds(
    parts: Sequence[Part],
    feet: Sequence[Foot],
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
        feet: The feet.
        rests: Their contacts with the floor.
        floor: Height of the source's floor under the body, metres; (f,).
        carried: How far the body is moved with its feet; (f, 3).
        terrain: The ground.
        rate: Frames per second.
        scale: Size of the character relative to one of 1.6 m.
    """
    found: list[Contact] = []
    ground = _Ground(terrain, carried, scale)
    for number, part in enumerate(parts):
        if not part.holds:
            continue
        chain = above(parts, part)
        free = _is_off_floor(part, floor, scale)
        if part.limb is None:
            free &= _sits(feet)
        for rest in rests:
            if rest.foot == number:
                free[rest.first : rest.stop] = False
        stays = [Contact(number, BALL, *rows) for rows in _stays(part, free, rate, scale)]
        holds = list(_holds(chain, stays, ground))
        found += [*holds, *_slides(chain, holds, ground)]
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
    ground = _Ground(terrain, carried, scale)
    off = [
        parts[rest.foot].holds
        and _is_off_floor(parts[rest.foot], floor, scale)[rest.first : rest.stop].mean() > 0.5
        for rest in rests
    ]
    found = [
        _held(above(parts, parts[rest.foot]), rest, ground) if high else None
        for rest, high in zip(rests, off, strict=True)
    ]
    for number, (rest, high) in enumerate(zip(rests, off, strict=True)):
        if high and found[number] is None:
            others = [each for each in found if each is not None and each.foot == rest.foot]
            chain = above(parts, parts[rest.foot])
            found[number] = next(_as_others(chain, rest, others, ground), None)
    return [held or rest for held, rest in zip(found, rests, strict=True)]


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


def _sits(feet: Sequence[Foot]) -> Mask:
    """In which rows no thigh is upright; (f,)."""
    thighs = np.stack([foot.hip - foot.knee for foot in feet])
    level = np.linalg.norm(thighs[..., :2], axis=-1)
    return np.asarray((BODY.steepest * thighs[..., 2] < level).all(axis=0))


def _stays(part: Part, free: Mask, rate: float, scale: float) -> list[Rows]:
    """Rows in which a part stays at its place for half a step."""
    least = 0.5 * BODY.step_seconds * rate
    found = point_stands(part.path(part.grip), free, rate, scale) if free.any() else []
    inside = [
        (first + one, first + other)
        for first, stop in found
        for one, other in runs(free[first:stop])
    ]
    return [rows for rows in inside if rows[1] - rows[0] >= least]


def _holds(chain: Sequence[Part], stays: Sequence[Contact], ground: _Ground) -> Iterator[Contact]:
    """Contacts among those in which a part stays.

    What a hand certainly holds at some time, it also holds while its shoulder stays.
    """
    touching = [_held(chain, each, ground) for each in stays]
    sure = [each for each in touching if each is not None and _bears(chain, each, ground)]
    for stay, held in zip(stays, touching, strict=True):
        if held in sure:
            yield held
            continue
        yield from islice(_as_others(chain, stay, sure, ground), 1)


def _as_others(
    chain: Sequence[Part], stay: Contact, others: Sequence[Contact], ground: _Ground
) -> Iterator[Contact]:
    """A contact with what is about as far from the source as that of others."""
    for other in others:
        held = _held(chain, stay, ground, np.array(other.held))
        if held is not None and _is_same(held, other, ground.scale):
            yield held


def _held(
    chain: Sequence[Part], hold: Contact, ground: _Ground, start: Floats | None = None
) -> Contact | None:
    """A contact with what the ground has near it; None if there is nothing.

    It is looked for around where the body carries the part, or so far from the source; (3,).
    """
    rows = [hold.first + int(share * (hold.stop - hold.first)) for share in LOOKS]
    ways = [way for row in rows if (way := _way(chain, row, ground, start)) is not None]
    if not ways:
        return None
    every = np.stack(ways)
    usual = every[np.linalg.norm(every[:, None] - every, axis=-1).sum(axis=0).argmin()]
    if not _is_reached(chain, slice(hold.first, hold.stop), usual, ground):
        return None
    x, y, z = usual.tolist()
    return hold._replace(held=(x, y, z))


def _way(
    chain: Sequence[Part], row: int, ground: _Ground, start: Floats | None = None
) -> Floats | None:
    """How far what a part rests on is from its place in the source in a row; (3,)."""
    terrain, carried, scale = ground
    reach = HOLDS.reach * scale
    level = carried[row] * (1.0 - UP)
    start = carried[row] * UP if start is None else start
    surface = chain[-1].surface(row)
    points = surface[:: 1 + len(surface) // MOST_POINTS] + level + start
    if _is_closed(chain[-1], points):
        touch = nearest_grip(terrain, points, row, reach)
    else:
        ways = np.stack(list(_directions(chain, row, points, terrain, reach)))
        touch = nearest_touch(terrain, points, row, ways, reach, aside=len(chain) > 1)
    return None if touch is None else np.asarray(touch + start)


def _directions(
    chain: Sequence[Part], row: int, points: Floats, terrain: Terrain, reach: float
) -> Iterator[Floats]:
    """Directions from surfaces that a part may rest on.

    That is up, and for a hand whose palm is upright also from a wall.
    """
    yield UP
    if len(chain) == 1 or abs(_axes(points)[1][2, 0]) > BODY.steepest:
        return
    level = outward(terrain, points, row, reach) * (1.0 - UP)
    size = float(np.linalg.norm(level))
    if size > BODY.steepest:
        back = chain[0].place[row] - chain[-1].place[row]
        yield level / size * (1.0 if level @ back > 0.0 else -1.0)


def _is_closed(part: Part, points: Floats) -> bool:
    """Whether the fingers of a hand with points (n, 3) are closed: it is as thick as it is wide."""
    if part.limb is None or len(part.pieces) < FINGERS:
        return False
    thick, wide, _ = _axes(points)[0]
    return bool(thick > HOLDS.closed * wide)


def _axes(points: Floats) -> tuple[Floats, Floats]:
    """How far points (n, 3) reach along their axes, the least first, (3,), and these; (3, 3)."""
    centre = points - points.mean(axis=0)
    spread, axes = np.linalg.eigh(centre.T @ centre)
    return np.sqrt(np.maximum(spread, 0.0)), axes


def _bears(chain: Sequence[Part], hold: Contact, ground: _Ground) -> bool:
    """Whether a part certainly rests on what it may touch.

    For a hand it speaks that the shoulder moves past it while it stays, or that what it touches is
    near; against it that it hangs below the shoulder.
    """
    if len(chain) == 1:
        return True
    rows = slice(hold.first, hold.stop)
    shoulder, hand = chain[0].place[rows], chain[-1].path(chain[-1].grip)[rows]
    arm = shoulder - hand
    middle = slice(len(arm) // 6, len(arm) - len(arm) // 6)
    passed, moved = (float(np.ptp(way[middle], axis=0).max()) for way in (arm, hand))
    stays = passed > BODY.wall * ground.scale and moved < CONTACTS.slow_share * passed
    down = np.median(arm, axis=0)
    hangs = down[2] > HOLDS.hangs * float(np.linalg.norm(down))
    off = np.linalg.norm(hold.held - ground.carried[rows] * UP, axis=1).min()
    near = float(off) < CONTACTS.height * ground.scale
    return int(stays) + int(near) > int(hangs)


def _is_same(hold: Contact, other: Contact, scale: float) -> bool:
    """Whether what two contacts rest on is about as far from the source."""
    assert hold.held is not None
    assert other.held is not None
    apart = np.subtract(hold.held, other.held)
    return float(np.linalg.norm(apart)) < CONTACTS.stand * scale


def _slides(chain: Sequence[Part], holds: Sequence[Contact], ground: _Ground) -> Iterator[Contact]:
    """Contacts between others in which a part slides along what it rests on."""
    for before, after in pairwise(holds):
        slide = before._replace(first=before.stop, stop=after.first, slides=True)
        if not _is_same(before, after, ground.scale) or slide.stop <= slide.first:
            continue
        rows = range(slide.first, slide.stop, max(1, (slide.stop - slide.first) // MOST_LOOKS))
        start = np.array(before.held)
        ways = [_way(chain, row, ground, start) for row in rows]
        if all(
            way is not None and _is_same(slide._replace(held=tuple(way)), before, ground.scale)
            for way in ways
        ):
            yield slide


def _is_reached(chain: Sequence[Part], rows: slice, moved: Floats, ground: _Ground) -> bool:
    """Whether an arm that is moved reaches, or nearly so: the body helps a little."""
    if len(chain) == 1:
        return True
    arm = chain[-1].path(chain[-1].grip)[rows] - chain[0].place[rows]
    way = arm + moved - ground.carried[rows] * UP
    most = arm_length(chain)[rows]
    return bool((np.linalg.norm(way, axis=1) <= most + FAR_ASIDE * ground.scale).all())


def arm_length(chain: Sequence[Part]) -> Floats:
    """How far an arm reaches, at least as far as in the source; (f,)."""
    joints = [part.place for part in chain]
    if chain[-1].grip.any():  # a forearm without a hand
        joints.append(chain[-1].path(chain[-1].grip))
    lengths = [np.linalg.norm(b - a, axis=1) for a, b in pairwise(joints)]
    before = np.linalg.norm(joints[-1] - joints[0], axis=1)
    return np.asarray(np.maximum(HOLDS.stretched * np.sum(lengths, axis=0), before))
