"""Poses of a body over frames: turns of bones away from the rest pose, and limbs that reach."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from .body import Body, Floats, Limb


@dataclass(frozen=True)
class Touch:
    """A part of the body that rests on something: bone, first row and the row after the last."""

    bone: str
    first: int
    stop: int


@dataclass(frozen=True, eq=False)
class Prop:
    """A box that the actor used: its centre and half its size."""

    centre: Floats
    half: Floats


@dataclass(frozen=True, eq=False)
class Motion:
    """A clip.

    Attributes:
        name: Of the action.
        fps: Frames per second.
        turns: Per role, (f, 3, 3) turns away from the rest pose, in the character's axes.
        heads: Per role, (f, 3) places of the bone's head.
        touches: What rests on the floor or on a prop, and when.
        props: What the actor stepped on or held; `props.add` puts them into the scene.
    """

    name: str
    fps: int
    turns: dict[str, Floats]
    heads: dict[str, Floats]
    touches: tuple[Touch, ...] = ()
    props: tuple[Prop, ...] = ()


@dataclass(eq=False)
class Posing:
    """A body being posed: bones without a turn of their own keep the one of their parent."""

    body: Body
    root: Floats  # (f, 3) places of the root's head
    turns: dict[str, Floats] = field(default_factory=dict)

    def turn(self, role: str) -> Floats:
        """Turn (f, 3, 3) of a bone away from its rest pose."""
        if role in self.turns:
            return self.turns[role]
        parent = self.body.bone(role).parent
        return self.turn(parent) if parent else np.tile(np.eye(3), (len(self.root), 1, 1))

    def head(self, role: str) -> Floats:
        """Place (f, 3) of a bone's head."""
        bone = self.body.bone(role)
        if not bone.parent:
            return self.root
        return self.point(bone.parent, bone.head)

    def point(self, role: str, rest: ArrayLike) -> Floats:
        """Place (f, 3) of a point that a bone carries, given in the rest pose."""
        return self.head(role) + self.turn(role) @ (np.asarray(rest) - self.body.head(role))

    def reach(self, limb: Limb, end: Floats, turn: Floats, pole: ArrayLike) -> None:
        """Bring ankle or wrist to places (f, 3) with a turn (f, 3, 3); the joint points to `pole`.

        Where the limb is too short it points there, nearly straight.
        """
        upper, lower, foot = limb.bones
        first, middle, last = (self.body.head(role) for role in limb.bones)
        lengths = float(np.linalg.norm(middle - first)), float(np.linalg.norm(last - middle))
        start = self.head(upper)
        pole = np.broadcast_to(np.asarray(pole, float), end.shape)
        joint, ankle = bent(start, end, lengths, pole)
        # One plane for both segments: a knee that is raised past its pole does not twist the thigh.
        across = np.asarray(np.cross(end - start, pole), float)
        rest = np.asarray(
            np.cross(last - first, bend_at_rest(first, middle, last, limb.bend)), float
        )
        self.turns[upper] = axes(joint - start, across) @ axes(middle - first, rest).T
        self.turns[lower] = axes(ankle - joint, across) @ axes(last - middle, rest).T
        self.turns[foot] = turn

    def motion(self, name: str, fps: int, touches: tuple[Touch, ...] = ()) -> Motion:
        """The poses of all bones as a clip."""
        roles = [bone.name for bone in self.body.bones]
        turns, heads = ({role: get(role) for role in roles} for get in (self.turn, self.head))
        return Motion(name, fps, turns, heads, touches)


def bend_at_rest(first: Floats, middle: Floats, last: Floats, bend: ArrayLike) -> Floats:
    """Where the joint of a limb is beside its line in the rest pose; a given way if it is on it."""
    line = (last - first) / np.linalg.norm(last - first)
    aside = (middle - first) - ((middle - first) @ line) * line
    on_line = np.linalg.norm(aside) < 1e-4 * np.linalg.norm(last - first)
    return np.asarray(bend if on_line else aside, float)


def bent(
    start: Floats, end: Floats, lengths: tuple[float, float], pole: Floats
) -> tuple[Floats, Floats]:
    """Places (f, 3) of the middle joint and of the end of a limb that reaches for `end`."""
    upper, lower = lengths
    way = end - start
    distance = np.linalg.norm(way, axis=1)
    reach = np.clip(distance, 1.02 * abs(upper - lower), 0.9985 * (upper + lower))
    along = way / distance[:, None]
    ahead = pole - np.sum(pole * along, axis=1)[:, None] * along
    ahead /= np.linalg.norm(ahead, axis=1)[:, None]
    share = (reach**2 + upper**2 - lower**2) / (2 * reach)
    aside = np.sqrt(np.maximum(upper**2 - share**2, 0.0))
    joint = start + share[:, None] * along + aside[:, None] * ahead
    return joint, start + reach[:, None] * along


def axes(along: Floats, across: Floats) -> Floats:
    """Axes (..., 3, 3) with Y along a bone and X along what is at right angles to it."""
    y = along / np.linalg.norm(along, axis=-1, keepdims=True)
    x = across / np.linalg.norm(across, axis=-1, keepdims=True)
    return np.stack([x, y, np.cross(x, y)], axis=-1)


def curve(frames: Floats, knots: ArrayLike) -> Floats:
    """A smooth curve through knots (frame, values...), at rest in each; (f, values)."""
    table = np.asarray(knots, float)
    at, values = table[:, 0], table[:, 1:]
    index = np.clip(np.searchsorted(at, frames, side="right") - 1, 0, len(at) - 2)
    share = np.clip((frames - at[index]) / (at[index + 1] - at[index]), 0.0, 1.0)
    eased = share**3 * (10 - 15 * share + 6 * share**2)
    return values[index] + eased[:, None] * (values[index + 1] - values[index])
