"""How good a placement is: what a viewer sees of it against the ground and against the source.

Shares no code with the planner. Lengths count in proportion to a character of 1.6 m.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import bpy
import numpy as np
from numpy.typing import NDArray

from benchmarks.characters.solid import Solid
from benchmarks.characters.subject import Contact, Leg, Subject
from benchmarks.characters.surfaces import Surface, look
from benchmarks.feet.poses import Poses, sample
from benchmarks.feet.stands import find_stands

Floats = NDArray[np.float64]

MIDDLE = 0.15  # of a contact, at both ends, in which it is not judged
STILL = 0.001  # metres for a person: a foot of a clip in place that moves more is no contact
LEAST_ROWS = 4
TOUCHES = 0.01  # metres for a person: what is nearer to a prop or the ground touches it
ON_FLOOR = 0.1  # metres for a person: what is higher is a level, and recorded floors drift by less
QUIET = 0.02  # share of the whole clip's jerk under which a joint of the source counts as at rest


@dataclass(frozen=True)
class Quality:
    """What was measured. Millimetres for a character of 1.6 m, degrees, ratios to the source.

    Attributes:
        foot: Deepest vertex of a foot in the ground, where the source's is not as deep in its own
            floor but for `foot_more`.
        foot_more: By how much a vertex of a foot is deeper than the source's in its own floor.
        body: The same as `foot_more` for all that is no foot.
        body_bone: The bone that is deepest.
        floats: Largest height over the ground of what the source has on its floor, and distance
            from it of what touches a prop there.
        late: The same in the first rows of a contact.
        drift: Mean over all contacts of a bone's largest way from its mean place.
        drift_worst: The largest.
        contacts: How many.
        jerk: Mean jerk of knees, ankles and balls.
        worst: Largest jerk of a leg's joints.
        upper: Largest turn of a bone above the pelvis that is no part of the contacts.
        links: Largest change of the distance of two bones that a rigid body ties together.
        rise: Largest change of the height of pelvis and contacts.
        frames: Frames of the worst foot, body, drift and jerk.
    """

    foot: float
    foot_more: float
    body: float
    body_bone: str
    floats: float
    late: float
    drift: float
    drift_worst: float
    contacts: int
    jerk: float
    worst: float
    upper: float
    links: float
    rise: float
    frames: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Source:
    """What was there before."""

    poses: Poses
    surface: Surface
    depths: Floats
    contacts: tuple[Contact, ...]
    props: Solid | None


def look_at_source(
    scene: bpy.types.Scene, subject: Subject, props: Sequence[bpy.types.Object] = ()
) -> Source:
    """The source, what stands in it, and how deep it is in its own floor and props."""
    poses = sample(scene, subject)
    surface = look(scene, subject, poses)
    contacts = tuple(_found(subject, poses)) if subject.contacts is None else subject.contacts
    still = tuple(contact for contact in contacts if _counts(subject, poses, contact))
    depths = np.maximum(0.0, subject.floor - surface.places[..., 2])
    solid = Solid(props) if props else None
    if solid is not None:
        depths = np.maximum(depths, solid.depths(surface.places))
    return Source(poses, surface, depths, still, solid)


def measure(
    scene: bpy.types.Scene,
    subject: Subject,
    source: Source,
    grounds: Sequence[bpy.types.Object],
) -> Quality:
    """Compare what the armature plays now with the source."""
    poses = sample(scene, subject)
    surface = look(scene, subject, poses)
    solid = Solid(grounds)
    unit = 1e3 / subject.size
    on_foot = surface.carried(subject.feet)
    depth = solid.depths(surface.places)
    more = depth - source.depths
    foot, foot_row = _worst(np.where(on_foot & (more > 0), depth, 0.0))
    foot_more, _ = _worst(np.where(on_foot, more, 0.0))
    others = np.where(on_foot, 0.0, more)
    body, body_row = _worst(others)
    drifts = np.array([_way(poses.heads(each.bone), each) for each in source.contacts])
    jerk, worst, jolt_row = _jerks(subject, source.poses, poses)
    return Quality(
        foot=unit * foot,
        foot_more=unit * foot_more,
        body=unit * body,
        body_bone=surface.bones[int(others.max(axis=0).argmax())] if body > 0 else "",
        floats=unit * _floats(subject, source, surface, solid, _middle),
        late=unit * _floats(subject, source, surface, solid, _begin),
        drift=unit * float(drifts.mean()) if len(drifts) else 0.0,
        drift_worst=unit * float(drifts.max(initial=0.0)),
        contacts=len(drifts),
        jerk=jerk,
        worst=worst,
        upper=_turn(source.poses, poses, _free(subject, source.poses, poses, surface, solid)),
        links=unit * _stretch(subject, source.poses, poses),
        rise=unit * _rise(subject, source, poses, solid),
        frames={
            "foot": subject.first + int(surface.rows[foot_row]),
            "body": subject.first + int(surface.rows[body_row]),
            "jolt": subject.first + jolt_row,
        },
    )


def _worst(depths: Floats) -> tuple[float, int]:
    row, _ = np.unravel_index(int(depths.argmax()), depths.shape)
    return max(0.0, float(depths.max())), int(row)


def _found(subject: Subject, poses: Poses) -> list[Contact]:
    """Stands of the balls of the feet, found from places alone."""
    made = []
    for leg in subject.legs:
        bone = leg.toe or leg.bones[2]
        path = poses.heads(bone) - [0.0, 0.0, subject.floor]
        made += [Contact(bone, *span) for span in find_stands(path, poses.fps, subject.size)]
    return made


def _counts(subject: Subject, poses: Poses, contact: Contact) -> bool:
    """Whether a contact of the source is one: feet of clips in place glide."""
    if contact.stop - contact.first < LEAST_ROWS:
        return False
    return not subject.in_place or _way(poses.heads(contact.bone), contact) < STILL * subject.size


def _middle(contact: Contact) -> slice:
    """Rows in which a contact is judged."""
    cut = int(np.ceil(MIDDLE * (contact.stop - contact.first)))
    return slice(contact.first + cut, max(contact.stop - cut, contact.first + cut + 1))


def _begin(contact: Contact) -> slice:
    """Rows in which a foot has just landed."""
    return slice(contact.first, _middle(contact).start)


def _floats(
    subject: Subject,
    source: Source,
    surface: Surface,
    solid: Solid,
    part: Callable[[Contact], slice],
) -> float:
    """How far what is on the source's floor is over the ground, more than in the source."""
    largest = 0.0
    for contact in source.contacts:
        leg = next((leg for leg in subject.legs if contact.bone in leg.foot), None)
        own = surface.carried(set(leg.foot) if leg else {contact.bone})
        rows = part(contact)
        judged = (surface.rows >= rows.start) & (surface.rows < rows.stop)
        if not judged.any() or not own.any():
            continue
        over = source.surface.places[judged][:, own, 2].min(axis=1) - subject.floor
        if over.min() > ON_FLOOR * subject.size:
            if source.props is not None:
                before = _apart(source.props, source.surface.places[judged][:, own])
                after = _apart(solid, surface.places[judged][:, own])
                touches = before.max() < TOUCHES * subject.size
                largest = max(largest, float((after - before).max()) if touches else 0.0)
            continue
        gaps = [solid.gap(places, subject.height) for places in surface.places[judged][:, own]]
        largest = max(largest, float((np.array(gaps) - np.maximum(0.0, over)).max()))
    return largest


def _apart(solid: Solid, places: Floats) -> Floats:
    """Distance of the nearest of points (r, n, 3) from what is there; (r,)."""
    return np.array([solid.distance(points) for points in places])


def _way(path: Floats, contact: Contact) -> float:
    """Largest way of a bone from its mean place in plan view, in the middle of a contact."""
    middle = path[_middle(contact), :2]
    return float(np.linalg.norm(middle - middle.mean(axis=0), axis=1).max())


def _jerks(subject: Subject, source: Poses, result: Poses) -> tuple[float, float, int]:
    """Mean jerk of the legs' joints, the largest of any leg's, and its row."""
    means, ratios, rows = [], [], []
    for leg in subject.legs:
        joints = _leg_joints(leg)
        before, after = (_jerk(poses, joints) for poses in (source, result))
        means.append((before.mean(), after.mean()))
        # A leg at rest in the source has no jerk to compare with: the clip's own is what it may.
        ratios.append((before.max(), after.max()))
        rows.append(int(after.max(axis=1).argmax()) + 1)
    table, peaks = np.array(means), np.array(ratios)
    least = QUIET * max(peaks[:, 0].max(), 1e-9 * subject.height)
    shares = peaks[:, 1] / np.maximum(peaks[:, 0], least)
    mean = table[:, 1].sum() / max(table[:, 0].sum(), 1e-9 * subject.height)
    return float(mean), float(shares.max()), rows[int(shares.argmax())]


def _leg_joints(leg: Leg) -> list[str]:
    return [*leg.bones[1:], *([leg.toe] if leg.toe else [])]


def _jerk(poses: Poses, bones: Sequence[str]) -> Floats:
    """Size of the third difference of the heads of bones, (f - 3, b)."""
    paths = np.stack([poses.heads(bone) for bone in bones], axis=1)
    return np.linalg.norm(np.diff(paths, n=3, axis=0), axis=-1)


def _free(
    subject: Subject, source: Poses, result: Poses, surface: Surface, solid: Solid
) -> list[str]:
    """Bones of the upper body, without arms that the ground bends: they touch it."""
    bones = subject.armature.data.bones
    free = set(subject.upper)
    for name in subject.upper:
        own = surface.carried({name})
        if not own.any() or _turn(source, result, [name]) == 0.0:
            continue
        near = [solid.gap(points, subject.height) for points in surface.places[:, own]]
        if min(near) > TOUCHES * subject.size:
            continue
        top = bones[name]
        while top.parent and top.parent.name in free and len(top.parent.children) == 1:
            top = top.parent
        free -= {top.name, *(bone.name for bone in top.children_recursive)}
    return [name for name in subject.upper if name in free]


def _turn(source: Poses, result: Poses, bones: Sequence[str]) -> float:
    """Largest turn of a bone, degrees; by the chord, exact for small angles."""
    largest = 0.0
    for bone in bones:
        chord = np.linalg.norm(source.rotations(bone) - result.rotations(bone), axis=(1, 2))
        largest = max(largest, float(chord.max()))
    return float(np.degrees(2.0 * np.arcsin(min(1.0, largest / np.sqrt(8.0)))))


def _stretch(subject: Subject, source: Poses, result: Poses) -> float:
    largest = 0.0
    for parent, bone in subject.links:
        before, after = (
            np.linalg.norm(poses.heads(bone) - poses.heads(parent), axis=1)
            for poses in (source, result)
        )
        largest = max(largest, float(abs(after - before).max()))
    return largest


def _rise(subject: Subject, source: Source, result: Poses, solid: Solid) -> float:
    """Change of the pelvis' height over the ground where the clip starts, and of contacts'."""
    start = source.poses.heads(subject.pelvis)[0]
    ground = solid.height(start, start[2])
    level = 0.0 if np.isnan(ground) else ground - subject.floor
    change = result.heads(subject.pelvis)[:, 2] - source.poses.heads(subject.pelvis)[:, 2] - level
    changes = [abs(change).max()]
    for contact in source.contacts:
        rows = slice(contact.first, contact.stop)
        before, after = (poses.heads(contact.bone)[rows, 2] for poses in (source.poses, result))
        changes.append(abs(after - before - level).max())
    return float(max(changes))
