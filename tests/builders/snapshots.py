"""All of a Blender file's data as plain values, to see whether something changed it."""

from __future__ import annotations

from typing import Any

import bpy

from blender_bioik.rig.report.metric_curves import METRICS

# Collections of the file that hold what an animator makes.
KINDS = ("collections", "objects", "armatures", "actions")
# What says nothing about the data, or only what Blender worked out of it.
SKIPPED = {"rna_type", "bl_rna", "depsgraph", "preview", "session_uid", "bound_box", "dimensions"}
# Compared elsewhere; here only referred to.
BONES = (bpy.types.Bone, bpy.types.PoseBone)
REFERENCES = {"children", "channels"}
# Of a scene, what a change of frame changes; all of its settings would take a second to read.
OF_SCENES = {
    *("frame_current", "frame_subframe", "frame_start", "frame_end", "frame_step"),
    *("use_preview_range", "frame_preview_start", "frame_preview_end", "objects", "animation_data"),
}
# Of an action with slots, a view of the first slot's channelbag.
LEGACY_VIEWS = {"fcurves", "groups", "curve_frame_range"}


def file_data() -> dict[str, Any]:
    """Every property of every data-block and of the data within, and the selection."""
    bpy.context.view_layer.update()
    active = bpy.context.view_layer.objects.active
    return {
        "active": (active.name, active.mode) if active else None,
        "selected": sorted(o.name for o in bpy.context.view_layer.objects if o.select_get()),
        "scenes": [data_of(scene, only=OF_SCENES) for scene in bpy.data.scenes],
        **{
            f"{kind}/{block.name_full}": data_of(block)
            for kind in KINDS
            for block in getattr(bpy.data, kind)
        },
    }


def data_of(
    struct: Any, above: tuple[int, ...] = (), only: set[str] | None = None
) -> dict[str, Any]:
    """The properties of a data-block or of a part of it; other data-blocks by their names."""
    here = (*above, struct.as_pointer())
    skipped = SKIPPED
    if isinstance(struct, bpy.types.Action) and hasattr(struct, "layers"):
        skipped = SKIPPED | LEGACY_VIEWS
    return {
        prop.identifier: _value(getattr(struct, prop.identifier), prop, here)
        for prop in struct.bl_rna.properties
        if prop.identifier not in skipped and (only is None or prop.identifier in only)
    }


def differences(before: Any, after: Any, path: str = "") -> list[str]:
    """Where two of these differ, for a readable failure."""
    if isinstance(before, dict) and isinstance(after, dict):
        return [
            line
            for key in before.keys() | after.keys()
            for line in differences(before.get(key), after.get(key), f"{path}/{key}")
        ]
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        return [
            line
            for i, (a, b) in enumerate(zip(before, after, strict=True))
            for line in differences(a, b, f"{path}[{i}]")
        ]
    return [] if before == after else [f"{path}: {before!r:.80} -> {after!r:.80}"]


def _value(value: Any, prop: bpy.types.Property, above: tuple[int, ...]) -> Any:
    if prop.type == "POINTER":
        return value.name if isinstance(value, BONES) else _part(value, above)
    if prop.identifier in REFERENCES:
        return [getattr(item, "name", "") for item in value]
    if prop.type == "COLLECTION":
        return [_part(item, above) for item in value]
    if getattr(prop, "is_array", False):
        return [repr(number) for number in _flat(value)]
    return repr(value)


def _part(value: Any, above: tuple[int, ...]) -> Any:
    if value is None:
        return None
    if isinstance(value, bpy.types.ID):
        return f"{type(value).__name__} {value.name_full}"
    if value.as_pointer() in above:
        return "above"
    return data_of(value, above)


def _flat(value: Any) -> list[Any]:
    flat: list[Any] = []
    for item in value:
        flat += _flat(item) if hasattr(item, "__len__") else [item]
    return flat


def all_data() -> dict[str, Any]:
    """All that placing feet could change."""
    markers = [(m.name, m.frame) for m in bpy.context.scene.timeline_markers]
    vertices = {mesh.name: [tuple(v.co) for v in mesh.vertices] for mesh in bpy.data.meshes}
    properties = {
        o.name: [metric.name for metric in METRICS.values() if metric.name in o]
        for o in bpy.data.objects
    }
    return {**file_data(), "markers": markers, "meshes": repr(vertices), "own": properties}


def actions() -> dict[str, Any]:
    return {action.name: data_of(action) for action in bpy.data.actions}
