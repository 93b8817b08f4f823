"""Results: actions that were baked, and what each was made from.

What a result is, is on its action (`Action.bioik`); its source is on the armature, by a key
(`Object.bioik.sources`), also on copies of it.
Files of older versions have this for the last bake of an armature only (`Object.bioik.baked`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from typing import Any

import bpy

from ..blender import fcurves
from ..errors import RigError

# Output of actions that hold values below a layer.
HELD = "HELD"


@dataclass(frozen=True)
class Kept:
    """What else is needed to give a source back.

    Attributes:
        slot: Identifier of the slot that the source was played with, empty for none; None if that
            is not known.
        fake_user: Whether the source had a fake user.
        use_nla: Whether the NLA was evaluated.
        held: Values of properties that got keyframes and have none in the source, by data path.
        muted: Constraints that were muted, each with its bone.
        written: Data paths of the keyframes.
    """

    slot: str | None = None
    fake_user: bool = True
    use_nla: bool = True
    held: Mapping[str, Sequence[float]] = field(default_factory=dict)
    muted: Sequence[tuple[str, str]] = ()
    written: Sequence[str] = ()

    def to_text(self) -> str:
        """All of it as JSON."""
        return json.dumps(asdict(self), separators=(",", ":"))


@dataclass(frozen=True)
class Result:
    """A result that an armature plays.

    Attributes:
        action: The action with the generated keyframes.
        source: The action that it was made from; None if there was none, or it was deleted.
        source_name: Name of the source at that time; empty if there was none.
        output: Where the keyframes were written.
        feet: Whether feet were placed.
        kept: What else is needed to give the source back.
    """

    action: bpy.types.Action
    source: bpy.types.Action | None
    source_name: str
    output: str
    feet: bool
    kept: Kept

    @property
    def name(self) -> str:
        """Name of the source, also of one that was deleted; empty if there was none."""
        return self.source.name if self.source is not None else self.source_name

    @property
    def is_lost(self) -> bool:
        """Whether its source was deleted."""
        return self.source is None and bool(self.source_name)


def played_result(armature_object: bpy.types.Object) -> Result | None:
    """The result that an armature plays, also as a muted layer; None if it plays a source."""
    data = armature_object.animation_data
    if data is None:
        return None
    own = data.action
    if own is not None and own.bioik.output in ("NEW_ACTION", "IN_PLACE"):
        return result_of(armature_object, own)
    for _, strip in reversed(list(own_strips(data))):
        if strip.action is not None and strip.action.bioik.output == "LAYER":
            return result_of(armature_object, strip.action)
    return _made_by_older_version(armature_object)


def hidden_result(armature_object: bpy.types.Object) -> Result | None:
    """The result that is kept while its source plays; None if a result plays, or there is none."""
    result, data = played_result(armature_object), armature_object.animation_data
    if result is not None:
        return result if result.output == "LAYER" and _is_muted(data, result.action) else None
    action = armature_object.bioik.baked.result
    if action is None or data is None or action.bioik.output != "NEW_ACTION" or is_played(action):
        return None
    if source_of(action, armature_object) != data.action:
        return None
    return result_of(armature_object, action)


def _is_muted(data: bpy.types.AnimData, layer: bpy.types.Action) -> bool:
    """Whether the topmost strip of a layer has no effect."""
    mutes = [bool(t.mute or strip.mute) for t, strip in own_strips(data) if strip.action == layer]
    return bool(mutes) and mutes[-1]


def result_of(armature_object: bpy.types.Object, action: bpy.types.Action) -> Result:
    """A result by its action."""
    mark, source = action.bioik, source_of(action, armature_object)
    return Result(action, source, mark.source_name, mark.output, mark.feet, _kept_of(mark.kept))


def source_problem(armature_object: bpy.types.Object) -> str:
    """Why the source of an armature is not known, and the way out; empty if it is."""
    result = played_result(armature_object)
    if result is not None and result.is_lost:
        return (
            f'The source "{result.source_name}" of this result was deleted: undo that, assign '
            "another action, or press Use Result as Source."
        )
    data = armature_object.animation_data
    for _, strip in own_strips(data) if data is not None and result is None else ():
        made = strip.action
        if made is not None and not strip.mute and made.bioik.output in ("NEW_ACTION", "IN_PLACE"):
            return (
                f'The result "{made.name}" plays in an NLA strip: make it the active action again, '
                "or press Use Result as Source."
            )
    return ""


def refuse_unknown_source(armature_object: bpy.types.Object) -> None:
    """Refuse a result whose source is not known.

    Raises:
        RigError: Says why.
    """
    if problem := source_problem(armature_object):
        raise RigError(problem)


def earlier_result(
    armature_object: bpy.types.Object, source: bpy.types.Action | None, name: str
) -> bpy.types.Action | None:
    """The new action that was made from a source before, if nothing plays it any more.

    Args:
        armature_object: The armature, which plays the source.
        source: The source.
        name: The name that a new result would get.
    """
    for found in (armature_object.bioik.baked.result, bpy.data.actions.get(name)):
        if (
            source is not None
            and found is not None
            and found.library is None
            and not found.use_fake_user  # kept by the animator
            and found.bioik.output == "NEW_ACTION"
            and source_of(found, armature_object) == source
            and not is_played(found)
        ):
            return found
    return None


def source_of(
    action: bpy.types.Action, armature_object: bpy.types.Object
) -> bpy.types.Action | None:
    """The source of a result, as an armature knows it, or else any other one."""
    key = action.bioik.key
    if not action.bioik.output or not key:
        return None
    for owner in (armature_object, *bpy.data.objects):
        known = owner.bioik.sources.get(key) if owner.type == "ARMATURE" else None
        if known is not None:
            return known.action
    return None


def mark_result(
    armature_object: bpy.types.Object,
    action: bpy.types.Action,
    source: bpy.types.Action | None,
    output: str,
    kept: Kept,
    *,
    feet: bool,
) -> None:
    """Note on an action, and on its armature, what it was made from."""
    _forget_unused(armature_object)
    sources = armature_object.bioik.sources
    key = action.name
    while key in sources:
        key += "'"
    entry = sources.add()
    entry.name, entry.action = key, source
    mark = action.bioik
    mark.key, mark.source_name = key, source.name if source is not None else ""
    mark.output, mark.feet, mark.kept = output, feet, kept.to_text()


def unmark(action: bpy.types.Action) -> None:
    """Make a result an action like any other."""
    for prop in action.bioik.bl_rna.properties:
        if prop.identifier not in ("rna_type", "name"):
            action.bioik.property_unset(prop.identifier)


def forget_source(armature_object: bpy.types.Object, key: str) -> None:
    """Remove what an armature knows under a key."""
    sources = armature_object.bioik.sources
    if key in sources:
        sources.remove(sources.find(key))


def _forget_unused(armature_object: bpy.types.Object) -> None:
    """Remove sources whose results no longer exist."""
    used = {action.bioik.key for action in bpy.data.actions}
    for key in [entry.name for entry in armature_object.bioik.sources]:
        if key not in used:
            forget_source(armature_object, key)


def source_slot(armature_object: bpy.types.Object, result: Result) -> Any:
    """The slot of a result's source that its armature used; None for none, and before Blender 4.4.

    Where it is not known, it is the one with the identifier of the present slot.
    """
    if result.source is None or not fcurves.LAYERED_ACTIONS:
        return None
    wanted = result.kept.slot
    if wanted is None:
        wanted = slot_identifier(armature_object)
    return next((slot for slot in result.source.slots if slot.identifier == wanted), None)


def slot_identifier(armature_object: bpy.types.Object) -> str:
    """Identifier of the slot that an armature uses; empty if there is none."""
    slot = fcurves.assigned_slot(armature_object)
    return slot.identifier if slot is not None else ""


def own_strips(
    data: bpy.types.AnimData,
) -> Iterator[tuple[bpy.types.NlaTrack, bpy.types.NlaStrip]]:
    """All strips of an object with their tracks, from the lowest up, muted ones included."""
    return ((track, strip) for track in data.nla_tracks for strip in track.strips)


def is_played(action: bpy.types.Action) -> bool:
    """Whether any object has an action as its own, or in a strip."""
    return any(
        data.action == action or any(strip.action == action for _, strip in own_strips(data))
        for data in (object_.animation_data for object_ in bpy.data.objects)
        if data is not None
    )


@lru_cache(maxsize=64)
def _kept_of(text: str) -> Kept:
    """What was kept; text that is broken or foreign says nothing. Panels ask at every redraw."""
    try:
        content = json.loads(text)
        muted = [(bone, name) for bone, name in content.pop("muted")]
        return Kept(**content, muted=muted)
    except (ValueError, KeyError, TypeError, AttributeError):
        return Kept()


def _made_by_older_version(armature_object: bpy.types.Object) -> Result | None:
    baked, data = armature_object.bioik.baked, armature_object.animation_data
    action, source = baked.result, baked.source
    if action is None or source is None or action.bioik.output or action == source:
        return None
    output = "NEW_ACTION" if data.action == action else ""
    if any(strip.action == action for _, strip in own_strips(data)):
        output = output or "LAYER"
    if not output:
        return None
    kept, feet = _kept_of_older(baked.inputs)
    if feet is None:
        feet = "bioik.foot_report" in armature_object.bioik.bake.report
    return Result(action, source, source.name, output, feet, kept)


@lru_cache(maxsize=8)
def _kept_of_older(inputs: str) -> tuple[Kept, bool | None]:
    """What an older version kept, and whether feet were placed; None if that is not known."""
    try:
        content = json.loads(inputs)
        kept = Kept(held=content["held"], muted=[(bone, name) for bone, name in content["muted"]])
        return kept, bool(content["feet"])
    except (ValueError, KeyError, TypeError):
        return Kept(), None
