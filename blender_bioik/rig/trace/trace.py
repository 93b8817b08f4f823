"""Traces: where a character goes, before and after a bake, as arrays for the overlay to draw.

Kept in memory, not in the .blend file. A trace belongs to a bake and to the actions that the
armature plays: once undo or the user changes either, it no longer applies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import bpy
import numpy as np
from numpy.typing import ArrayLike

from ..blender.fcurves import LAYERED_ACTIONS
from ..clip.skeleton import Skeleton
from ..transforms import Floats

if TYPE_CHECKING:  # imports scipy, which would delay Blender's start
    from ..soles.soles import Sole

# Number of traces kept for an armature: the present one, and those for undo and redo.
KEPT = 4
# A bone whose head is further than this share of the rig's height from its parent is joined to it.
APART = 0.002

Playing = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class FootTrace:
    """A foot over frames.

    Attributes:
        name: The leg's name, as contacts have it.
        bones: Bones that heel, ball and tip are on.
        offsets: Where on these bones they are, along the bones' axes; (3, 3).
        clearance: Height of each above the floor when the foot is flat; (3,).
        points: Where heel, ball and tip are on the ground, without their clearance; (f, 3, 3).
        aside: Unit vector across the sole; (f, 3).
    """

    name: str
    bones: tuple[str, str, str]
    offsets: Floats
    clearance: Floats
    points: Floats
    aside: Floats


@dataclass(frozen=True, eq=False)
class TracedParts:
    """The bones of an armature that a trace shows.

    Attributes:
        pelvis: The bone whose path is shown.
        soles: The feet.
        clearance: How high above the floor each sole point is when a foot stands; (feet, 3).
        ghost: Indices of the bones that the ghost consists of.
        scale: Size of the character relative to one of 1.6 m.
        others: Other parts of the body that may rest.
    """

    pelvis: str
    soles: tuple[Sole, ...]
    clearance: Floats
    ghost: Sequence[int]
    scale: float
    others: tuple[TracedPart, ...] = ()


class TracedPart(NamedTuple):
    """A part of the body that may rest: its name, its bone, and the one at which it ends."""

    name: str
    bone: str
    end: str | None


@dataclass(frozen=True, eq=False)
class Trace:
    """The path of a character. World space, metres.

    Attributes:
        frames: Frame numbers, ascending; (f,).
        pelvis: Where the pelvis goes in what is played; (f, 3).
        source_pelvis: Its path in the source, None if unknown; (f, 3).
        feet: The feet in what is played.
        ghost: Both ends of the source's bones, None if it is not known; (f, bones, 2, 3).
        parts: The bones that it shows.
        others: Other parts of the body that may rest.
    """

    frames: Floats
    pelvis: Floats
    source_pelvis: Floats | None
    feet: tuple[FootTrace, ...]
    ghost: Floats | None
    parts: TracedParts
    others: tuple[FootTrace, ...] = ()

    @property
    def scale(self) -> float:
        """Size of the character relative to one of 1.6 m."""
        return self.parts.scale

    def row(self, frame: float) -> int | None:
        """The row nearest to a frame, None for frames outside of the clip."""
        if not len(self.frames) or not self.frames[0] <= frame <= self.frames[-1]:
            return None
        return int(np.abs(self.frames - frame).argmin())


def make_trace(
    skeleton: Skeleton,
    parts: TracedParts,
    frames: ArrayLike,
    played: Floats,
    source: Floats | None,
) -> Trace:
    """A trace from the world matrices of all bones.

    Args:
        skeleton: The bones.
        parts: Which of them matter.
        frames: Frame numbers; (f,).
        played: World matrices of what is played; (f, n, 4, 4).
        source: Those of the source, None if they are not known.
    """
    pelvis = skeleton.index[parts.pelvis]
    return Trace(
        np.asarray(frames, float),
        played[:, pelvis, :3, 3].copy(),
        None if source is None else source[:, pelvis, :3, 3].copy(),
        tuple(
            _foot(skeleton, sole, clearance, played)
            for sole, clearance in zip(parts.soles, parts.clearance, strict=True)
        ),
        None if source is None else _ghost(skeleton, parts.ghost, source),
        parts,
        tuple(_part(skeleton, part, played) for part in parts.others),
    )


def keep_trace(armature: bpy.types.Object, trace: Trace | Callable[[], Trace]) -> None:
    """Store a trace of what an armature plays now, or a function that makes it on demand.

    That function must not access Blender: it may be called while Blender draws.
    """
    kept = _traces.setdefault(armature.session_uid, {})
    kept.pop(_key(armature), None)
    kept[_key(armature)] = trace
    while len(kept) > KEPT:
        del kept[next(iter(kept))]


def trace_of(armature: bpy.types.Object) -> Trace | None:
    """The trace of what an armature plays now, None if none was made."""
    kept, key = _traces.get(armature.session_uid, {}), _key(armature)
    trace = kept.get(key)
    if trace is None or isinstance(trace, Trace):
        return trace
    kept[key] = made = trace()
    return made


def has_trace(armature: bpy.types.Object) -> bool:
    """Whether there is a trace of what an armature plays now; does not make it."""
    return _key(armature) in _traces.get(armature.session_uid, {})


def forget_traces() -> None:
    """Clear all: in another file the same numbers are other objects."""
    _traces.clear()


def playing(armature: bpy.types.Object) -> Playing:
    """Identifiers of the actions that move an armature: its own with the slot, and its strips'."""
    data = armature.animation_data
    if data is None:
        return ()
    own: Playing = (data.action.session_uid if data.action else 0,)
    if LAYERED_ACTIONS:
        own += (data.action_slot_handle,)
    if not data.use_nla or not data.nla_tracks:
        return own
    return own + tuple(
        strip.action.session_uid
        for track in data.nla_tracks
        if not track.mute
        for strip in track.strips
        if strip.action and not strip.mute
    )


def ghost_bones(armature: bpy.types.Object, skeleton: Skeleton) -> list[int]:
    """The bones of a stick figure: those that deform, without the controls; all if none does."""
    bones = armature.data.bones
    deforming = [i for i, name in enumerate(skeleton.names) if bones[name].use_deform]
    return deforming or list(range(len(skeleton)))


_traces: dict[int, dict[tuple[int, Playing], Trace | Callable[[], Trace]]] = {}


def _key(armature: bpy.types.Object) -> tuple[int, Playing]:
    return armature.bioik.baked.run, playing(armature)


def _foot(skeleton: Skeleton, sole: Sole, clearance: Floats, world: Floats) -> FootTrace:
    bones = [skeleton.index[place.bone] for place in sole.places]
    offsets = np.array([place.offset for place in sole.places])
    matrices = world[:, bones]
    points = np.einsum("fkij,kj->fki", matrices[..., :3, :3], offsets) + matrices[..., :3, 3]
    points[..., 2] -= clearance
    heel, _, tip = (place.bone for place in sole.places)
    return FootTrace(
        sole.name,
        (heel, sole.places[1].bone, tip),
        offsets,
        clearance,
        points,
        _aside(skeleton, sole, world),
    )


def _part(skeleton: Skeleton, part: TracedPart, world: Floats) -> FootTrace:
    """A part from the start to the end of its bone, as if it were a sole."""
    bone = skeleton.index[part.bone]
    start = world[:, bone, :3, 3]
    tail = start + world[:, bone, :3, 1] * skeleton.length[bone]
    end = tail if part.end is None else world[:, skeleton.index[part.end], :3, 3]
    points = np.stack([start, 0.5 * (start + end), end], axis=1)
    aside = np.cross([0.0, 0.0, 1.0], end - start)
    size = np.linalg.norm(aside, axis=-1, keepdims=True)
    aside = np.where(size > 0.0, aside / np.maximum(size, 1e-12), [1.0, 0.0, 0.0])
    none = np.zeros((3, 3))
    return FootTrace(part.name, (part.bone,) * 3, none, none[0], points, aside)


def _aside(skeleton: Skeleton, sole: Sole, world: Floats) -> Floats:
    """Across the sole and as level in the rest pose as it can be, carried by the foot's bone."""
    rest = skeleton.rest
    heel, tip = (
        (rest[skeleton.index[place.bone]] @ [*place.offset, 1.0])[:3]
        for place in (sole.places[0], sole.places[2])
    )
    foot = skeleton.index[sole.foot]
    hip = rest[skeleton.index[sole.bones[0]], :3, 3]
    # Up is along the leg if the foot's direction does not define it, because rigs may lie on any
    # side.
    across = np.cross(tip - heel, hip - heel)
    if np.linalg.norm(across) < 1e-9:
        across = rest[foot, :3, 0]
    local = rest[foot, :3, :3].T @ across
    aside = world[:, foot, :3, :3] @ local
    return np.asarray(aside / np.maximum(np.linalg.norm(aside, axis=-1, keepdims=True), 1e-12))


def _ghost(skeleton: Skeleton, bones: Sequence[int], world: Floats) -> Floats:
    """Both ends of each bone, and of lines that join bones apart from their parents' ends."""
    heads = world[..., :3, 3]
    tails = heads + world[..., :3, 1] * skeleton.length[:, None]
    ends = [np.stack([heads[:, b], tails[:, b]], axis=1) for b in bones]
    ends += [
        np.stack([(tails if at_tail else heads)[:, parent], heads[:, b]], axis=1)
        for b, parent, at_tail in _joins(skeleton, bones)
    ]
    if not ends:
        return np.zeros((len(world), 0, 2, 3), np.float32)
    return np.stack(ends, axis=1).astype(np.float32)


def _joins(skeleton: Skeleton, bones: Sequence[int]) -> Iterator[tuple[int, int, bool]]:
    """Bones apart from the next of the figure's bones above them, that one, and its nearer end."""
    among = set(bones)
    heads = skeleton.rest[:, :3, 3]
    tails = heads + skeleton.rest[:, :3, 1] * skeleton.length[:, None]
    for b in bones:
        parent = int(skeleton.parent[b])
        while parent >= 0 and parent not in among:
            parent = int(skeleton.parent[parent])
        if parent < 0:
            continue
        to_head, to_tail = (
            float(np.linalg.norm(heads[b] - ends[parent])) for ends in (heads, tails)
        )
        if min(to_head, to_tail) > APART * skeleton.height:
            yield b, parent, to_tail <= to_head
