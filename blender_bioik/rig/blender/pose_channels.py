"""The channels of a pose as stored by Blender: one row of 32-bit numbers for each pose bone.

Rows are in the order of `Pose.bones`. What is read is written back bit for bit.
"""

from __future__ import annotations

import base64
import json

import bpy
import numpy as np
from numpy.typing import NDArray

Channels = NDArray[np.float32]

COLUMNS = {
    "location": slice(0, 3),
    "rotation_quaternion": slice(3, 7),
    "rotation_euler": slice(7, 10),
    "rotation_axis_angle": slice(10, 14),
    "scale": slice(14, 17),
}
WIDTH = 17


def read_channels(armature: bpy.types.Object) -> Channels:
    """All transform channels of an armature's pose bones; (n, 17)."""
    bones = armature.pose.bones
    rows = np.empty((len(bones), WIDTH), np.float32)
    for name, columns in COLUMNS.items() if len(bones) else ():
        values = np.empty(len(bones) * (columns.stop - columns.start), np.float32)
        bones.foreach_get(name, values)
        rows[:, columns] = values.reshape(len(bones), -1)
    return rows


def write_channels(armature: bpy.types.Object, rows: Channels) -> None:
    """Give pose bones these channels, without having animation overwrite them."""
    now = read_channels(armature)
    for name, columns in COLUMNS.items():
        if not np.array_equal(now[:, columns], rows[:, columns]):
            armature.pose.bones.foreach_set(name, np.ascontiguousarray(rows[:, columns]).ravel())
    # Only the pose is re-evaluated: animation would overwrite changes without keyframes.
    armature.update_tag(refresh={"DATA"})


def changed_channels(before: Channels, after: Channels) -> NDArray[np.bool_]:
    """Which channels changed, each with the others of its property; (n, 17)."""
    changed = np.zeros(before.shape, bool)
    for columns in COLUMNS.values():
        differs = (before[:, columns] != after[:, columns]).any(axis=1)
        changed[:, columns] = differs[:, None]
    return changed


def packed(armature: bpy.types.Object, rows: Channels) -> str:
    """Channels as text that can be kept in a property."""
    names = [bone.name for bone in armature.pose.bones]
    values = base64.b64encode(rows.astype("<f4").tobytes()).decode()
    return json.dumps({"bones": names, "values": values})


def unpacked(armature: bpy.types.Object, text: str) -> Channels:
    """Channels of a text; those of bones that it does not know are as they are now."""
    rows = read_channels(armature)
    if not text:
        return rows
    kept = json.loads(text)
    values = np.frombuffer(base64.b64decode(kept["values"]), "<f4").reshape(-1, WIDTH)
    row_of = {name: row for row, name in enumerate(kept["bones"])}
    for row, bone in enumerate(armature.pose.bones):
        if bone.name in row_of:
            rows[row] = values[row_of[bone.name]]
    return rows
