"""What a file holds of the product's work, as arrays that can be compared bit for bit.

Part of record_keys.py. It reads Blender's own data and saved properties alone, so that it says the
same whatever the package's modules are called.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

Snapshot = dict[str, NDArray[Any]]

POINTS = ("co", "handle_left", "handle_right")
KINDS = ("interpolation", "easing", "handle_left_type", "handle_right_type", "type")
CHANNELS = {
    "location": 3,
    "rotation_quaternion": 4,
    "rotation_euler": 3,
    "rotation_axis_angle": 4,
    "scale": 3,
}
# Parts of a report that are words, or are never the same twice.
IGNORED = {"notes", "reason", "seconds", "text"}
# Settings and records are compared by these properties of `Object.bioik`.
RECORD = ("frame_start", "frame_end", "run")


def snapshot(armature: bpy.types.Object) -> Snapshot:
    """Everything that is compared after one step of a case.

    Returns:
        "curves": JSON text, a description of each F-curve with its number of keys.
        "keys": Key coordinates and handles of all curves, one after the other; (k, 6).
        "kinds": Interpolation, easing, types of handles and of the key; (k, 5).
        "pose": Channels of all pose bones; (bones, 17).
        "facts": JSON text: the report's numbers, markers, NLA strips, constraints, contacts, goals.
    """
    curves, keys, kinds = _curves(armature)
    return {
        "curves": np.array(json.dumps(curves)),
        "keys": keys,
        "kinds": kinds,
        "pose": _pose(armature),
        "facts": np.array(json.dumps(_facts(armature), sort_keys=True)),
    }


def _curves(
    armature: bpy.types.Object,
) -> tuple[list[list[Any]], NDArray[np.float32], NDArray[np.int32]]:
    described: list[list[Any]] = []
    keys = [np.empty((0, 2 * len(POINTS)), np.float32)]
    kinds = [np.empty((0, len(KINDS)), np.int32)]
    for owner, action in _played(armature):
        found = list(_curves_of(action))
        for slot, curve in sorted(
            found, key=lambda at: (at[0], at[1].data_path, at[1].array_index)
        ):
            points = curve.keyframe_points
            described.append([owner, slot, *_described(curve), len(points)])
            keys.append(np.hstack([_read(points, name, 2, np.float32) for name in POINTS]))
            kinds.append(np.hstack([_read(points, name, 1, np.int32) for name in KINDS]))
    return described, np.concatenate(keys), np.concatenate(kinds)


def _played(armature: bpy.types.Object) -> Iterator[tuple[str, bpy.types.Action]]:
    """The armature's action and those of its NLA strips, each with where it is played."""
    data = armature.animation_data
    if data is None:
        return
    if data.action is not None:
        yield f"action {data.action.name}", data.action
    for track in data.nla_tracks:
        for strip in track.strips:
            if strip.action is not None:
                yield f"strip {track.name}/{strip.name}", strip.action


def _curves_of(action: bpy.types.Action) -> Iterator[tuple[str, bpy.types.FCurve]]:
    """The F-curves of an action, each with its slot's identifier."""
    if not hasattr(action, "layers"):  # up to Blender 4.3
        for curve in action.fcurves:
            yield "", curve
        return
    names = {slot.handle: slot.identifier for slot in action.slots}
    for layer in action.layers:
        for strip in layer.strips:
            for bag in strip.channelbags:
                for curve in bag.fcurves:
                    yield names[bag.slot_handle], curve


def _described(curve: bpy.types.FCurve) -> list[Any]:
    group = curve.group.name if curve.group else ""
    modifiers = [modifier.type for modifier in curve.modifiers]
    flags = [curve.mute, curve.lock]
    return [curve.data_path, curve.array_index, group, curve.extrapolation, modifiers, flags]


def _read(items: Any, name: str, width: int, kind: type[Any]) -> NDArray[Any]:
    """A property of all items of a collection; (items, width)."""
    values = np.empty(width * len(items), kind)
    items.foreach_get(name, values)
    return values.reshape(-1, width)


def _pose(armature: bpy.types.Object) -> NDArray[np.float32]:
    bones = armature.pose.bones
    return np.hstack([_read(bones, name, width, np.float32) for name, width in CHANNELS.items()])


def _facts(armature: bpy.types.Object) -> dict[str, Any]:
    scene, rig = bpy.context.scene, armature.bioik
    return {
        "report": _numbers(json.loads(rig.bake.report or "null")),
        "frame": scene.frame_current_final,
        "markers": sorted(marker.frame for marker in scene.timeline_markers),
        "strips": _strips(armature),
        "constraints": _constraints(armature),
        "contacts": [_values(contact) for contact in rig.feet.contacts],
        "goals": [_values(goal) for goal in rig.goals],
        "solver": _values(rig.solver),
        "feet": _values(rig.feet),
        "bake": {name: value for name, value in _values(rig.bake).items() if name != "report"},
        "record": _record(rig.baked),
        "other actions": _others(armature),
    }


def _numbers(content: Any) -> Any:
    """A report without its sentences and times."""
    if isinstance(content, dict):
        return {name: _numbers(part) for name, part in content.items() if name not in IGNORED}
    return [_numbers(part) for part in content] if isinstance(content, list) else content


def _strips(armature: bpy.types.Object) -> list[list[Any]]:
    data = armature.animation_data
    names = ("frame_start", "frame_end", "action_frame_start", "action_frame_end", "scale",
             "repeat", "blend_type", "extrapolation", "influence", "mute")  # fmt: skip
    tracks = data.nla_tracks if data else ()
    return [
        [track.name, strip.name, *(getattr(strip, name) for name in names)]
        for track in tracks
        for strip in track.strips
    ]


def _constraints(armature: bpy.types.Object) -> list[list[Any]]:
    return [
        [bone.name, constraint.name, constraint.mute, constraint.influence]
        for bone in armature.pose.bones
        for constraint in bone.constraints
    ]


def _values(group: bpy.types.PropertyGroup) -> dict[str, Any]:
    """The saved values of a property group; objects by their names, no collections."""
    found: dict[str, Any] = {}
    for prop in group.bl_rna.properties:
        value = getattr(group, prop.identifier)
        if prop.identifier in ("rna_type", "bl_rna") or prop.type == "COLLECTION":
            continue
        if prop.type == "POINTER":
            found[prop.identifier] = value.name if value is not None else None
        else:
            found[prop.identifier] = list(value) if getattr(prop, "is_array", False) else value
    return found


def _record(baked: bpy.types.PropertyGroup) -> dict[str, Any]:
    """What the last bake is known by."""
    actions = {
        name: action.name if action else None
        for name, action in (("source", baked.source), ("result", baked.result))
    }
    inputs = hashlib.sha256(baked.inputs.encode()).hexdigest()
    return {name: getattr(baked, name) for name in RECORD} | actions | {"inputs": inputs}


def _others(armature: bpy.types.Object) -> dict[str, str]:
    """A digest of every action that the armature does not play: sources stay as they are."""
    played = {action.name for _, action in _played(armature)}
    digests = {}
    for action in bpy.data.actions:
        if action.name in played:
            continue
        digest = hashlib.sha256()
        for slot, curve in _curves_of(action):
            digest.update(json.dumps([slot, *_described(curve)]).encode())
            for name in POINTS:
                digest.update(_read(curve.keyframe_points, name, 2, np.float32).tobytes())
        digests[action.name] = digest.hexdigest()
    return digests
