"""F-curves, keys, actions and their slots: the only module that touches them.

From Blender 4.4 on an action holds F-curves per slot, in a channelbag; before, it held them itself.
A "container" is whichever of the two owns the F-curves of one data-block. Keys are read and written
in bulk. Blender stores frames and values in 32 bits: values come back within 1e-7 of their size.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import bpy
import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..transforms import Floats
from .bezier import Divided, divided

Channel = tuple[str, int]
Keys = dict[str, NDArray[Any]]

LAYERED_ACTIONS = bpy.app.version >= (4, 4, 0)

# All that a key has, as the columns of an array; co is frame and value.
PAIR_COLUMNS = ("co", "handle_left", "handle_right")
FLOAT_COLUMNS = ("amplitude", "back", "period")
ENUM_COLUMNS = ("handle_left_type", "handle_right_type", "interpolation", "easing", "type")
FLAG_COLUMNS = ("select_control_point", "select_left_handle", "select_right_handle")
# Properties of a keyframe for the segment after it.
SEGMENT_COLUMNS = ("interpolation", "easing", *FLOAT_COLUMNS)

# Two keys closer than this many frames are one key to Blender.
SAME_FRAME = 0.01
# A value this close to a curve, as a part of it, lies on it.
ON_CURVE = 1e-5
# Below this many frames evaluating one by one is quicker than copying an action.
FEW_FRAMES = 8


# Actions, slots and containers


def assigned_slot(owner: bpy.types.ID) -> bpy.types.ActionSlot | None:
    """The slot of its action that a data-block uses; None without one, and before Blender 4.4."""
    data = owner.animation_data
    return data.action_slot if LAYERED_ACTIONS and data and data.action else None


def assigned_container(owner: bpy.types.ID) -> bpy.types.ID | None:
    """The F-curves that animate a data-block through its active action, or None."""
    data = owner.animation_data
    if data is None or data.action is None:
        return None
    return container_of(data.action, assigned_slot(owner))


def container_of(
    action: bpy.types.Action, slot: bpy.types.ActionSlot | None
) -> bpy.types.ID | None:
    """The F-curves of an action's slot, or None where it has none."""
    if not LAYERED_ACTIONS:
        return action
    if slot is None or not action.layers or not action.layers[0].strips:
        return None
    return action.layers[0].strips[0].channelbag(slot)


def matching_slot(
    action: bpy.types.Action, slot: bpy.types.ActionSlot | None
) -> bpy.types.ActionSlot | None:
    """The slot of an action that has the identifier of a slot of another one."""
    if slot is None:
        return None
    return next((own for own in action.slots if own.identifier == slot.identifier), None)


def ensure_slot(action: bpy.types.Action, owner: bpy.types.ID) -> bpy.types.ActionSlot | None:
    """The slot of an action made for a data-block, created if missing; None before Blender 4.4."""
    if not LAYERED_ACTIONS:
        return None
    if owner.animation_data and owner.animation_data.action == action and assigned_slot(owner):
        return assigned_slot(owner)
    for slot in action.slots:
        if slot.target_id_type == owner.id_type and slot.name_display == owner.name:
            return slot
    return new_slot(action, owner)


def new_slot(action: bpy.types.Action, owner: bpy.types.ID) -> bpy.types.ActionSlot | None:
    """An empty slot of an action for a data-block; None before Blender 4.4."""
    if not LAYERED_ACTIONS:
        return None
    return action.slots.new(id_type=owner.id_type, name=owner.name)


def ensure_container(action: bpy.types.Action, slot: bpy.types.ActionSlot | None) -> bpy.types.ID:
    """The F-curves of an action's slot, with layer, strip and channelbag created if missing."""
    if not LAYERED_ACTIONS:
        return action
    layer = action.layers[0] if action.layers else action.layers.new("Layer")
    strip = layer.strips[0] if layer.strips else layer.strips.new(type="KEYFRAME")
    return strip.channelbag(slot, ensure=True)


def new_action(name: str, owner: bpy.types.ID) -> bpy.types.Action:
    """An empty action with a slot for a data-block."""
    action = bpy.data.actions.new(name)
    ensure_container(action, ensure_slot(action, owner))
    return action


def copy_action(action: bpy.types.Action, name: str) -> bpy.types.Action:
    """A copy of an action with all its slots; linked ones become local."""
    copy = action.copy()
    copy.name = name
    return copy


def assign_action(
    owner: bpy.types.ID, action: bpy.types.Action | None, slot: bpy.types.ActionSlot | None = None
) -> None:
    """Make an action, and a slot of it, the active ones of a data-block."""
    data = owner.animation_data or owner.animation_data_create()
    data.action = action
    if LAYERED_ACTIONS and action is not None and slot is not None:
        data.action_slot = slot


def add_strip(
    track: bpy.types.NlaTrack,
    name: str,
    action: bpy.types.Action,
    slot: bpy.types.ActionSlot | None,
    start: float,
    end: float,
) -> bpy.types.NlaStrip:
    """Add a strip that plays the frames from start to end of an action at these same frames."""
    strip = track.strips.new(name, int(np.floor(start)), action)
    if LAYERED_ACTIONS:
        strip.action_slot = slot  # also none, where Blender has chosen one of that name
    strip.use_auto_blend = False
    strip.use_sync_length = False
    # Each setter clips against the others: first the widest bounds, then the exact ones.
    for _ in range(2):
        strip.action_frame_start, strip.action_frame_end = start, end
        strip.frame_start, strip.frame_end = start, end
    strip.scale = 1.0
    strip.repeat = 1.0
    return strip


def strip_container(strip: bpy.types.NlaStrip) -> bpy.types.ID | None:
    """The F-curves that an NLA strip plays, or None."""
    if strip.action is None:
        return None
    return container_of(strip.action, strip.action_slot if LAYERED_ACTIONS else None)


# F-curves


def curves_by_channel(container: bpy.types.ID | None) -> dict[Channel, bpy.types.FCurve]:
    """The F-curves of a container by data path and array index."""
    if container is None:
        return {}
    return {(curve.data_path, curve.array_index): curve for curve in container.fcurves}


def ensure_curve(
    container: bpy.types.ID, data_path: str, index: int, group: str = ""
) -> bpy.types.FCurve:
    """The F-curve of a channel, created in a group if missing."""
    curve = container.fcurves.find(data_path, index=index)
    if curve is not None:
        return curve
    if isinstance(container, bpy.types.Action):
        return container.fcurves.new(data_path, index=index, action_group=group)
    curve = container.fcurves.new(data_path, index=index)
    if group:
        curve.group = container.groups.get(group) or container.groups.new(group)
    return curve


def acts(curve: bpy.types.FCurve, *, in_strip: bool = False) -> bool:
    """Whether Blender evaluates an F-curve: not muted, not empty, its path not known as broken.

    From Blender 4.4 on a muted group silences its curves only where an NLA strip plays them.
    """
    group_counts = in_strip or not LAYERED_ACTIONS
    group_muted = group_counts and curve.group is not None and curve.group.mute
    return not (curve.mute or group_muted or curve.is_empty) and curve.is_valid


def has_acting_modifiers(curve: bpy.types.FCurve) -> bool:
    """Whether an F-curve's value may differ from that of its keys."""
    return any(not modifier.mute for modifier in curve.modifiers)


def remove_curves(container: bpy.types.ID, data_paths: Collection[str]) -> int:
    """Remove the F-curves of some data paths, and groups left empty by that; how many curves."""
    doomed = [curve for curve in container.fcurves if curve.data_path in data_paths]
    return _remove_with_groups(container, doomed)


def _remove_with_groups(container: bpy.types.ID, doomed: Sequence[bpy.types.FCurve]) -> int:
    """Remove F-curves, and groups left empty by that; how many curves."""
    groups = {curve.group.name for curve in doomed if curve.group is not None}
    for curve in doomed:
        container.fcurves.remove(curve)
    for name in groups:
        # A channelbag removes its empty groups by itself, an action without slots does not.
        group = container.groups.get(name)
        if group is not None and not len(group.channels):
            container.groups.remove(group)
    return len(doomed)


def remove_empty_curves(container: bpy.types.ID, curves: Iterable[bpy.types.FCurve]) -> int:
    """Remove those of a container's F-curves that have no keys, samples or modifiers; how many."""
    empty = [
        curve
        for curve in curves
        if not (len(curve.keyframe_points) or len(curve.sampled_points) or len(curve.modifiers))
    ]
    for curve in empty:
        container.fcurves.remove(curve)
    return len(empty)


# Reading


def read_keys(curve: bpy.types.FCurve) -> Keys:
    """All properties of all keys of an F-curve, as arrays by property name."""
    return {name: _column(curve, name) for name in _all_columns()}


def key_frames(curve: bpy.types.FCurve) -> Floats:
    """Frames of an F-curve's keys."""
    return _column(curve, "co")[:, 0].astype(float)


def sample_curves(
    container: bpy.types.ID | None,
    frames: ArrayLike,
    wanted: Callable[[str], bool] | None = None,
) -> dict[Channel, Floats]:
    """Values at some frames of every F-curve of a container that acts, by channel.

    Where each frame has a key the keys are read; curves with sparse keys or modifiers are sampled
    by Blender, in bulk for whole frames and one by one between frames. With `wanted` only curves
    are read whose data path it accepts. Curves of samples instead of keys are sampled one by one.
    """
    at = np.asarray(frames, float)
    result: dict[Channel, Floats] = {}
    sparse: list[tuple[int, Channel]] = []
    if container is None:
        return result
    for i, curve in enumerate(container.fcurves):
        path = curve.data_path
        if (wanted is not None and not wanted(path)) or not acts(curve):
            continue
        channel = path, curve.array_index
        values = _values_of_keys(curve, at)
        if values is None and len(curve.sampled_points):
            values = _evaluated(curve, at)
        if values is None:
            sparse.append((i, channel))
        else:
            result[channel] = values
    if sparse and _worth_a_copy(at):
        result.update(_samples_of_copy(container, sparse, at))
    else:
        for i, channel in sparse:
            result[channel] = _evaluated(container.fcurves[i], at)
    return result


# Writing


def make_keys_of_samples(curve: bpy.types.FCurve) -> None:
    """Give an F-curve that holds samples a key for each of them, as Blender's own menu does."""
    count = len(curve.sampled_points)
    if count:
        start = int(curve.sampled_points[0].co[0])
        curve.convert_to_keyframes(start, start + count)


def write_keys(
    curve: bpy.types.FCurve,
    frames: ArrayLike,
    values: ArrayLike,
    *,
    interpolation: str = "LINEAR",
    key_type: str = "GENERATED",
    handle_type: str = "AUTO_CLAMPED",
    slopes: ArrayLike | None = None,
) -> None:
    """Give an F-curve these keys and no others; frames ascending.

    With slopes for each frame they lie on a Bezier curve, with aligned handles at a third of the
    way to the next keys.
    """
    points = curve.keyframe_points
    points.clear()
    keys = _new_keys(frames, values, interpolation, key_type, handle_type, slopes)
    points.add(len(keys["co"]))
    for name, column in keys.items():
        points.foreach_set(name, column.ravel())
    curve.update()
    for name in PAIR_COLUMNS[1:]:
        if name in keys:
            points.foreach_set(name, keys[name].ravel())


def replace_keys(
    curve: bpy.types.FCurve,
    start: float,
    end: float,
    frames: ArrayLike,
    values: ArrayLike,
    *,
    interpolation: str = "LINEAR",
    key_type: str = "GENERATED",
    handle_type: str = "AUTO_CLAMPED",
    slopes: ArrayLike | None = None,
) -> None:
    """Replace the keyframes between two frames; all others stay unchanged.

    The last new key takes over the interpolation towards the next key that was there. Where the
    first or last new key lies on the old curve, the curve beyond it keeps its shape: it is divided
    there, which shortens the handle that reaches in from the key outside. For `slopes`, see
    `write_keys`.
    """
    inside = _within(key_frames(curve), start, end)
    if inside.all():
        write_keys(
            curve,
            frames,
            values,
            interpolation=interpolation,
            key_type=key_type,
            handle_type=handle_type,
            slopes=slopes,
        )
        return
    old = read_keys(curve)
    before = old["co"][:, 0] < start - SAME_FRAME
    after = ~inside & ~before
    new = _like(old, _new_keys(frames, values, interpolation, key_type, handle_type, slopes))
    until_end = np.flatnonzero(~after)
    if after.any() and len(until_end) and len(new["co"]):
        for name in SEGMENT_COLUMNS:
            new[name][-1] = old[name][until_end[-1]]
    joined = {
        name: np.concatenate([old[name][before], new[name], old[name][after]]) for name in old
    }
    ends = int(before.sum()), int(before.sum()) + len(new["co"])
    left, right = _keep_shape_outside(old, joined, ends)
    if slopes is not None:
        left[ends[0] : ends[1]] = right[ends[0] : ends[1]] = True
    set_keys(curve, joined, left, right)


def restore_curves(
    container: bpy.types.ID, original: bpy.types.ID | None, data_paths: Collection[str]
) -> None:
    """Give some data paths of a container exactly the keys, or samples, of another container."""
    there = curves_by_channel(original)
    wanted = {channel: curve for channel, curve in there.items() if channel[0] in data_paths}
    doomed = [
        curve
        for channel, curve in curves_by_channel(container).items()
        if channel[0] in data_paths and channel not in wanted
    ]
    _remove_with_groups(container, doomed)
    for (path, index), curve in wanted.items():
        group = curve.group.name if curve.group is not None else ""
        restore_keys(ensure_curve(container, path, index, group), curve)


def put_back_keys(
    container: bpy.types.ID,
    original: bpy.types.ID | None,
    data_paths: Collection[str],
    start: float,
    end: float,
) -> None:
    """Add the keys that another container has from frame start to end, where there are none."""
    for (path, index), source in curves_by_channel(original).items():
        keys = read_keys(source) if path in data_paths else {}
        inside = _within(keys["co"][:, 0], start, end) if keys else np.zeros(0, bool)
        if not inside.any():
            continue
        group = source.group.name if source.group is not None else ""
        curve = ensure_curve(container, path, index, group)
        there = read_keys(curve)
        inside &= ~np.isin(keys["co"][:, 0], there["co"][:, 0])
        joined = {name: np.concatenate([there[name], keys[name][inside]]) for name in keys}
        order = np.argsort(joined["co"][:, 0], kind="stable")
        set_keys(curve, {name: column[order] for name, column in joined.items()})


def restore_keys(curve: bpy.types.FCurve, original: bpy.types.FCurve) -> None:
    """Give an F-curve exactly the keys, or samples, of another one."""
    count = len(original.sampled_points)
    if not count:
        set_keys(curve, read_keys(original))
        curve.extrapolation = original.extrapolation
        return
    samples = np.empty(2 * count, np.float32)
    original.sampled_points.foreach_get("co", samples)
    frames, values = samples.reshape(-1, 2).T
    make_keys_of_samples(curve)
    write_keys(curve, frames, values)
    curve.convert_to_samples(int(frames[0]), int(frames[0]) + count)


def set_keys(
    curve: bpy.types.FCurve,
    keys: Keys,
    exact_left: NDArray[np.bool_] | None = None,
    exact_right: NDArray[np.bool_] | None = None,
) -> None:
    """Set all keys of an F-curve; those marked exact (default: all) keep the handles given."""
    points = curve.keyframe_points
    points.clear()
    points.add(len(keys["co"]))
    for name, column in keys.items():
        points.foreach_set(name, column.ravel())
    # Blender recalculates automatic handles here, also of keys next to ones that moved.
    curve.update()
    for name, exact in (("handle_left", exact_left), ("handle_right", exact_right)):
        handles = _column(curve, name)
        chosen = slice(None) if exact is None else exact
        handles[chosen] = keys[name][chosen]
        points.foreach_set(name, handles.ravel())


def delete_keys(
    curve: bpy.types.FCurve, start: float, end: float, key_type: str | None = None
) -> int:
    """Delete the keys from frame start to end, only those of a type if one is given; how many.

    The keys that stay keep every property they have.
    """
    frames = key_frames(curve)
    doomed = _within(frames, start, end)
    if key_type is not None:
        doomed &= _column(curve, "type") == _enum_value("type", key_type)
    if doomed.any():
        left = {name: column[~doomed] for name, column in read_keys(curve).items()}
        set_keys(curve, left)
    return int(doomed.sum())


def generated_keys(curve: bpy.types.FCurve, start: float, end: float) -> tuple[int, int]:
    """How many keys of type Generated an F-curve has in a range, and how many outside of it."""
    generated = _column(curve, "type") == _enum_value("type", "GENERATED")
    inside = generated & _within(key_frames(curve), start, end)
    return int(inside.sum()), int(generated.sum() - inside.sum())


def delete_generated_keys(container: bpy.types.ID, start: float, end: float) -> int:
    """Delete keys of type Generated in a range, and F-curves left empty; how many keys."""
    touched = []
    total = 0
    for curve in container.fcurves:
        count = delete_keys(curve, start, end, "GENERATED")
        if count:
            touched.append(curve)
            total += count
    remove_empty_curves(container, touched)
    return total


def _all_columns() -> tuple[str, ...]:
    return PAIR_COLUMNS + FLOAT_COLUMNS + ENUM_COLUMNS + FLAG_COLUMNS


def _column(curve: bpy.types.FCurve, name: str) -> NDArray[Any]:
    points = curve.keyframe_points
    if name in PAIR_COLUMNS:
        pairs = np.empty(2 * len(points), np.float32)
        points.foreach_get(name, pairs)
        return pairs.reshape(-1, 2)
    values: NDArray[Any]
    if name in FLOAT_COLUMNS:
        values = np.empty(len(points), np.float32)
    elif name in ENUM_COLUMNS:
        values = np.empty(len(points), np.int32)
    else:
        values = np.empty(len(points), bool)
    points.foreach_get(name, values)
    return values


def _enum_value(name: str, identifier: str) -> int:
    """The number of an enumeration's item in bulk reading and writing."""
    return int(bpy.types.Keyframe.bl_rna.properties[name].enum_items[identifier].value)


def _new_keys(
    frames: ArrayLike,
    values: ArrayLike,
    interpolation: str,
    key_type: str,
    handle_type: str,
    slopes: ArrayLike | None,
) -> Keys:
    if slopes is not None:
        interpolation, handle_type = "BEZIER", "ALIGNED"
    co = np.stack([np.asarray(frames, np.float32), np.asarray(values, np.float32)], axis=1)
    choices = {
        "interpolation": interpolation,
        "type": key_type,
        "handle_left_type": handle_type,
        "handle_right_type": handle_type,
    }
    handles = {} if slopes is None else _handles(frames, values, slopes)
    return (
        {"co": co}
        | handles
        | {
            name: np.full(len(co), _enum_value(name, choice), np.int32)
            for name, choice in choices.items()
        }
    )


def _handles(frames: ArrayLike, values: ArrayLike, slopes: ArrayLike) -> Keys:
    """Handles along slopes, at a third of the way to the keys on both sides."""
    at, slope = np.asarray(frames, float), np.asarray(slopes, float)
    way = np.diff(at) / 3.0 if len(at) > 1 else np.ones(1)
    found = {}
    for name, sign, lengths in (
        ("handle_left", -1.0, [way[0], *way[: len(at) - 1]]),
        ("handle_right", 1.0, [*way[: len(at) - 1], way[-1]]),
    ):
        step = sign * np.array(lengths)
        pairs = [at + step, np.asarray(values, float) + step * slope]
        found[name] = np.stack(pairs, axis=1).astype(np.float32)
    return found


def _like(old: Keys, new: Mapping[str, NDArray[Any]]) -> Keys:
    """New keyframes with the columns of old ones, filled with Blender's defaults."""
    co = new["co"]
    defaults = {"back": 1.70158, "amplitude": 0.8, "period": 4.1}
    filled: Keys = {}
    for name, column in old.items():
        if name in new:
            filled[name] = new[name]
        elif name in PAIR_COLUMNS:
            filled[name] = co.copy()
        else:
            filled[name] = np.full(len(co), defaults.get(name, 0), column.dtype)
    return filled


def _keep_shape_outside(
    old: Keys, joined: Keys, ends: tuple[int, int]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Set the handles on both sides of new keys so that the curve outside of them keeps its shape.

    Args:
        old: The previous keyframes.
        joined: The wanted keyframes; modified in place.
        ends: Index of the first new key among them, and of the first one after the new keys.

    Returns:
        For the left and for the right handles of all keys, whether they are given exactly.
    """
    first, beyond = ends
    left = np.ones(len(joined["co"]), bool)
    left[first:beyond] = False
    right = left.copy()
    if first == beyond:
        return left, right
    free = _enum_value("handle_left_type", "FREE")
    if first > 0:
        parts = _divided(old, first - 1, joined["co"][first])
        if parts is not None:
            joined["handle_right"][first - 1], joined["handle_left"][first] = parts.before[1:3]
            joined["handle_left_type"][first], left[first] = free, True
    if beyond < len(left):
        parts = _divided(old, len(old["co"]) - (len(left) - beyond) - 1, joined["co"][beyond - 1])
        if parts is not None:
            joined["handle_right"][beyond - 1], joined["handle_left"][beyond] = parts.after[1:3]
            joined["handle_right_type"][beyond - 1], right[beyond - 1] = free, True
    return left, right


def _divided(keys: Keys, at: int, point: NDArray[Any]) -> Divided | None:
    """The piece of curve from a key to the next one, divided at a point.

    None if that is no Bezier piece, or if the point does not lie on it.
    """
    if not 0 <= at < len(keys["co"]) - 1:
        return None
    if keys["interpolation"][at] != _enum_value("interpolation", "BEZIER"):
        return None
    start, end = keys["co"][at], keys["co"][at + 1]
    if not start[0] - SAME_FRAME <= point[0] <= end[0] + SAME_FRAME:
        return None
    piece = np.array([start, keys["handle_right"][at], keys["handle_left"][at + 1], end], float)
    parts = divided(piece, float(point[0]))
    return parts if np.isclose(parts.after[0, 1], point[1], ON_CURVE, ON_CURVE) else None


def _within(frames: Floats, start: float, end: float) -> NDArray[np.bool_]:
    return (frames >= start - SAME_FRAME) & (frames <= end + SAME_FRAME)


def _values_of_keys(curve: bpy.types.FCurve, frames: Floats) -> Floats | None:
    """Values of the keys at some frames; None if one has no key or modifiers change it."""
    count = len(curve.keyframe_points)
    if count == 0 or count < len(frames) or has_acting_modifiers(curve):
        return None
    co = _column(curve, "co")
    at = np.minimum(np.searchsorted(co[:, 0], frames.astype(np.float32)), count - 1)
    if not np.array_equal(co[at, 0], frames.astype(np.float32)):
        return None
    return co[at, 1].astype(float)


def _evaluated(curve: bpy.types.FCurve, frames: Floats) -> Floats:
    return np.array([curve.evaluate(frame) for frame in frames], float)


def _worth_a_copy(frames: Floats) -> bool:
    whole = len(frames) > FEW_FRAMES and np.array_equal(frames, np.round(frames))
    return bool(whole and np.ptp(frames) < 4 * len(frames))


def _samples_of_copy(
    container: bpy.types.ID, curves: list[tuple[int, Channel]], frames: Floats
) -> dict[Channel, Floats]:
    """Whole frames of F-curves, sampled by Blender on a copy of their action."""
    start, end = int(frames.min()), int(frames.max())
    rows = (frames - start).astype(int)
    samples = np.empty(2 * (end - start + 1), np.float32)
    result = {}
    with _throwaway_copy(container) as copy:
        for i, channel in curves:
            curve = copy.fcurves[i]
            curve.convert_to_samples(start, end + 1)
            curve.sampled_points.foreach_get("co", samples)
            result[channel] = samples[1::2][rows].astype(float)
    return result


@contextmanager
def _throwaway_copy(container: bpy.types.ID) -> Any:
    """The same container in a copy of its action, removed afterwards."""
    action = container.id_data
    copy = action.copy()
    try:
        slot = matching_slot(copy, container.slot) if LAYERED_ACTIONS else None
        yield container_of(copy, slot)
    finally:
        bpy.data.actions.remove(copy)
