"""Where baked keys go: a new action, the action in place, or an NLA layer over it.

Each output has a check that raises before anything is changed; a bake calls it before it solves,
and writing calls it again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

import bpy
import numpy as np

from ..blender import fcurves
from ..blender.fcurves import Channel
from ..clip.curve_only import bone_path
from ..errors import RigError
from ..transforms import Floats
from .keys import NLA_DEFAULTS, ChannelKeys
from .results import HELD, source_of

# A new action, the action in place, or a layer.
Output = Literal["NEW_ACTION", "IN_PLACE", "LAYER"]
SUFFIX = "_bioik"
# F-curve modifiers that do nothing between the first and the last key.
OUTSIDE_MODIFIERS = {"CYCLES"}
# A key farther from an F-curve than this changes it visibly: radians, metres or parts of a size.
OFF_CURVE = 1e-3
# A strip of no length would be made one frame long by Blender.
SHORTEST_STRIP = 0.01


def check_output(
    armature_object: bpy.types.Object, output: Output, channels: Sequence[ChannelKeys] = ()
) -> None:
    """Refuse what could not be written; with the channels if they are known.

    Raises:
        RigError: It cannot be written; says how to fix it.
    """
    if output == "LAYER":
        check_layer(armature_object)
    elif output == "IN_PLACE":
        check_in_place(armature_object, channels)
    else:
        check_new_action(armature_object, channels)


def check_new_action(
    armature_object: bpy.types.Object, channels: Sequence[ChannelKeys] = ()
) -> None:
    """Refuse an armature that a new action cannot be assigned to; checks the channels if known.

    Raises:
        RigError: Gives the reason.
    """
    _refuse_linked_object(armature_object)
    _refuse_tweak_mode(armature_object)
    _refuse_blended_action(armature_object)
    for keys, curve in _existing(armature_object, channels):
        if curve.group is not None and curve.group.mute:
            raise RigError(
                f'The channel group "{curve.group.name}" is muted, so keyframes for '
                f'"{keys.group}" would have no effect: unmute it first.'
            )


def check_in_place(armature_object: bpy.types.Object, channels: Sequence[ChannelKeys] = ()) -> None:
    """Refuse an action that cannot be changed in place; checks the channels if known.

    Raises:
        RigError: Gives the reason.
    """
    check_new_action(armature_object, channels)
    data = armature_object.animation_data
    if data is None or data.action is None:
        raise RigError(
            f'"{armature_object.name}" has no action to change in place: bake to a new action.'
        )
    if data.action.library is not None:
        raise RigError(
            f'The action "{data.action.name}" is linked from "{data.action.library.filepath}": '
            "bake to a new action, or make it local."
        )
    for keys, curve in _existing(armature_object, channels):
        bone, action = keys.group, data.action.name
        if curve.mute:
            raise RigError(
                f'An F-curve of "{bone}" in the action "{action}" is muted: bake to a new action, '
                "or unmute it."
            )
        if curve.lock or (curve.group is not None and curve.group.lock):
            raise RigError(
                f'An F-curve of "{bone}" in the action "{action}" is locked: bake to a new action, '
                "or unlock it."
            )
        if _disturbing(curve):
            modifier = _disturbing(curve)[0]
            kind = modifier.bl_rna.properties["type"].enum_items[modifier.type].name
            raise RigError(
                f'An F-curve of "{bone}" in the action "{action}" has a modifier, {kind}, that '
                "would change the baked keyframes: bake to a new action, or remove the modifier."
            )


def check_layer(armature_object: bpy.types.Object) -> None:
    """Refuse an NLA that cannot have a layer on top.

    Raises:
        RigError: Gives the reason.
    """
    check_new_action(armature_object)
    data = armature_object.animation_data
    if data is None:
        return
    for track in data.nla_tracks:
        if track.is_solo:
            raise RigError(
                f'The NLA track "{track.name}" is solo, so a layer above it would not be '
                "evaluated: disable Solo."
            )
    _refuse_partial_quaternions(armature_object)
    if not data.use_nla and len(data.nla_tracks):
        raise RigError(
            f'The NLA of "{armature_object.name}" is disabled: enable it, or bake to a new action.'
        )


def refuse_changes(armature_object: bpy.types.Object) -> None:
    """Refuse an armature whose animation data cannot be changed.

    Raises:
        RigError: Gives the reason.
    """
    _refuse_linked_object(armature_object)
    _refuse_tweak_mode(armature_object)


def write_new_action(
    armature_object: bpy.types.Object,
    frames: Floats,
    channels: Sequence[ChannelKeys],
    name: str = "",
) -> bpy.types.Action:
    """Insert keyframes into a copy of the active action, and assign it.

    The source is unchanged and gets a fake user. Keyframes outside the frames stay in the copy.
    F-curve modifiers that would change the new keys are muted, muted F-curves start anew. Without a
    name, the copy is `<source>_bioik`.
    """
    check_new_action(armature_object, channels)
    _refuse_no_frames(frames)
    data = armature_object.animation_data
    source = data.action if data else None
    if source is None:
        action = fcurves.new_action(name or output_name(armature_object), armature_object)
        slot = fcurves.ensure_slot(action, armature_object)
    else:
        action = fcurves.copy_action(source, name or output_name(armature_object))
        slot = fcurves.matching_slot(action, fcurves.assigned_slot(armature_object))
        # Keyframes in unused slots would start to move it.
        slot = slot or fcurves.new_slot(action, armature_object)
        if source.library is None:
            source.use_fake_user = True
    container = fcurves.ensure_container(action, slot)
    for curve in write_channels(container, frames, channels):
        for modifier in _disturbing(curve):
            modifier.mute = True
    fcurves.assign_action(armature_object, action, slot)
    return action


def write_in_place(
    armature_object: bpy.types.Object, frames: Floats, channels: Sequence[ChannelKeys]
) -> bpy.types.Action:
    """Replace the active action's keys from the first frame to the last, for these channels."""
    check_in_place(armature_object, channels)
    _refuse_no_frames(frames)
    action = armature_object.animation_data.action
    slot = fcurves.assigned_slot(armature_object) or fcurves.new_slot(action, armature_object)
    write_channels(fcurves.ensure_container(action, slot), frames, channels)
    fcurves.assign_action(armature_object, action, slot)
    return action


def write_layer(
    scene: bpy.types.Scene,
    armature_object: bpy.types.Object,
    frames: Floats,
    channels: Sequence[ChannelKeys],
    name: str = "",
) -> bpy.types.NlaStrip:
    """Add channels of `keys.layer_channels` as a strip on top; push the active action down below.

    The strip of the source also covers the scene's frames, so that F-curves that repeat or continue
    do so there as before. Channels without keyframes that are not at rest get a strip that holds
    them, because Blender takes them as at rest once a strip animates them.
    """
    check_layer(armature_object)
    _refuse_no_frames(frames)
    data = armature_object.animation_data or armature_object.animation_data_create()
    source, source_slot = data.action, fcurves.assigned_slot(armature_object)
    name = name or output_name(armature_object)
    held = _held_channels(armature_object, channels)
    layer = fcurves.new_action(name, armature_object)
    slot = fcurves.ensure_slot(layer, armature_object)
    write_channels(fcurves.ensure_container(layer, slot), frames, channels)
    if source is not None:
        start, end = source.frame_range
        start = min(start, frames[0], scene.frame_start)
        end = max(end, frames[-1], scene.frame_end)
        _on_top(data, source.name, source, source_slot, start, end)
        fcurves.assign_action(armature_object, None)
    start, end = float(frames[0]), max(float(frames[-1]), float(frames[0]) + SHORTEST_STRIP)
    if held:
        holding = fcurves.new_action(f"{name}_held", armature_object)
        holding.bioik.output = HELD
        held_slot = fcurves.ensure_slot(holding, armature_object)
        write_channels(fcurves.ensure_container(holding, held_slot), frames[:1], held)
        _on_top(data, holding.name, holding, held_slot, start, end)
    strip = _on_top(data, layer.name, layer, slot, start, end)
    strip.blend_type = "COMBINE"
    strip.extrapolation = "NOTHING"
    data.use_nla = True
    return strip


def write_channels(
    container: bpy.types.ID, frames: Floats, channels: Sequence[ChannelKeys]
) -> list[bpy.types.FCurve]:
    """Write keys of type Generated over those from the first frame to the last.

    Keys outside of these frames stay as they are, F-curves are created where missing.
    """
    curves = []
    for keys in channels:
        curve = fcurves.ensure_curve(container, keys.data_path, keys.index, keys.group)
        fcurves.make_keys_of_samples(curve)
        if curve.mute:
            # Its keyframes had no effect; unmuting would enable those outside of the frames.
            curve.keyframe_points.clear()
            curve.mute = False
        _replace_keys(curve, frames, keys)
        curves.append(curve)
    return curves


def _replace_keys(curve: bpy.types.FCurve, frames: Floats, keys: ChannelKeys) -> None:
    start, end = float(frames[0]), float(frames[-1])
    if keys.curve is None:
        fcurves.replace_keys(curve, start, end, frames, keys.values)
    else:
        rows, slopes = keys.curve
        fcurves.replace_keys(curve, start, end, frames[rows], keys.values[rows], slopes=slopes)


def other_users(armature_object: bpy.types.Object) -> list[str]:
    """Names of other objects that the armature's active action moves in the same way."""
    action, slot = armature_object.animation_data.action, fcurves.assigned_slot(armature_object)
    return [
        other.name
        for other in bpy.data.objects
        if other != armature_object and (action, slot) in _played(other.animation_data)
    ]


def bones_running_on(
    armature_object: bpy.types.Object, frames: Floats, channels: Sequence[ChannelKeys]
) -> list[str]:
    """Bones of whose F-curves keys at these frames decide about frames outside of them too."""
    bones = [
        keys.group
        for keys, curve in _existing(armature_object, channels)
        if fcurves.acts(curve) and _runs_on(curve, frames)
    ]
    return list(dict.fromkeys(bones))


def bones_changed_outside(
    scene: bpy.types.Scene,
    armature_object: bpy.types.Object,
    frames: Floats,
    channels: Sequence[ChannelKeys],
) -> list[str]:
    """Bones that move in frames next to these, because their first or last key is off the curve."""
    curves = fcurves.curves_by_channel(fcurves.assigned_container(armature_object))
    changed: dict[str, None] = {}
    for keys in channels:
        curve = curves.get((keys.data_path, keys.index))
        if curve is not None and fcurves.acts(curve):
            first, last = curve.evaluate(frames[0]), curve.evaluate(frames[-1])
            before, after = _frames_led_to(curve, frames)
        else:
            first = last = armature_object.path_resolve(keys.data_path)[keys.index]
            before = after = None
        before = scene.frame_start if before is None else before
        after = scene.frame_end if after is None else after
        starts_off = before < frames[0] and abs(keys.values[0] - first) > OFF_CURVE
        ends_off = after > frames[-1] and abs(keys.values[-1] - last) > OFF_CURVE
        if starts_off or ends_off:
            changed[keys.group] = None
    return list(changed)


def _frames_led_to(curve: bpy.types.FCurve, frames: Floats) -> tuple[float | None, float | None]:
    """The frames farthest before and after some others that keys there would change, if any.

    None if the curve has no keyframe on that side, and would change over the whole range that is
    checked.
    """
    at = fcurves.key_frames(curve)
    earlier = np.flatnonzero(at < frames[0] - fcurves.SAME_FRAME)
    later = at[at > frames[-1] + fcurves.SAME_FRAME]
    before: float | None = None
    if len(earlier):
        holds = curve.keyframe_points[int(earlier[-1])].interpolation == "CONSTANT"
        before = frames[0] if holds else np.floor(at[earlier[-1]] + 1.0)
    return before, np.ceil(later[0] - 1.0) if len(later) else None


def animated_channels(armature_object: bpy.types.Object) -> set[Channel]:
    """Channels animated by the active action or an NLA strip, below a new layer."""
    data = armature_object.animation_data
    if data is None:
        return set()
    containers = [(fcurves.assigned_container(armature_object), False)]
    for track in data.nla_tracks:
        if not track.mute:
            containers += [(fcurves.strip_container(strip), True) for strip in _flat(track.strips)]
    return {
        channel
        for container, in_strip in containers
        for channel, curve in fcurves.curves_by_channel(container).items()
        if fcurves.acts(curve, in_strip=in_strip)
    }


def _held_channels(
    armature_object: bpy.types.Object, channels: Sequence[ChannelKeys]
) -> list[ChannelKeys]:
    """Keys that hold, below a layer, properties that are neither animated nor at rest."""
    animated = animated_channels(armature_object)
    held = []
    for path, group in dict.fromkeys((keys.data_path, keys.group) for keys in channels):
        at_rest = NLA_DEFAULTS.get(path.rpartition(".")[2])
        if at_rest is None:
            continue  # a custom property, whose default Blender knows
        values = armature_object.path_resolve(path)
        missing = [i for i in range(len(at_rest)) if (path, i) not in animated]
        if any(values[i] != at_rest[i] for i in missing):
            held += [ChannelKeys(path, i, group, np.array([values[i]])) for i in missing]
    return held


def _existing(
    armature_object: bpy.types.Object, channels: Sequence[ChannelKeys]
) -> Iterator[tuple[ChannelKeys, bpy.types.FCurve]]:
    """Channels that the active action has F-curves for, with these."""
    curves = fcurves.curves_by_channel(fcurves.assigned_container(armature_object))
    for keys in channels:
        curve = curves.get((keys.data_path, keys.index))
        if curve is not None:
            yield keys, curve


def _disturbing(curve: bpy.types.FCurve) -> list[bpy.types.FModifier]:
    """Modifiers of an F-curve that change its value at its keys."""
    return [m for m in curve.modifiers if not m.mute and m.type not in OUTSIDE_MODIFIERS]


def _runs_on(curve: bpy.types.FCurve, frames: Floats) -> bool:
    """Whether an F-curve repeats its keys, or leads on from one that is among the frames."""
    if any(not m.mute and m.type in OUTSIDE_MODIFIERS for m in curve.modifiers):
        return True
    at = fcurves.key_frames(curve)
    ends = len(at) > 0 and bool(frames[0] <= at[0] or at[-1] <= frames[-1])
    return curve.extrapolation == "LINEAR" and ends


def output_name(armature_object: bpy.types.Object) -> str:
    """The name of a new result.

    Where another armature has a result of that name from the same action, it has the armature's
    name too.
    """
    name, data = plain_output_name(armature_object), armature_object.animation_data
    taken = bpy.data.actions.get(name)
    source = data.action if data is not None else None
    if taken is None or source is None or source_of(taken, armature_object) != source:
        return name
    return f"{name.removesuffix(SUFFIX)}_{armature_object.name}{SUFFIX}"


def plain_output_name(armature_object: bpy.types.Object) -> str:
    """The source's name with one suffix, or that of an armature without a source."""
    data = armature_object.animation_data
    source = data.action if data is not None else None
    name = source.name if source is not None else armature_object.name
    return re.sub(rf"{SUFFIX}(\.\d+)?$", "", name) + SUFFIX


def _on_top(
    data: bpy.types.AnimData,
    name: str,
    action: bpy.types.Action,
    slot: bpy.types.ActionSlot | None,
    start: float,
    end: float,
) -> bpy.types.NlaStrip:
    """A strip on a new track above all others."""
    last = data.nla_tracks[-1] if len(data.nla_tracks) else None
    track = data.nla_tracks.new(prev=last)
    track.name = name
    return fcurves.add_strip(track, name, action, slot, start, end)


def _played(
    data: bpy.types.AnimData | None,
) -> Iterator[tuple[bpy.types.Action, bpy.types.ActionSlot | None]]:
    """Actions of an object with the slots it uses of them: the active one and those of strips."""
    if data is None:
        return
    users = [data, *(strip for track in data.nla_tracks for strip in _flat(track.strips))]
    for user in users:
        yield user.action, user.action_slot if fcurves.LAYERED_ACTIONS else None


def _flat(strips: Sequence[bpy.types.NlaStrip]) -> Iterator[bpy.types.NlaStrip]:
    """Strips that play, also those inside meta strips."""
    for strip in strips:
        if not strip.mute:
            yield strip
            yield from _flat(strip.strips)


def _refuse_no_frames(frames: Floats) -> None:
    if not len(frames):
        raise RigError("There are no frames to write: choose a frame range.")


def _refuse_linked_object(armature_object: bpy.types.Object) -> None:
    if armature_object.library is not None:
        raise RigError(
            f'"{armature_object.name}" is linked from "{armature_object.library.filepath}": make '
            "a Library Override first."
        )
    override = armature_object.override_library
    if override is not None and override.is_system_override:
        raise RigError(
            f'The Library Override of "{armature_object.name}" is not editable: make it editable '
            "first (Outliner, Library Override, Make)."
        )


def _refuse_partial_quaternions(armature_object: bpy.types.Object) -> None:
    """Strips take a quaternion's channels without keys as at rest, an action takes them as is."""
    curves = fcurves.curves_by_channel(fcurves.assigned_container(armature_object))
    for bone in armature_object.pose.bones:
        path = f"{bone_path(bone.name)}.rotation_quaternion"
        count = sum((path, i) in curves and fcurves.acts(curves[path, i]) for i in range(4))
        if bone.rotation_mode == "QUATERNION" and 0 < count < 4:
            raise RigError(
                f'Only {count} of the 4 quaternion channels of bone "{bone.name}" have keyframes, '
                "which the NLA would evaluate differently: keyframe all 4, or bake to a new "
                "action."
            )


def _refuse_tweak_mode(armature_object: bpy.types.Object) -> None:
    data = armature_object.animation_data
    if data is not None and data.use_tweak_mode:
        raise RigError(
            f'An NLA strip of "{armature_object.name}" is being tweaked: exit Tweak Mode first '
            "(Tab in the NLA Editor)."
        )


def _refuse_blended_action(armature_object: bpy.types.Object) -> None:
    data = armature_object.animation_data
    if data is None or data.action is None or not len(data.nla_tracks):
        return
    if data.action_blend_type != "REPLACE" or data.action_influence != 1.0:
        raise RigError(
            f'The action "{data.action.name}" is blended with the NLA tracks below it: '
            "set it to Replace with influence 1, or push it down first."
        )
