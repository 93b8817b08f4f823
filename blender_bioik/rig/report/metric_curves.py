"""The report of placed feet in Blender's own editors: F-curves of its numbers, and markers.

Each metric is a custom property of the armature object, animated with the bones: by the object's
slot of the action that holds the baked keys, for an NLA layer by the action of its strip. There,
strips below that play at the same time lose theirs: a layer adds to what is below it, and they are
about the motion before the layer. The properties' names are ours alone, so writing again replaces
the curves and they can be removed; nothing else of an action is touched.

Markers are ours if they begin with "Bio-IK", the armature's name and a colon. One that an animator
renames or binds a camera to is the animator's from then on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import bpy
from numpy.typing import ArrayLike

from ..blender import fcurves
from ..transforms import Floats

GROUP = "Bio-IK Report"
# Blender cuts names of markers after this many bytes.
MARKER_BYTES = 63


class Metric(NamedTuple):
    """A number per frame, shown as a custom property.

    Attributes:
        name: The property's name, with its unit.
        factor: Factor from metres to that unit.
        description: Tooltip.
    """

    name: str
    factor: float
    description: str

    @property
    def data_path(self) -> str:
        """The property's path from the armature object."""
        return f'["{self.name}"]'


METRICS = {
    "penetration": Metric("bioik_penetration_mm", 1e3, "Penetration of the deepest sole point, mm"),
    "drift": Metric(
        "bioik_drift_mm", 1e3, "Distance of a planted foot from its mean position in plan view, mm"
    ),
    "floating": Metric("bioik_floating_mm", 1e3, "Height of a planted foot above the ground, mm"),
    "slope_error": Metric(
        "bioik_slope_error_deg", 1.0, "Angle between a planted sole and the ground, degrees"
    ),
    "skate": Metric(
        "bioik_skate_mm_s", 1e3, "Sliding speed of a foot near the ground (MANN's formula), mm/s"
    ),
    "pelvis_shift": Metric(
        "bioik_pelvis_shift_mm", 1e3, "Pelvis movement beyond what the ground requires, mm"
    ),
    "acceleration_ratio": Metric(
        "bioik_acceleration_ratio",
        1.0,
        "Largest acceleration of the legs relative to the source around the frame",
    ),
    "jerk_ratio": Metric(
        "bioik_jerk_ratio", 1.0, "Largest jerk of the legs relative to the source around the frame"
    ),
    "upper_body": Metric(
        "bioik_upper_body_deg",
        1.0,
        "World rotation of the bones above the pelvis, degrees",
    ),
    "foot_twist": Metric(
        "bioik_foot_twist_deg", 1.0, "Rotation of a foot about the vertical, degrees"
    ),
    "mesh_depth": Metric("bioik_mesh_depth_mm", 1e3, "Depth of a foot's mesh in the ground, mm"),
    "body_depth": Metric(
        "bioik_body_depth_mm", 1e3, "Depth of the other meshes of the body in the ground, mm"
    ),
}
PATHS = frozenset(metric.data_path for metric in METRICS.values())


def write_metrics(
    scene: bpy.types.Scene,
    armature_object: bpy.types.Object,
    action: bpy.types.Action,
    frames: ArrayLike,
    curves: Mapping[str, Floats],
    worst: Sequence[tuple[float, str]],
) -> None:
    """Show a report's numbers as F-curves and its worst frames as markers, in place of older ones.

    Args:
        scene: The scene whose timeline gets the markers.
        armature_object: The armature that gets the custom properties.
        action: The action with the baked keys: the active one or that of an NLA strip.
        frames: The frames of the curves' values, ascending.
        curves: Values by metric's name, in metres, seconds and degrees; those of METRICS are known.
        worst: Frames to mark, with what is wrong in them.
    """
    _clear_strips_below(armature_object, action)
    container = fcurves.ensure_container(action, _slot(armature_object, action))
    fcurves.remove_curves(container, PATHS)
    for name, values in curves.items():
        metric = METRICS[name]
        _ensure_property(armature_object, metric)
        curve = fcurves.ensure_curve(container, metric.data_path, 0, GROUP)
        fcurves.write_keys(curve, frames, metric.factor * values)
        # Locked, because accidental edits would falsify them.
        curve.lock = True
    _remove_properties(armature_object, _unplayed(armature_object))
    _remove_markers(scene, armature_object)
    for frame, text in worst:
        scene.timeline_markers.new(_marker_prefix(armature_object) + text, frame=round(frame))


def remove_metrics(scene: bpy.types.Scene, armature_object: bpy.types.Object) -> int:
    """Remove the report's F-curves, properties and markers from an armature; how many curves.

    Curves go from the active action and those of NLA strips; linked actions stay as they are.
    """
    removed = 0
    for container in _containers(armature_object):
        if container.id_data.library is None:
            removed += fcurves.remove_curves(container, PATHS)
    _remove_properties(armature_object, METRICS.values())
    _remove_markers(scene, armature_object)
    return removed


def _slot(
    armature_object: bpy.types.Object, action: bpy.types.Action
) -> bpy.types.ActionSlot | None:
    """The slot by which an armature uses an action, be it active or in a strip."""
    data = armature_object.animation_data
    if fcurves.LAYERED_ACTIONS and data is not None and data.action != action:
        for strip in _strips(armature_object):
            if strip.action == action and strip.action_slot is not None:
                return strip.action_slot
    return fcurves.ensure_slot(action, armature_object)


def _clear_strips_below(armature_object: bpy.types.Object, action: bpy.types.Action) -> None:
    """Where an action is in a strip, remove the metrics of other strips over the same frames."""
    strips = list(_strips(armature_object))
    for layer in (strip for strip in strips if strip.action == action):
        for strip in strips:
            apart = strip.frame_end < layer.frame_start or strip.frame_start > layer.frame_end
            container = fcurves.strip_container(strip)
            if not apart and container is not None and container.id_data.library is None:
                fcurves.remove_curves(container, PATHS)


def _strips(armature_object: bpy.types.Object) -> Iterator[bpy.types.NlaStrip]:
    """All NLA strips of an armature, also muted ones and those inside meta strips."""

    def inside(strips: Iterable[bpy.types.NlaStrip]) -> Iterator[bpy.types.NlaStrip]:
        for strip in strips:
            yield strip
            yield from inside(strip.strips)

    data = armature_object.animation_data
    for track in data.nla_tracks if data else ():
        yield from inside(track.strips)


def _ensure_property(armature_object: bpy.types.Object, metric: Metric) -> None:
    if metric.name not in armature_object:
        armature_object[metric.name] = 0.0
    # An NLA strip that combines adds to the default.
    armature_object.id_properties_ui(metric.name).update(
        description=metric.description, min=0.0, default=0.0, precision=2
    )


def _remove_properties(armature_object: bpy.types.Object, metrics: Iterable[Metric]) -> None:
    for metric in metrics:
        if metric.name in armature_object:
            del armature_object[metric.name]


def _unplayed(armature_object: bpy.types.Object) -> list[Metric]:
    """Metrics for which neither the active action nor a strip has an F-curve."""
    played = {
        path
        for container in _containers(armature_object)
        for path, _ in fcurves.curves_by_channel(container)
    }
    return [metric for metric in METRICS.values() if metric.data_path not in played]


def _containers(armature_object: bpy.types.Object) -> Iterator[bpy.types.ID]:
    """The F-curves of an armature's active action and of its NLA strips."""
    active = fcurves.assigned_container(armature_object)
    below = (fcurves.strip_container(strip) for strip in _strips(armature_object))
    yield from (container for container in (active, *below) if container is not None)


def _marker_prefix(armature_object: bpy.types.Object) -> str:
    return f"Bio-IK {armature_object.name}: "


def _remove_markers(scene: bpy.types.Scene, armature_object: bpy.types.Object) -> None:
    prefix = _marker_prefix(armature_object).encode()[:MARKER_BYTES].decode(errors="ignore")
    markers = scene.timeline_markers
    for marker in list(markers):
        if marker.name.startswith(prefix) and marker.camera is None:
            markers.remove(marker)
