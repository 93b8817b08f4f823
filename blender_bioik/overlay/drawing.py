"""Drawing armatures: data is read on every redraw, shapes are rebuilt only if it changed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import bpy
import gpu
from mathutils import Vector

from ..rig.trace.goal_places import goal_places
from ..rig.trace.trace import Trace, trace_of
from .batches import FrontBatches, GroundBatches
from .elements import (
    POINTS,
    Layer,
    Look,
    Step,
    current_elements,
    find_steps,
    ghost_elements,
    goal_elements,
    sole_elements,
    still_elements,
)
from .shapes import joined
from .stances import ContactSpan, find_stances

# Height of the reference character for sizes, metres.
HEIGHT = 1.6


@dataclass
class _Kept:
    """Shapes on the GPU for an armature, and the data they were built from."""

    still_of: Any = None
    current_of: Any = None
    front_of: Any = None
    steps: list[Step] = field(default_factory=list)
    present_steps: dict[int, Layer] = field(default_factory=dict)
    still: GroundBatches | None = None
    current: GroundBatches | None = None
    front: FrontBatches | None = None


_kept: dict[int, _Kept] = {}


def draw_armatures(
    armatures: list[bpy.types.Object], frame: float, look: Look, line_width: float
) -> None:
    """Draw the overlay of armatures; needs a GPU context.

    Args:
        armatures: The visible armatures.
        frame: The current frame.
        look: Visible elements and colours.
        line_width: Width of lines, pixels.
    """
    gpu.state.blend_set("ALPHA")
    gpu.state.depth_mask_set(False)
    try:
        for armature in armatures:
            _draw_armature(armature, frame, look, line_width)
    finally:
        gpu.state.depth_test_set("NONE")
        gpu.state.blend_set("NONE")


def forget_drawn() -> None:
    """Free the shapes on the GPU."""
    _kept.clear()


def _draw_armature(armature: bpy.types.Object, frame: float, look: Look, line_width: float) -> None:
    kept = _kept.setdefault(armature.session_uid, _Kept())
    trace, contacts = trace_of(armature), _contacts(armature)
    _update_ground(kept, trace, contacts, armature.bioik.feet.active_contact, frame, look)
    _update_front(kept, armature, trace, contacts, frame, look)
    for batches in (kept.still, kept.current, kept.front):
        if batches is not None:
            batches.draw(line_width)


def _contacts(armature: bpy.types.Object) -> tuple[ContactSpan, ...]:
    return tuple(
        ContactSpan(c.foot, c.point, c.frame_start, c.frame_end, c.slides)
        for c in armature.bioik.feet.contacts
    )


def _update_ground(
    kept: _Kept,
    trace: Trace | None,
    contacts: tuple[ContactSpan, ...],
    active: int,
    frame: float,
    look: Look,
) -> None:
    """Rebuild paths, spans and footprints whose data has changed."""
    still_of = (trace, contacts, active, look)
    if still_of != kept.still_of:
        chosen = contacts[active] if 0 <= active < len(contacts) else None
        kept.still = None
        if trace is not None:
            kept.steps = find_steps(trace, find_stances(contacts, chosen))
            kept.still = GroundBatches(still_elements(trace, kept.steps, look))
        kept.still_of, kept.current_of = still_of, None
        kept.present_steps.clear()
    if frame != kept.current_of:
        kept.current = None
        if trace is not None:
            kept.current = GroundBatches(
                current_elements(trace, kept.steps, look, frame, kept.present_steps)
            )
        kept.current_of = frame


def _update_front(
    kept: _Kept,
    armature: bpy.types.Object,
    trace: Trace | None,
    contacts: tuple[ContactSpan, ...],
    frame: float,
    look: Look,
) -> None:
    """Rebuild ghost, sole points and goals whose data has changed."""
    places = goal_places(armature, frame) if look.goals else []
    soles = _soles(armature, trace) if look.soles and trace is not None else {}
    front_of = (trace, contacts, frame, look, places, soles)
    if front_of == kept.front_of:
        return
    scale = _scale(armature) if trace is None else trace.scale
    lines = [sole_elements(soles, contacts, frame, scale), goal_elements(places, scale)]
    if trace is not None:
        lines.append(ghost_elements(trace, look, frame))
    kept.front, kept.front_of = FrontBatches(joined(lines)), front_of


def _soles(armature: bpy.types.Object, trace: Trace) -> dict[tuple[str, str], Vector]:
    """Positions of the sole points in the current pose."""
    bones, world = armature.pose.bones, armature.matrix_world
    places = {}
    for foot in trace.feet:
        for k, point in enumerate(POINTS):
            bone = bones.get(foot.bones[k])
            if bone is not None:
                place = world @ (bone.matrix @ Vector(foot.offsets[k]))
                place.z -= foot.clearance[k]
                places[foot.name, point] = place
    return places


def _scale(armature: bpy.types.Object) -> float:
    """Size of an armature without a trace, relative to a character of 1.6 m."""
    size: Any = max(armature.dimensions)
    return float(size) / HEIGHT or 1.0
