"""A flat floor where a clip has its own, for feet that are only to be locked."""

from __future__ import annotations

import bpy
import numpy as np

from ...motion.contacts.floor import source_floor
from ...motion.contacts.levels import find_levels
from ..errors import RigError
from ..goals.goal_targets import link
from .source_feet import SourceFeet, found_contacts, read_source_feet

# Margin of the floor around the feet, metres for a character of 1.6 m.
MARGIN = 2.0


def add_flat_floor(
    context: bpy.types.Context,
    armature: bpy.types.Object,
    frames: tuple[int, int] | None = None,
) -> bpy.types.Object:
    """Make a floor under an armature's clip, and its ground; seen as a wire and not rendered.

    Args:
        context: Whose scene and collection it belongs to.
        armature: The armature.
        frames: First and last frame of the clip; None for those the scene plays.

    Raises:
        RigError: The armature has no legs, or cannot be read.
    """
    scene = context.scene
    played = scene.frame_start, scene.frame_end
    if scene.use_preview_range:
        played = scene.frame_preview_start, scene.frame_preview_end
    start, end = frames or played
    if end <= start:
        raise RigError(
            f"Frames {start} to {end} are not a valid range: choose a later end frame of the scene."
        )
    source = read_source_feet(scene, armature, range(start, end + 1))
    mesh = bpy.data.meshes.new("Flat Floor")
    mesh.from_pydata(_corners(source, _height(armature, source)), [], [(0, 1, 2, 3)])
    floor = bpy.data.objects.new(mesh.name, mesh)
    floor.display_type, floor.hide_render = "WIRE", True
    link(context, floor)
    ground = armature.bioik.feet.grounds.add()
    ground.name, ground.object = floor.name, floor
    return floor


def _height(armature: bpy.types.Object, source: SourceFeet) -> float:
    """Height of the clip's floor; where that drifts, the one that half of it is below."""
    settings = armature.bioik.feet
    known = settings.floor_height if settings.floor == "HEIGHT" else None
    contacts, _ = found_contacts(settings, source.feet, source.rate, source.scale, source.origin)
    levels = find_levels(source.feet, contacts, source.scale)
    if known is None and levels.stands:
        return float(np.median(levels.floor(len(source.frames))))
    return float(np.median(source_floor(source.feet, contacts, known, source.origin)))


def _corners(source: SourceFeet, height: float) -> list[tuple[float, float, float]]:
    points = np.concatenate([foot.points[..., :2].reshape(-1, 2) for foot in source.feet])
    margin = MARGIN * source.scale
    (left, back), (right, front) = points.min(axis=0) - margin, points.max(axis=0) + margin
    plan = ((left, back), (right, back), (right, front), (left, front))
    return [(float(x), float(y), height) for x, y in plan]
