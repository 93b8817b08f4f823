"""Deleting generated keyframes in some frames: the source's keyframes come back there."""

from __future__ import annotations

import bpy

from ..blender import fcurves
from ..keys.played_source import LayerStrips
from ..keys.results import Result, played_result, refuse_unknown_source, source_slot
from ..record.bake_record import forget_frames
from .give_back import give_source_back


def delete_generated(
    scene: bpy.types.Scene, armature_object: bpy.types.Object, start: int, end: int
) -> int:
    """Delete generated keyframes from a frame to another one; how many.

    Where none of a result is left, the source is given back. Else its keyframes in these frames
    come back, except below a layer, where they always play.

    Raises:
        RigError: The source is not known; nothing has been changed.
    """
    refuse_unknown_source(armature_object)
    result = played_result(armature_object)
    container = _container(armature_object, result)
    if container is None:
        return 0
    if result is None:
        return fcurves.delete_generated_keys(container, start, end)
    inside, outside = _counts(container, result, start, end)
    if inside and not outside:
        give_source_back(scene, armature_object)
        return inside
    count = fcurves.delete_generated_keys(container, start, end)
    if result.output != "LAYER" and result.source is not None:
        slot = source_slot(armature_object, result)
        source = fcurves.container_of(result.source, slot)
        fcurves.put_back_keys(container, source, _written(container, result), start, end)
    if count and result.action == armature_object.bioik.baked.result:
        forget_frames(armature_object, start, end)
    return count


def _container(armature_object: bpy.types.Object, result: Result | None) -> bpy.types.ID | None:
    """The F-curves that hold a result, or those of the active action without one."""
    if result is None or result.output != "LAYER":
        return fcurves.assigned_container(armature_object)
    return fcurves.strip_container(LayerStrips.of(armature_object, result).layer[1])


def _written(container: bpy.types.ID, result: Result) -> frozenset[str]:
    """Data paths of a result's keyframes; all of them where that is not known."""
    return frozenset(result.kept.written or (curve.data_path for curve in container.fcurves))


def _counts(container: bpy.types.ID, result: Result, start: int, end: int) -> tuple[int, int]:
    """How many generated keyframes of a result are in some frames, and how many are not."""
    written = _written(container, result)
    curves = [curve for curve in container.fcurves if curve.data_path in written]
    counts = [fcurves.generated_keys(curve, start, end) for curve in curves]
    return sum(inside for inside, _ in counts), sum(outside for _, outside in counts)
